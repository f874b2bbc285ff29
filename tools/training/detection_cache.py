"""Cache on disk of the hands that the hand model detects in images: detection is slow (about 0.2 s per image with all
augmentations), and training and tables need the same hands."""

import hashlib
import os
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
import platformdirs

from device.camera.frames import Pixels
from vision.hands.augmentation import AUGMENTATIONS, Augmentation, detect_with_each
from vision.hands.detector import DetectedHand, HandDetector
from vision.hands.model import ModelSize, model_path
from vision.hands.stills import STILL_CONFIDENCE

MODEL_SIZE: ModelSize = "full"
MAX_HANDS = 4
"""The most hands to detect, as in ``throwlock recognise``."""
CACHE_FOLDER = platformdirs.user_cache_path("throwlock") / "detections"
"""The default folder."""


class DetectionCache:
    """The hands detected in an image with each augmentation.

    Each set of augmentations and each model file has a folder of its own.
    """

    def __init__(self, folder: Path = CACHE_FOLDER, augmentations: Sequence[Augmentation] = AUGMENTATIONS) -> None:
        self.folder = folder
        self.augmentations = augmentations
        self._detector: HandDetector | None = None

    def __call__(
        self, name: str, read_image: Callable[[], Pixels], augmentations: Sequence[Augmentation] | None = None
    ) -> list[list[DetectedHand]]:
        """Return for each augmentation (the cache's own by default) the hands in the image called ``name`` (a path
        without a suffix), in its pixels.

        Raises:
            ModelError: The hand model is not available.
        """
        augmentations = tuple(augmentations or self.augmentations)
        key = f"{self._model} {STILL_CONFIDENCE} {MAX_HANDS} {augmentations}"
        path = self.folder / hashlib.sha256(key.encode()).hexdigest()[:12] / f"{name}.npz"
        if path.exists():
            return _read(path, len(augmentations))
        if self._detector is None:
            self._detector = HandDetector(MODEL_SIZE, MAX_HANDS, STILL_CONFIDENCE)
        found = list(detect_with_each(self._detector, read_image(), augmentations))
        _write(path, found)
        return found

    @cached_property
    def _model(self) -> str:
        """The model file's hash."""
        return hashlib.sha256(model_path(MODEL_SIZE).read_bytes()).hexdigest()

    def close(self) -> None:
        """Release the hand model."""
        if self._detector is not None:
            self._detector.close()


def _write(path: Path, found: Sequence[Sequence[DetectedHand]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    hands = [(look, hand) for look, these in enumerate(found) for hand in these]
    part = path.with_suffix(f".{os.getpid()}.part")
    with part.open("wb") as file:
        np.savez(
            file,
            look=np.array([look for look, _ in hands], np.int16),
            landmarks=np.array([hand.landmarks for _, hand in hands], np.float32).reshape(-1, 21, 2),
            world=np.array([hand.world_landmarks for _, hand in hands], np.float32).reshape(-1, 21, 3),
            right=np.array([hand.is_right for _, hand in hands], np.bool_),
            score=np.array([hand.handedness_score for _, hand in hands], np.float32),
        )
    part.replace(path)


def _read(path: Path, looks: int) -> list[list[DetectedHand]]:
    found: list[list[DetectedHand]] = [[] for _ in range(looks)]
    with np.load(path) as kept:
        rows = zip(kept["look"], kept["landmarks"], kept["world"], kept["right"], kept["score"], strict=True)
        for look, landmarks, world, right, score in rows:
            hand = DetectedHand(landmarks.astype(float), world.astype(float), bool(right), float(score))
            found[int(look)].append(hand)
    return found
