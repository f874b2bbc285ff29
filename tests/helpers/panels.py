"""The panels of the box with their size in mm, and what is too small on them."""

from typing import NamedTuple

import pytest

from device.camera.frames import Size
from tests.helpers.page_rules import drawn
from ui.screen.drawing.canvas import Canvas, PlacedText
from ui.screen.drawing.theme import CAPITAL_EM, MIN_CAPITAL_MM
from ui.screen.views import View

ROUNDED = 1.5
"""A glyph's height in pixels is whole, and its type's size too."""


class Panel(NamedTuple):
    """A panel's pixels and the millimetres of its visible area."""

    size: Size
    width_mm: float
    height_mm: float

    def mm_per_pixel(self) -> tuple[float, float]:
        return self.width_mm / self.size[0], self.height_mm / self.size[1]


PANELS = (Panel((800, 480), 154, 86), Panel((720, 1280), 87, 154.5))
"""Raspberry Pi's Touch Display 1, and the 7-inch Touch Display 2."""


def draw_on(view: View, panel: Panel) -> Canvas:
    return drawn(view, panel.size)


def is_too_small(text: PlacedText, panel: Panel) -> bool:
    return text.size * CAPITAL_EM * panel.mm_per_pixel()[1] < MIN_CAPITAL_MM[text.role]


each_panel = pytest.mark.parametrize("panel", PANELS, ids=lambda panel: f"{panel.size[0]}x{panel.size[1]}")
