"""A countdown: an anti-aliased ring that shrinks clockwise from the top, with the seconds left in it. Cheap: a side of
100 pixels is one small array a step."""

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import pygame
from pygame import Rect

from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.theme import ACCENT, LINE, Colour, shown_colour

RING_THICKNESS = 0.11
"""Width of the ring's line, as a fraction of its side."""
FloatImage = npt.NDArray[np.float32]


def draw_countdown(canvas: Canvas, box: Rect, left_s: float, total_s: float) -> None:
    """Draw a countdown with ``left_s`` of ``total_s`` seconds left, as large as fits in the centre of ``box``. The
    seconds are rounded up."""
    side = min(box.size)
    square = layout.centre(box, side, side)
    share = left_s / total_s if total_s > 0 else 0.0
    draw_ring(canvas, square, 1.0, LINE)
    draw_ring(canvas, square, share, ACCENT)
    inner = layout.inset(square, round(side * 0.18), round(side * 0.08))
    seconds = str(max(0, math.ceil(left_s)))
    canvas.text(inner, seconds, round(side * 0.5), min_size=max(6, round(side * 0.2)), role="mark")


def draw_ring(canvas: Canvas, box: Rect, share: float, colour: Colour) -> None:
    """Draw the last ``share`` (0–1) of a ring in the square ``box``, ending at the top."""
    steps = 2 * max(1, round(math.pi * box.w))  # half a pixel at the rim
    step = round(min(1.0, max(0.0, share)) * steps)
    if step:
        canvas.surface.blit(_arc(box.w, step / steps, shown_colour(colour)), box)


@lru_cache(maxsize=64)
def _arc(side: int, share: float, colour: Colour) -> pygame.Surface:
    """Return the last ``share`` of a ring ``side`` pixels wide, on a transparent ground. Don't draw on it: it is
    cached."""
    band, distance, angle = _geometry(side)
    alpha = band
    if share < 1.0:
        start = (1.0 - share) * 2 * math.pi
        ends = np.clip((angle - start) * distance + 0.5, 0, 1) * np.clip((2 * math.pi - angle) * distance + 0.5, 0, 1)
        alpha = band * ends
    surface = pygame.Surface((side, side), pygame.SRCALPHA, 32)
    surface.fill(colour)
    pygame.surfarray.pixels_alpha(surface)[:] = (alpha * 255).astype(np.uint8)
    return surface


@lru_cache(maxsize=8)
def _geometry(side: int) -> tuple[FloatImage, FloatImage, FloatImage]:
    """Return for every pixel how much of it the full ring covers (0–1), its distance from the centre in pixels, and its
    angle clockwise from the top in radians: three arrays of shape (side, side), x first."""
    middle = (side - 1) / 2
    x, y = np.mgrid[:side, :side].astype(np.float32) - np.float32(middle)
    distance = np.hypot(x, y)
    outer = side / 2
    inner = outer - max(2.0, side * RING_THICKNESS)
    band = np.clip(outer - distance, 0, 1) * np.clip(distance - inner + 0.5, 0, 1)
    angle = np.arctan2(x, -y) % np.float32(2 * math.pi)
    return band.astype(np.float32), distance.astype(np.float32), angle.astype(np.float32)
