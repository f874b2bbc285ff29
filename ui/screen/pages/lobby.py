"""What televisions show before a match, while phones can join: where, and who is here or who has which seat. Pure."""

from dataclasses import dataclass

from messages import N
from ui.screen.drawing.forms import Column, Flip, Form, Grid, Row, lays_out
from ui.screen.drawing.nodes import GAP, CardPanel, Icon, Node, QrCode, SeatMark, Text
from ui.screen.drawing.theme import ACCENT, LINE, MUTED
from ui.screen.pages import guests as guests_page
from ui.screen.pages import phones as phones_page
from ui.screen.pages.common import JoinAddress
from ui.screen.pages.guests import Badge, Guest, GuestsPage, GuestsStatus
from ui.screen.pages.phones import PhonesPage, PhonesStatus, SeatPhone
from ui.screen.views import View

MAX_SHOWN = 8
"""The most people who are shown, so that their names can be read from 4 m."""


@dataclass(frozen=True)
class Lobby(View):
    """Where phones join, and who has."""

    address: JoinAddress
    guests: tuple[Guest, ...] = ()
    """Who is here."""
    seats: tuple[SeatPhone, ...] = ()
    """The seats of the match that is about to begin, each with whether it has a phone; none before people sit down."""
    in_class: bool = False
    """Whether the seats are a class's, of which only the number of phones is shown."""

    @property
    def shown_guests(self) -> tuple[Guest, ...]:
        """The people who are shown: the last who came."""
        return self.guests[-MAX_SHOWN:]


def lobby_of(view: View, joining: GuestsStatus | None = None) -> Lobby | None:
    """Return the lobby while the touchscreen shows ``view``; None where nobody can join. ``joining`` says where people
    join while the box is at home, and who is here."""
    status = view.status if isinstance(view, PhonesPage | GuestsPage) else joining
    if status is None or status.address is None or not status.address.url:
        return None
    if isinstance(status, PhonesStatus):
        return Lobby(status.address, seats=status.seats, in_class=status.in_class)
    return Lobby(status.address, status.guests)


TITLE = N("Join with your phone")


def how_text(view: Lobby) -> str:
    """Return what people do on their phones."""
    if view.in_class:
        return phones_page.CLASS_HOW
    return phones_page.HOW if view.seats else guests_page.HOW


@lays_out(Lobby)
def lay_out_lobby(view: Lobby) -> Form:
    """Return the QR code, and a card for everybody who is here, or for each seat."""
    typed = N(phones_page.TYPE_IT, address=view.address.address, code=view.address.code)
    code = Column(QrCode(view.address.url), Text(typed, "body", lines=5, fits=True), share=2)
    few = len(view.seats) <= MAX_SHOWN // 2
    cards = [] if view.in_class else [_seat_card(seat, has_icon=few) for seat in view.seats]
    cards = cards or [_guest_card(guest) for guest in view.shown_guests]
    how = Text(how_text(view), "title", MUTED, lines=6, fits=True)
    people: Node = Grid(cards, 2 if len(cards) > MAX_SHOWN // 2 else 1, most=18) if cards else Text("")
    if view.in_class:
        people = Text(phones_page.count_phones(view.seats), "big", ACCENT, lines=2)
    return Form(TITLE, Flip(code, Column(how, people, share=3), gap=(2 * GAP, GAP)))


def _guest_card(guest: Guest) -> CardPanel:
    return CardPanel(Row(Badge(guest, length=9), Text(guest.name, "big", lines=2, align="left")), down=1)


def _seat_card(seat: SeatPhone, *, has_icon: bool) -> CardPanel:
    words = Column(
        Text(seat.name, "title", lines=2, align="left", share=3),
        Text(phones_page.STATE_LABELS[seat.state], "body", MUTED, lines=1, align="left", share=2),
        gap=0,
    )
    icon = Icon(phones_page.STATE_ICONS[seat.state], length=7) if has_icon else None
    edge = ACCENT if seat.state == "here" else LINE
    return CardPanel(Row(SeatMark(seat.seat, length=7), words, icon), down=1, edge=edge)
