"""The texts of the second screen."""

from messages import N
from rules.text import list_names
from ui.i18n.language import ngettext, t
from ui.screen.pages.group_question.strings import MAX_LISTED_NAMES
from ui.screen.pages.second_screen.view import Choosing

TITLE = N("Second screen")
HOW = N(
    "On a television, a projector or a laptop in the same Wi-Fi, open the address and type the code. It shows the "
    "count, the reveal, slow motion and the scores; nothing that is still sealed."
)
SCAN = N("On a phone or tablet, scan this.")
OFF = N("The network is off.")
CHOOSING = N("A player is choosing …")
PAUSED = N("Paused")


def count_text(screens: int) -> str:
    """How many second screens there are."""
    return ngettext("{count} screen is watching.", "{count} screens are watching.", screens)


def choosing_text(view: Choosing) -> str:
    """Whom the box waits for."""
    names = {player.seat: player.name for player in view.players}
    waiting = [seat for seat in view.waiting if seat in names]
    if view.is_paused:
        return t(PAUSED)
    if not waiting:
        return t(CHOOSING)
    if len(waiting) > MAX_LISTED_NAMES:
        return ngettext("Waiting for {count} player", "Waiting for {count} players", len(waiting))
    return t("Waiting for {names}", names=list_names(waiting, names))
