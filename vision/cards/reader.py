"""Reads the printed markers in an image: what each stands for, its rotation and its corners. A doubtful marker is not
read.

::

    for card in read_cards(frame.pixels()):
        print(card.printed, card.quarter_turns, card.corners)

Dark four-sided patches are found at half the image's size and smaller (``outlines``); their edges and the squares
inside are then measured in the image itself. The 36 squares of the code are compared with every code that is printed,
in four rotations and with several blurs. The best match counts only if it fits well, nothing else fits nearly as well,
and the black border and the white margin are as they must be. OpenCV's own detector finds 84 % of the markers of 24
pixels in fair conditions, this one 99.7 % (measurements/2026-11/printed-cards.md)."""

import math
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Box, Frame, Grey, Pixels, Size
from rules.markers import PRINTED_MARKERS, PrintedMarker
from vision.cards.decoder import decode_patches, may_be_markers
from vision.cards.outlines import (
    MIN_MARKER_PX,
    Band,
    Floats,
    Patches,
    Quads,
    find_patches,
    find_quads,
    fragment_bands,
    image_levels,
    refine_quads,
    split_into_bands,
    window_around,
)

Points = NDArray[np.float32]
READER_THREADS = 2
"""Bands of an image that are searched in parallel."""
LIVE_BANDS = (5, 2)
"""Rows and columns of bands, each of them searched in another frame of a camera: of a class in 12 megapixels, one takes
about as long as reading the cards whose places are known."""
MAX_GAP_NS = 1_000_000_000
"""Time between two frames after which nothing is known any more of where cards are."""
OUTLINE_ERROR = (1.6, 0.08)
"""Largest distance of an outline from the marker's edge: in pixels of its level, plus a share of its side."""
EDGE_ERROR = (1.0, 0.04)
"""The same for the edges of a marker that was read: in pixels of the image, plus a share of its side."""


@dataclass(frozen=True, eq=False)
class Card:
    """A printed marker in an image."""

    printed: PrintedMarker
    """What the marker stands for."""
    corners: Points
    """(4, 2), its own upper left, upper right, lower right and lower left corner in pixels, to a fraction; (0, 0) is
    the centre of the image's first pixel."""
    quality: float
    """How well (0–1) its squares fit its code."""

    @cached_property
    def side_px(self) -> float:
        """Side in pixels of a square with the marker's area."""
        return math.sqrt(abs(cv2.contourArea(self.corners)))

    @cached_property
    def centre(self) -> tuple[float, float]:
        """Centre in pixels."""
        x, y = self.corners.mean(0)
        return float(x), float(y)

    @property
    def angle_deg(self) -> float:
        """Clockwise rotation in the image in degrees, from 0 (its top up) to less than 360."""
        upper_left, upper_right, lower_right, lower_left = self.corners
        up = upper_left + upper_right - lower_left - lower_right
        return math.degrees(math.atan2(float(up[0]), float(-up[1]))) % 360

    @property
    def quarter_turns(self) -> int:
        """Clockwise rotation in the image in quarter turns, 0–3, rounded."""
        return round(self.angle_deg / 90) % 4

    @property
    def skew_deg(self) -> float:
        """Degrees from that quarter turn, 0–45. Near 45 the rotation is in doubt."""
        return abs((self.angle_deg + 45) % 90 - 45)


def read_cards(image: Pixels | Grey, min_side_px: float = MIN_MARKER_PX) -> list[Card]:
    """Return every printed marker in a grey or R, G, B image, in no order, each as often as it is there.
    ``min_side_px`` is the side from which markers are found: with 48, a large image takes far less time."""
    grey = image if image.ndim == 2 else np.asarray(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), np.uint8)
    levels = image_levels(grey, min_side_px)
    return _search(grey, split_into_bands(levels, READER_THREADS), min_side_px)


class LiveReader:
    """Reads the printed markers in the frames of a camera, one after the other, in a fraction of the time that
    ``read_cards`` takes for each::

        reader = LiveReader()
        cards = reader.read(camera.latest())

    The first frame, and one of another size or more than ``MAX_GAP_NS`` after the previous one, is searched as a whole.
    In each of the others, a marker that was read before is read where it was; if it isn't there, it is searched for
    around that place. Of the whole image one part is searched, the next one in every frame: what has appeared or moved
    far is read after at most ``search_frames`` frames. What a marker stands for is read anew in every frame."""

    def __init__(self, min_side_px: float = MIN_MARKER_PX) -> None:
        self._min_side_px = min_side_px
        self._previous: tuple[Size, int] | None = None
        self._next_part = 0
        self._unread_frames: dict[Card, int] = {}
        self.search_frames = 1
        """Frames in which every part of the image is searched once."""

    def read(self, frame: Frame) -> list[Card]:
        """Return the markers read in the next frame, in no order."""
        grey = frame.grey()
        levels = image_levels(grey, self._min_side_px)
        parts = split_into_bands(levels, *LIVE_BANDS)
        self.search_frames = max(1, len(parts))
        size, exposed_ns = self._previous or (None, 0)
        self._previous = (frame.size, frame.exposed_ns)
        if frame.size != size or frame.exposed_ns - exposed_ns > MAX_GAP_NS:
            self._unread_frames = {}
            cards = read_cards(grey, self._min_side_px)
        else:
            part = parts[self._next_part : self._next_part + 1]
            self._next_part = (self._next_part + 1) % self.search_frames
            cards = _search(grey, part, self._min_side_px, lambda: self._read_known(grey, levels))
        read = {card.printed for card in cards}
        unread = {
            card: frames + 1
            for card, frames in self._unread_frames.items()
            if card.printed not in read and frames < self.search_frames
        }
        self._unread_frames = dict.fromkeys(cards, 0) | unread
        return cards

    def _read_known(self, grey: Grey, levels: Sequence[Band]) -> list[Card]:
        """Return the markers where some were read before, and around those places where there is none now."""
        cards = list(self._unread_frames)
        quads = np.array([card.corners for card in cards], np.float32).reshape(-1, 4, 2)
        known: list[Card] = []
        _add(known, _decode(grey, quads, OUTLINE_ERROR[0] + OUTLINE_ERROR[1] * _sides(quads)))
        for least_px in (MIN_MARKER_PX / 2, MIN_MARKER_PX):  # the smaller size first: it takes less time
            windows = [_window(grey, levels, cards[index], least_px) for index in _outside(quads.mean(1), known)]
            known = _read(grey, windows, [find_patches(window) for window in windows], known)
        return known


def _window(grey: Grey, levels: Sequence[Band], card: Card, least_px: float) -> Band:
    """Return the part of the image around a card, at the smallest size at which its marker has ``least_px`` pixels."""
    side_px = card.side_px
    fitting = [level for level in (Band(grey), *levels) if side_px >= least_px * level.scale]
    return window_around(max(fitting, key=lambda level: level.scale, default=Band(grey)), card.corners, side_px / 2)


def _search(
    grey: Grey, bands: Sequence[Band], min_side_px: float, read_before: Callable[[], Sequence[Card]] = tuple
) -> list[Card]:
    """Return the markers in the bands, and at full size wherever those of the finest level have something small that
    was not read. ``read_before``, called while the bands are searched, returns markers that were read already, which
    are returned as well."""
    with ThreadPoolExecutor(READER_THREADS) as pool:
        patches_of_bands = pool.map(find_patches, bands)
        before = read_before()
        patches = list(patches_of_bands)
        cards = _read(grey, bands, patches, before)
        fragments = [
            part
            for band, of_band in zip(bands, patches, strict=True)
            if band.first and min_side_px < MIN_MARKER_PX * band.scale
            for part in fragment_bands(grey, band, of_band, [band.box_around(card.corners) for card in cards])
        ]
        return _read(grey, fragments, list(pool.map(find_patches, fragments)), cards)


def _read(
    grey: Grey, bands: Sequence[Band], patches: Sequence[Patches], already_found: Sequence[Card] = ()
) -> list[Card]:
    """Add the markers among the patches of each band to those already found, the finest level first. Patches within a
    marker that was read are skipped: they are that marker again, or a square of it. All others are searched once more
    by themselves."""
    cards = list(already_found)
    for scale in sorted({band.scale for band in bands}):
        quads_of_bands = []
        for band, of_band in zip(bands, patches, strict=True):
            if band.scale == scale:
                unread = _unread_boxes(band, of_band.boxes[: len(of_band.quads)], cards)
                quads_of_bands.append((band, of_band.quads[unread]))
        _add_markers(grey, quads_of_bands, cards)
    quads_of_bands = [
        (band, find_quads(band.grey, [of_band.boxes[index] for index in _unread_boxes(band, of_band.boxes, cards)]))
        for band, of_band in zip(bands, patches, strict=True)
    ]
    _add_markers(grey, quads_of_bands, cards)
    return cards


def _unread_boxes(band: Band, boxes: Sequence[Box], cards: Sequence[Card]) -> NDArray[np.intp]:
    """Return which of a band's boxes don't have their centre in a marker that was found."""
    centres = np.array([(box.x + box.w / 2, box.y + box.h / 2) for box in boxes], np.float32).reshape(-1, 1, 2)
    return _outside(band.to_image(centres)[:, 0], cards)


def _add_markers(grey: Grey, quads_of_bands: Sequence[tuple[Band, Quads]], cards: list[Card]) -> None:
    if quads_of_bands:
        in_image = np.concatenate([band.to_image(quads) for band, quads in quads_of_bands])
        reach = np.concatenate([_reach(band, quads) for band, quads in quads_of_bands])
        _add(cards, _decode(grey, in_image, reach))


def _outside(points: Floats, cards: Sequence[Card]) -> NDArray[np.intp]:
    """Return which of some points (n, 2) in pixels of the image are in none of the cards' markers."""
    centres = np.array([card.centre for card in cards], np.float32).reshape(-1, 2)
    radii = np.array([card.side_px / 2 for card in cards], np.float32)
    return np.flatnonzero(~(np.linalg.norm(points[:, None] - centres, axis=2) < radii).any(1))


def _reach(band: Band, quads: Quads) -> Floats:
    """Return how far from the sides of a band's patches their edges may be, in pixels of the image."""
    return np.asarray((OUTLINE_ERROR[0] + OUTLINE_ERROR[1] * _sides(quads)) * band.scale, np.float32)


def _decode(grey: Grey, quads: Quads, reach: Floats) -> list[Card]:
    """Return the markers among patches whose edges are within ``reach`` of their sides. Those that are read are refined
    and decoded a second time, with the same result required."""
    candidates = np.flatnonzero(may_be_markers(grey, quads)) if len(quads) else np.empty(0, np.intp)
    if not len(candidates):
        return []
    refined = refine_quads(grey, quads[candidates], reach[candidates])
    first = decode_patches(grey, refined).markers
    read = first >= 0
    if not read.any():
        return []
    refined = refine_quads(grey, refined[read], EDGE_ERROR[0] + EDGE_ERROR[1] * _sides(refined[read]))
    second = decode_patches(grey, refined)
    return [
        Card(PRINTED_MARKERS[int(marker)], np.roll(corners, -int(turns), axis=0), float(fit))
        for first_marker, marker, turns, fit, corners in zip(
            first[read], second.markers, second.turns, second.fits, refined, strict=True
        )
        if marker == first_marker
    ]


def _sides(quads: Quads) -> Floats:
    return np.sqrt([cv2.contourArea(quad) for quad in quads]).astype(np.float32)


def _add(known: list[Card], cards: Iterable[Card]) -> None:
    """Add cards without duplicates: of the same marker in the same place, the better one stays."""
    for card in cards:
        for index, earlier in enumerate(known):
            if earlier.printed is card.printed and math.dist(earlier.centre, card.centre) < card.side_px / 2:
                if card.quality > earlier.quality:
                    known[index] = card
                break
        else:
            known.append(card)
