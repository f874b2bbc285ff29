"""The verdict on a seat: a case for each verdict, the edges of the window, and hands unclear in the lock frame."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scripted_hands import CUE, MS, HandScript, hand_script, performance_of, view_of

from device.simulated.table.animation import Stance
from rules.throws import Throw
from vision.lock.judge import HAND_WINDOW_NS
from vision.lock.verdict import SeatTimeline, SeatVerdict, Verdict

LOCK = CUE + HAND_WINDOW_NS  # the first hand showed on the cue


def judge_seat(script: HandScript, lock: int = LOCK) -> SeatVerdict:
    return SeatTimeline(view_of(script), CUE, HAND_WINDOW_NS).verdict(1, CUE, lock)


def relaxed(time_ns: int) -> Stance:
    """Paper, held for 700 ms and then let go to a fist."""
    return Stance(paper=1) if time_ns < CUE + 700 * MS else Stance()


CASES = [
    ("paper on time", hand_script(performance_of("paper", 40)), Verdict.ON_TIME, "paper"),
    ("rock on time", hand_script(performance_of("rock", 40)), Verdict.ON_TIME, "rock"),
    ("a fist all along", lambda when: Stance(), Verdict.ON_TIME, "rock"),
    ("a little before the cue", hand_script(performance_of("scissors", -100)), Verdict.ON_TIME, "scissors"),
    ("late", hand_script(performance_of("paper", 300)), Verdict.LATE, "paper"),
    ("a late fist", hand_script(performance_of("rock", 300)), Verdict.LATE, "rock"),
    ("early", hand_script(performance_of("paper", -250)), Verdict.EARLY, "paper"),
    ("open from the first frame", lambda when: Stance(scissors=1), Verdict.EARLY, "scissors"),
    (
        "changed",
        hand_script(performance_of("paper", 20, changes_to="scissors", change_after_ns=330 * MS)),
        Verdict.CHANGED,
        "paper",
    ),
    (
        "back to a fist",
        hand_script(performance_of("paper", 20, changes_to="rock", change_after_ns=330 * MS)),
        Verdict.CHANGED,
        "paper",
    ),
    ("half open", hand_script(performance_of("paper", 20, half_open=True)), Verdict.UNCLEAR, None),
    ("nobody there", lambda when: None, Verdict.UNSEEN, None),
    ("out of view", hand_script(performance_of("paper", 20, hidden=True)), Verdict.UNSEEN, None),
    ("completed within 100 ms", hand_script(performance_of("paper", 165)), Verdict.ON_TIME, "paper"),
    ("let go long after", hand_script(performance_of("paper", 20, hold_ns=700 * MS)), Verdict.ON_TIME, "paper"),
]


@pytest.mark.parametrize(("script", "verdict", "throw"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_verdicts(script: HandScript, verdict: Verdict, throw: str | None) -> None:
    seat = judge_seat(script)
    assert (seat.verdict, seat.throw) == (verdict, throw)
    assert seat.verdict.foul == (verdict is not Verdict.ON_TIME)


def test_every_verdict_has_a_case() -> None:
    other_judges = {Verdict.TWO_HANDS, Verdict.WRONG_ZONE}  # need more than one hand: not judged by a timeline
    names = ("LIFTED", "TWO_CARDS", "NOT_THEIRS", "PLAYED", "WRONG_DECK", "COPY", "TOO_MANY", "UNREAD")
    other_judges |= {Verdict[name] for name in names}  # a card's: tests/vision/cards/test_card_lock.py
    assert {case[2] for case in CASES} == set(Verdict) - other_judges


def test_a_changed_hand_has_its_later_throw() -> None:
    seat = judge_seat(hand_script(performance_of("paper", 20, changes_to="scissors", change_after_ns=330 * MS)))
    assert (seat.at_lock, seat.changed_to) == (Throw.PAPER, Throw.SCISSORS)


def test_a_late_hand_showed_a_fist_at_the_lock() -> None:
    seat = judge_seat(hand_script(performance_of("paper", 330)))
    assert (seat.throw, seat.at_lock) == (Throw.PAPER, Throw.ROCK)


def test_a_change_before_the_lock_is_allowed() -> None:
    """Whatever a hand shows at the lock is its throw."""
    seat = judge_seat(
        hand_script(performance_of("paper", -60, changes_to="scissors", change_after_ns=130 * MS)), LOCK + 50 * MS
    )
    assert seat.at_lock is Throw.SCISSORS
    assert seat.verdict is Verdict.ON_TIME


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(["rock", "paper", "scissors"]), st.floats(-130, 450))
def test_on_time_is_within_the_window_and_late_beyond(throw: str, at_ms: float) -> None:
    """Between the lock and 100 ms after it either is right: an opening may have begun."""
    verdict = judge_seat(hand_script(performance_of(throw, at_ms))).verdict
    if at_ms < 140:
        assert verdict is Verdict.ON_TIME
    elif at_ms > 250:
        assert verdict is Verdict.LATE
    else:
        assert verdict in (Verdict.ON_TIME, Verdict.LATE)


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(["paper", "scissors"]), st.floats(-400, -50))
def test_early_is_before_the_window_around_the_cue(throw: str, at_ms: float) -> None:
    verdict = judge_seat(hand_script(performance_of(throw, at_ms))).verdict
    if abs(at_ms + 150) > 15:
        assert (verdict is Verdict.EARLY) == (at_ms < -150)


@settings(max_examples=20, deadline=None)
@given(st.floats(-190, -120))
def test_early_is_beyond_the_uncertainty_of_the_time(at_ms: float) -> None:
    seat = judge_seat(hand_script(performance_of("paper", at_ms)))
    assert seat.shown is not None
    surely = seat.shown.time_ns + seat.shown.sigma_ns < CUE - HAND_WINDOW_NS
    assert seat.verdict is (Verdict.EARLY if surely else Verdict.ON_TIME)


@pytest.mark.parametrize(("after_ms", "verdict"), [(45, Verdict.ON_TIME), (110, Verdict.LATE)])
def test_an_unclear_lock_frame_counts_in_favour_of_the_hand(after_ms: int, verdict: Verdict) -> None:
    """As far as the uncertainty of the times allows, and never for a throw 100 ms late."""
    truth = performance_of("paper", (LOCK - CUE) / MS + after_ms)
    timeline = SeatTimeline(
        view_of(lambda when: None if abs(when - LOCK) < 20 * MS else truth.stance(when)), CUE, HAND_WINDOW_NS
    )
    assert timeline.verdict(1, CUE, LOCK, 50 * MS).verdict is verdict


@pytest.mark.parametrize("throw", ["rock", "paper", "scissors"])
def test_a_hand_not_found_in_the_lock_frame_is_read_from_both_sides(throw: str) -> None:
    truth = performance_of(throw, 0)
    seat = judge_seat(lambda when: None if abs(when - LOCK) < 60 * MS else truth.stance(when))
    assert (seat.verdict, seat.at_lock) == (Verdict.ON_TIME, throw)


def test_a_timeline_without_a_cue_finds_the_throw() -> None:
    timeline = SeatTimeline(view_of(hand_script(performance_of("scissors", 77))), None, HAND_WINDOW_NS)
    assert timeline.decisive is not None and timeline.decisive.shown is not None
    assert timeline.decisive.shown.time_ns == pytest.approx(CUE + 77 * MS, abs=10 * MS)


def test_pumps_are_not_throws() -> None:
    timeline = SeatTimeline(view_of(hand_script(performance_of("rock", 0))), None, HAND_WINDOW_NS)
    assert [segment.throw for segment in timeline.throw_segments] == [Throw.ROCK]
