"""The page on which phones join: where, and who has one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from typing_extensions import override

from messages import N
from rules.engine import Seat
from ui.i18n.language import ngettext, t
from ui.screen.drawing.forms import Column, Either, Flip, Form, Grid, Row, lays_out
from ui.screen.drawing.nodes import GAP, TOUCH, Button, CardPanel, Icon, Node, QrCode, SeatMark, Text, note
from ui.screen.drawing.theme import ACCENT, LINE, MUTED, PANEL, RAISED, TEXT
from ui.screen.pages.common import GO_ON_ANSWER, SWITCH_ON_ANSWER, JoinAddress
from ui.screen.views import SET_UP_PATIENCE_S, CompoundAnswer, Page, Reply, StatusPage
from ui.text import labels

AUDIENCE_ANSWER = "audience"
"""The answer of people who let the audience guess, or stop that."""
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
    has_audience: bool = True
    """Whether whoever has no seat may guess who wins."""


@dataclass(frozen=True)
class RemovePhone(CompoundAnswer):
    """Take a seat back from its phone."""

    seat: Seat


@dataclass(frozen=True)
class PhonesPage(StatusPage[PhonesStatus]):
    """Where phones join. Answered with GO_ON_ANSWER, SWITCH_ON_ANSWER, AUDIENCE_ANSWER or RemovePhone."""

    open_second_screen: Callable[[Page], Page] | None = None
    """Returns the page that says where a second screen is opened and leads back to this one."""

    @property
    @override
    def patience_s(self) -> float | None:
        """None while a phone is there, whose player may wait for others."""
        return None if any(seat.state == "here" for seat in self.current().seats) else SET_UP_PATIENCE_S


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


AUDIENCE_ON, AUDIENCE_OFF = N("Guessing: on"), N("Guessing: off")


def audience_button(*, on: bool) -> Button:
    """Return the button that lets the audience guess, or stops that."""
    return Button(AUDIENCE_ON if on else AUDIENCE_OFF, Reply(AUDIENCE_ANSWER), "eye", size="body", share=2)


def count_phones(seats: Sequence[SeatPhone]) -> str:
    """How many seats have a phone."""
    count = sum(phone.state == "here" for phone in seats)
    return ngettext("{count} phone of {every}", "{count} phones of {every}", count, every=len(seats))


def removal_label(name: str) -> str:
    """What a touch on a seat with a phone does, for those who can't see the page."""
    return t("{name}: take the seat back from the phone", name=name)


FEW_SEATS = 3
"""With more, their places are in two columns."""
MAX_EXPLAINED_SEATS = 4
"""With more, their places take the room of the text above them in landscape."""
STATE_ICONS = {"none": "frame", "here": "phone", "away": "doubt"}


def _seats(status: PhonesStatus, share: float) -> Node:
    """Return what a phone is good for, and each seat; of a class only how many phones there are."""
    if status.in_class:
        return Column(note(CLASS_HOW, TEXT), Text(count_phones(status.seats), "big", ACCENT, lines=1), share=share)
    count, any_phone = len(status.seats), any(seat.state != "none" for seat in status.seats)
    cards = Grid(
        [_seat_card(seat) for seat in status.seats], (2 if count > FEW_SEATS else 1, 2), gap=1, most=1.6 * TOUCH
    )
    explained = Column(note(HOW, TEXT), cards, note(TOUCH_TO_REMOVE) if any_phone else None)
    return Either(explained if count <= MAX_EXPLAINED_SEATS else cards, explained, share=share)


def _seat_card(seat: SeatPhone) -> CardPanel:
    has_phone = seat.state != "none"
    words = Column(
        Text(seat.name, "small", lines=1, align="left"),
        Text(STATE_LABELS[seat.state], "small", MUTED, lines=1, align="left"),
        gap=0,
    )
    icon = Icon(STATE_ICONS[seat.state], TEXT if has_phone else MUTED, length=5)
    return CardPanel(
        Row(SeatMark(seat.seat, length=5), words, icon, gap=0.8),
        Reply(RemovePhone(seat.seat)) if has_phone else None,
        removal_label(seat.name) if has_phone else "",
        across=1.2,
        down=0.4,
        fill=RAISED if has_phone else PANEL,
        edge=ACCENT if seat.state == "here" else LINE,
    )


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
        second = Button(labels.SECOND_SCREEN, page.open_second_screen(page), share=2)
    few = status.in_class or len(status.seats) <= FEW_SEATS
    return Form(
        TITLE,
        Flip(
            _join_code(status.address, share=1 if few else 3),
            _seats(status, share=1 if few else 4),
            gap=(2 * GAP, GAP),
        ),
        foot=(
            second,
            None if status.in_class else audience_button(on=status.has_audience),
            Button(labels.GO_ON, Reply(GO_ON_ANSWER), "forward", main=True, share=2),
        ),
    )


def _join_code(address: JoinAddress, share: float) -> Node:
    if not address.url:
        return Text(labels.NO_NETWORK, "title", lines=4, share=share)
    text = N(TYPE_IT, address=address.address, code=address.code)
    return Column(QrCode(address.url), Text(text, fits=True), share=share)
