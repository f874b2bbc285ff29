"""Samples of the page that says who is here: nobody yet, a few, as many as it shows, and without a network."""

from tests.helpers.samples.common import players
from tests.helpers.samples.phones import ADDRESS
from ui.screen.pages.guests import COLOURS, PICTURES, Guesser, Guest, GuestsPage, GuestsStatus
from ui.screen.views import View


def guests(count: int) -> tuple[Guest, ...]:
    """Return ``count`` people, each with another picture as long as there are any."""
    names = [player.name for player in players(min(count, 8))] + [f"Guest {n}" for n in range(9, count + 1)]
    pictures = list(PICTURES)
    return tuple(Guest(name, pictures[n % len(pictures)], n % len(COLOURS) + 1) for n, name in enumerate(names))


def guessers(count: int) -> tuple[Guesser, ...]:
    """Return ``count`` of the audience, the best first."""
    return tuple(Guesser(guest, 12 - number, 12) for number, guest in enumerate(guests(count)))


def samples() -> dict[str, View]:
    """Return the samples by name."""
    return {
        "guests-none": _page(GuestsStatus(ADDRESS)),
        "guests-3": _page(GuestsStatus(ADDRESS, guests(3))),
        "guests-12": _page(GuestsStatus(ADDRESS, guests(12), has_audience=False)),
        "guests-off": _page(GuestsStatus(None)),
    }


def _page(status: GuestsStatus) -> GuestsPage:
    return GuestsPage(lambda: status, status)
