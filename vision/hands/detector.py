"""Detects hands in an image, with landmarks in pixels of the image and counted calls. The hand model runs in another
process, which can't use the network."""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Box, Pixels
from vision.hands.model import ModelSize, model_path
from vision.hands.model_process import ModelProcess

WRIST, THUMB, INDEX, MIDDLE, RING, LITTLE = 0, 1, 5, 9, 13, 17
"""The landmark of the wrist, and the first of each finger's four landmarks, from the palm to the tip."""


@dataclass(frozen=True, eq=False)
class DetectedHand:
    """A detected hand."""

    landmarks: NDArray[np.float64]
    """(21, 2), x and y in pixels of the image; they may lie outside of it."""
    world_landmarks: NDArray[np.float64]
    """(21, 3), metres from the hand's centre, x right, y down, z away from the camera."""
    is_right: bool
    """Whether it is a right hand."""
    handedness_score: float
    """How sure (0–1) the model is of that."""

    @cached_property
    def box(self) -> Box:
        """The smallest box around the landmarks, in whole pixels."""
        low, high = np.floor(self.landmarks.min(0)), np.ceil(self.landmarks.max(0))
        return Box(int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1]))


def count_outside(landmarks: NDArray[np.float64], box: Box) -> int:
    """Return how many of a hand's landmarks (21, 2) lie outside a box. The wrist does not count: an arm comes from
    outside."""
    points = landmarks[1:]
    outside = (points < (box.x, box.y)) | (points > (box.x + box.w, box.y + box.h))
    return int(outside.any(axis=1).sum())


class HandDetector:
    """Detects up to ``hands`` hands in an image::

        with HandDetector() as detector:
            for hand in detector.detect(pixels):
                print(hand.box)

    Several work in parallel, each in a process of its own or in ``process``, which then does one call at a time. An
    image takes about 11 ms (full) or 8 ms (lite) on one x86 core, whatever its size.

    Args:
        model: "full" or "lite".
        hands: Most hands detected in an image.
        confidence: Least confidence (0–1) of the palm detector and of the hand network for a hand.
        process: Where the model runs. Whoever passes it closes it.

    Raises:
        ModelError: The model can't be prepared, or mediapipe can't be loaded.
    """

    def __init__(
        self, model: ModelSize = "full", hands: int = 1, confidence: float = 0.3, process: ModelProcess | None = None
    ) -> None:
        self.calls = 0
        """Images the model has processed."""
        self._process = process or ModelProcess()
        self._owns_process = process is None
        self._number = self._process.load(model_path(model), hands, confidence)

    def detect(self, image: Pixels) -> list[DetectedHand]:
        """Return the hands in an R, G, B image, the model's best first; an image without pixels has none.

        Raises:
            ModelError: mediapipe stopped, and once more in a new process.
        """
        if image.size == 0:
            return []
        self.calls += 1
        size = np.array([image.shape[1], image.shape[0]], float)
        return [_make_hand(hand, size) for hand in self._process.detect(self._number, image)]

    @property
    def can_track(self) -> bool:
        """Whether ``track`` finds anything: that needs LiteRT."""
        return self._process.can_track

    @property
    def tracking_error(self) -> Exception | None:
        """Why ``track`` finds nothing on this machine, if it does not."""
        return self._process.tracking_error

    def track(self, image: Pixels, landmarks: NDArray[np.float64]) -> DetectedHand | None:
        """Return the hand in an R, G, B image that was at ``landmarks`` (21, 2; in pixels) in another one, taken
        shortly before or after; None where it is not found there any more. It takes half the time of ``detect``.

        Raises:
            ModelError: See ``detect``.
        """
        if image.size == 0 or not self.can_track:
            return None
        self.calls += 1
        size = np.array([image.shape[1], image.shape[0]], float)
        hands = self._process.track(self._number, image, landmarks / size)
        return _make_hand(hands[0], size) if len(hands) else None

    def embed(self, image: Pixels, landmarks: NDArray[np.float64]) -> NDArray[np.float64] | None:
        """Return the embedding (n,) of the hand in an R, G, B image that is at ``landmarks`` (21, 2; in pixels): what
        the model computes landmarks from, which says more of a hand than they do. None where LiteRT does not run.

        Raises:
            ModelError: See ``detect``.
        """
        if image.size == 0 or not self.can_track:
            return None
        self.calls += 1
        return self._process.embed(self._number, image, landmarks / (image.shape[1], image.shape[0]))

    def close(self) -> None:
        """Release the model. Closing twice is fine."""
        if self._owns_process:
            self._process.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()


def _make_hand(hand: np.void, size: NDArray[np.float64]) -> DetectedHand:
    return DetectedHand(
        landmarks=hand["landmarks"] * size,
        world_landmarks=hand["world"].copy(),
        is_right=bool(hand["is_right"]),
        handedness_score=float(hand["score"]),
    )
