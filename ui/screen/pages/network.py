"""The switch of the review pages, the phones' pads and second screens on the network."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

from pygame import Rect

from messages import N
from ui.charts.proof_code import qr_modules
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.theme import ACCENT, MUTED
from ui.screen.drawing.widgets import draw_header, draw_modules, hand_row
from ui.screen.pages import history as history_page
from ui.screen.pages import second_screen as second_screen_page
from ui.screen.pages.common import JoinAddress
from ui.screen.views import Page, Reply
from ui.text import labels

ON, OFF = "on", "off"
TITLE = N("Phones and review")


@dataclass(frozen=True)
class ReviewAddress:
    """The addresses of the review pages on the network, the likeliest first (none without a network), and the access
    code; ``code_renewed`` after wrong guesses. ``join`` is where phones join."""

    addresses: tuple[str, ...]
    code: str
    code_renewed: bool = False
    join: JoinAddress | None = None


@dataclass(frozen=True)
class NetworkSwitch(Page):
    """The switch of phones and review on the network. ``current`` returns how they are served now (``None``: it is
    off); the window polls it while the page is open; ``open_second_screen`` returns the page that says where a second
    screen is opened and leads back to this one. Answered with ON, OFF or HOME."""

    is_idle = True

    current: Callable[[], ReviewAddress | None]
    address: ReviewAddress | None = None
    open_second_screen: Callable[[Page], Page] | None = None

    def at_time(self, seconds: float) -> Self:
        """See View."""
        return replace(self, address=self.current())


OFF_DETAIL = N(
    "Switch it on to answer on phones during a match, and to look at past matches from a phone or laptop on the same "
    "network. Codes will be shown here; anyone who types the one for past matches can see everything, and delete "
    "images and players."
)
JOIN_LABEL = N("To play with a phone, scan this.")
ON_DETAIL = N("It stays on during matches, until you switch it off or close Throwlock.")


@paints(NetworkSwitch)
def draw_network_switch(canvas: Canvas, page: NetworkSwitch) -> None:
    """Draw whether the box is on the network, the addresses and codes, large enough to read across the table, and the
    switch."""
    theme, on = canvas.theme, page.address is not None
    body = draw_header(canvas, canvas.page, TITLE)
    body, foot = layout.split_bottom(body, round(theme.touch_size * 1.5), theme.gap)
    weights = [3, 4, 4] if on and page.open_second_screen is not None else [1, 2]
    home, *others, switch = hand_row(canvas, foot, weights, theme.gap)
    canvas.button(home, labels.GAMES, Reply(history_page.HOME), icon="back", size=theme.title)
    label, press = (labels.SWITCH_OFF, OFF) if on else (labels.SWITCH_ON, ON)
    canvas.button(switch, label, Reply(press), main=not on, size=theme.title)
    for cell in others:
        assert page.open_second_screen is not None  # or else there is no cell
        canvas.button(cell, second_screen_page.TITLE, page.open_second_screen(page), size=theme.title)
    if page.address is None:
        state, detail = layout.rows(body, [1, 1], theme.gap)
        canvas.text(state, N("Off. This box can’t be reached from the network."), theme.big, max_lines=4)
        canvas.text(detail, OFF_DETAIL, theme.title, MUTED, max_lines=7)
    else:
        _draw_address(canvas, body, page.address)


def _draw_address(canvas: Canvas, body: Rect, review: ReviewAddress) -> None:
    """Draw how to look at past matches and, with a QR code of its own, how to play with a phone."""
    theme = canvas.theme
    if review.join is not None and review.join.url:
        if theme.portrait:
            body, join = layout.rows(body, [4, 3], theme.gap)
        else:
            body, join = layout.columns(body, [5, 3], theme.gap * 2)
        join, label = layout.split_bottom(join, theme.units(11), theme.gap)
        draw_modules(canvas, join, qr_modules(review.join.url))
        canvas.text(label, JOIN_LABEL, theme.body, max_lines=2)
    body, detail = layout.split_bottom(body, canvas.text_height(ON_DETAIL, body.w), theme.units(1))
    past = N("To look at past matches, open this on the same network:")
    status, body = layout.split_top(body, canvas.text_height(past, body.w), theme.units(1))
    canvas.text(status, past, theme.title, MUTED, max_lines=9)
    address, others, code_prompt, code = layout.rows(body, [4, 2, 2, 5], theme.units(1))
    if review.addresses:
        canvas.text(address, review.addresses[0], theme.units(13), ACCENT)
    else:
        canvas.text(address, labels.NO_NETWORK, theme.units(13), max_lines=2)
    if more := review.addresses[1:3]:
        canvas.text(others, N("or {addresses}", addresses=", ".join(more)), theme.small, MUTED, max_lines=2)
    renewed, first = N("Wrong codes were entered: this is a new one."), N("and type this code:")
    canvas.text(code_prompt, renewed if review.code_renewed else first, theme.title, MUTED, max_lines=2)
    canvas.text(code, review.code, theme.units(28), role="shared")
    canvas.text(detail, ON_DETAIL, theme.small, MUTED, max_lines=9)
