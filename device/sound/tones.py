"""The box's tones and its music, synthesised from sines, and how sounds are mixed into one."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from device.sound.base import Samples, Speech, Tone, resample

ATTACK_S = 0.004
"""Fade-in of every note, the same for the beats and SHOOT, so that their rhythm sounds even."""
RELEASE_S = 0.012
"""Fade-out of every note, against clicks."""
PEAK_LEVEL = 0.8
"""The loudest sample of every tone; two tones at once hardly clip."""


class ToneNote(NamedTuple):
    """A note of a tone."""

    start_s: float
    frequency_hz: float
    """Its pitch once it has settled."""
    duration_s: float
    loudness: float = 1.0
    """Relative to the tone's other notes."""
    decay_s: float = 0.1
    """The time constant of its decay."""
    partials: Sequence[float] = (1.0, 0.3, 0.12)
    """The amplitudes of its harmonics."""
    glide: float = 1.0
    """How many times as high as ``frequency_hz`` it begins; it falls within some 30 ms, as a drum does when it is
    struck."""


GLIDE_S = 0.015
"""Time constant with which the pitch of a drum falls."""
DRUM_PARTIALS = (1.0, 0.15)
BRIGHT_PARTIALS = (1.0, 0.5, 0.3, 0.15)
BUZZER_PARTIALS = (1.0, 0.0, 0.6, 0.0, 0.45, 0.0, 0.3)
"""Odd harmonics only, like a buzzer."""


def _drum(frequency_hz: float, loudness: float) -> ToneNote:
    return ToneNote(0, frequency_hz, 0.16, loudness, 0.07, DRUM_PARTIALS, 2.0)


TONE_NOTES: dict[Tone, tuple[ToneNote, ...]] = {
    Tone.BEAT_1: (ToneNote(0, 392.0, 0.14, decay_s=0.05), _drum(196.0, 0.5)),
    Tone.BEAT_2: (ToneNote(0, 440.0, 0.14, decay_s=0.05), _drum(220.0, 0.7)),
    Tone.BEAT_3: (ToneNote(0, 493.9, 0.14, decay_s=0.05), _drum(246.9, 0.9)),
    Tone.SHOOT: (ToneNote(0, 987.8, 0.5, decay_s=0.25, partials=BRIGHT_PARTIALS),),
    Tone.LOCK: (ToneNote(0, 1174.7, 0.06, 0.6, 0.02), ToneNote(0.06, 587.3, 0.12, 1.0, 0.03, DRUM_PARTIALS, 1.5)),
    Tone.REVEAL: (ToneNote(0, 1174.7, 0.09, decay_s=0.04), ToneNote(0.09, 1568.0, 0.22, decay_s=0.08)),
    Tone.ROUND_WON: tuple(
        ToneNote(0.06 * number, frequency_hz, 0.45 - 0.06 * number, 0.8, 0.14, BRIGHT_PARTIALS)
        for number, frequency_hz in enumerate((587.3, 740.0, 880.0))
    ),
    Tone.STREAK: (
        *(_drum(220.0, 0.7)._replace(start_s=0.1 * number) for number in range(3)),
        *(
            ToneNote(0.1 * number, frequency_hz, 0.3, 0.8, 0.1, BRIGHT_PARTIALS)
            for number, frequency_hz in enumerate((587.3, 740.0, 880.0))
        ),
        ToneNote(0.3, 1174.7, 0.5, 0.8, 0.18, BRIGHT_PARTIALS),
    ),
    Tone.ALL_IN: (
        *(_drum(196.0, 0.5 + 0.1 * number)._replace(start_s=0.09 * number) for number in range(4)),
        *(
            ToneNote(0.36, frequency_hz, 0.7, 0.8, 0.25, BRIGHT_PARTIALS)
            for frequency_hz in (293.7, 440.0, 587.3, 740.0)
        ),
    ),
    Tone.UPSET: (
        ToneNote(0, 880.0, 0.16, 0.8, 0.06),
        ToneNote(0.14, 587.3, 0.16, 0.8, 0.06),
        *(ToneNote(0.32, frequency_hz, 0.55, 0.8, 0.2, BRIGHT_PARTIALS) for frequency_hz in (740.0, 932.3, 1174.7)),
    ),
    Tone.TIE: tuple(ToneNote(start_s, hz, 0.16, 0.8, 0.06) for start_s in (0, 0.18) for hz in (587.3, 784.0)),
    Tone.FOUL: (
        ToneNote(0, 311.1, 0.2, decay_s=0.4, partials=BUZZER_PARTIALS),
        ToneNote(0.24, 220.0, 0.42, decay_s=0.4, partials=BUZZER_PARTIALS),
    ),
    Tone.WIN: (
        *(_drum(196.0, 0.3 + 0.1 * number)._replace(start_s=0.07 * number) for number in range(6)),
        ToneNote(0.42, 523.3, 0.3, 0.8, 0.12, BRIGHT_PARTIALS),
        ToneNote(0.54, 659.3, 0.3, 0.8, 0.12, BRIGHT_PARTIALS),
        ToneNote(0.66, 784.0, 0.3, 0.8, 0.12, BRIGHT_PARTIALS),
        ToneNote(0.78, 1046.5, 0.8, 1.0, 0.3, BRIGHT_PARTIALS),
    ),
    Tone.ANSWERED: (ToneNote(0, 784.0, 0.07, decay_s=0.03),),
}
"""The notes of each tone, in the equal-tempered scale with A at 440 Hz (ISO 16): the beats climb G, A, B over a
drum that gets louder, and SHOOT is the B an octave above. A won round is a major chord: in a streak it climbs over
drums, after a bet of everything it follows a drum roll, and in an upset it is another than the fall before promises. A
tie is a fourth that does not resolve, a foul falls; a match ends with a short drum roll and a fanfare. All are between
190 and 1600 Hz, which small loudspeakers can play and older people still hear."""


@lru_cache(maxsize=64)
def render_tone(tone: Tone, rate: int) -> Samples:
    """Render a tone at ``rate`` samples a second, as a read-only array."""
    notes = TONE_NOTES[tone]
    mixed = np.zeros(round(max(note.start_s + note.duration_s for note in notes) * rate), np.float64)
    for note in notes:
        start = round(note.start_s * rate)
        played = _render_note(note, rate)[: len(mixed) - start]
        mixed[start : start + len(played)] += played
    samples: Samples = (mixed * (PEAK_LEVEL / np.abs(mixed).max())).astype(np.float32)
    samples.flags.writeable = False
    return samples


def _render_note(note: ToneNote, rate: int) -> NDArray[np.float64]:
    """Render one note: its decaying harmonics, faded in and out. Harmonics above half the sample rate are left out."""
    times = np.arange(round(note.duration_s * rate)) / rate
    cycles = note.frequency_hz * (times + (note.glide - 1) * GLIDE_S * (1 - np.exp(-times / GLIDE_S)))
    wave = np.zeros(len(times))
    for number, strength in enumerate(note.partials, 1):
        if number * note.glide * note.frequency_hz < rate / 2:
            wave += strength * np.sin(2 * np.pi * number * cycles)
    fade_in = np.clip(times / ATTACK_S, 0, 1)
    fade_out = np.clip((note.duration_s - times) / RELEASE_S, 0, 1)
    envelope = (0.5 - 0.5 * np.cos(np.pi * fade_in)) * (0.5 - 0.5 * np.cos(np.pi * fade_out))
    return note.loudness * wave * np.exp(-times / note.decay_s) * envelope


BAR_S = 2.4
"""A bar of the music, of eight quavers: 100 crotchets a minute."""
MUSIC_BARS = (
    (220.0, (440.0, 523.3, 659.3, 784.0)),
    (174.6, (440.0, 523.3, 659.3, 698.5)),
    (261.6, (392.0, 523.3, 659.3, 784.0)),
    (196.0, (392.0, 493.9, 587.3, 784.0)),
)
"""The bass and the chord of each bar, in Hz: A minor, F, C and G."""
MUSIC_PATTERN = (0, 2, 1, 3, 2, 1, 0, 2)
"""The note of the chord that is played at each quaver."""
MUSIC_LEVEL = 0.16
"""The loudest sample of the music: a fifth of a tone's, 14 dB quieter."""


def render_music(rate: int) -> Samples:
    """Render the music at ``rate`` samples a second: four bars that can be repeated without a seam, since what is still
    heard at their end is heard at their beginning."""
    plucked = {
        hz: _render_note(ToneNote(0, hz, 1.2, 0.6, 0.3, DRUM_PARTIALS), rate)
        for hz in {hz for _, chord_hz in MUSIC_BARS for hz in chord_hz}
    }
    length = round(len(MUSIC_BARS) * BAR_S * rate)
    mixed = np.zeros(2 * length, np.float64)
    for bar, (bass_hz, chord_hz) in enumerate(MUSIC_BARS):
        bass = _render_note(ToneNote(0, bass_hz, BAR_S, 1.0, 0.8, DRUM_PARTIALS), rate)
        quavers = [plucked[chord_hz[number]] for number in MUSIC_PATTERN]
        for quaver, played in ((0, bass), *enumerate(quavers)):
            start = round((bar + quaver / len(quavers)) * BAR_S * rate)
            mixed[start : start + len(played)] += played
    repeated = mixed[:length] + mixed[length:]
    samples: Samples = (repeated * (MUSIC_LEVEL / np.abs(repeated).max())).astype(np.float32)
    return samples


def mix_sounds(sounds: Sequence[tuple[int, Tone | Speech]], rate: int) -> Samples:
    """Mix sounds at their times (ns after the first sample, at least ``lead_ns`` of each) into one. Their rhythm is
    exact to the sample, however busy the machine is. Where together they would be too loud, all are quieter."""
    placed = []
    for at_ns, sound in sounds:
        samples, onset = (render_tone(sound, rate), 0) if isinstance(sound, Tone) else resample(sound, rate)
        start = round(at_ns * rate / 1_000_000_000) - onset
        placed.append((max(0, start), samples[max(0, -start) :]))
    mixed = np.zeros(max(start + len(samples) for start, samples in placed), np.float32)
    for start, samples in placed:
        mixed[start : start + len(samples)] += samples
    return mixed / max(1.0, float(np.abs(mixed).max()))


def lead_ns(sound: Tone | Speech) -> int:
    """Return how long before its time a sound has to start, in ns."""
    return 0 if isinstance(sound, Tone) else sound.lead_ns
