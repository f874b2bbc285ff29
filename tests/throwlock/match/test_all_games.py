"""Every game of the catalogue is played at a table from its first question to its end, cards and chance too, and what
is one player's own is never shown to the table."""

from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path

import pytest

from device.simulated.controls import SimulatedSound
from device.system.clock import SimulatedClock
from messages import join
from rules.catalogue import GAMES
from rules.engine import BOX
from tests.helpers.every_game import all_games
from tests.helpers.journal_events import ANSWERS
from tests.helpers.table_matches import WatchingDisplay, history, match_config, play
from throwlock.journal.journal import JournalReader
from throwlock.review.verify import verify
from ui.screen.pages.message import GameMessage
from ui.screen.pages.reveal import Reveal
from ui.screen.pages.showdown import Showdown


@pytest.mark.parametrize("name", all_games())
def test_game_is_played_to_its_end(tmp_path: Path, name: str) -> None:
    path = tmp_path / "one.journal"
    config = match_config(all_games()[name], seed=5)
    display = WatchingDisplay(path)
    play(path, config, display=display, sound=SpokenToTheRoom(display.shown))
    events = history(path)
    assert events[-1][0] == "match_ended"
    with JournalReader(path) as journal:
        assert verify(journal).problems == ()
    messages = [view for view in display.shown if isinstance(view, GameMessage)]
    assert messages and all(view.event.only is None for view in messages)
    check_speech(display.shown)
    drawn = [body for kind, body in events if kind in ANSWERS and str(BOX) in body["answers"]]
    assert all(body.get("secret") for body in drawn if body["prompt"] == "draw")


class SpokenToTheRoom(SimulatedSound):
    """Notes what is spoken among the pages ``shown``."""

    def __init__(self, shown: list[object]) -> None:
        super().__init__(SimulatedClock())
        self._shown = shown

    def say(self, sentence: str) -> None:
        self._shown.append(str(sentence))


def check_speech(shown: Sequence[object]) -> None:
    """What is spoken comes with the page that shows it to everybody, after the showdown whose cards were turned, or is
    the score, or names whoever is asked. Everything on these pages is spoken."""
    spoken = 0
    for at, sentence in enumerate(shown):
        if (
            not isinstance(sentence, str)
            or sentence.startswith("The score: ")
            or sentence.endswith(", it’s your turn.")
        ):
            continue
        spoken += 1
        later = [page for page in shown[at:] if not isinstance(page, str)]
        spoken_at = takewhile(lambda page: isinstance(page, GameMessage), later)
        messages = [str(join(page.sentences)) for page in spoken_at if isinstance(page, GameMessage)]
        read = {" ".join(messages[:count]) for count in range(1, len(messages) + 1)}
        before = next((page for page in reversed(shown[:at]) if not isinstance(page, str)), None)
        if later and isinstance(later[0], Reveal):
            read.add(str(later[0].sentence))
        if isinstance(before, Showdown):
            read.add(str(before.outcome))
        assert sentence in read or not later, f"{sentence} is nowhere on the screen"
    pages = [page for page in shown if isinstance(page, Reveal | Showdown)]
    assert spoken >= len(pages)


def test_draws_at_a_simulated_table_repeat(tmp_path: Path) -> None:
    config = match_config(GAMES["future"].set_up(2), seed=8)
    play(tmp_path / "one.journal", config)
    play(tmp_path / "two.journal", config)
    assert history(tmp_path / "one.journal") == history(tmp_path / "two.journal")
