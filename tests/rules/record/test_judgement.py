"""A judged round as written down: how a seat's throw is read, and what is displayed of its verdict and time."""

import pytest
from pydantic import ValidationError

from rules.record.judgement import VOID_VERDICT, JudgementRecord, SeatRecord, Verdict, VoidReasonRecord
from rules.throws import Throw

ZONE = (0.1, 0.2, 0.3, 0.4)


def seat(verdict: str, **values: object) -> SeatRecord:
    """A seat that threw rock in time, but for ``values``."""
    usual: dict[str, object] = {"throw": "rock", "at_lock": "rock", "shown_ms": 40.0, "uncertainty_ms": 2.0}
    rest = {"after_lock": None, "cause": None, "entered_zone": None, "inferences": 3, "zone": ZONE}
    return SeatRecord.model_validate({"verdict": verdict, **usual, **rest, **values})


def judgement(*seats: SeatRecord, first: float | None = 10.04, void: VoidReasonRecord | None = None) -> JudgementRecord:
    by_seat = dict(enumerate(seats, 1))
    return JudgementRecord(
        first_shown_ms=first, lock_ms=160.0, window_ms=150.0, lock_frame_ms=161.0, void_reason=void, seats=by_seat
    )


MOVED = VoidReasonRecord(kind="moved", seat=None, measured=9)


def test_a_late_hand_is_read_by_what_it_ended_up_showing() -> None:
    late = seat("late", throw="paper", at_lock="rock", after_lock="scissors")
    assert (late.reading, late.later_throw) == ("paper", "paper")
    changed = seat("changed", throw="paper", at_lock="rock", after_lock="scissors")
    assert (changed.reading, changed.later_throw) == ("rock", "scissors")


@pytest.mark.parametrize(
    ("values", "suspected", "reading", "shown", "early_ms"),
    [
        ({"throw": "paper", "shown_ms": 170.0}, "late", "paper", ("rock", "paper"), None),
        ({"throw": "paper", "shown_ms": -160.0}, "early", "rock", ("paper", "rock"), 160.0),
        ({"after_lock": "scissors", "shown_ms": 40.0}, "changed", "rock", ("rock", "scissors"), None),
    ],
)
def test_too_close_to_call_is_nobodys_foul(
    values: dict[str, object], suspected: str, reading: str, shown: tuple[str, ...], early_ms: float | None
) -> None:
    doubtful = seat(Verdict.TOO_CLOSE, **values)
    assert (doubtful.verdict.is_foul, doubtful.suspected_foul, doubtful.reading) == (False, suspected, reading)
    assert (doubtful.shown_throws, doubtful.early_ms) == (shown, early_ms)
    assert doubtful.later_throw == (shown[-1] if early_ms is None else None)
    assert judgement(seat("on time"), doubtful).late_gains({}) == {}


def test_intervals_are_of_the_difference_to_the_first_hand() -> None:
    first, second = seat("on time", shown_ms=10.0, uncertainty_ms=3.0), seat("late", uncertainty_ms=4.0)
    early, unseen = seat("early", shown_ms=-300.0, uncertainty_ms=5.0), seat("unseen", uncertainty_ms=None)
    made = judgement(first, second, early, unseen, first=10.0)
    assert [made.interval_ms(number) for number in range(1, 5)] == pytest.approx([1.96 * 3, 1.96 * 5, 1.96 * 5, None])
    assert judgement(first, second, first=0.0).interval_ms(2) == pytest.approx(1.96 * 4), "the box was first"


def test_the_verdict_on_a_throw_that_nobody_knows_is_void() -> None:
    no_throw, card = seat("on time", at_lock=None), seat("on time", at_lock=None, card=0)
    seats = [seat("on time"), no_throw, card, seat("late"), seat("unseen", at_lock=None)]
    expected = ["on time", VOID_VERDICT, "on time", "late", "unseen"]
    assert [judgement(*seats).displayed_verdict(number) for number in range(1, 6)] == expected
    assert [judgement(*seats, void=MOVED).displayed_verdict(number) for number in range(1, 6)] == [VOID_VERDICT] * 5


def test_gains_by_a_late_throw_are_counted_against_the_lock_frame() -> None:
    late, changed = seat("late", throw="paper"), seat("changed", after_lock="paper")
    round_ = judgement(seat("on time"), late, changed, seat("early", throw="paper"))
    assert round_.late_gains({}) == {2: (0, 3), 3: (0, 3)}
    assert round_.late_gains({1: Throw.PAPER, 2: None}) == {3: (1, 2)}, "who was corrected was not late"
    assert round_.late_gains({4: Throw.SCISSORS}) == {2: (1, 2), 3: (1, 2)}
    assert judgement(seat("on time"), seat("late", throw="scissors")).late_gains({}) == {}
    assert judgement(seat("on time"), late, void=MOVED).late_gains({}) == {}


def test_times_are_counted_from_the_first_hand() -> None:
    seats = seat("on time"), seat("unseen", shown_ms=None), seat("on time", at_lock=None)
    assert [judgement(*seats).after_first_ms(number) for number in (1, 2, 3)] == [30.0, None, None]
    assert judgement(*seats, first=None).after_first_ms(1) is None
    assert judgement(*seats, void=MOVED).after_first_ms(1) is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"verdict": "punctual"}, {"throw": "lizard"}, {"shown_ms": 3_600_001.0}, {"shown_ms": float("nan")},
        {"uncertainty_ms": -0.1}, {"inferences": -1}, {"inferences": 1_000_001}, {"inferences": "3"}, {"card": 587},
        {"card": -1}, {"entered_zone": 0}, {"cause": "x" * 201}, {"zone": (0.0, 0.0, 2.1, 0.0)},
        {"zone": (0.0, 0.0, -1.1, 0.0)}, {"unknown": 1},
    ],
)  # fmt: skip
def test_a_record_with_a_wrong_value_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        seat(**{"verdict": "on time", **wrong})  # type: ignore[arg-type]
    edges = {"shown_ms": -3_600_000.0, "inferences": 1_000_000, "card": 586, "entered_zone": 1_000_000}
    assert seat("on time", **edges, zone=(-1.0, 2.0, 0.0, 0.0), cause="x" * 200)


def test_a_record_cannot_be_changed() -> None:
    with pytest.raises(ValidationError):
        seat("on time").throw = "paper"
    with pytest.raises(ValidationError):
        judgement()
