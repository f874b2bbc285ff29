"""Painter of the hall's page."""

from pygame import Rect

from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.text import line_height
from ui.screen.drawing.theme import ACCENT, FOUL, MUTED, PANEL
from ui.screen.drawing.widgets import draw_header, draw_list_page, hand_row
from ui.screen.pages.answers import Reply
from ui.screen.pages.common import strings as common_strings
from ui.screen.pages.hall import strings
from ui.screen.pages.hall.view import (
    OFF,
    ON,
    PICTURES_OFF,
    PICTURES_ON,
    ChosenPairing,
    HallPage,
    HallState,
    PairingOffer,
)
from ui.screen.pages.history import view as history_view


@paints(HallPage)
def draw_hall(canvas: Canvas, page: HallPage) -> None:
    """Draw the hall's name and the table's, how far the link has come, what is to be played here, and the switches."""
    theme, status = canvas.theme, page.status
    is_on = status.state != HallState.OFF
    body = draw_header(canvas, canvas.page, status.hall, note=status.table)
    body, foot = layout.split_bottom(body, round(theme.touch_size * 1.4), theme.gap)
    home, switch = hand_row(canvas, foot, [1, 2], theme.gap)
    canvas.button(home, common_strings.GAMES, Reply(history_view.HOME), icon="back", size=theme.title)
    label, press = (common_strings.SWITCH_OFF, OFF) if is_on else (common_strings.SWITCH_ON, ON)
    canvas.button(switch, label, Reply(press), main=not is_on, size=theme.title)
    if not is_on:
        state, about = layout.rows(body, [1, 1], theme.gap)
        canvas.text(state, strings.IS_OFF, theme.big, max_lines=4)
        canvas.text(about, strings.about(status), theme.title, MUTED, max_lines=7)
        return
    body, pictures = layout.split_bottom(body, theme.touch_size, theme.gap)
    label, press = (strings.PICTURES_ON, PICTURES_OFF) if status.sends_pictures else (strings.PICTURES_OFF, PICTURES_ON)
    canvas.button(pictures, label, Reply(press))
    text, is_wrong = strings.state_text(status), bool(status.problem) or status.state == HallState.REFUSED
    height = canvas.text_height(text, body.w, max_lines=5)
    state, body = layout.split_top(body, height, theme.gap)
    canvas.text(state, text, theme.body, FOUL if is_wrong else MUTED, max_lines=5)
    if not status.pairings:
        canvas.text(body, strings.NOTHING_TO_PLAY, theme.big, max_lines=3)
        return
    height = round(theme.touch_size * (1.7 if theme.portrait else 1.3))  # two long names take two lines
    body, offers, _ = draw_list_page(canvas, body, page, status.pairings, height)
    for offer in offers:
        row, body = layout.split_top(body, height, theme.gap)
        _draw_offer(canvas, row, offer)


def _draw_offer(canvas: Canvas, row: Rect, offer: PairingOffer) -> None:
    """Draw a match that starts by touch: who plays, and of which tournament and game."""
    theme = canvas.theme
    canvas.framed_panel(row, PANEL)
    canvas.add_target(row, Reply(ChosenPairing(offer.id)), offer.players)
    inner, sign = layout.split_right(layout.inset(row, theme.units(2), theme.units(0.3)), theme.units(3.4), theme.gap)
    canvas.icon(sign, "forward", ACCENT)
    inner, about = layout.split_bottom(inner, line_height(theme.small), 0)
    canvas.text(inner, offer.players, theme.title, align="left", max_lines=2)
    canvas.text(about, offer.about, theme.small, MUTED, align="left")
