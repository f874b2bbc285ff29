"""The simulated loudspeaker, which records what it played and was to say. It can be late, or missing."""

from typing import NamedTuple

from typing_extensions import override

from device.sound.base import Sound, Tone
from device.sound.speech import Speech
from device.system.clock import Clock


class PlayedTone(NamedTuple):
    """A tone or speech, and the time, in ns on the clock, at which it is heard."""

    when_ns: int
    tone: Tone | Speech


class SimulatedSound(Sound):
    """A loudspeaker on ``clock``. What it plays is heard at its time, but no sooner than ``delay_ns`` after the call;
    ``said`` has the sentences that it was to speak. A ``missing`` one silently plays nothing."""

    def __init__(self, clock: Clock, delay_ns: int = 0, missing: bool = False) -> None:
        self.volume = 1.0
        self.stopped = False
        self.said: list[str] = []
        self._clock = clock
        self._delay_ns = delay_ns
        self._missing = missing
        self._played: list[PlayedTone] = []

    @property
    def played(self) -> tuple[PlayedTone, ...]:
        """All tones in order of time, including those still to come."""
        return tuple(sorted(self._played, key=lambda tone: tone.when_ns))

    @override
    def play(self, sound: Tone | Speech, at_ns: int | None = None) -> None:
        if self._missing or self.stopped or not self.volume:
            return
        earliest_ns = self._clock.now_ns() + self._delay_ns
        self._played.append(PlayedTone(earliest_ns if at_ns is None else max(earliest_ns, at_ns), sound))

    @override
    def say(self, sentence: str) -> None:
        self.said.append(str(sentence))

    @override
    def silence(self) -> None:
        now_ns = self._clock.now_ns()
        self._played = [tone for tone in self._played if tone.when_ns <= now_ns]

    @override
    def stop(self) -> None:
        self.silence()
        self.stopped = True
