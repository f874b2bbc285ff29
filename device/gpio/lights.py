"""Seats' lights: their signals, the interface of real ones (``device.gpio.gpiozero_devices``) and simulated ones, and
their blink patterns. Each signal has its own rhythm, so one colour is enough and colour-blind players can read it.
Lights are on or off, never dimmed, so any light on any pin will do.

The patterns are the project's own. None flashes more than three times in any second, the limit of WCAG 2.3.1 for people
sensitive to flashes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import accumulate
from types import MappingProxyType
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


MS = 1_000_000
BLINK_PATTERNS_MS = MappingProxyType(
    {
        LightSignal.WAITING: (700, 700),
        LightSignal.FOUL: (130, 200, 130, 200, 130, 700),
        LightSignal.WINNER: (600, 150, 150, 150),
    }
)
"""Milliseconds on, off, on, … of one cycle: waiting is a slow pulse, a foul three quick flashes and a pause, the winner
alternates long and short. ANSWERED is steadily on."""
ACKNOWLEDGE_BLINK_MS = (60, 110, 60)
"""Milliseconds off, on, off on top of any signal, so that it is seen whether the light is on or off."""


@dataclass(frozen=True)
class LightState:
    """A light's signal and its start, and the start of its last blink (None: never), in ns."""

    signal: LightSignal = LightSignal.OFF
    since_ns: int = 0
    blink_ns: int | None = None

    def with_signal(self, signal: LightSignal | None, now_ns: int) -> "LightState":
        """Return the state after showing ``signal`` (None: a blink). Showing the same signal again changes nothing."""
        if signal is None:
            return replace(self, blink_ns=now_ns)
        return self if signal is self.signal else replace(self, signal=signal, since_ns=now_ns)

    def is_on(self, now_ns: int) -> bool:
        """Whether the light is on at ``now_ns``."""
        return self._state(now_ns)[0]

    def next_change_ns(self, now_ns: int) -> int | None:
        """Return the next time after ``now_ns`` at which the light may change, or None if it stays as it is."""
        return self._state(now_ns)[1]

    def _state(self, now_ns: int) -> tuple[bool, int | None]:
        if self.blink_ns is not None and 0 <= now_ns - self.blink_ns < sum(ACKNOWLEDGE_BLINK_MS) * MS:
            number, ends_ns = _phase_at(ACKNOWLEDGE_BLINK_MS, self.blink_ns, now_ns)
            return number % 2 == 1, ends_ns
        pattern_ms = BLINK_PATTERNS_MS.get(self.signal)
        if pattern_ms is None:
            return self.signal is LightSignal.ANSWERED, None
        cycle_ns = sum(pattern_ms) * MS
        start_ns = self.since_ns + (now_ns - self.since_ns) // cycle_ns * cycle_ns
        number, ends_ns = _phase_at(pattern_ms, start_ns, now_ns)
        return number % 2 == 0, ends_ns


def _phase_at(pattern_ms: Sequence[int], start_ns: int, now_ns: int) -> tuple[int, int]:
    """Return the index of the pattern's phase at ``now_ns``, and when that phase ends."""
    for number, passed in enumerate(accumulate(pattern_ms)):
        if now_ns < start_ns + passed * MS:
            return number, start_ns + passed * MS
    raise ValueError(f"{now_ns} ns lies after all of {pattern_ms} ms from {start_ns} ns")
