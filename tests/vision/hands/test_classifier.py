"""The classifier: its weights are packaged, its features don't depend on how a hand is turned, mirrored or sized, and
its probabilities follow its parameters."""

from importlib import resources

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.throws import Throw
from tests.helpers.hand_poses import POSES, finger_flexes, hand_from_joints, posed_joints
from vision.hands.classifier import (
    CLASSES,
    NetworkWeights,
    combine_networks,
    embedding_weights,
    hand_features,
    hand_weights,
    log_softmax,
    merge_classes,
    read_throw,
    throw_probabilities,
)
from vision.hands.detector import DetectedHand
from vision.hands.shapes import Vector

LEFT_HAND = st.booleans()


@pytest.mark.parametrize(
    ("name", "network"), [("weights.npz", hand_weights()), ("embedding_weights.npz", embedding_weights())]
)
def test_the_weights_are_packaged_and_small(name: str, network: NetworkWeights) -> None:
    assert len(resources.files("vision.hands").joinpath(name).read_bytes()) < 300_000
    assert network.hidden.shape == (len(network.mean), len(network.hidden_bias))
    assert network.out.shape == (len(network.hidden_bias), len(CLASSES))
    assert all(np.isfinite(part).all() for part in network)
    assert 0.3 < network.single < 3 and 0.3 < network.together < 3


@given(st.sampled_from(sorted(POSES)), st.floats(-180, 180), st.floats(-180, 180), st.floats(0.2, 9), LEFT_HAND)
def test_features_do_not_depend_on_rotation_mirroring_or_size(
    name: str, tilt: float, turn: float, size: float, left: bool
) -> None:
    points, _ = POSES[name]
    plain, other = (
        hand_from_joints(points, tilt=tilt),
        hand_from_joints(points, turn, tilt if not left else -tilt, size, left),
    )
    assert hand_features([other]) == pytest.approx(hand_features([plain]), abs=1e-5)


@given(st.sampled_from(sorted(POSES)), st.floats(-300, 300), st.floats(-300, 300))
def test_features_do_not_depend_on_position(name: str, x: float, y: float) -> None:
    hand = hand_from_joints(POSES[name][0])
    moved = DetectedHand(
        hand.landmarks + np.array([x, y]),
        hand.world_landmarks + np.array([x, y, 0]),
        hand.is_right,
        hand.handedness_score,
    )
    assert hand_features([moved]) == pytest.approx(hand_features([hand]), abs=1e-5)


def test_thumb_and_index_count_as_scissors() -> None:
    classes = dict(zip(CLASSES, (0.1, 0.2, 0.3, 0.15, 0.25), strict=True))
    merged = merge_classes(np.array(list(classes.values())))
    assert merged[Throw.SCISSORS] == pytest.approx(classes["scissors"] + classes["thumb-index"])
    assert (merged[Throw.ROCK], merged[Throw.PAPER], merged[None]) == (0.1, 0.2, 0.25)


@given(st.sampled_from(sorted(POSES)), st.floats(0.01, 1))
def test_a_lower_prior_of_no_throw_makes_throws_more_probable(name: str, rarer: float) -> None:
    hand = hand_from_joints(POSES[name][0])
    usual, less = throw_probabilities([hand]), throw_probabilities([hand], no_throw_prior=rarer)
    assert sum(less.values()) == pytest.approx(1)
    assert all(less[throw] >= usual[throw] - 1e-12 for throw in Throw)
    assert less[None] / less[Throw.ROCK] == pytest.approx(rarer * usual[None] / usual[Throw.ROCK])


@given(st.floats(0.01, 1))
def test_a_lower_prior_of_thumb_and_index_makes_only_these_less_probable(rarer: float) -> None:
    gun = hand_from_joints(posed_joints(finger_flexes(1), "out"))
    usual, less = throw_probabilities([gun]), throw_probabilities([gun], thumb_index_prior=rarer)
    assert sum(less.values()) == pytest.approx(1)
    for other in (Throw.PAPER, None):
        assert less[other] / less[Throw.ROCK] == pytest.approx(usual[other] / usual[Throw.ROCK])
    kept = less[Throw.SCISSORS] / less[Throw.ROCK] / (usual[Throw.SCISSORS] / usual[Throw.ROCK])
    assert rarer - 1e-9 <= kept <= rarer + 0.1


def test_the_number_of_agreeing_detections_does_not_matter() -> None:
    hand = hand_from_joints(POSES["fist"][0])
    assert throw_probabilities([hand] * 2) == pytest.approx(throw_probabilities([hand] * 9))


def test_a_contrary_detection_lowers_the_probability() -> None:
    fist, paper = hand_from_joints(POSES["fist"][0]), hand_from_joints(POSES["flat hand"][0])
    assert throw_probabilities([fist, fist, paper])[Throw.ROCK] < throw_probabilities([fist, fist])[Throw.ROCK]


@given(st.lists(st.floats(-700, 700), min_size=2, max_size=9))
def test_log_softmax_is_the_logarithm_of_shares(logits: list[float]) -> None:
    shares = np.exp(log_softmax(np.array(logits)))
    assert shares.sum() == pytest.approx(1) and (shares >= 0).all()


ROCK, UNSURE_ROCK, PAPER, NO_THROW = (
    np.array(classes)
    for classes in (
        [0.97, 0.01, 0.0, 0.0, 0.02],
        [0.55, 0.25, 0.1, 0.0, 0.1],
        [0.01, 0.95, 0.02, 0.01, 0.01],
        [0.15, 0.05, 0.02, 0.0, 0.78],
    )
)


@pytest.mark.parametrize(
    ("by_landmarks", "by_embedding", "throw", "confidence"),
    [
        (ROCK, ROCK, Throw.ROCK, (0.9, 0.97)),
        (ROCK, UNSURE_ROCK, Throw.ROCK, (0.7, 0.9)),
        (UNSURE_ROCK, ROCK, Throw.ROCK, (0.55, 0.551)),
        (ROCK, NO_THROW, Throw.ROCK, (0.5, 0.7)),
        (UNSURE_ROCK, NO_THROW, Throw.ROCK, (0.5, 0.52)),  # 0.15 does not speak against it
        (UNSURE_ROCK, PAPER, None, (0.5, 0.501)),  # 0.01 does
        (NO_THROW, NO_THROW, None, (0.6, 0.8)),
        (NO_THROW, PAPER, Throw.PAPER, (0.5, 0.7)),
    ],
)
def test_two_networks_read_a_hand(
    by_landmarks: Vector, by_embedding: Vector, throw: Throw | None, confidence: tuple[float, float]
) -> None:
    probabilities = combine_networks(by_landmarks, by_embedding)
    assert read_throw(probabilities) is throw
    assert confidence[0] <= probabilities[throw] <= confidence[1]
    assert sum(probabilities.values()) == pytest.approx(1) and min(probabilities.values()) >= 0
