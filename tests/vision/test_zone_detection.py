"""Zones from hands held out: without overlap, inside the image, each with its whole hand; all are found at simulated
tables."""

import math
from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.simulated.table.camera import SimulatedTable
from device.system.clock import SimulatedClock
from tests.helpers.hand_truth import hand_truth
from throwlock.table_setup.zone_setup import (
    DETECTION_FRAMES,
    HOLD_OUT_S,
    find_zones_from_hands,
    hold_out_simulated_hands,
)
from vision import zone_detection
from vision.hands.detector import HandDetector
from vision.hands.model import ModelError
from vision.zone_detection import (
    HAND_SHARE_OF_ZONE,
    MAX_HANDS_PER_TILE,
    MIN_EDGE_MARGIN,
    MIN_HAND_MARGIN,
    ZONE_HAND_CONFIDENCE,
    HandExtent,
    detect_zones,
    image_tiles,
    sort_by_seat,
    zones_around,
)
from vision.zones import Zone, ZoneError, check_no_overlap

SIZE = (1280, 720)
part = st.floats(0, 1)


@st.composite
def hands(draw: st.DrawFn) -> list[HandExtent]:
    """Draw two to eight hands, each in a cell of its own of a table's image: some too near, some at the edge."""
    cells = draw(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=2, max_size=8, unique=True))
    extents = []
    for column, row in cells:
        w, h = (60 + 240 * draw(part), 60 + 170 * draw(part))
        x, y = column * 320 + (320 - w) * draw(part), row * 240 + (240 - h) * draw(part)
        extents.append(HandExtent(x, y, x + w, y + h))
    return extents


def zone_extent(zone: Zone) -> HandExtent:
    wide, high = SIZE
    return HandExtent(zone.x * wide, zone.y * high, (zone.x + zone.w) * wide, (zone.y + zone.h) * high)


@given(hands())
def test_zones_are_apart_inside_the_picture_and_hold_their_hands(extents: list[HandExtent]) -> None:
    try:
        zones = zones_around(extents, SIZE)
    except ZoneError as error:
        at_edge = any(min(r.left, r.top, 1280 - r.right, 720 - r.bottom) < MIN_EDGE_MARGIN * r.length for r in extents)
        assert at_edge if "edge" in str(error) else "too close" in str(error)
        return
    check_no_overlap(zones)
    for zone, extent in zip(zones, extents, strict=True):
        box = zone_extent(zone.validate())
        margins = (extent.left - box.left, extent.top - box.top, box.right - extent.right, box.bottom - extent.bottom)
        edges = (box.left, box.top, SIZE[0] - box.right, SIZE[1] - box.bottom)
        for margin, edge in zip(margins, edges, strict=True):
            assert margin >= (MIN_EDGE_MARGIN if edge < 1 else MIN_HAND_MARGIN) * extent.length - 1e-6
        assert max(box.right - box.left, box.bottom - box.top) <= extent.length / HAND_SHARE_OF_ZONE + 1e-6
    for one, other in combinations(map(zone_extent, zones), 2):
        wide = min(one.right, other.right) - max(one.left, other.left)
        high = min(one.bottom, other.bottom) - max(one.top, other.top)
        assert min(wide, high) <= 1e-6, "zones don’t overlap"


def test_a_hand_alone_gets_a_square_of_twice_its_length() -> None:
    (zone,) = zones_around([HandExtent(600, 300, 700, 420)], SIZE)
    assert zone_extent(zone) == pytest.approx((530, 240, 770, 480))


def test_hands_too_near_or_at_the_edge_are_named_by_seat() -> None:
    with pytest.raises(ZoneError, match="the hands of seats 1 and 2 are too close together: hold them further apart"):
        zones_around([HandExtent(300, 300, 400, 400), HandExtent(410, 300, 510, 400)], SIZE)
    with pytest.raises(ZoneError, match="the hand of seat 2 is at the edge of the image"):
        zones_around([HandExtent(300, 300, 400, 400), HandExtent(1180, 300, 1279, 400)], SIZE)


def test_the_space_between_near_hands_is_shared_by_their_size() -> None:
    zones = zones_around([HandExtent(300, 300, 500, 400), HandExtent(560, 320, 660, 400)], SIZE)
    large, little = map(zone_extent, zones)
    assert large.right == pytest.approx(540) and little.left == pytest.approx(540)


def at(x: float, y: float) -> HandExtent:
    return HandExtent(x - 50, y - 50, x + 50, y + 50)


@pytest.mark.parametrize(
    "order",
    [
        [(200, 360), (1000, 360)],
        [(640, 600), (640, 100)],
        [(200, 600), (1000, 600), (1000, 100), (200, 100)],
        [(150, 360), (640, 600), (1100, 360), (640, 100)],
        [(100, 600), (500, 650), (800, 650), (1200, 600), (1200, 100), (800, 80), (500, 80), (100, 100)],
    ],
)
def test_seats_are_numbered_to_the_right_from_the_lower_left(order: list[tuple[float, float]]) -> None:
    extents = [at(*middle) for middle in order]
    for turn in range(len(extents)):
        assert sort_by_seat([*extents[turn:], *extents[:turn]], SIZE) == extents


@pytest.mark.parametrize(
    ("found", "seats", "message"),
    [
        ([], 2, "no hand was found: hold one open hand each over the table"),
        ([at(300, 300)], 2, "only 1 hand was found for 2 seats"),
        ([at(300, 300), at(800, 300)], 4, "only 2 hands were found for 4 seats"),
        ([at(300, 300), at(600, 300), at(900, 300)], 2, "3 hands were found for 2 seats: hold out one hand each"),
    ],
)
def test_too_few_and_too_many_hands_raise_an_error(
    monkeypatch: pytest.MonkeyPatch, found: list[HandExtent], seats: int, message: str
) -> None:
    monkeypatch.setattr(zone_detection, "find_held_out_hands", lambda frames, detector: found)
    with pytest.raises(ZoneError, match=message):
        detect_zones([], None, seats)  # type: ignore[arg-type]  # not used


@pytest.mark.parametrize("size", [SIZE, (640, 480), (480, 800)])
@pytest.mark.parametrize("share", [1.0, 0.6])
def test_tiles_cover_the_image_each_half_overlapping_the_next(size: tuple[int, int], share: float) -> None:
    seen = np.zeros(size[::-1], bool)
    whole, *cut = image_tiles(size, [share])
    assert (whole.x, whole.y, whole.w, whole.h) == (0, 0, *size)
    for box in cut:
        assert box.x >= 0 and box.y >= 0 and box.x + box.w <= size[0] and box.y + box.h <= size[1]
        seen[box.y : box.y + box.h, box.x : box.x + box.w] = True
    assert seen.all()
    steps = {b.x - a.x for a in cut for b in cut if b.x > a.x and b.y == a.y} or {0}
    assert min(steps) <= math.ceil(round(min(size) * share) / 2)


# -------- real recognition


@pytest.fixture(scope="module")
def detector() -> Iterator[HandDetector]:
    try:
        made = HandDetector(hands=MAX_HANDS_PER_TILE, confidence=ZONE_HAND_CONFIDENCE)
    except ModelError as error:
        pytest.skip(str(error))
    with made:
        yield made


def table_with_hands_out(seats: int, seed: int) -> tuple[SimulatedTable, SimulatedClock]:
    """Return a simulated table whose players hold out their hands."""
    clock = SimulatedClock()
    table = SimulatedTable(clock, seats, seed=seed, size=(960, 540))
    table.start()
    hold_out_simulated_hands(table, clock)
    clock.wait_until(clock.now_ns() + HOLD_OUT_S * 1_000_000_000)
    return table, clock


@pytest.mark.parametrize("seats", range(2, 9))
def test_everybody_at_a_simulated_table_is_found_and_gets_a_zone(detector: HandDetector, seats: int) -> None:
    table, clock = table_with_hands_out(seats, seed=10 + seats)
    before = detector.calls
    zones = find_zones_from_hands(table, clock, seats, detector)
    assert detector.calls - before <= 24 + 2 * DETECTION_FRAMES * seats
    check_no_overlap(zones)
    owners = []
    for seat in range(1, seats + 1):
        points = hand_truth(table, seat, clock.now_ns()).keypoints / np.array(table.size)
        low, high = points.min(0), points.max(0)
        whole = [
            number
            for number, zone in enumerate(zones)
            if zone.x < low[0] and zone.y < low[1] and high[0] < zone.x + zone.w and high[1] < zone.y + zone.h
        ]
        assert len(whole) == 1, f"seat {seat}’s hand is whole in {whole}"
        owners += whole
        zone = zones[whole[0]]
        assert 0.4 <= max((high - low) / (zone.w, zone.h)) <= 0.7, "the share of a zone at which a hand is found best"
    assert sorted(owners) == list(range(seats))
    if seats == 2:
        assert owners == [0, 1], "left, then right"


@pytest.mark.slow
def test_too_few_and_too_many_at_a_simulated_table_are_counted(detector: HandDetector) -> None:
    table, clock = table_with_hands_out(3, seed=5)
    with pytest.raises(ZoneError, match="3 hands were found for 2 seats"):
        find_zones_from_hands(table, clock, 2, detector)
    clock.wait_until(clock.now_ns() + 10_000_000_000)  # hands lie on the table as fists, all but out of the image
    with pytest.raises(ZoneError, match="hand"):
        find_zones_from_hands(table, clock, 4, detector)
