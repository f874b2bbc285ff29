"""The cue's bench: a count in a window and on a simulated sound card, and the table."""

import numpy as np
import pytest

from device.sound.loudspeaker import BUFFER_SAMPLES, SAMPLE_RATE_HZ
from tools.bench.cue import compute_delays
from tools.bench.sound_card import CardRecording
from ui.text.verdicts import COUNT_WORDS

MS = 1_000_000
START_NS = 7_000 * MS
BEAT_MS = 300


def record(times_ms: list[float], underruns: tuple[int, ...] = ()) -> CardRecording:
    """Record tones of 50 ms that begin at these times after START_NS; they begin with a zero, as all do."""
    buffers = -(-round((max(times_ms) + 100) * SAMPLE_RATE_HZ / 1e3) // BUFFER_SAMPLES)
    samples = np.zeros((buffers * BUFFER_SAMPLES, 2), np.float32)
    for time_ms in times_ms:
        start = round(time_ms * SAMPLE_RATE_HZ / 1e3)
        samples[start + 1 : start + SAMPLE_RATE_HZ // 20] = 0.5
    return CardRecording(START_NS, samples, underruns)


def test_delays_of_screen_and_sound_are_computed_from_a_recording() -> None:
    beats = [float(BEAT_MS * beat) for beat in range(len(COUNT_WORDS))]
    first = [1_000.0 + beat for beat in beats]
    second = [4_000.0 + beat + late for beat, late in zip(beats, (0.0, 2.0, 0.0, 5.0), strict=True)]
    cues_ns = [START_NS + round(1e6 * (begin + beats[-1])) for begin in (1_000.0, 4_000.0)]
    shown_ns = [cues_ns[0] + 8 * MS, cues_ns[1] + 12 * MS]
    delays = compute_delays(cues_ns, shown_ns, record([*first, *second], underruns=(0,)), BEAT_MS)
    assert delays.shown_ms == [8.0, 12.0] and delays.underruns == 1
    assert delays.heard_ms == pytest.approx([0.0, 5.0], abs=0.03)
    assert delays.unevenness_ms == pytest.approx([0.0, 5.0], abs=0.03)


def test_music_between_the_counts_is_no_tone_of_theirs() -> None:
    beats = [1_000.0 + BEAT_MS * beat for beat in range(len(COUNT_WORDS))]
    cue_ns = START_NS + round(1e6 * beats[-1])
    delays = compute_delays([cue_ns], [cue_ns], record([200.0, 400.0, *beats, 3_000.0]), BEAT_MS)
    assert delays.heard_ms == pytest.approx([0.0], abs=0.03)


def test_a_missing_tone_is_not_measured() -> None:
    with pytest.raises(SystemExit, match="too busy"):
        compute_delays([START_NS + 900 * MS], [START_NS + 900 * MS], record([0.0, 300.0, 900.0]), BEAT_MS)
