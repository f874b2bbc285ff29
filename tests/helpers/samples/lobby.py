"""Samples of what televisions show before a match: nobody, some and many people who are here, and seats with phones."""

from tests.helpers.samples.guests import guests
from tests.helpers.samples.phones import ADDRESS
from tests.helpers.samples.phones import samples as phones_samples
from ui.screen.pages.lobby import Lobby
from ui.screen.pages.phones import PhonesPage
from ui.screen.views import View


def samples() -> dict[str, View]:
    """Return the samples by name."""
    pages = {name: page for name, page in phones_samples().items() if isinstance(page, PhonesPage)}
    return {
        "lobby-none": Lobby(ADDRESS),
        "lobby-3": Lobby(ADDRESS, guests(3)),
        "lobby-12": Lobby(ADDRESS, guests(12)),
        "lobby-seats-2": Lobby(ADDRESS, seats=pages["phones-2"].status.seats),
        "lobby-seats-8": Lobby(ADDRESS, seats=pages["phones-8"].status.seats),
    }
