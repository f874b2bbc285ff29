"""The simulated camera's sensor: it composes the layers of light, adds noise, and applies the 8-bit tone curve."""

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Box, Size
from device.simulated.table.animation import ease
from device.simulated.table.disturbances import Disturbance
from device.simulated.table.materials import srgb_to_linear
from device.simulated.table.tracer import CameraView, LampLight, LinearPicture, compile_inner, compile_kernel

AffineMatrix = NDArray[np.float64]
"""A movement of the image (2, 3): maps a point (x, y, 1) of the unmoved frame to where it is seen, in pixels."""

KNOCK_TIME_NS, RETURN_TIME_NS = 80_000_000, 300_000_000
"""Time a knock takes to move the camera, and time to move it back."""
SHAKE_HZ, SHAKE_DECAY_NS, SHAKE_SHARE = 11.0, 120_000_000, 0.35
"""The mount's oscillation after a knock: frequency, time until it falls to a third, and initial amplitude as a share of
the knock. Chosen by eye."""
MAX_KNOCK_TURN_DEG, MAX_KNOCK_ZOOM = 50.0, 0.8
"""The largest rotation and zoom of a knock by the whole width of the image."""
COVER_COLOURS = ((150, 62, 40), (88, 84, 96), (12, 12, 12), (196, 150, 124), (40, 52, 92))
"""Backlit palm, cloth, cap, side-lit palm, sleeve: sRGB, chosen by eye."""
COVER_EDGE_SHARE = 0.15
"""Width of a cover's blurred edge, as a share of the frame's diagonal."""


def camera_movement(disturbances: Sequence[Disturbance], when_ns: int, size: Size, seed: int) -> AffineMatrix:
    """Return the movement of a frame of ``size`` at ``when_ns``."""
    total = np.eye(3)
    for disturbance in disturbances:
        if disturbance.kind in ("moved", "tremor") and disturbance.is_active(when_ns):
            total = _single_movement(disturbance, when_ns, size, seed) @ total
    return total[:2]


def _single_movement(disturbance: Disturbance, when_ns: int, size: Size, seed: int) -> AffineMatrix:
    rng = disturbance.rng(seed)
    angle = rng.uniform(0, 2 * math.pi)
    turn, zoom = rng.uniform(-1, 1, 2) * disturbance.strength * (MAX_KNOCK_TURN_DEG, MAX_KNOCK_ZOOM)
    since = when_ns - disturbance.start_ns
    if disturbance.kind == "tremor":
        swing = disturbance.strength / 1000 * disturbance.progress(when_ns)
        right = math.sin(2 * math.pi * rng.uniform(7, 13) * since / 1e9)
        down = math.sin(2 * math.pi * rng.uniform(7, 13) * since / 1e9 + angle)
        return _about_centre(size, swing * right, swing * down, 0.0, 1.0)
    moved = ease(since / KNOCK_TIME_NS) * ease((disturbance.end_ns - when_ns) / RETURN_TIME_NS)
    shake = SHAKE_SHARE * math.exp(-since / SHAKE_DECAY_NS) * math.sin(2 * math.pi * SHAKE_HZ * since / 1e9)
    right, down = math.cos(angle) * moved - math.sin(angle) * shake, math.sin(angle) * moved + math.cos(angle) * shake
    return _about_centre(
        size, disturbance.strength * right, disturbance.strength * down, turn * (moved + shake), 1 + zoom * moved
    )


def _about_centre(size: Size, right: float, down: float, turn_deg: float, zoom: float) -> AffineMatrix:
    """Return a rotation and zoom about the frame's middle and a shift by shares of its width, as (3, 3)."""
    width, height = size
    c, s = zoom * math.cos(math.radians(turn_deg)), zoom * math.sin(math.radians(turn_deg))
    x, y = width / 2, height / 2
    return np.array(
        [[c, -s, x - c * x + s * y + right * width], [s, c, y - s * x - c * y + down * width], [0, 0, 1]], float
    )


def transform_points(points: NDArray[np.float64], matrix: AffineMatrix) -> NDArray[np.float64]:
    """Map points (…, 2) of the unmoved frame to where they are seen."""
    return points @ matrix[:, :2].T + matrix[:, 2]


def _invert(matrix: AffineMatrix) -> AffineMatrix:
    return np.asarray(cv2.invertAffineTransform(matrix), np.float64)


def unmoved_box(box: Box, matrices: Sequence[AffineMatrix], margin: float) -> Box:
    """Return the part of the unmoved frame that ``box`` shows under any of the movements, plus ``margin`` pixels. It
    may extend beyond the frame."""
    corners = np.array([(x, y) for x in (box.x, box.x + box.w) for y in (box.y, box.y + box.h)], float)
    points = np.concatenate([transform_points(corners, _invert(matrix)) for matrix in matrices])
    left, top = np.floor(points.min(axis=0) - margin).astype(int)
    right, bottom = np.ceil(points.max(axis=0) + margin).astype(int)
    return Box(int(left), int(top), int(right - left), int(bottom - top))


def warp_picture(
    picture: LinearPicture, unmoved_view: CameraView, matrices: Sequence[AffineMatrix], view: CameraView, size: Size
) -> LinearPicture:
    """Return the picture in ``view`` of a moving camera, from an unmoved picture in ``unmoved_view``: the mean over the
    movements."""
    total = np.zeros((size[1], size[0], 3), np.float32)
    for matrix in matrices:
        back = np.vstack([_invert(matrix), (0, 0, 1)])
        matrix_3x3 = np.linalg.inv(_picture_to_frame(unmoved_view)) @ back @ _picture_to_frame(view)
        total += cv2.warpAffine(
            picture, matrix_3x3[:2], size, flags=cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
        )
    return np.asarray(total / len(matrices), np.float32)


def _picture_to_frame(view: CameraView) -> AffineMatrix:
    """Return the map from pixels of a picture to pixels of the frame, both counted from pixel middles: (3, 3)."""
    return np.array(
        [
            [view.step_x, 0, view.left + view.step_x / 2],
            [0, view.step_y, view.top + view.step_y / 2],
            [0, 0, 1],
        ]
    )


def cover_picture(
    picture: LinearPicture, disturbance: Disturbance, when_ns: int, view: CameraView, size: Size, seed: int
) -> LinearPicture:
    """Return the picture with something in front of the lens."""
    rng = disturbance.rng(seed)
    angle = rng.uniform(0, 2 * math.pi)
    colour = srgb_to_linear(COVER_COLOURS[int(rng.integers(len(COVER_COLOURS)))]) * rng.uniform(0.5, 1.1)
    shade = rng.uniform(-0.4, 0.4, 2)
    width, height = size
    right = (view.left + (np.arange(picture.shape[1]) + 0.5) * view.step_x - width / 2)[None, :]
    down = (view.top + (np.arange(picture.shape[0]) + 0.5) * view.step_y - height / 2)[:, None]
    diagonal = math.hypot(width, height)
    extent = (
        abs(math.cos(angle)) * width + abs(math.sin(angle)) * height
    ) / diagonal  # the frame's extent in that direction
    along = (math.cos(angle) * right + math.sin(angle) * down) / diagonal + extent / 2
    edge = disturbance.strength * disturbance.progress(when_ns) * (extent + COVER_EDGE_SHARE)
    t = np.clip((edge - along) / COVER_EDGE_SHARE, 0, 1)
    cover = (t * t * (3 - 2 * t)).astype(np.float32)[..., None]
    uneven = (1 + shade[0] * right / width + shade[1] * down / height).astype(np.float32)[..., None]
    return np.asarray(picture * (1 - cover) + cover * uneven * colour, np.float32)


def tone_curve() -> NDArray[np.float32]:
    """Return the sRGB levels (0 to 255) of linear light from 0 to 1, by IEC 61966-2-1."""
    light = np.linspace(0, 1, 4096)
    curve = np.where(light <= 0.0031308, 12.92 * light, 1.055 * np.maximum(light, 1e-9) ** (1 / 2.4) - 0.055)
    return (255 * curve).astype(np.float32)


@compile_kernel
def add_half_resolution(coarse: LinearPicture, shift_x: int, shift_y: int, layer: LinearPicture) -> None:
    """Add a layer of half the resolution to ``layer``, starting ``shift_x``, ``shift_y`` (0 or 1) pixels before it."""
    for y in range(layer.shape[0]):
        for x in range(layer.shape[1]):
            for c in range(4):
                layer[y, x, c] += coarse[(y + shift_y) >> 1, (x + shift_x) >> 1, c]


@compile_kernel
def composite_over(upper: LinearPicture, left: int, top: int, lower: LinearPicture) -> None:
    """Composite one layer over another, its corner at ``left``, ``top``."""
    for y in range(upper.shape[0]):
        for x in range(upper.shape[1]):
            # the light of a layer is already multiplied by its coverage, the fourth channel
            free = 1 - upper[y, x, 3]
            for c in range(4):
                lower[top + y, left + x, c] = upper[y, x, c] + free * lower[top + y, left + x, c]


@compile_kernel
def compose_picture(
    cloth: LinearPicture, shadow: LinearPicture, light: LampLight, layer: LinearPicture, picture: LinearPicture
) -> None:
    """Fill ``picture`` (height, width, 3) with the lit cloth and the layer of the hands over it."""
    for y in range(cloth.shape[0]):
        for x in range(cloth.shape[1]):
            free = 1 - layer[y, x, 3]
            for c in range(3):
                lit = light.lamp[c] * light.towards[2] * shadow[y, x, 0] + light.ambient[c] * shadow[y, x, 1]
                picture[y, x, c] = cloth[y, x, c] * lit * free + layer[y, x, c]


@compile_inner
def scramble(bits: np.uint64) -> np.uint64:
    """Hash a 64-bit number (the finaliser of splitmix64: Steele, Lea, Flood 2014)."""
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


@compile_kernel
def develop(
    picture: LinearPicture, tones: NDArray[np.float32], view: CameraView, sigma: float, key: int, out: NDArray[np.uint8]
) -> None:
    """Convert linear light to 8-bit levels with noise. ``tones`` is the tone curve of light from 0 to 1, ``sigma`` the
    noise in levels, and ``key`` the seed of this exposure.

    The noise depends on the frame's pixel under the centre of the picture's, so a crop has the same noise as the whole
    frame. It is the sum of three 21-bit numbers: close enough to normal, and fast."""
    last = len(tones) - 1
    spread = sigma * 2.0 / 2097152.0  # three uniform numbers of width 1 have a variance of 1/4
    for y in range(picture.shape[0]):
        v = int(view.top + (y + 0.5) * view.step_y)
        for x in range(picture.shape[1]):
            u = int(view.left + (x + 0.5) * view.step_x)
            for c in range(3):
                pixel = np.uint64(((v << 20) | (u << 2) | c) & 0xFFFFFFFFFF)
                bits = scramble(np.uint64(key) + pixel * np.uint64(0x9E3779B97F4A7C15))
                a = np.int64(bits & np.uint64(0x1FFFFF))
                b = np.int64((bits >> np.uint64(21)) & np.uint64(0x1FFFFF))
                d = np.int64(bits >> np.uint64(43))
                noise = (a + b + d - 3145726) * spread
                level = min(max(picture[y, x, c], 0.0), 1.0) * last
                below = min(int(level), last - 1)
                tone = tones[below] + (tones[below + 1] - tones[below]) * (level - below)
                out[y, x, c] = np.uint8(min(max(tone + noise + 0.5, 0.0), 255.0))
