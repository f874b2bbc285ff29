"""The shrinking ring: as much of it is left as of the time, it opens from the top clockwise, its edges are smooth."""

import numpy as np
import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pygame import Rect

from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.countdown_ring import draw_countdown, draw_ring
from ui.screen.drawing.theme import ACCENT, BACKGROUND


def ring_coverage(share: float, side: int = 120) -> np.ndarray:
    """How much of every pixel the ring covers, x first, from 0 to 1."""
    canvas = Canvas(pygame.Surface((side + 20, side + 20), 0, 32))
    draw_ring(canvas, Rect(10, 10, side, side), share, ACCENT)
    red = pygame.surfarray.array3d(canvas.surface)[..., 0].astype(float)
    return (red - BACKGROUND[0]) / (ACCENT[0] - BACKGROUND[0])


@given(st.floats(0, 1))
def test_as_much_of_the_ring_is_left_as_of_the_time(share: float) -> None:
    assert ring_coverage(share).sum() / ring_coverage(1.0).sum() == pytest.approx(share, abs=0.01)


def test_it_opens_from_the_top_clockwise() -> None:
    half = ring_coverage(0.5)
    middle = half.shape[0] // 2
    assert half[middle + 2 :].sum() == 0 and half[: middle - 2].sum() > 100
    three_quarters = ring_coverage(0.75)
    assert three_quarters[middle + 2 :, : middle - 2].sum() == 0


def test_its_edges_are_smooth() -> None:
    shades = np.unique(ring_coverage(0.37).round(2))
    assert len(shades) > 20


@pytest.mark.parametrize(
    ("left", "whole", "told"), [(20, 20, "20"), (3.1, 20, "4"), (0, 20, "0"), (-1, 20, "0"), (0, 0, "0")]
)
def test_the_seconds_stand_in_it_rounded_up(left: float, whole: float, told: str) -> None:
    canvas = Canvas(pygame.Surface((200, 100), 0, 32))
    box = Rect(20, 10, 160, 80)
    draw_countdown(canvas, box, left, whole)
    assert [(text.text, text.complete) for text in canvas.texts] == [(told, True)]
    assert box.contains(canvas.texts[0].drawn)
