"""The hand model's two networks with LiteRT. The first one finds palms in the whole image, the second one a hand's
landmarks in a square turned with the palm.

``HandReader`` is the second network alone: it reads a hand whose place is known, whichever runtime finds the hands.
Run as a program, this module takes the same arguments as ``vision.hands.model_worker`` and uses LiteRT for both. It
does by itself what mediapipe's HandLandmarker does around the networks in IMAGE mode: where mediapipe finds a hand,
it finds the same one."""

import math
import zipfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from device.camera.frames import Pixels
from vision.hands.worker import HAND, Worker, main

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
TRACKED_LANDMARKS = [0, 1, 2, 3, 5, 6, 9, 10, 13, 14, 17, 18]
"""The landmarks of a known hand that its square goes by, as in mediapipe's VIDEO mode: fingertips would make a square
grow as the hand opens."""
TRACKED_SCALE, TRACKED_SHIFT = 2.0, 0.1
"""The side of that square in longer sides of the box of these, and how far its centre is towards the fingers, in
heights of the box."""
MIN_TRACKED_PRESENCE = 0.8
"""Least score for a hand where one was before, or the whole image is searched: measurements/2026-11/hand-recognition.md
has what thresholds cost. Next to a hand the score was at most 0.03 in 95 of 100 images."""
MAX_TRACKED_SHIFT, MAX_TRACKED_TURN_RAD, MAX_TRACKED_GROWTH = 0.12, 0.25, 1.2
"""A hand that lies farther from the middle of its square (as a share of the side), is turned farther or has another
size than this is read once more, in its own square."""
SAME_HAND_DISTANCE, SAME_HAND_LANDMARKS, SAME_HAND_OVERLAP = 0.2, 10, 0.2
"""Two hands are the same if this many landmarks are nearer to each other than this share of the palm, and their boxes
overlap by more than this (intersection over union)."""


@dataclass(frozen=True, eq=False)
class Square:
    """A square of an image."""

    centre: Vector
    """(2,) in pixels."""
    side: float
    """In pixels."""
    angle: float
    """Rotation in radians, clockwise."""

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

    def fits(self, square: "Square") -> bool:
        """Whether another square is so much like this one that the network reads a hand alike in both."""
        shift = float(np.linalg.norm(square.centre - self.centre)) / self.side
        turn = abs(math.remainder(square.angle - self.angle, 2 * math.pi))
        growth = max(square.side, self.side) / max(min(square.side, self.side), 1e-9)
        return shift <= MAX_TRACKED_SHIFT and turn <= MAX_TRACKED_TURN_RAD and growth <= MAX_TRACKED_GROWTH


class Network:
    """A network that takes a square image, and computes in ``threads``.

    Raises:
        RuntimeError: LiteRT can't be imported.
        ValueError: ``content`` is not a network.
    """

    def __init__(self, content: bytes, threads: int = 1) -> None:
        try:
            from ai_edge_litert.interpreter import Interpreter  # noqa: PLC0415 - what goes wrong here is answered
        except ImportError as error:  # not raised itself: the process of both runtimes takes one for mediapipe's
            raise RuntimeError(f"{error}: install this project again") from error

        self._interpreter = Interpreter(model_content=content, num_threads=threads)
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


class HandReader:
    """Reads the landmarks of a hand whose place in the image is known, with the second network of a bundle.

    Raises:
        RuntimeError: LiteRT can't be imported.
        OSError, KeyError, ValueError, zipfile.BadZipFile: The file is missing, or is no bundle.
    """

    def __init__(self, path: Path, threads: int = 1, network_class: type[Network] = Network) -> None:
        with zipfile.ZipFile(path) as bundle:
            self._network = network_class(bundle.read("hand_landmarks_detector.tflite"), threads)

    def read(self, image: Pixels, square: Square, min_presence: float) -> NDArray[np.void]:
        """Return the hand (``HAND``) in a square of the image, its landmarks in pixels; none where the network's score
        is at most ``min_presence``."""
        landmarks, presence, right, world = self._network(image, square, cv2.BORDER_REPLICATE)
        hand = np.zeros(int(presence[0] > min_presence), HAND)
        hand["landmarks"] = square.to_image(landmarks.reshape(21, 3)[:, :2] / self._network.size)
        hand["world"] = world.reshape(21, 3)
        hand["world"][..., :2] = hand["world"][..., :2] @ square.rotation.T  # numpy 1.24 has no @= for matrices
        hand["is_right"], hand["score"] = right[0] >= 0.5, max(right[0], 1 - right[0])
        return hand

    def track(self, image: Pixels, landmarks: Vector) -> NDArray[np.void]:
        """Return the hand (``HAND``) that was in the image at ``landmarks`` (21, 2) shortly before or after; none where
        it is not there any more. All landmarks are shares of the image."""
        size = np.array([image.shape[1], image.shape[0]], float)
        square = tracked_square(landmarks * size)
        hand = self.read(image, square, MIN_TRACKED_PRESENCE)
        if len(hand) and not square.fits(own := tracked_square(hand["landmarks"][0])):
            hand = self.read(image, own, MIN_TRACKED_PRESENCE)
        hand["landmarks"] /= size
        return hand


class LitertDetector:
    """Detects up to ``hands`` hands with the networks of a bundle; ``confidence`` is the least (0–1) for palm and hand,
    ``network_class`` what computes both networks.

    Raises:
        RuntimeError, OSError, KeyError, ValueError, zipfile.BadZipFile: See HandReader.
    """

    def __init__(
        self, path: Path, hands: int, confidence: float, threads: int = 1, network_class: type[Network] = Network
    ) -> None:
        self._hands, self._confidence = hands, confidence
        self.reader = HandReader(path, threads, network_class)
        with zipfile.ZipFile(path) as bundle:
            self._find_palms = network_class(bundle.read("hand_detector.tflite"), threads)

    def detect(self, image: Pixels) -> NDArray[np.void]:
        """Return the hands (``HAND``) in an R, G, B image, the one with the best palm first."""
        height, width = image.shape[:2]
        whole = Square(np.array([width / 2, height / 2]), max(height, width), 0.0)
        boxes, logits = self._find_palms(image, whole, cv2.BORDER_CONSTANT)
        palms, scores = decode_palms(boxes, logits[:, 0], self._confidence)
        hands = np.zeros(0, HAND)
        for palm in merge_palms(palms, scores, self._hands):
            hand = self.reader.read(image, hand_square(whole.to_image(palm)), self._confidence)
            if len(hand) and not any(is_same_hand(hand["landmarks"][0], known) for known in hands["landmarks"]):
                hands = np.concatenate([hands, hand])
        hands["landmarks"] /= (width, height)
        return hands


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


def box_overlaps(boxes: Vector, box: Vector) -> Vector:
    """Return the intersection over union (…,) of boxes (…, 2 corners, 2) with another one."""
    low, high = np.maximum(boxes[..., 0, :], box[0]), np.minimum(boxes[..., 1, :], box[1])
    both = (high - low).clip(0).prod(-1)
    either = (boxes[..., 1, :] - boxes[..., 0, :]).prod(-1) + (box[1] - box[0]).prod() - both
    return np.asarray(both / np.maximum(either, 1e-12))


def hand_square(palm: Vector) -> Square:
    """Return the square around the hand of a palm (9, 2), both in pixels of the image."""
    width, height = palm[1] - palm[0]
    right, down = palm[PALM_MIDDLE] - palm[PALM_WRIST]
    angle = UPRIGHT_RAD - math.atan2(-down, right)
    towards_fingers = np.array([math.sin(angle), -math.cos(angle)])
    centre = palm[:2].mean(0) + SQUARE_SHIFT * height * towards_fingers
    return Square(centre, SQUARE_PALMS * max(width, height), angle)


def tracked_square(landmarks: Vector) -> Square:
    """Return the square around a hand with these landmarks (21, 2), both in pixels of the image: as mediapipe's VIDEO
    mode makes it for the next image, but turned like the squares of palms. Times are estimated from fingers as the
    network sees them in those."""
    right, down = (landmarks[[5, 13]].mean(0) + landmarks[9]) / 2 - landmarks[0]
    upright = Square(np.zeros(2), 1.0, math.pi / 2 - math.atan2(-down, right))
    points = landmarks[TRACKED_LANDMARKS] @ upright.rotation
    low, high = points.min(0), points.max(0)
    centre = (low + high) / 2 - (0, TRACKED_SHIFT * (high[1] - low[1]))
    side = max(TRACKED_SCALE * float((high - low).max()), 1.0)
    return Square(upright.rotation @ centre, side, upright.angle + UPRIGHT_RAD - math.pi / 2)


def is_same_hand(a: Vector, b: Vector) -> bool:
    """Whether two sets of landmarks (21, 2) are so near to each other that both are of the same hand."""
    corners = np.stack([a, b])[:, [0, 5, 17, 0]]
    palm = float(np.linalg.norm(np.diff(corners, axis=1), axis=-1).max())
    near = np.linalg.norm(a - b, axis=-1) < SAME_HAND_DISTANCE * palm
    boxes = [np.stack([points.min(0), points.max(0)]) for points in (a, b)]
    return bool(near.sum() >= SAME_HAND_LANDMARKS and box_overlaps(*boxes) > SAME_HAND_OVERLAP)


class LitertWorker(Worker):
    """The models that are loaded, each with LiteRT."""

    def __init__(self, memory_fd: int) -> None:
        super().__init__(memory_fd)
        self._detectors: list[LitertDetector] = []

    @override
    def load_reader(self, path: str, threads: int) -> bytes:
        """Do nothing: each detector already has this network."""
        return b""

    @override
    def load(self, path: str, hands: int, confidence: float, threads: int) -> bytes:
        cv2.setNumThreads(1)  # the judge has a process for each core
        detector = LitertDetector(Path(path), hands, confidence, threads)
        detector.detect(np.zeros((64, 64, 3), np.uint8))  # the first image takes longest
        self._detectors.append(detector)
        return b""

    @override
    def detect(self, number: int, height: int, width: int) -> bytes:
        return self._detectors[number].detect(self.read_image(height, width)).tobytes()

    @override
    def track(self, number: int, height: int, width: int, landmarks: list[list[float]]) -> bytes:
        return self._detectors[number].reader.track(self.read_image(height, width), np.array(landmarks)).tobytes()


if __name__ == "__main__":
    main(LitertWorker)
