"""Where in a picture a marker might be: dark four-sided patches on lighter ground, looked for at half the picture's
size and again at every half of that, so that each is met where it is small and cheap to follow."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Box

Grey = NDArray[np.uint8]
"""A picture (height, width), 0 black to 255 white."""
Quads = NDArray[np.float32]
"""Corners (n, 4, 2) in pixels, clockwise as the picture is seen. (0, 0) is the middle of the first pixel."""
Contour = NDArray[Any]

SMALLEST = 9.0
"""Pixels of a level that the side of a patch must have there to be followed."""
LARGEST = 72.0
"""Pixels of a level from which on a patch is left to the next level."""
BLOCK = 7
"""Pixels along the side of the square whose mean a pixel must be darker than, at every level."""
DARKER = (6, 4)
"""Levels (of 255) by which it must be darker, in the picture itself and in smaller ones, which have less noise."""
SOLID = 0.80
"""Share of the hull of a patch's outline that the outline must fill, and of its four-sided frame that the hull must."""
LOOSE = 0.4
"""The former for a patch that is worth another look by itself."""
SHARED = round(2 * LARGEST)
"""Rows that two bands share."""
MARGIN = 2
"""Pixels round a box that are looked at with it."""
CRUMB = 4
"""Pixels of a level that a patch must be long to hint at a small marker that fell to pieces there."""
TILE = 16
"""Pixels of a level along the side of the tiles that the picture itself is looked at in again."""
FEWEST = 640
"""A level whose longer side has fewer pixels is the last."""
HALVED = 1_500_000
"""Pixels of a picture from which on it is looked at at half its size first."""
PROMISED = 24.0
"""Pixels of a level that a marker's side must have there to be met as good as always."""


@dataclass(frozen=True)
class Band:
    """A part of a level: ``scale`` pixels of the picture are one of its own, its first pixel is at ``left``, ``top`` of
    the level; ``last``: no smaller level follows."""

    grey: Grey
    scale: int = 1
    left: int = 0
    top: int = 0
    last: bool = False

    def in_picture(self, quads: Quads) -> Quads:
        """The band's ``quads`` in pixels of the picture."""
        first = np.array([self.left + 0.5, self.top + 0.5], np.float32)
        return (quads + first) * np.float32(self.scale) - np.float32(0.5)

    def around(self, corners: NDArray[np.float32]) -> Box:
        """The box of the band round ``corners`` (n, 2) in pixels of the picture; it may lie outside the band."""
        low, high = (np.array(end(corners, 0)) / self.scale - (self.left, self.top) for end in (np.min, np.max))
        return Box(*(int(part) for part in (*low, *np.ceil(high - low))))


def bands(grey: Grey, least: float) -> list[Band]:
    """The picture at the sizes in which markers of ``least`` pixels and more are looked for, the first and largest in
    two bands if it is large. They share so many rows that what is met there is whole in one of them."""
    if min(grey.shape) < SMALLEST:
        return []
    scale = 1
    while (least >= 2 * scale * PROMISED or (scale == 1 and grey.size >= HALVED)) and _can_halve(grey):
        scale, grey = 2 * scale, _halved(grey)
    made = []
    while True:
        last = max(grey.shape) < FEWEST or not _can_halve(grey)
        high = grey.shape[0]
        if grey.size >= HALVED // 4 and high > 4 * SHARED:
            middle = high // 2
            made += [Band(grey[: middle + SHARED], scale), Band(grey[middle:], scale, top=middle)]
        else:
            made.append(Band(grey, scale, last=last))
        if last:
            return made
        scale, grey = 2 * scale, _halved(grey)


@dataclass(frozen=True)
class Patches:
    """The dark patches of a level: those with four sides, by their corners, and the ``boxes`` of these and, after them,
    of others that may be a marker run together with what is beside it; ``crumbs`` are too small to be one, yet may be
    what is left of one."""

    quads: Quads
    boxes: tuple[Box, ...]
    crumbs: tuple[Box, ...]


def outlines(band: Band) -> Patches:
    """The patches of one band of a level."""
    smooth = cv2.GaussianBlur(band.grey, (3, 3), 0)
    darker = DARKER[band.scale > 1]
    dark = cv2.adaptiveThreshold(smooth, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, BLOCK, darker)
    if band.scale > 1:
        dark = cv2.medianBlur(dark, 3)
    contours, tree = cv2.findContours(dark, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    most = max(band.grey.shape) if band.last else LARGEST
    quads, boxes, others, crumbs = [], [], [], []
    for index in np.flatnonzero(tree[0, :, 3] < 0) if contours else ():
        contour = contours[int(index)]
        if len(contour) < 4:
            continue
        box = Box(*cv2.boundingRect(contour))
        long, short = max(box.w, box.h), min(box.w, box.h)
        if long < CRUMB or short > 1.5 * most:
            continue
        if short < SMALLEST * 0.6 or long < SMALLEST or long > 4 * short:
            crumbs.append(box)
        elif (quad := _four_sided(contour)) is not None:
            quads.append(quad)
            boxes.append(box)
        elif cv2.contourArea(contour) > LOOSE * cv2.contourArea(cv2.convexHull(contour)):
            others.append(box)
        else:
            crumbs.append(box)
    return Patches(np.array(quads, np.float32).reshape(-1, 4, 2), (*boxes, *others), tuple(crumbs))


def closer(grey: Grey, band: Band, patches: Patches, read: Iterable[Box]) -> list[Band]:
    """The parts of the picture ``grey`` itself in which ``band`` shows crumbs and small patches, and nothing was
    ``read``."""
    high, wide = band.grey.shape
    tiles = np.zeros((-(-high // TILE), -(-wide // TILE)), np.uint8)
    small = (box for box in patches.boxes if max(box.w, box.h) < 4 * SMALLEST)
    for mark, boxes in ((1, (*patches.crumbs, *small)), (0, read)):
        for x, y, w, h in boxes:
            rows, columns = (slice(max(0, at // TILE), max(0, (at + of) // TILE + 1)) for at, of in ((y, h), (x, w)))
            tiles[rows, columns] = mark
    _, _, found, _ = cv2.connectedComponentsWithStats(cv2.dilate(tiles, np.ones((3, 3), np.uint8)), connectivity=4)
    made = []
    for part in found[1:]:
        x, y, w, h = (int(length) * TILE * band.scale for length in part[:4])
        x, y = x + band.left * band.scale, y + band.top * band.scale
        made.append(Band(grey[y : y + h, x : x + w], left=x, top=y))
    return made


def outlines_within(grey: Grey, boxes: Iterable[Box]) -> Quads:
    """The four-sided dark patches that stand out in each box by itself: darker than the level that best parts what is
    in it in two; or, where grey paper lies on a light table, darker than half that."""
    found = []
    for box in boxes:
        x, y = max(0, box.x - MARGIN), max(0, box.y - MARGIN)
        part = grey[y : box.y + box.h + MARGIN, x : box.x + box.w + MARGIN]
        parted, dark = cv2.threshold(part, 0, 255, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)
        darker = cv2.threshold(part, (parted + part.min()) / 2, 255, cv2.THRESH_BINARY_INV)[1]
        for mask in (dark, darker):
            contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE, offset=(x, y))
            largest = max(contours, key=cv2.contourArea, default=None)
            quad = None if largest is None or len(largest) < 4 else _four_sided(largest)
            if quad is not None:
                found.append(quad)
    return np.array(found, np.float32).reshape(-1, 4, 2)


def _can_halve(grey: Grey) -> bool:
    """Whether a marker could be met in it at half its size."""
    return bool(min(grey.shape) >= 2 * SMALLEST)


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
