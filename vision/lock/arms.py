"""Where an arm comes from: the line of a hand from its wrist, the way back along the forearm, and how far two hands are
apart in the picture."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Box
from vision.hands.detector import MIDDLE, WRIST

Points = NDArray[np.float64]
"""A hand's landmarks (21, 2) in pixels."""


def heading(points: Points) -> float:
    """The way the hand points, from its wrist to the middle finger's knuckle: radians, 0 to the right, π/2 down."""
    x, y = points[MIDDLE] - points[WRIST]
    return math.atan2(float(y), float(x))


def turned_by(one: float, other: float) -> float:
    """The angle between two headings in degrees, 0 to 180."""
    return abs(math.degrees(math.remainder(one - other, 2 * math.pi)))


def size(points: Points) -> float:
    """The longer side of the hand's box."""
    return float(np.ptp(points, axis=0).max())


def palms_apart(one: Points, other: Points) -> float:
    """The distance of the middles of two palms, in lengths of the longer palm (wrist to middle knuckle)."""
    between = np.linalg.norm((one[WRIST] + one[MIDDLE]) / 2 - (other[WRIST] + other[MIDDLE]) / 2)
    palms = (float(np.linalg.norm(points[MIDDLE] - points[WRIST])) for points in (one, other))
    return float(between) / (max(palms) + 1e-9)


def arm(points: Points, reach: float) -> tuple[Points, Points]:
    """The line of hand and forearm: from a palm's length beyond the fingers' knuckles back to ``reach`` pixels behind
    the wrist."""
    ahead = np.array([math.cos(heading(points)), math.sin(heading(points))])
    return points[MIDDLE] + ahead * np.linalg.norm(points[MIDDLE] - points[WRIST]), points[WRIST] - ahead * reach


def comes_through(points: Points, box: Box, reach: float) -> bool:
    """Whether the way back along the forearm, ``reach`` pixels from the wrist, leads through ``box``."""
    start, end = points[WRIST], arm(points, reach)[1]
    low, high = 0.0, 1.0
    for axis, (near, side) in enumerate(((box.x, box.w), (box.y, box.h))):
        way = end[axis] - start[axis]
        if abs(way) < 1e-9:
            if not near <= start[axis] <= near + side:
                return False
            continue
        one, two = sorted(((near - start[axis]) / way, (near + side - start[axis]) / way))
        low, high = max(low, one), min(high, two)
    return low <= high


def cover(picture: NDArray[np.uint8], points: Points, grown: float, thick: float) -> None:
    """Paint a hand with its arm black in ``picture``: its box, ``grown`` lengths of the hand wider on all sides, and an
    arm ``thick`` lengths wide that reaches beyond the picture. ``points`` are in the picture's pixels."""
    long = size(points)
    low, high = (
        [round(float(v)) for v in edge] for edge in (points.min(0) - grown * long, points.max(0) + grown * long)
    )
    cv2.rectangle(picture, low, high, 0, -1)
    tip, elbow = ([round(float(v)) for v in end] for end in arm(points, 2.0 * max(picture.shape)))
    cv2.line(picture, tip, elbow, 0, max(3, round(thick * long)))
