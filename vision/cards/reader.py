"""Which printed markers a picture shows: what they stand for, way up and corners. What is in doubt is not read.

::

    for card in read_cards(frame.pixels()):
        print(card.printed, card.turns, card.corners)

Dark four-sided patches are found at half the picture's size and smaller (``outlines``); their edges, and the squares
inside, are then measured in the picture itself. The 36 squares of the code are compared with every code we print,
turned four ways and blurred a little, and the best of them is believed only where it fits well, nothing else fits
nearly as well, and the black border and the white round it are what they must be.
"""

import math
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Box, Pixels
from rules.markers import PRINTED, Printed
from vision.cards.decoder import decoded, likely
from vision.cards.edges import Floats, sharpened
from vision.cards.outlines import PROMISED, Band, Grey, Patches, Quads, bands, closer, outlines, outlines_within

Points = NDArray[np.float32]
THREADS = 2
"""Bands of a picture that are looked at at the same time."""
OFF = (1.6, 0.08)
"""How far an outline's side may be off the marker's edge: pixels of its level, and a share of its side."""
NEARER = (1.0, 0.04)
"""The same for a marker's edges once it is read: pixels of the picture."""


@dataclass(frozen=True, eq=False)
class Card:
    """A printed marker as a picture shows it. ``corners`` (4, 2) are its own upper left, upper right, lower right and
    lower left in pixels, to a fraction; (0, 0) is the middle of the picture's first pixel. ``quality`` (0–1) is how
    well its squares fit its code."""

    printed: Printed
    corners: Points
    quality: float

    @property
    def side(self) -> float:
        """The side in pixels of a square with the marker's area."""
        return math.sqrt(abs(cv2.contourArea(self.corners)))

    @property
    def centre(self) -> tuple[float, float]:
        """Its middle in pixels."""
        x, y = self.corners.mean(0)
        return float(x), float(y)

    @property
    def angle(self) -> float:
        """By how many degrees it is seen turned clockwise, from 0, its top up, to less than 360."""
        upper_left, upper_right, lower_right, lower_left = self.corners
        up = upper_left + upper_right - lower_left - lower_right
        return math.degrees(math.atan2(float(up[0]), float(-up[1]))) % 360

    @property
    def turns(self) -> int:
        """By how many quarter turns clockwise it is seen turned, 0–3: the nearest."""
        return round(self.angle / 90) % 4

    @property
    def askew(self) -> float:
        """By how many degrees it is off that quarter turn, 0–45. Near 45 the way up is in doubt."""
        return abs((self.angle + 45) % 90 - 45)


def read_cards(picture: Pixels | Grey, least: float = PROMISED) -> list[Card]:
    """Every marker of ours in a picture, grey or in colours (R, G, B), in no order. One that is there several times is
    given several times. ``least`` is the side in pixels from which on they are to be found; who knows that none is
    smaller than 48 is spared most of the time that a large picture takes."""
    grey = picture if picture.ndim == 2 else np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), np.uint8)
    found: list[Card] = []
    with ThreadPoolExecutor(THREADS) as pool:
        looked_at = bands(grey, least)
        if not looked_at:
            return found
        patches = list(pool.map(outlines, looked_at))
        _read(grey, looked_at, patches, found)
        if least < PROMISED * looked_at[0].scale:
            again = [
                part
                for band, met in zip(looked_at, patches, strict=True)
                if band.scale == looked_at[0].scale
                for part in closer(grey, band, met, [band.around(card.corners) for card in found])
            ]
            _read(grey, again, list(pool.map(outlines, again)), found)
    return found


def _read(grey: Grey, looked_at: Sequence[Band], patches: Sequence[Patches], found: list[Card]) -> None:
    """Add to ``found`` what the patches of each band say, the finest level first. What lies in a marker that was read
    is that marker again, or a square of it; what else says nothing is looked at once more by itself."""
    for band, met in zip(looked_at, patches, strict=True):
        fresh = _outside(band, met.boxes[: len(met.quads)], found)
        quads = met.quads[fresh]
        _add(found, _decoded(grey, band.in_picture(quads), _reach(band, quads)))
    second = [
        (band, outlines_within(band.grey, [met.boxes[index] for index in _outside(band, met.boxes, found)]))
        for band, met in zip(looked_at, patches, strict=True)
    ]
    if second:
        there = np.concatenate([band.in_picture(quads) for band, quads in second])
        reach = np.concatenate([_reach(band, quads) for band, quads in second])
        _add(found, _decoded(grey, there, reach))


def _outside(band: Band, boxes: Sequence[Box], found: Sequence[Card]) -> NDArray[np.intp]:
    """Which of a band's boxes have their middle in no marker that was found."""
    if not boxes or not found:
        return np.arange(len(boxes))
    middles = band.in_picture(np.array([[(box.x + box.w / 2, box.y + box.h / 2)] for box in boxes], np.float32))
    centres = np.array([card.centre for card in found])
    inside = np.linalg.norm(middles - centres, axis=2) < np.array([card.side / 2 for card in found])
    return np.flatnonzero(~inside.any(1))


def _reach(band: Band, quads: Quads) -> Floats:
    """How far from the sides of a band's patches their edges may be, in pixels of the picture."""
    return np.asarray((OFF[0] + OFF[1] * _sides(quads)) * band.scale, np.float32)


def _decoded(grey: Grey, quads: Quads, reach: Floats) -> list[Card]:
    """The markers among patches whose edges are within ``reach`` of these corners. Those that are read are measured
    once more from nearby, and must say the same."""
    places = np.flatnonzero(likely(grey, quads)) if len(quads) else np.empty(0, np.intp)
    if not len(places):
        return []
    there = sharpened(grey, quads[places], reach[places])
    first = decoded(grey, there).markers
    read = first >= 0
    if not read.any():
        return []
    there = sharpened(grey, there[read], NEARER[0] + NEARER[1] * _sides(there[read]))
    again = decoded(grey, there)
    return [
        Card(PRINTED[int(marker)], np.roll(corners, -int(turns), axis=0), float(fit))
        for before, marker, turns, fit, corners in zip(
            first[read], again.markers, again.turns, again.fits, there, strict=True
        )
        if marker == before
    ]


def _sides(quads: Quads) -> Floats:
    """The roots of the areas."""
    return np.sqrt([cv2.contourArea(quad) for quad in quads]).astype(np.float32)


def _add(found: list[Card], met: Iterable[Card]) -> None:
    """Take cards in, each once: the same marker may be met twice. The better of the two stays."""
    for card in met:
        for index, other in enumerate(found):
            if other.printed is card.printed and math.dist(other.centre, card.centre) < card.side / 2:
                if card.quality > other.quality:
                    found[index] = card
                break
        else:
            found.append(card)
