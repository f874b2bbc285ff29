"""Samples of the page on which phones join: on and off the network, few seats and many, and a class."""

from dataclasses import replace

from tests.helpers.samples.common import players
from ui.screen.pages.common import JoinAddress
from ui.screen.pages.phones import PhonesPage, PhonesStatus, PhoneState, SeatPhone
from ui.screen.views import View

ADDRESS = JoinAddress("http://192.168.178.23:8321/join/CDFGHJKM", "http://192.168.178.23:8321/join", "CDFG-HJKM")
STATES: tuple[PhoneState, ...] = ("here", "none", "away", "here", "none", "here", "none", "none")


def samples() -> dict[str, View]:
    """Return the samples by name."""
    children = tuple(SeatPhone(number, "", "here" if number % 3 else "none") for number in range(1, 31))
    return {
        "phones-off": _page(PhonesStatus(None, _seats(2))),
        "phones-2": _page(PhonesStatus(ADDRESS, _seats(2))),
        "phones-4": _page(PhonesStatus(ADDRESS, _seats(4))),
        "phones-8": _page(PhonesStatus(ADDRESS, _seats(8))),
        "phones-class": _page(PhonesStatus(ADDRESS, children, in_class=True)),
        "phones-second-screen": replace(_page(PhonesStatus(ADDRESS, _seats(4))), open_second_screen=lambda back: back),
        "phones-no-network": _page(PhonesStatus(JoinAddress("", "", "CDFG-HJKM"), _seats(2))),
    }


def _page(status: PhonesStatus) -> PhonesPage:
    return PhonesPage(lambda: status, status)


def _seats(count: int) -> tuple[SeatPhone, ...]:
    return tuple(SeatPhone(one.seat, one.name, state) for one, state in zip(players(count), STATES, strict=False))
