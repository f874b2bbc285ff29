"""A seat's sight: looked up once, closer where the hand was, in the frame's own pixels, and only in its zone."""

import numpy as np
import pytest
from scripted_hands import CUE, MS, SIZE, ZONE, film, joints, performed, sight_of, throws

from device.simulated.table.animation import Stance
from rules.throws import Throw
from vision.lock.zone_view import STILL_NS, Sight
from vision.zones import Zone


def test_a_frame_is_looked_at_once() -> None:
    sight = sight_of(lambda when: Stance(paper=1))
    first = sight(10)
    assert sight(10) is first and first is not None
    assert sight.finder.calls == 1  # type: ignore[union-attr]  # ours counts
    assert sight.looked_at() == [10]


def test_a_frame_like_one_nearby_costs_nothing() -> None:
    """Until something moves, or the last look is long ago; or the frame itself is asked for."""
    moved, fps = 60, 60.0
    sight = sight_of(lambda when: Stance(paper=1) if when < moved * 1e9 / fps else Stance(scissors=1), fps=fps)
    first = sight(50)
    assert sight(moved - 1) is first and sight.looked_at() == [50]
    after = sight(moved)
    assert after is not first and sight.looked_at() == [50, moved]
    long = STILL_NS * fps / 1e9
    assert sight(moved + int(long)) is after
    assert sight(moved + int(long) + 1) is not after
    again = sight.itself(moved + 1)
    assert again is not None and again is not after and sight(moved + 1) is again


@pytest.mark.parametrize("index", [10, 14])
def test_landmarks_are_the_frames_pixels(index: int) -> None:
    whole = Zone(0, 0, 1, 1)
    sight = sight_of(lambda when: Stance(scissors=1), whole)
    sight(9)
    seen = sight.itself(index)
    assert seen is not None and seen.reading.throw is Throw.SCISSORS
    assert seen.hand.landmarks == pytest.approx(joints(Stance(scissors=1))[0], abs=0.5)
    assert seen.length == pytest.approx(np.ptp(seen.hand.landmarks, axis=0).max())
    assert sum(seen.chances.values()) == pytest.approx(1)


def test_the_second_look_is_close_when_the_zone_is_large() -> None:
    frames, finder = film(lambda when: Stance(paper=1))
    sight = Sight(frames, Zone(0, 0, 1, 1), finder)
    sight(10), sight.itself(12)
    (_, first, _), (_, second, _) = finder.looks
    assert (first.w, first.h) == SIZE
    assert second.w == second.h < 0.9 * SIZE[1]


def test_nothing_found_is_no_hand_and_costs_every_look() -> None:
    sight = sight_of(lambda when: None)
    assert sight(5) is None
    assert sight.finder.calls == 2  # type: ignore[union-attr]


def test_another_seats_hand_is_not_this_ones() -> None:
    frames, finder = film(lambda when: None, lambda when: Stance(paper=1))
    assert Sight(frames, ZONE, finder)(3) is None


def test_the_nearest_frame() -> None:
    sight = sight_of(performed(throws("rock")))
    for when in (0, 7 * MS, 9 * MS, CUE, CUE + 123 * MS, 10**12):
        off = abs(sight.times - when)
        assert off[sight.nearest(when)] == off.min()


def test_a_sight_without_a_finder_says_so() -> None:
    sight = sight_of(lambda when: None)
    sight.finder = None
    with pytest.raises(RuntimeError, match="lent a finder"):
        sight(0)


def test_a_held_hand_that_is_no_throw_is_looked_at_again() -> None:
    """Once, and for every frame that had it from there."""
    sight = sight_of(lambda when: Stance(half_open=1))
    first, other = sight(10), sight(14)
    assert other is first and sight.held(10) and not sight.held(14)
    both = sight.together(10)
    calls = sight.finder.calls  # type: ignore[union-attr]
    assert both is not None and len(both.again) == 2 and both.reading.throw is None
    assert sight(14) is both and sight.together(10) is both
    assert sight.finder.calls == calls == 3  # type: ignore[union-attr]


def test_a_fist_in_doubt_is_a_fist() -> None:
    """Half-open hands are doubtful papers and scissors; a fist is only seen badly."""
    both = sight_of(lambda when: Stance(half_open=0.6)).together(10)
    assert both is not None and both.reading.throw is Throw.ROCK
