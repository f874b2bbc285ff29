"""Zones from hands held out: apart, inside the picture, each with its hand whole; at simulated tables all are found."""

import math
from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.simulated.table.table import SimulatedTable
from device.system.clock import JumpingClock
from throwlock.table_setup.zone_setup import COUNT, FRAMES, found_from_hands, tell_simulated
from vision import zone_detection
from vision.hands.detector import HandFinder
from vision.hands.model import ModelError
from vision.zone_detection import (
    CONFIDENCE,
    EDGE,
    MARGIN,
    MOST_HANDS,
    SHARE,
    Room,
    clockwise,
    tiles,
    zones_of_hands,
    zones_round,
)
from vision.zones import Zone, ZoneError, check_apart

SIZE = (1280, 720)
part = st.floats(0, 1)


@st.composite
def hands(draw: st.DrawFn) -> list[Room]:
    """Two to eight hands, each somewhere in a cell of its own of a table's picture: some too near, some at the edge."""
    cells = draw(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=2, max_size=8, unique=True))
    rooms = []
    for column, row in cells:
        w, h = (60 + 240 * draw(part), 60 + 170 * draw(part))
        x, y = column * 320 + (320 - w) * draw(part), row * 240 + (240 - h) * draw(part)
        rooms.append(Room(x, y, x + w, y + h))
    return rooms


def pixels(zone: Zone) -> Room:
    wide, high = SIZE
    return Room(zone.x * wide, zone.y * high, (zone.x + zone.w) * wide, (zone.y + zone.h) * high)


@given(hands())
def test_zones_are_apart_inside_the_picture_and_hold_their_hands(rooms: list[Room]) -> None:
    try:
        zones = zones_round(rooms, SIZE)
    except ZoneError as fault:
        at_edge = any(min(r.left, r.top, 1280 - r.right, 720 - r.bottom) < EDGE * r.length for r in rooms)
        assert at_edge if "edge" in str(fault) else "too near" in str(fault)
        return
    check_apart(zones)
    for zone, room in zip(zones, rooms, strict=True):
        box = pixels(zone.checked())
        margins = (room.left - box.left, room.top - box.top, box.right - room.right, box.bottom - room.bottom)
        edges = (box.left, box.top, SIZE[0] - box.right, SIZE[1] - box.bottom)
        for margin, edge in zip(margins, edges, strict=True):
            assert margin >= (EDGE if edge < 1 else MARGIN) * room.length - 1e-6
        assert max(box.right - box.left, box.bottom - box.top) <= room.length / SHARE + 1e-6
    for one, other in combinations(map(pixels, zones), 2):
        wide = min(one.right, other.right) - max(one.left, other.left)
        high = min(one.bottom, other.bottom) - max(one.top, other.top)
        assert min(wide, high) <= 1e-6, "not even a hair in common"


def test_a_hand_alone_gets_a_square_of_twice_its_length() -> None:
    (zone,) = zones_round([Room(600, 300, 700, 420)], SIZE)
    assert pixels(zone) == pytest.approx((530, 240, 770, 480))


def test_two_hands_too_near_are_named_and_so_is_one_at_the_edge() -> None:
    with pytest.raises(
        ZoneError, match="the hands of seats 1 and 2 are too near to each other: hold them further apart"
    ):
        zones_round([Room(300, 300, 400, 400), Room(410, 300, 510, 400)], SIZE)
    with pytest.raises(ZoneError, match="the hand of seat 2 is at the edge of the picture"):
        zones_round([Room(300, 300, 400, 400), Room(1180, 300, 1279, 400)], SIZE)


def test_near_hands_share_what_is_between_them_by_their_size() -> None:
    zones = zones_round([Room(300, 300, 500, 400), Room(560, 320, 660, 400)], SIZE)
    large, little = map(pixels, zones)
    assert large.right == pytest.approx(540) and little.left == pytest.approx(540)


def at(x: float, y: float) -> Room:
    return Room(x - 50, y - 50, x + 50, y + 50)


@pytest.mark.parametrize(
    "order",
    [
        [(200, 360), (1000, 360)],
        [(640, 600), (640, 100)],
        [(200, 600), (200, 100), (1000, 100), (1000, 600)],
        [(150, 360), (640, 100), (1100, 360), (640, 600)],
        [(100, 600), (100, 100), (500, 80), (800, 80), (1200, 100), (1200, 600), (800, 650), (500, 650)],
    ],
)
def test_seats_are_numbered_clockwise_from_the_lower_left(order: list[tuple[float, float]]) -> None:
    rooms = [at(*middle) for middle in order]
    for turn in range(len(rooms)):
        assert clockwise([*rooms[turn:], *rooms[:turn]], SIZE) == rooms


@pytest.mark.parametrize(
    ("found", "seats", "said"),
    [
        ([], 2, "no hand was found: everybody holds one open hand over the table"),
        ([at(300, 300)], 2, "only 1 hand was found for 2 seats"),
        ([at(300, 300), at(800, 300)], 4, "only 2 hands were found for 4 seats"),
        ([at(300, 300), at(600, 300), at(900, 300)], 2, "3 hands were found for 2 seats: hold out one hand each"),
    ],
)
def test_too_few_and_too_many_hands_are_said(
    monkeypatch: pytest.MonkeyPatch, found: list[Room], seats: int, said: str
) -> None:
    monkeypatch.setattr(zone_detection, "held_out", lambda frames, finder: found)
    with pytest.raises(ZoneError, match=said):
        zones_of_hands([], None, seats)  # type: ignore[arg-type]  # nothing is looked at


@pytest.mark.parametrize("size", [SIZE, (640, 480), (480, 800)])
@pytest.mark.parametrize("share", [1.0, 0.6])
def test_tiles_cover_the_picture_each_half_over_the_next(size: tuple[int, int], share: float) -> None:
    seen = np.zeros(size[::-1], bool)
    whole, *cut = tiles(size, [share])
    assert (whole.x, whole.y, whole.w, whole.h) == (0, 0, *size)
    for box in cut:
        assert box.x >= 0 and box.y >= 0 and box.x + box.w <= size[0] and box.y + box.h <= size[1]
        seen[box.y : box.y + box.h, box.x : box.x + box.w] = True
    assert seen.all()
    steps = {b.x - a.x for a in cut for b in cut if b.x > a.x and b.y == a.y} or {0}
    assert min(steps) <= math.ceil(round(min(size) * share) / 2)


# -------- real recognition


@pytest.fixture(scope="module")
def finder() -> Iterator[HandFinder]:
    try:
        made = HandFinder(hands=MOST_HANDS, confidence=CONFIDENCE)
    except ModelError as fault:
        pytest.skip(str(fault))
    with made:
        yield made


def held(seats: int, seed: int) -> tuple[SimulatedTable, JumpingClock]:
    """A simulated table whose players hold their hands out now."""
    clock = JumpingClock()
    table = SimulatedTable(clock, seats, seed=seed, size=(960, 540))
    table.start()
    tell_simulated(table, clock)
    clock.wait_until(clock.now_ns() + COUNT * 1_000_000_000)
    return table, clock


@pytest.mark.parametrize("seats", range(2, 9))
def test_everybody_at_a_simulated_table_is_found_and_gets_a_zone(finder: HandFinder, seats: int) -> None:
    table, clock = held(seats, seed=10 + seats)
    before = finder.calls
    zones = found_from_hands(table, clock, seats, finder)
    assert finder.calls - before <= 24 + 2 * FRAMES * seats
    check_apart(zones)
    owners = []
    for seat in range(1, seats + 1):
        points = table.truth(seat, clock.now_ns()).keypoints / np.array(table.size)
        low, high = points.min(0), points.max(0)
        whole = [
            number
            for number, zone in enumerate(zones)
            if zone.x < low[0] and zone.y < low[1] and high[0] < zone.x + zone.w and high[1] < zone.y + zone.h
        ]
        assert len(whole) == 1, f"seat {seat}'s hand is whole in {whole}"
        owners += whole
        zone = zones[whole[0]]
        assert 0.4 <= max((high - low) / (zone.w, zone.h)) <= 0.7, "the share of a zone that a hand is found best with"
    assert sorted(owners) == list(range(seats))
    if seats == 2:
        assert owners == [0, 1], "left, then right"


def test_too_few_and_too_many_at_a_simulated_table_are_counted(finder: HandFinder) -> None:
    table, clock = held(3, seed=5)
    with pytest.raises(ZoneError, match="3 hands were found for 2 seats"):
        found_from_hands(table, clock, 2, finder)
    clock.wait_until(clock.now_ns() + 10_000_000_000)  # hands lie on the table as fists, all but out of the picture
    with pytest.raises(ZoneError, match="hand"):
        found_from_hands(table, clock, 4, finder)
