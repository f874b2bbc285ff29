"""Reads a hand whose place is known with LiteRT: with the second of the hand model's two networks, which finds the
landmarks of a hand in a square turned with its palm. Around it everything is as in mediapipe's HandLandmarker."""

import math
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Pixels
from vision.hands.worker import HAND

Vector = NDArray[np.float64]

UPRIGHT_RAD = 90.0
"""The direction from wrist to middle finger in the square. mediapipe's graph has 90 radians, which is 117°, where 90°
is meant (hand_detector_graph.cc); turned by 90°, landmarks differ from mediapipe's by 4 % of the hand."""
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

    def crop(self, image: Pixels, size: int) -> Pixels:
        """Return the square (size, size, 3); outside of the image the colour of its edge continues. As in mediapipe and
        in OpenCV 4, places between pixels are rounded to 1/32. OpenCV 5's warpPerspective is more exact: with it, the
        landmarks of one hand in a hundred differ from mediapipe's by more than 6 % of the hand."""
        steps = self.side / size * self.rotation
        start = self.centre - steps @ (size / 2, size / 2)
        across, down = (np.outer(axis, np.arange(size)).astype(np.float32) for axis in steps.T)
        down += start.astype(np.float32)[:, None]
        x, y = (np.add.outer(down[axis], across[axis]) for axis in (0, 1))
        whole, fraction = cv2.convertMaps(x, y, cv2.CV_16SC2)  # with steps of 1/32 pixel
        return np.asarray(
            cv2.remap(image, whole, fraction, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8
        )

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
        except ImportError as error:  # not raised itself: the process would take it for mediapipe's
            raise RuntimeError(f"{error}: install this project again") from error

        self._interpreter = Interpreter(model_content=content, num_threads=threads)
        self._interpreter.allocate_tensors()
        (image,) = self._interpreter.get_input_details()
        self._input, self.size = image["index"], int(image["shape"][1])
        self._outputs = [output["index"] for output in self._interpreter.get_output_details()]

    def __call__(self, image: Pixels, square: Square) -> list[Any]:
        """Return the outputs for a square of the image, without their first axis."""
        pixels = square.crop(image, self.size)
        np.multiply(pixels, np.float32(1 / 255), out=self._interpreter.tensor(self._input)()[0])
        self._interpreter.invoke()
        return [self._interpreter.get_tensor(index)[0].astype(float) for index in self._outputs]


class HandReader:
    """Reads the landmarks of a hand whose place in the image is known, with the second network of a bundle.

    Raises:
        RuntimeError: LiteRT can't be imported.
        OSError, KeyError, ValueError, zipfile.BadZipFile: The file is missing, or is no bundle.
    """

    def __init__(self, path: Path, threads: int = 1) -> None:
        with zipfile.ZipFile(path) as bundle:
            self._network = Network(bundle.read("hand_landmarks_detector.tflite"), threads)

    def _read(self, image: Pixels, square: Square) -> NDArray[np.void]:
        """Return the hand (``HAND``) in a square of the image, its landmarks in pixels; none where the network's score
        is too low."""
        landmarks, presence, right, world, _ = self._network(image, square)
        hand = np.zeros(int(presence[0] > MIN_TRACKED_PRESENCE), HAND)
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
        hand = self._read(image, square)
        if len(hand) and not square.fits(own := tracked_square(hand["landmarks"][0])):
            hand = self._read(image, own)
        hand["landmarks"] /= size
        return hand

    def embed(self, image: Pixels, landmarks: Vector) -> Vector:
        """Return the embedding (n,) of the hand at ``landmarks`` (21, 2; shares of the image): what the network
        computes a hand's landmarks from, means over the square of what it sees in it."""
        square = tracked_square(landmarks * (image.shape[1], image.shape[0]))
        return np.asarray(self._network(image, square)[-1])


def tracked_square(landmarks: Vector) -> Square:
    """Return the square around a hand with these landmarks (21, 2), both in pixels of the image: as mediapipe's VIDEO
    mode makes it for the next image, but turned as in IMAGE mode. Times are estimated from fingers as the network sees
    them in those."""
    right, down = (landmarks[[5, 13]].mean(0) + landmarks[9]) / 2 - landmarks[0]
    upright = Square(np.zeros(2), 1.0, math.pi / 2 - math.atan2(-down, right))
    points = landmarks[TRACKED_LANDMARKS] @ upright.rotation
    low, high = points.min(0), points.max(0)
    centre = (low + high) / 2 - (0, TRACKED_SHIFT * (high[1] - low[1]))
    side = max(TRACKED_SCALE * float((high - low).max()), 1.0)
    return Square(upright.rotation @ centre, side, upright.angle + UPRIGHT_RAD - math.pi / 2)
