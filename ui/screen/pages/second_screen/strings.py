"""The texts of the second screen."""

from messages import N
from ui.i18n.language import ngettext

TITLE = N("Second screen")
HOW = N(
    "On a television, a projector or a laptop in the same Wi-Fi, open the address and type the code. It shows the "
    "count, the reveal, slow motion and the scores; nothing that is still sealed."
)
SCAN = N("On a phone or tablet, scan this.")
AND_CODE = N("Code: {code}")
OFF = N("The network is off.")
NO_NETWORK = N("This box has no network: connect it first.")
CHOOSING = N("A player is choosing …")
PAUSED = N("Paused")


def count_text(screens: int) -> str:
    """How many second screens there are."""
    return ngettext("{count} screen is watching.", "{count} screens are watching.", screens)
