"""What people do with a seat's two buttons, and what the box asks of whatever has them: real ones on the pins
(``device.gpio.gpio``), their simulated twin, or keys."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from errors import ThrowlockError


class Stroke(StrEnum):
    """What was done. A seat has two buttons, *raise* and *confirm*; each is tapped or held."""

    RAISE = "raise"
    """A tap on raise: one step up, or on to the next."""
    RUN = "run"
    """Raise is held: a further step again and again while it is."""
    CONFIRM = "confirm"
    """A tap on confirm: yes, that is it, in."""
    PASS = "pass"
    """Confirm is held: fold, pass, no, back."""


class Which(StrEnum):
    """One of a seat's two buttons."""

    RAISE = "raise"
    CONFIRM = "confirm"


@dataclass(frozen=True)
class SeatStroke:
    """A stroke of one seat (from 1), at a time of the box's clock in ns: that of the first touch of its contacts; for
    RUN, when the further step was due."""

    seat: int
    stroke: Stroke
    when_ns: int


class ButtonError(ThrowlockError):
    """The buttons can't be used. The message says what, which pins, and how to mend it, in one line."""


class Buttons(Protocol):
    """Every seat's buttons."""

    seats: int

    def start(self, heard: Callable[[SeatStroke], None]) -> None:
        """Call ``heard`` for every stroke from now on, from whatever thread it comes; it must return at once. Raises
        ButtonError."""

    def stop(self) -> None:
        """Let go of the pins; may be called twice."""
