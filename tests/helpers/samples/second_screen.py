"""Samples of the page that says where a second screen is opened: on, nobody watching and two, and without a network."""

from ui.screen.pages.common import JoinAddress
from ui.screen.pages.second_screen import SecondScreenPage
from ui.screen.views import Reply, View

ADDRESS = JoinAddress("http://192.168.178.23:8321/tv/KJMNPQRT", "http://192.168.178.23:8321/tv", "KJMN-PQRT")


def samples() -> dict[str, View]:
    """Return the samples by name."""
    return {
        "second-screen": _page(ADDRESS, 0),
        "second-screen-watched": _page(ADDRESS, 2),
        "second-screen-no-network": _page(JoinAddress("", "", "KJMN-PQRT"), 0),
    }


def _page(address: JoinAddress, screens: int) -> SecondScreenPage:
    return SecondScreenPage(lambda: address, Reply("back"), address, lambda: screens, screens)
