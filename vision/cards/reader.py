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
from dataclasses import dataclass
from itertools import zip_longest

import cv2
import numpy as np
from numpy.typing import NDArray

from device.frames import Pixels
from rules.printed import PRINTED, Printed
from vision.cards.codes import decoded
from vision.cards.edges import sharpened
from vision.cards.outlines import Grey, Quads, levels, outlines, outlines_within

Points = NDArray[np.float32]


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


def read_cards(picture: Pixels | Grey) -> list[Card]:
    """Every marker of ours in a picture, grey or in colours (R, G, B), in no order. One that is there
    several times is given several times."""
    grey = picture if picture.ndim == 2 else np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), np.uint8)
    found: list[Card] = []
    looked_at = list(levels(grey))
    for scale, level in looked_at:
        for card in _read_level(grey, level, scale, scale == looked_at[-1][0]):
            _add(found, card)
    return found


def _read_level(grey: Grey, level: Grey, scale: int, last: bool) -> list[Card]:
    """The markers met at one level; what could be one and is not read is looked at a second time by itself."""
    patches = outlines(level, last)
    first = _read(grey, patches.quads, scale)
    unread = [box for box, card in zip_longest(patches.boxes, first) if card is None]
    return [card for card in (*first, *_read(grey, outlines_within(level, unread), scale)) if card]


def _read(grey: Grey, quads: Quads, scale: int) -> list[Card | None]:
    """What patches with these corners, in pixels of a level, say: a card each or None."""
    if not len(quads):
        return []
    side = np.sqrt([cv2.contourArea(quad) for quad in quads]).astype(np.float32)
    there = sharpened(grey, (quads + np.float32(0.5)) * scale - np.float32(0.5), (1.6 + 0.08 * side) * scale)
    result = decoded(grey, there)
    return [
        None if marker < 0 else Card(PRINTED[int(marker)], np.roll(quad, -int(turns), axis=0), float(fit))
        for quad, marker, turns, fit in zip(there, result.markers, result.turns, result.fits, strict=True)
    ]


def _add(found: list[Card], card: Card) -> None:
    """Take a card in, once: the same marker may be met at two levels."""
    for index, other in enumerate(found):
        if other.printed is card.printed and math.dist(other.centre, card.centre) < card.side / 2:
            if card.quality > other.quality:
                found[index] = card
            return
    found.append(card)
