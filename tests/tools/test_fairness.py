"""Fairness of the classifier: what is measured from a photo, and the tests of significance."""

import cv2
import numpy as np
import pytest

from rules.throws import Throw
from tests.helpers.hand_poses import finger_flexes, hand_from_joints, posed_joints
from tools.training.examples import TrainingExample
from tools.training.fairness import (
    MeasuredPhoto,
    PhotoAttributes,
    fairness_table,
    measure_attributes,
    mirror_table,
    permutation_p_value,
    ratio_table,
    sign_test,
    skin_tone,
)
from tools.training.report import ExampleReading
from vision.hands.detector import DetectedHand


def hand(is_right: bool = True) -> DetectedHand:
    """An open hand that fills the middle of an image of 200 x 200 pixels."""
    base = hand_from_joints(posed_joints(finger_flexes(1, 2, 3, 4), "alongside"))
    low, high = base.landmarks.min(0), base.landmarks.max(0)
    return DetectedHand(40 + 120 * (base.landmarks - low) / (high - low), base.world_landmarks, is_right, 1.0)


def photo(source: str, outcome: str, **attributes: float | bool | None) -> MeasuredPhoto:
    example = TrainingExample(source, "rock", "rock", [])
    throw = {"right": Throw.ROCK, "wrong": Throw.PAPER, "undecided": None}[outcome]
    measured = PhotoAttributes(**{"luma": 100.0, **attributes})  # type: ignore[arg-type]
    return MeasuredPhoto(measured, ExampleReading(example, True, throw, 1.0))


@pytest.mark.parametrize(
    ("skin", "tone"),
    [
        ((235, 200, 175), "light"),
        ((195, 150, 115), "intermediate"),
        ((170, 128, 92), "tan"),
        ((90, 55, 35), "brown or dark"),
        ((120, 120, 140), None),
    ],
)
def test_skin_tone_is_of_the_palm_alone(skin: tuple[int, int, int], tone: str | None) -> None:
    image = np.full((200, 200, 3), (20, 200, 30), np.uint8)
    palm = hand().landmarks[[0, 1, 5, 9, 13, 17]].round().astype(np.int32)
    cv2.fillConvexPoly(image, cv2.convexHull(palm), skin)
    attributes = measure_attributes(image, [hand()])
    assert skin_tone(attributes) == tone
    assert attributes.luma == pytest.approx(float((image @ [0.2126, 0.7152, 0.0722]).mean()))


def test_hand_is_what_most_views_say() -> None:
    image = np.zeros((200, 200, 3), np.uint8)
    assert measure_attributes(image, [hand(False), hand(False), hand()]).is_right is False
    assert measure_attributes(image, [hand(False), hand()]).is_right is None
    assert measure_attributes(image, []) == PhotoAttributes(0.0)


def test_fairness_tables_count_each_group_and_find_an_unfair_one() -> None:
    photos = [photo("set01", "right", is_right=True) for _ in range(97)]
    photos += [photo("set01", "undecided", is_right=True) for _ in range(3)]
    photos += [photo("set01", "right", is_right=False) for _ in range(85)]
    photos += [photo("set01", "undecided", is_right=False) for _ in range(14)]
    photos += [photo("set01", "wrong", is_right=False), photo("set01", "right")]
    lines = fairness_table(photos).splitlines()
    left = "| hand: left | 100 | 85.00 % (76.72–90.69) | 14.00 % (8.53–22.14) | 1.00 % (0.18–5.45) |"
    assert left in lines
    assert any(line.startswith("| hand: unknown | 1 |") for line in lines)
    row = next(line for line in ratio_table(photos).splitlines() if line.startswith("| hand |"))
    assert row.startswith("| hand | right: 3 of 100 | left: 15 of 100 | 5.00 | 0.00") and row.endswith("| no |")
    some = [each for each in photos if each.reading.outcome == "right" or each.attributes.is_right]
    assert "| hand | left: 0 of 85 | right: 3 of 100 | inf |" in ratio_table(some)
    assert ratio_table(some).endswith("| yes |")


def test_permutation_p_value_agrees_with_fishers_exact_test() -> None:
    """Of 10 and 10, 1 and 6 fail: 2 x (C(10,1) C(10,6) + C(10,0) C(10,7)) / C(20,7) = 0.0573."""
    groups, failed = np.repeat([0, 1], 10), np.array([1] + [0] * 9 + [1] * 6 + [0] * 4, bool)
    assert permutation_p_value(groups, failed, np.zeros_like(groups)) == pytest.approx(0.0573, abs=0.01)


def test_difference_between_sets_is_none_within_them() -> None:
    """One set is hard and has mostly left hands; in each set both hands fail alike."""
    sets = np.repeat([0, 1], 100)
    groups = np.concatenate([np.repeat([0, 1], [80, 20]), np.repeat([0, 1], [20, 80])])
    failed = np.concatenate([np.arange(80) < 40, np.arange(20) < 10, np.zeros(100)]).astype(bool)
    assert permutation_p_value(groups, failed, np.zeros_like(sets), 999) < 0.01
    assert permutation_p_value(groups, failed, sets, 999) == 1


def test_sign_test() -> None:
    assert sign_test(8, 1) == sign_test(1, 8) == pytest.approx(20 / 512)
    assert sign_test(3, 3) == sign_test(0, 0) == 1


def test_mirror_table_compares_both_hands_of_each_photo() -> None:
    def pair(as_left: str, as_right: str, is_right: bool) -> tuple[MeasuredPhoto, MeasuredPhoto]:
        left, right = photo("set01", as_left, is_right=False), photo("set01", as_right, is_right=True)
        return (right, left) if is_right else (left, right)

    pairs = [pair("right", "undecided", number % 2 == 0) for number in range(8)] + [pair("undecided", "right", True)]
    text = mirror_table([*pairs, (photo("set01", "right", is_right=True),) * 2])
    assert "only as a left hand: 8; only as a right hand: 1 (McNemar's exact test: p = 0.039)" in text
    assert "| as a left hand | 9 | 88.89 %" in text and text.endswith("or not found: 1.")
