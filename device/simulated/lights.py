"""Simulated lights, which record their commands and can say whether a light was on at any time since."""

from dataclasses import dataclass

from typing_extensions import override

from device.gpio.lights import Lights, LightSignal, LightState
from device.system.clock import Clock


@dataclass(frozen=True)
class LightCommand:
    """A command to a seat's light."""

    when_ns: int
    seat: int
    signal: LightSignal | None
    """What to show; None: blink on top of it."""


class SimulatedLights(Lights):
    """The lights of ``seats`` seats.

    >>> from device.system.clock import SimulatedClock
    >>> lights = SimulatedLights(2, SimulatedClock())
    >>> lights.show(1, LightSignal.ANSWERED)
    >>> lights.signal(1), lights.signal(2), lights.is_on(1, 0)
    (<LightSignal.ANSWERED: 'in'>, <LightSignal.OFF: 'off'>, True)
    """

    def __init__(self, seats: int, clock: Clock) -> None:
        self.seats = seats
        self.commands: list[LightCommand] = []
        """All commands so far, in order."""
        self.stopped = False
        self._clock = clock

    @override
    def show(self, seat: int, signal: LightSignal) -> None:
        self.commands.append(LightCommand(self._clock.now_ns(), seat, signal))

    @override
    def blink(self, seat: int) -> None:
        self.commands.append(LightCommand(self._clock.now_ns(), seat, None))

    @override
    def stop(self) -> None:
        self.stopped = True

    def signal(self, seat: int) -> LightSignal:
        """Return what a seat's light shows now."""
        return self._state(seat, self._clock.now_ns()).signal

    def blink_count(self, seat: int) -> int:
        """Return how often a seat's light has blinked."""
        return sum(command.seat == seat and command.signal is None for command in self.commands)

    def is_on(self, seat: int, when_ns: int) -> bool:
        """Return whether a seat's light was on at ``when_ns``."""
        return self._state(seat, when_ns).is_on(when_ns)

    def _state(self, seat: int, when_ns: int) -> LightState:
        state = LightState()
        for command in self.commands:
            if command.seat == seat and command.when_ns <= when_ns:
                state = state.with_signal(command.signal, command.when_ns)
        return state
