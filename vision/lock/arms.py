"""Where an arm comes from: the direction of a hand, the line back along its forearm, and the distance of two hands in
the image."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Box
from vision.hands.detector import MIDDLE, WRIST

Landmarks = NDArray[np.float64]
"""A hand's landmarks (21, 2) in pixels."""

MIN_PALM_DISTANCE = 0.8
"""Least distance of the palms of two hands, in lengths of a palm, or it is one hand found twice. Rendered: 0.8 for a
hand half over another."""


def heading(points: Landmarks) -> float:
    """Return where the hand points, from its wrist to the middle finger's knuckle: radians, 0 to the right, π/2
    down."""
    x, y = points[MIDDLE] - points[WRIST]
    return math.atan2(float(y), float(x))


def angle_between_deg(a: float, b: float) -> float:
    """Return the angle between two headings in degrees, 0 to 180."""
    return abs(math.degrees(math.remainder(a - b, 2 * math.pi)))


def hand_size(points: Landmarks) -> float:
    """Return the longer side of the hand's box in pixels."""
    return float(np.ptp(points, axis=0).max())


def palm_distance(a: Landmarks, b: Landmarks) -> float:
    """Return the distance of the centres of two palms, in lengths of the longer palm (wrist to middle knuckle)."""
    distance = np.linalg.norm((a[WRIST] + a[MIDDLE]) / 2 - (b[WRIST] + b[MIDDLE]) / 2)
    palms = (float(np.linalg.norm(points[MIDDLE] - points[WRIST])) for points in (a, b))
    return float(distance) / (max(palms) + 1e-9)


def arm_line(points: Landmarks, reach: float) -> tuple[Landmarks, Landmarks]:
    """Return the ends of the line of hand and forearm: a palm's length beyond the knuckles, and ``reach`` pixels behind
    the wrist."""
    ahead = np.array([math.cos(heading(points)), math.sin(heading(points))])
    return points[MIDDLE] + ahead * np.linalg.norm(points[MIDDLE] - points[WRIST]), points[WRIST] - ahead * reach


def passes_through(points: Landmarks, box: Box, reach: float) -> bool:
    """Whether the line back along the forearm, ``reach`` pixels from the wrist, passes through ``box``."""
    start, end = points[WRIST], arm_line(points, reach)[1]
    low, high = 0.0, 1.0
    for axis, (near, side) in enumerate(((box.x, box.w), (box.y, box.h))):
        extent = end[axis] - start[axis]
        if abs(extent) < 1e-9:
            if not near <= start[axis] <= near + side:
                return False
            continue
        enter, leave = sorted(((near - start[axis]) / extent, (near + side - start[axis]) / extent))
        low, high = max(low, enter), min(high, leave)
    return low <= high


def paint_arm(image: NDArray[np.uint8], points: Landmarks, margin: float, thickness: float) -> None:
    """Paint a hand with its arm black into ``image``: its box, ``margin`` lengths of the hand wider on all sides, and
    an arm ``thickness`` lengths wide that reaches beyond the image. ``points`` are in the image's pixels."""
    length = hand_size(points)
    low, high = (
        [round(float(v)) for v in edge] for edge in (points.min(0) - margin * length, points.max(0) + margin * length)
    )
    cv2.rectangle(image, low, high, 0, -1)
    tip, elbow = ([round(float(v)) for v in end] for end in arm_line(points, 2.0 * max(image.shape)))
    cv2.line(image, tip, elbow, 0, max(3, round(thickness * length)))
