"""A timer as people see it: a ring that shrinks clockwise from the top, with the seconds that are left in it. Smooth at
its edges and ends, and cheap: a side of 100 pixels is one small array a step."""

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import pygame
from pygame import Rect

from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.theme import ACCENT, LINE, TEXT, Colour

THICKNESS = 0.11
"""Of the ring's line, in shares of its side."""
Shares = npt.NDArray[np.float32]


def countdown(
    canvas: Canvas, box: Rect, left_s: float, whole_s: float, ink: Colour = TEXT, arc: Colour = ACCENT
) -> None:
    """A timer with ``left_s`` of ``whole_s`` seconds left, as large as fits in the middle of ``box``; the number in
    ``ink``, rounded up, the ring in ``arc``."""
    side = min(box.size)
    place = layout.middle(box, side, side)
    share = left_s / whole_s if whole_s > 0 else 0.0
    ring(canvas, place, 1.0, LINE)
    ring(canvas, place, share, arc)
    inner = layout.inside(place, round(side * 0.18), round(side * 0.08))
    canvas.text(inner, str(max(0, math.ceil(left_s))), round(side * 0.5), ink, least=max(6, round(side * 0.2)))


def ring(canvas: Canvas, place: Rect, share: float, colour: Colour) -> None:
    """The last ``share`` (0–1) of a ring in the square ``place``, ending at the top."""
    steps = 2 * max(1, round(math.pi * place.w))  # half a pixel at the rim
    step = round(min(1.0, max(0.0, share)) * steps)
    if step:
        canvas.surface.blit(_arc(place.w, step / steps, colour), place)


@lru_cache(maxsize=64)
def _arc(side: int, share: float, colour: Colour) -> pygame.Surface:
    """The last ``share`` of a ring ``side`` pixels wide, on nothing. Don't draw on it: it is kept."""
    band, away, angle = _geometry(side)
    alpha = band
    if share < 1.0:
        start = (1.0 - share) * 2 * math.pi
        ends = np.clip((angle - start) * away + 0.5, 0, 1) * np.clip((2 * math.pi - angle) * away + 0.5, 0, 1)
        alpha = band * ends
    surface = pygame.Surface((side, side), pygame.SRCALPHA, 32)
    surface.fill(colour)
    pygame.surfarray.pixels_alpha(surface)[:] = (alpha * 255).astype(np.uint8)
    return surface


@lru_cache(maxsize=8)
def _geometry(side: int) -> tuple[Shares, Shares, Shares]:
    """Of every pixel, x first: how much of it the whole ring covers (0–1), how far it is from the middle in pixels, and
    its angle clockwise from the top in radians."""
    middle = (side - 1) / 2
    across, down = np.mgrid[:side, :side].astype(np.float32) - np.float32(middle)
    away = np.hypot(across, down)
    outer = side / 2
    inner = outer - max(2.0, side * THICKNESS)
    band = np.clip(outer - away, 0, 1) * np.clip(away - inner + 0.5, 0, 1)
    angle = np.arctan2(across, -down) % np.float32(2 * math.pi)
    return band.astype(np.float32), away.astype(np.float32), angle.astype(np.float32)
