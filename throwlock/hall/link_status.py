"""How far a box's link to its hall has come, as people are told."""

from dataclasses import dataclass, field

from messages import LazyText
from throwlock.hall.protocol import Pairings, Problem
from ui.screen.pages.hall import HallState


@dataclass(frozen=True)
class LinkStatus:
    """What people are told about a link."""

    state: HallState = HallState.CONNECTING
    error: str | LazyText = ""
    """Why it is UNREACHABLE or REFUSED."""
    unsent_events: int | None = None
    """How many the hub has not stored; None while nobody knows."""
    unsent_results: int = 0
    """Matches that have ended among them."""
    is_answered: bool = False
    """Whether the hub answers."""
    is_holding: bool = False
    """Whether something is sealed until it is opened or its match is over, and can't be sent before."""
    problem: Problem = ""
    """Why the hub takes nothing more."""
    pairings: Pairings = field(default_factory=lambda: Pairings(table=""))
    """What is to be played here."""
