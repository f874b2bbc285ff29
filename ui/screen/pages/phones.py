"""The page on which phones join: where, and who has one."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, Self

from pygame import Rect
from typing_extensions import override

from messages import N
from rules.engine import Seat
from ui.i18n.language import ngettext, t
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.forms import Column, Flip, Form, lays_out
from ui.screen.drawing.nodes import GAP, Button, Drawing, Node, QrCode, Text
from ui.screen.drawing.theme import ACCENT, LINE, MUTED, PANEL, RAISED, TEXT
from ui.screen.pages import second_screen as second_screen_page
from ui.screen.pages.common import GO_ON_ANSWER, SWITCH_ON_ANSWER, JoinAddress
from ui.screen.views import SET_UP_PATIENCE_S, CompoundAnswer, Page, Reply
from ui.text import labels

PhoneState = Literal["none", "here", "away"]


@dataclass(frozen=True)
class SeatPhone:
    """A seat, and whether it has a phone."""

    seat: Seat
    name: str
    state: PhoneState = "none"


@dataclass(frozen=True)
class PhonesStatus:
    """Where phones join (``None``: the network is off, or there is none), and the seats."""

    address: JoinAddress | None
    seats: tuple[SeatPhone, ...] = ()
    in_class: bool = False


@dataclass(frozen=True)
class RemovePhone(CompoundAnswer):
    """Take a seat back from its phone."""

    seat: Seat


@dataclass(frozen=True)
class PhonesPage(Page):
    """Where phones join. Answered with GO_ON_ANSWER, SWITCH_ON_ANSWER or RemovePhone."""

    current: Callable[[], PhonesStatus]
    """Returns the status now; the window polls it while the page is open."""
    status: PhonesStatus
    open_second_screen: Callable[[Page], Page] | None = None
    """Returns the page that says where a second screen is opened and leads back to this one."""

    @property
    @override
    def patience_s(self) -> float | None:
        """None while a phone is there, whose player may wait for others."""
        return None if any(seat.state == "here" for seat in self.current().seats) else SET_UP_PATIENCE_S

    @override
    def at_time(self, seconds: float) -> Self:
        """Seats are ticked off."""
        del seconds
        return replace(self, status=self.current())


TITLE = N("Play with phones")
HOW = N("Scan this with your phone’s camera, then choose your seat. Your bets, cards and claims stay on your phone.")
CLASS_HOW = N("Scan this with your phone’s camera, then enter your card’s number to see your own results.")
TYPE_IT = N("or open {address} and type {code}")
OFF_DETAIL = N(
    "Switch the network on and everybody can answer on a phone in the same Wi-Fi. Past matches can then be looked at "
    "from there as well, with a code of their own. It stays on until you switch it off on the home page."
)
STATE_LABELS: dict[PhoneState, str] = {
    "none": N("At this screen"),
    "here": N("On a phone"),
    "away": N("Phone is away"),
}
TOUCH_TO_REMOVE = N("Touch a seat to take it back from its phone.")


def count_phones(status: PhonesStatus) -> str:
    """How many seats have a phone."""
    count = sum(phone.state == "here" for phone in status.seats)
    return ngettext("{count} phone of {every}", "{count} phones of {every}", count, every=len(status.seats))


def removal_label(name: str) -> str:
    """What a touch on a seat with a phone does, for those who can't see the page."""
    return t("{name}: take the seat back from the phone", name=name)


FEW_SEATS = 3
"""With more, their places are in two columns."""
MAX_EXPLAINED_SEATS = 4
"""With more, their places take the room of the text above them in landscape."""
STATE_ICONS = {"none": "frame", "here": "phone", "away": "doubt"}


def _draw_seats(canvas: Canvas, box: Rect, status: PhonesStatus) -> None:
    """Draw what a phone is good for, and each seat; of a class only how many phones there are."""
    theme = canvas.theme
    explained = status.in_class or len(status.seats) <= MAX_EXPLAINED_SEATS or theme.portrait
    text = CLASS_HOW if status.in_class else HOW
    if explained:
        how, box = layout.split_top(box, canvas.text_height(text, box.w), theme.gap)
        canvas.text(how, text, theme.small, max_lines=9, align="left")
    if status.in_class:
        canvas.text(box, count_phones(status), theme.big, ACCENT)
        return
    if explained and any(seat.state != "none" for seat in status.seats):
        box, line = layout.split_bottom(box, canvas.text_height(TOUCH_TO_REMOVE, box.w), theme.units(0.5))
        canvas.text(line, TOUCH_TO_REMOVE, theme.small, MUTED, align="left", max_lines=9)
    across = 2 if len(status.seats) > FEW_SEATS or theme.portrait else 1
    height = min(box.h, -(-len(status.seats) // across) * round(theme.touch_size * 1.6))
    box = Rect(box.x, box.y, box.w, height)
    for cell, seat in zip(layout.grid(box, len(status.seats), across, theme.units(1)), status.seats, strict=True):
        _draw_seat(canvas, cell, seat)


def _draw_seat(canvas: Canvas, cell: Rect, seat: SeatPhone) -> None:
    theme, has_phone = canvas.theme, seat.state != "none"
    canvas.panel(cell, RAISED if has_phone else PANEL, edge=ACCENT if seat.state == "here" else LINE)
    if has_phone:
        canvas.add_target(cell, Reply(RemovePhone(seat.seat)), removal_label(seat.name))
    inner = layout.inset(cell, theme.units(1.2), theme.units(0.4))
    mark, inner = layout.split_left(inner, min(inner.h, theme.units(5)), theme.units(0.8))
    canvas.seat_mark(mark, seat.seat)
    inner, icon = layout.split_right(inner, min(inner.h, theme.units(5)), theme.units(0.8))
    canvas.icon(layout.centre(icon, icon.w, icon.w), STATE_ICONS[seat.state], TEXT if has_phone else MUTED)
    name, state = layout.rows(inner, [1, 1], 0)
    canvas.text(name, seat.name, theme.small, align="left")
    canvas.text(state, STATE_LABELS[seat.state], theme.small, MUTED, align="left")


def network_offer(title: str, detail: str) -> Form:
    """Return that phones can't reach the box, what they could do if they did (``detail``), and the buttons that switch
    the network on, or go on without."""
    return Form(
        title,
        Text(labels.NETWORK_OFF, "big", lines=2),
        Text(detail, "title", MUTED, lines=8, share=2),
        foot=(
            Button(labels.GO_ON, Reply(GO_ON_ANSWER)),
            Button(labels.SWITCH_ON, Reply(SWITCH_ON_ANSWER), "phone", main=True, share=2),
        ),
    )


@lays_out(PhonesPage)
def lay_out_phones(page: PhonesPage) -> Form:
    """Return where phones join and who has one, or how to put the box on the network."""
    status = page.status
    if status.address is None:
        return network_offer(TITLE, OFF_DETAIL)
    second = None
    if page.open_second_screen is not None:
        second = Button(second_screen_page.TITLE, page.open_second_screen(page), share=2)
    few = status.in_class or len(status.seats) <= FEW_SEATS
    return Form(
        TITLE,
        Flip(
            _join_code(status.address, share=1 if few else 3),
            Drawing(partial(_draw_seats, status=status), share=1 if few else 4),
            gap=(2 * GAP, GAP),
        ),
        foot=(second, Button(labels.GO_ON, Reply(GO_ON_ANSWER), "forward", main=True, share=3)),
    )


def _join_code(address: JoinAddress, share: float) -> Node:
    if not address.url:
        return Text(labels.NO_NETWORK, "title", lines=4, share=share)
    text = N(TYPE_IT, address=address.address, code=address.code)
    return Column(QrCode(address.url), Text(text, fits=True), share=share)
