"""The box's tones, speech as samples with the instant at which it is perceived to begin, and the interface of the
loudspeaker (``device.sound.loudspeaker``) and the simulated one. ``device.sound.tones`` synthesises,
``device.sound.voice`` speaks."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from errors import ThrowlockError

Samples = NDArray[np.float32]
"""A sound: (samples,), -1 to 1, mono. All loudspeakers play the same, so that only distance delays the cue for one side
of the table."""

SPEECH_PEAK = 0.8
"""The loudest sample of all speech."""
SILENCE_LEVEL = 0.005
"""What is quieter at the beginning and the end, as a share of the loudest sample, is cut off."""
EDGE_FADE_S = 0.004
"""Fade-in and fade-out of speech that was cut, against clicks."""
VOWEL_BAND_HZ = (200.0, 3000.0)
"""Where a vowel is loud (its first two formants), and an s or a sh, whose noise is above, is not."""
ENVELOPE_S = 0.010
"""Length of the window over which loudness is averaged: about one period of a deep voice."""
ONSET_LEVEL = 0.5
"""The share of the loudest moment at which a vowel counts as begun."""


@dataclass(frozen=True, eq=False)
class Speech:
    """Spoken words."""

    samples: Samples
    """The sound (samples,)."""
    rate_hz: int
    onset: int
    """The index of the sample at which the words are perceived to begin (``find_onset``): played at a time, that sample
    is heard at it."""

    @classmethod
    def from_recording(cls, recording: NDArray[np.floating], rate_hz: int) -> Self:
        """Return a recording (samples,) without the silence around it, as loud as all speech. Raises ValueError if
        there is nothing but silence."""
        loudness = np.abs(recording)
        peak = loudness.max(initial=0.0)
        if peak == 0.0:
            raise ValueError("nothing but silence")
        heard = np.flatnonzero(loudness > SILENCE_LEVEL * peak)
        samples = recording[heard[0] : heard[-1] + 1].astype(np.float64) * (SPEECH_PEAK / peak)
        fade = np.linspace(0, 1, min(len(samples), 1 + round(EDGE_FADE_S * rate_hz)))
        samples[: len(fade)] *= fade
        samples[-len(fade) :] *= fade[::-1]
        return cls(samples.astype(np.float32), rate_hz, find_onset(samples, rate_hz))

    @property
    def lead_ns(self) -> int:
        """How long before its time it has to start: the consonants before its first vowel."""
        return self.onset * 1_000_000_000 // self.rate_hz

    @property
    def tail_ns(self) -> int:
        """How long it is heard from its time on."""
        return len(self.samples) * 1_000_000_000 // self.rate_hz - self.lead_ns


def find_onset(samples: NDArray[np.floating], rate_hz: int) -> int:
    """Return the index of the sample at which a spoken word is perceived to begin, its P-centre: people who speak or
    tap to words in rhythm put the beginning of the first vowel on the beat, not that of the sound (Morton, Marcus and
    Frankish, "Perceptual centers (P-centers)", Psychological Review 83, 1976); models take it from the rise of loudness
    in the band of the vowels (Scott, "The point of P-centres", Psychological Research 61, 1998). Here that is where
    the loudness between 200 and 3000 Hz, averaged over 10 ms, first reaches half its maximum.

    >>> import numpy as np
    >>> silence, hum = np.zeros(4800), np.sin(2 * np.pi * 600 * np.arange(4800) / 48000)
    >>> abs(find_onset(np.concatenate([silence, hum]), 48000) - 4800) < 96
    True
    """
    spectrum = np.fft.rfft(samples)
    frequencies = np.fft.rfftfreq(len(samples), 1 / rate_hz)
    spectrum[(frequencies < VOWEL_BAND_HZ[0]) | (frequencies > VOWEL_BAND_HZ[1])] = 0
    window = np.hanning(2 * round(ENVELOPE_S * rate_hz / 2) + 3)
    power = np.convolve(np.fft.irfft(spectrum, len(samples)) ** 2, window / window.sum(), "same")[: len(samples)]
    return int(np.argmax(power >= ONSET_LEVEL**2 * power.max()))


@lru_cache(maxsize=12)
def resample(speech: Speech, rate_hz: int) -> tuple[Samples, int]:
    """Return the samples of ``speech`` at another rate, read-only, and its onset among them."""
    if rate_hz == speech.rate_hz:
        return speech.samples, speech.onset
    length = round(len(speech.samples) * rate_hz / speech.rate_hz)
    spectrum = np.fft.rfft(speech.samples)[: length // 2 + 1]
    resampled = np.fft.irfft(spectrum, length) * (length / len(speech.samples))
    samples: Samples = np.clip(resampled, -1, 1).astype(np.float32)
    samples.flags.writeable = False
    return samples, round(speech.onset * rate_hz / speech.rate_hz)


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
    STREAK = "streak"
    """The same, and that player has won several in a row."""
    ALL_IN = "all in"
    """The same, and that player had bet all their points."""
    UPSET = "upset"
    """The same, and the last has beaten the first by far."""
    TIE = "tie"
    """Every throw was read, there was no foul, and nobody has won the round."""
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
