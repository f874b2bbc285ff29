"""The keys of the screen's keyboard, above a row of others, and the text that they type."""

from collections.abc import Sequence

from pygame import Rect

from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.theme import ACCENT, BACKGROUND
from ui.screen.pages.views import TypingPage


def draw_keys(
    canvas: Canvas, body: Rect, page: TypingPage, keys: Sequence[str], text: str, rows_below: int = 1
) -> list[Rect]:
    """Draw ``text``, large, and below it the letters of ``keys`` row by row. Return the places of the rows below
    them."""
    theme = canvas.theme
    down = len(keys) + rows_below
    height = min(round(theme.touch_size * 1.3), max(theme.touch_size, (body.h - theme.touch_size) // (down + 1)))
    body, rows = layout.split_bottom(body, down * height + (down - 1) * theme.units(0.8), theme.gap)
    field = layout.centre(body, body.w, min(body.h, theme.units(18)))
    canvas.panel(field, BACKGROUND, edge=ACCENT, width=theme.units(0.5))
    canvas.text(layout.inset(field, theme.gap, 0), f"{text}|", theme.units(9), min_size=theme.units(3))
    lines = layout.rows(rows, [1] * down, theme.units(0.8))
    most = max(map(len, keys))
    for line, row in zip(lines, keys, strict=False):
        cells = layout.grid(line, most, most, theme.units(0.8))
        shift = (line.w - (cells[len(row) - 1].right - line.x)) // 2
        for cell, letter in zip(cells, row, strict=False):
            place, enabled = cell.move(shift, 0), page.can_type(letter)
            canvas.button(place, letter, page.type_letter(letter), size=theme.title, enabled=enabled)
    return lines[len(keys) :]
