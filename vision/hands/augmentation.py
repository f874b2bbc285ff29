"""Test-time augmentation: a hand that the model misses in an image is often found when the image is blurred, padded or
turned. Each augmentation is a call of the model; they are ordered by what they find per call."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Box, Frame, Pixels
from vision.hands.detector import DetectedHand


class Detector(Protocol):
    """Detects hands in an image: a HandDetector, or a fake."""

    def detect(self, image: Pixels) -> list[DetectedHand]:
        """Return the hands, best first."""


class HandTracker(Detector, Protocol):
    """Detects hands, and may also find one where it was before: a HandDetector, or a fake."""

    @property
    def can_track(self) -> bool:
        """Whether ``track`` may be called."""

    def track(self, image: Pixels, landmarks: NDArray[np.float64]) -> DetectedHand | None:
        """Return the hand that was at ``landmarks`` (21, 2) in another image; None if it is not there."""


BLUR_SIGMA = 0.004
"""Standard deviation of the blur, in longer sides of the image: 1.5 pixels of 400. The model samples every n-th pixel
of a large image, where noise and hard edges then hide hands. Of 108 hands that were found in at most three of nine
augmentations of the sharp image, one blurred image finds 100."""


@dataclass(frozen=True)
class Augmentation:
    """A changed version of an image. The changes are made in the order mirrored, balanced, saturation, gamma, blur,
    padding, turn."""

    blur: bool = False
    pad: float = 1.0
    """How many times its size it is padded to, by repeating its edge."""
    quarter_turns: int = 0
    """Rotation by right angles, anticlockwise."""
    saturation: float = 1.0
    """How many times as far from grey its colours are."""
    gamma: float = 1.0
    """The power to which its levels, as shares of the brightest, are raised: below 1 it is brighter."""
    balanced: bool = False
    """Whether each of R, G and B is stretched from its 1st percentile to its 99th, which removes a tint and strengthens
    a weak contrast."""
    mirrored: bool = False

    def apply(self, image: Pixels) -> tuple[Pixels, NDArray[np.float64]]:
        """Return the augmented image, and the (2, 3) matrix that maps its points back into the original."""
        height, width = image.shape[:2]
        x, y = round(width * (self.pad - 1) / 2), round(height * (self.pad - 1) / 2)
        augmented = self._change_levels(image[:, ::-1] if self.mirrored else image)
        if self.blur and image.size:
            augmented = np.asarray(cv2.GaussianBlur(augmented, (0, 0), BLUR_SIGMA * max(height, width)), np.uint8)
        if x or y:
            augmented = np.asarray(cv2.copyMakeBorder(augmented, y, y, x, x, cv2.BORDER_REPLICATE), np.uint8)
        height, width = augmented.shape[:2]
        augmented = np.ascontiguousarray(np.rot90(augmented, self.quarter_turns))
        back = {
            0: [[1, 0, 0], [0, 1, 0]],
            1: [[0, -1, width], [1, 0, 0]],
            2: [[-1, 0, width], [0, -1, height]],
            3: [[0, 1, 0], [-1, 0, height]],
        }[self.quarter_turns % 4]
        matrix = np.array(back, float)
        matrix[:, 2] -= x, y
        if self.mirrored:
            matrix[0] = (0, 0, image.shape[1]) - matrix[0]
        return augmented, matrix

    def map_back(self, hand: DetectedHand, back: NDArray[np.float64]) -> DetectedHand:
        """Return a hand detected in the augmented image as it is in the original; ``back`` is the matrix of ``apply``.
        Its world landmarks are not turned back, only mirrored."""
        hand = replace(hand, landmarks=hand.landmarks @ back[:, :2].T + back[:, 2])
        if not self.mirrored:
            return hand
        return replace(hand, world_landmarks=hand.world_landmarks * (-1, 1, 1), is_right=not hand.is_right)

    def _change_levels(self, image: Pixels) -> Pixels:
        if (self.saturation == 1 and self.gamma == 1 and not self.balanced) or not image.size:
            return image
        levels = image.astype(float)
        if self.balanced:
            low, high = np.percentile(image[::4, ::4], (1, 99), axis=(0, 1))  # of every fourth pixel, to save time
            levels = np.clip((levels - low) * 255 / np.maximum(high - low, 1), 0, 255)
        grey = levels.mean(2, keepdims=True)
        levels = np.clip(grey + (levels - grey) * self.saturation, 0, 255)
        return np.asarray(255 * (levels / 255) ** self.gamma, np.uint8)


AUGMENTATIONS = (
    Augmentation(),
    Augmentation(blur=True, pad=1.5),
    Augmentation(blur=True),
    Augmentation(pad=1.5),
    Augmentation(blur=True, pad=2.0),
    *(Augmentation(blur=True, pad=1.5, quarter_turns=quarters) for quarters in (2, 1, 3)),
    *(Augmentation(blur=True, quarter_turns=quarters) for quarters in (1, 2, 3)),
)
"""All augmentations, in order. Over 16 sets of images of real hands the first alone reads 90.9 % right, the first hit
of the first two 95.7 %, all together 96.6 % (confidence of the detector: 0.1). All together are for a still; where time
counts, a caller chooses a few."""


VIVID_SATURATION, BRIGHT_GAMMA = 2.5, 0.5
"""What shows hands that no augmentation shows: in greyish images, and dark hands against the light."""
MIN_OVERLAP_SHARE = 0.6
"""Share of the smaller of two boxes that lies in the other one, from which both are the same hand: a fist is found
within an open hand, or the fingers by themselves. A second hand was found in 47 of 1,920 images, with it in 13."""


def first_hand(detections: Iterable[Sequence[DetectedHand]]) -> DetectedHand | None:
    """Return the best hand of the first augmentation that shows one; the model is called for no further one."""
    return next((hands[0] for hands in detections if hands), None)


def detect_with_each(
    detector: Detector, image: Pixels, augmentations: Sequence[Augmentation] = AUGMENTATIONS
) -> Iterator[list[DetectedHand]]:
    """Yield the hands found in each augmentation, best first, in pixels of the image."""
    for augmentation in augmentations:
        augmented, back = augmentation.apply(image)
        yield [augmentation.map_back(hands, back) for hands in detector.detect(augmented)]


def detect_in_frame(
    detector: Detector, frame: Frame, box: Box, max_px: int, augmentations: Sequence[Augmentation] = AUGMENTATIONS[:1]
) -> Iterator[list[DetectedHand]]:
    """Yield the hands found in a part of a frame with each augmentation, best first, in pixels of the whole frame. The
    model is given an image whose longer side has at most ``max_px`` pixels."""
    size = box.size_within(max_px)
    to_frame = np.array([box.w / size[0], box.h / size[1]])
    for hands in detect_with_each(detector, frame.pixels(box, size), augmentations):
        yield [replace(hand, landmarks=hand.landmarks * to_frame + (box.x, box.y)) for hand in hands]


def track_in_frame(
    tracker: HandTracker,
    frame: Frame,
    box: Box,
    max_px: int,
    landmarks: NDArray[np.float64],
    saturation: float = 1.0,
) -> DetectedHand | None:
    """Return the hand in a part of a frame that was at ``landmarks`` (21, 2) in another one, in pixels of the whole
    frame; None if it is not there. For the other arguments see ``detect_in_frame`` and ``Augmentation``."""
    size = box.size_within(max_px)
    scale, corner = np.array([box.w / size[0], box.h / size[1]]), (box.x, box.y)
    image, _ = Augmentation(saturation=saturation).apply(frame.pixels(box, size))
    hand = tracker.track(image, (landmarks - corner) / scale)
    return None if hand is None else replace(hand, landmarks=hand.landmarks * scale + corner)


def group_detections(detections_of_each: Iterable[Sequence[DetectedHand]]) -> list[list[DetectedHand]]:
    """Return the hands found in several augmentations, each as often as it was found. Two detections are the same hand
    if their centres are within half its size, and two groups of them if their boxes overlap: parts of a hand are found
    as hands of their own. No augmentation counts twice for a hand."""
    hands: list[dict[int, DetectedHand]] = []
    for number, detections in enumerate(detections_of_each):
        unmatched = list(hands)
        for hand in detections:
            near = [same for same in unmatched if _relative_distance(_first(same), hand) < 0.5]
            if near:
                same = min(near, key=lambda same: _relative_distance(_first(same), hand))
                same[number] = hand
                unmatched.remove(same)
            else:
                hands.append({number: hand})
    merged: list[tuple[NDArray[np.float64], dict[int, DetectedHand]]] = []
    for group in sorted(hands, key=lambda group: prominence(list(group.values())), reverse=True):
        edges = median_edges(list(group.values()))
        whole = next((other for box, other in merged if _overlap_share(box, edges) >= MIN_OVERLAP_SHARE), None)
        if whole is None:
            merged.append((edges, dict(group)))
        else:
            whole.update({number: hand for number, hand in group.items() if number not in whole})
    return [list(group.values()) for _, group in merged]


def prominence(hands: Sequence[DetectedHand]) -> float:
    """Return how much an image is about a hand: how often it was found, times the root of its area."""
    edges = median_edges(hands)
    return len(hands) * float(np.sqrt(np.prod(edges[2:] - edges[:2])))


def median_edges(hands: Sequence[DetectedHand]) -> NDArray[np.float64]:
    """Return the median of a hand's boxes: left, top, right, bottom."""
    return np.asarray(np.median([(*hand.landmarks.min(0), *hand.landmarks.max(0)) for hand in hands], axis=0))


def _overlap_share(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """Return the share of the smaller of two boxes (left, top, right, bottom) that lies in the other."""
    shared = np.maximum(np.minimum(a[2:], b[2:]) - np.maximum(a[:2], b[:2]), 0)
    smaller = min(float(np.prod(box[2:] - box[:2])) for box in (a, b))
    return float(np.prod(shared)) / (smaller + 1e-9)


def _first(group: dict[int, DetectedHand]) -> DetectedHand:
    return next(iter(group.values()))


def _relative_distance(a: DetectedHand, b: DetectedHand) -> float:
    """Return how far apart the centres of two hands' boxes are, divided by the longest side of the larger box."""
    centres = [(hand.landmarks.min(0) + hand.landmarks.max(0)) / 2 for hand in (a, b)]
    size = max(float(np.ptp(hand.landmarks, axis=0).max()) for hand in (a, b))
    return float(np.linalg.norm(centres[0] - centres[1])) / (size + 1e-9)
