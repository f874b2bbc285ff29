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
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice, zip_longest

import cv2
import numpy as np
from numpy.typing import NDArray

from device.frames import Pixels
from rules.printed import PRINTED, Printed
from vision.cards.codes import decoded
from vision.cards.edges import Floats, sharpened
from vision.cards.outlines import PROMISED, Band, Grey, Patches, Quads, bands, closer, outlines, outlines_within

Points = NDArray[np.float32]
THREADS = 2
"""Bands of a picture that are looked at at the same time."""
OFF = (1.6, 0.08)
"""How far an outline's side may be off the marker's edge: pixels of its level, and a share of its side."""


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
    """Add to ``found`` what the patches of each band say. Those that say nothing are looked at once more by
    themselves."""
    first = _cards(grey, looked_at, [met.quads for met in patches])
    second = [
        outlines_within(band.grey, [box for box, card in zip_longest(met.boxes, read) if card is None])
        for band, met, read in zip(looked_at, patches, first, strict=True)
    ]
    for cards in (*first, *_cards(grey, looked_at, second)):
        for card in cards:
            if card:
                _add(found, card)


def _cards(grey: Grey, looked_at: Sequence[Band], quads: Sequence[Quads]) -> list[list[Card | None]]:
    """What the patches with these corners in each band say: a card each or None."""
    if not sum(map(len, quads)):
        return [[] for _ in quads]
    reach = np.concatenate([_reach(each) * np.float32(band.scale) for band, each in zip(looked_at, quads, strict=True)])
    there = np.concatenate([band.in_picture(each) for band, each in zip(looked_at, quads, strict=True)])
    there = sharpened(grey, there, reach)
    result = decoded(grey, there)
    cards = iter(
        [
            None if marker < 0 else Card(PRINTED[int(marker)], np.roll(quad, -int(turns), axis=0), float(fit))
            for quad, marker, turns, fit in zip(there, result.markers, result.turns, result.fits, strict=True)
        ]
    )
    return [list(islice(cards, len(each))) for each in quads]


def _reach(quads: Quads) -> Floats:
    """How far the edges may be from each of ``quads``, in pixels of its level."""
    side = np.sqrt([cv2.contourArea(quad) for quad in quads]).astype(np.float32)
    return np.asarray(OFF[0] + OFF[1] * side, np.float32)


def _add(found: list[Card], card: Card) -> None:
    """Take a card in, once: the same marker may be met at two levels."""
    for index, other in enumerate(found):
        if other.printed is card.printed and math.dist(other.centre, card.centre) < card.side / 2:
            if card.quality > other.quality:
                found[index] = card
            return
    found.append(card)
