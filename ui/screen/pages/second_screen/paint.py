"""Painters of the page that says where a second screen is opened, and of what a second screen shows meanwhile."""

from pygame import Rect

from ui.charts.proof_code import qr_modules
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.theme import ACCENT, MUTED
from ui.screen.drawing.widgets import draw_header, draw_modules
from ui.screen.pages.common import strings as common_strings
from ui.screen.pages.scoreboard.paint import draw_scoreboard
from ui.screen.pages.second_screen import strings
from ui.screen.pages.second_screen.view import Choosing, SecondScreenPage


@paints(SecondScreenPage)
def draw_second_screen(canvas: Canvas, page: SecondScreenPage) -> None:
    """Draw the address and the code, large enough to read them while typing at the television, and the QR code."""
    theme, address = canvas.theme, page.address
    body = draw_header(canvas, canvas.page, strings.TITLE)
    body, foot = layout.split_bottom(body, round(theme.touch_size * 1.4), theme.gap)
    canvas.button(foot, common_strings.DONE, page.back, icon="back", size=theme.title, leads_back=True)
    if address is None or not address.url:
        canvas.text(body, strings.OFF if address is None else common_strings.NO_NETWORK, theme.big, max_lines=4)
        return
    if theme.portrait:
        body, code = layout.rows(body, [3, 3], theme.gap)
    else:
        body, code = layout.columns(body, [5, 3], theme.gap * 2)
    code, label = layout.split_bottom(code, canvas.text_height(strings.SCAN, code.w), theme.gap)
    draw_modules(canvas, code, qr_modules(address.url))
    canvas.text(label, strings.SCAN, theme.body, max_lines=3)
    _draw_address(canvas, body, page)


def _draw_address(canvas: Canvas, body: Rect, page: SecondScreenPage) -> None:
    theme, address = canvas.theme, page.address
    assert address is not None  # nothing is drawn without
    how, body = layout.split_top(body, canvas.text_height(strings.HOW, body.w), theme.gap)
    canvas.text(how, strings.HOW, theme.body, max_lines=9)
    where, code, count = layout.rows(body, [4, 5, 2], theme.units(1))
    canvas.text(where, address.address, theme.units(13), ACCENT)
    canvas.text(code, address.code, theme.units(24), role="shared")
    if page.screens:
        canvas.text(count, strings.count_text(page.screens), theme.body, MUTED)


@paints(Choosing)
def draw_choosing(canvas: Canvas, view: Choosing) -> None:
    """Draw whom the box waits for, and everybody with their score."""
    theme = canvas.theme
    body = canvas.page
    if view.players:
        rows = -(-len(view.players) // 2)
        body, board = layout.split_bottom(body, min(body.h * 2 // 3, rows * theme.units(13)), theme.gap)
        draw_scoreboard(canvas, board, view.players)
    canvas.text(body, strings.choosing_text(view), theme.big, max_lines=3)
