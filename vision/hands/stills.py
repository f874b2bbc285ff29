"""What a still picture shows: every hand in it with its throw, the largest first. It looks as often as it takes, unlike
the lock, which has little time for each frame."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Box, Pixels
from errors import ThrowlockError
from rules.throws import Throw
from vision.hands.augmented_looks import LOOKS, Look, look_for_all
from vision.hands.classifier import still_weights
from vision.hands.detector import Hand, HandFinder
from vision.hands.model import Size
from vision.hands.shapes import read_together

LARGEST = 1600
"""Pixels of a picture's longer side; larger ones are shrunk, since the model scales what it sees to 192 and 224."""

LEAST = 0.1
"""Confidence of the detector that is enough here: what it finds below 0.3 is right nine times in ten, and what is not
is outvoted by the other looks."""
SEEN = 0.4
"""A hand found by a smaller share of the looks is none. In sets of blurred and cut-off hands this turns 11 % wrong
into 0 %, at the price of 5 % right; elsewhere it costs 0.2 % right."""

NO_THROW = 1.35
"""In a still, hands are taken to be no throw so many times as often as in training: of hands that are none, left out of
the training, more are refused, and the throws that are refused with them stay under 3 %."""


class PictureError(ThrowlockError):
    """A file can't be used as a picture. The message says which and why, in one line."""


@dataclass(frozen=True)
class Found:
    """A hand in a picture: its throw (None for a hand that is none of the three), the confidence in that (0–1) and
    its box in pixels of the picture, cut at the picture's edges."""

    throw: Throw | None
    confidence: float
    box: Box


class Recogniser:
    """Says what pictures show; keeps the model for all of them::

        with Recogniser() as recogniser:
            for found in recogniser.recognise(read_picture(path)):
                print(found.throw, found.confidence)

    Args:
        model: "full" or "lite".
        hands: how many hands are looked for at most.

    Raises:
        ModelError: the hand model can't be had.
    """

    def __init__(self, model: Size = "full", hands: int = 4) -> None:
        self.finder = HandFinder(model, hands, LEAST)

    def recognise(self, picture: Pixels, looks: Sequence[Look] = LOOKS) -> list[Found]:
        """The hands in an R, G, B picture; first the one that is largest and that most looks found, which a scene is
        about. Each of the ``looks`` costs a call of the model."""
        high, wide = picture.shape[:2]
        scale = min(1.0, LARGEST / max(high, wide, 1))
        if scale < 1:
            picture = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        hands = look_for_all(self.finder, picture, looks)
        return [_found(hand, scale, (wide, high)) for hand in by_weight(hands, len(looks))]

    def close(self) -> None:
        """Lets go of the model."""
        self.finder.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def by_weight(hands: Iterable[Sequence[Hand]], looks: int) -> list[Sequence[Hand]]:
    """The hands that enough of the looks found, as ``put_together`` gives them; first the one that is largest and that
    most looks found."""
    enough = [hand for hand in hands if len(hand) >= SEEN * looks]
    return sorted(enough, key=lambda hand: -len(hand) * math.sqrt(float(np.prod(_edges(hand)[2:] - _edges(hand)[:2]))))


def _edges(hands: Sequence[Hand]) -> NDArray[np.float64]:
    """The middle one of the looks' boxes: left, top, right, bottom."""
    return np.asarray(np.median([(*hand.landmarks.min(0), *hand.landmarks.max(0)) for hand in hands], axis=0))


def _found(hands: Sequence[Hand], scale: float, size: tuple[int, int]) -> Found:
    """What the looks at one hand say together; its box is the middle one of theirs."""
    reading = read_together(hands, no_throw=NO_THROW, network=still_weights())
    edges = _edges(hands) / scale
    low = np.clip(np.floor(edges[:2]), 0, np.array(size) - 1)
    high = np.clip(np.ceil(edges[2:]), low + 1, size)
    return Found(reading.throw, reading.confidence, Box(*(int(side) for side in (*low, *(high - low)))))


def read_picture(path: Path) -> Pixels:
    """A picture file as R, G, B, turned upright where its EXIF data asks for it.

    Raises:
        PictureError: it is missing, can't be read or is no picture.
    """
    try:
        content = np.frombuffer(path.read_bytes(), np.uint8)
    except OSError as fault:
        raise PictureError(f"{path} can't be read: {fault.strerror}.") from fault
    try:
        picture = cv2.imdecode(content, cv2.IMREAD_COLOR) if content.size else None
    except cv2.error as fault:
        raise PictureError(f"{path} can't be read as a picture: {fault.err}.") from fault
    if picture is None:
        raise PictureError(f"{path} is no picture that can be read (JPEG, PNG, WebP, BMP, TIFF …).")
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB), np.uint8)
