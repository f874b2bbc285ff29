"""The page on which phones join: where, and who has one."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, Self

from rules.engine import Seat
from ui.screen.pages.answers import CompoundAnswer
from ui.screen.pages.views import SET_UP_PATIENCE_S, Page

PhoneState = Literal["none", "here", "away"]


@dataclass(frozen=True)
class JoinAddress:
    """Where phones join: ``url``, which a phone opens, or ``address`` with ``code`` typed in."""

    url: str
    address: str
    code: str


@dataclass(frozen=True)
class SeatPhone:
    """A seat, and whether it has a phone."""

    seat: Seat
    name: str
    state: PhoneState = "none"


@dataclass(frozen=True)
class PhonesStatus:
    """Where phones join (``None``: the network is off, or there is none), and the seats."""

    address: JoinAddress | None
    seats: tuple[SeatPhone, ...] = ()
    in_class: bool = False


@dataclass(frozen=True)
class RemovePhone(CompoundAnswer):
    """Take a seat back from its phone."""

    seat: Seat


@dataclass(frozen=True)
class PhonesPage(Page):
    """Where phones join. ``current`` returns the status now, ``open_second_screen`` the page that says where a second
    screen is opened and leads back to this one. Answered with GO_ON_ANSWER, SWITCH_ON_ANSWER or RemovePhone."""

    current: Callable[[], PhonesStatus]
    status: PhonesStatus
    open_second_screen: Callable[[Page], Page] | None = None

    @property
    def patience_s(self) -> float | None:
        """See Page: none while a phone is there, whose player may wait for others."""
        return None if any(seat.state == "here" for seat in self.current().seats) else SET_UP_PATIENCE_S

    def at_time(self, seconds: float) -> Self:
        """See View: seats are ticked off."""
        del seconds
        return replace(self, status=self.current())
