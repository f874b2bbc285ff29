"""Shapes: posed hands are read as the throw they show or as none, however the hand is turned, mirrored or sized; the
finger extension grows steadily while a hand opens."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.throws import Throw
from tests.helpers.hand_poses import (
    CURLED_FLEX_DEG,
    POSES,
    STRAIGHT_FLEX_DEG,
    finger_flexes,
    hand_from_joints,
    posed_joints,
)
from vision.hands.classifier import hand_features, throw_probabilities
from vision.hands.shapes import finger_extension, read_detections, read_hand

FEW = settings(max_examples=30)
"""Of each of twelve poses."""
TURNED = {"turn": st.floats(-180, 180), "tilt": st.floats(-20, 20), "size": st.floats(0.3, 8), "left": st.booleans()}


@pytest.mark.parametrize("name", POSES)
@FEW
@given(**TURNED)
def test_a_pose_is_read_however_the_hand_is_seen(name: str, turn: float, tilt: float, size: float, left: bool) -> None:
    points, throw = POSES[name]
    reading = read_hand(hand_from_joints(points, turn, tilt, size, left))
    assert reading.throw == throw
    assert 0.5 <= reading.confidence <= 1


@pytest.mark.parametrize("name", POSES)
@FEW
@given(turn=st.floats(-180, 180), size=st.floats(0.3, 8), left=st.booleans())
def test_turning_mirroring_and_sizing_change_nothing(name: str, turn: float, size: float, left: bool) -> None:
    points, _ = POSES[name]
    plain, other = hand_from_joints(points), hand_from_joints(points, turn, 0, size, left)
    assert hand_features([other]) == pytest.approx(hand_features([plain]), abs=1e-5)
    assert throw_probabilities([other]) == pytest.approx(throw_probabilities([plain]), abs=1e-5)
    assert finger_extension(other) == pytest.approx(finger_extension(plain), abs=1e-9)


def test_thumb_and_index_are_scissors() -> None:
    assert read_hand(hand_from_joints(posed_joints(finger_flexes(1), "out"))).throw is Throw.SCISSORS


@pytest.mark.parametrize("name", ["fist", "flat hand", "two fingers"])
def test_extension_is_1_for_straight_fingers(name: str) -> None:
    points, throw = POSES[name]
    straight = {Throw.ROCK: (0, 0, 0, 0), Throw.PAPER: (1, 1, 1, 1), Throw.SCISSORS: (1, 1, 0, 0), None: ()}[throw]
    assert read_hand(hand_from_joints(points)).extension[1:] == pytest.approx(straight, abs=0.1)


@settings(max_examples=40)  # each opens a hand in 41 steps
@given(tilt=st.floats(-60, 60), left=st.booleans())
def test_fingers_grow_steadily_while_a_hand_opens(tilt: float, left: bool) -> None:
    steps = np.linspace(0, 1, 41)
    flexes = [tuple(np.array(CURLED_FLEX_DEG) * (1 - step) + np.array(STRAIGHT_FLEX_DEG) * step) for step in steps]
    openness = np.array(
        [
            finger_extension(hand_from_joints(posed_joints([flex] * 4, "alongside"), tilt=tilt, left=left))[1:]
            for flex in flexes
        ]
    )
    assert (np.diff(openness, axis=0) >= -1e-9).all()
    assert np.diff(openness, axis=0).max() < 0.12
    assert openness[0].max() < 0.1 and openness[-1].min() > 0.9
    middle = np.array([steps[np.searchsorted(finger, 0.5)] for finger in openness.T])
    assert middle == pytest.approx(0.5, abs=0.15)


@pytest.mark.parametrize("share", [0.45, 0.5, 0.55])
def test_a_hand_half_way_to_paper_is_no_paper(share: float) -> None:
    flex = tuple(np.array(CURLED_FLEX_DEG) * (1 - share) + np.array(STRAIGHT_FLEX_DEG) * share)
    assert read_hand(hand_from_joints(posed_joints([flex] * 4, "alongside"))).throw is not Throw.PAPER


@given(st.lists(st.floats(-400, 400), min_size=42, max_size=42))
def test_probabilities_are_valid_for_any_landmarks(flat: list[float]) -> None:
    points = np.c_[np.reshape(flat, (21, 2)), np.zeros(21)]
    known = throw_probabilities([hand_from_joints(points)])
    assert set(known) == {*Throw, None}
    assert all(0 <= chance <= 1 for chance in known.values())
    assert sum(known.values()) == pytest.approx(1)


def test_detections_are_read_together() -> None:
    paper, fist = hand_from_joints(POSES["flat hand"][0]), hand_from_joints(POSES["fist"][0], turn=90)
    assert read_detections([paper]).confidence == read_hand(paper).confidence
    assert read_detections([paper, paper, paper, fist]).throw in (Throw.PAPER, None)
    together = read_detections([paper, fist])
    assert together.extension == pytest.approx((finger_extension(paper) + finger_extension(fist)) / 2)


@pytest.mark.parametrize("points", [np.zeros((21, 3)), np.ones((21, 3)) * 7.0])
def test_landmarks_in_one_point_are_no_fault(points: np.ndarray) -> None:
    reading = read_hand(hand_from_joints(points))
    assert np.isfinite(reading.confidence) and np.isfinite(reading.extension).all()
