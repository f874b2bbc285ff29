"""The simulated camera's sensor: it composes the layers of light, adds noise, and applies the 8-bit tone curve."""

import numpy as np
from numpy.typing import NDArray

from device.simulated.table.tracer import CameraView, LampLight, LinearPicture, compile_inner, compile_kernel


def tone_curve(entries: int = 4096) -> NDArray[np.float32]:
    """Return the sRGB levels (0 to 255) of linear light from 0 to 1, by IEC 61966-2-1."""
    light = np.linspace(0, 1, entries)
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
                place = np.uint64(((v << 20) | (u << 2) | c) & 0xFFFFFFFFFF)
                bits = scramble(np.uint64(key) + place * np.uint64(0x9E3779B97F4A7C15))
                a = np.int64(bits & np.uint64(0x1FFFFF))
                b = np.int64((bits >> np.uint64(21)) & np.uint64(0x1FFFFF))
                d = np.int64(bits >> np.uint64(43))
                noise = (a + b + d - 3145726) * spread
                level = min(max(picture[y, x, c], 0.0), 1.0) * last
                below = min(int(level), last - 1)
                tone = tones[below] + (tones[below + 1] - tones[below]) * (level - below)
                out[y, x, c] = np.uint8(min(max(tone + noise + 0.5, 0.0), 255.0))
