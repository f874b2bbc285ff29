"""Painter of the page with the QR code of a clip."""

from messages import join
from ui.charts.proof_code import qr_modules
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.theme import ACCENT
from ui.screen.drawing.widgets import draw_header, draw_modules, draw_network_offer
from ui.screen.pages.answers import Reply
from ui.screen.pages.common import strings as common_strings
from ui.screen.pages.common.view import GO_ON_ANSWER
from ui.screen.pages.take_home import strings
from ui.screen.pages.take_home.view import TakeHomePage


@paints(TakeHomePage)
def draw_take_home(canvas: Canvas, page: TakeHomePage) -> None:
    """Draw the QR code and how far the clip is, or how to put the box on the network."""
    theme, status = canvas.theme, page.status
    body = draw_header(canvas, canvas.page, strings.TITLE)
    body, foot = layout.split_bottom(body, round(theme.touch_size * 1.4), theme.gap)
    if status.url is None and not status.error:
        draw_network_offer(canvas, body, foot, strings.OFF_DETAIL)
        return
    canvas.button(foot, common_strings.GO_ON, Reply(GO_ON_ANSWER), main=True, size=theme.title, icon="forward")
    if status.error or not status.url:
        text = join([strings.FAILED, status.error]) if status.error else common_strings.NO_NETWORK
        canvas.text(body, text, theme.title, max_lines=6)
        return
    code, words = (layout.rows if theme.portrait else layout.columns)(body, [1, 1], theme.gap * 2)
    draw_modules(canvas, code, qr_modules(status.url))
    how, progress = layout.rows(words, [3, 1], theme.gap)
    canvas.text(how, strings.HOW, theme.title, max_lines=9)
    canvas.text(progress, strings.progress_text(status), theme.title, ACCENT)
