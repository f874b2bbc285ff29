"""Zones from hands held out: everybody holds one open hand where they will throw, the box finds all hands in the
picture, and makes a zone round each, with the room the hand model needs, none overlapping another."""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

from device.camera.frames import Box, Frame, Size
from vision.hands.augmented_looks import Finder
from vision.hands.detector import MIDDLE, WRIST, Hand
from vision.zones import Zone, ZoneError

CONFIDENCE = 0.5
"""Of the hand detector: these hands are open and still, and what is no hand must not get a zone."""
MOST_HANDS = 4
"""Hands looked for in one tile of the picture."""
TILES = ((1.0,), (0.6,), ())
"""Sides of the tiles of the first, second, third … frame, in shorter sides of the picture; the whole picture comes
first. A hand that fills 25 to 60 % of a tile is found best."""
LOOK_PX = 640
"""Longest side of a tile given to the hand model."""
CLOSE = 2.4
"""Side of the look that confirms a hand, in its lengths."""
SHARE = 0.5
"""An open hand's share of its zone's side: the middle of the 40–60 % in which a palm-down hand was found in 99–100 % of
looks; a fist is half as long."""
OPEN_PALMS = 1.9
"""An open hand's length in lengths of its palm, wrist to the middle finger's base: what a fist held out would reach."""
MARGIN = 0.125
"""The least room on each side of a hand, in its lengths: with less it fills more than 80 % of its zone."""
EDGE = 0.05
"""The least room between a hand and the picture's edge, in its lengths."""


class Room(NamedTuple):
    """What an open hand takes of the picture, in pixels: its edges."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def length(self) -> float:
        """The longer side."""
        return max(self.right - self.left, self.bottom - self.top)

    @property
    def middle(self) -> tuple[float, float]:
        """The middle."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


def zones_of_hands(frames: Sequence[Frame], finder: Finder, seats: int) -> tuple[Zone, ...]:
    """A zone for everybody who holds a hand out in ``frames`` (of one camera, a few tenths of a second apart), in the
    order of ``clockwise``. ``finder`` looks for several hands at once. Raises ZoneError, in words for the people, when
    there are fewer or more hands than seats, or no room for a zone."""
    hands = held_out(frames, finder)
    if len(hands) < seats:
        found = "no hand was found" if not hands else f"only {_hands(len(hands))} found for {seats} seats"
        raise ZoneError(
            f"{found}: everybody holds one open hand over the table, apart from the others, all of it in the picture, "
            "and keeps still"
        )
    if len(hands) > seats:
        raise ZoneError(f"{_hands(len(hands))} found for {seats} seats: hold out one hand each, and nobody else's")
    return zones_round(clockwise(hands, frames[0].size), frames[0].size)


def _hands(count: int) -> str:
    return "1 hand was" if count == 1 else f"{count} hands were"


def held_out(frames: Sequence[Frame], finder: Finder) -> list[Room]:
    """Every hand that is seen in more than half of ``frames``, in no order. Each frame is looked at in tiles; each hand
    found in any is looked for again in all of them, from near."""
    known: list[Room] = []
    for number, frame in enumerate(frames):
        for box in tiles(frame.size, TILES[number % len(TILES)]):
            for hand in _find(finder, frame, box):
                room = room_of(hand)
                if _whole_in(room, box, frame.size) and all(_apart(room, other) for other in known):
                    known.append(room)
    hands: list[Room] = []
    for room in known:
        seen = [again for frame in frames if (again := _confirmed(finder, frame, room))]
        if 2 * len(seen) > len(frames):
            middle = Room(*(float(edge) for edge in np.median(seen, axis=0)))
            if all(_apart(middle, other) for other in hands):
                hands.append(middle)
    return hands


def tiles(size: Size, sides: Sequence[float]) -> list[Box]:
    """The whole picture and its square tiles, each half over the next; ``sides`` are in shorter sides of it."""
    wide, high = size
    cut = [Box(0, 0, wide, high)]
    for share in sides:
        side = round(min(size) * share)
        across, down = (math.ceil((length - side) / (side / 2)) + 1 for length in size)
        for row in range(down):
            for column in range(across):
                x = round((wide - side) * column / max(1, across - 1))
                y = round((high - side) * row / max(1, down - 1))
                cut.append(Box(x, y, side, side))
    return cut


def room_of(hand: Hand) -> Room:
    """What the hand takes of the picture, or would take if it were open."""
    wrist, base = hand.landmarks[WRIST], hand.landmarks[MIDDLE]
    points = np.vstack([hand.landmarks, wrist + OPEN_PALMS * (base - wrist)])
    low, high = points.min(0), points.max(0)
    return Room(float(low[0]), float(low[1]), float(high[0]), float(high[1]))


def _find(finder: Finder, frame: Frame, box: Box) -> list[Hand]:
    """The hands in a part of the frame, in pixels of the whole frame."""
    scale = min(1.0, LOOK_PX / max(box.w, box.h))
    size = (max(1, round(box.w * scale)), max(1, round(box.h * scale)))
    back = np.array([box.w / size[0], box.h / size[1]])
    found = finder.find(frame.pixels(box, size))
    return [replace(hand, landmarks=hand.landmarks * back + (box.x, box.y)) for hand in found]


def _whole_in(room: Room, box: Box, size: Size) -> bool:
    """Whether a tile shows all of a hand; at the picture's own edge there is no more to show."""
    left, top = box.x if box.x else -math.inf, box.y if box.y else -math.inf
    right = box.x + box.w if box.x + box.w < size[0] else math.inf
    bottom = box.y + box.h if box.y + box.h < size[1] else math.inf
    return left < room.left and top < room.top and room.right < right and room.bottom < bottom


def _apart(one: Room, other: Room) -> bool:
    """Whether two rooms are those of two hands: their middles lie more than half a hand apart."""
    return math.dist(one.middle, other.middle) > 0.5 * max(one.length, other.length)


def _confirmed(finder: Finder, frame: Frame, room: Room) -> Room | None:
    """The hand where it was found, seen from near; None where there is none."""
    wide, high = frame.size
    side = round(min(CLOSE * room.length, wide, high))
    x, y = (round(middle - side / 2) for middle in room.middle)
    box = Box(min(max(x, 0), wide - side), min(max(y, 0), high - side), side, side)
    near = [again for hand in _find(finder, frame, box) if not _apart(again := room_of(hand), room)]
    return min(near, key=lambda again: math.dist(again.middle, room.middle), default=None)


def clockwise(rooms: Sequence[Room], size: Size) -> list[Room]:
    """The hands in the order of the seats: first the one nearest to the picture's lower left corner, then clockwise
    round the picture's middle, as it is seen on the screen."""
    if not rooms:
        return []
    wide, high = size

    def angle(room: Room) -> float:
        return math.atan2(room.middle[1] - high / 2, room.middle[0] - wide / 2)

    first = min(rooms, key=lambda room: math.dist(room.middle, (0, high)))
    return sorted(rooms, key=lambda room: (room is not first, (angle(room) - angle(first)) % (2 * math.pi)))


def zones_round(rooms: Sequence[Room], size: Size) -> tuple[Zone, ...]:
    """A square round each hand, of which the hand takes SHARE, moved into the frame; where two would overlap, both are
    cut between the two hands, so that what is left beside each is as its size. Raises ZoneError for a hand at the
    frame's edge and for two hands with no room between them, by the numbers of their seats."""
    for seat, room in enumerate(rooms, 1):
        least = EDGE * room.length
        if min(room.left, room.top, size[0] - room.right, size[1] - room.bottom) < least:
            raise ZoneError(
                f"the hand of seat {seat} is at the edge of the picture: hold it further in, or raise the camera"
            )
    cut = [_square(room, size) for room in rooms]
    for (one, first), (two, second) in combinations(enumerate(rooms), 2):
        cut[one], cut[two] = _cut(cut[one], cut[two], first, second, (one + 1, two + 1))
    wide, high = size
    return tuple(
        Zone(zone.left / wide, zone.top / high, (zone.right - zone.left) / wide, (zone.bottom - zone.top) / high)
        for zone in cut
    )


def _square(room: Room, size: Size) -> Room:
    side = min(room.length / SHARE, *size)
    left, top = (
        min(max(middle - side / 2, 0.0), length - side) for middle, length in zip(room.middle, size, strict=True)
    )
    return Room(left, top, left + side, top + side)


def _cut(one: Room, two: Room, first: Room, second: Room, seats: tuple[int, int]) -> tuple[Room, Room]:
    """The zones ``one`` and ``two`` of the hands ``first`` and ``second``, parted where they overlap."""
    if min(one.right, two.right) <= max(one.left, two.left) or min(one.bottom, two.bottom) <= max(one.top, two.top):
        return one, two
    across = max(second.left - first.right, first.left - second.right)
    down = max(second.top - first.bottom, first.top - second.bottom)
    if max(across, down) < MARGIN * (first.length + second.length):
        raise ZoneError(
            f"the hands of seats {seats[0]} and {seats[1]} are too near to each other: hold them further apart"
        )
    share = first.length / (first.length + second.length)
    if across >= down and first.right < second.left:
        at = first.right + across * share
        return one._replace(right=min(one.right, at)), two._replace(left=max(two.left, at))
    if across >= down:
        at = first.left - across * share
        return one._replace(left=max(one.left, at)), two._replace(right=min(two.right, at))
    if first.bottom < second.top:
        at = first.bottom + down * share
        return one._replace(bottom=min(one.bottom, at)), two._replace(top=max(two.top, at))
    at = first.top - down * share
    return one._replace(top=max(one.top, at)), two._replace(bottom=min(two.bottom, at))
