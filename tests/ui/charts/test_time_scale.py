"""Time scales: positions, ticks, and the scale of a strip of images."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.charts.timeline import TICK_STEPS_MS, linear_scale, strip_scale

TIMES = st.lists(st.integers(-2000, 2000), min_size=2, max_size=20, unique=True).map(sorted)


@given(TIMES, st.floats(-3000, 3000), st.floats(-3000, 3000))
def test_a_strip_scale_centres_every_image_and_is_monotonic(times: list[int], one: float, other: float) -> None:
    line = strip_scale([float(at) for at in times])
    assert line is not None
    for number, at in enumerate(times):
        assert abs(line.fraction(at) - (number + 0.5) / len(times)) < 1e-9
    assert (line.knots[0][1], line.knots[-1][1]) == (0, 1)
    assert (line.fraction(one) <= line.fraction(other)) == (one <= other) or abs(one - other) < 1e-6


def test_one_image_has_no_scale() -> None:
    assert strip_scale([]) is None and strip_scale([3.0]) is None


def test_a_time_off_the_scale_is_at_its_nearer_end() -> None:
    scale = linear_scale(-100, 300, 0.1, 0.9)
    assert [scale.clamp(ms) for ms in (-900, -100, 100, 300, 900)] == pytest.approx([0.1, 0.1, 0.5, 0.9, 0.9])
    assert scale.fraction(340) == pytest.approx(0.98) and scale.contains(340) and not scale.contains(360)


@given(st.floats(-1000, 0), st.floats(10, 3000), st.integers(2, 12))
def test_ticks_are_round_in_range_and_few(low: float, high: float, most: int) -> None:
    ticks = linear_scale(low, high).ticks(most)
    assert all(low <= at <= high for at in ticks) and 0 in ticks
    steps = {after - before for before, after in itertools.pairwise(ticks)}
    assert len(steps) <= 1 and steps <= set(TICK_STEPS_MS)
    assert len(ticks) <= most + 1 or steps == {TICK_STEPS_MS[-1]}
