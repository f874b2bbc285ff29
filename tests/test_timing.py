"""Shown times: the middle of an opening, the landing of a rock, a fist that never moved; hands lost and misread."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scripted_hands import CUE, MS, Doing, performed, sight_of, throws

from device.simulated.performance import Stance
from rules.throws import Throw
from vision.beliefs import Instant
from vision.landing import landed
from vision.lock import WINDOW_NS
from vision.track import Track

PLAIN_BIAS = 10
"""ms: what these joints, seen without a camera, are read earlier or later than rendered ones, at most."""


def shown(doing: Doing, fps: float = 60.0, phase: float = 0.0) -> tuple[Throw | None, Instant | None]:
    main = Track(sight_of(doing, fps=fps, phase=phase), CUE, WINDOW_NS).main
    return (main.throw, main.shown) if main else (None, None)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["rock", "paper", "scissors"]),
    st.sampled_from([30.0, 60.0, 120.0]),
    st.floats(0, 1),
    st.floats(-60, 400),
)
def test_a_throw_is_timed_to_a_fraction_of_a_frame(throw: str, fps: float, phase: float, at_ms: float) -> None:
    found, when = shown(performed(throws(throw, at_ms)), fps, phase)
    assert found == throw and when is not None
    assert when.when_ns == pytest.approx(CUE + at_ms * MS, abs=PLAIN_BIAS * MS + 0.1e9 / fps)
    assert 0 < when.plus_minus_ns < 12 * MS + 0.1e9 / fps


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(["paper", "scissors"]), st.sets(st.integers(150, 215), max_size=20))
def test_an_opening_is_timed_when_hands_are_lost(throw: str, lost: set[int]) -> None:
    """Sixty frames a second; the opening takes 6 of them. However many around it are lost, the error is less than the
    stretch of frames lost around the opening."""
    truth = throws(throw, 20)
    found, when = shown(performed(truth, sorted(lost)))
    middle = round(truth.shown_ns * 60 / 1e9)
    lowest, highest = middle, middle
    while lowest - 1 in lost or lowest in lost:
        lowest -= 1
    while highest + 1 in lost or highest in lost:
        highest += 1
    assert found == throw and when is not None
    assert abs(when.when_ns - truth.shown_ns) <= (12 + (highest - lowest) * 1000 / 60) * MS


@settings(max_examples=30, deadline=None)
@given(st.integers(-12, 12), st.sampled_from([Stance(), Stance(scissors=1), Stance(half_open=1)]))
def test_one_misread_frame_moves_nothing_far(after: int, wrong: Stance) -> None:
    truth = throws("paper", 20)
    slip = round(truth.shown_ns * 60 / 1e9) + after

    def doing(when: int) -> Stance:
        return wrong if round(when * 60 / 1e9) == slip else truth.stance(when)

    found, when = shown(doing)
    assert found is Throw.PAPER and when is not None
    assert when.when_ns == pytest.approx(truth.shown_ns, abs=25 * MS)


def test_a_hand_found_only_when_open_was_shown_just_before() -> None:
    truth = throws("paper", 0)
    found, when = shown(lambda at: None if CUE - 700 * MS < at < CUE + 60 * MS else truth.stance(at))
    assert found is Throw.PAPER and when is not None
    assert CUE - 100 * MS < when.when_ns < CUE + 60 * MS


@pytest.mark.parametrize("fps", [30.0, 60.0])
def test_a_fist_that_never_moved_has_no_time(fps: float) -> None:
    assert shown(lambda when: Stance(), fps) == (Throw.ROCK, None)


def test_a_fist_lost_now_and_then_has_not_moved() -> None:
    assert shown(lambda when: None if when // (300 * MS) % 2 else Stance()) == (Throw.ROCK, None)


def test_a_fist_lost_to_blur_landed_when_it_is_found_again() -> None:
    truth = throws("rock", 20)
    blurred = (CUE - 140 * MS, CUE + 20 * MS)
    found, when = shown(lambda at: None if blurred[0] < at < blurred[1] else truth.stance(at))
    assert found is Throw.ROCK and when is not None
    assert when.when_ns == pytest.approx(blurred[1], abs=60 * MS)


def test_a_recoil_is_no_swing() -> None:
    truth = throws("rock", 0)

    def doing(when: int) -> Stance:
        after = (when - CUE) / (150 * MS)
        return truth.stance(when)._replace(lift=0.25 * min(after, 1)) if after > 0 else truth.stance(when)

    _, when = shown(doing)
    assert when is not None and when.when_ns == pytest.approx(CUE, abs=40 * MS)


def test_a_landing_needs_a_hand() -> None:
    sight = sight_of(lambda when: None)
    assert landed(sight, 100) is None
