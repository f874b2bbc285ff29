"""The simulated camera's film: layers of light put together, the sensor's noise, and the tone curve that makes eight
bits of it."""

import numpy as np
from numpy.typing import NDArray

from device.simulated.table.tracer import Light, Picture, View, inner, kernel


def tone_curve(entries: int = 4096) -> NDArray[np.float32]:
    """sRGB levels, 0 to 255, of light from 0 to 1 (IEC 61966-2-1)."""
    light = np.linspace(0, 1, entries)
    curve = np.where(light <= 0.0031308, 12.92 * light, 1.055 * np.maximum(light, 1e-9) ** (1 / 2.4) - 0.055)
    return (255 * curve).astype(np.float32)


@kernel
def spread(coarse: Picture, shift_x: int, shift_y: int, layer: Picture) -> None:
    """Add to ``layer`` one of half its resolution that starts ``shift_x``, ``shift_y`` (0 or 1) pixels before it."""
    for y in range(layer.shape[0]):
        for x in range(layer.shape[1]):
            for c in range(4):
                layer[y, x, c] += coarse[(y + shift_y) >> 1, (x + shift_x) >> 1, c]


@kernel
def put_over(upper: Picture, left: int, top: int, lower: Picture) -> None:
    """Put one layer over another, its corner at ``left``, ``top``."""
    for y in range(upper.shape[0]):
        for x in range(upper.shape[1]):
            free = 1 - upper[y, x, 3]
            for c in range(4):
                lower[top + y, left + x, c] = upper[y, x, c] + free * lower[top + y, left + x, c]


@kernel
def light_cloth(cloth: Picture, shadow: Picture, light: Light, layer: Picture, picture: Picture) -> None:
    """Fill ``picture`` (height, width, 3) with the cloth as lamp and shadow light it, and the hands' layer over it."""
    for y in range(cloth.shape[0]):
        for x in range(cloth.shape[1]):
            free = 1 - layer[y, x, 3]
            for c in range(3):
                lit = light.lamp[c] * light.towards[2] * shadow[y, x, 0] + light.around[c] * shadow[y, x, 1]
                picture[y, x, c] = cloth[y, x, c] * lit * free + layer[y, x, c]


@inner
def scramble(bits: np.uint64) -> np.uint64:
    """A 64-bit number from another with no pattern left (the end of splitmix64: Steele, Lea, Flood 2014)."""
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


@kernel
def develop(
    picture: Picture, tones: NDArray[np.float32], view: View, sigma: float, key: int, out: NDArray[np.uint8]
) -> None:
    """Turn linear light into the 8 bits a camera gives, with its noise: ``tones`` is the tone curve from light 0 to 1
    as levels, ``sigma`` the noise in levels, and ``key`` the exposure's own number.

    A pixel's noise belongs to the frame's pixel under its centre, so that a crop has the noise of the frame it is
    part of. It is the sum of three 21-bit numbers: near enough to normal, and quick."""
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
