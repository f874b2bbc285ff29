"""The classifier: its weights come with the project, its measures don't heed how a hand is turned, mirrored or sized,
and its chances heed what they should."""

from importlib import resources

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_hands_shapes import POSES, posed, seen, up

from rules.throws import Throw
from vision.hands.classifier import CLASSES, Weights, chances, log_softmax, measures, still_weights, weights
from vision.hands.detector import Hand

LEFT_HAND = st.booleans()


@pytest.mark.parametrize(("name", "network"), [("weights.npz", weights()), ("stills.npz", still_weights())])
def test_the_weights_come_with_the_project_and_are_small(name: str, network: Weights) -> None:
    file = resources.files("vision.hands").joinpath(name)
    assert len(file.read_bytes()) < 100_000
    assert network.hidden.shape == (len(network.mean), len(network.hidden_bias))
    assert network.out.shape == (len(network.hidden_bias), len(CLASSES))
    assert all(np.isfinite(part).all() for part in network)
    assert 0.3 < network.single < 3 and 0.3 < network.together < 3


@given(st.sampled_from(sorted(POSES)), st.floats(-180, 180), st.floats(-180, 180), st.floats(0.2, 9), LEFT_HAND)
def test_measures_heed_neither_turning_nor_mirroring_nor_size(
    name: str, tilt: float, turn: float, size: float, left: bool
) -> None:
    points, _ = POSES[name]
    plain, other = seen(points, tilt=tilt), seen(points, turn, tilt if not left else -tilt, size, left)
    assert measures([other]) == pytest.approx(measures([plain]), abs=1e-5)


@given(st.sampled_from(sorted(POSES)), st.floats(-300, 300), st.floats(-300, 300))
def test_measures_heed_no_place(name: str, x: float, y: float) -> None:
    hand = seen(POSES[name][0])
    moved = Hand(hand.landmarks + np.array([x, y]), hand.world + np.array([x, y, 0]), hand.right, hand.score)
    assert measures([moved]) == pytest.approx(measures([hand]), abs=1e-5)


def test_thumb_and_index_are_scissors_or_no_throw() -> None:
    gun = seen(posed(up(1), "out"))
    allowed, not_allowed = chances([gun]), chances([gun], thumb_index_scissors=False)
    assert allowed[Throw.SCISSORS] > 0.5 > not_allowed[Throw.SCISSORS]
    moved = allowed[Throw.SCISSORS] - not_allowed[Throw.SCISSORS]
    assert not_allowed[None] == pytest.approx(allowed[None] + moved)
    assert not_allowed[Throw.ROCK] == allowed[Throw.ROCK]


@given(st.sampled_from(sorted(POSES)), st.floats(0.01, 1))
def test_where_no_throws_are_rarer_throws_are_likelier(name: str, rarer: float) -> None:
    hand = seen(POSES[name][0])
    usual, less = chances([hand]), chances([hand], no_throw=rarer)
    assert sum(less.values()) == pytest.approx(1)
    assert all(less[throw] >= usual[throw] - 1e-12 for throw in Throw)
    assert less[None] / less[Throw.ROCK] == pytest.approx(rarer * usual[None] / usual[Throw.ROCK])


def test_looks_that_agree_are_no_surer_than_the_temperature_makes_them() -> None:
    hand = seen(POSES["fist"][0])
    assert chances([hand] * 2) == pytest.approx(chances([hand] * 9))


def test_a_look_at_odds_makes_less_sure() -> None:
    fist, paper = seen(POSES["fist"][0]), seen(POSES["flat hand"][0])
    assert chances([fist, fist, paper])[Throw.ROCK] < chances([fist, fist])[Throw.ROCK]


@given(st.lists(st.floats(-700, 700), min_size=2, max_size=9))
def test_log_softmax_is_the_logarithm_of_shares(logits: list[float]) -> None:
    shares = np.exp(log_softmax(np.array(logits)))
    assert shares.sum() == pytest.approx(1) and (shares >= 0).all()
