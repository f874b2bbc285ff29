"""From landmarks to rock, paper, scissors or none of these: how far each finger is extended, and a rule on that. The
same for a hand turned, mirrored, near or far."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rules.throws import Throw
from vision.hands.finder import INDEX, LITTLE, MIDDLE, RING, THUMB, WRIST, Hand

FINGERS = (THUMB, INDEX, MIDDLE, RING, LITTLE)
STRAIGHT, CURLED = 25.0, 160.0
"""Degrees that a finger is bent in all, from the palm to its tip, when it counts as 1 and as 0."""


@dataclass(frozen=True, eq=False)
class Reading:
    """What a hand shows: a throw, or None for a hand that is none of the three; ``confidence`` in that, 0–1;
    ``extension`` of thumb, index, middle, ring and little finger, 0 curled to 1 straight."""

    throw: Throw | None
    confidence: float
    extension: NDArray[np.float64]


def fingers(hand: Hand) -> NDArray[np.float64]:
    """The extension (5,) of thumb, index, middle, ring and little finger, from 0 curled to 1 straight. It grows
    smoothly and steadily while a finger opens, so its middle can be timed."""
    return extension(hand.world)


def extension(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same from (21, 2) or (21, 3) points."""
    bends = np.empty(5)
    for finger, base in enumerate(FINGERS):
        chain = np.vstack([points[WRIST], points[base : base + 4]])
        bones = np.diff(chain, axis=0)
        bones /= np.linalg.norm(bones, axis=1, keepdims=True) + 1e-9
        bends[finger] = np.degrees(np.arccos(np.clip((bones[1:] * bones[:-1]).sum(1), -1, 1))).sum()
    share = np.clip((CURLED - bends) / (CURLED - STRAIGHT), 0, 1)
    return np.asarray(share * share * (3 - 2 * share))


def read(hand: Hand, thumb_index_scissors: bool = False) -> Reading:
    """What a hand shows. ``thumb_index_scissors``: thumb and index finger alone count as scissors too."""
    share = fingers(hand)
    wanted = {Throw.ROCK: (0, 0, 0, 0), Throw.PAPER: (1, 1, 1, 1), Throw.SCISSORS: (1, 1, 0, 0)}
    off = {throw: float(np.abs(share[1:] - pose).max()) for throw, pose in wanted.items()}
    if thumb_index_scissors:
        off[Throw.SCISSORS] = min(off[Throw.SCISSORS], float(np.abs(share - (1, 1, 0, 0, 0)).max()))
    throw = min(off, key=off.__getitem__)
    confidence = 1 - off[throw]
    return Reading(throw, confidence, share) if confidence > 0.5 else Reading(None, 1 - confidence, share)
