"""A patch's corners to a fraction of a pixel: along each side the steps from dark to light are looked for in the
picture itself, and a straight line is laid through them."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.outlines import Grey, Quads

Floats = NDArray[np.float32]
ALONG = 14
"""Places along each side where its edge is looked for, between a twelfth of the side from one corner and the other."""
ACROSS = 15
"""Samples across the edge at each place."""
PLACES = np.linspace(1 / 12, 11 / 12, ALONG, dtype=np.float32)
STEPS = np.linspace(-1, 1, ACROSS, dtype=np.float32)
ROUNDS = 3
"""Lines are laid so often, each time with less weight on what lay far from the one before."""


def sampled(grey: Grey, x: Floats, y: Floats) -> Floats:
    """The picture at places (n, …) between its pixels; outside of it, its nearest pixel."""
    flat = (len(x), -1)
    rows = cv2.remap(
        grey,
        np.ascontiguousarray(x.reshape(flat), np.float32),
        np.ascontiguousarray(y.reshape(flat), np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(rows.reshape(x.shape), np.float32)


def sharpened(grey: Grey, quads: Quads, reach: Floats) -> Quads:
    """The ``quads`` moved onto the edges that are within ``reach`` (n) pixels of their sides."""
    along = np.roll(quads, -1, axis=1) - quads
    length = np.maximum(np.hypot(along[..., 0], along[..., 1]), 1e-3)
    outward = np.stack([along[..., 1], -along[..., 0]], -1) / length[..., None]
    foot = quads[:, :, None] + along[:, :, None] * PLACES[:, None]
    far = reach[:, None, None, None] * STEPS
    x = foot[..., 0, None] + outward[:, :, None, None, 0] * far
    y = foot[..., 1, None] + outward[:, :, None, None, 1] * far
    where, weight = _steps(sampled(grey, x, y))
    from_foot = _straight(where, weight) * reach[:, None, None]
    ends = (quads + outward * from_foot[..., :1], quads + along + outward * from_foot[..., 1:])
    far_off = 4 * reach[:, None, None]
    return np.clip(_crossings(*ends), quads - far_off, quads + far_off)


def _steps(across: Floats) -> tuple[Floats, Floats]:
    """Where the greatest step from dark to light is in each row of samples, −1 to 1, and how great it is."""
    rise = np.maximum(across[..., 2:] - across[..., :-2], 0)
    top = rise.argmax(-1)[..., None]
    near = np.clip(top + np.array([-1, 0, 1]), 0, rise.shape[-1] - 1)
    weight = np.take_along_axis(rise, near, -1) + np.float32(1e-3)
    where = (weight * STEPS[near + 1]).sum(-1) / weight.sum(-1)
    return np.asarray(where, np.float32), np.asarray(weight.max(-1), np.float32)


def _straight(where: Floats, weight: Floats) -> Floats:
    """How far from its first and its last end (…, 2) the line through the places of a side runs."""
    weight = np.minimum(weight, 2 * np.median(weight, -1, keepdims=True))
    trust = weight
    for _ in range(ROUNDS):
        total = trust.sum(-1)
        middle = (trust * PLACES).sum(-1) / total
        height = (trust * where).sum(-1) / total
        off = PLACES - middle[..., None]
        slope = (trust * off * where).sum(-1) / np.maximum((trust * off * off).sum(-1), 1e-6)
        away = np.abs(where - height[..., None] - slope[..., None] * off)
        trust = weight / (1 + (away / 0.12) ** 2)
    return np.asarray(np.stack([height - slope * middle, height + slope * (1 - middle)], -1), np.float32)


def _crossings(begin: Floats, end: Floats) -> Quads:
    """The corners (n, 4, 2) where each side's line meets that of the side before."""
    line = np.cross(_homogeneous(begin), _homogeneous(end))
    meet = np.cross(np.roll(line, 1, axis=1), line)
    flat = np.where(np.abs(meet[..., 2:]) < 1e-9, 1e-9, meet[..., 2:])
    return np.asarray(meet[..., :2] / flat, np.float32)


def _homogeneous(points: Floats) -> NDArray[np.float64]:
    return np.concatenate([points, np.ones_like(points[..., :1])], -1).astype(np.float64)
