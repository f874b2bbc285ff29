"""Samples of the page with the QR code of a clip: while the clip is made, with the network off, without one, and where
the clip can't be made."""

from ui.screen.pages.take_home import TakeHomePage, TakeHomeStatus
from ui.screen.views import View

URL = "http://192.168.178.23:8321/clip/wXnGv2f3p7sQh0aZk9LtBw"


def samples() -> dict[str, View]:
    """Return the samples by name."""
    return {
        "take-home": _page(TakeHomeStatus(URL, 0.4)),
        "take-home-off": _page(TakeHomeStatus(None)),
        "take-home-no-network": _page(TakeHomeStatus("")),
        "take-home-failed": _page(
            TakeHomeStatus(None, error="There are no pictures of this round to make a clip from.")
        ),
    }


def _page(status: TakeHomeStatus) -> TakeHomePage:
    return TakeHomePage(lambda: status, status)
