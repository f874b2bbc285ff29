"""The buttons' events, and the interface of real buttons (``device.gpio.gpiozero_devices``) and simulated ones."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from errors import ThrowlockError


class ButtonAction(StrEnum):
    """What a player did with one of the seat's two buttons, *raise* and *confirm*: each is tapped or held."""

    RAISE = "raise"
    """Raise tapped: one step up, or on to the next."""
    RAISE_REPEAT = "run"
    """Raise held: a further step at regular intervals."""
    CONFIRM = "confirm"
    """Confirm tapped: yes, this one."""
    CONFIRM_HOLD = "pass"
    """Confirm held: fold, pass, no, back."""


class ButtonName(StrEnum):
    """One of a seat's two buttons."""

    RAISE = "raise"
    CONFIRM = "confirm"


@dataclass(frozen=True)
class ButtonEvent:
    """An action of one seat with its button."""

    seat: int
    """From 1."""
    action: ButtonAction
    when_ns: int
    """When the contact was first touched, on the box's clock; for RAISE_REPEAT, when the step was due."""


class ButtonError(ThrowlockError):
    """The buttons can't be used. The one-line message says which pins, what is wrong and how to fix it."""


class Buttons(Protocol):
    """Every seat's buttons."""

    seats: int

    def start(self, on_event: Callable[[ButtonEvent], None]) -> None:
        """Call ``on_event`` for every event from now on, from any thread; it must return at once. Raises
        ButtonError."""

    def stop(self) -> None:
        """Release the pins; may be called twice."""
