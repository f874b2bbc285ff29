"""Augmentations: each maps the hands found in it back to the original image."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from device.camera.frames import Pixels
from vision.hands.augmentation import AUGMENTATIONS, Augmentation, detect_with_each, first_hand, group_detections
from vision.hands.detector import DetectedHand


def hand_at(landmarks: NDArray[np.float64]) -> DetectedHand:
    return DetectedHand(landmarks, np.zeros((21, 3)), is_right=True, handedness_score=1.0)


class RedPixelDetector:
    """Fake detector: finds one hand at the red pixels of the image, in the order of their green, from the ``first``
    call on."""

    def __init__(self, first: int = 1) -> None:
        self.first = first
        self.calls = 0

    def detect(self, image: Pixels) -> list[DetectedHand]:
        assert image.flags.c_contiguous and image.dtype == np.uint8
        self.calls += 1
        y, x = np.nonzero(image[:, :, 0] > 128)
        if self.calls < self.first or len(x) < 21:
            return []
        order = np.argsort(image[y, x, 1])[:21]
        return [hand_at(np.stack([x[order] + 0.5, y[order] + 0.5], 1))]


def marked_image(width: int, height: int, places: list[int]) -> tuple[Pixels, NDArray[np.float64]]:
    """Return a grey image with 21 marked pixels inside its edge, and the centres of those."""
    image = np.full((height, width, 3), 90, np.uint8)
    x, y = 1 + np.array(places) % (width - 2), 1 + np.array(places) // (width - 2)
    image[y, x, 0] = 255
    image[y, x, 1] = np.arange(21) * 12
    return image, np.stack([x + 0.5, y + 0.5], 1)


ALSO_MIRRORED = (*AUGMENTATIONS, *(replace(each, mirrored=True) for each in AUGMENTATIONS))


@given(augmentation=st.sampled_from(ALSO_MIRRORED), width=st.integers(8, 40), height=st.integers(8, 40), data=st.data())
def test_detected_hands_are_mapped_back(
    augmentation: Augmentation, width: int, height: int, data: st.DataObject
) -> None:
    inside = st.integers(0, (width - 2) * (height - 2) - 1)
    image, points = marked_image(width, height, data.draw(st.lists(inside, min_size=21, max_size=21, unique=True)))
    augmented, back = augmentation.apply(image)
    found = RedPixelDetector().detect(np.where(augmented[:, :, :1] > 128, augmented, 0).astype(np.uint8))
    assert found[0].landmarks @ back[:, :2].T + back[:, 2] == pytest.approx(points, abs=1.0)


@pytest.mark.parametrize("augmentation", AUGMENTATIONS, ids=str)
def test_an_augmentation_keeps_the_hand_rigid_and_unmirrored(augmentation: Augmentation) -> None:
    augmented, back = augmentation.apply(np.zeros((48, 64, 3), np.uint8))
    turn = back[:, :2]
    assert np.linalg.det(turn) > 0
    assert turn @ turn.T == pytest.approx(np.eye(2) * np.linalg.det(turn))
    assert augmented.flags.c_contiguous


@pytest.mark.parametrize("first", range(1, len(AUGMENTATIONS) + 1))
def test_detection_ends_at_the_first_hand(first: int) -> None:
    image, points = marked_image(60, 40, list(range(0, 42 * 20, 40)))
    detector = RedPixelDetector(first)
    hand = first_hand(detect_with_each(detector, image))
    assert detector.calls == first
    assert hand is not None and hand.landmarks == pytest.approx(points, abs=1.0)


@pytest.mark.parametrize("augmentations", [AUGMENTATIONS[:1], AUGMENTATIONS[2:4], AUGMENTATIONS])
def test_only_the_given_augmentations_are_used(augmentations: tuple[Augmentation, ...]) -> None:
    detector = RedPixelDetector()
    assert first_hand(detect_with_each(detector, np.zeros((20, 30, 3), np.uint8), augmentations)) is None
    assert group_detections(detect_with_each(detector, np.zeros((20, 30, 3), np.uint8), augmentations)) == []
    assert detector.calls == 2 * len(augmentations)


def test_the_first_augmentation_is_the_image_itself() -> None:
    image = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)
    augmented, back = AUGMENTATIONS[0].apply(image)
    assert (augmented == image).all() and (back == np.eye(2, 3)).all()


def test_a_hand_of_a_mirrored_image_is_the_other_hand() -> None:
    hand = DetectedHand(np.zeros((21, 2)), np.arange(63.0).reshape(21, 3), is_right=True, handedness_score=1.0)
    _, back = Augmentation(mirrored=True).apply(np.zeros((4, 6, 3), np.uint8))
    other = Augmentation(mirrored=True).map_back(hand, back)
    assert not other.is_right
    assert (other.world_landmarks == hand.world_landmarks * (-1, 1, 1)).all()
    assert other.landmarks.tolist() == [[6, 0]] * 21
    assert Augmentation().map_back(hand, np.eye(2, 3)).is_right


def test_vivid_is_farther_from_grey_and_low_gamma_brighter() -> None:
    image = np.full((4, 4, 3), (100, 90, 80), np.uint8)
    assert Augmentation(saturation=2.5).apply(image)[0][0, 0].tolist() == [115, 90, 65]
    assert Augmentation(saturation=1000).apply(image)[0][0, 0].tolist() == [255, 90, 0]
    bright = Augmentation(gamma=0.5).apply(image)[0][0, 0].tolist()
    assert bright == [int(255 * (level / 255) ** 0.5) for level in (100, 90, 80)]


def test_a_balanced_image_has_no_tint_and_full_contrast() -> None:
    grey = np.tile(np.arange(256, dtype=np.uint8)[None, :, None], (8, 1, 3))
    tinted = (40 + grey * (0.5, 0.3, 0.4)).astype(np.uint8)
    balanced = Augmentation(balanced=True).apply(tinted)[0].astype(int)
    assert np.abs(balanced - grey).max() < 12 and balanced.max() == 255 and balanced.min() == 0
    assert Augmentation(balanced=True, saturation=3).apply(tinted)[0].astype(int) == pytest.approx(balanced, abs=12)
    assert not Augmentation(balanced=True).apply(np.full((4, 4, 3), 90, np.uint8))[0].any()
    assert Augmentation(balanced=True).apply(np.zeros((0, 5, 3), np.uint8))[0].size == 0


def box_hand(x: float, y: float, width: float, height: float) -> DetectedHand:
    """Return a hand whose landmarks fill a box."""
    corners = np.array([(0, 0), (1, 0), (0, 1), (1, 1)])
    return hand_at(np.resize(corners, (21, 2)) * (width, height) + (x, y))


def test_a_part_of_a_hand_is_not_another_hand() -> None:
    """A fist within an open hand. Each augmentation counts once, with the detection of the whole where there is one."""
    whole, part, apart = box_hand(100, 100, 80, 200), box_hand(105, 220, 70, 70), box_hand(105, 320, 70, 70)
    (hand,) = group_detections([[whole, part], [whole], [part], []])
    assert [found is whole for found in hand] == [True, True, False]
    assert len(group_detections([[whole, apart], [whole], [apart]])) == 2


@given(st.lists(st.lists(st.tuples(*[st.integers(0, 300)] * 2, *[st.integers(20, 200)] * 2), max_size=4), max_size=6))
def test_groups_share_no_detection_and_count_no_augmentation_twice(boxes: list[list[tuple[int, ...]]]) -> None:
    found = [[box_hand(*box) for box in some] for some in boxes]
    groups = group_detections(found)
    number = {id(hand): i for i, some in enumerate(found) for hand in some}
    for hands in groups:
        assert len({number[id(hand)] for hand in hands}) == len(hands)
    once = [id(hand) for hands in groups for hand in hands]
    assert len(set(once)) == len(once)
    assert bool(groups) == any(boxes)
