"""Detects hands in an image: mediapipe's HandLandmarker in IMAGE mode, with landmarks in pixels of the image, counted
calls and no log lines on the terminal."""

import contextlib
import os
import threading
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Box, Pixels
from messages import N
from vision.hands.model import ModelError, ModelSize, model_path

WRIST, THUMB, INDEX, MIDDLE, RING, LITTLE = 0, 1, 5, 9, 13, 17
"""The landmark of the wrist, and the first of each finger's four landmarks, from the palm to the tip."""


@dataclass(frozen=True, eq=False)
class DetectedHand:
    """A detected hand.

    Attributes:
        landmarks: (21, 2), x and y in pixels of the image; they may lie outside of it.
        world_landmarks: (21, 3), metres from the hand's centre, x right, y down, z away from the camera.
        is_right: Whether it is a right hand.
        handedness_score: How sure (0–1) the model is of that.
    """

    landmarks: NDArray[np.float64]
    world_landmarks: NDArray[np.float64]
    is_right: bool
    handedness_score: float

    @cached_property
    def box(self) -> Box:
        """The smallest box around the landmarks, in whole pixels."""
        low, high = np.floor(self.landmarks.min(0)), np.ceil(self.landmarks.max(0))
        return Box(int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1]))


class HandDetector:
    """Detects up to ``hands`` hands in an image::

        with HandDetector() as detector:
            for hand in detector.detect(pixels):
                print(hand.box)

    A detector belongs to one thread at a time; several work in parallel. An image takes about 11 ms (full) or 8 ms
    (lite) on one x86 core, whatever its size.

    Args:
        model: "full" or "lite".
        hands: Most hands detected in an image.
        confidence: Least confidence (0–1) of the palm detector and of the hand network for a hand.

    Raises:
        ModelError: The model can't be prepared, or mediapipe can't be loaded.
    """

    def __init__(self, model: ModelSize = "full", hands: int = 1, confidence: float = 0.3) -> None:
        self.calls = 0
        """Images the model has processed."""
        path = model_path(model)
        with _silence_stderr():
            self._to_image, self._landmarker = _create_landmarker(str(path), hands, confidence)
            self._finalizer = weakref.finalize(self, _close, self._landmarker)  # at the latest when Python exits
            self.detect(np.zeros((64, 64, 3), np.uint8))  # the model logs at its first image
        self.calls = 0

    def detect(self, image: Pixels) -> list[DetectedHand]:
        """Return the hands in an R, G, B image, the model's best first; an image without pixels has none."""
        if image.size == 0:
            return []
        self.calls += 1
        result = self._landmarker.detect(self._to_image(np.ascontiguousarray(image)))
        size = np.array([image.shape[1], image.shape[0]], float)
        return [
            DetectedHand(
                landmarks=np.array([(point.x, point.y) for point in points]) * size,
                world_landmarks=np.array([(point.x, point.y, point.z) for point in world]),
                is_right=side[0].category_name == "Right",
                handedness_score=float(side[0].score),
            )
            for points, world, side in zip(
                result.hand_landmarks, result.hand_world_landmarks, result.handedness, strict=True
            )
        ]

    def close(self) -> None:
        """Release the model. Closing twice is fine."""
        self._finalizer()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()


def _close(landmarker: Any) -> None:
    """Close the landmarker. If Python exits without a close, its threads are gone already and closing fails."""
    try:
        with _silence_stderr():
            landmarker.close()
    except RuntimeError:
        landmarker._handle = None  # or its own __del__ tries again and prints a traceback


def _create_landmarker(path: str, hands: int, confidence: float) -> tuple[Any, Any]:
    """Return a function that makes mediapipe's image from an array, and a landmarker. Imports mediapipe only here: that
    takes half a second."""
    try:
        import mediapipe  # noqa: PLC0415 - see above
        from mediapipe.tasks.python import BaseOptions, vision  # noqa: PLC0415 - see above

        options = vision.HandLandmarkerOptions(
            base_options=BaseOptions(model_asset_path=path),
            running_mode=vision.RunningMode.IMAGE,
            num_hands=hands,
            min_hand_detection_confidence=confidence,
            min_hand_presence_confidence=confidence,
        )
        landmarker = vision.HandLandmarker.create_from_options(options)
    except ImportError as error:
        raise ModelError(
            N("mediapipe can't be imported ({why}): install this project again with pip.", why=str(error))
        ) from error
    except OSError as error:  # the shared library, or one it needs
        raise ModelError(
            N(
                "mediapipe's library can't be loaded ({why}): install what it names (Debian: libegl1 libgles2).",
                why=str(error),
            )
        ) from error
    except (RuntimeError, ValueError) as error:
        raise ModelError(
            N("The hand model at {path} can't be used ({why}).", path=path, why=str(error).splitlines()[0])
        ) from error

    def to_image(pixels: Pixels) -> Any:
        return mediapipe.Image(image_format=mediapipe.ImageFormat.SRGB, data=pixels)

    return to_image, landmarker


_stderr_lock = threading.Lock()


@contextlib.contextmanager
def _silence_stderr() -> Iterator[None]:
    """Redirect file descriptor 2 to /dev/null for a moment: the library logs there from C++, at every log level."""
    with _stderr_lock, open(os.devnull, "w") as devnull:  # noqa: PTH123 - a device, not a path
        stderr = os.dup(2)
        try:
            os.dup2(devnull.fileno(), 2)
            yield
        finally:
            os.dup2(stderr, 2)
            os.close(stderr)
