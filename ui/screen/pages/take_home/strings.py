"""The texts of the page with the QR code of a clip."""

from messages import N
from ui.i18n.language import t
from ui.screen.pages.common.strings import TAKE_HOME
from ui.screen.pages.take_home.view import TakeHomeStatus

TITLE = TAKE_HOME
HOW = N(
    "Scan this with your phone’s camera, in the same Wi-Fi as this box. The link opens this clip and nothing else, "
    "until the network is switched off here."
)
OFF_DETAIL = N(
    "Switch the network on, and a phone in the same Wi-Fi can open the clip of this round. It stays on until you "
    "switch it off on the home page, under “Phones and review”."
)
FAILED = N("The clip can’t be made.")


def progress_text(status: TakeHomeStatus) -> str:
    """How far the clip is."""
    return t("The clip is ready.") if status.share >= 1 else t("{percent} % made", percent=int(100 * status.share))
