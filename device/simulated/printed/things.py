"""Printed things on a table and how they move: cards that are laid down, lifted and turned over, and hands above them.
Lengths are millimetres of the table: x to the picture's right, y to its bottom, z towards the camera."""

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Pixels

Points = NDArray[np.float64]
Side = Literal["front", "back"]
Skin = tuple[int, int, int]
STRIPS = 8
"""Flat strips that a curled card is drawn as."""


@dataclass(frozen=True, eq=False)
class Print:
    """Something printed on both sides: ``front`` and ``back`` are pictures of the whole of it, ``size_mm`` its width
    and height. ``glossy`` (0–1): how much it shines."""

    front: Pixels
    back: Pixels
    size_mm: tuple[float, float]
    glossy: float = 0.6


@dataclass(frozen=True)
class Pose:
    """Where a thing is: its middle in mm, ``turn`` in degrees clockwise as the camera sees it, ``flip`` in degrees
    about the line from the middle of its top to that of its bottom (0: front up, 180: back up), and ``curl``, how many
    mm its left and right edges stand higher than its middle (negative: lower)."""

    x: float
    y: float
    z: float = 0.0
    turn: float = 0.0
    flip: float = 0.0
    curl: float = 0.0

    def towards(self, other: "Pose", share: float) -> "Pose":
        """The pose that is ``share`` (0–1) of the way to ``other``."""
        mine, its = np.array(_numbers(self)), np.array(_numbers(other))
        return Pose(*(mine + share * (its - mine)).tolist())


def _numbers(pose: Pose) -> tuple[float, ...]:
    return pose.x, pose.y, pose.z, pose.turn, pose.flip, pose.curl


Keys = tuple[tuple[int, Pose], ...]
"""Poses by the time in ns at which they are reached, in order; before the first and after the last it rests."""


@dataclass(frozen=True, eq=False)
class Thing:
    """A printed thing called ``name`` and its way over the table. It is there from ``since_ns`` until ``until_ns``."""

    name: str
    made: Print = field(repr=False)
    keys: Keys
    since_ns: int | None = None
    until_ns: int | None = None

    def pose(self, when_ns: int) -> Pose | None:
        """Where it is at a time; None while it is not there."""
        if (self.since_ns is not None and when_ns < self.since_ns) or (
            self.until_ns is not None and when_ns >= self.until_ns
        ):
            return None
        return along(self.keys, when_ns)

    def moves(self, when_ns: int) -> bool:
        """Whether it is on its way at a time."""
        return moving(self.keys, when_ns, when_ns)


def moving(keys: Keys, since_ns: int, until_ns: int) -> bool:
    """Whether what has these keys may move between two times."""
    return len(keys) > 1 and keys[0][0] < until_ns and keys[-1][0] > since_ns


def along(keys: Keys, when_ns: int) -> Pose:
    """The pose at a time between keys: hands move with least jerk."""
    after = bisect_right([at for at, _ in keys], when_ns)
    if after == 0:
        return keys[0][1]
    if after == len(keys):
        return keys[-1][1]
    (begin, here), (end, there) = keys[after - 1], keys[after]
    t = (when_ns - begin) / (end - begin)
    return here.towards(there, t**3 * (10 - 15 * t + 6 * t * t))


def turned_over(begin_ns: int, pose: Pose, takes_ns: int = 220_000_000, to_flip: float = 0.0) -> Keys:
    """The keys with which a card at ``pose`` is turned over in ``takes_ns`` from ``begin_ns`` on, to ``to_flip``."""
    half = begin_ns + takes_ns // 2
    lifted = Pose(pose.x, pose.y, pose.z + 25, pose.turn, (pose.flip + to_flip) / 2, pose.curl)
    return (begin_ns, pose), (half, lifted), (begin_ns + takes_ns, Pose(pose.x, pose.y, pose.z, pose.turn, to_flip))


def mesh(size_mm: tuple[float, float], pose: Pose) -> Points:
    """The corners (strips + 1, 2, 3) in mm of the strips of a thing at ``pose``, from the left of its front to its
    right, top and bottom of each. A turning card stays above what it lies on."""
    wide, high = size_mm
    count = STRIPS if pose.curl else 1
    across = np.linspace(-0.5, 0.5, count + 1)
    up = pose.curl * ((2 * across) ** 2 - 1 / 3)
    flip, turn = math.radians(pose.flip), math.radians(pose.turn)
    along_x = across * wide * math.cos(flip) + up * math.sin(flip)
    along_z = -across * wide * math.sin(flip) + up * math.cos(flip) + wide / 2 * abs(math.sin(flip))
    points = np.empty((count + 1, 2, 3))
    for row, y in enumerate((-high / 2, high / 2)):
        points[:, row, 0] = pose.x + along_x * math.cos(turn) - y * math.sin(turn)
        points[:, row, 1] = pose.y + along_x * math.sin(turn) + y * math.cos(turn)
        points[:, row, 2] = pose.z + along_z - along_z.min() * (1 if pose.curl else 0)
    return points


@dataclass(frozen=True)
class Reach:
    """A hand over the table, coming from ``from_deg`` (0: the picture's right, 90: its bottom): its fingertips' way,
    poses whose x, y, z count. Away before the first key and after the last."""

    keys: Keys
    from_deg: float = 90.0
    skin: Skin = (196, 146, 112)
    size: float = 1.0

    def capsules(self, when_ns: int) -> Sequence[tuple[Points, Points, float]]:
        """Its limbs at a time: both ends (3,) in mm and the radius in mm; none while it is away."""
        if not self.keys[0][0] <= when_ns <= self.keys[-1][0]:
            return ()
        tip = along(self.keys, when_ns)
        back = math.radians(self.from_deg)
        away = np.array([math.cos(back), math.sin(back), 0.12])
        side = np.array([-math.sin(back), math.cos(back), 0.0])
        here = np.array([tip.x, tip.y, tip.z])
        limbs: list[tuple[Points, Points, float]] = []
        palm = here + away * 115 * self.size
        for number, (shift, short) in enumerate(((-33, 14), (-11, 0), (11, 4), (32, 22))):
            knuckle = palm - away * 32 * self.size + side * shift * self.size
            end = here + away * short * self.size + side * shift * (0.85 + 0.05 * number) * self.size
            limbs.append((knuckle, end, 9.0 * self.size))
        limbs.append(
            (palm + side * -38 * self.size, here + away * 62 * self.size + side * -58 * self.size, 10 * self.size)
        )
        limbs.append((palm, palm + away * 40 * self.size, 42 * self.size))
        limbs.append((palm + away * 60 * self.size, palm + away * 420, 30 * self.size))
        return limbs
