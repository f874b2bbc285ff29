"""The simulated loudspeaker: it remembers what was heard and when, answers as late as it is told to, and may be
missing."""

from typing import NamedTuple

from device.sound.sound import Tone
from device.system.clock import Clock


class Heard(NamedTuple):
    """A tone that was heard, or will be, at a time of the clock in ns."""

    when_ns: int
    tone: Tone


class SimulatedSound:
    """A loudspeaker like any other, on ``clock``. What is played is heard ``delay_ns`` later at the earliest; a tone
    that was asked for in time is heard at its time. One that is ``missing`` plays nothing, and says nothing either."""

    def __init__(self, clock: Clock, delay_ns: int = 0, missing: bool = False) -> None:
        self.volume = 1.0
        self.stopped = False
        self._clock = clock
        self._delay_ns = delay_ns
        self._missing = missing
        self._heard: list[Heard] = []

    @property
    def heard(self) -> tuple[Heard, ...]:
        """All tones in the order of their times, those still to come too."""
        return tuple(sorted(self._heard, key=lambda heard: heard.when_ns))

    def play(self, tone: Tone, at_ns: int | None = None) -> None:
        """See Sound."""
        if self._missing or self.stopped or not self.volume:
            return
        soonest_ns = self._clock.now_ns() + self._delay_ns
        self._heard.append(Heard(soonest_ns if at_ns is None else max(soonest_ns, at_ns), tone))

    def hush(self) -> None:
        """See Sound."""
        now_ns = self._clock.now_ns()
        self._heard = [heard for heard in self._heard if heard.when_ns <= now_ns]

    def stop(self) -> None:
        """See Sound."""
        self.hush()
        self.stopped = True
