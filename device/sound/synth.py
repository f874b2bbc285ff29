"""Synthesises every tone of the box from sines. Pure: the same tone at the same rate has the same samples."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from device.sound.base import Tone

ToneSamples = NDArray[np.float32]
"""A sound: (samples,), -1 to 1, mono. All loudspeakers play the same, so that only distance delays the cue for one side
of the table."""

ATTACK_S = 0.004
"""Fade-in of every note, the same for the beats and SHOOT, so that their rhythm sounds even."""
RELEASE_S = 0.012
"""Fade-out of every note, against clicks."""
PEAK_LEVEL = 0.8
"""The loudest sample of every tone; two tones at once hardly clip."""


class ToneNote(NamedTuple):
    """A note of a tone. ``loudness`` is relative to the tone's other notes, ``decay_s`` the time constant of its decay,
    and ``partials`` are the amplitudes of its harmonics."""

    start_s: float
    frequency_hz: float
    duration_s: float
    loudness: float = 1.0
    decay_s: float = 0.1
    partials: Sequence[float] = (1.0, 0.3, 0.12)


BRIGHT_PARTIALS = (1.0, 0.5, 0.3, 0.15)
BUZZER_PARTIALS = (1.0, 0.0, 0.6, 0.0, 0.45, 0.0, 0.3)
"""Odd harmonics only, like a buzzer."""

TONE_NOTES: dict[Tone, tuple[ToneNote, ...]] = {
    Tone.BEAT_1: (ToneNote(0, 392.0, 0.14, decay_s=0.05),),
    Tone.BEAT_2: (ToneNote(0, 440.0, 0.14, decay_s=0.05),),
    Tone.BEAT_3: (ToneNote(0, 493.9, 0.14, decay_s=0.05),),
    Tone.SHOOT: (ToneNote(0, 987.8, 0.5, decay_s=0.25, partials=BRIGHT_PARTIALS),),
    Tone.LOCK: (ToneNote(0, 1174.7, 0.09, decay_s=0.04), ToneNote(0.09, 1568.0, 0.22, decay_s=0.08)),
    Tone.FOUL: (
        ToneNote(0, 311.1, 0.2, decay_s=0.4, partials=BUZZER_PARTIALS),
        ToneNote(0.24, 220.0, 0.42, decay_s=0.4, partials=BUZZER_PARTIALS),
    ),
    Tone.WIN: (
        ToneNote(0, 523.3, 0.3, 0.8, 0.12, BRIGHT_PARTIALS),
        ToneNote(0.14, 659.3, 0.3, 0.8, 0.12, BRIGHT_PARTIALS),
        ToneNote(0.28, 784.0, 0.3, 0.8, 0.12, BRIGHT_PARTIALS),
        ToneNote(0.42, 1046.5, 0.8, 1.0, 0.3, BRIGHT_PARTIALS),
    ),
    Tone.ANSWERED: (ToneNote(0, 784.0, 0.07, decay_s=0.03),),
}
"""The notes of each tone, in the equal-tempered scale with A at 440 Hz (ISO 16): the beats climb G, A, B, and SHOOT is
the B an octave above. All are between 200 and 1600 Hz, which small loudspeakers can play and older people still
hear."""


@lru_cache(maxsize=64)
def render_tone(tone: Tone, rate: int) -> ToneSamples:
    """Render a tone at ``rate`` samples a second, as a read-only array."""
    notes = TONE_NOTES[tone]
    mixed = np.zeros(round(max(note.start_s + note.duration_s for note in notes) * rate), np.float64)
    for note in notes:
        start = round(note.start_s * rate)
        played = _render_note(note, rate)[: len(mixed) - start]
        mixed[start : start + len(played)] += played
    samples: ToneSamples = (mixed * (PEAK_LEVEL / np.abs(mixed).max())).astype(np.float32)
    samples.flags.writeable = False
    return samples


def _render_note(note: ToneNote, rate: int) -> NDArray[np.float64]:
    """Render one note: its decaying harmonics, faded in and out. Harmonics above half the sample rate are left out."""
    times = np.arange(round(note.duration_s * rate)) / rate
    wave = np.zeros(len(times))
    for number, strength in enumerate(note.partials, 1):
        if number * note.frequency_hz < rate / 2:
            wave += strength * np.sin(2 * np.pi * number * note.frequency_hz * times)
    fade_in = np.clip(times / ATTACK_S, 0, 1)
    fade_out = np.clip((note.duration_s - times) / RELEASE_S, 0, 1)
    envelope = (0.5 - 0.5 * np.cos(np.pi * fade_in)) * (0.5 - 0.5 * np.cos(np.pi * fade_out))
    return note.loudness * wave * np.exp(-times / note.decay_s) * envelope


def mix_tones(tones: Sequence[tuple[int, Tone]], rate: int) -> ToneSamples:
    """Mix tones at their times (ns after the first sample, 0 or more) into one sound, so that their rhythm is exact to
    the sample, however busy the machine is."""
    placed = [(round(at_ns * rate / 1_000_000_000), render_tone(name, rate)) for at_ns, name in tones]
    mixed = np.zeros(max(start + len(samples) for start, samples in placed), np.float32)
    for start, samples in placed:
        mixed[start : start + len(samples)] += samples
    return np.clip(mixed, -1, 1, out=mixed)
