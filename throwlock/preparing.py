"""The page that is shown while a match, practice or the zones are opened."""

from messages import N
from ui.screen.pages.box_setup import ONE_MOMENT
from ui.screen.pages.countdown import Preparing
from vision.hands.model import are_models_prepared

FETCHES_MODEL = N(
    "Fetching what reads hands: 36 MB, only this once. If there is no internet, you can play on the screen or with "
    "buttons."
)


def preparing_page(title: str, *, reads_hands: bool = True) -> Preparing:
    """Return the page: where the hand model has to be fetched before ``title`` can be opened, it says so."""
    if not reads_hands or are_models_prepared():
        return Preparing(title)
    return Preparing(FETCHES_MODEL, heading=ONE_MOMENT)
