"""Every game of the catalogue is played at a table from its first question to its end, cards and chance too, and what
is one player's own is never shown to the table."""

from pathlib import Path

import pytest

from rules.catalogue import GAMES
from rules.engine import BOX, Game
from tests.throwlock.match.test_match import NAMES, billed, history, play
from throwlock.journal.journal import JournalReader
from throwlock.journal.verify import verify
from ui.screen.pages.views import Told

MORE = {
    "redeux with cards": ("redeux", 2, {"play_with": "cards", "risk": "always", "goal": 40}),
}
"""Games with options that ask other things."""
SHORT = {"redeux": {"goal": 40}}
"""What makes a long game a short one."""


def everything() -> dict[str, Game]:
    """Each game for as many as the stand-in table has names for, and more with options."""
    plain = {
        name: rules.set_up(min(max(rules.fewest, 3), rules.most, len(NAMES)), SHORT.get(name, {}))
        for name, rules in GAMES.items()
    }
    options = {
        name: GAMES[game].set_up(seats, chosen)
        for name, (game, seats, chosen) in MORE.items()
        if {option.name for option in GAMES[game].options} >= set(chosen)
    }
    return plain | options


@pytest.mark.parametrize("name", everything())
def test_a_game_is_played_to_its_end_at_a_table(tmp_path: Path, name: str) -> None:
    path = tmp_path / "one.journal"
    billing = billed(everything()[name], seed=5)
    display = play(path, billing)
    events = history(path)
    assert events[-1][0] == "ended"
    with JournalReader(path) as journal:
        assert verify(journal).faults == ()
    told = [view for view in display.shown if isinstance(view, Told)]
    assert told and all(view.say.only is None for view in told)
    drawn = [body for kind, body in events if kind == "answer" and str(BOX) in body["answers"]]
    assert all(body.get("secret") for body in drawn if body["asked"] == "draw")


def test_chance_at_a_simulated_table_can_be_repeated(tmp_path: Path) -> None:
    billing = billed(GAMES["future"].set_up(2), seed=8)
    play(tmp_path / "one.journal", billing)
    play(tmp_path / "two.journal", billing)
    assert history(tmp_path / "one.journal") == history(tmp_path / "two.journal")
