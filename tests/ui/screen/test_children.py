"""Pages of children's mode: stars that are read at a glance, and no number, time or foul."""

import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pygame
import pytest

from device.camera.frames import Size
from rules.events import Scores
from tests.helpers.page_rules import drawn
from tests.helpers.samples.children import samples, starred_players
from ui.screen.core.png_display import PANEL_SIZES
from ui.screen.drawing.theme import ACCENT, FOUL
from ui.screen.pages.countdown import Countdown
from ui.screen.pages.message import GameMessage
from ui.screen.views import TimedView, View

SAMPLES = samples()
SHOWN = [name for name in SAMPLES if not name.startswith(("children-question", "children-group"))]


def without_timer(view: View) -> View:
    """Return a view without the ring of its seconds."""
    return replace(view, seconds_left=None) if isinstance(view, TimedView) else view


def yellow_pixels(view: View, size: Size) -> int:
    """Return how much of a page is in the colour of won stars."""
    pixels = pygame.surfarray.array3d(drawn(view, size).surface)
    return int((pixels == np.array(ACCENT)).all(axis=2).sum())


@pytest.mark.parametrize("size", PANEL_SIZES, ids=str)
@pytest.mark.parametrize("name", SHOWN)
def test_no_number_and_no_foul_is_shown(name: str, size: Size) -> None:
    view = without_timer(SAMPLES[name])
    canvas = drawn(view, size)
    assert not [text.text for text in canvas.texts if re.search("[0-9]", text.text) and not isinstance(view, Countdown)]
    assert not (pygame.surfarray.array3d(canvas.surface) == np.array(FOUL)).all(axis=2).any()


@pytest.mark.parametrize("size", PANEL_SIZES, ids=str)
@pytest.mark.parametrize("most", range(1, 6))
def test_each_star_that_is_won_is_filled(most: int, size: Size) -> None:
    (player,) = starred_players(1, most)
    message = GameMessage((player,), Scores({}), (), already_revealed=True)
    filled = [yellow_pixels(replace(message, players=(replace(player, score=won),)), size) for won in range(most + 1)]
    steps = {after - before for before, after in pairwise(filled)}
    assert len(steps) == 1 and steps.pop() > 100
