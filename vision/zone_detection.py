"""Detects zones from hands held out: everybody holds one open hand where they will throw, all hands in the image are
detected, and each gets a zone with the margin the hand model needs, without overlaps."""

import math
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from device.camera.frames import Box, Frame, Size
from messages import LazyText, N, ngettext_lazy
from vision.hands.augmentation import Detector, detect_in_frame
from vision.hands.detector import MIDDLE, WRIST, DetectedHand
from vision.zones import Zone, ZoneError

ZONE_HAND_CONFIDENCE = 0.5
"""Confidence of the hand detector: these hands are open and still, and what is no hand must not get a zone."""
MAX_HANDS_PER_TILE = 4
"""Most hands detected in one tile of the image."""
TILE_SIDES = ((1.0,), (0.6,), ())
"""Sides of the tiles of the first, second, third … frame, in shorter sides of the image; the whole image comes first. A
hand that fills 25 to 60 % of a tile is found best."""
MAX_TILE_PX = 640
"""Longest side of a tile given to the hand model."""
CLOSEUP_HAND_LENGTHS = 2.4
"""Side of the close-up that confirms a hand, in lengths of the hand."""
HAND_SHARE_OF_ZONE = 0.5
"""Share of its zone's side that an open hand takes: the middle of the 40–60 % at which a palm-down hand was found in
99–100 % of images; a fist is half as long."""
OPEN_HAND_PALMS = 1.9
"""Length of an open hand in lengths of its palm (wrist to the middle finger's base)."""
MIN_HAND_MARGIN = 0.125
"""Least margin on each side of a hand, in its lengths: with less it fills more than 80 % of its zone."""
MIN_EDGE_MARGIN = 0.05
"""Least margin between a hand and the image's edge, in its lengths."""


class HandExtent(NamedTuple):
    """The edges of an open hand, or of a zone, in pixels of the image."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def length(self) -> float:
        """The longer side, in pixels."""
        return max(self.right - self.left, self.bottom - self.top)

    @property
    def centre(self) -> tuple[float, float]:
        """The centre, in pixels."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


def detect_zones(frames: Sequence[Frame], detector: Detector, seats: int) -> tuple[Zone, ...]:
    """Return a zone for every hand held out, in the order of ``sort_by_seat``.

    Args:
        frames: Frames of one camera, a few tenths of a second apart.
        detector: A detector for up to ``MAX_HANDS_PER_TILE`` hands.
        seats: How many hands are expected.

    Raises:
        ZoneError: There are fewer or more hands than seats, or no space for a zone; the message is for the players.
    """
    hands = find_held_out_hands(frames, detector)
    if len(hands) < seats:
        raise ZoneError(
            N(
                "only {hands} found for {seats} seats: hold one open hand each over the table, well apart and fully "
                "in view, and keep still",
                hands=_count_hands(len(hands)),
                seats=seats,
            )
            if hands
            else N(
                "no hand was found: hold one open hand each over the table, well apart and fully in view, and keep "
                "still"
            )
        )
    if len(hands) > seats:
        raise ZoneError(
            N(
                "{hands} found for {seats} seats: hold out one hand each, and keep all others away",
                hands=_count_hands(len(hands)),
                seats=seats,
            )
        )
    return zones_around(sort_by_seat(hands, frames[0].size), frames[0].size)


def _count_hands(count: int) -> LazyText:
    return ngettext_lazy("{count} hand was", "{count} hands were", count)


def find_held_out_hands(frames: Sequence[Frame], detector: Detector) -> list[HandExtent]:
    """Return every hand that is found in more than half of ``frames``, in no order. Each frame is searched in tiles;
    each hand found in any is confirmed in a close-up of every frame."""
    known: list[HandExtent] = []
    for number, frame in enumerate(frames):
        for box in image_tiles(frame.size, TILE_SIDES[number % len(TILE_SIDES)]):
            for hand in next(detect_in_frame(detector, frame, box, MAX_TILE_PX)):
                extent = hand_extent(hand)
                if _is_whole(extent, box, frame.size) and all(_are_two_hands(extent, seen) for seen in known):
                    known.append(extent)
    hands: list[HandExtent] = []
    for extent in known:
        close_ups = [close_up for frame in frames if (close_up := _confirm(detector, frame, extent))]
        if 2 * len(close_ups) > len(frames):
            median = HandExtent(*(float(edge) for edge in np.median(close_ups, axis=0)))
            if all(_are_two_hands(median, seen) for seen in hands):
                hands.append(median)
    return hands


def image_tiles(size: Size, sides: Sequence[float]) -> list[Box]:
    """Return the box of the whole image and those of its square tiles, each half overlapping the next; ``sides`` are in
    shorter sides of the image."""
    width, height = size
    cut = [Box(0, 0, width, height)]
    for share in sides:
        side = round(min(size) * share)
        across, down = (math.ceil((length - side) / (side / 2)) + 1 for length in size)
        for row in range(down):
            for column in range(across):
                x = round((width - side) * column / max(1, across - 1))
                y = round((height - side) * row / max(1, down - 1))
                cut.append(Box(x, y, side, side))
    return cut


def hand_extent(hand: DetectedHand) -> HandExtent:
    """Return the edges of a hand, as they are or as they would be if it were open."""
    wrist, base = hand.landmarks[WRIST], hand.landmarks[MIDDLE]
    points = np.vstack([hand.landmarks, wrist + OPEN_HAND_PALMS * (base - wrist)])
    low, high = points.min(0), points.max(0)
    return HandExtent(float(low[0]), float(low[1]), float(high[0]), float(high[1]))


def _is_whole(extent: HandExtent, box: Box, size: Size) -> bool:
    """Whether a tile shows the whole hand; at the image's own edge there is no more to show."""
    left, top = box.x if box.x else -math.inf, box.y if box.y else -math.inf
    right = box.x + box.w if box.x + box.w < size[0] else math.inf
    bottom = box.y + box.h if box.y + box.h < size[1] else math.inf
    return left < extent.left and top < extent.top and extent.right < right and extent.bottom < bottom


def _are_two_hands(a: HandExtent, b: HandExtent) -> bool:
    """Whether these are two hands: their centres are more than half a hand apart."""
    return math.dist(a.centre, b.centre) > 0.5 * max(a.length, b.length)


def _confirm(detector: Detector, frame: Frame, extent: HandExtent) -> HandExtent | None:
    """Return the hand at a place as found in a close-up; None where there is none."""
    width, height = frame.size
    side = round(min(CLOSEUP_HAND_LENGTHS * extent.length, width, height))
    x, y = (round(middle - side / 2) for middle in extent.centre)
    box = Box(min(max(x, 0), width - side), min(max(y, 0), height - side), side, side)
    near = [
        found_again
        for hand in next(detect_in_frame(detector, frame, box, MAX_TILE_PX))
        if not _are_two_hands(found_again := hand_extent(hand), extent)
    ]
    return min(near, key=lambda found_again: math.dist(found_again.centre, extent.centre), default=None)


def sort_by_seat(extents: Sequence[HandExtent], size: Size) -> list[HandExtent]:
    """Return the hands in the order of the seats: first the one nearest the image's lower left corner, then
    anticlockwise around the image's centre, as the screen shows it. People face the table's middle, so that each seat's
    right neighbour is the next seat."""
    if not extents:
        return []
    width, height = size

    def angle(extent: HandExtent) -> float:
        return math.atan2(extent.centre[1] - height / 2, extent.centre[0] - width / 2)

    first = min(extents, key=lambda extent: math.dist(extent.centre, (0, height)))
    return sorted(extents, key=lambda extent: (extent is not first, (angle(first) - angle(extent)) % (2 * math.pi)))


def zones_around(extents: Sequence[HandExtent], size: Size) -> tuple[Zone, ...]:
    """Return a square zone around each hand, of which the hand takes ``HAND_SHARE_OF_ZONE``, moved into the frame.
    Where two overlap, both are cut between the hands, with margins in proportion to the hands.

    Raises:
        ZoneError: A hand is at the frame's edge, or two hands are too near to each other; seats are named by number.
    """
    for seat, extent in enumerate(extents, 1):
        least = MIN_EDGE_MARGIN * extent.length
        if min(extent.left, extent.top, size[0] - extent.right, size[1] - extent.bottom) < least:
            raise ZoneError(
                N(
                    "the hand of seat {seat} is at the edge of the image: hold it further in, or raise the camera",
                    seat=seat,
                )
            )
    cut = [_square_around(extent, size) for extent in extents]
    for (a, first), (b, second) in combinations(enumerate(extents), 2):
        cut[a], cut[b] = _separate(cut[a], cut[b], first, second, (a + 1, b + 1))
    width, height = size
    return tuple(
        Zone(zone.left / width, zone.top / height, (zone.right - zone.left) / width, (zone.bottom - zone.top) / height)
        for zone in cut
    )


def _square_around(extent: HandExtent, size: Size) -> HandExtent:
    side = min(extent.length / HAND_SHARE_OF_ZONE, *size)
    left, top = (
        min(max(middle - side / 2, 0.0), length - side) for middle, length in zip(extent.centre, size, strict=True)
    )
    return HandExtent(left, top, left + side, top + side)


def _separate(
    a: HandExtent, b: HandExtent, first: HandExtent, second: HandExtent, seats: tuple[int, int]
) -> tuple[HandExtent, HandExtent]:
    """Return the zones of two hands, cut where they overlap."""
    if min(a.right, b.right) <= max(a.left, b.left) or min(a.bottom, b.bottom) <= max(a.top, b.top):
        return a, b
    gaps = [max(second[side] - first[side + 2], first[side] - second[side + 2]) for side in (0, 1)]  # across, down
    if max(gaps) < MIN_HAND_MARGIN * (first.length + second.length):
        raise ZoneError(
            N(
                "the hands of seats {one} and {two} are too close together: hold them further apart",
                one=seats[0],
                two=seats[1],
            )
        )
    near = int(gaps[1] > gaps[0])  # the edges to move: left and right, or top and bottom
    far = near + 2
    margin = max(gaps) * (first.length / (first.length + second.length))
    zones = list(a), list(b)
    if first[far] < second[near]:
        at = first[far] + margin
        zones[0][far], zones[1][near] = min(a[far], at), max(b[near], at)
    else:
        at = first[near] - margin
        zones[0][near], zones[1][far] = max(a[near], at), min(b[far], at)
    return HandExtent(*zones[0]), HandExtent(*zones[1])
