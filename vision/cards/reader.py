"""Reads the printed markers in an image: what each stands for, its rotation and its corners. A doubtful marker is not
read.

::

    for card in read_cards(frame.pixels()):
        print(card.printed, card.quarter_turns, card.corners)

Dark four-sided patches are found at half the image's size and smaller (``outlines``); their edges and the squares
inside are then measured in the image itself. The 36 squares of the code are compared with every code that is printed,
in four rotations and with several blurs. The best match counts only if it fits well, nothing else fits nearly as well,
and the black border and the white margin are as they must be. OpenCV's own detector finds 84 % of the markers of 24
pixels in fair conditions, this one 99.7 % (docs/cards.md)."""

import math
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Box, Pixels
from rules.markers import PRINTED_MARKERS, PrintedMarker
from vision.cards.decoder import decode_patches, may_be_markers
from vision.cards.edges import Floats, refine_quads
from vision.cards.outlines import (
    MIN_MARKER_PX,
    Band,
    Grey,
    Patches,
    Quads,
    find_patches,
    find_quads,
    fragment_bands,
    split_into_bands,
)

Points = NDArray[np.float32]
READER_THREADS = 2
"""Bands of an image that are searched in parallel."""
OUTLINE_ERROR = (1.6, 0.08)
"""Largest distance of an outline from the marker's edge: in pixels of its level, plus a share of its side."""
EDGE_ERROR = (1.0, 0.04)
"""The same for the edges of a marker that was read: in pixels of the image, plus a share of its side."""


@dataclass(frozen=True, eq=False)
class Card:
    """A printed marker in an image.

    Attributes:
        printed: What the marker stands for.
        corners: (4, 2), its own upper left, upper right, lower right and lower left corner in pixels, to a fraction;
            (0, 0) is the centre of the image's first pixel.
        quality: How well (0–1) its squares fit its code.
    """

    printed: PrintedMarker
    corners: Points
    quality: float

    @property
    def side_px(self) -> float:
        """Side in pixels of a square with the marker's area."""
        return math.sqrt(abs(cv2.contourArea(self.corners)))

    @property
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
    found: list[Card] = []
    with ThreadPoolExecutor(READER_THREADS) as pool:
        bands = split_into_bands(grey, min_side_px)
        if not bands:
            return found
        patches = list(pool.map(find_patches, bands))
        _read(grey, bands, patches, found)
        if min_side_px < MIN_MARKER_PX * bands[0].scale:
            fragments = [
                part
                for band, of_band in zip(bands, patches, strict=True)
                if band.scale == bands[0].scale
                for part in fragment_bands(grey, band, of_band, [band.box_around(card.corners) for card in found])
            ]
            _read(grey, fragments, list(pool.map(find_patches, fragments)), found)
    return found


def _read(grey: Grey, bands: Sequence[Band], patches: Sequence[Patches], found: list[Card]) -> None:
    """Add the markers among the patches of each band to ``found``, the finest level first. Patches within a marker that
    was read are skipped: they are that marker again, or a square of it. All others are searched once more by
    themselves."""
    for band, of_band in zip(bands, patches, strict=True):
        unread = _unread_boxes(band, of_band.boxes[: len(of_band.quads)], found)
        quads = of_band.quads[unread]
        _add(found, _decode(grey, band.to_image(quads), _reach(band, quads)))
    quads_of_bands = [
        (band, find_quads(band.grey, [of_band.boxes[index] for index in _unread_boxes(band, of_band.boxes, found)]))
        for band, of_band in zip(bands, patches, strict=True)
    ]
    if quads_of_bands:
        in_image = np.concatenate([band.to_image(quads) for band, quads in quads_of_bands])
        reach = np.concatenate([_reach(band, quads) for band, quads in quads_of_bands])
        _add(found, _decode(grey, in_image, reach))


def _unread_boxes(band: Band, boxes: Sequence[Box], found: Sequence[Card]) -> NDArray[np.intp]:
    """Return which of a band's boxes don't have their centre in a marker that was found."""
    if not boxes or not found:
        return np.arange(len(boxes))
    box_centres = band.to_image(np.array([[(box.x + box.w / 2, box.y + box.h / 2)] for box in boxes], np.float32))
    card_centres = np.array([card.centre for card in found])
    inside = np.linalg.norm(box_centres - card_centres, axis=2) < np.array([card.side_px / 2 for card in found])
    return np.flatnonzero(~inside.any(1))


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
    """Return the square roots of the areas."""
    return np.sqrt([cv2.contourArea(quad) for quad in quads]).astype(np.float32)


def _add(found: list[Card], cards: Iterable[Card]) -> None:
    """Add cards without duplicates: of the same marker in the same place, the better one stays."""
    for card in cards:
        for index, other in enumerate(found):
            if other.printed is card.printed and math.dist(other.centre, card.centre) < card.side_px / 2:
                if card.quality > other.quality:
                    found[index] = card
                break
        else:
            found.append(card)
