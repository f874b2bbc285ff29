"""The switch of the review pages on the network."""

from collections.abc import Callable
from dataclasses import dataclass

ON, OFF = "on", "off"


@dataclass(frozen=True)
class ReviewAddress:
    """The addresses of the review pages on the network, the likeliest first (none without a network), and the access
    code; ``code_renewed`` after wrong guesses."""

    addresses: tuple[str, ...]
    code: str
    code_renewed: bool = False


@dataclass(frozen=True)
class NetworkSwitch:
    """The switch of the review on the network. ``current`` returns how it is served now (``None``: it is off); the
    window polls it while the page is open. Answered with ON, OFF or HOME."""

    current: Callable[[], ReviewAddress | None]
    address: ReviewAddress | None = None
