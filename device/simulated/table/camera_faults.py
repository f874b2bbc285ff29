"""What befalls the simulated camera itself: it is knocked or trembles, something is held before it, the light goes."""

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Box, Size
from device.simulated.table.animation import eased
from device.simulated.table.faults import Disturbance
from device.simulated.table.materials import linear
from device.simulated.table.tracer import Picture, View

Matrix = NDArray[np.float64]
"""A movement of the picture (2, 3): where a point of the frame is seen that was at (x, y, 1), in pixels."""

KNOCK_NS, BACK_NS = 80_000_000, 300_000_000
"""How quickly a knocked camera gives way, and how slowly somebody puts it right again."""
SHAKE_HZ, SHAKE_NS, SHAKE = 11.0, 120_000_000, 0.35
"""The mount rings on after the knock: how often a second, how long until a third is left, and how far at first, as a
share of the knock. Chosen by eye."""
TURN_DEG, ZOOM = 50.0, 0.8
"""What a knock by the whole width would turn and zoom the picture at most."""
COVERS = ((150, 62, 40), (88, 84, 96), (12, 12, 12), (196, 150, 124), (40, 52, 92))
"""A palm with light behind it, cloth, a cap, a palm lit from the side, a sleeve: sRGB, chosen by eye."""
SOFT = 0.15
"""The width of a cover's edge, out of focus so near the lens, as a share of the frame's diagonal."""


def movement(disturbances: Sequence[Disturbance], when_ns: int, size: Size, seed: int) -> Matrix:
    """Where a frame of ``size`` is seen at an instant."""
    whole = np.eye(3)
    for one in disturbances:
        if one.kind in ("moved", "tremor") and one.on(when_ns):
            whole = _movement(one, when_ns, size, seed) @ whole
    return whole[:2]


def _movement(one: Disturbance, when_ns: int, size: Size, seed: int) -> Matrix:
    chance = one.chance(seed)
    way = chance.uniform(0, 2 * math.pi)
    turn, zoom = chance.uniform(-1, 1, 2) * one.much * (TURN_DEG, ZOOM)
    since = when_ns - one.begins_ns
    if one.kind == "tremor":
        swing = one.much / 1000 * one.share(when_ns)
        right = math.sin(2 * math.pi * chance.uniform(7, 13) * since / 1e9)
        down = math.sin(2 * math.pi * chance.uniform(7, 13) * since / 1e9 + way)
        return _about_centre(size, swing * right, swing * down, 0.0, 1.0)
    moved = eased(since / KNOCK_NS) * eased((one.ends_ns - when_ns) / BACK_NS)
    shake = SHAKE * math.exp(-since / SHAKE_NS) * math.sin(2 * math.pi * SHAKE_HZ * since / 1e9)
    right, down = math.cos(way) * moved - math.sin(way) * shake, math.sin(way) * moved + math.cos(way) * shake
    return _about_centre(size, one.much * right, one.much * down, turn * (moved + shake), 1 + zoom * moved)


def _about_centre(size: Size, right: float, down: float, turn_deg: float, zoom: float) -> Matrix:
    """Turn and zoom about the frame's middle and shift by shares of its width, as (3, 3)."""
    width, height = size
    c, s = zoom * math.cos(math.radians(turn_deg)), zoom * math.sin(math.radians(turn_deg))
    x, y = width / 2, height / 2
    return np.array(
        [[c, -s, x - c * x + s * y + right * width], [s, c, y - s * x - c * y + down * width], [0, 0, 1]], float
    )


def moved_points(points: NDArray[np.float64], matrix: Matrix) -> NDArray[np.float64]:
    """Where points (…, 2) of the frame are seen."""
    return points @ matrix[:, :2].T + matrix[:, 2]


def _inverse(matrix: Matrix) -> Matrix:
    """Where a point was that is seen at (x, y, 1)."""
    return np.asarray(cv2.invertAffineTransform(matrix), np.float64)


def box_seen(box: Box, matrices: Sequence[Matrix], margin: float) -> Box:
    """The part of the frame as it would be seen unmoved that ``box`` shows at any of the movements, ``margin`` pixels
    wider. It may reach beyond the frame."""
    corners = np.array([(x, y) for x in (box.x, box.x + box.w) for y in (box.y, box.y + box.h)], float)
    points = np.concatenate([moved_points(corners, _inverse(matrix)) for matrix in matrices])
    left, top = np.floor(points.min(axis=0) - margin).astype(int)
    right, bottom = np.ceil(points.max(axis=0) + margin).astype(int)
    return Box(int(left), int(top), int(right - left), int(bottom - top))


def warped(picture: Picture, seen: View, matrices: Sequence[Matrix], view: View, size: Size) -> Picture:
    """The picture that ``view`` gives of a camera that moves, from one of ``seen`` that it would give unmoved: the
    mean of what it shows at each of the movements."""
    total = np.zeros((size[1], size[0], 3), np.float32)
    for matrix in matrices:
        back = np.vstack([_inverse(matrix), (0, 0, 1)])
        whole = np.linalg.inv(_frame_of(seen)) @ back @ _frame_of(view)
        total += cv2.warpAffine(
            picture, whole[:2], size, flags=cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
        )
    return np.asarray(total / len(matrices), np.float32)


def _frame_of(view: View) -> Matrix:
    """From a picture's pixel to the frame's, both counted from the pixel's middle: (3, 3)."""
    return np.array(
        [
            [view.step_x, 0, view.left + view.step_x / 2],
            [0, view.step_y, view.top + view.step_y / 2],
            [0, 0, 1],
        ]
    )


def covered(picture: Picture, one: Disturbance, when_ns: int, view: View, size: Size, seed: int) -> Picture:
    """The picture with something before the lens."""
    chance = one.chance(seed)
    way = chance.uniform(0, 2 * math.pi)
    colour = linear(COVERS[int(chance.integers(len(COVERS)))]) * chance.uniform(0.5, 1.1)
    shade = chance.uniform(-0.4, 0.4, 2)
    width, height = size
    right = (view.left + (np.arange(picture.shape[1]) + 0.5) * view.step_x - width / 2)[None, :]
    down = (view.top + (np.arange(picture.shape[0]) + 0.5) * view.step_y - height / 2)[:, None]
    long = math.hypot(width, height)
    reach = (abs(math.cos(way)) * width + abs(math.sin(way)) * height) / long  # the frame's extent along the way
    place = (math.cos(way) * right + math.sin(way) * down) / long + reach / 2
    edge = one.much * one.share(when_ns) * (reach + SOFT)
    t = np.clip((edge - place) / SOFT, 0, 1)
    there = (t * t * (3 - 2 * t)).astype(np.float32)[..., None]
    uneven = (1 + shade[0] * right / width + shade[1] * down / height).astype(np.float32)[..., None]
    return np.asarray(picture * (1 - there) + there * uneven * colour, np.float32)
