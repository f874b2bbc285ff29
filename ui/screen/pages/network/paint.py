"""Painter of the switch of the review on the network."""

from pygame import Rect

from messages import N
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.theme import ACCENT, MUTED
from ui.screen.drawing.widgets import draw_header, hand_row
from ui.screen.pages.answers import Reply
from ui.screen.pages.common import strings as common_strings
from ui.screen.pages.history import view as history_view
from ui.screen.pages.network import view as network_view
from ui.screen.pages.network.view import NetworkSwitch, ReviewAddress

OFF_DETAIL = N(
    "Switch it on to look at past matches from a phone or laptop on the same network. A code will be shown here; "
    "whoever types it may see everything, and delete pictures and players."
)
ON_DETAIL = N("It stays on during matches, until you switch it off or close Throwlock.")


@paints(NetworkSwitch)
def draw_network_switch(canvas: Canvas, page: NetworkSwitch) -> None:
    """Draw whether the review is on the network, its address and code, large enough to read across the table, and the
    switch."""
    theme, on = canvas.theme, page.address is not None
    body = draw_header(canvas, canvas.page, network_view.TITLE)
    body, foot = layout.split_bottom(body, round(theme.touch_size * 1.5), theme.gap)
    home, switch = hand_row(canvas, foot, [1, 2], theme.gap)
    canvas.button(home, common_strings.GAMES, Reply(history_view.HOME), icon="back", size=theme.title)
    label, press = (N("Switch it off"), network_view.OFF) if on else (N("Switch it on"), network_view.ON)
    canvas.button(switch, label, Reply(press), main=not on, size=theme.title)
    if page.address is None:
        state, detail = layout.rows(body, [1, 1], theme.gap)
        canvas.text(state, N("Off. This box can’t be reached from the network."), theme.big, max_lines=4)
        canvas.text(detail, OFF_DETAIL, theme.title, MUTED, max_lines=7)
    else:
        _draw_address(canvas, body, page.address)


def _draw_address(canvas: Canvas, body: Rect, review: ReviewAddress) -> None:
    theme = canvas.theme
    status, address, others, code_prompt, code, detail = layout.rows(body, [2, 4, 2, 2, 5, 3], theme.units(1))
    canvas.text(status, N("On. In a browser on this network:"), theme.title, MUTED)
    if review.addresses:
        canvas.text(address, review.addresses[0], theme.units(13), ACCENT)
    else:
        canvas.text(address, N("This box has no network: connect it first."), theme.units(13), max_lines=2)
    if more := review.addresses[1:3]:
        canvas.text(others, N("or {addresses}", addresses=", ".join(more)), theme.small, MUTED, max_lines=2)
    renewed, first = N("Wrong codes were entered: this is a new one."), N("and type this code:")
    canvas.text(code_prompt, renewed if review.code_renewed else first, theme.title, MUTED, max_lines=2)
    canvas.text(code, review.code, theme.units(28), role="shared")
    canvas.text(detail, ON_DETAIL, theme.body, MUTED, max_lines=2)
