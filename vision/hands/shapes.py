"""From landmarks to rock, paper, scissors or none of these, and how far each finger is extended; independent of how the
hand is turned, mirrored or sized."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rules.throws import Throw
from vision.hands.classifier import (
    LONG_FINGERS,
    TIP_OFFSET,
    joint_angles,
    landmark_distance,
    read_throw,
    throw_probabilities,
)
from vision.hands.detector import MIDDLE, THUMB, WRIST, DetectedHand

Vector = NDArray[np.float64]

CURLED_MEASURE, STRAIGHT_MEASURE = -6.0, 4.5
"""The measure of ``finger_extension`` that counts as 0 and as 1: the medians of curled and of straight fingers, -6.3
and 4.5 on 1,928 pictures of throws."""
THUMB_IN_PALMS, THUMB_OUT_PALMS = 0.45, 0.9
"""Distance from the thumb's tip to the base of the middle finger, in palms, that counts as 0 and as 1. On these
pictures it is 0.37 to 0.65 in 80 % of the rocks and scissors, and 0.55 to 0.98 in 80 % of the papers."""


@dataclass(frozen=True, eq=False)
class HandReading:
    """What a hand shows."""

    throw: Throw | None
    """The throw; None for a hand that is none of the three."""
    confidence: float
    """The probability (0–1) of that."""
    extension: Vector
    """(5,) thumb, index, middle, ring and little finger, from 0 curled to 1 straight."""
    probabilities: Mapping[Throw | None, float]
    """The probability of each throw, and of none of these (None)."""


def read_hand(hand: DetectedHand) -> HandReading:
    """Read the throw that a hand shows."""
    return read_detections([hand])


def read_detections(
    hands: Sequence[DetectedHand],
    no_throw_prior: float = 1.0,
    thumb_index_prior: float = 1.0,
    fist_no_throw_prior: float | None = None,
    embeddings: Sequence[Vector] = (),
) -> HandReading:
    """Read the throw of one hand from several detections, in several augmentations of one image; see
    ``throw_probabilities`` for the parameters."""
    probabilities = throw_probabilities(hands, no_throw_prior, thumb_index_prior, fist_no_throw_prior, embeddings)
    extension = np.asarray(np.mean([finger_extension(hand) for hand in hands], axis=0))
    throw = read_throw(probabilities)
    return HandReading(throw, probabilities[throw], extension, probabilities)


def finger_extension(hand: DetectedHand) -> Vector:
    """Return how far each finger is extended (5,): thumb, index, middle, ring, little, from 0 curled to 1 straight. It
    uses the world landmarks only, so that it also grows steadily while a finger opens towards the camera: it passes 0.5
    in the middle of the opening. For timing; ``read_hand`` is surer of what the hand shows."""
    bend_deg = np.degrees(joint_angles(hand.world_landmarks).sum(-1))
    measure = -3.28 / 90 * bend_deg + 8.0 * _tip_reach(hand.world_landmarks) - 4.6
    share = np.array(
        [
            (_thumb_distance(hand.world_landmarks) - THUMB_IN_PALMS) / (THUMB_OUT_PALMS - THUMB_IN_PALMS),
            *(measure - CURLED_MEASURE) / (STRAIGHT_MEASURE - CURLED_MEASURE),
        ]
    ).clip(0, 1)
    return np.asarray(share * share * (3 - 2 * share))


def _tip_reach(points: Vector) -> Vector:
    """Return the distance (4,) of each long finger's tip from the wrist, divided by its middle joint's: 0.7 curled, 1.4
    straight."""
    bases = np.array(LONG_FINGERS)
    return np.asarray(
        landmark_distance(points, WRIST, bases + TIP_OFFSET) / (landmark_distance(points, WRIST, bases + 1) + 1e-9)
    )


def _thumb_distance(points: Vector) -> float:
    """Return the distance of the thumb's tip from the base of the middle finger, in palms (wrist to that base)."""
    return float(
        (landmark_distance(points, THUMB + TIP_OFFSET, MIDDLE) + 1e-9)
        / (landmark_distance(points, WRIST, MIDDLE) + 1e-9)
    )
