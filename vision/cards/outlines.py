"""Finds where in an image a marker may be: dark four-sided patches on a lighter background, searched at half the
image's size and again at every half of that, so that each is found at a size where tracing it is cheap.

A patch's corners are refined to a fraction of a pixel: along each side the steps from dark to light are located in the
image at full resolution, and a straight line is fitted through them."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Box, Grey

Quads = NDArray[np.float32]
"""Corners (n, 4, 2) in pixels, clockwise in the image. (0, 0) is the centre of the first pixel."""
Contour = NDArray[Any]

MIN_PATCH_PX = 9.0
"""Smallest side of a patch, in pixels of its level."""
MAX_PATCH_PX = 72.0
"""Largest side of a patch, in pixels of its level; larger ones are left to the next level."""
THRESHOLD_BLOCK_PX = 7
"""Side of the square whose mean a pixel of a patch must be darker than, at every level."""
THRESHOLD_LEVELS = (6, 4)
"""Levels (of 255) by which it must be darker, in the image itself and in smaller ones, which have less noise."""
MIN_SOLIDITY = 0.80
"""Least share of its hull that a patch must fill, and of its four-sided frame that the hull must fill."""
MIN_RETRY_SOLIDITY = 0.4
"""The former for a patch that is worth a second search."""
BAND_OVERLAP_PX = round(2 * MAX_PATCH_PX)
"""Rows or columns by which two bands overlap."""
MIN_BAND_PX = 2 * BAND_OVERLAP_PX
"""Least rows and columns of a band, without those that it has in common with the next."""
BOX_MARGIN_PX = 2
"""Margin of a box in a second search."""
MIN_FRAGMENT_PX = 4
"""Smallest length, in pixels of its level, of a patch that may be a fragment of a small marker."""
TILE_PX = 16
"""Side, in pixels of the level, of the tiles in which the image at full size is searched for fragments."""
MIN_LEVEL_PX = 640
"""The last level is the first whose longer side is below this."""
HALVE_FROM_PIXELS = 1_500_000
"""Pixels from which an image is searched at half its size first."""
MIN_MARKER_PX = 24.0
"""Side of a marker, in pixels of a level, from which it is found practically always."""

Floats = NDArray[np.float32]

POINTS_PER_SIDE = 14
"""Positions along each side at which its edge is located, from a twelfth of the side after one corner to a twelfth
before the other."""

SAMPLES_PER_POINT = 15
"""Samples across the edge at each position."""

SIDE_POSITIONS = np.linspace(1 / 12, 11 / 12, POINTS_PER_SIDE, dtype=np.float32)

SAMPLE_OFFSETS = np.linspace(-1, 1, SAMPLES_PER_POINT, dtype=np.float32)

FIT_ITERATIONS = 3
"""How often each line is fitted, every time with less weight on what was far from the previous line."""


@dataclass(frozen=True)
class Band:
    """A part of a level of the image's pyramid."""

    grey: Grey
    scale: int = 1
    """The side of one of its pixels, in pixels of the image."""
    left: int = 0
    """Its first column, in pixels of the level."""
    top: int = 0
    """Its first row, in pixels of the level."""
    first: bool = False
    """Whether its level is the largest."""
    last: bool = False
    """Whether its level is the smallest."""

    def to_image(self, quads: Quads) -> Quads:
        """Convert the band's ``quads`` to pixels of the image."""
        first = np.array([self.left + 0.5, self.top + 0.5], np.float32)
        return (quads + first) * np.float32(self.scale) - np.float32(0.5)

    def box_around(self, corners: NDArray[np.float32]) -> Box:
        """Return the box of the band around ``corners`` (n, 2) in pixels of the image; it may lie outside of the
        band."""
        low, high = (np.array(end(corners, 0)) / self.scale - (self.left, self.top) for end in (np.min, np.max))
        return Box(*(int(part) for part in (*low, *np.ceil(high - low))))


def image_levels(grey: Grey, min_side_px: float) -> list[Band]:
    """Return the image at the sizes in which markers of at least ``min_side_px`` pixels are searched for, the largest
    first."""
    if min(grey.shape) < MIN_PATCH_PX:
        return []
    scale = 1
    while _can_halve(grey) and (
        min_side_px >= 2 * scale * MIN_MARKER_PX or (scale == 1 and grey.size >= HALVE_FROM_PIXELS)
    ):
        scale, grey = 2 * scale, _halve(grey)
    levels: list[Band] = []
    while True:
        last = max(grey.shape) < MIN_LEVEL_PX or not _can_halve(grey)
        levels.append(Band(grey, scale, first=not levels, last=last))
        if last:
            return levels
        scale, grey = 2 * scale, _halve(grey)


def split_into_bands(levels: Iterable[Band], max_rows: int, max_columns: int = 1) -> list[Band]:
    """Split each of the levels into up to ``max_rows`` × ``max_columns`` bands, which overlap so far that every patch
    is whole in one of them. The last level, where patches may have any size, stays whole."""
    return [
        replace(level, grey=level.grey[rows, columns], left=columns.start, top=rows.start)
        for level in levels
        for rows in _overlapping_parts(level.grey.shape[0], 1 if level.last else max_rows)
        for columns in _overlapping_parts(level.grey.shape[1], 1 if level.last else max_columns)
    ]


def _overlapping_parts(length_px: int, max_parts: int) -> list[slice]:
    count = max(1, min(max_parts, length_px // MIN_BAND_PX))
    ends = [length_px * index // count for index in range(count + 1)]
    return [slice(start, min(end + BAND_OVERLAP_PX, length_px)) for start, end in pairwise(ends)]


def window_around(level: Band, corners: NDArray[np.float32], margin_px: float) -> Band:
    """Return the part of a level around ``corners`` (n, 2), with a margin, both in pixels of the image."""
    outer = np.array([corners.min(0) - margin_px, corners.max(0) + margin_px], np.float32)
    x, y, w, h = level.box_around(outer).clipped(Box(0, 0, level.grey.shape[1], level.grey.shape[0]))
    return replace(level, grey=level.grey[y : y + h, x : x + w], left=x, top=y)


@dataclass(frozen=True)
class Patches:
    """The dark patches of a band."""

    quads: Quads
    """The corners of those with four sides."""
    boxes: tuple[Box, ...]
    """The boxes of these, followed by those of others that may be a marker merged with something next to it."""
    fragments: tuple[Box, ...]
    """The boxes of patches too small to be a marker, but possibly a part of one."""


def find_patches(band: Band) -> Patches:
    """Find the patches of a band."""
    smooth = cv2.GaussianBlur(band.grey, (3, 3), 0)
    darker = THRESHOLD_LEVELS[band.scale > 1]
    dark = cv2.adaptiveThreshold(
        smooth, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, THRESHOLD_BLOCK_PX, darker
    )
    if band.scale > 1:
        dark = cv2.medianBlur(dark, 3)
    contours, tree = cv2.findContours(dark, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    max_side_px = max(band.grey.shape) if band.last else MAX_PATCH_PX
    quads, boxes, merged, fragments = [], [], [], []
    for index in np.flatnonzero(tree[0, :, 3] < 0) if contours else ():
        contour = contours[int(index)]
        if len(contour) < 4:
            continue
        box = Box(*cv2.boundingRect(contour))
        longer, shorter = max(box.w, box.h), min(box.w, box.h)
        if longer < MIN_FRAGMENT_PX or shorter > 1.5 * max_side_px:
            continue
        if shorter < MIN_PATCH_PX * 0.6 or longer < MIN_PATCH_PX or longer > 4 * shorter:
            fragments.append(box)
        elif (quad := _fit_quad(contour)) is not None:
            quads.append(quad)
            boxes.append(box)
        elif cv2.contourArea(contour) > MIN_RETRY_SOLIDITY * cv2.contourArea(cv2.convexHull(contour)):
            merged.append(box)
        else:
            fragments.append(box)
    return Patches(np.array(quads, np.float32).reshape(-1, 4, 2), (*boxes, *merged), tuple(fragments))


def fragment_bands(grey: Grey, band: Band, patches: Patches, read: Iterable[Box]) -> list[Band]:
    """Return the parts of the full-size image ``grey`` in which ``band`` has fragments and small patches but nothing
    was ``read``."""
    height, width = band.grey.shape
    tiles = np.zeros((-(-height // TILE_PX), -(-width // TILE_PX)), np.uint8)
    small = (box for box in patches.boxes if max(box.w, box.h) < 4 * MIN_PATCH_PX)
    for value, boxes in ((1, (*patches.fragments, *small)), (0, read)):
        for x, y, w, h in boxes:
            rows, columns = (
                slice(max(0, start // TILE_PX), max(0, (start + length) // TILE_PX + 1))
                for start, length in ((y, h), (x, w))
            )
            tiles[rows, columns] = value
    _, _, parts, _ = cv2.connectedComponentsWithStats(cv2.dilate(tiles, np.ones((3, 3), np.uint8)), connectivity=4)
    bands = []
    for part in parts[1:]:
        x, y, w, h = (int(part_px) * TILE_PX * band.scale for part_px in part[:4])
        x, y = x + band.left * band.scale, y + band.top * band.scale
        bands.append(Band(grey[y : y + h, x : x + w], left=x, top=y))
    return bands


def find_quads(grey: Grey, boxes: Iterable[Box]) -> Quads:
    """Return the four-sided dark patches of each box by itself: below the threshold that best separates its pixels
    (Otsu); or, where grey paper lies on a light table, below half of that."""
    quads = []
    for box in boxes:
        x, y = max(0, box.x - BOX_MARGIN_PX), max(0, box.y - BOX_MARGIN_PX)
        part = grey[y : box.y + box.h + BOX_MARGIN_PX, x : box.x + box.w + BOX_MARGIN_PX]
        threshold, dark = cv2.threshold(part, 0, 255, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)
        darker = cv2.threshold(part, (threshold + part.min()) / 2, 255, cv2.THRESH_BINARY_INV)[1]
        for mask in (dark, darker):
            contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE, offset=(x, y))
            largest = max(contours, key=cv2.contourArea, default=None)
            quad = None if largest is None or len(largest) < 4 else _fit_quad(largest)
            if quad is not None:
                quads.append(quad)
    return np.array(quads, np.float32).reshape(-1, 4, 2)


def _can_halve(grey: Grey) -> bool:
    """Whether a marker could be found at half the size."""
    return bool(min(grey.shape) >= 2 * MIN_PATCH_PX)


def _halve(grey: Grey) -> Grey:
    height, width = grey.shape
    cropped = grey[: height & ~1, : width & ~1]
    return np.asarray(cv2.resize(cropped, (width // 2, height // 2), interpolation=cv2.INTER_AREA), np.uint8)


def _fit_quad(contour: Contour) -> Contour | None:
    """Return the four corners of a patch; None if it does not have four sides."""
    area = cv2.contourArea(contour)
    if area < MIN_PATCH_PX**2 * 0.5:
        return None
    hull = cv2.convexHull(contour, clockwise=True)
    hull_area = cv2.contourArea(hull)
    if area < MIN_SOLIDITY * hull_area or len(hull) < 4:
        return None
    quad = cv2.approxPolyN(hull, 4, ensure_convex=True).reshape(-1, 2)
    if len(quad) != 4 or hull_area < MIN_SOLIDITY * cv2.contourArea(quad):
        return None
    return np.asarray(quad)


def sample_image(grey: Grey, x: Floats, y: Floats) -> Floats:
    """Return the image at positions (n, …) between its pixels; outside of it, its nearest pixel."""
    flat_shape = (len(x), -1)
    rows = cv2.remap(
        grey,
        np.ascontiguousarray(x.reshape(flat_shape), np.float32),
        np.ascontiguousarray(y.reshape(flat_shape), np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(rows.reshape(x.shape), np.float32)


def refine_quads(grey: Grey, quads: Quads, reach: Floats) -> Quads:
    """Return the ``quads`` moved onto the edges within ``reach`` (n) pixels of their sides."""
    along = np.roll(quads, -1, axis=1) - quads
    length = np.maximum(np.hypot(along[..., 0], along[..., 1]), 1e-3)
    outward = np.stack([along[..., 1], -along[..., 0]], -1) / length[..., None]
    base = quads[:, :, None] + along[:, :, None] * SIDE_POSITIONS[:, None]
    distance = reach[:, None, None, None] * SAMPLE_OFFSETS
    x = base[..., 0, None] + outward[:, :, None, None, 0] * distance
    y = base[..., 1, None] + outward[:, :, None, None, 1] * distance
    offset, weight = _locate_steps(sample_image(grey, x, y))
    from_base = _fit_lines(offset, weight) * reach[:, None, None]
    ends = (quads + outward * from_base[..., :1], quads + along + outward * from_base[..., 1:])
    max_shift = 4 * reach[:, None, None]
    return np.clip(_intersections(*ends), quads - max_shift, quads + max_shift)


def _locate_steps(across: Floats) -> tuple[Floats, Floats]:
    """Return where the greatest step from dark to light is in each row of samples, −1 to 1, and how great it is."""
    rise = np.maximum(across[..., 2:] - across[..., :-2], 0)
    steepest = rise.argmax(-1)[..., None]
    near = np.clip(steepest + np.array([-1, 0, 1]), 0, rise.shape[-1] - 1)
    weight = np.take_along_axis(rise, near, -1) + np.float32(1e-3)
    offset = (weight * SAMPLE_OFFSETS[near + 1]).sum(-1) / weight.sum(-1)
    return np.asarray(offset, np.float32), np.asarray(weight.max(-1), np.float32)


def _fit_lines(offset: Floats, weight: Floats) -> Floats:
    """Return the distance (…, 2) of the line through a side's edge positions from the side's first and last end."""
    weight = np.minimum(weight, 2 * np.median(weight, -1, keepdims=True))
    trust = weight
    for _ in range(FIT_ITERATIONS):
        total = trust.sum(-1)
        middle = (trust * SIDE_POSITIONS).sum(-1) / total
        height = (trust * offset).sum(-1) / total
        position = SIDE_POSITIONS - middle[..., None]
        slope = (trust * position * offset).sum(-1) / np.maximum((trust * position * position).sum(-1), 1e-6)
        residual = np.abs(offset - height[..., None] - slope[..., None] * position)
        trust = weight / (1 + (residual / 0.12) ** 2)
    return np.asarray(np.stack([height - slope * middle, height + slope * (1 - middle)], -1), np.float32)


def _intersections(begin: Floats, end: Floats) -> Quads:
    """Return the corners (n, 4, 2) where each side's line meets that of the previous side."""
    line = np.cross(_homogeneous(begin), _homogeneous(end))
    crossing = np.cross(np.roll(line, 1, axis=1), line)
    divisor = np.where(np.abs(crossing[..., 2:]) < 1e-9, 1e-9, crossing[..., 2:])
    return np.asarray(crossing[..., :2] / divisor, np.float32)


def _homogeneous(points: Floats) -> NDArray[np.float64]:
    return np.concatenate([points, np.ones_like(points[..., :1])], -1).astype(np.float64)
