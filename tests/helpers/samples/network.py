"""Samples of the switch of phones and review on the network: off, on, and with a new code but no network."""

from dataclasses import replace

from tests.helpers.samples.phones import ADDRESS
from tests.helpers.samples.second_screen import ADDRESS as SECOND_ADDRESS
from ui.screen.pages.common import JoinAddress
from ui.screen.pages.network import HelpAddress, NetworkSwitch, ReviewAddress
from ui.screen.pages.second_screen import SecondScreenPage
from ui.screen.views import Page, View


def _second_screen_address() -> JoinAddress:
    return SECOND_ADDRESS


def second_screen(back: Page) -> SecondScreenPage:
    """Return the page that says where a second screen is opened."""
    return SecondScreenPage(_second_screen_address, back, SECOND_ADDRESS)


def samples() -> dict[str, View]:
    """Return the samples by name."""
    served = ReviewAddress(("http://192.168.178.23:8321", "http://10.0.0.7:8321"), "CDFG-HJKM", join=ADDRESS)
    served = replace(served, help=f"{served.addresses[0]}/help")
    away = replace(served, addresses=(), code_renewed=True, join=None, help="")
    return {
        "network-help": HelpAddress(served.help, NetworkSwitch(lambda: None, None)),
        "network-off": NetworkSwitch(lambda: None, None),
        "network-on": NetworkSwitch(lambda: served, served, second_screen),
        "network-renewed": NetworkSwitch(lambda: served, away),
    }
