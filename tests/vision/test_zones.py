"""Zones: parsing, errors, and default zones without overlap."""

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from device.simulated.table.people import random_people
from device.simulated.table.seating import SimulatedSeating
from vision.zone_detection import HandExtent, sort_by_seat
from vision.zones import Zone, ZoneError, check_no_overlap, default_zones

share = st.floats(0, 1)


@given(share, share, share, share)
def test_a_written_zone_is_parsed(x: float, y: float, w: float, h: float) -> None:
    assume(w > 0 and h > 0 and x + w <= 1 and y + h <= 1)
    assert Zone.parse(f"{x!r},{y!r},{w!r},{h!r}") == (x, y, w, h)


@pytest.mark.parametrize("text", ["", "1", "0,0,1", "0,0,1,1,1", "a,b,c,d", "0;0;1;1", "nan,0,1,1", "0,0,nan,1"])
def test_text_that_is_no_zone_raises_an_error(text: str) -> None:
    with pytest.raises(ZoneError, match="zone"):
        Zone.parse(text)


@pytest.mark.parametrize("text", ["-0.1,0,0.5,1", "0.6,0,0.5,1", "0,0,0,1", "0,0,1,-1", "0,0.5,1,0.6", "0,0,inf,1"])
def test_a_zone_outside_the_frame_is_refused(text: str) -> None:
    with pytest.raises(ZoneError, match="not inside the frame"):
        Zone.parse(text)


@given(share, share, st.floats(0.05, 1), st.floats(0.05, 1), st.integers(400, 4000), st.integers(400, 3000))
def test_a_box_lies_in_the_frame(x: float, y: float, w: float, h: float, wide: int, high: int) -> None:
    assume(x + w <= 1 and y + h <= 1)
    box = Zone(x, y, w, h).box((wide, high))
    assert box.x >= 0 and box.y >= 0 and box.x + box.w <= wide and box.y + box.h <= high
    assert abs(box.w - w * wide) <= 1 and abs(box.h - h * high) <= 1


def test_a_zone_too_small_for_a_hand_is_refused() -> None:
    with pytest.raises(ZoneError, match="too small"):
        Zone(0, 0, 0.01, 1).box((640, 360))


@pytest.mark.parametrize("seats", range(1, 9))
def test_default_zones_do_not_overlap(seats: int) -> None:
    zones = default_zones(seats)
    assert len(zones) == seats == len({zone.validate() for zone in zones})
    check_no_overlap(zones)


def test_overlapping_zones_are_named() -> None:
    with pytest.raises(ZoneError, match="seats 1 and 3 overlap"):
        check_no_overlap([Zone(0, 0, 0.5, 1), Zone(0.5, 0, 0.5, 1), Zone(0.4, 0, 0.2, 1)])
    check_no_overlap([Zone(0, 0, 0.5, 1), Zone(0.49, 0, 0.5, 1)])  # a tiny overlap is fine


@pytest.mark.parametrize("seats", range(2, 9))
def test_right_neighbours_have_the_next_number_at_every_table(seats: int) -> None:
    """Anticlockwise as seen from above, so that a player who faces the middle has the next seat to the right."""
    tables = {
        "divided evenly": default_zones(seats),
        "simulated": SimulatedSeating(random_people(seats, 1), (1280, 720)).zones,
    }
    for name, zones in tables.items():
        bearings = [math.atan2(0.5 - (y + h / 2), x + w / 2 - 0.5) for x, y, w, h in zones]
        turns = [
            (after - before) % math.tau for before, after in zip(bearings, bearings[1:] + bearings[:1], strict=True)
        ]
        assert min(turns) > 0 and sum(turns) == pytest.approx(math.tau), name
        extents = [HandExtent(1280 * x, 720 * y, 1280 * (x + w), 720 * (y + h)) for x, y, w, h in zones]
        found = [extents.index(extent) for extent in sort_by_seat(extents[::-1], (1280, 720))]
        assert found == [(found[0] + place) % seats for place in range(seats)], "found from hands in the same direction"
