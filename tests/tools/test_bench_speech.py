"""The benches of the spoken count and of pages while rounds are judged: what they measure, and their tables."""

import numpy as np
import pytest

from device.sound.loudspeaker import SAMPLE_RATE_HZ
from tools.bench.sound_card import CardRecording
from tools.bench.speech import heard_ns

MS = 1_000_000


@pytest.mark.parametrize("late_samples", [-1_000, 0, 37, 2_000])
def test_onset_is_found_in_a_recording(late_samples: int) -> None:
    rng = np.random.default_rng(1)
    sound = rng.uniform(-0.5, 0.5, 4_800).astype(np.float32)
    played = np.zeros((2 * SAMPLE_RATE_HZ, 2), np.float32)
    cue, onset = SAMPLE_RATE_HZ, 1_200
    start = cue - onset + late_samples
    played[start : start + len(sound)] = 0.7 * sound[:, None]
    recording = CardRecording(5 * MS, played, ())
    heard = heard_ns(recording, sound, onset, 5 * MS + cue * 1_000_000_000 // SAMPLE_RATE_HZ)
    assert heard == 5 * MS + (cue + late_samples) * 1_000_000_000 // SAMPLE_RATE_HZ
