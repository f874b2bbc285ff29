"""The hall that the box is part of: how far the link to it has come, and what is to be played here. Pure: no surface,
no clock."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self

from messages import N
from ui.screen.pages.answers import CompoundAnswer
from ui.screen.pages.views import ListPage

TITLE = N("Hall")
ON, OFF, PICTURES_ON, PICTURES_OFF = "on", "off", "pictures on", "pictures off"


class HallState(StrEnum):
    """How far the link to the hall has come."""

    OFF = "off"
    CONNECTING = "connecting"
    CONNECTED = "connected"
    UNREACHABLE = "unreachable"
    REFUSED = "refused"


@dataclass(frozen=True)
class PairingOffer:
    """A match that is to be played here: who plays, and of which tournament and game."""

    id: str
    players: str
    about: str = ""


@dataclass(frozen=True)
class ChosenPairing(CompoundAnswer):
    """The answer of people who play a match of the hall."""

    id: str


@dataclass(frozen=True)
class HallStatus:
    """What people are told. ``error`` says why the hall is UNREACHABLE or REFUSED. ``unsent_events`` (None: nobody
    knows) and ``unsent_results``, of matches that have ended, are not stored by the hub yet; ``is_answered``: the hub
    answers; ``is_holding``: something is sealed, and waits. ``problem``: why the hub takes nothing more."""

    hall: str
    table: str = ""
    state: HallState = HallState.OFF
    error: str = ""
    unsent_events: int | None = None
    unsent_results: int = 0
    is_answered: bool = False
    is_holding: bool = False
    problem: str = ""
    sends_pictures: bool = False
    pairings: tuple[PairingOffer, ...] = ()


@dataclass(frozen=True)
class HallPage(ListPage):
    """The switch of the link to the hall, and what is to be played here. ``current`` returns the status now; the window
    polls it while the page is open. Answered with ON, OFF, PICTURES_ON, PICTURES_OFF, a ChosenPairing, or HOME."""

    is_idle = True

    current: Callable[[], HallStatus]
    status: HallStatus

    def at_time(self, seconds: float) -> Self:
        """See View."""
        return replace(self, status=self.current())
