"""Observations of printed cards in single frames: faces and backs, the pose of a card, and whether a hand is on it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Box, Frame, Pixels
from rules.markers import CARD_FRONT_MARKER_TOP_MM, CARD_SIZE_MM, MARKER_SIDE_MM, MarkerKind
from vision.cards.reader import Card, read_cards

BORDER_INSET_MM = 2.4
"""How far inside a card's edge its white border is sampled: clear of the frame printed on the back, which begins at
3.2."""
BORDER_POINTS_PER_SIDE = 9
"""Points sampled along each side."""
MIN_PAPER_LEVEL = 0.7
"""Share of a card's own white below which a point of its border is not paper: light skin has 0.65."""
MAX_PAPER_COLOUR = 0.25
"""Most saturation (range of R, G, B divided by the greatest of them) that paper has in warm light."""
FACE_KINDS = (MarkerKind.CARD, MarkerKind.FUTURE)
BACK_KINDS = (MarkerKind.CARD_BACK, MarkerKind.FUTURE_BACK)
HANDLED_KINDS = (*FACE_KINDS, *BACK_KINDS, MarkerKind.CLASS, MarkerKind.PIECE)
"""Kinds of markers that players handle; mats and boards just lie there."""


class CardFamily(Enum):
    """Cards that are played together: the kinds of marker on their faces and on their back."""

    DECK = (MarkerKind.CARD, MarkerKind.CARD_BACK)
    FUTURE = (MarkerKind.FUTURE, MarkerKind.FUTURE_BACK)

    @classmethod
    def of_faces(cls, kind: MarkerKind) -> "CardFamily":
        """Return the family of cards whose faces have markers of ``kind``. Raises StopIteration if there is none."""
        return next(family for family in cls if family.face is kind)

    @property
    def face(self) -> MarkerKind:
        """The kind of the faces."""
        return self.value[0]

    @property
    def back(self) -> MarkerKind:
        """The kind of the common back."""
        return self.value[1]


@dataclass(frozen=True)
class CardPose:
    """Where a card lies."""

    x: float
    """The centre of its marker, in pixels of the frame."""
    y: float
    """The centre of its marker, in pixels of the frame."""
    angle_deg: float
    """Its rotation."""
    px_per_mm: float
    """The pixels of a millimetre where it lies."""

    def distance_mm(self, other: "CardPose") -> float:
        """Return the distance of the two centres."""
        return math.hypot(self.x - other.x, self.y - other.y) / self.px_per_mm

    def rotation_to_deg(self, other: "CardPose") -> float:
        """Return the rotation between the two in degrees, 0 to 180."""
        return abs((self.angle_deg - other.angle_deg + 180) % 360 - 180)


def card_pose(card: Card) -> CardPose:
    """Return the pose of a card."""
    x, y = card.centre
    return CardPose(x, y, card.angle_deg, card.side_px / MARKER_SIDE_MM[card.printed.kind])


class ObservedFrame:
    """A frame and the cards in it, which are read when first asked for."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame

    @property
    def exposed_ns(self) -> int:
        """When the frame was exposed."""
        return self.frame.exposed_ns

    @property
    def pixels(self) -> Pixels:
        """The whole frame; not kept, since the frames of a round are many."""
        return self.frame.pixels()

    @cached_property
    def cards(self) -> list[Card]:
        """The cards in the whole frame."""
        return [card for card in read_cards(self.pixels) if card.printed.kind in HANDLED_KINDS]

    def cards_in(self, zone: Box) -> list[Card]:
        """Return the cards whose marker has its centre in a zone (pixels of the frame)."""
        return [
            card
            for card in self.cards
            if zone.x <= card.centre[0] < zone.x + zone.w and zone.y <= card.centre[1] < zone.y + zone.h
        ]


class ObservedFrames:
    """The frames of a round, each read at most once."""

    def __init__(self, frames: Sequence[Frame]) -> None:
        self.frames: list[ObservedFrame] = []
        self._times_ns = np.array([], np.int64)
        self.extend(frames)

    def extend(self, frames: Sequence[Frame]) -> None:
        """Go on with a recording that has grown: ``frames`` are those so far, and further ones."""
        new = frames[len(self.frames) :]
        self.frames += [ObservedFrame(frame) for frame in new]
        self._times_ns = np.append(self._times_ns, np.array([frame.exposed_ns for frame in new], np.int64))

    def time_ns(self, index: int) -> int:
        """Return when a frame was exposed."""
        return self.frames[index].exposed_ns

    def nearest_frame(self, time_ns: int) -> int:
        """Return the index of the frame exposed nearest a time."""
        return int(np.abs(self._times_ns - time_ns).argmin())


def measure_paper_level(pixels: Pixels, card: Card) -> float:
    """Return the level (of 255) of the paper between a marker's black squares."""
    x, y, w, h = cv2.boundingRect(card.corners)
    part = pixels[max(0, y) : y + h, max(0, x) : x + w]
    return float(np.percentile(part.max(2), 95)) if part.size else 255.0


def has_free_border(pixels: Pixels, card: Card) -> bool:
    """Whether a card's white border is visible all around, with no finger on it."""
    levels = np.array([_paper_level_at(pixels, x, y) for x, y in _border_points(card)])
    return bool((levels >= MIN_PAPER_LEVEL * measure_paper_level(pixels, card)).all())


def _paper_level_at(pixels: Pixels, x: float, y: float) -> float:
    """Return the level (of 255) of paper at a point; 0 where the point is coloured."""
    column, row = round(x), round(y)
    part = pixels[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2].reshape(-1, 3)
    if not len(part):
        return 0.0
    colour = part.mean(0)
    return float(colour.max()) if colour.max() - colour.min() <= MAX_PAPER_COLOUR * colour.max() else 0.0


def _border_points(card: Card) -> NDArray[np.float32]:
    """Return points (n, 2) in pixels along the inside of a card's edge, computed from its marker."""
    width, height = CARD_SIZE_MM
    side = MARKER_SIDE_MM[card.printed.kind]
    left = (width - side) / 2
    top = CARD_FRONT_MARKER_TOP_MM if card.printed.kind in FACE_KINDS else (height - side) / 2
    printed_mm = np.array([(left, top), (left + side, top), (left + side, top + side), (left, top + side)], np.float32)
    across = np.linspace(BORDER_INSET_MM, width - BORDER_INSET_MM, BORDER_POINTS_PER_SIDE)
    down = np.linspace(BORDER_INSET_MM, height - BORDER_INSET_MM, BORDER_POINTS_PER_SIDE)
    points = [(x, y) for x in across for y in (BORDER_INSET_MM, height - BORDER_INSET_MM)]
    points += [(x, y) for y in down for x in (BORDER_INSET_MM, width - BORDER_INSET_MM)]
    pose = cv2.getPerspectiveTransform(printed_mm, card.corners.astype(np.float32))
    return np.asarray(cv2.perspectiveTransform(np.array([points], np.float32), pose)[0], np.float32)


def paper_share(pixels: Pixels, zone: Box, paper_level: float, pose: CardPose) -> float:
    """Return how much paper a zone shows, as a share of a card's area. A white table counts as paper."""
    part = pixels[zone.y : zone.y + zone.h, zone.x : zone.x + zone.w].astype(np.int16)
    most, least = part.max(2), part.min(2)
    paper = (most >= MIN_PAPER_LEVEL * paper_level) & (most - least <= MAX_PAPER_COLOUR * most)
    return float(paper.sum()) / (CARD_SIZE_MM[0] * CARD_SIZE_MM[1] * pose.px_per_mm**2)


GLARE_LEVEL = 245
"""Level (of 255) that all colours of a reflection reach; paper and skin are below it."""
MIN_GLARE_SHARE = 0.4
"""Share of a marker's area in glare from which a reflection, and not a hand, makes it unreadable."""


def has_glare(pixels: Pixels, pose: CardPose) -> bool:
    """Whether a lamp is reflected where a back's marker lies."""
    area = _marker_area(pixels, pose)
    return bool((area.min(2) >= GLARE_LEVEL).mean() >= MIN_GLARE_SHARE)


PATCH_PX = 24
"""Side of the thumbnail of a marker that distinguishes a shadow from a hand."""


def card_patch(pixels: Pixels, pose: CardPose) -> NDArray[np.float32]:
    """Return a small grey image of where a back's marker lies, with mean 0 and norm 1; all 0 if it has a single
    colour."""
    grey = cv2.cvtColor(np.ascontiguousarray(_marker_area(pixels, pose)), cv2.COLOR_RGB2GRAY)
    small = cv2.resize(grey, (PATCH_PX, PATCH_PX), interpolation=cv2.INTER_AREA).astype(np.float32)
    small -= small.mean()
    norm = float(np.linalg.norm(small))
    return np.asarray(small / norm if norm > PATCH_PX else np.zeros_like(small), np.float32)


def _marker_area(pixels: Pixels, pose: CardPose) -> Pixels:
    """Return the part of a frame where a back's marker lies."""
    reach = MARKER_SIDE_MM[MarkerKind.CARD_BACK] * pose.px_per_mm / 2
    height, width = pixels.shape[:2]
    x0, x1 = sorted((round(np.clip(pose.x - reach, 0, width - 2)), round(np.clip(pose.x + reach, 2, width))))
    y0, y1 = sorted((round(np.clip(pose.y - reach, 0, height - 2)), round(np.clip(pose.y + reach, 2, height))))
    return pixels[y0:y1, x0:x1]
