"""The shapes of rendered hands: throws as different people make them, and hands that show no throw."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from device.simulated.table.hand import HABIT_FLEX_DEG, Array, FingerPose

HandLabel = Literal["rock", "paper", "scissors", "thumb-index", "none"]
"""What a hand shows: a throw, thumb and index finger spread (scissors if the option allows it), or none of these."""

STRAIGHT_DEG, CURLED_DEG, HALF_BENT_DEG = (4.0, 6.0, 4.0), (82.0, 112.0, 72.0), (42.0, 58.0, 34.0)
"""How far a finger is bent at each of its three joints."""
FAN_DEG = {"wide": (-9, -1, 6, 14), "close": (-2, 0, 1, 3), "V": (-11, 8, 2, 4), "narrow V": (-3, 1, 2, 4)}
"""How far each finger leans towards the little finger's side."""
THUMB_DIRECTIONS = {
    "beside": ((-0.66, 0.70, -0.28), (-0.55, 0.82, -0.16), (-0.45, 0.88, -0.08)),
    "close": ((-0.45, 0.87, -0.20), (-0.15, 0.98, -0.10), (-0.05, 0.99, -0.08)),
    "on fist": ((-0.40, 0.72, -0.58), (0.16, 0.86, -0.52), (0.80, 0.58, -0.16)),
    "along fist": ((-0.52, 0.78, -0.34), (-0.16, 0.93, -0.33), (0.05, 0.97, -0.24)),
    "on ring": ((-0.30, 0.74, -0.62), (0.52, 0.70, -0.50), (0.92, 0.38, -0.06)),
    "across palm": ((-0.10, 0.72, -0.68), (0.72, 0.60, -0.36), (0.95, 0.30, -0.06)),
    "out": ((-0.85, 0.45, -0.15), (-0.93, 0.30, 0.0), (-0.97, 0.15, 0.1)),
    "half": ((-0.54, 0.72, -0.44), (-0.20, 0.90, -0.38), (0.24, 0.92, -0.30)),
    "to index": ((-0.40, 0.62, -0.67), (-0.10, 0.80, -0.60), (0.25, 0.82, -0.52)),
}
"""The directions of a thumb's three bones."""
OK_INDEX_DEG = (50.0, 68.0, 32.0)
"""A finger bent so that its tip meets the thumb's."""


@dataclass(frozen=True)
class HandShape:
    """A hand shape."""

    label: HandLabel
    fingers: tuple[tuple[float, float, float], ...]
    """The bends of the four fingers, in degrees."""
    fan: str
    """How the fingers fan out, one of ``FAN_DEG``."""
    thumb: str
    """One of ``THUMB_DIRECTIONS``."""

    def pose(self) -> FingerPose:
        """Return the shape as an average hand makes it."""
        thumb = np.array(THUMB_DIRECTIONS[self.thumb])
        thumb /= np.linalg.norm(thumb, axis=1, keepdims=True)
        return FingerPose(np.array(self.fingers), np.array(FAN_DEG[self.fan], float), thumb)


def _shape(label: HandLabel, fingers: str, fan: str, thumb: str) -> HandShape:
    bends = {"|": STRAIGHT_DEG, ".": CURLED_DEG, "/": HALF_BENT_DEG, "o": OK_INDEX_DEG}
    return HandShape(label, tuple(bends[finger] for finger in fingers), fan, thumb)


HAND_SHAPES: Mapping[str, HandShape] = {
    "rock": _shape("rock", "....", "close", "on fist"),
    "rock, thumb along": _shape("rock", "....", "close", "along fist"),
    "paper": _shape("paper", "||||", "wide", "beside"),
    "paper, fingers close": _shape("paper", "||||", "close", "close"),
    "scissors": _shape("scissors", "||..", "V", "on ring"),
    "scissors, narrow": _shape("scissors", "||..", "narrow V", "on ring"),
    "scissors, thumb loose": _shape("scissors", "||..", "V", "half"),
    "thumb and index": _shape("thumb-index", "|...", "close", "out"),
    "thumbs up": _shape("none", "....", "close", "out"),
    "one finger": _shape("none", "|...", "close", "on fist"),
    "middle finger": _shape("none", ".|..", "close", "on fist"),
    "little finger": _shape("none", "...|", "close", "on fist"),
    "three fingers": _shape("none", "|||.", "wide", "on ring"),
    "three last fingers": _shape("none", ".|||", "wide", "on ring"),
    "four fingers": _shape("none", "||||", "wide", "across palm"),
    "OK": _shape("none", "o|||", "wide", "to index"),
    "horns": _shape("none", "|..|", "close", "on ring"),
    "call me": _shape("none", "...|", "close", "out"),
    "half open": _shape("none", "////", "close", "half"),
    "index out, half open": _shape("none", "|///", "close", "half"),
    "relaxed": HandShape("none", ((18, 30, 16), (30, 42, 22), (38, 50, 26), (44, 56, 30)), "close", "half"),
}
"""The fixed shapes by name."""
IN_BETWEEN = "in between"
"""A hand between two shapes, or with random fingers: different each time."""
SOME_FINGERS = "some fingers"
"""Random outstretched fingers that make no throw, and a random thumb: different each time."""
MIN_CURL_DIFFERENCE = 0.4
"""A random hand shows no throw if, for every throw, at least one finger's curl (0 straight, 1 curled) differs by at
least this much."""


def _curls(shape: HandShape) -> Array:
    return np.array([sum(finger) for finger in shape.fingers]) / sum(CURLED_DEG)


def random_in_between(rng: np.random.Generator) -> FingerPose:
    """Draw a hand that shows no throw."""
    throws = [_curls(shape) for shape in HAND_SHAPES.values() if shape.label != "none"]
    while True:
        curls = np.full(4, rng.uniform(0.35, 0.65)) if rng.random() < 0.4 else rng.uniform(0, 1, 4)
        curls = np.clip(curls + rng.normal(0, 0.05, 4), 0, 1)
        if min(float(np.abs(curls - throw).max()) for throw in throws) >= MIN_CURL_DIFFERENCE:
            break
    thumb = _random_thumb(rng, rng.choice(["beside", "on fist", "half"], 2))
    fan = np.array(FAN_DEG["close" if rng.random() < 0.5 else "wide"], float)
    return FingerPose(_bends(curls), fan, thumb)


def random_fingers(rng: np.random.Generator) -> FingerPose:
    """Draw a hand that shows no throw, with one to four fingers outstretched and the others curled: never index and
    middle finger alone; four fingers only with the thumb folded, the index finger alone never with the thumb out."""
    number = int(rng.choice([n for n in range(1, 16) if n != 0b0011]))
    up = np.array([number >> finger & 1 for finger in range(4)])
    curls = np.where(up, rng.uniform(0, 0.15, 4), rng.uniform(0.8, 1, 4))
    thumbs = ["on fist", "on ring", "across palm"]
    thumbs += {0b1111: [], 0b0001: ["along fist"]}.get(number, ["along fist", "half", "beside", "out"])
    fan = FAN_DEG[str(rng.choice(["close", "wide"]))]
    return FingerPose(_bends(curls), np.array(fan, float), _random_thumb(rng, rng.choice(thumbs, 2)))


RANDOM_SHAPES: Mapping[str, Callable[[np.random.Generator], FingerPose]] = {
    IN_BETWEEN: random_in_between,
    SOME_FINGERS: random_fingers,
}
"""Shapes that are different each time, by name; none of them is a throw."""


def _bends(curls: Array) -> Array:
    """Return the bends (4, 3) in degrees of fingers with these curls (4,), 0 straight to 1 curled."""
    return np.asarray(np.array(STRAIGHT_DEG) + curls[:, None] * (np.array(CURLED_DEG) - np.array(STRAIGHT_DEG)))


def _random_thumb(rng: np.random.Generator, names: Iterable[str]) -> Array:
    """Draw the directions (3, 3) of a thumb between two of ``THUMB_DIRECTIONS``."""
    one, other = (
        np.array(THUMB_DIRECTIONS[name]) / np.linalg.norm(THUMB_DIRECTIONS[name], axis=1, keepdims=True)
        for name in names
    )
    share = float(rng.random())
    thumb = one * share + other * (1 - share)
    return np.asarray(thumb / np.linalg.norm(thumb, axis=1, keepdims=True))


def personal_pose(name: str, rng: np.random.Generator) -> FingerPose:
    """Draw a shape as some person makes it; see ``device.simulated.table.hand.personal_poses``."""
    pose = RANDOM_SHAPES[name](rng) if name in RANDOM_SHAPES else HAND_SHAPES[name].pose()
    flex = pose.flex + rng.normal(0, 1, (4, 3)) * HABIT_FLEX_DEG + rng.normal(0, 2.0)
    spread = pose.spread * (1 + rng.uniform(-0.17, 0.17)) + rng.normal(0, 1.0, 4)
    thumb = pose.thumb + rng.normal(0, 0.06, (3, 3))
    return FingerPose(np.clip(flex, -8, 114), spread, thumb / np.linalg.norm(thumb, axis=1, keepdims=True))


def shape_label(name: str) -> HandLabel:
    """Return the label of a shape."""
    return "none" if name in RANDOM_SHAPES else HAND_SHAPES[name].label
