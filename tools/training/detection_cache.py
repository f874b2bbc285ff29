"""Cache on disk of the hands that the hand model detects in images, and of their embeddings: detection is slow (about
0.2 s per image with all augmentations), and training and tables need the same hands."""

import hashlib
import math
import os
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
import platformdirs
from numpy.typing import NDArray

from device.camera.frames import Pixels
from vision.hands.augmentation import AUGMENTATIONS, Augmentation, detect_with_each
from vision.hands.detector import DetectedHand, HandDetector
from vision.hands.model import ModelSize, model_path
from vision.hands.stills import EMBEDDED_LOOKS, STILL_CONFIDENCE, embed_hand, median_landmarks

MODEL_SIZE: ModelSize = "full"
MAX_HANDS = 4
"""The most hands to detect, as in ``throwlock recognise``."""
TRAINING_LOOKS = 2
"""Random looks at a hand whose embeddings are trained with too, after those of a still."""
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
        found = list(detect_with_each(self._opened_detector, read_image(), augmentations))
        _write(path, found)
        return found

    def embed(self, name: str, read_image: Callable[[], Pixels], hands: Sequence[DetectedHand]) -> NDArray[np.float64]:
        """Return the embeddings (looks, n) of the hand detected as ``hands`` in the image called ``name``: those of a
        still, and of ``TRAINING_LOOKS`` random looks at it, in other light and a square that lies otherwise.

        Raises:
            ModelError: The hand model is not available.
        """
        landmarks = median_landmarks(hands)
        key = f"{self._model} {EMBEDDED_LOOKS} {TRAINING_LOOKS} {self.augmentations}"
        path = self.folder / hashlib.sha256(key.encode()).hexdigest()[:12] / f"{name}.npy"
        if path.exists():
            return np.asarray(np.load(path), float)
        rng, image = np.random.default_rng(list(hashlib.sha256(name.encode()).digest())), read_image()
        embeddings = embed_hand(self._opened_detector, image, landmarks, EMBEDDED_LOOKS)
        for _ in range(TRAINING_LOOKS):
            embeddings += embed_hand(self._opened_detector, image, _jitter(landmarks, rng), [_random_look(rng)])
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(path, np.array(embeddings, np.float32))
        return np.array(embeddings)

    @property
    def _opened_detector(self) -> HandDetector:
        if self._detector is None:
            self._detector = HandDetector(MODEL_SIZE, MAX_HANDS, STILL_CONFIDENCE)
        return self._detector

    @cached_property
    def _model(self) -> str:
        """The model file's hash."""
        return hashlib.sha256(model_path(MODEL_SIZE).read_bytes()).hexdigest()

    def close(self) -> None:
        """Release the hand model."""
        if self._detector is not None:
            self._detector.close()


def _jitter(landmarks: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """Return landmarks (21, 2) moved, turned and scaled a little."""
    turn, scale, centre = rng.normal(0, 0.22), math.exp(rng.normal(0, 0.08)), landmarks.mean(0)
    matrix = scale * np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    shift = rng.normal(0, 0.06, 2) * np.ptp(landmarks, axis=0).max()
    return np.asarray((landmarks - centre) @ matrix.T + centre + shift)


def _random_look(rng: np.random.Generator) -> Augmentation:
    """Return a look in other light, more or less colourful, perhaps blurred or mirrored."""
    return Augmentation(
        blur=bool(rng.random() < 0.3),
        saturation=float(rng.uniform(0.2, 1.6)),
        gamma=math.exp(rng.normal(0, 0.35)),
        mirrored=bool(rng.random() < 0.5),
    )


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
