"""What a seat's light says, and what the box asks of whatever has lights: real ones on the pins (``device.gpio.gpio``)
or their simulated twin. A light's sign is told by its rhythm, so one colour is enough."""

from enum import StrEnum
from typing import Protocol


class Sign(StrEnum):
    """What a seat's light says."""

    OFF = "off"
    WAITING = "waiting"
    """The box waits for this seat."""
    IN = "in"
    """This seat's answer is in."""
    FOUL = "foul"
    WINNER = "winner"


class Lights(Protocol):
    """Every seat's light."""

    seats: int

    def show(self, seat: int, sign: Sign) -> None:
        """Show ``sign`` at ``seat`` (from 1) until another is shown. Never raises: a light is no reason to stop."""

    def blink(self, seat: int) -> None:
        """One short blink over the sign that is shown: a stroke was counted."""

    def stop(self) -> None:
        """All off, and let go of the pins; may be called twice."""
