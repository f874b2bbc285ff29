"""The shapes that rendered hands are shown in: throws as different people make them, and hands that are no throw.
A shape's label is what the referee should say of it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from device.simulated.table.hand import HABIT_FLEX, Array, Pose

Label = Literal["rock", "paper", "scissors", "thumb-index", "none"]
"""What a hand shows: a throw, thumb and index finger spread (scissors where the option says so), or none of these."""

STRAIGHT, CURLED, HALF = (4.0, 6.0, 4.0), (82.0, 112.0, 72.0), (42.0, 58.0, 34.0)
"""Degrees a finger is bent at its three joints."""
FAN = {"wide": (-9, -1, 6, 14), "close": (-2, 0, 1, 3), "V": (-11, 8, 2, 4), "narrow V": (-3, 1, 2, 4)}
"""Degrees the fingers lean towards the little finger's side."""
THUMBS = {
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
OK_INDEX = (50.0, 68.0, 32.0)
"""A finger bent so that its tip meets the thumb's."""


@dataclass(frozen=True)
class Shape:
    """A shape: its label, the bends of the four fingers, how they fan out, and where the thumb is."""

    label: Label
    fingers: tuple[tuple[float, float, float], ...]
    fan: str
    thumb: str

    def pose(self) -> Pose:
        """As everybody's hand makes it."""
        thumb = np.array(THUMBS[self.thumb])
        thumb /= np.linalg.norm(thumb, axis=1, keepdims=True)
        return Pose(np.array(self.fingers), np.array(FAN[self.fan], float), thumb)


def _shape(label: Label, fingers: str, fan: str, thumb: str) -> Shape:
    bends = {"|": STRAIGHT, ".": CURLED, "/": HALF, "o": OK_INDEX}
    return Shape(label, tuple(bends[finger] for finger in fingers), fan, thumb)


SHAPES: Mapping[str, Shape] = {
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
    "relaxed": Shape("none", ((18, 30, 16), (30, 42, 22), (38, 50, 26), (44, 56, 30)), "close", "half"),
}
"""Every shape by its name."""
IN_BETWEEN = "in between"
"""A hand on its way from one shape to another, or with its fingers anyhow: different each time."""
SOME_FINGERS = "some fingers"
"""Any fingers outstretched that make no throw, the thumb anyhow: different each time."""
FAR = 0.4
"""A random hand is no throw when at least one finger is this far (0 straight, 1 curled) from what each throw asks."""


def _curls(shape: Shape) -> Array:
    return np.array([sum(finger) for finger in shape.fingers]) / sum(CURLED)


def in_between(random: np.random.Generator) -> Pose:
    """A hand that is none of the shapes that count."""
    throws = [_curls(shape) for shape in SHAPES.values() if shape.label != "none"]
    while True:
        curls = np.full(4, random.uniform(0.35, 0.65)) if random.random() < 0.4 else random.uniform(0, 1, 4)
        curls = np.clip(curls + random.normal(0, 0.05, 4), 0, 1)
        if min(float(np.abs(curls - throw).max()) for throw in throws) >= FAR:
            break
    thumb = _thumb_between(random, random.choice(["beside", "on fist", "half"], 2))
    fan = np.array(FAN["close" if random.random() < 0.5 else "wide"], float)
    return Pose(_bent(curls), fan, thumb)


def some_fingers(random: np.random.Generator) -> Pose:
    """A hand with one to four fingers outstretched and the others curled that is no throw: index and middle finger are
    never alone, four have the thumb folded, the index finger alone has it not out."""
    number = int(random.choice([n for n in range(1, 16) if n != 0b0011]))
    up = np.array([number >> finger & 1 for finger in range(4)])
    curls = np.where(up, random.uniform(0, 0.15, 4), random.uniform(0.8, 1, 4))
    thumbs = ["on fist", "on ring", "across palm"]
    thumbs += {0b1111: [], 0b0001: ["along fist"]}.get(number, ["along fist", "half", "beside", "out"])
    fan = FAN[str(random.choice(["close", "wide"]))]
    return Pose(_bent(curls), np.array(fan, float), _thumb_between(random, random.choice(thumbs, 2)))


ANYHOW: Mapping[str, Callable[[np.random.Generator], Pose]] = {IN_BETWEEN: in_between, SOME_FINGERS: some_fingers}
"""Hands that are no throw and different each time, by their names."""


def _bent(curls: Array) -> Array:
    """The bends (4, 3) of fingers so far curled, from 0 straight to 1."""
    return np.asarray(np.array(STRAIGHT) + curls[:, None] * (np.array(CURLED) - np.array(STRAIGHT)))


def _thumb_between(random: np.random.Generator, names: Iterable[str]) -> Array:
    """A thumb's directions (3, 3) anywhere between two of THUMBS."""
    one, other = (np.array(THUMBS[name]) / np.linalg.norm(THUMBS[name], axis=1, keepdims=True) for name in names)
    share = float(random.random())
    thumb = one * share + other * (1 - share)
    return np.asarray(thumb / np.linalg.norm(thumb, axis=1, keepdims=True))


def made(name: str, random: np.random.Generator) -> Pose:
    """The shape as some person makes it; see ``device.simulated.table.hand.habits``."""
    pose = ANYHOW[name](random) if name in ANYHOW else SHAPES[name].pose()
    flex = pose.flex + random.normal(0, 1, (4, 3)) * HABIT_FLEX + random.normal(0, 2.0)
    spread = pose.spread * (1 + random.uniform(-0.17, 0.17)) + random.normal(0, 1.0, 4)
    thumb = pose.thumb + random.normal(0, 0.06, (3, 3))
    return Pose(np.clip(flex, -8, 114), spread, thumb / np.linalg.norm(thumb, axis=1, keepdims=True))


def label_of(name: str) -> Label:
    """What the referee should say of a shape."""
    return "none" if name in ANYHOW else SHAPES[name].label
