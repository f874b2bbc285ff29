"""The switch of the review pages on the network."""

from collections.abc import Callable
from dataclasses import dataclass

ON, OFF = "on", "off"


@dataclass(frozen=True)
class ReviewAddress:
    """Where the review pages are found on the network, the likeliest address first (none where there is no network),
    and the code that lets people in. ``renewed`` is whether wrong guesses have changed it."""

    addresses: tuple[str, ...]
    code: str
    code_renewed: bool = False


@dataclass(frozen=True)
class NetworkSwitch:
    """The switch of the review on the network. ``now`` gives how it is served at this moment, None while it is not: a
    window asks it anew while the page is open. Answered with ON, OFF or HOME."""

    current: Callable[[], ReviewAddress | None]
    address: ReviewAddress | None = None
