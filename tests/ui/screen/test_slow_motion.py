"""Slow motion: an eighth of the speed, standing still at each hand's instant and at the lock; it tells no throw before
the hand has shown it."""

from dataclasses import replace
from itertools import pairwise

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.camera.frames import Pixels
from rules.engine import Seat
from rules.throws import Throw
from tests.helpers.samples.reveal import decided_reveal, mixed_reveal
from tests.helpers.samples.slow_motion import FRAME_TIMES_MS, sample_slow_motion
from ui.screen.core.png_display import render_image
from ui.screen.core.registry import paint
from ui.screen.pages.common import GO_ON_ANSWER
from ui.screen.pages.how_to_play_shots import drawn_hand
from ui.screen.pages.reveal import Reveal
from ui.screen.pages.slow_motion import (
    LAST_FRAME_S,
    LEAD_MS,
    SLOWDOWN_FACTOR,
    STOP_S,
    TAIL_MS,
    SlowMotion,
    slow_motion_of,
)
from ui.screen.views import Reply

TICK_S = 1 / 60


def reveal_at(*times_ms: float | None) -> Reveal:
    """A reveal in which hands showed at these times after the first hand."""
    reveal = decided_reveal(len(times_ms))
    seats = tuple(replace(seat, after_first_ms=ms) for seat, ms in zip(reveal.seats, times_ms, strict=True))
    return replace(reveal, seats=seats)


@given(st.lists(st.one_of(st.none(), st.floats(-400, 900)), min_size=1, max_size=7))
def test_slow_motion_runs_at_an_eighth_and_pauses(others: list[float | None]) -> None:
    view = sample_slow_motion(reveal_at(0.0, *others), 0.0)
    ticks = [view.moment_after(number * TICK_S) for number in range(round(view.animation_s / TICK_S) + 2)]
    assert ticks[0] == view.start_ms and ticks[-1] == view.end_ms
    step_ms = 1e3 * TICK_S / SLOWDOWN_FACTOR
    assert all(0 <= after - before <= step_ms + 1e-6 for before, after in pairwise(ticks))
    for stop in view.stops_ms:
        if view.start_ms <= stop <= view.end_ms:
            assert ticks.count(stop) >= STOP_S / TICK_S - 1


def test_it_begins_before_the_first_hand_and_ends_after_the_last() -> None:
    view = sample_slow_motion(reveal_at(0.0, 40.0), 0.0)
    assert view.stops_ms == (0.0, 40.0, 150.0)
    assert (view.start_ms, view.end_ms) == (-LEAD_MS, 150.0 + TAIL_MS)
    assert view.animation_s == pytest.approx((LEAD_MS + 150.0 + TAIL_MS) * SLOWDOWN_FACTOR / 1e3 + 3 * STOP_S)
    assert view.seconds_left == pytest.approx(view.animation_s + LAST_FRAME_S)


def test_hands_shown_together_share_a_stop() -> None:
    assert sample_slow_motion(reveal_at(0.0, 7.0, 100.0, 145.0), 0.0).stops_ms == (0.0, 100.0, 145.0)


def test_without_frames_or_hands_there_is_none() -> None:
    def image(seat: Seat, frame: int) -> Pixels:
        return drawn_hand(Throw.ROCK, seat)

    assert slow_motion_of(decided_reveal(2), (), image) is None
    assert slow_motion_of(reveal_at(None, None), FRAME_TIMES_MS, image) is None


def test_every_frame_is_shown_in_its_turn() -> None:
    view = sample_slow_motion(reveal_at(0.0, 40.0), 0.0)
    frames = [view.at_time(number * TICK_S).frame for number in range(round(view.animation_s / TICK_S) + 2)]
    shown = [number for number, at in enumerate(FRAME_TIMES_MS) if view.start_ms <= at <= view.end_ms]
    assert frames == sorted(frames) and sorted(set(frames)) == list(range(frames[0], frames[-1] + 1))
    assert frames[0] <= shown[0] and shown[-1] <= frames[-1]
    middle = view.at_time(LEAD_MS * SLOWDOWN_FACTOR / 1e3)
    assert middle.moment_ms == 0.0 and FRAME_TIMES_MS[middle.frame] == pytest.approx(0.0, abs=0.1)


@pytest.mark.parametrize("size", [(800, 480), (720, 1280)], ids=["landscape", "portrait"])
def test_no_throw_is_told_before_its_hand_shows(size: tuple[int, int]) -> None:
    reveal = reveal_at(0.0, 140.0)
    view = sample_slow_motion(reveal, 0.0)
    other = replace(view, seats=(view.seats[0], replace(view.seats[1], throws=(Throw.SCISSORS,))))

    def differ(seconds: float) -> bool:
        one, two = (render_image(of.at_time(seconds), size) for of in (view, other))
        return bool((one != two).any())

    before_s, after_s = (
        (LEAD_MS + 130.0) * SLOWDOWN_FACTOR / 1e3 + STOP_S,
        (LEAD_MS + 141.0) * SLOWDOWN_FACTOR / 1e3 + STOP_S,
    )
    assert view.moment_after(before_s) < 140.0 <= view.moment_after(after_s)
    assert not differ(0.0) and not differ(before_s) and differ(after_s)


def test_a_foul_is_named_only_after_the_lock() -> None:
    late = sample_slow_motion(mixed_reveal(2), 0.0)
    honest = replace(late, seats=tuple(replace(seat, is_foul=False) for seat in late.seats))

    def differ(seconds: float) -> bool:
        one, two = (render_image(of.at_time(seconds), (800, 480)) for of in (late, honest))
        return bool((one != two).any())

    assert not differ((LEAD_MS + 149.0) * SLOWDOWN_FACTOR / 1e3 + STOP_S) and differ(late.animation_s)


def test_any_touch_skips_it() -> None:
    surface = pygame.Surface((800, 480), 0, 32)
    targets = paint(surface, sample_slow_motion(decided_reveal(2), 0.0))
    (skip,) = [target for target in targets if target.press == Reply(GO_ON_ANSWER)]
    assert skip.main and skip.area is not None and skip.area.collidepoint(400, 300)


def test_the_last_frame_stays() -> None:
    view = sample_slow_motion(decided_reveal(2), 1e3)
    assert isinstance(view, SlowMotion) and view.moment_ms == view.end_ms and view.seconds_left == 0.0


def test_the_frame_of_the_lock_alone_does_not_move() -> None:
    moving = slow_motion_of(
        decided_reveal(2), FRAME_TIMES_MS, lambda seat, frame: drawn_hand(tuple(Throw)[frame % 3], seat)
    )
    assert moving is not None
    still = moving.at_lock()
    nearest = min(range(len(FRAME_TIMES_MS)), key=lambda frame: abs(FRAME_TIMES_MS[frame] - moving.window_ms))
    assert still.frame_times_ms == (FRAME_TIMES_MS[nearest],) and still.start_ms == still.end_ms
    for seconds in (0.0, still.animation_s):
        assert (still.hand_image(2, still.at_time(seconds).frame) == moving.hand_image(2, nearest)).all()
