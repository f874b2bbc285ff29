"""Recognises the throws in a still image: every hand in it, the largest first. It uses all augmentations, unlike the
lock, which has little time for each frame."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Box, Pixels
from device.media.decoder import MediaError, shared_decoder
from device.system.input_files import MAX_PICTURE_BYTES, read_input_file
from messages import N
from rules.throws import Throw
from vision.hands.augmentation import (
    AUGMENTATIONS,
    BRIGHT_GAMMA,
    VIVID_SATURATION,
    Augmentation,
    detect_with_each,
    group_detections,
    median_edges,
    prominence,
)
from vision.hands.detector import DetectedHand, HandDetector, count_outside
from vision.hands.limits import MIN_READ_PX
from vision.hands.model import ModelSize
from vision.hands.shapes import HandReading, read_detections
from vision.image_header import ImageError, check_image_header

MAX_HANDS = 4
"""Hands that are looked for in a still image."""
MAX_IMAGE_PX = 1600
"""Longest side of an image; larger ones are shrunk, since the model scales its input to 192 and 224 pixels."""

STILL_CONFIDENCE = 0.1
"""Confidence of the detector: what it finds below 0.3 is right nine times in ten, and the rest is outvoted by the other
augmentations."""
MIN_FOUND_SHARE = 0.4
"""Least share of the augmentations in which a hand must be found. In sets of blurred and cut-off hands this reduces
wrong hands from 11 % to 0 % and costs 5 % of the right ones; elsewhere it costs 0.2 %."""
MIN_FOUND_SHARE_CHANGED = 0.5
"""The same with changed levels, where a hand is found more easily, and read worse."""
MIN_LANDMARKS_CUT_OFF = 8
"""Landmarks (of 21, without the wrist) outside the image from which a hand is too much cut off to be read: the model
guesses them, at any confidence. Of 1,727 whole hands none has so many; of papers cut at a fifth of their fingers,
38 of 41 have."""

STILL_THUMB_INDEX_PRIOR = 0.2
"""How often hands in a still are thumb and index finger spread, relative to the training. There they are a sixth of the
scissors, but 1 in 46 of those that people throw: with 1.0 a single outstretched finger with the thumb off the fist is
taken for them."""

MIN_CLEAR_CONFIDENCE = 0.85
"""Confidence from which the image is not mirrored. The hand model sees other landmarks in the mirrored image: on sets
left out of the training, one undecided throw in six is read right with both."""
EMBEDDED_LOOKS = (Augmentation(), Augmentation(mirrored=True))
"""The looks at a hand whose embeddings count."""


@dataclass(frozen=True)
class RecognisedHand:
    """A hand in an image."""

    throw: Throw | None
    """None for a hand that is none of the three."""
    confidence: float
    """The probability of that, 0–1."""
    box: Box
    """In pixels of the image, cut at the image's edges."""
    is_cut_off: bool = False
    """Whether the image's edges cut it; such a hand shows no throw."""
    is_too_small: bool = False
    """Whether it has too few pixels to be read; such a hand shows no throw."""


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

    def __init__(self, model: ModelSize = "full") -> None:
        self.detector = HandDetector(model, MAX_HANDS, STILL_CONFIDENCE)
        self._looks = EMBEDDED_LOOKS if model == "full" else ()  # whose embeddings the weights are for

    def recognise(self, image: Pixels, augmentations: Sequence[Augmentation] = AUGMENTATIONS) -> list[RecognisedHand]:
        """Return the hands in an R, G, B image; first the one that is largest and found most often, which a scene is
        about. Each augmentation is a call of the model; up to three more where none shows a hand, as many again where
        a hand is doubtful, and two for each hand found."""
        height, width = image.shape[:2]
        scale = min(1.0, MAX_IMAGE_PX / max(height, width, 1))
        if scale < 1:
            image = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        hands = search_hands(
            lambda some: detect_with_each(self.detector, image, some),
            augmentations,
            lambda hand: needs_mirrored_look(_read_still(hand).confidence),
        )
        embeddings = [embed_hand(self.detector, image, median_landmarks(hand), self._looks) for hand in hands]
        size = (width, height)
        return [_recognise_hand(hand, looks, scale, size) for hand, looks in zip(hands, embeddings, strict=True)]

    def close(self) -> None:
        """Release the model."""
        self.detector.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()


def search_hands(
    detect: Callable[[Sequence[Augmentation]], Iterable[Sequence[DetectedHand]]],
    augmentations: Sequence[Augmentation] = AUGMENTATIONS,
    needs_mirror: Callable[[Sequence[DetectedHand]], bool] = lambda _: False,
) -> list[Sequence[DetectedHand]]:
    """Return the hands of an image as ``rank_hands`` does. Where the augmentations show none, they are repeated with
    more vivid colours, then brighter, then balanced and more vivid; where a hand ``needs_mirror``, those that showed it
    are repeated with the image mirrored, and count too. A hand that both together show too rarely is dropped next to
    another one: of 4 such in 3,480 photos 3 were parts of a face, and 1 a hand, misread. The only hand stays.
    ``detect`` returns the hands found with each augmentation."""
    vivid = [replace(each, saturation=VIVID_SATURATION) for each in augmentations]
    bright = [replace(each, gamma=BRIGHT_GAMMA) for each in augmentations]
    balanced = [replace(each, balanced=True) for each in vivid]
    for some in (augmentations, vivid, bright, balanced):
        min_share = MIN_FOUND_SHARE if some is augmentations else MIN_FOUND_SHARE_CHANGED
        detections = list(detect(some))
        if not (hands := rank_hands(group_detections(detections), len(some), min_share)):
            continue
        if any(map(needs_mirror, hands)):
            detections += detect([replace(each, mirrored=True) for each in some])
            hands = rank_hands(group_detections(detections), len(detections), min_share) or hands
        return hands
    return []


def rank_hands(
    hands: Iterable[Sequence[DetectedHand]], augmentation_count: int, min_share: float = MIN_FOUND_SHARE
) -> list[Sequence[DetectedHand]]:
    """Return the hands (as ``group_detections`` returns them) that were found in enough augmentations; first the one
    that is largest and found most often."""
    return sorted((hand for hand in hands if len(hand) >= min_share * augmentation_count), key=prominence, reverse=True)


def median_landmarks(hands: Sequence[DetectedHand]) -> NDArray[np.float64]:
    """Return the median landmarks (21, 2) of a hand's detections."""
    return np.asarray(np.median([hand.landmarks for hand in hands], axis=0))


def embed_hand(
    detector: HandDetector, image: Pixels, landmarks: NDArray[np.float64], looks: Sequence[Augmentation]
) -> list[NDArray[np.float64]]:
    """Return the embeddings (n,) of the hand in an R, G, B image at ``landmarks`` (21, 2), in several looks at it; none
    where LiteRT does not run. Raises ModelError."""
    embeddings = []
    for look in looks:
        augmented, back = look.apply(image)
        there = np.asarray(np.linalg.solve(back[:, :2], (landmarks - back[:, 2]).T).T, float)
        embeddings.append(detector.embed(augmented, there))
    return [embedding for embedding in embeddings if embedding is not None]


def _is_cut_off(hands: Sequence[DetectedHand], size: tuple[int, int]) -> bool:
    """Whether too much of a hand lies outside an image of ``size`` (width, height) to read it."""
    return count_outside(median_landmarks(hands), Box(0, 0, *size)) >= MIN_LANDMARKS_CUT_OFF


def _recognise_hand(
    hands: Sequence[DetectedHand], embeddings: Sequence[NDArray[np.float64]], scale: float, size: tuple[int, int]
) -> RecognisedHand:
    """Return what several detections and embeddings of one hand show together, with the median of the boxes."""
    reading = _read_still(hands, embeddings)
    edges = median_edges(hands) / scale
    low = np.clip(np.floor(edges[:2]), 0, np.array(size) - 1)
    high = np.clip(np.ceil(edges[2:]), low + 1, size)
    box = Box(*(int(side) for side in (*low, *(high - low))))
    if _is_cut_off(hands, (round(size[0] * scale), round(size[1] * scale))):
        return RecognisedHand(None, 1.0, box, is_cut_off=True)
    if max(box.w, box.h) < MIN_READ_PX:
        return RecognisedHand(None, 1.0, box, is_too_small=True)
    return RecognisedHand(reading.throw, reading.confidence, box)


def _read_still(hands: Sequence[DetectedHand], embeddings: Sequence[NDArray[np.float64]] = ()) -> HandReading:
    return read_detections(hands, thumb_index_prior=STILL_THUMB_INDEX_PRIOR, embeddings=embeddings)


def needs_mirrored_look(confidence: float) -> bool:
    """Whether a hand read with this confidence (0–1) is worth another look, in the mirrored image."""
    return confidence < MIN_CLEAR_CONFIDENCE


def read_image(path: Path) -> Pixels:
    """Read an image file as R, G, B, turned upright as its EXIF data says. Its size is checked before it is decoded.

    Raises:
        ImageError: It is missing, can't be read, or is no image that ``check_image_header`` allows.
    """
    try:
        check_image_header(read_input_file(path, MAX_PICTURE_BYTES), path)
        (image,), _ = shared_decoder().decode(path, "picture")
    except OSError as error:
        raise ImageError(N("{path} can’t be read: {why}.", path=path, why=error.strerror)) from error
    except MediaError as error:
        raise ImageError(error.text) from error
    return np.asarray(cv2.cvtColor(image.bgr, cv2.COLOR_BGR2RGB), np.uint8)
