"""A match in children's mode: stars instead of points, and a foul is thrown again without a word about who fouled. The
journal has the same as of any match."""

import re
from pathlib import Path
from typing import Any

import pytest

from device.simulated.controls import SimulatedSound
from device.sound.base import Tone
from device.system.clock import SimulatedClock
from rules.catalogue import GAMES as CATALOGUE
from rules.record.judgement import Verdict
from rules.record.round import FoulRule
from rules.throws import Throw
from tests.helpers.pausing_people import PAPER_ROCK, ROCK_PAPER, TIE, On, begin
from tests.helpers.sample_rounds import sample_round, sample_seat
from tests.helpers.table_matches import (
    GAMES,
    KillableJournal,
    Killed,
    WatchingDisplay,
    history,
    make_match,
    match_config,
)
from throwlock.house_rules import HouseRules
from throwlock.journal.events import RoundVoided
from throwlock.journal.journal import Journal, JournalReader
from throwlock.launch_options import LaunchOptions
from throwlock.match.ongoing import OngoingMatch
from throwlock.match_runner import can_be_for_children, play_to_end
from throwlock.settings.model import ScreenSettings, Settings
from ui.screen.pages.countdown import Countdown
from ui.screen.pages.message import GameMessage
from ui.screen.pages.result import MatchResult
from ui.screen.pages.reveal import Reveal
from ui.text.verdicts import AGAIN

CONFIG = match_config(GAMES["classic"], seed=5)
"""Best of five, with a foul in the second throw."""


class Viewer(WatchingDisplay):
    """A display that takes whatever it is shown."""

    def show(self, view: Any) -> None:
        self.shown.append(view)


def play(path: Path, **more: Any) -> list[Any]:
    with Journal(path) as journal:
        match, display = make_match(journal, CONFIG, display=Viewer(path), **more)
        match.play()
    return display.shown


def of_kind(shown: list[Any], kind: type) -> list[Any]:
    return [view for view in shown if isinstance(view, kind)]


def test_a_foul_is_thrown_again_and_nobody_is_blamed(tmp_path: Path) -> None:
    path, sound = tmp_path / "one.journal", SimulatedSound(SimulatedClock())
    shown = play(path, for_children=True, sound=sound)
    again = [view for view in of_kind(shown, Reveal) if any(seat.is_foul for seat in view.seats)]
    assert again and {view.sentence for view in again} == {AGAIN}
    assert not any(view.is_judged for view in of_kind(shown, Reveal))
    assert all(pictures.proof is None for view in again for pictures in view.pictures.values())
    assert {view.rethrow_reason for view in of_kind(shown, Countdown)} == {None, AGAIN}
    players = [player for view in shown for player in getattr(view, "players", ())]
    assert players and {player.fouls for player in players} == {None}
    assert Tone.FOUL not in {played.tone for played in sound.played}
    with JournalReader(path) as journal:
        voided = [event.body for event in journal.events() if isinstance(event.body, RoundVoided)]
    assert voided and all(body.fouls and "late" in body.text for body in voided), "the journal keeps the truth"


def test_the_journal_is_that_of_any_match(tmp_path: Path) -> None:
    play(tmp_path / "children.journal", for_children=True)
    play(tmp_path / "usual.journal")
    assert history(tmp_path / "children.journal") == history(tmp_path / "usual.journal")


def test_points_are_stars_of_which_the_winner_needs_all(tmp_path: Path) -> None:
    shown = play(tmp_path / "one.journal", for_children=True)
    counts = [[player.score for player in view.players] for view in of_kind(shown, Countdown)]
    assert counts[0] == [0, 0]
    players = [player for view in of_kind(shown, GameMessage) for player in view.players]
    assert {player.stars for player in players} == {3} and max(player.score for player in players) == 3
    assert {player.stars for view in play(tmp_path / "usual.journal") for player in getattr(view, "players", ())} == {
        None
    }


def test_children_are_told_no_numbers_and_who_won_in_short(tmp_path: Path) -> None:
    shown = play(tmp_path / "one.journal", for_children=True)
    counts, reveals = of_kind(shown, Countdown), of_kind(shown, Reveal)
    assert {view.title for view in counts} == {"Classic"} and {view.facts for view in counts} == {()}
    assert {view.facts for view in of_kind(shown, GameMessage)} == {()}
    assert {str(view.sentence) for view in reveals} == {"Ada wins!", "Tie. Throw again.", AGAIN}
    assert not [view.sentence for view in reveals if re.search(r"[0-9]", str(view.sentence))]


def test_a_throw_that_was_entered_is_told_in_short_too(tmp_path: Path) -> None:
    with Journal(tmp_path / "one.journal") as journal:
        match, script = begin(journal, [TIE, ROCK_PAPER, PAPER_ROCK, ROCK_PAPER], for_children=True)
        match.play()
    told = [str(view.sentence) for view in script.seen if isinstance(view, Reveal)]
    assert not any(line for view in script.seen if isinstance(view, GameMessage) for line in view.sentences)
    assert told == ["Tie. Throw again.", "Ben wins!", "Ada wins!", "Ben wins!"]


def test_a_resumed_match_says_no_more_of_a_foul(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"
    play(tmp_path / "whole.journal", for_children=True)
    with JournalReader(tmp_path / "whole.journal") as whole:
        fouled = next(event.number for event in whole.events() if isinstance(event.body, RoundVoided))
    with KillableJournal(path) as journal:
        journal.kill_at = fouled
        match, _ = make_match(journal, CONFIG, display=Viewer(path), for_children=True)
        with pytest.raises(Killed):
            match.play()
    with Journal(path) as journal:
        number = journal.unfinished_match()
        assert number is not None
        for for_children in (True, False):
            ongoing = OngoingMatch(journal, number, judges_throws=True, for_children=for_children)
            assert (ongoing.void_sentence == AGAIN) is for_children


@pytest.mark.parametrize(
    ("verdict", "is_foul", "says_again"),
    [(Verdict.LATE, True, True), (Verdict.TOO_CLOSE, False, True), (Verdict.UNREAD, False, False)],
)
def test_what_helps_is_said_and_blame_is_not(tmp_path: Path, verdict: Verdict, is_foul: bool, says_again: bool) -> None:
    void = sample_round([sample_seat(1, (Throw.ROCK,), verdict, 168.0, is_foul=is_foul)], is_void=True)
    with Journal(tmp_path / "one.journal") as journal:
        number = journal.start_match(CONFIG.start_event(), CONFIG.names)
        for for_children in (True, False):
            match = OngoingMatch(journal, number, judges_throws=True, for_children=for_children)
            assert match.just_says_again(void.fouls, void.judgement) is (says_again and for_children)


def test_the_end_pushes_neither_awards_nor_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("throwlock.review.archive.cache_folder", lambda: tmp_path / "cache")
    path, game = tmp_path / "evening.journal", CATALOGUE["classic"].set_up(2, {"best_of": 1})
    with Journal(path) as journal:
        for played in range(4):
            match, script = begin(journal, [ROCK_PAPER, On(MatchResult, "home")], game, for_children=played == 3)
            play_to_end(LaunchOptions(path, "none"), script, match)
            (result,) = of_kind(script.seen, MatchResult)
            assert result.has_awards is (played == 2), "from the third match on"
            assert (result.proof_code == "") is (result.deciding is None and played == 3)


@pytest.mark.parametrize(
    ("name", "options", "house", "can_be"),
    [
        ("classic", {"best_of": 3}, HouseRules(), True),
        ("classic", {"best_of": 9}, HouseRules(), True),
        ("classic", {"best_of": 11}, HouseRules(), False),
        ("classic", {}, HouseRules(on_foul=FoulRule.STAND), False),
        ("classic", {}, HouseRules(forfeit_after=2), False),
        ("redeux", {}, HouseRules(), False),
    ],
)
def test_which_matches_children_can_read(name: str, options: dict[str, Any], house: HouseRules, can_be: bool) -> None:
    assert can_be_for_children(match_config(CATALOGUE[name].set_up(2, options), house=house)) is can_be


@pytest.mark.parametrize("for_children", [False, True])
def test_every_foul_is_thrown_again_in_childrens_mode(for_children: bool) -> None:
    settings = Settings(screen=ScreenSettings(children=for_children))
    options = LaunchOptions(
        Path("one.journal"), "none", settings=settings, rule_overrides={"on_foul": FoulRule.STAND, "forfeit_after": 3}
    )
    house = options.house_rules
    expected = (FoulRule.REPLAY, 0) if for_children else (FoulRule.STAND, 3)
    assert (house.on_foul, house.forfeit_after) == expected
