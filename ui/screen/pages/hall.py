"""The hall that the box is part of: how far the link to it has come, and what is to be played here. Pure: no surface,
no clock."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self

from pygame import Rect

from messages import N
from ui.i18n.language import ngettext, t
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.text import line_height
from ui.screen.drawing.theme import ACCENT, FOUL, MUTED, PANEL
from ui.screen.drawing.widgets import draw_header, draw_list_page, hand_row
from ui.screen.pages import history as history_page
from ui.screen.views import CompoundAnswer, ListPage, Reply
from ui.text import labels

TITLE = N("Hall")
ON, OFF, PICTURES_ON, PICTURES_OFF = "on", "off", "pictures on", "pictures off"


class HallState(StrEnum):
    """How far the link to the hall has come."""

    OFF = "off"
    CONNECTING = "connecting"
    CONNECTED = "connected"
    UNREACHABLE = "unreachable"
    REFUSED = "refused"


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


@dataclass(frozen=True)
class HallStatus:
    """What people are told. ``error`` says why the hall is UNREACHABLE or REFUSED. ``unsent_events`` (None: nobody
    knows) and ``unsent_results``, of matches that have ended, are not stored by the hub yet; ``is_answered``: the hub
    answers; ``is_holding``: something is sealed, and waits. ``problem``: why the hub takes nothing more."""

    hall: str
    table: str = ""
    state: HallState = HallState.OFF
    error: str = ""
    unsent_events: int | None = None
    unsent_results: int = 0
    is_answered: bool = False
    is_holding: bool = False
    problem: str = ""
    sends_pictures: bool = False
    pairings: tuple[PairingOffer, ...] = ()


@dataclass(frozen=True)
class HallPage(ListPage):
    """The switch of the link to the hall, and what is to be played here. ``current`` returns the status now; the window
    polls it while the page is open. Answered with ON, OFF, PICTURES_ON, PICTURES_OFF, a ChosenPairing, or HOME."""

    is_idle = True

    current: Callable[[], HallStatus]
    status: HallStatus

    def at_time(self, seconds: float) -> Self:
        """See View."""
        return replace(self, status=self.current())


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
    is_told = status.unsent_results and not status.problem
    return f"{line} {unsent}" if is_told and status.state != HallState.OFF else line


def _connected_text(status: HallStatus) -> str:
    if not status.is_answered:
        return SILENT
    if status.unsent_results:
        return t(N("Connected to the hall."))
    if status.unsent_events:
        return SENDING
    return HOLDING if status.is_holding else ALL_SENT


@paints(HallPage)
def draw_hall(canvas: Canvas, page: HallPage) -> None:
    """Draw the hall's name and the table's, how far the link has come, what is to be played here, and the switches."""
    theme, status = canvas.theme, page.status
    is_on = status.state != HallState.OFF
    body = draw_header(canvas, canvas.page, status.hall, note=status.table)
    body, foot = layout.split_bottom(body, round(theme.touch_size * 1.4), theme.gap)
    home, switch = hand_row(canvas, foot, [1, 2], theme.gap)
    canvas.button(home, labels.GAMES, Reply(history_page.HOME), icon="back", size=theme.title)
    label, press = (labels.SWITCH_OFF, OFF) if is_on else (labels.SWITCH_ON, ON)
    canvas.button(switch, label, Reply(press), main=not is_on, size=theme.title)
    if not is_on:
        state, about = layout.rows(body, [1, 1], theme.gap)
        canvas.text(state, IS_OFF, theme.big, max_lines=4)
        canvas.text(about, status_text(status), theme.title, MUTED, max_lines=7)
        return
    body, pictures = layout.split_bottom(body, theme.touch_size, theme.gap)
    label, press = (PICTURES_ON_LABEL, PICTURES_OFF) if status.sends_pictures else (PICTURES_OFF_LABEL, PICTURES_ON)
    canvas.button(pictures, label, Reply(press))
    text, is_wrong = state_text(status), bool(status.problem) or status.state == HallState.REFUSED
    height = canvas.text_height(text, body.w, max_lines=5)
    state, body = layout.split_top(body, height, theme.gap)
    canvas.text(state, text, theme.body, FOUL if is_wrong else MUTED, max_lines=5)
    if not status.pairings:
        canvas.text(body, NOTHING_TO_PLAY, theme.big, max_lines=3)
        return
    height = round(theme.touch_size * (1.7 if theme.portrait else 1.3))  # two long names take two lines
    body, offers, _ = draw_list_page(canvas, body, page, status.pairings, height)
    for offer in offers:
        row, body = layout.split_top(body, height, theme.gap)
        _draw_offer(canvas, row, offer)


def _draw_offer(canvas: Canvas, row: Rect, offer: PairingOffer) -> None:
    """Draw a match that starts by touch: who plays, and of which tournament and game."""
    theme = canvas.theme
    canvas.framed_panel(row, PANEL)
    canvas.add_target(row, Reply(ChosenPairing(offer.id)), offer.players)
    inner, sign = layout.split_right(layout.inset(row, theme.units(2), theme.units(0.3)), theme.units(3.4), theme.gap)
    canvas.icon(sign, "forward", ACCENT)
    inner, about = layout.split_bottom(inner, line_height(theme.small), 0)
    canvas.text(inner, offer.players, theme.title, align="left", max_lines=2)
    canvas.text(about, offer.about, theme.small, MUTED, align="left")
