"""What the box says by sound, and what it asks of whatever can play it: a real loudspeaker
(``device.sound.loudspeaker``), the simulated one, or none. What a tone sounds like is in ``device.sound.synth``."""

from enum import StrEnum
from typing import Protocol

from errors import ThrowlockError


class Tone(StrEnum):
    """A sound the box makes. All are generated."""

    BEAT_1 = "beat 1"
    BEAT_2 = "beat 2"
    BEAT_3 = "beat 3"
    SHOOT = "shoot"
    LOCK = "lock"
    """Every hand has been read, and all is well."""
    FOUL = "foul"
    """A round was fouled or troubled."""
    WIN = "win"
    """A match is over."""
    IN = "in"
    """An answer is in."""


BEATS = (Tone.BEAT_1, Tone.BEAT_2, Tone.BEAT_3)


def count_of(words: int) -> tuple[Tone, ...]:
    """The tones of a count of so many words: beats that rise, and SHOOT on the last. A longer count rises again."""
    return (*(BEATS[word % len(BEATS)] for word in range(words - 1)), Tone.SHOOT)


class SoundError(ThrowlockError):
    """There is no sound. The message says why and how to mend it, in one line."""


class Sound(Protocol):
    """Something that plays tones. Any thread may ask it to."""

    volume: float
    """0 (off) to 1; may be changed at any time."""

    def play(self, tone: Tone, at_ns: int | None = None) -> None:
        """Let ``tone`` be heard at ``at_ns`` of the box's clock, as near as this machine can, or at once. Returns at
        once; never raises: a round goes on without sound."""

    def hush(self) -> None:
        """Be silent at once, and forget what was still to come: a count that broke off. Never raises."""

    def stop(self) -> None:
        """Be silent, and let go of the device; may be called twice."""


class NoSound:
    """A box without a loudspeaker, or with its sound off."""

    volume = 0.0

    def play(self, tone: Tone, at_ns: int | None = None) -> None:
        """See Sound. Does nothing."""

    def hush(self) -> None:
        """See Sound. Does nothing."""

    def stop(self) -> None:
        """See Sound. Does nothing."""
