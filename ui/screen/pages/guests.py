"""Who is here: people who have said so on their phones, and the page of the touchscreen on which they join."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from pygame import Rect
from typing_extensions import override

from messages import N
from ui.i18n.language import t
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.forms import Column, Flip, Form, ItemList, Row, lays_out
from ui.screen.drawing.nodes import GAP, TOUCH, Button, CardPanel, Icon, Node, QrCode, Text, note
from ui.screen.drawing.theme import BACKGROUND, MUTED, RAISED, SEAT_MARKS, TEXT
from ui.screen.pages.common import JoinAddress
from ui.screen.pages.phones import TYPE_IT, audience_button
from ui.screen.views import CompoundAnswer, ListPage, PreMatchPage, Reply, StatusPage
from ui.text import labels

PICTURES = {
    "cat": N("Cat"),
    "rabbit": N("Rabbit"),
    "bear": N("Bear"),
    "owl": N("Owl"),
    "fish": N("Fish"),
    "ghost": N("Ghost"),
    "robot": N("Robot"),
    "mushroom": N("Mushroom"),
    "rocket": N("Rocket"),
    "boat": N("Boat"),
    "tree": N("Tree"),
    "cactus": N("Cactus"),
}
"""The icons that people choose from, with what each shows."""
COLOURS = (N("Blue"), N("Orange"), N("Green"), N("Purple"), N("Pink"), N("Lime"), N("Turquoise"), N("Sand"))
"""The names of the colours that people choose from: those of ``SEAT_MARKS``, in that order."""


@dataclass(frozen=True)
class Guest:
    """Somebody who is here: the name says who, and so does the picture; the colour only helps."""

    name: str
    picture: str
    """An icon of ``PICTURES``."""
    colour: int
    """The number of a colour of ``COLOURS``, from 1."""


@dataclass(frozen=True)
class Guesser:
    """Somebody who guesses, with the rounds that they guessed in this match."""

    guest: Guest
    right: int = 0
    rounds: int = 0


@dataclass(frozen=True)
class GuestsStatus:
    """Where people join (None: the network is off), who is here, and whether those without a seat may guess."""

    address: JoinAddress | None
    guests: tuple[Guest, ...] = ()
    has_audience: bool = True


class GuestsChoice(StrEnum):
    """What people choose on the page; the values are its answers."""

    FORGET_ALL = "forget all"
    DONE = "done"


@dataclass(frozen=True)
class RemoveGuest(CompoundAnswer):
    """Somebody is not here any more."""

    name: str


@dataclass(frozen=True)
class GuestsPage(StatusPage[GuestsStatus], ListPage, PreMatchPage):
    """Where people join, and who is here. Answered with a GuestsChoice, AUDIENCE_ANSWER or
    RemoveGuest."""

    is_idle = True


TITLE = N("Who is here?")
HOW = N(
    "Scan this with your phone’s camera and write your name. The box then offers you seats and tournaments, and "
    "whoever has no seat can guess who wins."
)
NOBODY = N("Nobody yet.")
GUESSERS_TITLE = N("Best guesses")
GUESSERS_HEIGHT = 8
"""How high the line of the best guessers is, in units."""
TOUCH_TO_REMOVE = N("Touch whoever has gone home.")
FORGET_ALL = N("Forget everybody")
FEW_GUESTS = 4
"""With more, their names take the room of the text above them."""


def removal_label(name: str) -> str:
    """Return what a touch on somebody does, for those who can't see the page."""
    return t("{name}: not here any more", name=name)


@dataclass(frozen=True)
class Badge(Node):
    """Somebody's picture on their colour."""

    guest: Guest

    @override
    def draw(self, canvas: Canvas, box: Rect) -> None:
        side = min(box.size)
        square = layout.centre(box, side, side)
        canvas.panel(square, SEAT_MARKS[self.guest.colour - 1].colour)
        canvas.icon(layout.inset(square, side // 8), self.guest.picture, BACKGROUND)


@lays_out(GuestsPage)
def lay_out_guests(page: GuestsPage) -> Form:
    """Return the QR code, and a card for everybody who is here."""
    status = page.status
    return Form(
        TITLE,
        Flip(_join_code(status.address), _people(page), gap=(2 * GAP, GAP)),
        foot=(
            Button(labels.DONE, Reply(GuestsChoice.DONE), "back", size="body", leads_back=True, share=2),
            audience_button(on=status.has_audience),
            Button(FORGET_ALL, Reply(GuestsChoice.FORGET_ALL), size="body", enabled=bool(status.guests), share=2),
        ),
    )


def _join_code(address: JoinAddress | None) -> Node:
    if address is None or not address.url:
        return Text(labels.NETWORK_OFF if address is None else labels.NO_NETWORK, "title", lines=4, share=2)
    text = N(TYPE_IT, address=address.address, code=address.code)
    return Column(QrCode(address.url), Text(text, fits=True), share=2)


def _people(page: GuestsPage) -> Node:
    guests = page.status.guests
    if not guests:
        return Column(note(HOW, TEXT), Text(NOBODY, "title", MUTED, lines=1), share=3)
    cards = ItemList(page, guests, _card, TOUCH, 1.4 * TOUCH, across=2)
    return Column(note(HOW, TEXT) if len(guests) <= FEW_GUESTS else None, cards, note(TOUCH_TO_REMOVE), share=3)


def _card(guest: Guest) -> CardPanel:
    return CardPanel(
        Row(Badge(guest, length=7), Text(guest.name, "body", lines=2, align="left"), Icon("minus", MUTED, length=3)),
        Reply(RemoveGuest(guest.name)),
        removal_label(guest.name),
        across=1.2,
        down=0.6,
        fill=RAISED,
    )


def guesser_score(guesser: Guesser) -> str:
    """Return how many rounds somebody guessed right."""
    return t("{right} of {rounds}", right=guesser.right, rounds=guesser.rounds)


def draw_guessers(canvas: Canvas, page: Rect, guessers: Sequence[Guesser]) -> Rect:
    """Draw the best guessers in a line at the bottom of ``page``, if there are any. Return the rest of it."""
    if not guessers:
        return page
    rest, line = layout.split_bottom(page, canvas.theme.units(GUESSERS_HEIGHT), canvas.theme.gap)
    people = [
        Row(
            Badge(guesser.guest, length=5),
            Text(guesser.guest.name, "body", lines=2, align="left"),
            Text(guesser_score(guesser), "body", MUTED, lines=2, align="right", length=14),
            gap=1,
            share=2,
        )
        for guesser in guessers
    ]
    Row(Text(GUESSERS_TITLE, "body", MUTED, lines=2, length=15), *people, gap=4).draw(canvas, line)
    return rest
