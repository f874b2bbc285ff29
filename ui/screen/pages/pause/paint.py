"""Painter of the pause."""

from collections.abc import Sequence
from dataclasses import replace

from pygame import Rect

from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.theme import ACCENT, MUTED
from ui.screen.drawing.widgets import hand_row
from ui.screen.pages.answers import Reply
from ui.screen.pages.how_to_play.strings import HOW_TO_PLAY
from ui.screen.pages.pause import strings
from ui.screen.pages.pause.view import PauseChoice, PausePage
from ui.screen.pages.views import Press

Button = tuple[str, Press, str]
"""A button's label, where it leads, and its icon."""


@paints(PausePage)
def draw_pause(canvas: Canvas, page: PausePage) -> None:
    """Draw what is paused and what people can do, or what they confirm."""
    if page.confirms is not None:
        _draw_confirmation(canvas, page)
        return
    theme = canvas.theme
    top, body = layout.split_top(canvas.page, theme.units(46 if theme.portrait else 31), theme.gap)
    if theme.portrait:
        sign, top = layout.split_top(top, theme.units(8), theme.gap)
        canvas.icon(sign, "pause", ACCENT)
    title, match = layout.split_top(top, theme.units(12), theme.units(0.6))
    canvas.text(title, strings.PAUSED, theme.big, role="shared")
    match, note = layout.split_top(match, canvas.text_height(page.match, match.w, max_lines=2), theme.units(0.6))
    canvas.text(match, page.match, theme.small, MUTED, max_lines=2)
    canvas.text(note, page.note, theme.units(6), max_lines=2)
    leave: Button = (strings.LEAVE_LABEL, replace(page, confirms="leave"), "back")
    if not page.match:
        leave = (page.stop_label, Reply(PauseChoice.LEAVE), "back")
    others: list[Button] = [leave]
    if page.match:
        others.insert(0, (strings.RESTART_LABEL, replace(page, confirms="restart"), "again"))
    explanation = page.explain(page)
    if explanation is not None:
        others.insert(0, (HOW_TO_PLAY, explanation, "bubble"))
    if page.can_join:
        others.insert(0, (strings.PHONES_LABEL, Reply(PauseChoice.PHONES), "phone"))
    if page.can_undo:
        others.insert(0, (strings.UNDO_LABEL, Reply(PauseChoice.UNDO), "erase"))
    if page.can_end_game:
        others.insert(0, (strings.END_GAME_LABEL, Reply(PauseChoice.END_GAME), "crown"))
    if page.can_change:
        others.insert(0, (strings.PLAYERS_LABEL, Reply(PauseChoice.PLAYERS), "swap"))
    _draw_buttons(canvas, body, (strings.GO_ON, Reply(PauseChoice.GO_ON), "forward"), others)


def _draw_confirmation(canvas: Canvas, page: PausePage) -> None:
    """Draw the question whether people want to leave, or to start again."""
    theme = canvas.theme
    top, body = layout.split_top(canvas.page, theme.units(46 if theme.portrait else 31), theme.gap)
    leaves = page.confirms == "leave"
    title, text = layout.rows(top, [2, 3], theme.gap)
    text_of_leaving = strings.LEAVE_TOURNAMENT_TEXT if page.in_tournament else strings.LEAVE_TEXT
    canvas.text(title, strings.LEAVE_TITLE if leaves else strings.RESTART_TITLE, theme.units(9), max_lines=2)
    canvas.text(
        text,
        text_of_leaving if leaves else strings.RESTART_TEXT,
        theme.units(6),
        MUTED,
        max_lines=4,
        vertical_align="left",
    )
    back: Button = (strings.BACK, replace(page, confirms=None), "back")
    if leaves:
        main: Button = (strings.LEAVE_FOR_NOW, Reply(PauseChoice.LEAVE), "forward")
        _draw_buttons(canvas, body, main, [(strings.GIVE_UP, Reply(PauseChoice.GIVE_UP), "flag"), back])
    else:
        _draw_buttons(canvas, body, (strings.START_AGAIN, Reply(PauseChoice.RESTART), "again"), [back])


def _draw_buttons(canvas: Canvas, box: Rect, main: Button, others: Sequence[Button]) -> None:
    """Draw the buttons, more than two in landscape in two columns, the main one at the bottom, where the hand is. The
    last of an odd number is next to it, so that all rows are full."""
    theme = canvas.theme
    height = round(theme.touch_size * 1.4)
    box, place = layout.split_bottom(box, height, theme.gap)
    across = 1 if theme.portrait or len(others) < 3 else 2
    beside = []
    if len(others) % across:
        *beside, place = hand_row(canvas, place, [1, 1], theme.gap)
    canvas.button(place, main[0], main[1], main=True, size=theme.title, icon=main[2])
    down = len(others) // across
    rows = layout.split_bottom(box, down * round(height * 0.9) + (down - 1) * theme.gap, 0)[1]
    cells = [*layout.grid(rows, down * across, across, theme.gap), *beside]
    for cell, button in zip(cells, others, strict=True):
        _draw_button(canvas, cell, button, main)


def _draw_button(canvas: Canvas, cell: Rect, button: Button, main: Button) -> None:
    label, press, icon = button
    leads_back = icon == "back" and press != main[1]
    canvas.button(cell, label, press, size=canvas.theme.title, icon=icon, leads_back=leads_back)
