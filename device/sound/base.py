"""The box's tones, and the interface of the loudspeaker (``device.sound.loudspeaker``) and the simulated one.
``device.sound.loudspeaker`` synthesises the tones, ``device.sound.voice`` speaks."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

from typing_extensions import override

from device.sound.speech import Speech
from errors import ThrowlockError


class Tone(StrEnum):
    """A sound of the box; all are synthesised."""

    BEAT_1 = "beat 1"
    BEAT_2 = "beat 2"
    BEAT_3 = "beat 3"
    SHOOT = "shoot"
    LOCK = "lock"
    """The lock: no throw counts any more."""
    REVEAL = "reveal"
    """Every throw was read, and there was no foul; who has won is not known yet."""
    ROUND_WON = "round won"
    """The same, and somebody has won the round."""
    TIE = "tie"
    """The same, and nobody has."""
    FOUL = "foul"
    """A foul, or a void round."""
    WIN = "win"
    """The match is over."""
    ANSWERED = "in"
    """A player has answered."""


COUNT_BEATS = (Tone.BEAT_1, Tone.BEAT_2, Tone.BEAT_3)


def count_tones(word_count: int) -> tuple[Tone, ...]:
    """Return the tones of a count of ``word_count`` words: rising beats, which repeat in a longer count, then SHOOT."""
    return (*(COUNT_BEATS[word % len(COUNT_BEATS)] for word in range(word_count - 1)), Tone.SHOOT)


class SoundError(ThrowlockError):
    """There is no sound. The one-line message says why and how to fix it."""


class Sound(Protocol):
    """Plays tones and speech. May be called from any thread."""

    volume: float
    """0 (off) to 1; can be changed at any time."""

    def play(self, sound: Tone | Speech, at_ns: int | None = None) -> None:
        """Play ``sound`` so that it is heard at ``at_ns`` on the box's clock, as exactly as the machine can; None: now.
        Of speech, its onset is heard then.

        Returns immediately and never raises: a round goes on without sound.
        """

    def play_count(self, words: Sequence[str], times_ns: Sequence[int]) -> None:
        """Play a count, of whose ``words`` each is heard at its time (ns on the box's clock): a tone for each, where
        there is no voice. Returns immediately and never raises."""
        del words
        for tone, at_ns in zip(count_tones(len(times_ns)), times_ns, strict=True):
            self.play(tone, at_ns)

    def say(self, sentence: str) -> None:
        """Speak a sentence that everybody may hear, where there is a voice and results are spoken, after earlier ones.
        Returns immediately and never raises; a count cuts it off."""
        del sentence

    def silence(self) -> None:
        """Stop playing and cancel all scheduled tones, as when a count is interrupted. Never raises."""

    def stop(self) -> None:
        """Stop playing and release the device; may be called twice."""


class NullSound(Sound):
    """No-op sound, for a box without a loudspeaker or with its sound off."""

    volume = 0.0

    @override
    def play(self, sound: Tone | Speech, at_ns: int | None = None) -> None:
        """Does nothing."""

    @override
    def silence(self) -> None:
        """Does nothing."""

    @override
    def stop(self) -> None:
        """Does nothing."""
