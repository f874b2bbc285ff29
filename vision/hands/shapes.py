"""From landmarks to rock, paper, scissors or none of these: evidence for each finger, and the three poses that are
throws. The same for a hand turned, mirrored, near or far."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rules.throws import Throw
from vision.hands.finder import INDEX, LITTLE, MIDDLE, RING, THUMB, WRIST, Hand

Vector = NDArray[np.float64]

LONG = (INDEX, MIDDLE, RING, LITTLE)
TIP = 3
"""From a finger's first landmark to its tip."""

STRAIGHT_AT, PER_WORLD_DEGREE, PER_IMAGE_DEGREE, PER_REACH = 0.6, -0.024, -0.0217, 4.0
"""Log-odds that a finger is straight: a constant, per degree it is bent in the world and in the image, and per unit of
reach. A logistic regression over 18 sets of pictures of rock, paper, scissors, one, three and four fingers, every set
and shape of the same weight, about 21,000 looks."""
MOST_IMAGE_DEGREES = 180.0
"""Beyond this a finger's bend in the image only says that the finger points at the camera."""

BESIDE_AT, PER_CLEAR, PER_OFF, PER_IMAGE_ANGLE = -3.61, 3.42, 8.58, -0.078
"""Log-odds that the thumb lies beside an open hand, not folded over the palm as when four fingers are shown: the same,
on 17 sets of papers, one set of four fingers and rendered hands with four fingers."""
OFF_AT, PER_OFF_FIST = 0.78, 14.0
"""A thumb sticks out of a fist (thumbs up, or thumb and index finger) when its tip is this far off the base of the
middle finger, in palms: 98 of 100 rocks stay below 0.74, thumbs up have 0.94 in the median, thumb and index 0.85."""

SURE = 0.5
"""A hand whose likeliest throw is less likely than this is none of the three."""

CURLED, OPEN = -6.0, 4.5
"""The measure of ``fingers`` at which a finger counts as 0 and as 1: the medians of curled and straight ones."""
THUMB_IN, THUMB_OUT = 0.45, 0.9
"""Palms from the thumb's tip to the base of the middle finger at which a thumb counts as 0 and as 1."""


@dataclass(frozen=True, eq=False)
class Reading:
    """What a hand shows: a throw, or None for a hand that is none of the three. ``confidence`` is the probability of
    that (0–1): the product of the fingers' probabilities, each from its log-odds. ``extension`` (5,) is thumb, index,
    middle, ring and little finger, from 0 curled to 1 straight, see ``fingers``."""

    throw: Throw | None
    confidence: float
    extension: Vector


def read(hand: Hand, thumb_index_scissors: bool = True) -> Reading:
    """What a hand shows. ``thumb_index_scissors``: a thumb and index finger spread, the others curled, count as
    scissors too, as some people throw them."""
    return read_together([hand], thumb_index_scissors)


def read_together(hands: Sequence[Hand], thumb_index_scissors: bool = True) -> Reading:
    """What one hand shows that was found several times, in several looks or frames: the mean of their evidence."""
    chances = 1 / (1 + np.exp(-np.mean([evidence(hand) for hand in hands], axis=0)))
    throws = chances_of_throws(chances, thumb_index_scissors)
    extension = np.asarray(np.mean([fingers(hand) for hand in hands], axis=0))
    best = max(throws, key=throws.__getitem__)
    if throws[best] > SURE:
        return Reading(best, throws[best], extension)
    return Reading(None, 1 - sum(throws.values()), extension)


def chances_of_throws(chances: Vector, thumb_index_scissors: bool = True) -> dict[Throw, float]:
    """The probability of each throw from those of ``evidence``; what lacks to 1 is a hand that is none of them."""
    index, middle, ring, little, beside, sticks_out = (float(chance) for chance in chances)
    two_curled = (1 - ring) * (1 - little)
    scissors = middle + (1 - middle) * sticks_out if thumb_index_scissors else middle
    return {
        Throw.ROCK: (1 - index) * (1 - middle) * two_curled * (1 - sticks_out),
        Throw.PAPER: index * middle * ring * little * beside,
        Throw.SCISSORS: index * scissors * two_curled,
    }


def evidence(hand: Hand) -> Vector:
    """Log-odds (6,): index, middle, ring and little finger straight; the thumb beside an open palm; the thumb sticking
    out of a fist."""
    world, image = hand.world, hand.landmarks
    flat = np.minimum(_bend(image), MOST_IMAGE_DEGREES)
    straight = STRAIGHT_AT + PER_WORLD_DEGREE * _bend(world) + PER_IMAGE_DEGREE * flat + PER_REACH * _reach(world)
    off = _thumb_off(image), _thumb_off(world)
    # Clear of the palm: how much further from the little finger's base the thumb's tip is than the thumb's base.
    clear = _apart(image, THUMB + TIP, LITTLE) / _apart(image, THUMB + 1, LITTLE)
    thumb, index = image[THUMB + TIP] - image[THUMB + 1], image[INDEX + TIP] - image[INDEX]
    beside = BESIDE_AT + PER_CLEAR * min(clear, 1.6) + PER_OFF * min(off[0], 1.6)
    beside += PER_IMAGE_ANGLE * min(float(_angles(thumb[None], index[None])[0]), 96.0)
    return np.array([*straight, beside, PER_OFF_FIST * (min(off) - OFF_AT)])


def fingers(hand: Hand) -> Vector:
    """How far open each finger is (5,): thumb, index, middle, ring, little, from 0 curled to 1 straight. From the
    world's landmarks alone, so that it grows smoothly and steadily while a finger opens towards the camera too: its
    passing 0.5 is the middle of the opening. For timing; ``read`` is surer of what the hand shows."""
    measure = -3.28 / 90 * _bend(hand.world) + 8.0 * _reach(hand.world) - 4.6
    share = np.array(
        [
            (_thumb_off(hand.world) - THUMB_IN) / (THUMB_OUT - THUMB_IN),
            *(measure - CURLED) / (OPEN - CURLED),
        ]
    ).clip(0, 1)
    return np.asarray(share * share * (3 - 2 * share))


def _bend(points: Vector) -> Vector:
    """Degrees (4,) that each long finger is bent in all, at its three joints."""
    chains = np.stack([points[[WRIST, *range(base, base + 4)]] for base in LONG])
    bones = np.diff(chains, axis=1)
    return np.asarray(_angles(bones[:, 1:], bones[:, :-1]).sum(axis=1))


def _reach(points: Vector) -> Vector:
    """Distance (4,) of each long finger's tip from the wrist, over its middle joint's: 0.7 curled, 1.4 straight."""
    bases = np.array(LONG)
    far = np.linalg.norm(points[bases + TIP] - points[WRIST], axis=1)
    return np.asarray(far / (np.linalg.norm(points[bases + 1] - points[WRIST], axis=1) + 1e-9))


def _thumb_off(points: Vector) -> float:
    """Distance of the thumb's tip from the base of the middle finger, in palms (wrist to that base)."""
    return _apart(points, THUMB + TIP, MIDDLE) / _apart(points, WRIST, MIDDLE)


def _apart(points: Vector, one: int, other: int) -> float:
    return float(np.linalg.norm(points[one] - points[other])) + 1e-9


def _angles(one: Vector, other: Vector) -> Vector:
    """Degrees between vectors along the last axis."""
    lengths = np.linalg.norm(one, axis=-1) * np.linalg.norm(other, axis=-1) + 1e-12
    return np.asarray(np.degrees(np.arccos(np.clip((one * other).sum(-1) / lengths, -1, 1))))
