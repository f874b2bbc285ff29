"""From landmarks to rock, paper, scissors or none of these, and how far open each finger is. The same for a hand
turned, mirrored, near or far."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rules.throws import Throw
from vision.hands.classifier import LONG, TIP, Weights, apart, bends, chances
from vision.hands.detector import MIDDLE, THUMB, WRIST, Hand

Vector = NDArray[np.float64]

SURE = 0.5
"""A hand whose likeliest throw is less likely than this is none of the three."""

CURLED, OPEN = -6.0, 4.5
"""The measure of ``fingers`` at which a finger counts as 0 and as 1: the medians of curled and straight ones."""
THUMB_IN, THUMB_OUT = 0.45, 0.9
"""Palms from the thumb's tip to the base of the middle finger at which a thumb counts as 0 and as 1."""


@dataclass(frozen=True, eq=False)
class Reading:
    """What a hand shows: a throw, or None for a hand that is none of the three. ``confidence`` is the probability of
    that (0–1), ``chances`` that of each throw and of none of these (None). ``extension`` (5,) is thumb, index,
    middle, ring and little finger, from 0 curled to 1 straight, see ``fingers``."""

    throw: Throw | None
    confidence: float
    extension: Vector
    chances: Mapping[Throw | None, float]


def read(hand: Hand, thumb_index_scissors: bool = True, no_throw: float = 1.0) -> Reading:
    """What a hand shows. ``thumb_index_scissors``: a thumb and index finger spread, the others curled, count as
    scissors too, as some people throw them. ``no_throw``: how many times as often hands are no throw as in training."""
    return read_together([hand], thumb_index_scissors, no_throw)


def read_together(
    hands: Sequence[Hand], thumb_index_scissors: bool = True, no_throw: float = 1.0, network: Weights | None = None
) -> Reading:
    """What one hand shows that was found several times, in several looks at one picture. ``network``: the lock's
    weights unless given."""
    known = chances(hands, thumb_index_scissors, no_throw, network)
    extension = np.asarray(np.mean([fingers(hand) for hand in hands], axis=0))
    best = max(Throw, key=known.__getitem__)
    throw = best if known[best] > SURE else None
    return Reading(throw, known[throw], extension, known)


def fingers(hand: Hand) -> Vector:
    """How far open each finger is (5,): thumb, index, middle, ring, little, from 0 curled to 1 straight. From the
    world's landmarks alone, so that it grows smoothly and steadily while a finger opens towards the camera too: its
    passing 0.5 is the middle of the opening. For timing; ``read`` is surer of what the hand shows."""
    bent = np.degrees(bends(hand.world).sum(-1))
    measure = -3.28 / 90 * bent + 8.0 * _reach(hand.world) - 4.6
    share = np.array(
        [
            (_thumb_off(hand.world) - THUMB_IN) / (THUMB_OUT - THUMB_IN),
            *(measure - CURLED) / (OPEN - CURLED),
        ]
    ).clip(0, 1)
    return np.asarray(share * share * (3 - 2 * share))


def _reach(points: Vector) -> Vector:
    """Distance (4,) of each long finger's tip from the wrist, over its middle joint's: 0.7 curled, 1.4 straight."""
    bases = np.array(LONG)
    return np.asarray(apart(points, WRIST, bases + TIP) / (apart(points, WRIST, bases + 1) + 1e-9))


def _thumb_off(points: Vector) -> float:
    """Distance of the thumb's tip from the base of the middle finger, in palms (wrist to that base)."""
    return float((apart(points, THUMB + TIP, MIDDLE) + 1e-9) / (apart(points, WRIST, MIDDLE) + 1e-9))
