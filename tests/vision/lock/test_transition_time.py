"""Shown times: the middle of an opening, the landing of a rock, a fist that never moved; hands lost and misread."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from device.simulated.table.animation import MotionHabits, Stance
from device.simulated.table.camera import SimulatedTable
from device.system.clock import SimulatedClock
from rules.throws import Throw
from tests.helpers.scripted_hands import (
    CUE,
    MS,
    ZONE,
    HandScript,
    hand_frames,
    hand_script,
    lifted,
    performance_of,
    view_of,
)
from vision.hands.detector import HandDetector
from vision.lock.inference import Hypotheses, TimeEstimate, min_sigma_ms, search
from vision.lock.judge import DETECTION_CONFIDENCE
from vision.lock.judgement import HAND_WINDOW_NS
from vision.lock.landing_time import estimate_landing, find_stop
from vision.lock.segments import coarse_pass, find_segments
from vision.lock.transition_time import ShapeTransition, estimate_transition
from vision.lock.verdict import SeatTimeline
from vision.lock.zone_view import ZoneView
from vision.zones import Zone

MAX_BIAS_MS = 12
"""Most by which these landmarks, computed without a camera, are timed earlier or later than rendered ones; a quarter of
a frame is added to it."""


def find_shown(doing: HandScript, fps: float = 60.0, phase: float = 0.0) -> tuple[Throw | None, TimeEstimate | None]:
    main = SeatTimeline(view_of(doing, fps=fps, phase=phase), CUE, HAND_WINDOW_NS).decisive
    return (main.throw, main.shown) if main else (None, None)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["rock", "paper", "scissors"]),
    st.sampled_from([30.0, 60.0, 120.0]),
    st.floats(0, 1),
    st.floats(-60, 400),
)
def test_a_throw_is_timed_to_a_fraction_of_a_frame(throw: str, fps: float, phase: float, at_ms: float) -> None:
    found, when = find_shown(hand_script(performance_of(throw, at_ms)), fps, phase)
    assert found == throw and when is not None
    assert when.time_ns == pytest.approx(CUE + at_ms * MS, abs=MAX_BIAS_MS * MS + 0.25e9 / fps)
    assert 0 < when.sigma_ns < 12 * MS + 0.25e9 / fps


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(["paper", "scissors"]), st.sets(st.integers(150, 215), max_size=20))
def test_an_opening_is_timed_when_hands_are_lost(throw: str, lost: set[int]) -> None:
    """Sixty frames a second; the opening takes 6 of them. However many around it are lost, the error is less than the
    stretch of lost frames that reaches into the opening."""
    truth = performance_of(throw, 20)
    found, when = find_shown(hand_script(truth, sorted(lost)))
    middle = round(truth.shown_ns * 60 / 1e9)
    opening = set(range(middle - 3, middle + 4))
    lowest = min((i for i in opening if i in lost), default=middle)
    highest = max((i for i in opening if i in lost), default=middle)
    while lowest - 1 in lost:
        lowest -= 1
    while highest + 1 in lost:
        highest += 1
    assert found == throw and when is not None
    assert abs(when.time_ns - truth.shown_ns) <= (16 + (highest - lowest) * 1000 / 60) * MS  # a frame at least


@settings(max_examples=30, deadline=None)
@given(st.integers(-12, 12), st.sampled_from([Stance(), Stance(scissors=1), Stance(half_open=1)]))
def test_one_misread_frame_changes_the_time_little(after: int, wrong: Stance) -> None:
    truth = performance_of("paper", 20)
    slip = round(truth.shown_ns * 60 / 1e9) + after

    def doing(when: int) -> Stance:
        return wrong if round(when * 60 / 1e9) == slip else truth.stance(when)

    found, when = find_shown(doing)
    assert found is Throw.PAPER and when is not None
    assert when.time_ns == pytest.approx(truth.shown_ns, abs=25 * MS)


def test_a_hand_found_only_when_open_was_shown_just_before() -> None:
    truth = performance_of("paper", 0)
    found, when = find_shown(lambda at: None if CUE - 700 * MS < at < CUE + 60 * MS else truth.stance(at))
    assert found is Throw.PAPER and when is not None
    assert CUE - 100 * MS < when.time_ns < CUE + 60 * MS


@pytest.mark.parametrize("fps", [30.0, 60.0])
def test_a_fist_that_never_moved_has_no_time(fps: float) -> None:
    assert find_shown(lambda when: Stance(), fps) == (Throw.ROCK, None)


@pytest.mark.parametrize(
    ("lift", "fall_ms", "has_swing"),
    [(0.42, 150, False), (0.47, 150, True), (0.6, 500, False)],
    ids=["0.19 lengths", "0.21 lengths", "0.29 lengths, slowly"],
)
def test_small_or_slow_movement_is_no_swing(lift: float, fall_ms: int, has_swing: bool) -> None:
    """Less than 0.2 lengths of the hand is noise, a slow movement is drift."""
    _, when = find_shown(lambda at: Stance(lift=lift * min(1.0, max(0.0, (CUE - at) / (fall_ms * MS)))))
    assert (when is not None) == has_swing


def test_hand_open_from_the_start_has_no_time() -> None:
    assert find_shown(lambda when: Stance(paper=1)) == (Throw.PAPER, None)


def test_an_early_opening_is_searched_before_the_open_hand() -> None:
    view = view_of(lambda at: None if at < CUE else Stance(paper=1))
    (segment,) = find_segments(view, coarse_pass(view, CUE - 500 * MS, CUE + 500 * MS))
    when = estimate_transition(view, ShapeTransition(view, segment), segment, segment.frames)
    assert CUE - 100 * MS < when.time_ns < view.times_ns[segment.first]


def test_a_fist_lost_now_and_then_has_not_moved() -> None:
    assert find_shown(lambda when: None if when // (300 * MS) % 2 else Stance()) == (Throw.ROCK, None)


def test_a_fist_lost_to_blur_landed_when_it_is_found_again() -> None:
    truth = performance_of("rock", 20)
    blurred = (CUE - 140 * MS, CUE + 20 * MS)
    found, when = find_shown(lambda at: None if blurred[0] < at < blurred[1] else truth.stance(at))
    assert found is Throw.ROCK and when is not None
    assert when.time_ns == pytest.approx(blurred[1], abs=60 * MS)


@pytest.mark.parametrize("fps", [30.0, 60.0])
def test_a_blurred_fist_landed_half_a_frame_earlier(fps: float) -> None:
    """Give or take a frame."""
    found_ns = CUE + 20 * MS
    view = view_of(lambda at: Stance() if at >= found_ns else None, fps=fps)
    decisive = SeatTimeline(view, CUE, HAND_WINDOW_NS).decisive
    assert decisive is not None and decisive.shown is not None
    first = next(at for at in view.times_ns if at >= found_ns)
    assert decisive.shown.time_ns == pytest.approx(first - 0.5e9 / fps, abs=2)
    assert decisive.shown.sigma_ns == pytest.approx(1e9 / fps, abs=2)


@pytest.mark.parametrize(
    ("start", "end", "lead_ms"), [("rock", "paper", 8), ("paper", "scissors", 0), ("paper", "rock", 0)]
)
def test_an_opening_is_detected_a_fifth_of_the_exposure_ahead(start: str, end: str, lead_ms: int) -> None:
    """The hand model puts a blurred fingertip at the outer end of its blur; a closing hand has no lead."""
    change = performance_of(start, -400, changes_to=end, change_after_ns=300 * MS)
    frames, detector = hand_frames(hand_script(performance_of(end) if start == "rock" else change))
    view = ZoneView([replace(frame, exposure_ns=40 * MS) for frame in frames], ZONE, detector)
    segments = SeatTimeline(view, CUE, HAND_WINDOW_NS).throw_segments
    transition = next(s.transition for s in segments if s.throw == end and s.transition)
    for index in (150, 181):
        assert transition.time_ns(index) == frames[index].exposed_ns + lead_ms * MS


def transition_into(throw: str, doing: HandScript) -> tuple[ZoneView, ShapeTransition]:
    """Return a view of the hand, and its transition into a throw."""
    view = view_of(doing)
    segments = SeatTimeline(view, CUE, HAND_WINDOW_NS).throw_segments
    return view, next(s.transition for s in segments if s.throw == throw and s.transition)


CLOSING = hand_script(performance_of("paper", -400, changes_to="scissors", change_after_ns=300 * MS))


def test_progress_rises_from_0_to_1_and_closing_is_opening_backwards() -> None:
    opening, closing = (
        transition_into("paper", hand_script(performance_of("paper")))[1],
        transition_into("scissors", CLOSING)[1],
    )
    phase = np.linspace(-0.5, 1.5, 201)
    progress = opening.expected_progress(phase)
    assert (np.diff(progress) >= 0).all() and (progress[:51] == 0).all() and (progress[150:] == 1).all()
    assert closing.expected_progress(phase) == pytest.approx(1 - opening.expected_progress(1 - phase))


def test_only_the_fingers_in_which_two_shapes_differ_show_the_progress() -> None:
    view, transition = transition_into("scissors", CLOSING)
    assert transition.previous is not None
    index = transition.previous.last
    seen, before = view(index), transition.progress(index)
    assert seen is not None and before == pytest.approx(0, abs=0.2)
    seen.reading.extension[[1, 2]] -= 0.2
    assert transition.progress(index) == before
    seen.reading.extension[[3, 4]] -= 0.2
    assert transition.progress(index) != before


def test_exposure_delays_an_opening_by_a_fifth() -> None:
    frames, detector = hand_frames(hand_script(performance_of("paper", 20)))
    shown_ns = []
    for exposure_ns in (0, 60 * MS):
        blurred = [replace(frame, exposure_ns=exposure_ns) for frame in frames]
        decisive = SeatTimeline(ZoneView(blurred, ZONE, detector), CUE, HAND_WINDOW_NS).decisive
        assert decisive is not None and decisive.shown is not None
        shown_ns.append(decisive.shown.time_ns)
    assert shown_ns[1] - shown_ns[0] == pytest.approx(12 * MS, abs=3 * MS)


@pytest.mark.parametrize(("height", "time_ms"), [(0.25, 150), (0.4, 90)])
def test_a_recoil_is_not_a_swing(height: float, time_ms: int) -> None:
    truth = performance_of("rock", 0)

    def doing(when: int) -> Stance:
        after = (when - CUE) / (time_ms * MS)
        return lifted(truth.stance(when), height * min(after, 1)) if after > 0 else truth.stance(when)

    _, when = find_shown(doing)
    assert when is not None and when.time_ns == pytest.approx(CUE, abs=40 * MS)


@settings(max_examples=40, deadline=None)
@given(
    st.floats(0, 0.25),
    st.floats(0, 0.4),
    st.tuples(*[st.floats(0.8, 1.0)] * 4),
    st.sampled_from([30.0, 60.0]),
    st.floats(0, 1),
    st.floats(-60, 300),
)
@example(0.0, 0.75, (1.0, 1.0, 1.0, 0.75), 30.0, 0.0, 0.0)
@example(0.04, 0.59, (0.86, 0.81, 0.76, 0.74), 30.0, 0.71, 94.83)
@example(0.12, 0.72, (1.01, 0.85, 0.82, 0.76), 60.0, 0.83, 86.03)
@example(0.0, 0.375, (1.0, 1.0, 1.0, 0.8125), 30.0, 0.0, 196.0)
def test_a_rock_is_timed_to_three_frames(
    bounce: float, drift: float, heights: tuple[float, float, float, float], fps: float, phase: float, at_ms: float
) -> None:
    """The examples drift so fast that they were timed 430 to 530 ms late; the last one to where it rested before."""
    habits = MotionHabits(bounce=bounce, drift=drift, pump_heights=heights)
    _, when = find_shown(hand_script(performance_of("rock", at_ms, habits=habits)), fps, phase)
    assert when is not None and when.time_ns == pytest.approx(CUE + at_ms * MS, abs=3e9 / fps)


@pytest.mark.parametrize("bounce", [0.0, 0.25])
def test_a_recoil_does_not_move_the_time_of_a_landing(bounce: float) -> None:
    truth = performance_of("rock", 20, habits=MotionHabits(bounce=bounce))
    _, when = find_shown(hand_script(truth))
    assert when is not None and when.time_ns == pytest.approx(truth.shown_ns, abs=12 * MS)


@pytest.mark.parametrize("height", [0.2, 0.3, 0.4])
@pytest.mark.parametrize("recoil_ms", [60, 100, 150])
@pytest.mark.parametrize("phase", [0.0, 0.33])
def test_a_fist_that_falls_fast_has_landed_where_it_turns_back(height: float, recoil_ms: int, phase: float) -> None:
    """It passes its resting place on its way down, 80 ms from above, and is back there a little later."""
    truth, fall_ns = performance_of("rock", 0), 80 * MS

    def doing(when: int) -> Stance:
        after = when - CUE
        lift = min(-after / fall_ns, 1.0) if after < 0 else height * min(after / (recoil_ms * MS), 1.0)
        return lifted(truth.stance(when), lift)

    _, when = find_shown(doing, fps=30.0, phase=phase)
    assert when is not None and when.time_ns == pytest.approx(CUE, abs=35 * MS)


def test_a_fist_seen_early_may_have_closed() -> None:
    """It is shown by closing, not by coming down a little later."""
    closed_ns, landed_ns = CUE - 450 * MS, CUE - 200 * MS
    truth = performance_of("paper", -1000, changes_to="rock", change_after_ns=closed_ns - (CUE - 1000 * MS))

    def doing(when: int) -> Stance:
        return lifted(truth.stance(when), min(max((landed_ns - when) / (100 * MS), 0.0), 1.0))

    found, when = find_shown(doing)
    assert found is Throw.ROCK and when is not None
    assert when.time_ns == pytest.approx(closed_ns, abs=40 * MS)


def test_what_reads_as_a_fist_has_closed() -> None:
    truth = performance_of("paper", -400, changes_to="rock", change_after_ns=300 * MS)
    view, transition = transition_into("rock", hand_script(truth))
    index = view.nearest_frame(CUE + 50 * MS)
    seen = view(index)
    assert seen is not None and transition.progress(index) == pytest.approx(1, abs=0.1)
    seen.reading.extension[:] = 1.0
    assert transition.progress(index) == pytest.approx(seen.probabilities[Throw.ROCK]) and seen.reading.throw == "rock"


@pytest.mark.parametrize("swing_ms", [0, 60, 120])
def test_an_opening_in_mid_swing_lasts_until_the_swing_ends(swing_ms: int) -> None:
    """The middle of the fingers' opening and half of what the arm swings after it is complete."""
    opened_ns = CUE - 100 * MS

    def doing(when: int) -> Stance:
        fall = min(max((when - opened_ns - 60 * MS) / (swing_ms * MS), 0.0), 1.0) if swing_ms else 1.0
        fast = performance_of("paper", (opened_ns - CUE) / MS).stance(when)
        return lifted(fast, 1.2 * (1 - fall))

    still, moved = find_shown(lambda when: lifted(doing(when), 0))[1], find_shown(doing)[1]
    assert still is not None and moved is not None
    assert moved.time_ns - still.time_ns == pytest.approx(swing_ms / 2 * MS, abs=20 * MS)


def test_stop_is_amid_the_last_fast_step() -> None:
    landed_ns = CUE
    view = view_of(lambda when: Stance(lift=1.5 * min(max((landed_ns - when) / (150 * MS), 0.0), 1.0)))
    moving = view.nearest_frame(CUE - 100 * MS)
    stopped = find_stop(view, moving, CUE + 300 * MS)
    assert stopped is not None
    assert stopped.time_ns == pytest.approx(landed_ns, abs=34 * MS) and 0 < stopped.sigma_ns <= 18 * MS
    assert find_stop(view, view.nearest_frame(CUE + 100 * MS), CUE + 300 * MS) is None
    assert find_stop(view, moving, CUE - 80 * MS) is None


@given(st.integers(5, 100), st.integers(0, 50), st.floats(0, 10))
def test_no_time_is_surer_than_the_frames_and_their_exposure(interval: int, exposure: int, hand: float) -> None:
    least = min_sigma_ms(np.arange(5) * interval * MS, exposure * MS, hand)
    assert least == pytest.approx(float(np.sqrt((interval**2 + exposure**2) / 12 + hand**2)))


def test_a_landing_needs_a_hand() -> None:
    view = view_of(lambda when: None)
    assert estimate_landing(view, 100) is None


@given(st.floats(-100, 100), st.integers(0, 2**32 - 1))
def test_the_search_finds_a_step_in_few_observations(at_ms: float, seed: int) -> None:
    """A movement of 100 ms among frames 4 ms apart is found in eight observations with the assumed noise."""
    hypotheses = step_hypotheses()
    times = np.arange(-160.0, 161.0, 4.0)
    chance = np.random.default_rng(seed)
    observed = []

    def observe(index: int) -> tuple[float, float]:
        observed.append(index)
        return times[index], ramp(times[index] - at_ms) + chance.normal(0, 0.05)

    search(hypotheses, (), times, (-160.0, 160.0), observe, 8, 2.0)
    assert abs(hypotheses.mean_ms - at_ms) < 4 * max(hypotheses.sd_ms, 2.0)
    assert hypotheses.sd_ms < 6 and len(set(observed)) == len(observed) <= 8


@given(st.floats(-99, 150), st.floats(-99, 150))
def test_a_missing_hand_makes_a_later_movement_likelier(one_ms: float, two_ms: float) -> None:
    """Every frame without a hand moves the estimate to a later time."""
    hypotheses = step_hypotheses()
    before = hypotheses.mean_ms
    hypotheses.update_missing(one_ms)
    once = hypotheses.mean_ms
    hypotheses.update_missing(two_ms)
    assert before < once < hypotheses.mean_ms


@given(st.floats(-100, 100))
def test_a_misread_observation_hardly_changes_the_estimate(at_ms: float) -> None:
    """Six observations agree; one shows the hand open long before."""
    hypotheses = step_hypotheses()
    for off in (-90, -40, -15, 15, 40, 90):
        hypotheses.update(at_ms + off, ramp(off))
    sure = hypotheses.mean_ms
    hypotheses.update(at_ms - 60, 1.0)
    assert hypotheses.mean_ms == pytest.approx(sure, abs=2)


@given(st.floats(-1000, 1000))
def test_a_prior_need_not_be_normalised(log_factor: float) -> None:
    plain, scaled = step_hypotheses(), step_hypotheses(log_factor)
    for hypotheses in (plain, scaled):
        hypotheses.update(10, 0.6)
    assert (scaled.mean_ms, scaled.sd_ms) == pytest.approx((plain.mean_ms, plain.sd_ms))


@pytest.mark.parametrize("slope", [0.5, -0.5], ids=["opening", "closing"])
@pytest.mark.parametrize("noise", [0.1, 20.0])
def test_information_is_the_variance_explained(slope: float, noise: float) -> None:
    times = np.arange(-50.0, 51.0)
    hypotheses = Hypotheses(times, lambda at: slope * (times + at[:, None]), noise, np.zeros(101), times)
    variance = hypotheses.sd_ms**2
    explained = (slope * variance) ** 2 / (slope**2 * variance + noise**2)
    assert hypotheses.expected_information(np.array([0.0, 7.0])) == pytest.approx([explained, explained])


def ramp(since_ms: float) -> float:
    return float(np.clip(since_ms / 100 + 0.5, 0, 1))


def step_hypotheses(log_prior: float = 0.0) -> Hypotheses:
    middles = np.arange(-150.0, 151.0)
    return Hypotheses(
        middles,
        lambda at: (((at[:, None] - middles) / 100) + 0.5).clip(0, 1),
        noise=0.05,
        log_prior=np.full(len(middles), log_prior),
        rest_times_ms=middles + 50,
    )


@pytest.mark.parametrize(("y", "later_ms"), [(0, -10), (180, -5), (360, 0), (720, 10)])
def test_an_observation_has_the_exposure_time_of_the_hands_rows(y: float, later_ms: float) -> None:
    frames, detector = hand_frames(lambda when: Stance(paper=1))
    rolling = [replace(frame, readout_ns=20 * MS) for frame in frames]
    view = ZoneView(rolling, ZONE, detector)
    seen = view(9)
    assert seen is not None
    seen.hand.landmarks[[8, 12], 1] = y
    assert view.hand_time_ns(9, (8, 12)) == pytest.approx(rolling[9].exposed_ns + later_ms * MS, abs=1)
    assert ZoneView(frames, ZONE, detector).hand_time_ns(9, (8, 12)) == frames[9].exposed_ns


def test_hands_at_both_ends_of_a_rolling_shutter_have_one_time() -> None:
    """Four seats show at once; seats 3 and 4 lie above and below, 15 ms of readout apart."""
    clock = SimulatedClock()
    table = SimulatedTable(clock, 4, seed=3, fps=60, exposure_ns=4 * MS, readout_ns=16 * MS)
    table.start()
    for seat in (3, 4):
        table.perform(seat, performance_of("paper", 20))
    clock.wait_until(CUE + 1_000 * MS)
    frames = table.frames_between(CUE - 700 * MS, CUE + 900 * MS)
    with HandDetector(confidence=DETECTION_CONFIDENCE) as detector:
        shown = [
            SeatTimeline(ZoneView(frames, Zone(*table.zones[i]), detector), CUE, HAND_WINDOW_NS).decisive.shown
            for i in (2, 3)
        ]
    assert all(one and one.time_ns == pytest.approx(CUE + 20 * MS, abs=6 * MS) for one in shown)
