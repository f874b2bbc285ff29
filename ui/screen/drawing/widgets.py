"""Parts that several pages share: the header, players with their marks and points, the buttons of long lists."""

import math
from collections.abc import Sequence
from typing import TypeVar

import numpy as np
import pygame
from numpy.typing import NDArray
from pygame import Rect

from ui.i18n.language import render
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.countdown_ring import draw_countdown
from ui.screen.drawing.text import text_width
from ui.screen.drawing.theme import (
    ACCENT,
    MUTED,
    PANEL,
    RAISED,
    Colour,
    TextRole,
)
from ui.screen.views import PAUSE, ListPage, Press, TimedView
from ui.text import labels
from ui.text.labels import PAUSE_LABEL

ItemT = TypeVar("ItemT")


def pause_corner(canvas: Canvas) -> Rect:
    """Return the place of the pause button: at the top, away from the hand that touches."""
    side = canvas.theme.touch_size
    return Rect(canvas.page.right - side if canvas.theme.mirrored else canvas.page.x, canvas.page.y, side, side)


def split_pause_corner(canvas: Canvas, box: Rect) -> Rect:
    """Return what is left of ``box``, at the top of a page, next to the place of the pause button."""
    corner, gap = pause_corner(canvas), canvas.theme.gap
    if canvas.theme.mirrored:
        return Rect(box.x, box.y, min(box.right, corner.x - gap) - box.x, box.h)
    left = max(box.x, corner.right + gap)
    return Rect(left, box.y, box.right - left, box.h)


def draw_pause_button(canvas: Canvas, box: Rect) -> Rect:
    """Draw the button that pauses a match, in the same corner of every page. Return what is left next to it of ``box``,
    which is at the top of the page."""
    rect = pause_corner(canvas)
    canvas.button(rect, PAUSE_LABEL, PAUSE, icon="pause", icon_only=True, leads_back=True)
    return split_pause_corner(canvas, box)


def draw_header(canvas: Canvas, page: Rect, title: str, *, note: str = "") -> Rect:
    """Draw a page's header: its title, and a ``note`` at the right. Return the page below it."""
    line, rest = layout.split_top(page, canvas.theme.units(7.5), canvas.theme.gap)
    _draw_title(canvas, line, title, note=note)
    return rest


def draw_titled_bar(canvas: Canvas, title: str, back: Press, *, note: str = "") -> Rect:
    """Draw the button that leads back, a page's title and a ``note`` at the right. Return the page below them."""
    theme = canvas.theme
    bar, body = layout.split_top(canvas.page, theme.touch_size, theme.gap)
    rect, bar = layout.split_left(bar, theme.touch_size, theme.gap)
    canvas.button(rect, labels.BACK, back, icon="back", icon_only=True, leads_back=True)
    if note:
        width = canvas.text_width(note, theme.body, bar.w // 2, bar.h)
        bar, corner = layout.split_right(bar, width, theme.gap)
        canvas.text(corner, note, theme.body, MUTED, align="right")
    canvas.text(bar, title, theme.title, align="left", max_lines=2)
    return body


def draw_choice(canvas: Canvas, box: Rect, label: str, press: Press, chosen: bool, *, size: int | None = None) -> None:
    """Draw one of several choices, as light as a button: one that is chosen has an edge that catches the eye, and a
    tick."""
    theme = canvas.theme
    canvas.framed_panel(box, RAISED, marked=chosen)
    canvas.add_target(box, press, label)
    inner = layout.inset(box, theme.units(0.8), theme.units(0.3))
    size = size or theme.body
    if chosen:
        side, gap = min(inner.h, size), theme.units(0.8)
        label_width = canvas.text_width(label, size, inner.w - side - gap, inner.h)
        icon_box, inner = layout.split_left(layout.centre(inner, side + gap + label_width, inner.h), side, gap)
        canvas.icon(icon_box, "good", ACCENT)
    canvas.text(inner, label, size, max_lines=2)


def draw_match_header(canvas: Canvas, title: str) -> Rect:
    """Draw the header of a page of a match: the pause button and the title. Return the page below it."""
    line, rest = layout.split_top(canvas.page, canvas.theme.touch_size, canvas.theme.gap)
    draw_match_title(canvas, draw_pause_button(canvas, line), title)
    return rest


def draw_match_title(canvas: Canvas, bar: Rect, title: str) -> None:
    """Draw a title in the middle of a ``bar`` next to the pause button; a long one in two lines."""
    theme = canvas.theme
    long = text_width(render(title), theme.small) > bar.w - theme.units(1.1) - theme.gap
    line = bar if long else layout.centre(bar, bar.w, theme.units(7.5))
    _draw_title(canvas, line, title, max_lines=2 if long else 1)


def _draw_title(canvas: Canvas, line: Rect, title: str, *, note: str = "", max_lines: int = 1) -> None:
    theme = canvas.theme
    bar, line = layout.split_left(line, theme.units(1.1), theme.gap)
    canvas.fill(ACCENT, layout.inset(bar, 0, theme.units(0.9)))
    if note:
        least = text_width(render(title), theme.min_text_size("personal")) + theme.gap
        width = canvas.text_width(note, theme.body, max(round(line.w * 0.4), line.w - least), line.h)
        line, corner = layout.split_right(line, width, theme.gap)
        canvas.text(corner, note, theme.body, MUTED, align="right")
    canvas.text(line, title, theme.body, MUTED, align="left", max_lines=max_lines)


def draw_card(
    canvas: Canvas, box: Rect, across: float, down: float, *, edge: Colour | None = None, strong: bool = False
) -> Rect:
    """Draw a panel, with a thin or a ``strong`` edge in the colour ``edge`` if there is one. Return its inside:
    ``across`` units from the left and right, ``down`` from top and bottom."""
    theme = canvas.theme
    canvas.panel(box, PANEL, edge=edge, width=theme.units(0.9 if strong else 0.3))
    return layout.inset(box, theme.units(across), theme.units(down))


def split_hand_side(canvas: Canvas, box: Rect, width: int, gap: int) -> tuple[Rect, Rect]:
    """Return the rest of ``box``, and ``width`` pixels of it on the side of the hand that touches, for the main
    buttons."""
    if canvas.theme.mirrored:
        side, rest = layout.split_left(box, width, gap)
        return rest, side
    return layout.split_right(box, width, gap)


def hand_row(canvas: Canvas, box: Rect, weights: Sequence[float], gap: int) -> list[Rect]:
    """Return the cells of a row of buttons by ``weights``, the last next to the hand that touches, for the main
    button."""
    if canvas.theme.mirrored:
        return layout.columns(box, weights[::-1], gap)[::-1]
    return layout.columns(box, weights, gap)


def draw_timer(canvas: Canvas, line: Rect, view: TimedView) -> Rect:
    """Draw the seconds left to answer ``view``, if they are limited, as a ring at the right of ``line``. Return the
    rest of the line."""
    if view.seconds_left is None:
        return line
    rest, rect = layout.split_right(line, min(line.h, canvas.theme.units(12)), canvas.theme.gap)

    def draw(canvas: Canvas, view: TimedView) -> None:
        left_s = view.seconds_left or 0.0
        draw_countdown(canvas, rect, left_s, left_s + (view.shown_s or 0.0))

    canvas.add_moving_part(rect, ("seconds_left", "shown_s"), draw)
    return rest


def draw_hint(
    canvas: Canvas,
    page: Rect,
    hint: str | None,
    icon: str = "bubble",
    colour: Colour = ACCENT,
    *,
    role: TextRole = "personal",
) -> Rect:
    """Draw a ``hint``, if there is one, as a line at the top of ``page`` after an ``icon``, in as many lines as it
    takes. Return the rest of the page."""
    if hint is None:
        return page
    theme = canvas.theme
    width = page.w - theme.units(4) - theme.units(6) - theme.gap
    height = min(canvas.text_height(hint, width, role) + 2 * theme.units(0.8), page.h * 11 // 20)
    line, page = layout.split_top(page, max(theme.units(8), height), theme.gap)
    icon_box, text = layout.split_left(draw_card(canvas, line, 2, 0.8), theme.units(6), theme.gap)
    canvas.icon(icon_box, icon, colour)
    canvas.text(text, hint, theme.body, align="left", max_lines=9, role=role)
    return page


def draw_list_page(
    canvas: Canvas,
    box: Rect,
    page: ListPage,
    items: Sequence[ItemT],
    min_height: int,
    *,
    across: int = 1,
    selected: int | None = None,
    turn_height: int | None = None,
    turn_box: Rect | None = None,
) -> tuple[Rect, Sequence[ItemT], int]:
    """Return the place of a list's page, its items and how many fit: those of at least ``min_height`` pixels,
    ``across`` in a row. If not all do, draw the buttons that turn the list's pages below, or in ``turn_box``; the
    ``selected`` item (by its index) is on the page shown."""
    theme = canvas.theme

    def count_fitting(box: Rect) -> int:
        return across * max(1, (box.h + theme.gap) // (min_height + theme.gap))

    if len(items) <= count_fitting(box):
        return box, items, count_fitting(box)
    turn = turn_box
    if turn is None:
        box, turn = layout.split_bottom(box, theme.touch_size if turn_height is None else turn_height, theme.gap)
    per_page = count_fitting(box)
    count = -(-len(items) // per_page)
    at = min(page.list_page, count - 1) if selected is None else selected // per_page
    draw_list_page_buttons(canvas, turn, page, at, count)
    return box, items[at * per_page : (at + 1) * per_page], per_page


def draw_list_page_buttons(canvas: Canvas, box: Rect, page: ListPage, at: int, count: int) -> None:
    """Draw the two buttons that turn the ``count`` pages of a list, and the number of the page ``at`` (from 0). Narrow
    ones have no label."""
    theme = canvas.theme
    back, number, forward = layout.columns(box, [5, 2, 5], theme.gap)
    canvas.text(number, f"{at + 1}/{count}", theme.body, MUTED)
    for cell, label, by, icon in (
        (back, labels.EARLIER, -1, "back"),
        (forward, labels.MORE, 1, "forward"),
    ):
        narrow, enabled = cell.w < theme.units(22), 0 <= at + by < count
        canvas.button(cell, label, page.with_list_page(at + by), icon=icon, icon_only=narrow, enabled=enabled)


def draw_arrow(
    canvas: Canvas,
    line: tuple[tuple[float, float], tuple[float, float]],
    part: tuple[float, float],
    half_width: float,
    head: float,
    colour: Colour,
) -> None:
    """Draw an arrow along a ``line`` of two points, from ``part[0]`` to ``part[1]`` pixels after its beginning. Its
    head is ``head`` times as wide as its shaft."""
    (ax, ay), (bx, by) = line
    length, (begin, end) = math.dist(*line), part
    across, down = (bx - ax) / length, (by - ay) / length
    neck = max(begin, end - 4 * half_width)
    outline = ((begin, -1), (neck, -1), (neck, -head), (end, 0), (neck, head), (neck, 1), (begin, 1))
    corners = [
        (ax + along * across - aside * half_width * down, ay + along * down + aside * half_width * across)
        for along, aside in outline
    ]
    pygame.draw.polygon(canvas.surface, colour, corners)
    pygame.draw.aalines(canvas.surface, colour, True, corners)


def draw_modules(canvas: Canvas, box: Rect, modules: NDArray[np.bool_]) -> Rect:
    """Draw a QR code as large as fits in the centre of ``box``, each module the same whole number of pixels; nothing
    where there is no room. Return its place."""
    scale = min(box.size) // len(modules)
    rect = layout.centre(box, scale * len(modules), scale * len(modules))
    levels = np.where(modules, 0, 255).astype(np.uint8).repeat(scale, axis=0).repeat(scale, axis=1)
    if scale:
        image = pygame.image.frombuffer(np.repeat(levels[..., None], 3, axis=2).tobytes(), rect.size, "RGB")
        canvas.surface.blit(image, rect)
    return rect
