"""How far a box's link to its hall has come, as people are told."""

from dataclasses import dataclass, field
from enum import StrEnum

from messages import LazyText
from throwlock.hall.protocol import Pairings, Problem


class LinkState(StrEnum):
    """How far a link has come."""

    CONNECTING = "connecting"
    CONNECTED = "connected"
    UNREACHABLE = "unreachable"
    """It tries again by itself."""
    REFUSED = "refused"
    """It tries again, but somebody has to mend something."""


@dataclass(frozen=True)
class LinkStatus:
    """What people are told about a link. ``error`` says why it is UNREACHABLE or REFUSED. ``unsent_events`` and
    ``unsent_results`` (matches that have ended) are what the hub has not stored, None while nobody knows;
    ``is_answered``: the hub answers;
    ``is_holding``: something is sealed until it is opened or its match is over, and can't be sent before."""

    state: LinkState = LinkState.CONNECTING
    error: str | LazyText = ""
    unsent_events: int | None = None
    unsent_results: int = 0
    is_answered: bool = False
    is_holding: bool = False
    problem: Problem = ""
    pairings: Pairings = field(default_factory=lambda: Pairings(table=""))
