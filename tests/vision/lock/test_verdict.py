"""The verdict on a seat, by the words of the design, one case each; the window's edges; what stays the lock's throw."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scripted_hands import CUE, MS, Doing, performed, sight_of, throws

from device.simulated.table.animation import Stance
from rules.throws import Throw
from vision.lock.judge import WINDOW_NS
from vision.lock.verdict import SeatVerdict, Track, Verdict

LOCK = CUE + WINDOW_NS  # the first hand showed on the cue


def judged(doing: Doing, lock: int = LOCK) -> SeatVerdict:
    return Track(sight_of(doing), CUE, WINDOW_NS).verdict(1, CUE, lock)


def relaxed(when: int) -> Stance:
    """Paper, held for 700 ms and then let go to a fist."""
    return Stance(paper=1) if when < CUE + 700 * MS else Stance()


CASES = [
    ("paper on time", performed(throws("paper", 40)), Verdict.ON_TIME, "paper"),
    ("rock on time", performed(throws("rock", 40)), Verdict.ON_TIME, "rock"),
    ("a fist all along", lambda when: Stance(), Verdict.ON_TIME, "rock"),
    ("a little before the cue", performed(throws("scissors", -100)), Verdict.ON_TIME, "scissors"),
    ("late", performed(throws("paper", 300)), Verdict.LATE, "paper"),
    ("a late fist", performed(throws("rock", 300)), Verdict.LATE, "rock"),
    ("early", performed(throws("paper", -250)), Verdict.EARLY, "paper"),
    ("open from the first look", lambda when: Stance(scissors=1), Verdict.EARLY, "scissors"),
    ("changed", performed(throws("paper", 20, then="scissors", then_after_ns=330 * MS)), Verdict.CHANGED, "paper"),
    ("back to a fist", performed(throws("paper", 20, then="rock", then_after_ns=330 * MS)), Verdict.CHANGED, "paper"),
    ("half open", performed(throws("paper", 20, half_open=True)), Verdict.UNCLEAR, None),
    ("nobody there", lambda when: None, Verdict.UNSEEN, None),
    ("out of sight", performed(throws("paper", 20, hidden=True)), Verdict.UNSEEN, None),
    ("completed within 100 ms", performed(throws("paper", 165)), Verdict.ON_TIME, "paper"),
    ("let go long after", performed(throws("paper", 20, hold_ns=700 * MS)), Verdict.ON_TIME, "paper"),
]


@pytest.mark.parametrize(("doing", "verdict", "throw"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_verdicts(doing: Doing, verdict: Verdict, throw: str | None) -> None:
    seat = judged(doing)
    assert (seat.verdict, seat.throw) == (verdict, throw)
    assert seat.verdict.foul == (verdict is not Verdict.ON_TIME)


def test_every_verdict_has_a_case() -> None:
    beside = {Verdict.TWO_HANDS, Verdict.WRONG_ZONE}  # told from more than one hand: not a track's to say
    names = ("LIFTED", "TWO_CARDS", "NOT_THEIRS", "PLAYED", "WRONG_DECK", "COPY", "TOO_MANY", "UNREAD")
    beside |= {Verdict[name] for name in names}  # a card's: tests/vision/cards/test_card_lock.py
    assert {case[2] for case in CASES} == set(Verdict) - beside


def test_a_changed_hand_says_what_to() -> None:
    seat = judged(performed(throws("paper", 20, then="scissors", then_after_ns=330 * MS)))
    assert (seat.at_lock, seat.then) == (Throw.PAPER, Throw.SCISSORS)


def test_a_late_hand_showed_a_fist_at_the_lock() -> None:
    seat = judged(performed(throws("paper", 330)))
    assert (seat.throw, seat.at_lock) == (Throw.PAPER, Throw.ROCK)


def test_a_change_before_the_lock_is_allowed() -> None:
    """Whatever a hand shows at the lock is its throw."""
    seat = judged(performed(throws("paper", -60, then="scissors", then_after_ns=130 * MS)), LOCK + 50 * MS)
    assert seat.at_lock is Throw.SCISSORS
    assert seat.verdict is Verdict.ON_TIME


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(["rock", "paper", "scissors"]), st.floats(-130, 450))
def test_on_time_is_within_the_window_and_late_beyond(throw: str, at_ms: float) -> None:
    """Between the lock and 100 ms after it either is right: an opening may have begun."""
    verdict = judged(performed(throws(throw, at_ms))).verdict
    if at_ms < 140:
        assert verdict is Verdict.ON_TIME
    elif at_ms > 250:
        assert verdict is Verdict.LATE
    else:
        assert verdict in (Verdict.ON_TIME, Verdict.LATE)


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(["paper", "scissors"]), st.floats(-400, -50))
def test_early_is_before_the_window_around_the_cue(throw: str, at_ms: float) -> None:
    verdict = judged(performed(throws(throw, at_ms))).verdict
    if abs(at_ms + 150) > 15:
        assert (verdict is Verdict.EARLY) == (at_ms < -150)


@settings(max_examples=20, deadline=None)
@given(st.floats(-190, -120))
def test_early_is_beyond_the_uncertainty_of_the_time(at_ms: float) -> None:
    seat = judged(performed(throws("paper", at_ms)))
    assert seat.shown is not None
    surely = seat.shown.when_ns + seat.shown.plus_minus_ns < CUE - WINDOW_NS
    assert seat.verdict is (Verdict.EARLY if surely else Verdict.ON_TIME)


@pytest.mark.parametrize(("after_ms", "verdict"), [(45, Verdict.ON_TIME), (110, Verdict.LATE)])
def test_a_lock_frame_that_does_not_tell_is_taken_for_the_hand(after_ms: int, verdict: Verdict) -> None:
    """As far as the times leave it open, and never for a throw 100 ms late."""
    truth = throws("paper", (LOCK - CUE) / MS + after_ms)
    track = Track(sight_of(lambda when: None if abs(when - LOCK) < 20 * MS else truth.stance(when)), CUE, WINDOW_NS)
    assert track.verdict(1, CUE, LOCK, 50 * MS).verdict is verdict


@pytest.mark.parametrize("throw", ["rock", "paper", "scissors"])
def test_a_hand_not_found_in_the_lock_frame_is_read_from_both_sides(throw: str) -> None:
    truth = throws(throw, 0)
    seat = judged(lambda when: None if abs(when - LOCK) < 60 * MS else truth.stance(when))
    assert (seat.verdict, seat.at_lock) == (Verdict.ON_TIME, throw)


def test_without_a_cue_the_players_counted() -> None:
    track = Track(sight_of(performed(throws("scissors", 77))), None, WINDOW_NS)
    assert track.main is not None and track.main.shown is not None
    assert track.main.shown.when_ns == pytest.approx(CUE + 77 * MS, abs=10 * MS)


def test_pumps_are_no_throws() -> None:
    track = Track(sight_of(performed(throws("rock", 0))), None, WINDOW_NS)
    assert [showing.throw for showing in track.showings] == [Throw.ROCK]
