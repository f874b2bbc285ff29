"""The screen's keyboard: the text typed so far, the letters, and the keys that every keyboard has."""

from collections.abc import Sequence
from typing import NamedTuple

from pygame import Rect

from messages import N
from ui.i18n.keyboards import arrange_keys
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.theme import ACCENT, BACKGROUND
from ui.screen.drawing.widgets import hand_row
from ui.screen.views import Press, TypingPage


class Key(NamedTuple):
    """A key that types nothing."""

    label: str
    press: Press | None
    """Where it leads; None: it can't be pressed now."""
    icon: str | None = None


def draw_keyboard(
    canvas: Canvas,
    body: Rect,
    page: TypingPage,
    rows: Sequence[str],
    *,
    text: str,
    capital: bool,
    back: Press,
    others: Sequence[Key],
    done: Key,
) -> None:
    """Draw ``text``, large, below it the letters of ``rows``, and below them the other keys: back, ``others``, the
    space, one that erases, and ``done``."""
    theme, gap = canvas.theme, canvas.theme.units(0.8)
    keys = arrange_keys(rows, capital=capital)
    down = len(keys) + theme.pick(1, 2)
    height = min(round(theme.touch_size * 1.3), max(theme.touch_size, (body.h - theme.touch_size) // (down + 1)))
    body, below = layout.split_bottom(body, down * height + (down - 1) * gap, theme.gap)
    _draw_field(canvas, body, text)
    lines = layout.rows(below, [1] * down, gap)
    most = max(map(len, keys))
    # across a narrow screen keys are smaller than a finger: the nearest to a touch counts
    area = lines[0].union(lines[len(keys) - 1]) if theme.portrait else None
    for line, row in zip(lines, keys, strict=False):
        cells = layout.grid(line, most, most, gap)
        shift = (line.w - (cells[len(row) - 1].right - line.x)) // 2
        for cell, letter in zip(cells, row, strict=False):
            rect, enabled = cell.move(shift, 0), page.can_type(letter)
            canvas.button(rect, letter, page.type_letter(letter), size=theme.title, enabled=enabled, area=area)
    if theme.portrait:
        *cells, erase = hand_row(canvas, lines[-2], [1] * (len(others) + 2), gap)
        space, finish = hand_row(canvas, lines[-1], [2, 3], gap)
    else:
        *cells, space, erase, finish = hand_row(canvas, lines[-1], [3] * (len(others) + 1) + [5, 3, 5], gap)
    canvas.button(cells[0], N("Back"), back, icon="back", icon_only=True, leads_back=True)
    for cell, key in zip(cells[1:], others, strict=True):
        icon_only, enabled = key.icon is not None, key.press is not None
        canvas.button(cell, key.label, key.press or page, icon=key.icon, icon_only=icon_only, enabled=enabled)
    canvas.button(space, N("Space"), page.type_letter(" "), enabled=page.can_type(" "))
    shorter, some = page.with_text(page.text[:-1]), bool(page.text)
    canvas.button(erase, N("Erase a letter"), shorter, icon="erase", icon_only=True, enabled=some, repeats=True)
    canvas.button(finish, done.label, done.press or page, main=True, enabled=done.press is not None)


def _draw_field(canvas: Canvas, body: Rect, text: str) -> None:
    theme = canvas.theme
    field = layout.centre(body, body.w, min(body.h, theme.units(18)))
    canvas.panel(field, BACKGROUND, edge=ACCENT, width=theme.units(0.5))
    canvas.text(layout.inset(field, theme.gap, 0), f"{text}|", theme.units(9))
