"""Another program of a ModelProcess, which takes the same arguments and requests as ``vision.hands.model_worker``. It
runs the hand model's two networks with LiteRT instead of mediapipe, and does by itself what mediapipe's HandLandmarker
does around them in IMAGE mode: where mediapipe finds a hand, it finds the same one.

The first network finds palms in the whole image, the second one a hand's landmarks in a square turned with the palm."""

import math
import zipfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Pixels
from vision.hands.model_worker import HAND, Worker, main

Vector = NDArray[np.float64]

ANCHOR_LAYERS = ((8, 2), (16, 6))
"""The palm network's grids of anchors: pixels from one to the next, and anchors at each place."""
MIN_PALM_OVERLAP = 0.3
"""Detections that overlap with the best one by more than this (intersection over union) are the same palm."""
PALM_WRIST, PALM_MIDDLE = 2, 4
"""The rows of a palm with its wrist and the base of its middle finger; see ``decode_palms``."""
UPRIGHT_RAD = 90.0
"""The direction from wrist to middle finger in the square. mediapipe's graph has 90 radians, which is 117°, where 90°
is meant (hand_detector_graph.cc); turned by 90°, landmarks differ from mediapipe's by 4 % of the hand."""
SQUARE_PALMS, SQUARE_SHIFT = 2.6, 0.5
"""The side of the square in longer sides of the palm, and how far its centre is towards the fingers, in heights."""
SAME_HAND_DISTANCE, SAME_HAND_LANDMARKS, SAME_HAND_OVERLAP = 0.2, 10, 0.2
"""Two hands are the same if this many landmarks are nearer to each other than this share of the palm, and their boxes
overlap by more than this (intersection over union)."""


@dataclass(frozen=True, eq=False)
class Square:
    """A square of an image: its centre (2,) and side in pixels, turned clockwise by ``angle`` in radians."""

    centre: Vector
    side: float
    angle: float

    @property
    def rotation(self) -> Vector:
        """The rotation (2, 2) of points by the angle."""
        cos, sin = math.cos(self.angle), math.sin(self.angle)
        return np.array([[cos, -sin], [sin, cos]])

    def to_image(self, points: Vector) -> Vector:
        """Return points (…, 2) of the square, from 0 to 1, in pixels of the image."""
        return np.asarray((points - 0.5) @ (self.side * self.rotation.T) + self.centre)

    def crop(self, image: Pixels, size: int, border: int) -> Pixels:
        """Return the square (size, size, 3), with OpenCV's ``border`` outside of the image. As in mediapipe and in
        OpenCV 4, places between pixels are rounded to 1/32. OpenCV 5's warpPerspective is more exact: with it, the
        landmarks of one hand in a hundred differ from mediapipe's by more than 6 % of the hand."""
        steps = self.side / size * self.rotation
        start = self.centre - steps @ (size / 2, size / 2)
        across, down = (np.outer(axis, np.arange(size)).astype(np.float32) for axis in steps.T)
        down += start.astype(np.float32)[:, None]
        x, y = (np.add.outer(down[axis], across[axis]) for axis in (0, 1))
        whole, fraction = cv2.convertMaps(x, y, cv2.CV_16SC2)  # with steps of 1/32 pixel
        return np.asarray(cv2.remap(image, whole, fraction, cv2.INTER_LINEAR, borderMode=border), np.uint8)


class Network:
    """A network that takes a square image.

    Raises:
        ValueError: ``content`` is not a network.
    """

    def __init__(self, content: bytes) -> None:
        from ai_edge_litert.interpreter import Interpreter  # noqa: PLC0415 - an extra; what goes wrong is answered

        self._interpreter = Interpreter(model_content=content, num_threads=1)
        self._interpreter.allocate_tensors()
        (image,) = self._interpreter.get_input_details()
        self._input, self.size = image["index"], int(image["shape"][1])
        self._outputs = [output["index"] for output in self._interpreter.get_output_details()]

    def __call__(self, image: Pixels, square: Square, border: int) -> list[Any]:
        """Return the outputs for a square of the image, without their first axis."""
        pixels = square.crop(image, self.size, border)
        np.multiply(pixels, np.float32(1 / 255), out=self._interpreter.tensor(self._input)()[0])
        self._interpreter.invoke()
        return [self._interpreter.get_tensor(index)[0].astype(float) for index in self._outputs]


class LitertDetector:
    """Detects up to ``hands`` hands with the networks of a bundle; ``confidence`` is the least (0–1) for palm and hand.

    Raises:
        ImportError: LiteRT is not installed.
        OSError, KeyError, ValueError, zipfile.BadZipFile: The file is missing, or is no bundle.
    """

    def __init__(self, path: Path, hands: int, confidence: float) -> None:
        self._hands, self._confidence = hands, confidence
        with zipfile.ZipFile(path) as bundle:
            self._find_palms = Network(bundle.read("hand_detector.tflite"))
            self._find_landmarks = Network(bundle.read("hand_landmarks_detector.tflite"))

    def detect(self, image: Pixels) -> NDArray[np.void]:
        """Return the hands (``HAND``) in an R, G, B image, the one with the best palm first."""
        height, width = image.shape[:2]
        whole = Square(np.array([width / 2, height / 2]), max(height, width), 0.0)
        boxes, logits = self._find_palms(image, whole, cv2.BORDER_CONSTANT)
        palms, scores = decode_palms(boxes, logits[:, 0], self._confidence)
        found = np.zeros(0, HAND)
        for palm in merge_palms(palms, scores, self._hands):
            square = hand_square(whole.to_image(palm))
            landmarks, presence, right, world = self._find_landmarks(image, square, cv2.BORDER_REPLICATE)
            if presence[0] <= self._confidence:
                continue
            hand = np.zeros(1, HAND)
            hand["landmarks"] = square.to_image(landmarks.reshape(21, 3)[:, :2] / self._find_landmarks.size)
            hand["world"] = world.reshape(21, 3)
            hand["world"][0, :, :2] @= square.rotation.T
            hand["is_right"], hand["score"] = right[0] >= 0.5, max(right[0], 1 - right[0])
            if not any(is_same_hand(hand["landmarks"][0], other) for other in found["landmarks"]):
                found = np.concatenate([found, hand])
        found["landmarks"] /= (width, height)
        return found


@cache
def anchor_centres(size: int) -> Vector:
    """Return the anchors' centres (n, 2) as shares of the palm network's image, ``size`` pixels wide."""
    layers = []
    for step, each in ANCHOR_LAYERS:
        shares = (np.arange(size // step) + 0.5) * step / size
        layers.append(np.stack(np.meshgrid(shares, shares), axis=-1).reshape(-1, 2).repeat(each, axis=0))
    return np.concatenate(layers)


def decode_palms(boxes: Vector, logits: Vector, confidence: float, size: int = 192) -> tuple[Vector, Vector]:
    """Return the palms of at least this confidence, best first, as shares of the image (n, 9, 2): two corners of the
    box, wrist, bases of index, middle, ring and little finger, two of the thumb; and their scores (n,).

    Args:
        boxes: The palm network's first output (anchors, 18): centre, size and points, in pixels from the anchor.
        logits: Its second output (anchors,).
        confidence: Least score, between 0 and 1.
        size: Pixels of its image.
    """
    is_palm = (logits >= math.log(confidence / (1 - confidence))) & (boxes[:, 2:4] >= 0).all(1)
    chosen = np.flatnonzero(is_palm)
    chosen = chosen[np.argsort(-logits[chosen], kind="stable")]
    points = boxes[chosen].reshape(-1, 9, 2) / size
    half = points[:, 1] / 2
    points[:, 0], points[:, 1] = points[:, 0] - half, points[:, 0] + half
    points += anchor_centres(size)[chosen, None]
    return points, 1 / (1 + np.exp(-logits[chosen]))


def merge_palms(palms: Vector, scores: Vector, most: int) -> list[Vector]:
    """Return at most ``most`` palms (9, 2), each the mean of those that overlap, weighted by their scores."""
    merged: list[Vector] = []
    while len(palms) and len(merged) < most:
        same = box_overlaps(palms[:, :2], palms[0, :2]) > MIN_PALM_OVERLAP
        same[0] = True  # also a palm without a size
        merged.append(np.average(palms[same], axis=0, weights=scores[same]))
        palms, scores = palms[~same], scores[~same]
    return merged


def box_overlaps(boxes: Vector, other: Vector) -> Vector:
    """Return the intersection over union (…,) of boxes (…, 2 corners, 2) with another one."""
    low, high = np.maximum(boxes[..., 0, :], other[0]), np.minimum(boxes[..., 1, :], other[1])
    both = (high - low).clip(0).prod(-1)
    either = (boxes[..., 1, :] - boxes[..., 0, :]).prod(-1) + (other[1] - other[0]).prod() - both
    return np.asarray(both / np.maximum(either, 1e-12))


def hand_square(palm: Vector) -> Square:
    """Return the square around the hand of a palm (9, 2), both in pixels of the image."""
    width, height = palm[1] - palm[0]
    right, down = palm[PALM_MIDDLE] - palm[PALM_WRIST]
    angle = UPRIGHT_RAD - math.atan2(-down, right)
    towards_fingers = np.array([math.sin(angle), -math.cos(angle)])
    centre = palm[:2].mean(0) + SQUARE_SHIFT * height * towards_fingers
    return Square(centre, SQUARE_PALMS * max(width, height), angle)


def is_same_hand(one: Vector, other: Vector) -> bool:
    """Whether landmarks (21, 2) are so near to others that both are of one hand."""
    corners = np.stack([one, other])[:, [0, 5, 17, 0]]
    palm = float(np.linalg.norm(np.diff(corners, axis=1), axis=-1).max())
    near = np.linalg.norm(one - other, axis=-1) < SAME_HAND_DISTANCE * palm
    boxes = [np.stack([points.min(0), points.max(0)]) for points in (one, other)]
    return bool(near.sum() >= SAME_HAND_LANDMARKS and box_overlaps(*boxes) > SAME_HAND_OVERLAP)


class LitertWorker(Worker):
    """The models that are loaded, each with LiteRT."""

    def __init__(self, memory_fd: int) -> None:
        super().__init__(memory_fd)
        self._detectors: list[LitertDetector] = []

    def load(self, path: str, hands: int, confidence: float) -> bytes:
        """Load a model; its number is the next one."""
        cv2.setNumThreads(1)  # the judge has a process for each core
        try:
            detector = LitertDetector(Path(path), hands, confidence)
        except ImportError as error:
            raise RuntimeError(f"{error}: install this project again with its extra 'litert'") from error
        detector.detect(np.zeros((64, 64, 3), np.uint8))  # the first image takes longest
        self._detectors.append(detector)
        return b""

    def detect(self, number: int, height: int, width: int) -> bytes:
        """Return the hands in the image, the model's best first."""
        return self._detectors[number].detect(self.read_image(height, width)).tobytes()


if __name__ == "__main__":
    main(LitertWorker)
