"""Simulated lights: they keep what they were told to show, and know at any time since whether each was on."""

from dataclasses import dataclass

from device.gpio.light_patterns import Showing
from device.gpio.lights import Sign
from device.system.clock import Clock


@dataclass(frozen=True)
class Told:
    """What a seat's light was told at a time of the clock: a sign, or (``None``) to blink over the one it shows."""

    when_ns: int
    seat: int
    sign: Sign | None


class SimulatedLights:
    """``seats`` lights.

    >>> from device.system.clock import JumpingClock
    >>> lights = SimulatedLights(2, JumpingClock())
    >>> lights.show(1, Sign.IN)
    >>> lights.sign(1), lights.sign(2), lights.lit(1, 0)
    (<Sign.IN: 'in'>, <Sign.OFF: 'off'>, True)
    """

    def __init__(self, seats: int, clock: Clock) -> None:
        self.seats = seats
        self.told: list[Told] = []
        """Everything they were told, in order."""
        self.stopped = False
        self._clock = clock

    def show(self, seat: int, sign: Sign) -> None:
        """See Lights."""
        self.told.append(Told(self._clock.now_ns(), seat, sign))

    def blink(self, seat: int) -> None:
        """See Lights."""
        self.told.append(Told(self._clock.now_ns(), seat, None))

    def stop(self) -> None:
        """See Lights."""
        self.stopped = True

    def sign(self, seat: int) -> Sign:
        """What a seat's light shows now."""
        return self._showing(seat, self._clock.now_ns()).sign

    def blinks(self, seat: int) -> int:
        """How often a seat's light has blinked."""
        return sum(told.seat == seat and told.sign is None for told in self.told)

    def lit(self, seat: int, when_ns: int) -> bool:
        """Whether a seat's light was on at a time of the clock."""
        return self._showing(seat, when_ns).lit(when_ns)

    def _showing(self, seat: int, when_ns: int) -> Showing:
        showing = Showing()
        for told in self.told:
            if told.seat == seat and told.when_ns <= when_ns:
                showing = showing.told(told.sign, told.when_ns)
        return showing
