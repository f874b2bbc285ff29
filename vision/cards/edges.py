"""Refines a patch's corners to a fraction of a pixel: along each side the steps from dark to light are located in the
image at full resolution, and a straight line is fitted through them."""

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Grey
from vision.cards.outlines import Quads

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
