"""Painter of the page with the QR code of a clip."""

from messages import join
from ui.charts.proof_code import qr_modules
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.theme import ACCENT, MUTED
from ui.screen.drawing.widgets import draw_header, draw_modules, hand_row
from ui.screen.pages.answers import Reply
from ui.screen.pages.take_home import strings
from ui.screen.pages.take_home.view import GO_ON, SWITCH_ON, TakeHomePage


@paints(TakeHomePage)
def draw_take_home(canvas: Canvas, page: TakeHomePage) -> None:
    """Draw the QR code and how far the clip is, or how to put the box on the network."""
    theme, status = canvas.theme, page.status
    body = draw_header(canvas, canvas.page, strings.TITLE)
    body, foot = layout.split_bottom(body, round(theme.touch_size * 1.4), theme.gap)
    go_on = Reply(GO_ON)
    if status.url is None and not status.error:
        state, detail = layout.rows(body, [1, 2], theme.gap)
        canvas.text(state, strings.OFF, theme.big, max_lines=2)
        canvas.text(detail, strings.OFF_DETAIL, theme.title, MUTED, max_lines=8)
        back, switch = hand_row(canvas, foot, [1, 2], theme.gap)
        canvas.button(back, strings.GO_ON_LABEL, go_on, size=theme.title)
        canvas.button(switch, strings.SWITCH_ON_LABEL, Reply(SWITCH_ON), main=True, size=theme.title, icon="phone")
        return
    canvas.button(foot, strings.GO_ON_LABEL, go_on, main=True, size=theme.title, icon="forward")
    if status.error or not status.url:
        text = join([strings.FAILED, status.error]) if status.error else strings.NO_NETWORK
        canvas.text(body, text, theme.title, max_lines=6)
        return
    code, words = (layout.rows if theme.portrait else layout.columns)(body, [1, 1], theme.gap * 2)
    draw_modules(canvas, code, qr_modules(status.url))
    how, progress = layout.rows(words, [3, 1], theme.gap)
    canvas.text(how, strings.HOW, theme.title, max_lines=9)
    canvas.text(progress, strings.progress_text(status), theme.title, ACCENT)
