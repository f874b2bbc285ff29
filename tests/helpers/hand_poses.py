"""Hands posed by the angles of their joints, as a hand detector would return them."""

import numpy as np
from numpy.typing import NDArray

from rules.throws import Throw
from vision.hands.detector import DetectedHand

Vector = NDArray[np.float64]

# A right hand from its back, in millimetres: wrist at 0, x towards the little finger, y along the arm, z towards
# the camera. Base and bones of index, middle, ring and little finger, and of the thumb.
FINGER_BASES_MM = np.array([[-26, 88, 0], [-6, 91, 3], [13, 86, 2], [30, 77, -2]], float)
FINGER_BONES_MM = np.array([[42, 26, 22], [47, 30, 23], [43, 28, 23], [34, 21, 20]], float)
FINGER_FAN_DEG = np.array([-9, -1, 7, 15.0])
THUMB_BASE_MM, THUMB_BONES_MM = np.array([-18, 20, -6.0]), (45, 33, 27)
THUMB_DIRECTIONS = {
    "alongside": [(-0.66, 0.70, -0.28), (-0.55, 0.82, -0.16), (-0.45, 0.88, -0.08)],
    "close": [(-0.45, 0.87, -0.20), (-0.15, 0.98, -0.10), (-0.05, 0.99, -0.08)],
    "on the fist": [(-0.40, 0.72, -0.58), (0.16, 0.86, -0.52), (0.80, 0.58, -0.16)],
    "folded": [(-0.10, 0.72, -0.62), (0.72, 0.60, -0.40), (0.95, 0.30, -0.06)],
    "out": [(-0.85, 0.45, -0.15), (-0.93, 0.30, 0.0), (-0.97, 0.15, 0.1)],
}
STRAIGHT_FLEX_DEG, CURLED_FLEX_DEG = (6, 8, 5), (82, 110, 65)


def posed_joints(flexes: list[tuple[float, float, float]], thumb: str, fan: float = 1.0) -> Vector:
    """Return the (21, 3) joints of a hand in mm; a flex is the three angles, in degrees, of a finger's joints."""
    points = [np.zeros(3), THUMB_BASE_MM]
    for bone, direction in zip(THUMB_BONES_MM, THUMB_DIRECTIONS[thumb], strict=True):
        points.append(points[-1] + bone * np.array(direction) / np.linalg.norm(direction))
    for base, bones, side, flex in zip(
        FINGER_BASES_MM, FINGER_BONES_MM, np.radians(FINGER_FAN_DEG * fan), flexes, strict=True
    ):
        points.append(base)
        for bone, down in zip(bones, np.radians(np.cumsum(flex)), strict=True):
            ahead = np.cos(down) * np.array([np.sin(side), np.cos(side), 0])
            points.append(points[-1] + bone * (ahead - np.sin(down) * np.array([0, 0, 1])))
    return np.array(points)


def hand_from_joints(
    points: Vector, turn: float = 0, tilt: float = 0, size: float = 1, left: bool = False
) -> DetectedHand:
    """Return the hand as a camera far above detects it: turned by ``turn`` degrees in the image, tilted about its
    arm."""
    a, b = np.radians(tilt), np.radians(turn)
    points = points * (-1 if left else 1, 1, 1)
    points = points @ np.array([[np.cos(a), 0, np.sin(a)], [0, 1, 0], [-np.sin(a), 0, np.cos(a)]]).T
    points = points @ np.array([[np.cos(b), -np.sin(b), 0], [np.sin(b), np.cos(b), 0], [0, 0, 1]]).T
    world = points * (1, -1, -1) / 1000
    return DetectedHand(
        world[:, :2] * 1000 * size + (320, 240), world - world.mean(0), is_right=not left, handedness_score=1.0
    )


def finger_flexes(*straight: int) -> list[tuple[float, float, float]]:
    """Return the flexes of four fingers, of which those numbered (from 1, the index finger) are straight."""
    return [STRAIGHT_FLEX_DEG if finger in straight else CURLED_FLEX_DEG for finger in (1, 2, 3, 4)]


POSES: dict[str, tuple[Vector, Throw | None]] = {
    "fist": (posed_joints(finger_flexes(), "on the fist"), Throw.ROCK),
    "flat hand": (posed_joints(finger_flexes(1, 2, 3, 4), "alongside"), Throw.PAPER),
    "fingers together": (posed_joints(finger_flexes(1, 2, 3, 4), "close", fan=0.3), Throw.PAPER),
    "two fingers": (posed_joints(finger_flexes(1, 2), "folded"), Throw.SCISSORS),
    "one finger": (posed_joints(finger_flexes(1), "on the fist"), None),
    "middle finger": (posed_joints(finger_flexes(2), "on the fist"), None),
    "little finger": (posed_joints(finger_flexes(4), "on the fist"), None),
    "horns": (posed_joints(finger_flexes(1, 4), "on the fist"), None),
    "three fingers": (posed_joints(finger_flexes(1, 2, 3), "folded"), None),
    "four fingers": (posed_joints(finger_flexes(1, 2, 3, 4), "folded"), None),
    "thumbs up": (posed_joints(finger_flexes(), "out"), None),
    "call me": (posed_joints(finger_flexes(4), "out"), None),
}
