"""The benches of the spoken count and of pages while rounds are judged: what they measure, and their tables."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from device.simulated.sound import SimulatedSound
from device.sound.loudspeaker import SAMPLE_RATE_HZ
from device.sound.speech import Speech
from device.sound.voice import Voice, VoiceError
from device.system.clock import SimulatedClock
from tools.bench import speech
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


class FakeVoice(Voice):
    """Speaks at once."""

    def __init__(self, language: str) -> None: ...

    def say_count(self, words: Sequence[str], beat_ns: int) -> tuple[Speech, ...]:
        return tuple(Speech(np.full(1_000, 0.5, np.float32), SAMPLE_RATE_HZ, 0) for _ in words)


class FakeLoudspeaker(SimulatedSound):
    """A loudspeaker that nobody hears."""

    spoken_words = 0

    def __init__(self, delay_ns: int) -> None:
        super().__init__(SimulatedClock())


class FakeCard:
    """A sound card on which nothing is heard."""

    extra_latency_ns = 0

    def __init__(self, path: Path) -> None: ...

    def __enter__(self) -> "FakeCard":
        return self

    def __exit__(self, *_: object) -> None: ...

    def wait_until(self, when_ns: int) -> None: ...

    def recording(self) -> CardRecording:
        return CardRecording(0, np.zeros((10 * SAMPLE_RATE_HZ, 2), np.float32), ())


def test_tones_in_place_of_words_are_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    voices: list[FakeVoice] = []

    def open_voice(language: str) -> Voice:
        if voices:
            raise VoiceError("there is no voice any more")
        voices.append(FakeVoice(language))
        return voices[0]

    monkeypatch.setattr(speech, "SimulatedSoundCard", FakeCard)
    monkeypatch.setattr(speech, "RecordingLoudspeaker", FakeLoudspeaker)
    monkeypatch.setattr(speech, "MonotonicClock", SimulatedClock)
    with pytest.raises(SystemExit, match="tones were played"):
        speech.measure_counts("voice", open_voice, 1, 600)
    assert len(speech.measure_counts("tones", FakeVoice, 2, 600)[0]) == 2
