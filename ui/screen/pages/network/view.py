"""The switch of the review pages, the phones' pads and second screens on the network."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

from messages import N
from ui.screen.pages.phones.view import JoinAddress
from ui.screen.pages.views import Page

ON, OFF = "on", "off"
TITLE = N("Phones and review")


@dataclass(frozen=True)
class ReviewAddress:
    """The addresses of the review pages on the network, the likeliest first (none without a network), and the access
    code; ``code_renewed`` after wrong guesses. ``join`` is where phones join."""

    addresses: tuple[str, ...]
    code: str
    code_renewed: bool = False
    join: JoinAddress | None = None


@dataclass(frozen=True)
class NetworkSwitch(Page):
    """The switch of phones and review on the network. ``current`` returns how they are served now (``None``: it is
    off); the window polls it while the page is open; ``open_second_screen`` returns the page that says where a second
    screen is opened and leads back to this one. Answered with ON, OFF or HOME."""

    is_idle = True

    current: Callable[[], ReviewAddress | None]
    address: ReviewAddress | None = None
    open_second_screen: Callable[[Page], Page] | None = None

    def at_time(self, seconds: float) -> Self:
        """See View."""
        return replace(self, address=self.current())
