"""What a zone shows of printed cards, frame by frame: faces, backs, how a card lies, and whether a hand lies on it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Box, Frame, Pixels
from rules.markers import CARD_MM, FRONT_TOP_MM, SIDE_MM, Kind
from vision.cards.reader import Card, read_cards

EDGE_MM = 2.4
"""How far inside a card's edge its white border is looked at: clear of the frame printed on the back, which begins at
3.2."""
EDGE_POINTS = 9
"""Points looked at along each side."""
SHADED = 0.7
"""Share of a card's own white below which a point of its border is not paper: light skin is at 0.65 of it."""
PALE = 0.25
"""The most colour (range of R, G, B over the greatest of them) that paper has in warm light."""
FACES = (Kind.CARD, Kind.FUTURE)
BACKS = (Kind.CARD_BACK, Kind.FUTURE_BACK)
THINGS = (*FACES, *BACKS, Kind.CLASS, Kind.PIECE)
"""What people lay down; mats and boards lie there anyway."""


class Family(Enum):
    """Cards that are played together: the kinds of their faces and of their back."""

    DECK = (Kind.CARD, Kind.CARD_BACK)
    FUTURE = (Kind.FUTURE, Kind.FUTURE_BACK)

    @property
    def face(self) -> Kind:
        """The kind of the fronts."""
        return self.value[0]

    @property
    def back(self) -> Kind:
        """The kind of the common back."""
        return self.value[1]


@dataclass(frozen=True)
class Lie:
    """How a card lies: the middle of its marker in pixels of the frame, how far it is turned in degrees, and how many
    pixels a millimetre has there."""

    x: float
    y: float
    angle: float
    px_per_mm: float

    def away_mm(self, other: "Lie") -> float:
        """How far the other's middle is from this one's."""
        return math.hypot(self.x - other.x, self.y - other.y) / self.px_per_mm

    def turned(self, other: "Lie") -> float:
        """By how many degrees the other is turned against this one, 0 to 180."""
        return abs((self.angle - other.angle + 180) % 360 - 180)


def lie_of(card: Card) -> Lie:
    """How a card that was read lies."""
    x, y = card.centre
    return Lie(x, y, card.angle, card.side / SIDE_MM[card.printed.kind])


class Look:
    """One frame and every card of ours in it, read when it is first asked for."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self._pixels: Pixels | None = None
        self._cards: tuple[Card, ...] | None = None

    @property
    def when_ns(self) -> int:
        """When it was exposed."""
        return self.frame.exposed_ns

    @property
    def pixels(self) -> Pixels:
        """The whole frame."""
        return self.frame.pixels() if self._pixels is None else self._pixels

    def within(self, zone: Box) -> list[Card]:
        """The cards whose marker's middle lies in a zone (pixels of the frame)."""
        if self._cards is None:
            self._pixels = self.frame.pixels()
            self._cards = tuple(card for card in read_cards(self._pixels) if card.printed.kind in THINGS)
            self._pixels = None
        return [card for card in self._cards if _inside(zone, card.centre)]


def _inside(zone: Box, point: tuple[float, float]) -> bool:
    x, y = point
    return zone.x <= x < zone.x + zone.w and zone.y <= y < zone.y + zone.h


class Looks:
    """The frames of a round, each looked at once at most."""

    def __init__(self, frames: Sequence[Frame]) -> None:
        self.looks = [Look(frame) for frame in frames]
        self.times = np.array([frame.exposed_ns for frame in frames], np.int64)

    def index(self, when_ns: int) -> int:
        """The frame exposed nearest a time."""
        return int(np.abs(self.times - when_ns).argmin())


def white_of(pixels: Pixels, card: Card) -> float:
    """The level (of 255) of the paper between a marker's black squares."""
    x, y, w, h = cv2.boundingRect(card.corners)
    part = pixels[max(0, y) : y + h, max(0, x) : x + w]
    return float(np.percentile(part.max(2), 95)) if part.size else 255.0


def is_free(pixels: Pixels, card: Card) -> bool:
    """Whether a card's white border is seen all around: no finger lies on it."""
    levels = np.array([_level(pixels, x, y) for x, y in _border(card)])
    return bool((levels >= SHADED * white_of(pixels, card)).all())


def _level(pixels: Pixels, x: float, y: float) -> float:
    """How bright paper is at a point; 0 where what is seen there has colour."""
    at_x, at_y = round(x), round(y)
    part = pixels[max(0, at_y - 1) : at_y + 2, max(0, at_x - 1) : at_x + 2].reshape(-1, 3)
    if not len(part):
        return 0.0
    colour = part.mean(0)
    return float(colour.max()) if colour.max() - colour.min() <= PALE * colour.max() else 0.0


def _border(card: Card) -> NDArray[np.float32]:
    """Points (n, 2) in pixels along the inside of a card's edge, from where its marker is."""
    wide, high = CARD_MM
    side = SIDE_MM[card.printed.kind]
    left = (wide - side) / 2
    top = FRONT_TOP_MM if card.printed.kind in FACES else (high - side) / 2
    drawn = np.array([(left, top), (left + side, top), (left + side, top + side), (left, top + side)], np.float32)
    across = np.linspace(EDGE_MM, wide - EDGE_MM, EDGE_POINTS)
    down = np.linspace(EDGE_MM, high - EDGE_MM, EDGE_POINTS)
    points = [(x, y) for x in across for y in (EDGE_MM, high - EDGE_MM)]
    points += [(x, y) for y in down for x in (EDGE_MM, wide - EDGE_MM)]
    lie = cv2.getPerspectiveTransform(drawn, card.corners.astype(np.float32))
    return np.asarray(cv2.perspectiveTransform(np.array([points], np.float32), lie)[0], np.float32)


def paper_share(pixels: Pixels, zone: Box, white: float, lie: Lie) -> float:
    """How much paper a zone shows, in shares of a card's area. A white table counts as paper."""
    part = pixels[zone.y : zone.y + zone.h, zone.x : zone.x + zone.w].astype(np.int16)
    most, least = part.max(2), part.min(2)
    paper = (most >= SHADED * white) & (most - least <= PALE * most)
    return float(paper.sum()) / (CARD_MM[0] * CARD_MM[1] * lie.px_per_mm**2)


SHINING = 245
"""The level (of 255) that all colours of a reflection reach: paper and skin are below it."""
DAZZLED = 0.4
"""Share of a marker's place that shines from which on a reflection, not a hand, keeps it from being read."""


def is_dazzled(pixels: Pixels, lie: Lie) -> bool:
    """Whether a lamp shines into the place of a back's marker."""
    place = _place(pixels, lie)
    return bool((place.min(2) >= SHINING).mean() >= DAZZLED)


PATCH = 24
"""Side in pixels of the small picture of a card that tells a shadow from a hand."""


def patch_of(pixels: Pixels, lie: Lie) -> NDArray[np.float32]:
    """A small grey picture of the place of a back's marker, of mean 0 and length 1; all 0 where it is of one colour."""
    grey = cv2.cvtColor(np.ascontiguousarray(_place(pixels, lie)), cv2.COLOR_RGB2GRAY)
    small = cv2.resize(grey, (PATCH, PATCH), interpolation=cv2.INTER_AREA).astype(np.float32)
    small -= small.mean()
    length = float(np.linalg.norm(small))
    return np.asarray(small / length if length > PATCH else np.zeros_like(small), np.float32)


def _place(pixels: Pixels, lie: Lie) -> Pixels:
    """The part of a frame where a back's marker lies."""
    reach = SIDE_MM[Kind.CARD_BACK] * lie.px_per_mm / 2
    high, wide = pixels.shape[:2]
    x0, x1 = sorted((round(np.clip(lie.x - reach, 0, wide - 2)), round(np.clip(lie.x + reach, 2, wide))))
    y0, y1 = sorted((round(np.clip(lie.y - reach, 0, high - 2)), round(np.clip(lie.y + reach, 2, high))))
    return pixels[y0:y1, x0:x1]
