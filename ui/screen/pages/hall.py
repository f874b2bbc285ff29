"""The hall that the box is part of: how far the link to it has come, and what is to be played here. Pure: no surface,
no clock."""

from dataclasses import dataclass
from enum import StrEnum

from messages import N
from ui.i18n.language import ngettext, t
from ui.screen.drawing.forms import Column, Form, ItemList, Row, lays_out
from ui.screen.drawing.nodes import TOUCH, Button, CardPanel, Icon, Text, note
from ui.screen.drawing.theme import FOUL, MUTED
from ui.screen.pages.common import HOME_ANSWER
from ui.screen.views import CompoundAnswer, ListPage, Reply, StatusPage
from ui.text import labels

TITLE = N("Hall")
ON, OFF, PICTURES_ON, PICTURES_OFF = "on", "off", "pictures on", "pictures off"


class HallState(StrEnum):
    """How far the link to the hall has come."""

    OFF = "off"
    CONNECTING = "connecting"
    CONNECTED = "connected"
    UNREACHABLE = "unreachable"
    """It tries again by itself."""
    REFUSED = "refused"
    """It tries again, but somebody has to put something right."""


@dataclass(frozen=True)
class PairingOffer:
    """A match that is to be played here: who plays, and of which tournament and game."""

    id: str
    players: str
    about: str = ""


@dataclass(frozen=True)
class ChosenPairing(CompoundAnswer):
    """The answer of people who play a match of the hall."""

    id: str


@dataclass(frozen=True, kw_only=True)
class LinkStatus:
    """How far the link to the hall has come."""

    state: HallState = HallState.CONNECTING
    error: str = ""
    """Why the hall is UNREACHABLE or REFUSED."""
    unsent_events: int | None = None
    """Events that the hub has not stored yet; None: nobody knows."""
    unsent_results: int = 0
    """Results of matches that have ended and that the hub has not stored yet."""
    is_answered: bool = False
    """Whether the hub answers."""
    is_holding: bool = False
    """Whether something is sealed, and waits."""
    problem: str = ""
    """Why the hub takes nothing more; "" if it does."""


@dataclass(frozen=True, kw_only=True)
class HallStatus(LinkStatus):
    """What people are told of the hall."""

    hall: str
    table: str = ""
    sends_pictures: bool = False
    pairings: tuple[PairingOffer, ...] = ()


@dataclass(frozen=True)
class HallPage(StatusPage[HallStatus], ListPage):
    """The switch of the link to the hall, and what is to be played here. Answered with ON, OFF, PICTURES_ON,
    PICTURES_OFF, a ChosenPairing, or HOME_ANSWER."""

    is_idle = True


PICTURES_OFF_LABEL = N("Pictures of disputed rounds: not sent")
PICTURES_ON_LABEL = N("Pictures of disputed rounds: sent")
IS_OFF = N("Off. Nothing is sent to the hall.")
ABOUT = N(
    "Switched on, the box sends its results to {hall} and shows which matches are to be played here. Matches never "
    "wait for the network, and names are not sent."
)
NOTHING_TO_PLAY = N("No match is to be played here now.")
CONNECTING = N("Connecting to the hall …")
UNREACHABLE = N("The hall can’t be reached: {error}. Matches go on, and results are sent later.")
REFUSED = N("The hall does not let this box in: {error}.")
SILENT = N("Connected, but the hub does not answer yet.")
ALL_SENT = N("Connected to the hall; everything is sent.")
SENDING = N("Connected to the hall; sending.")
HOLDING = N("Connected to the hall; what is still sealed is sent later.")
PROBLEMS = {
    "rewritten": N("The hall has other results of this box’s journal and takes no more: tell the organiser."),
    "cut": N("The hall has more results than this box’s journal and takes no more: tell the organiser."),
    "forged": N("The hall found a result of this box that was changed and takes no more: tell the organiser."),
    "unknown box": N("The hall does not know this box: tell the organiser."),
}


def status_text(status: HallStatus) -> str:
    """What switching on means."""
    return t(ABOUT, hall=status.hall)


def state_text(status: HallStatus) -> str:
    """How far the link has come, in a sentence, and what is not sent yet in another."""
    unsent = ngettext("{count} result not sent yet.", "{count} results not sent yet.", status.unsent_results)
    lines = {
        HallState.OFF: IS_OFF,
        HallState.CONNECTING: CONNECTING,
        HallState.UNREACHABLE: t(UNREACHABLE, error=t(status.error)),
        HallState.REFUSED: t(REFUSED, error=t(status.error)),
        HallState.CONNECTED: _connected_text(status),
    }
    line = t(PROBLEMS.get(status.problem, "") or lines[status.state])
    has_unsent = status.unsent_results and not status.problem
    return f"{line} {unsent}" if has_unsent and status.state != HallState.OFF else line


def _connected_text(status: HallStatus) -> str:
    if not status.is_answered:
        return SILENT
    if status.unsent_results:
        return t(N("Connected to the hall."))
    if status.unsent_events:
        return SENDING
    return HOLDING if status.is_holding else ALL_SENT


@lays_out(HallPage)
def lay_out_hall(page: HallPage) -> Form:
    """Return how far the link has come, what is to be played here, and the switches."""
    status = page.status
    games = Button(labels.DONE, Reply(HOME_ANSWER), "back", leads_back=True)
    if status.state == HallState.OFF:
        return Form(
            status.hall,
            Text(IS_OFF, "big", lines=4),
            Text(status_text(status), "title", MUTED, lines=7),
            foot=(games, Button(labels.SWITCH_ON, Reply(ON), main=True, share=2)),
            note=status.table,
        )
    is_wrong = bool(status.problem) or status.state == HallState.REFUSED
    label, answer = (PICTURES_ON_LABEL, PICTURES_OFF) if status.sends_pictures else (PICTURES_OFF_LABEL, PICTURES_ON)
    row_height = 1.3 * TOUCH, 1.7 * TOUCH  # two long names take two lines
    return Form(
        status.hall,
        Text(state_text(status), "body", FOUL if is_wrong else MUTED, lines=5, fits=True),
        ItemList(page, status.pairings, _offer_card, row_height)
        if status.pairings
        else Text(NOTHING_TO_PLAY, "big", lines=3),
        Button(label, Reply(answer), size="body", length=TOUCH),
        foot=(games, Button(labels.SWITCH_OFF, Reply(OFF), share=2)),
        note=status.table,
    )


def _offer_card(offer: PairingOffer) -> CardPanel:
    """Return a match that starts by touch: who plays, and of which tournament and game."""
    about = note(offer.about, lines=1)
    words = Column(Text(offer.players, "title", lines=2, align="left"), about, gap=0)
    return CardPanel(Row(words, Icon("forward", length=3.4)), Reply(ChosenPairing(offer.id)), offer.players, down=0.3)
