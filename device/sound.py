"""What the box says by sound, and what it asks of whatever can play it: a real loudspeaker (``device.loudspeaker``) or
the simulated one."""

from enum import StrEnum
from typing import Protocol


class Tone(StrEnum):
    """A sound the box makes. All are generated."""

    BEAT_1 = "beat 1"
    BEAT_2 = "beat 2"
    BEAT_3 = "beat 3"
    SHOOT = "shoot"
    LOCK = "lock"
    FOUL = "foul"
    WIN = "win"
    IN = "in"


class SoundFault(Exception):
    """There is no sound. The message says why and how to mend it, in one line."""


class Sound(Protocol):
    """Something that plays tones."""

    volume: float
    """0 (off) to 1."""

    def play(self, tone: Tone, at_ns: int | None = None) -> None:
        """Let ``tone`` be heard at ``at_ns`` of the box's clock, as near as this machine can, or at once. Returns at
        once; never raises: a round goes on without sound."""

    def stop(self) -> None:
        """Be silent, and let go of the device; may be called twice."""
