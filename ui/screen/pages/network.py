"""The switch of the review pages, the phones' pads and second screens on the network."""

from collections.abc import Callable
from dataclasses import dataclass

from messages import N
from ui.screen.drawing.forms import Column, Flip, Form, lays_out
from ui.screen.drawing.nodes import GAP, TOUCH, Button, Node, QrCode, Text, note
from ui.screen.drawing.theme import ACCENT, MUTED
from ui.screen.pages.common import HOME_ANSWER, JoinAddress
from ui.screen.views import Page, Reply, StatusPage
from ui.text import labels

ON, OFF = "on", "off"
TITLE = N("Phones and review")


@dataclass(frozen=True)
class ReviewAddress:
    """Where the review pages are on the network."""

    addresses: tuple[str, ...]
    """The likeliest first; none without a network."""
    code: str
    """The access code."""
    code_renewed: bool = False
    """Whether the code is new after wrong guesses."""
    join: JoinAddress | None = None
    """Where phones join."""
    help: str = ""
    """Where the pages of help are; "" without a network."""


@dataclass(frozen=True)
class NetworkSwitch(StatusPage[ReviewAddress | None]):
    """The switch of phones and review on the network: how they are served, or None while it is off. Answered with ON,
    OFF or HOME_ANSWER."""

    is_idle = True

    open_second_screen: Callable[[Page], Page] | None = None
    """Returns the page that says where a second screen is opened and leads back to this one."""


@dataclass(frozen=True)
class HelpAddress(Page):
    """Where the pages of help are on the network. Every touch leads back."""

    is_idle = True

    address: str
    back: Page


HELP_DETAIL = N("How to play, build and mend the box, in English: on every phone and laptop in the same network.")
OFF_DETAIL = N(
    "Switch it on to answer on phones during a match, and to look at past matches from a phone or laptop on the same "
    "network. Codes will be shown here; anyone who types the one for past matches can see everything, and delete "
    "images and players."
)
JOIN_LABEL = N("To play with a phone, scan this.")
ON_DETAIL = N("It stays on during matches, until you switch it off or close Throwlock.")


@lays_out(NetworkSwitch)
def lay_out_network_switch(page: NetworkSwitch) -> Form:
    """Return whether the box is on the network, the addresses and codes, large enough to read across the table, and
    the switch."""
    if page.status is None:
        return Form(
            TITLE,
            Text(N("Off. This box can’t be reached from the network."), "big", lines=4),
            Text(OFF_DETAIL, "title", MUTED, lines=7),
            foot=(
                Button(labels.DONE, Reply(HOME_ANSWER), "back", leads_back=True),
                Button(labels.SWITCH_ON, Reply(ON), main=True, share=2),
            ),
            foot_length=1.5 * TOUCH,
        )
    second = None
    if page.open_second_screen is not None:
        second = Button(labels.SECOND_SCREEN, page.open_second_screen(page), share=4)
    return Form(
        TITLE,
        _address_nodes(page, page.status),
        foot=(
            Button(labels.DONE, Reply(HOME_ANSWER), leads_back=True, share=3 if second else 2),
            second,
            Button(labels.SWITCH_OFF, Reply(OFF), share=4),
        ),
        foot_length=1.5 * TOUCH,
    )


@lays_out(HelpAddress)
def lay_out_help_address(page: HelpAddress) -> Form:
    """Return the address of the pages of help, and its QR code."""
    words = Column(
        Text(HELP_DETAIL, "title", lines=5, share=3), Text(page.address, 13, ACCENT, lines=2, share=2), share=4
    )
    done = Button(labels.DONE, page.back, "back", leads_back=True)
    return Form(labels.HELP, Flip(words, QrCode(page.address, share=3), gap=(2 * GAP, GAP)), foot=(done,))


def _address_nodes(page: NetworkSwitch, review: ReviewAddress) -> Node:
    """Return how to look at past matches and, with a QR code of its own, how to play with a phone; and help."""
    past = N("To look at past matches, open this on the same network:")
    address = Text(labels.NO_NETWORK, 13, lines=2, share=4)
    if review.addresses:
        address = Text(review.addresses[0], 13, ACCENT, lines=1, share=4)
    others = N("or {addresses}", addresses=", ".join(review.addresses[1:3])) if review.addresses[1:] else ""
    renewed, first = N("Wrong codes were entered: this is a new one."), N("and type this code:")
    words = Column(
        Text(past, "title", MUTED, fits=True),
        address,
        Text(others, "small", MUTED, lines=2, share=2),
        Text(renewed if review.code_renewed else first, "title", MUTED, lines=2, share=2),
        Text(review.code, 28, lines=1, role="shared", share=5),
        note(ON_DETAIL, align="centre"),
        gap=1,
        share=(5, 4),
    )
    if review.join is None or not review.join.url:
        return words
    opens_help = Button(labels.HELP, HelpAddress(review.help, page), length=TOUCH)
    join = Column(QrCode(review.join.url), Text(JOIN_LABEL, lines=2, length=11), opens_help, share=3)
    return Flip(words, join, gap=(2 * GAP, GAP))
