"""How a seat's light says its sign: by its rhythm, so that one colour is enough and nobody needs to see colours. Lights
are on or off, nothing between, so any light on any pin will do. Pure.

The rhythms are the project's own. None flashes more than three times in any second, which is what the web's guidelines
allow for people whom flashes make ill (WCAG 2.3.1).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from types import MappingProxyType

from device.gpio.lights import Sign

MS = 1_000_000
RHYTHMS = MappingProxyType(
    {
        Sign.WAITING: (700, 700),
        Sign.FOUL: (130, 200, 130, 200, 130, 700),
        Sign.WINNER: (600, 150, 150, 150),
    }
)
"""Milliseconds on, off, on, …, again and again: waiting is a slow pulse, a foul three quick flashes and a pause, the
winner's light skips (long, short). In is steady."""
BLINK = (60, 110, 60)
"""Milliseconds off, on, off over whatever else is shown: seen in the dark and in the light of every sign."""


@dataclass(frozen=True)
class Showing:
    """What a light shows since when, and when it last began to blink (``None``: never), in ns."""

    sign: Sign = Sign.OFF
    since_ns: int = 0
    blink_ns: int | None = None

    def told(self, sign: Sign | None, now_ns: int) -> "Showing":
        """What is shown once it is told to show ``sign`` (the same as before goes on) or (``None``) to blink."""
        if sign is None:
            return replace(self, blink_ns=now_ns)
        return self if sign is self.sign else replace(self, sign=sign, since_ns=now_ns)

    def lit(self, now_ns: int) -> bool:
        """Whether the light is on at ``now_ns``."""
        return self._state(now_ns)[0]

    def changes_ns(self, now_ns: int) -> int | None:
        """The next time after ``now_ns`` at which the light may change (``None``: not before it is told to)."""
        return self._state(now_ns)[1]

    def _state(self, now_ns: int) -> tuple[bool, int | None]:
        if self.blink_ns is not None and 0 <= now_ns - self.blink_ns < sum(BLINK) * MS:
            number, ends_ns = _part(BLINK, self.blink_ns, now_ns)
            return number % 2 == 1, ends_ns
        rhythm = RHYTHMS.get(self.sign)
        if rhythm is None:
            return self.sign is Sign.IN, None
        cycle = sum(rhythm) * MS
        begun = self.since_ns + (now_ns - self.since_ns) // cycle * cycle
        number, ends_ns = _part(rhythm, begun, now_ns)
        return number % 2 == 0, ends_ns


def _part(parts_ms: Sequence[int], begun_ns: int, now_ns: int) -> tuple[int, int]:
    """Which of some parts in a row it is at ``now_ns``, and when that one ends."""
    for number, passed in enumerate(accumulate(parts_ms)):
        if now_ns < begun_ns + passed * MS:
            return number, begun_ns + passed * MS
    raise ValueError(f"{now_ns} ns lies after all of {parts_ms} ms from {begun_ns} ns")
