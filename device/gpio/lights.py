"""The lights' signals, and the interface of real lights (``device.gpio.gpiozero_devices``) and simulated ones."""

from enum import StrEnum
from typing import Protocol


class LightSignal(StrEnum):
    """What a seat's light tells its player."""

    OFF = "off"
    WAITING = "waiting"
    """The box is waiting for this seat."""
    ANSWERED = "in"
    """This seat has answered."""
    FOUL = "foul"
    WINNER = "winner"


class Lights(Protocol):
    """Every seat's light."""

    seats: int

    def show(self, seat: int, signal: LightSignal) -> None:
        """Show ``signal`` at ``seat`` (from 1) until the next one. Never raises: a broken light must not stop the
        game."""

    def blink(self, seat: int) -> None:
        """Blink once on top of the signal, to acknowledge a button press."""

    def stop(self) -> None:
        """Switch all off and release the pins; may be called twice."""
