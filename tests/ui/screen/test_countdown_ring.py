"""The countdown ring: its length is the share of time left, it opens clockwise from the top, its edges are smooth."""

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
    """Return how much of every pixel the ring covers (0–1), x first."""
    canvas = Canvas(pygame.Surface((side + 20, side + 20), 0, 32))
    draw_ring(canvas, Rect(10, 10, side, side), share, ACCENT)
    red = pygame.surfarray.array3d(canvas.surface)[..., 0].astype(float)
    return (red - BACKGROUND[0]) / (ACCENT[0] - BACKGROUND[0])


@given(st.floats(0, 1))
def test_the_ring_is_as_long_as_the_share_of_time_left(share: float) -> None:
    assert ring_coverage(share).sum() / ring_coverage(1.0).sum() == pytest.approx(share, abs=0.01)


def test_the_ring_opens_clockwise_from_the_top() -> None:
    half = ring_coverage(0.5)
    middle = half.shape[0] // 2
    assert half[middle + 2 :].sum() == 0 and half[: middle - 2].sum() > 100
    three_quarters = ring_coverage(0.75)
    assert three_quarters[middle + 2 :, : middle - 2].sum() == 0


def test_the_edges_are_smooth() -> None:
    shades = np.unique(ring_coverage(0.37).round(2))
    assert len(shades) > 20


@pytest.mark.parametrize(
    ("left", "total", "text"), [(20, 20, "20"), (3.1, 20, "4"), (0, 20, "0"), (-1, 20, "0"), (0, 0, "0")]
)
def test_the_seconds_are_rounded_up(left: float, total: float, text: str) -> None:
    canvas = Canvas(pygame.Surface((200, 100), 0, 32))
    box = Rect(20, 10, 160, 80)
    draw_countdown(canvas, box, left, total)
    assert [(placed.text, placed.complete) for placed in canvas.texts] == [(text, True)]
    assert box.contains(canvas.texts[0].drawn)
