"""Finds hands in a picture: mediapipe's HandLandmarker in IMAGE mode, its landmarks in pixels of the picture, its
calls counted and its log lines kept off the screen."""

import contextlib
import os
import threading
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Box, Pixels
from vision.hands.model import ModelError, Size, bundle

WRIST, THUMB, INDEX, MIDDLE, RING, LITTLE = 0, 1, 5, 9, 13, 17
"""The wrist, and the first of the four landmarks of each finger, from the palm to its tip."""


@dataclass(frozen=True, eq=False)
class Hand:
    """One hand found. ``landmarks`` are (21, 2), x and y in pixels of the picture that was given (they may lie outside
    it); ``world`` is (21, 3), metres around the hand's middle, x right, y down, z away from the camera; ``right`` is
    whether it is a right hand, ``score`` (0–1) how sure the model is of that."""

    landmarks: NDArray[np.float64]
    world: NDArray[np.float64]
    right: bool
    score: float

    @cached_property
    def box(self) -> Box:
        """The smallest box around the landmarks, in whole pixels."""
        low, high = np.floor(self.landmarks.min(0)), np.ceil(self.landmarks.max(0))
        return Box(int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1]))


class HandFinder:
    """Finds up to ``hands`` hands in a picture::

        with HandFinder() as finder:
            for hand in finder.find(pixels):
                print(hand.box)

    A finder belongs to one thread at a time; two finders work side by side. One picture costs about 11 ms (full) or
    8 ms (lite) on one x86 core, whatever its size.

    Args:
        model: "full" or "lite".
        hands: how many hands are looked for at most.
        confidence: of the palm detector and of the hand network, 0–1; a hand below it is not found.

    Raises:
        ModelError: the model or mediapipe itself can't be had.
    """

    def __init__(self, model: Size = "full", hands: int = 1, confidence: float = 0.3) -> None:
        self.calls = 0
        """Pictures the model has looked at."""
        path = bundle(model)
        with _quiet():
            self._image, self._landmarker = _landmarker(str(path), hands, confidence)
            self._end = weakref.finalize(self, _close, self._landmarker)  # at the latest when Python ends
            self.find(np.zeros((64, 64, 3), np.uint8))  # the model says its piece at the first picture
        self.calls = 0

    def find(self, picture: Pixels) -> list[Hand]:
        """The hands in an R, G, B picture, the model's best first; a picture with no pixels has none."""
        if picture.size == 0:
            return []
        self.calls += 1
        result = self._landmarker.detect(self._image(np.ascontiguousarray(picture)))
        size = np.array([picture.shape[1], picture.shape[0]], float)
        return [
            Hand(
                landmarks=np.array([(point.x, point.y) for point in points]) * size,
                world=np.array([(point.x, point.y, point.z) for point in world]),
                right=side[0].category_name == "Right",
                score=float(side[0].score),
            )
            for points, world, side in zip(
                result.hand_landmarks, result.hand_world_landmarks, result.handedness, strict=True
            )
        ]

    def close(self) -> None:
        """Lets go of the model; may be called twice."""
        self._end()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _close(landmarker: Any) -> None:
    """Closes it; when Python ends without a close its threads are gone first, and the kernel takes the memory back."""
    try:
        with _quiet():
            landmarker.close()
    except RuntimeError:
        landmarker._handle = None  # or its own __del__ tries again and prints a traceback


def _landmarker(path: str, hands: int, confidence: float) -> tuple[Any, Any]:
    """What makes mediapipe's image of an array, and a landmarker. Imported here: mediapipe takes half a second."""
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
    except ImportError as fault:
        raise ModelError(f"mediapipe can't be imported ({fault}): install this project again with pip.") from fault
    except OSError as fault:  # the shared library, or one it needs
        raise ModelError(
            f"mediapipe's library can't be loaded ({fault}): install what it names (Debian: libegl1 libgles2)."
        ) from fault
    except (RuntimeError, ValueError) as fault:
        raise ModelError(f"The hand model at {path} can't be used ({str(fault).splitlines()[0]}).") from fault

    def image(pixels: Pixels) -> Any:
        return mediapipe.Image(image_format=mediapipe.ImageFormat.SRGB, data=pixels)

    return image, landmarker


_quieting = threading.Lock()


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Sends file descriptor 2 nowhere for a moment: the library logs there in C++, and heeds no level."""
    with _quieting, open(os.devnull, "w") as nowhere:  # noqa: PTH123 - a device, not a path
        kept = os.dup(2)
        try:
            os.dup2(nowhere.fileno(), 2)
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)
