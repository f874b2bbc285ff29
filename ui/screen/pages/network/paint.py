"""Painter of the switch of the review on the network."""

from pygame import Rect

from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.theme import ACCENT, MUTED, TEXT
from ui.screen.drawing.widgets import draw_header, hand_row
from ui.screen.pages.answers import Reply
from ui.screen.pages.history import strings as history_strings
from ui.screen.pages.history import view as history_view
from ui.screen.pages.network import strings
from ui.screen.pages.network import view as network_view
from ui.screen.pages.network.view import NetworkSwitch, ReviewAddress


def draw_network_switch(canvas: Canvas, page: NetworkSwitch) -> None:
    """Draw whether the review is on the network, its address and code, large enough to read across the table, and the
    switch."""
    theme = canvas.theme
    body = draw_header(canvas, canvas.page, strings.TITLE)
    body, foot = layout.split_bottom(body, round(theme.touch_size * 1.5), theme.gap)
    home, switch = hand_row(canvas, foot, [1, 2], theme.gap)
    canvas.button(
        home, history_strings.TOOL_LABELS[history_view.HOME], Reply(history_view.HOME), icon="back", size=theme.title
    )
    on = page.address is not None
    label, press = (strings.SWITCH_OFF, network_view.OFF) if on else (strings.SWITCH_ON, network_view.ON)
    canvas.button(switch, label, Reply(press), main=not on, size=theme.title)
    if page.address is None:
        state, detail = layout.rows(body, [1, 1], theme.gap)
        canvas.text(state, strings.IS_OFF, theme.big, max_lines=4)
        canvas.text(detail, strings.OFF_DETAIL, theme.title, MUTED, max_lines=7)
    else:
        _draw_address(canvas, body, page.address)


def _draw_address(canvas: Canvas, body: Rect, review: ReviewAddress) -> None:
    theme = canvas.theme
    status, address, others, code_prompt, code, detail = layout.rows(body, [2, 4, 1.6, 2, 6, 2], theme.gap)
    canvas.text(status, strings.IS_ON, theme.title, MUTED)
    first, *more = review.addresses or (strings.NO_NETWORK,)
    canvas.text(
        address, first, theme.units(13), ACCENT if review.addresses else TEXT, max_lines=1 if review.addresses else 2
    )
    if more:
        canvas.text(others, strings.other_addresses(more[:2]), theme.small, MUTED)
    canvas.text(code_prompt, strings.CODE_RENEWED if review.code_renewed else strings.TYPE_CODE, theme.title, MUTED)
    canvas.text(code, review.code, theme.units(28))
    canvas.text(detail, strings.ON_DETAIL, theme.body, MUTED, max_lines=2)
