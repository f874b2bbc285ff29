"""Tests of the simulated hand's movements: true throw times, and smooth transitions between rounds."""

import itertools
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.simulated.table.animation import (
    REST_STANCE,
    MotionHabits,
    Performance,
    ScheduledPerformance,
    Stance,
    stance_at,
)
from device.simulated.table.hand import FINGER_POSES, blend_poses

MS = 1_000_000
CUE = 10_000 * MS
BEAT = 500 * MS

throws = st.sampled_from(["rock", "paper", "scissors"])


@st.composite
def performances(draw: st.DrawFn, cue_ns: int = CUE) -> Performance:
    throw, then = draw(throws), draw(st.none() | throws)
    return Performance(
        throw,
        cue_ns,
        draw(st.integers(300, 800)) * MS,
        after_cue_ns=draw(st.integers(-500, 500)) * MS,
        opening_ns=draw(st.integers(60, 200)) * MS,
        changes_to=then,
        change_after_ns=0 if then is None else draw(st.integers(50, 800)) * MS,
        hidden=draw(st.booleans()),
        half_open=draw(st.booleans()),
    )


def schedule_of(performance: Performance) -> list[ScheduledPerformance]:
    return [ScheduledPerformance.schedule(performance, performance.starts_ns)]


@pytest.mark.parametrize("after_ms", [-400, -150, 0, 60, 250, 600])
@pytest.mark.parametrize("throw", ["paper", "scissors"])
def test_opening_is_half_done_at_the_shown_time(throw: str, after_ms: int) -> None:
    performance = Performance(throw, CUE, BEAT, after_cue_ns=after_ms * MS)
    acts = schedule_of(performance)
    assert performance.shown_ns == CUE + after_ms * MS
    assert stance_at(acts, performance.shown_ns).openness == 0.5
    half = performance.opening_ns // 2
    assert stance_at(acts, performance.shown_ns - half).openness == 0
    assert stance_at(acts, performance.shown_ns + half) == Stance(**{throw: 1.0})
    assert stance_at(acts, performance.shown_ns + 1_500 * MS - 1) == Stance(**{throw: 1.0})


@pytest.mark.parametrize("after_ms", [-400, 0, 250])
def test_rock_is_shown_by_its_landing(after_ms: int) -> None:
    performance = Performance("rock", CUE, BEAT, after_cue_ns=after_ms * MS)
    acts = schedule_of(performance)
    shown = performance.shown_ns
    assert shown == CUE + after_ms * MS
    assert stance_at(acts, shown) == Stance()
    assert 0 < stance_at(acts, shown - 5 * MS).lift < 0.05
    assert stance_at(acts, shown - 60 * MS).lift > 0.3
    assert all(stance_at(acts, shown + t * MS) == Stance() for t in range(1500))


def test_pumps_land_on_the_beats() -> None:
    performance = Performance("paper", CUE, BEAT)
    assert performance.landings_ns == (CUE - 3 * BEAT, CUE - 2 * BEAT, CUE - BEAT, CUE)
    acts = schedule_of(performance)
    for landing in performance.landings_ns:
        assert stance_at(acts, landing).lift == 0
        assert max(stance_at(acts, landing - t * MS).lift for t in range(0, 500, 10)) > 0.85


def test_late_opener_lands_with_the_others() -> None:
    late = Performance("paper", CUE, BEAT, after_cue_ns=250 * MS)
    assert late.landed_ns == CUE + 40 * MS
    before_opening = stance_at(schedule_of(late), CUE + 100 * MS)
    assert before_opening == Stance()
    assert Performance("paper", CUE, BEAT, after_cue_ns=250 * MS, lands_after_cue_ns=0).landed_ns == CUE


def test_early_throw_leaves_a_pump_out() -> None:
    early = Performance("rock", CUE, BEAT, after_cue_ns=-400 * MS)
    assert early.landings_ns == (CUE - 3 * BEAT, CUE - 2 * BEAT, CUE - 400 * MS)


def test_change_is_half_done_at_its_true_time() -> None:
    performance = Performance("paper", CUE, BEAT, changes_to="scissors", change_after_ns=300 * MS)
    acts = schedule_of(performance)
    assert performance.changed_ns == CUE + 300 * MS
    assert stance_at(acts, CUE + 150 * MS) == Stance(paper=1.0)
    assert stance_at(acts, performance.changed_ns) == Stance(paper=0.5, scissors=0.5)
    assert stance_at(acts, CUE + 450 * MS).shape == "scissors"
    assert stance_at(acts, performance.changed_ns + 1_499 * MS) == Stance(scissors=1.0)


def test_rock_may_open_afterwards() -> None:
    performance = Performance("rock", CUE, BEAT, changes_to="paper", change_after_ns=200 * MS)
    acts = schedule_of(performance)
    assert stance_at(acts, CUE + 100 * MS).shape == "rock"
    assert stance_at(acts, CUE + 200 * MS).openness == 0.5
    assert stance_at(acts, CUE + 300 * MS).shape == "paper"


def test_half_open_hand_shows_no_throw() -> None:
    performance = Performance("paper", CUE, BEAT, half_open=True)
    acts = schedule_of(performance)
    assert stance_at(acts, CUE).openness == 0.5
    assert {stance_at(acts, CUE + t * MS).shape for t in range(60, 1500, 10)} == {"half-open"}


def test_hidden_hand_stays_away_all_round() -> None:
    performance = Performance("paper", CUE, BEAT, hidden=True)
    acts = schedule_of(performance)
    assert all(stance_at(acts, CUE + t * MS) == Stance(away=1.0) for t in range(-1500, 1500, 50))


@given(performances())
def test_every_hand_starts_and_ends_at_rest(performance: Performance) -> None:
    acts = schedule_of(performance)
    assert stance_at(acts, performance.starts_ns) == REST_STANCE
    assert stance_at(acts, performance.ends_ns) == pytest.approx(REST_STANCE)


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_hand_moves_smoothly_between_rounds(data: st.DataObject) -> None:
    """A hand that gets the next round even before the last one is over never moves faster than the peak speed of an
    opening (1.875 of the way per 60 ms, Flash and Hogan) plus that of a stroke."""
    cue, acts = CUE, []
    for _ in range(3):
        performance = data.draw(performances(cue))
        acts.append(
            ScheduledPerformance.schedule(performance, performance.starts_ns - data.draw(st.integers(-200, 500)) * MS)
        )
        cue += data.draw(st.integers(1500, 6000)) * MS
    start, end = acts[0].start_ns - 10 * MS, acts[-1].performance.ends_ns + 10 * MS
    stances = (stance_at(acts, when) for when in range(start, end, 2 * MS))
    for before, after in itertools.pairwise(stances):
        assert max(abs(a - b) for a, b in zip(before, after, strict=True)) < 0.16


def test_scheduling_too_late_raises() -> None:
    performance = Performance("paper", CUE, BEAT)
    with pytest.raises(ValueError, match="scheduled too late"):
        ScheduledPerformance.schedule(performance, CUE)
    with pytest.raises(ValueError, match="scheduled too late"):
        ScheduledPerformance.schedule(Performance("paper", CUE, BEAT, hidden=True), CUE + 1)


def test_throw_scheduled_during_the_count_keeps_its_time() -> None:
    performance = Performance("paper", CUE, BEAT)
    act = ScheduledPerformance.schedule(performance, CUE - 250 * MS)
    assert stance_at([act], CUE - 250 * MS) == REST_STANCE
    assert stance_at([act], CUE) == performance.stance(CUE)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"throw": "lizard"}, "can't throw 'lizard'"),
        ({"changes_to": "well", "change_after_ns": 1}, "can't throw 'well'"),
        ({"changes_to": "rock"}, "a change needs both"),
        ({"change_after_ns": 5}, "a change needs both"),
        ({"beat_ns": 0}, "take time"),
        ({"opening_ns": 0}, "take time"),
        ({"throw": "rock", "lands_after_cue_ns": 0}, "give only after_cue_ns"),
        ({"after_cue_ns": -3 * BEAT}, "before the cue"),
    ],
)
def test_impossible_performances_raise(fields: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Performance(**{"throw": "paper", "cue_ns": CUE, "beat_ns": BEAT, **fields})  # type: ignore[arg-type]  # on purpose


def test_fingers_open_one_after_another_within_the_same_time() -> None:
    plain = Performance("paper", CUE, BEAT, opening_ns=200 * MS)
    for stagger in (0.5, -0.5):
        natural = replace(plain, habits=MotionHabits(stagger=stagger))
        middle = natural.stance(natural.shown_ns)
        assert middle.openness == pytest.approx(0.5)
        assert (middle.ahead > 0.3) == (stagger > 0) and (middle.ahead < -0.3) == (stagger < 0)
        begun = natural.stance(natural.opens_ns)
        assert (begun.openness, begun.ahead) == (0, 0)
        assert natural.stance(natural.settled_ns).openness == pytest.approx(1)
        index, *_, little = blend_poses(FINGER_POSES, middle.shares, middle.ahead).flex.sum(axis=1)
        assert (index < little - 90) == (stagger > 0) and (little < index - 90) == (stagger < 0)


def test_a_natural_hand_recoils_drifts_and_pumps_unevenly() -> None:
    habits = MotionHabits(
        bounce=0.3, drift=0.5, pump_delays_ns=(30 * MS, -20 * MS, 10 * MS), pump_heights=(0.7, 1.1, 0.9, 0.8)
    )
    natural = Performance("rock", CUE, BEAT, habits=habits)
    assert natural.landings_ns == (CUE - 3 * BEAT + 30 * MS, CUE - 2 * BEAT - 20 * MS, CUE - BEAT + 10 * MS, CUE)
    tops = [max(natural.stance(lands - t * MS).lift for t in range(0, 400, 5)) for lands in natural.landings_ns]
    assert tops == pytest.approx(habits.pump_heights, rel=0.2)
    assert natural.stance(natural.landed_ns) == Stance()
    assert natural.stance(natural.landed_ns + habits.bounce_ns).lift == pytest.approx(0.3)
    assert natural.stance(natural.landed_ns + 1200 * MS) == Stance(rest=0.5)


def test_a_throw_is_settled_when_shape_and_arm_are() -> None:
    assert Performance("rock", CUE, BEAT, after_cue_ns=50 * MS).settled_ns == CUE + 50 * MS
    opening = Performance("paper", CUE, BEAT, opening_ns=100 * MS)
    assert opening.settled_ns == CUE + 50 * MS
    assert replace(opening, lands_after_cue_ns=120 * MS).settled_ns == CUE + 120 * MS
