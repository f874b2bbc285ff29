"""Where in a picture a marker might be: dark four-sided patches on lighter ground, looked for at half the picture's
size and again at every half of that, so that each is met where it is small and cheap to follow."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from device.frames import Box

Grey = NDArray[np.uint8]
"""A picture (height, width), 0 black to 255 white."""
Quads = NDArray[np.float32]
"""Corners (n, 4, 2) in pixels, clockwise as the picture is seen. (0, 0) is the middle of the first pixel."""
Contour = NDArray[Any]

SMALLEST = 9.0
"""Pixels of a level that the side of a patch must have there to be followed."""
LARGEST = 72.0
"""Pixels of a level from which on a patch is left to the next level."""
BLOCK = 13
"""Pixels along the side of the square whose mean a pixel must be darker than, at every level."""
DARKER = 8
"""Levels (of 255) by which it must be darker."""
SOLID = 0.80
"""Share of the hull of a patch's outline that the outline must fill, and of its four-sided frame that the hull must."""
LOOSE = 0.4
"""The former for a patch that is worth another look by itself."""
MARGIN = 2
"""Pixels round a box that are looked at with it."""
FEWEST = 640
"""A level whose longer side has fewer pixels is the last."""
HALVED = 1_500_000
"""Pixels of a picture from which on it is looked at from half its size down: the smallest marker that is promised to be
read, 24 pixels wide, is 12 there."""


def levels(grey: Grey) -> Iterator[tuple[int, Grey]]:
    """The picture at the sizes it is looked at, each with how many pixels of the picture one of its own is wide."""
    scale = 1
    if grey.size >= HALVED:
        scale, grey = 2, _halved(grey)
    yield scale, grey
    while max(grey.shape) >= FEWEST:
        scale, grey = 2 * scale, _halved(grey)
        yield scale, grey


@dataclass(frozen=True)
class Patches:
    """The dark patches of a level: those with four sides, by their corners, and the ``boxes`` of these and, after them,
    of others that may be a marker run together with what is beside it."""

    quads: Quads
    boxes: tuple[Box, ...]


def outlines(grey: Grey, last: bool) -> Patches:
    """The patches of one level. On the ``last`` they may be of any size."""
    smooth = cv2.GaussianBlur(grey, (3, 3), 0)
    dark = cv2.adaptiveThreshold(smooth, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, BLOCK, DARKER)
    contours, tree = cv2.findContours(dark, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    most = max(grey.shape) if last else LARGEST
    quads, boxes, others = [], [], []
    for index in np.flatnonzero(tree[0, :, 3] < 0) if contours else ():
        contour = contours[int(index)]
        if len(contour) < 4 or not _may_be(box := Box(*cv2.boundingRect(contour)), most):
            continue
        quad = _four_sided(contour)
        if quad is not None:
            quads.append(quad)
            boxes.append(box)
        elif cv2.contourArea(contour) > LOOSE * cv2.contourArea(cv2.convexHull(contour)):
            others.append(box)
    return Patches(np.array(quads, np.float32).reshape(-1, 4, 2), (*boxes, *others))


def outlines_within(grey: Grey, boxes: Iterable[Box]) -> Quads:
    """The four-sided dark patches that stand out in each box by itself, where light and dark are told apart by what is
    in it."""
    found = []
    for box in boxes:
        x, y = max(0, box.x - MARGIN), max(0, box.y - MARGIN)
        part = grey[y : box.y + box.h + MARGIN, x : box.x + box.w + MARGIN]
        dark = cv2.threshold(part, 0, 255, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)[1]
        contours, _ = cv2.findContours(dark, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE, offset=(x, y))
        largest = max(contours, key=cv2.contourArea, default=None)
        quad = None if largest is None or len(largest) < 4 else _four_sided(largest)
        if quad is not None:
            found.append(quad)
    return np.array(found, np.float32).reshape(-1, 4, 2)


def _may_be(box: Box, most: float) -> bool:
    """Whether a patch in such a box can be a marker that is to be met at this level."""
    long, short = max(box.w, box.h), min(box.w, box.h)
    return long >= SMALLEST and short >= SMALLEST * 0.6 and short <= 1.5 * most and long <= 4 * short


def _halved(grey: Grey) -> Grey:
    high, wide = grey.shape
    even = grey[: high & ~1, : wide & ~1]
    return np.asarray(cv2.resize(even, (wide // 2, high // 2), interpolation=cv2.INTER_AREA), np.uint8)


def _four_sided(contour: Contour) -> Contour | None:
    """The four corners of a patch that has four sides, or None."""
    area = cv2.contourArea(contour)
    if area < SMALLEST**2 * 0.5:
        return None
    hull = cv2.convexHull(contour, clockwise=True)
    filled = cv2.contourArea(hull)
    if area < SOLID * filled or len(hull) < 4:
        return None
    quad = cv2.approxPolyN(hull, 4, ensure_convex=True).reshape(-1, 2)
    if len(quad) != 4 or filled < SOLID * cv2.contourArea(quad):
        return None
    return np.asarray(quad)
