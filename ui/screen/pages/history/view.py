"""What the screen shows of matches that are over, and of the review pages on the network, as plain data. Pure: no
surface, no clock; the round itself is looked at on the page of a dispute."""

from collections.abc import Callable
from dataclasses import dataclass

from rules.engine import Value

LINES = 8
"""Lines on a leaf of a list, on every screen."""
EARLIER, LATER, BACK, HOME = "earlier", "later", "back", "home"
STORY, MARK = "story", "mark"
"""What a round that is looked back at can be asked for, beside its neighbours."""
ON, OFF = "on", "off"


@dataclass(frozen=True)
class PastLine:
    """One line of a list: what it is, at its right ``aside``, and more of it below. ``key`` is what a touch on it
    answers; None where there is nothing more to see. Without a ``head`` it is a sentence."""

    head: str
    detail: str
    aside: str = ""
    key: Value = None


@dataclass(frozen=True)
class Past:
    """A leaf (from 0) of a list of past matches, of a match's rounds, or of sentences about a round. ``told`` is said
    above it, or ``empty`` where it has no lines. Answered with a line's key, with LATER where there is ``more`` and
    EARLIER from all leaves but the first, or with one of ``tools``."""

    title: str
    lines: tuple[PastLine, ...]
    tools: tuple[str, ...]
    leaf: int = 0
    more: bool = False
    told: str = ""
    empty: str = ""


@dataclass(frozen=True)
class Served:
    """Where the review pages are found on the network, the likeliest address first (none where there is no network),
    and the code that lets people in. ``renewed`` is whether wrong guesses have changed it."""

    addresses: tuple[str, ...]
    code: str
    renewed: bool = False


@dataclass(frozen=True)
class Network:
    """The switch of the review on the network. ``now`` gives how it is served at this moment, None while it is not: a
    window asks it anew while the page is open. Answered with ON, OFF or HOME."""

    now: Callable[[], Served | None]
    served: Served | None = None
