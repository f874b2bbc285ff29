"""The rules for every page of the touchscreen: targets inside it, apart and large enough; texts inside their boxes."""

from itertools import combinations

import pygame

from device.camera.frames import Size
from ui.screen.core.png_display import PANEL_SIZES
from ui.screen.core.registry import draw
from ui.screen.drawing.canvas import Canvas
from ui.screen.pages.common import TAKE_HOME_ANSWER
from ui.screen.views import PAUSE, Reply, View

PANELS = (*PANEL_SIZES, (1280, 720), (1024, 600))
LONG = "Maximiliane-Theodora von Hohenstein"


def drawn(view: View, size: Size = PANEL_SIZES[0]) -> Canvas:
    return draw(pygame.Surface(size, 0, 32), view)


def check(canvas: Canvas, *, whole: bool = True) -> None:
    screen, touch = canvas.surface.get_rect(), canvas.theme.touch_size
    for target in canvas.targets:
        assert screen.contains(target.rect), f"{target} is not on the screen"
        if target.area is None:
            assert min(target.rect.size) >= touch, f"{target} is smaller than {touch} px"
        else:  # a space of the board or a frame on the time line: the nearest to a touch counts
            across, along = sorted(target.area.size)
            assert across >= (touch if target.slides else 4 * touch), f"{target}: too small"
            assert along >= 4 * touch, f"{target}: too small"
            assert screen.contains(target.area)
        assert target.label
    for one, other in combinations(canvas.targets, 2):
        assert not one.rect.colliderect(other.rect), f"{one} overlaps {other}"
        # the pause button is in the board's empty corner, and comes first there; so do those of slow motion
        if one.area is None and other.area is not None and one.press not in (PAUSE, Reply(TAKE_HOME_ANSWER)):
            assert not one.rect.colliderect(other.area), f"{one} lies on the board"
    for text in canvas.texts:
        assert screen.contains(text.box), f"{text} is not on the screen"
        assert text.box.contains(text.drawn), f"{text} leaves its box"
        assert text.complete or not whole, f"{text} is cut"
    for a, b in combinations(canvas.texts, 2):
        assert not a.drawn.colliderect(b.drawn), f"{a} overlaps {b}"
