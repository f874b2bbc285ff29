"""Every tone of the box, made of sines: no recordings. Pure: the same tone at the same rate is the same samples."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from device.sound.sound import Tone

Samples = NDArray[np.float32]
"""A sound: (samples,), -1 to 1, one channel. Every loudspeaker is given the same, so that no side of the table hears
the cue before another but by its distance."""

ATTACK_S = 0.004
"""Every note rises this long, the beats and SHOOT alike, so that their rhythm is even to the ear."""
RELEASE_S = 0.012
"""Every note ends this long before silence; so no note begins or ends with a click."""
PEAK = 0.8
"""The loudest sample of every tone, of 1: two at once still hardly clip."""


class Note(NamedTuple):
    """A part of a tone: when it begins, its pitch (Hz), how long it lasts, how loud it is beside the others, how soon
    it dies away (the time constant of its decay, in seconds), and how strong each of its partials is."""

    at_s: float
    hertz: float
    long_s: float
    loud: float = 1.0
    decay_s: float = 0.1
    partials: Sequence[float] = (1.0, 0.3, 0.12)


BRIGHT = (1.0, 0.5, 0.3, 0.15)
BUZZING = (1.0, 0.0, 0.6, 0.0, 0.45, 0.0, 0.3)
"""Odd partials only: as a buzzer."""

NOTES: dict[Tone, tuple[Note, ...]] = {
    Tone.BEAT_1: (Note(0, 392.0, 0.14, decay_s=0.05),),
    Tone.BEAT_2: (Note(0, 440.0, 0.14, decay_s=0.05),),
    Tone.BEAT_3: (Note(0, 493.9, 0.14, decay_s=0.05),),
    Tone.SHOOT: (Note(0, 987.8, 0.5, decay_s=0.25, partials=BRIGHT),),
    Tone.LOCK: (Note(0, 1174.7, 0.09, decay_s=0.04), Note(0.09, 1568.0, 0.22, decay_s=0.08)),
    Tone.FOUL: (
        Note(0, 311.1, 0.2, decay_s=0.4, partials=BUZZING),
        Note(0.24, 220.0, 0.42, decay_s=0.4, partials=BUZZING),
    ),
    Tone.WIN: (
        Note(0, 523.3, 0.3, 0.8, 0.12, BRIGHT),
        Note(0.14, 659.3, 0.3, 0.8, 0.12, BRIGHT),
        Note(0.28, 784.0, 0.3, 0.8, 0.12, BRIGHT),
        Note(0.42, 1046.5, 0.8, 1.0, 0.3, BRIGHT),
    ),
    Tone.IN: (Note(0, 784.0, 0.07, decay_s=0.03),),
}
"""Pitches are of the equal-tempered scale on A at 440 Hz (ISO 16): the beats climb G, A, B, and SHOOT is the B an
octave above. All are between 200 and 1600 Hz, where small loudspeakers play and most ears that have aged still hear."""


@lru_cache(maxsize=64)
def tone(name: Tone, rate: int) -> Samples:
    """The samples of a tone at ``rate`` samples a second; not to be written to."""
    notes = NOTES[name]
    whole = np.zeros(round(max(note.at_s + note.long_s for note in notes) * rate), np.float64)
    for note in notes:
        start = round(note.at_s * rate)
        played = _note(note, rate)[: len(whole) - start]
        whole[start : start + len(played)] += played
    made: Samples = (whole * (PEAK / np.abs(whole).max())).astype(np.float32)
    made.flags.writeable = False
    return made


def _note(note: Note, rate: int) -> NDArray[np.float64]:
    """One note: its partials, dying away, between a rise and an end without an edge. A partial that the rate can't
    carry is left out."""
    at = np.arange(round(note.long_s * rate)) / rate
    wave = np.zeros(len(at))
    for number, strength in enumerate(note.partials, 1):
        if number * note.hertz < rate / 2:
            wave += strength * np.sin(2 * np.pi * number * note.hertz * at)
    rise = np.clip(at / ATTACK_S, 0, 1)
    end = np.clip((note.long_s - at) / RELEASE_S, 0, 1)
    shape = (0.5 - 0.5 * np.cos(np.pi * rise)) * (0.5 - 0.5 * np.cos(np.pi * end))
    return note.loud * wave * np.exp(-at / note.decay_s) * shape


def laid_out(tones: Sequence[tuple[int, Tone]], rate: int) -> Samples:
    """Tones at their times (ns after the first sample, none below 0) in one sound, so that their rhythm is exact to the
    sample whatever the machine does meanwhile."""
    placed = [(round(at_ns * rate / 1_000_000_000), tone(name, rate)) for at_ns, name in tones]
    whole = np.zeros(max(start + len(samples) for start, samples in placed), np.float32)
    for start, samples in placed:
        whole[start : start + len(samples)] += samples
    return np.clip(whole, -1, 1, out=whole)
