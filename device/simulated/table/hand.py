"""The simulated hand: a skeleton of 21 joints that takes the shapes of the three throws, and the cones that give it
flesh for the tracer. Hand space is a grown-up's right hand in millimetres: the wrist at 0, fingers along +y, the thumb
at -x, the back at +z."""

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from device.simulated.table import tracer

Array = NDArray[np.float64]
Axis = Literal["x", "y", "z"]

KNUCKLES = np.array([[-27, 88, 1], [-7, 92, 4], [13, 86, 2.5], [31, 76, -2]], float)
"""The fingers' first joints (MCP), index to little finger. With the bones below a hand is 193 mm from the wrist to
the tip of the middle finger, about what a man's is (NASA-STD-3000: 5th to 95th percentile 178 to 207 mm)."""
FINGER_BONES = np.array([[43, 26, 22], [48, 30, 23], [44, 28, 23], [35, 20, 20]], float)
FINGER_RADII = np.array(
    [[10.2, 8.8, 7.9, 6.6], [10.4, 9.0, 8.0, 6.8], [9.8, 8.5, 7.6, 6.4], [8.8, 7.4, 6.7, 5.6]], float
)
CARPALS = np.array([[-13, 8, 0], [-4, 9, 2], [5, 8, 2], [13, 7, 0]], float)
THUMB_ROOT = np.array([-17, 18, -7], float)
THUMB_BONES = np.array([46, 33, 27], float)
THUMB_RADII = (14.0, 11.5, 9.8, 7.6)
LENGTH_MM = float(KNUCKLES[1, 1] + FINGER_BONES[1].sum())
"""The open hand from the wrist to the tip of the middle finger."""

ARM_MM = 420.0
"""From the wrist to where the forearm is cut off; the frame's edge must hide it."""
ELBOW_MM = 260.0
"""From the wrist to the elbow, about which a pump turns."""
SKIN_MM = 1.2
"""How far a finger's cones sit inside its bones' line, so that its inside is flatter than its back."""


class Pose(NamedTuple):
    """How the fingers stand. ``flex`` (4, 3): degrees each joint is bent, index to little finger, knuckle to tip;
    ``spread`` (4,): degrees each finger leans towards the little finger's side; ``thumb`` (3, 3): the unit
    directions of the thumb's bones."""

    flex: Array
    spread: Array
    thumb: Array


def _pose(flex: list[list[float]], spread: list[float], thumb: list[tuple[float, float, float]]) -> Pose:
    bones = np.array(thumb)
    return Pose(np.array(flex, float), np.array(spread, float), bones / np.linalg.norm(bones, axis=1, keepdims=True))


POSES = {
    "rock": _pose(
        [[80, 112, 74], [83, 114, 74], [84, 114, 74], [84, 110, 72]],
        [-1, 0, 1, 3],
        [(-0.40, 0.72, -0.58), (0.16, 0.86, -0.52), (0.80, 0.58, -0.16)],  # over index and middle finger
    ),
    "paper": _pose(
        [[4, 6, 4], [3, 6, 4], [4, 7, 4], [6, 8, 5]],
        [-9, -1, 6, 14],
        [(-0.66, 0.70, -0.28), (-0.55, 0.82, -0.16), (-0.45, 0.88, -0.08)],
    ),
    "scissors": _pose(
        [[4, 6, 4], [4, 6, 4], [80, 110, 70], [80, 108, 70]],
        [-11, 8, 2, 4],
        [(-0.30, 0.74, -0.62), (0.52, 0.70, -0.50), (0.92, 0.38, -0.06)],  # over the ring finger
    ),
    # the index finger is out, the others are half way: none of the three. (With all four half bent the hand model's
    # landmarks are a fist's in 13 hands of 40.)
    "half-open": _pose(
        [[5, 7, 5], [35, 58, 34], [35, 58, 34], [35, 58, 34]],
        [-5, 0, 4, 9],
        [(-0.54, 0.72, -0.44), (-0.20, 0.90, -0.38), (0.24, 0.92, -0.30)],
    ),
}
"""The shapes a hand can show."""

HABIT_FLEX = np.array([3.5, 4.2, 2.8])
"""How differently people bend the joints of a finger in the same shape: a standard deviation in degrees, knuckle to
tip, chosen by eye."""


def blend(poses: dict[str, Pose], shares: dict[str, float]) -> Pose:
    """The pose between several, by shares that sum to 1."""
    flex = sum((shares[name] * poses[name].flex for name in shares), np.zeros((4, 3)))
    spread = sum((shares[name] * poses[name].spread for name in shares), np.zeros(4))
    thumb = sum((shares[name] * poses[name].thumb for name in shares), np.zeros((3, 3)))
    return Pose(flex, spread, thumb / np.linalg.norm(thumb, axis=1, keepdims=True))


def habits(seed: int) -> dict[str, Pose]:
    """The shapes as one person makes them, a little different from everybody's."""
    random = np.random.default_rng(seed)
    own = {}
    for name, pose in POSES.items():
        flex = pose.flex + random.normal(0, 1, (4, 3)) * HABIT_FLEX + random.normal(0, 2.0)
        spread = pose.spread * (1 + random.uniform(-0.17, 0.17)) + random.normal(0, 1.0, 4)
        thumb = pose.thumb + random.normal(0, 0.04, (3, 3))
        own[name] = Pose(np.clip(flex, -8, 114), spread, thumb / np.linalg.norm(thumb, axis=1, keepdims=True))
    return own


def turn(axis: Axis, degrees: float) -> Array:
    """The rotation matrix about an axis, right-handed."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array(
        {
            "x": [[1, 0, 0], [0, c, -s], [0, s, c]],
            "y": [[c, 0, s], [0, 1, 0], [-s, 0, c]],
            "z": [[c, -s, 0], [s, c, 0], [0, 0, 1]],
        }[axis],
        float,
    )


@dataclass(frozen=True)
class Body:
    """What of a hand never changes. ``size`` is 1 for a grown-up (193 mm from wrist to tip), about 0.75 for a child
    of ten; ``build`` is how thick it is for its size; ``wrist_deg`` how far the forearm turns away sideways;
    ``cuff_mm`` how far from the wrist the sleeve ends, ``None`` for a bare arm; ``arm_mm`` how far from it the arm is
    cut off."""

    left: bool = False
    size: float = 1.0
    build: float = 1.0
    wrist_deg: float = 0.0
    cuff_mm: float | None = None
    arm_mm: float = ARM_MM


@dataclass(frozen=True)
class Placing:
    """Where a hand is. ``wrist``: the wrist on the table, millimetres, right of and above the picture's centre, and its
    height. ``yaw_deg``: where the fingers point, 0 up in the picture, counter-clockwise. ``roll_deg``: the
    forearm's turn, positive with the thumb's side up. ``pitch_deg``: the fingers' rise."""

    wrist: tuple[float, float, float]
    yaw_deg: float = 0.0
    roll_deg: float = 0.0
    pitch_deg: float = 0.0


@dataclass(frozen=True)
class Hand:
    """A hand at one moment: its flesh for the tracer, and the 21 joints (21, 3) in millimetres of the table, in the
    order of MediaPipe's hand landmarks: wrist, thumb, index to little finger, each from its root to its tip."""

    field: tracer.Field
    joints: Array


class _Bones(NamedTuple):
    """Segments in hand space: where they start and end (n, 3), both radii (n,), the direction of the back (n, 3)."""

    start: Array
    end: Array
    radius: Array
    end_radius: Array
    back: Array


UP = np.array([0.0, 0.0, 1.0])
THUMB_BACK = np.array([-0.75, -0.1, 0.65])
PALM_PADS = np.array(  # the balls of the little finger's side, the middle of the palm and the row under the knuckles
    [[[15, 12, -9], [25, 52, -9]], [[-2, 20, -10], [0, 68, -11]], [[-22, 74, -9], [26, 66, -9]]], float
)
PALM_RADII = np.array([[14, 11], [12, 10.5], [10, 9.5]], float)


def _arm(body: Body) -> _Bones:
    """The forearm as two strands side by side, from the elbow's end to the wrist, and the sleeve's two."""
    start, end, radius, end_radius = [], [], [], []
    for at_wrist, beyond, thin, thick in ((-11.0, -20.0, 17.0, 27.0), (11.0, 20.0, 16.5, 26.0)):
        middle = (beyond, -ARM_MM * 0.55, -4.0)
        start += [middle, (beyond * 1.1, -body.arm_mm, -6.0)]
        end += [(at_wrist, -4.0, -2.0), middle]
        radius += [thick, thick * 1.25]
        end_radius += [thin, thick]
    if body.cuff_mm is not None:
        for side in (-12.0, 12.0):
            start.append((side * 1.9, -body.arm_mm - 30, -6.0))
            end.append((side, -body.cuff_mm, -3.0))
            radius.append(44 / body.build)  # cloth doesn't grow with the arm in it
            end_radius.append(31 / body.build)
    bend = turn("z", body.wrist_deg).T
    back = np.tile(UP, (len(start), 1))
    return _Bones(np.array(start) @ bend, np.array(end) @ bend, np.array(radius), np.array(end_radius), back)


def _palm() -> _Bones:
    """The bones of the palm and its pads: the same in every pose."""
    start, end = np.vstack([CARPALS, PALM_PADS[:, 0]]), np.vstack([KNUCKLES, PALM_PADS[:, 1]])
    radius = np.r_[np.full(4, 14.0), PALM_RADII[:, 0]]
    return _Bones(start, end, radius, np.r_[FINGER_RADII[:, 0] + 0.8, PALM_RADII[:, 1]], np.tile(UP, (7, 1)))


def _thumb(pose: Pose) -> tuple[_Bones, Array]:
    """The ball of the thumb, the web to the palm, the two free bones; and the thumb's four joints."""
    joints = np.vstack([THUMB_ROOT, THUMB_ROOT + np.cumsum(pose.thumb * THUMB_BONES[:, None], axis=0)])
    root, first, second, tip = joints
    web = 0.4 * root + 0.6 * first + (4, 0, 0)
    ball, base, middle, end = THUMB_RADII
    bones = _Bones(
        np.array([root, web, first, second]),
        np.array([first, (-22, 58, -4), second, tip - 4 * pose.thumb[2]]),
        np.array([ball, 7.0, base * 0.97, middle]),
        np.array([base, 8.0, middle, end]),
        np.array([THUMB_BACK, UP, THUMB_BACK, THUMB_BACK]),
    )
    return bones, joints


def _fingers(pose: Pose) -> tuple[_Bones, Array]:
    """The fingers' twelve bones, and their joints (4, 4, 3)."""
    bent = np.radians(np.cumsum(pose.flex, axis=1))
    lean = np.radians(-pose.spread)[:, None]
    forward, down = np.cos(bent), np.sin(bent)
    along = np.stack([-np.sin(lean) * forward, np.cos(lean) * forward, -down], axis=-1)
    back = np.stack([-np.sin(lean) * down, np.cos(lean) * down, forward], axis=-1)
    steps = along * FINGER_BONES[..., None]
    joints = np.concatenate([KNUCKLES[:, None], KNUCKLES[:, None] + np.cumsum(steps, axis=1)], axis=1)
    inset = back * np.array([SKIN_MM, SKIN_MM, 0.0])[None, :, None]
    ends = joints[:, 1:] - along * np.array([0.0, 0.0, 3.0])[None, :, None]  # the tip's own radius rounds the end
    bones = _Bones(
        (joints[:, :3] - inset).reshape(12, 3),
        (ends - inset).reshape(12, 3),
        FINGER_RADII[:, :3].ravel() * 1.03,
        FINGER_RADII[:, 1:].ravel() * 1.03,
        back.reshape(12, 3),
    )
    return bones, joints


def _labels(arm: int, sleeve: int) -> Array:
    """What each segment is, in the order they are built: group, joins the palm, kind (3, n)."""
    rows = [(tracer.PALM, 0, tracer.KIND_ARM)] * arm + [(tracer.PALM, 0, tracer.KIND_SLEEVE)] * sleeve
    rows += [(tracer.PALM, 0, tracer.KIND_PALM)] * 9
    rows += [(tracer.THUMB, 1, tracer.KIND_FIRST), (tracer.THUMB, 0, tracer.KIND_LAST)]
    for finger in range(4):
        rows += [(2 + finger, int(bone == 0), tracer.KIND_FIRST + bone) for bone in range(3)]
    return np.array(rows, float).T


_PALM = _palm()
_BARE, _SLEEVED = _labels(4, 0), _labels(4, 2)


def make_hand(body: Body, pose: Pose, placing: Placing) -> Hand:
    """The hand of ``body`` in ``pose`` at ``placing``."""
    thumb, thumb_joints = _thumb(pose)
    fingers, finger_joints = _fingers(pose)
    parts = (_arm(body), _PALM, thumb, fingers)
    start, end, radius, end_radius, back = (np.concatenate(column) for column in zip(*parts, strict=True))
    joints = np.concatenate([np.zeros((1, 3)), thumb_joints, finger_joints.reshape(16, 3)])

    mirror = np.array([-1.0 if body.left else 1.0, 1.0, 1.0])
    roll = -placing.roll_deg if body.left else placing.roll_deg
    rotation = (turn("z", placing.yaw_deg) @ turn("x", placing.pitch_deg) @ turn("y", roll)).T
    place = np.array(placing.wrist)
    start = (start * mirror * body.size) @ rotation + place
    end = (end * mirror * body.size) @ rotation + place
    back = (back * mirror) @ rotation

    run = end - start
    length = np.linalg.norm(run, axis=1)
    axis = run / length[:, None]
    back = back - axis * (back * axis).sum(axis=1, keepdims=True)
    back /= np.linalg.norm(back, axis=1, keepdims=True)
    thick = body.build * body.size
    field = np.empty((tracer.ROWS, len(start)), np.float32)
    field[tracer.X : tracer.Z + 1] = start.T
    field[tracer.AXIS_X : tracer.AXIS_Z + 1] = axis.T
    field[tracer.LENGTH] = length
    field[tracer.RADIUS] = radius * thick
    field[tracer.TAPER] = (end_radius - radius) * thick / length
    field[tracer.BACK_X : tracer.BACK_Z + 1] = back.T
    field[tracer.GROUP : tracer.KIND + 1] = _BARE if body.cuff_mm is None else _SLEEVED
    field[tracer.NAME] = np.arange(len(start))
    return Hand(field, (joints * mirror * body.size) @ rotation + place)
