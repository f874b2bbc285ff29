"""Which rounds are shown in slow motion: by a setting, and when people ask for it."""

from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest

from tests.helpers.disputing_people import CLASSIC, People
from tests.helpers.judged_frames import JUDGEMENT
from tests.helpers.table_matches import make_match
from throwlock.journal.journal import Journal
from throwlock.match.reveal import CLOSE_MS, Pace, is_important
from throwlock.settings.model import SlowMotionRule
from throwlock.tables.record import record_judgement
from throwlock.tables.source import ThrownRound
from ui.screen.pages.common import SLOW_MOTION_ANSWER
from ui.screen.pages.reveal import Reveal
from ui.screen.pages.slow_motion import SlowMotion
from vision.lock.reasons import VoidKind, VoidReason
from vision.zones import default_zones

ZONES = dict(enumerate(default_zones(2), 1))


def play(path: Path, rule: SlowMotionRule, touch: Any = lambda view: None) -> list[Any]:
    """Play a match; return its reveals, and what was shown in slow motion, in order."""
    with Journal(path) as journal:
        match, display = make_match(journal, CLASSIC, display=People(path, touch), pace=Pace(slow_motion=rule))
        match.play()
    return [view for view in display.shown if isinstance(view, Reveal | SlowMotion)]


@pytest.mark.parametrize("rule", get_args(SlowMotionRule))
def test_the_setting_says_which_rounds_are_shown(rule: SlowMotionRule, tmp_path: Path) -> None:
    shown = play(tmp_path / "one.journal", rule)
    reveals = [number for number, view in enumerate(shown) if isinstance(view, Reveal)]
    slow = [isinstance(shown[number - 1], SlowMotion) for number in reveals]
    assert {shown[number].has_slow_motion for number in reveals} == {rule != "never"}
    if rule == "important":
        assert slow[-1], "the round that decides the match"
        wrong = [any(seat.is_foul for seat in shown[number].seats) for number in reveals]
        assert any(wrong) and all(slow[place] for place, foul in enumerate(wrong) if foul)
        assert not all(slow)
    else:
        assert set(slow) == {rule == "always"}


def thrown_at(*times_ms: float | None, void: bool = False) -> ThrownRound:
    """A round in which hands showed at these times after the cue, and nobody fouled."""
    judgement = replace(JUDGEMENT, void_reason=VoidReason(VoidKind.MOVED, measurement=0.06)) if void else JUDGEMENT
    record = record_judgement(judgement, ZONES)
    seats = {seat: record.seats[1].model_copy(update={"shown_ms": ms}) for seat, ms in enumerate(times_ms, 1)}
    record = record.model_copy(update={"seats": seats})
    return ThrownRound(judgement, record, (), "", Future())


@pytest.mark.parametrize(
    ("thrown", "important"),
    [
        (thrown_at(0.0, CLOSE_MS), True),
        (thrown_at(0.0, CLOSE_MS + 1), False),
        (thrown_at(0.0, 20.0, CLOSE_MS + 1), False),
        (thrown_at(0.0, None), False),
        (thrown_at(0.0), False),
        (replace(thrown_at(0.0, 200.0), fouls=(2,)), True),
        (thrown_at(0.0, 200.0, void=True), False),
    ],
    ids=["close", "not close", "one of three apart", "one unseen", "alone", "a foul", "a void round"],
)
def test_close_rounds_and_fouls_are_important(thrown: ThrownRound, important: bool) -> None:
    assert is_important(thrown, decides=False) is important
    assert is_important(thrown, decides=True)


def test_people_see_a_round_again_when_they_ask(tmp_path: Path) -> None:
    asked: list[Reveal] = []

    def touch(view: Any) -> Any:
        if isinstance(view, Reveal):
            asked.append(view)
            return SLOW_MOTION_ANSWER if len(asked) == 2 else None
        return None

    shown = play(tmp_path / "one.journal", "important", touch)
    place = next(number for number, view in enumerate(shown) if view is asked[1])
    assert isinstance(shown[place + 1], SlowMotion) and shown[place + 1].seats == asked[1].seats
    assert shown[place + 2].seats == asked[1].seats and shown[place + 2].seconds_left == asked[1].seconds_left


def deciding_round(path: Path, **more: Any) -> tuple[SlowMotion | None, list[Any]]:
    """Play a match; return the round that decided it, and the reveals."""
    with Journal(path) as journal:
        match, display = make_match(journal, CLASSIC, pace=Pace(0.0, 0.0), **more)
        match.play()
        return match.deciding_round(), [view for view in display.shown if isinstance(view, Reveal)]


def test_the_deciding_round_is_the_last_and_at_its_end(tmp_path: Path) -> None:
    motion, reveals = deciding_round(tmp_path / "one.journal")
    assert motion is not None and motion.seats == reveals[-1].seats
    assert motion.moment_ms == motion.end_ms and motion.seconds_left is None


def test_of_a_class_no_deciding_round_is_shown(tmp_path: Path) -> None:
    assert deciding_round(tmp_path / "one.journal", quiet=True)[0] is None
