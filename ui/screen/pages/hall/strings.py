"""The texts of the hall's page."""

from messages import N
from ui.i18n.language import ngettext, t
from ui.screen.pages.hall.view import HallState, HallStatus

PICTURES_OFF = N("Pictures of disputed rounds: not sent")
PICTURES_ON = N("Pictures of disputed rounds: sent")
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


def about(status: HallStatus) -> str:
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
