"""Recognises the throws in a still image: every hand in it, the largest first. It uses all augmentations, unlike the
lock, which has little time for each frame."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Box, Pixels
from device.camera.opencv_logging import silence_opencv
from device.system.input_files import MAX_PICTURE_BYTES, read_input_file
from messages import N
from rules.throws import Throw
from vision.hands.augmented_looks import AUGMENTATIONS, Augmentation, detect_all_hands
from vision.hands.classifier import still_weights
from vision.hands.detector import DetectedHand, HandDetector
from vision.hands.model import ModelSize
from vision.hands.shapes import read_detections
from vision.image_header import ImageError, check_image_header, damaged_image_error

MAX_IMAGE_PX = 1600
"""Longest side of an image; larger ones are shrunk, since the model scales its input to 192 and 224 pixels."""

STILL_CONFIDENCE = 0.1
"""Confidence of the detector: what it finds below 0.3 is right nine times in ten, and the rest is outvoted by the other
augmentations."""
MIN_FOUND_SHARE = 0.4
"""Least share of the augmentations in which a hand must be found. In sets of blurred and cut-off hands this reduces
wrong hands from 11 % to 0 % and costs 5 % of the right ones; elsewhere it costs 0.2 %."""

STILL_NO_THROW_PRIOR = 1.35
"""How often hands in a still are no throw, relative to the training: more of the hands that are none (from sets left
out of the training) are refused, and the throws refused with them stay under 3 %."""


@dataclass(frozen=True)
class RecognisedHand:
    """A hand in an image: its throw (None for a hand that is none of the three), the confidence in that (0–1) and its
    box in pixels of the image, cut at the image's edges."""

    throw: Throw | None
    confidence: float
    box: Box


class Recogniser:
    """Recognises throws in images; loads the model once::

        with Recogniser() as recogniser:
            for hand in recogniser.recognise(read_image(path)):
                print(hand.throw, hand.confidence)

    Args:
        model: "full" or "lite".
        hands: Most hands found in an image.

    Raises:
        ModelError: The hand model can't be loaded.
    """

    def __init__(self, model: ModelSize = "full", hands: int = 4) -> None:
        self.detector = HandDetector(model, hands, STILL_CONFIDENCE)

    def recognise(self, image: Pixels, augmentations: Sequence[Augmentation] = AUGMENTATIONS) -> list[RecognisedHand]:
        """Return the hands in an R, G, B image; first the one that is largest and found most often, which a scene is
        about. Each augmentation is a call of the model."""
        height, width = image.shape[:2]
        scale = min(1.0, MAX_IMAGE_PX / max(height, width, 1))
        if scale < 1:
            image = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        hands = detect_all_hands(self.detector, image, augmentations)
        return [_recognise_hand(hand, scale, (width, height)) for hand in rank_hands(hands, len(augmentations))]

    def close(self) -> None:
        """Release the model."""
        self.detector.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()


def rank_hands(hands: Iterable[Sequence[DetectedHand]], augmentation_count: int) -> list[Sequence[DetectedHand]]:
    """Return the hands (as ``group_detections`` returns them) that were found in enough augmentations; first the one
    that is largest and found most often."""
    enough = [hand for hand in hands if len(hand) >= MIN_FOUND_SHARE * augmentation_count]
    return sorted(
        enough,
        key=lambda hand: -len(hand) * math.sqrt(float(np.prod(_median_edges(hand)[2:] - _median_edges(hand)[:2]))),
    )


def _median_edges(hands: Sequence[DetectedHand]) -> NDArray[np.float64]:
    """Return the median of a hand's boxes: left, top, right, bottom."""
    return np.asarray(np.median([(*hand.landmarks.min(0), *hand.landmarks.max(0)) for hand in hands], axis=0))


def _recognise_hand(hands: Sequence[DetectedHand], scale: float, size: tuple[int, int]) -> RecognisedHand:
    """Return what several detections of one hand show together, with the median of their boxes."""
    reading = read_detections(hands, no_throw_prior=STILL_NO_THROW_PRIOR, network=still_weights())
    edges = _median_edges(hands) / scale
    low = np.clip(np.floor(edges[:2]), 0, np.array(size) - 1)
    high = np.clip(np.ceil(edges[2:]), low + 1, size)
    return RecognisedHand(reading.throw, reading.confidence, Box(*(int(side) for side in (*low, *(high - low)))))


def read_image(path: Path) -> Pixels:
    """Read an image file as R, G, B, turned upright as its EXIF data says. Its size is checked before it is decoded.

    Raises:
        ImageError: It is missing, can't be read, or is no image that ``check_image_header`` allows.
    """
    silence_opencv()
    try:
        content = read_input_file(path, MAX_PICTURE_BYTES)
    except OSError as error:
        raise ImageError(N("{path} can't be read: {why}.", path=path, why=error.strerror)) from error
    check_image_header(content, path)
    try:
        image = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise ImageError(N("{path} can't be read as an image: {why}.", path=path, why=error.err)) from error
    if image is None:
        raise damaged_image_error(path)
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB), np.uint8)
