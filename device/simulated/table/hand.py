"""The simulated hand: a skeleton of 21 joints that forms the three throws, and the cones around it for the ray tracer.
Hand space is an adult's right hand in mm: wrist at 0, fingers along +y, thumb at -x, back of the hand at +z."""

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from device.simulated.table import tracer
from device.simulated.table.people import SimulatedPerson

Array = NDArray[np.float64]
Axis = Literal["x", "y", "z"]

KNUCKLES = np.array([[-27, 88, 1], [-7, 92, 4], [13, 86, 2.5], [31, 76, -2]], float)
"""The fingers' first joints (MCP), index to little finger. With the bones below, the hand is 193 mm from the wrist to
the tip of the middle finger, typical of a man's (NASA-STD-3000: 5th to 95th percentile 178 to 207 mm)."""
FINGER_BONES = np.array([[43, 26, 22], [48, 30, 23], [44, 28, 23], [35, 20, 20]], float)
FINGER_RADII = np.array(
    [[10.2, 8.8, 7.9, 6.6], [10.4, 9.0, 8.0, 6.8], [9.8, 8.5, 7.6, 6.4], [8.8, 7.4, 6.7, 5.6]], float
)
CARPALS = np.array([[-13, 8, 0], [-4, 9, 2], [5, 8, 2], [13, 7, 0]], float)
THUMB_ROOT = np.array([-17, 18, -7], float)
THUMB_BONES = np.array([46, 33, 27], float)
THUMB_RADII = (14.0, 11.5, 9.8, 7.6)
LENGTH_MM = float(KNUCKLES[1, 1] + FINGER_BONES[1].sum())
"""Length of the open hand from the wrist to the tip of the middle finger."""

ARM_MM = 420.0
"""From the wrist to where the forearm ends; the frame's edge must hide that."""
ELBOW_MM = 260.0
"""From the wrist to the elbow, the pivot of a pump."""
FINGER_INSET_MM = 1.2
"""Offset of a finger's cones towards its inside, which makes it flatter than its back."""


class FingerPose(NamedTuple):
    """A pose of the fingers."""

    flex: Array
    """(4, 3) degrees by which each joint is bent, index to little finger, knuckle to tip."""
    spread: Array
    """(4,) degrees by which each finger leans towards the little finger's side."""
    thumb: Array
    """(3, 3) unit directions of the thumb's bones."""


def _pose(flex: list[list[float]], spread: list[float], thumb: list[tuple[float, float, float]]) -> FingerPose:
    bones = np.array(thumb)
    return FingerPose(
        np.array(flex, float), np.array(spread, float), bones / np.linalg.norm(bones, axis=1, keepdims=True)
    )


FINGER_POSES = {
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
    # The index finger is straight, the others are half bent. (With all four half bent, the hand model's landmarks are
    # those of a fist in 13 hands of 40.)
    "half-open": _pose(
        [[5, 7, 5], [35, 58, 34], [35, 58, 34], [35, 58, 34]],
        [-5, 0, 4, 9],
        [(-0.54, 0.72, -0.44), (-0.20, 0.90, -0.38), (0.24, 0.92, -0.30)],
    ),
}
"""The shapes a hand can show."""

HABIT_FLEX_DEG = np.array([3.5, 4.2, 2.8])
"""Variation between people of a finger's joints in the same shape: standard deviation in degrees, knuckle to tip,
chosen by eye."""


def blend_poses(poses: dict[str, FingerPose], shares: dict[str, float], ahead: float = 0.0) -> FingerPose:
    """Blend poses by shares that sum to 1. ``ahead`` is how much further (as a share) from the fist the index finger is
    than the little one."""
    flex = sum((shares[name] * poses[name].flex for name in shares), np.zeros((4, 3)))
    spread = sum((shares[name] * poses[name].spread for name in shares), np.zeros(4))
    thumb = sum((shares[name] * poses[name].thumb for name in shares), np.zeros((3, 3)))
    if ahead:
        openness, fist = 1 - shares["rock"], poses["rock"].flex
        opened = np.clip(openness + ahead * np.linspace(0.5, -0.5, 4), 0, 1)
        flex = fist + (flex - fist) * (opened / openness)[:, None]
    return FingerPose(flex, spread, thumb / np.linalg.norm(thumb, axis=1, keepdims=True))


def personal_poses(seed: int) -> dict[str, FingerPose]:
    """Return one person's variations of the shapes."""
    random = np.random.default_rng(seed)
    own = {}
    for name, pose in FINGER_POSES.items():
        flex = pose.flex + random.normal(0, 1, (4, 3)) * HABIT_FLEX_DEG + random.normal(0, 2.0)
        spread = pose.spread * (1 + random.uniform(-0.17, 0.17)) + random.normal(0, 1.0, 4)
        thumb = pose.thumb + random.normal(0, 0.04, (3, 3))
        own[name] = FingerPose(np.clip(flex, -8, 114), spread, thumb / np.linalg.norm(thumb, axis=1, keepdims=True))
    return own


def rotation_matrix(axis: Axis, degrees: float) -> Array:
    """Return the right-handed rotation matrix about an axis."""
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
class HandPlacement:
    """Position and orientation of a hand."""

    wrist: tuple[float, float, float]
    """The wrist in mm: right of and above the image's centre, and its height over the table."""
    yaw_deg: float = 0.0
    """Direction of the fingers, 0 up in the image, counter-clockwise."""
    roll_deg: float = 0.0
    """Rotation of the forearm, positive with the thumb's side up."""
    pitch_deg: float = 0.0
    """Rise of the fingers."""


@dataclass(frozen=True)
class HandModel:
    """A hand at one moment."""

    field: tracer.HandSegments
    """Its segments, for the tracer."""
    joints: Array
    """Its 21 joints (21, 3) in mm on the table, in the order of MediaPipe's hand landmarks: wrist, thumb, index to
    little finger, each from root to tip."""

    def segment_ends(self) -> tuple[Array, Array]:
        """Return the starts and then the ends of all segments (2n, 3), and their radii there (2n,), in mm."""
        field = self.field.astype(float)
        start, length = field[tracer.X : tracer.Z + 1].T, field[tracer.LENGTH]
        end = start + field[tracer.AXIS_X : tracer.AXIS_Z + 1].T * length[:, None]
        radius, end_radius = field[tracer.RADIUS], field[tracer.RADIUS] + field[tracer.TAPER] * length
        return np.concatenate([start, end]), np.concatenate([radius, end_radius])


class _BoneSegments(NamedTuple):
    """Segments in hand space."""

    start: Array
    """(n, 3)."""
    end: Array
    """(n, 3)."""
    radius: Array
    """The radii at the start (n,)."""
    end_radius: Array
    """The radii at the end (n,)."""
    back: Array
    """The direction of the hand's back (n, 3)."""


BACK_DIRECTION = np.array([0.0, 0.0, 1.0])
THUMB_BACK_DIRECTION = np.array([-0.75, -0.1, 0.65])
PALM_PADS = np.array(  # on the little finger's side, in the middle of the palm, and below the knuckles
    [[[15, 12, -9], [25, 52, -9]], [[-2, 20, -10], [0, 68, -11]], [[-22, 74, -9], [26, 66, -9]]], float
)
PALM_RADII = np.array([[14, 11], [12, 10.5], [10, 9.5]], float)


def _arm(person: SimulatedPerson, arm_mm: float) -> _BoneSegments:
    """Return the forearm as two parallel strands from elbow to wrist, and the sleeve's two."""
    start, end, radius, end_radius = [], [], [], []
    for at_wrist, beyond, thin, thick in ((-11.0, -20.0, 17.0, 27.0), (11.0, 20.0, 16.5, 26.0)):
        middle = (beyond, -ARM_MM * 0.55, -4.0)
        start += [middle, (beyond * 1.1, -arm_mm, -6.0)]
        end += [(at_wrist, -4.0, -2.0), middle]
        radius += [thick, thick * 1.25]
        end_radius += [thin, thick]
    if person.sleeve is not None:
        for side in (-12.0, 12.0):
            start.append((side * 1.9, -arm_mm - 30, -6.0))
            end.append((side, -person.cuff_mm, -3.0))
            radius.append(44 / person.build)  # cloth does not get thicker with the arm
            end_radius.append(31 / person.build)
    bend = rotation_matrix("z", person.wrist_deg).T
    back = np.tile(BACK_DIRECTION, (len(start), 1))
    return _BoneSegments(np.array(start) @ bend, np.array(end) @ bend, np.array(radius), np.array(end_radius), back)


def _palm() -> _BoneSegments:
    """Return the bones of the palm and its pads, the same in every pose."""
    start, end = np.vstack([CARPALS, PALM_PADS[:, 0]]), np.vstack([KNUCKLES, PALM_PADS[:, 1]])
    radius = np.r_[np.full(4, 14.0), PALM_RADII[:, 0]]
    return _BoneSegments(
        start, end, radius, np.r_[FINGER_RADII[:, 0] + 0.8, PALM_RADII[:, 1]], np.tile(BACK_DIRECTION, (7, 1))
    )


def _thumb(pose: FingerPose) -> tuple[_BoneSegments, Array]:
    """Return the ball of the thumb, the web to the palm and the two free bones; and the thumb's four joints."""
    joints = np.vstack([THUMB_ROOT, THUMB_ROOT + np.cumsum(pose.thumb * THUMB_BONES[:, None], axis=0)])
    root, first, second, tip = joints
    web = 0.4 * root + 0.6 * first + (4, 0, 0)
    ball, base, middle, end = THUMB_RADII
    bones = _BoneSegments(
        np.array([root, web, first, second]),
        np.array([first, (-22, 58, -4), second, tip - 4 * pose.thumb[2]]),
        np.array([ball, 7.0, base * 0.97, middle]),
        np.array([base, 8.0, middle, end]),
        np.array([THUMB_BACK_DIRECTION, BACK_DIRECTION, THUMB_BACK_DIRECTION, THUMB_BACK_DIRECTION]),
    )
    return bones, joints


def _fingers(pose: FingerPose) -> tuple[_BoneSegments, Array]:
    """Return the fingers' twelve bones, and their joints (4, 4, 3)."""
    bent = np.radians(np.cumsum(pose.flex, axis=1))
    lean = np.radians(-pose.spread)[:, None]
    forward, down = np.cos(bent), np.sin(bent)
    along = np.stack([-np.sin(lean) * forward, np.cos(lean) * forward, -down], axis=-1)
    back = np.stack([-np.sin(lean) * down, np.cos(lean) * down, forward], axis=-1)
    steps = along * FINGER_BONES[..., None]
    joints = np.concatenate([KNUCKLES[:, None], KNUCKLES[:, None] + np.cumsum(steps, axis=1)], axis=1)
    inset = back * np.array([FINGER_INSET_MM, FINGER_INSET_MM, 0.0])[None, :, None]
    ends = joints[:, 1:] - along * np.array([0.0, 0.0, 3.0])[None, :, None]  # the tip's radius rounds the end
    bones = _BoneSegments(
        (joints[:, :3] - inset).reshape(12, 3),
        (ends - inset).reshape(12, 3),
        FINGER_RADII[:, :3].ravel() * 1.03,
        FINGER_RADII[:, 1:].ravel() * 1.03,
        back.reshape(12, 3),
    )
    return bones, joints


def _segment_labels(sleeve: int) -> Array:
    """Return each segment's group, whether it joins the palm, and its kind: (3, n), in the order they are built."""
    rows = [(tracer.PALM, 0, tracer.KIND_ARM)] * 4 + [(tracer.PALM, 0, tracer.KIND_SLEEVE)] * sleeve
    rows += [(tracer.PALM, 0, tracer.KIND_PALM)] * 9
    rows += [(tracer.THUMB, 1, tracer.KIND_FIRST), (tracer.THUMB, 0, tracer.KIND_LAST)]
    for finger in range(4):
        rows += [(2 + finger, int(bone == 0), tracer.KIND_FIRST + bone) for bone in range(3)]
    return np.array(rows, float).T


_PALM_SEGMENTS = _palm()
_BARE_ARM_LABELS, _SLEEVED_ARM_LABELS = _segment_labels(0), _segment_labels(2)


def make_hand(person: SimulatedPerson, pose: FingerPose, placement: HandPlacement, arm_mm: float = ARM_MM) -> HandModel:
    """Return a person's hand in ``pose`` at ``placement``, with a forearm of ``arm_mm`` before it is scaled to the
    person's size."""
    thumb, thumb_joints = _thumb(pose)
    fingers, finger_joints = _fingers(pose)
    parts = (_arm(person, arm_mm), _PALM_SEGMENTS, thumb, fingers)
    start, end, radius, end_radius, back = (np.concatenate(column) for column in zip(*parts, strict=True))
    joints = np.concatenate([np.zeros((1, 3)), thumb_joints, finger_joints.reshape(16, 3)])

    mirror = np.array([-1.0 if person.left else 1.0, 1.0, 1.0])
    roll = -placement.roll_deg if person.left else placement.roll_deg
    rotation = (
        rotation_matrix("z", placement.yaw_deg) @ rotation_matrix("x", placement.pitch_deg) @ rotation_matrix("y", roll)
    ).T
    wrist = np.array(placement.wrist)
    start = (start * mirror * person.size) @ rotation + wrist
    end = (end * mirror * person.size) @ rotation + wrist
    back = (back * mirror) @ rotation

    run = end - start
    length = np.linalg.norm(run, axis=1)
    axis = run / length[:, None]
    back = back - axis * (back * axis).sum(axis=1, keepdims=True)
    back /= np.linalg.norm(back, axis=1, keepdims=True)
    thick = person.build * person.size
    field = np.empty((tracer.FIELD_ROWS, len(start)), np.float32)
    field[tracer.X : tracer.Z + 1] = start.T
    field[tracer.AXIS_X : tracer.AXIS_Z + 1] = axis.T
    field[tracer.LENGTH] = length
    field[tracer.RADIUS] = radius * thick
    field[tracer.TAPER] = (end_radius - radius) * thick / length
    field[tracer.BACK_X : tracer.BACK_Z + 1] = back.T
    field[tracer.GROUP : tracer.KIND + 1] = _BARE_ARM_LABELS if person.sleeve is None else _SLEEVED_ARM_LABELS
    field[tracer.PATTERN_SEED] = np.arange(len(start))
    return HandModel(field, (joints * mirror * person.size) @ rotation + wrist)
