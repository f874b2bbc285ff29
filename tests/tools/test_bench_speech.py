"""The benches of the spoken count and of pages while rounds are judged: what they measure, and their tables."""

import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from device.simulated.sound import SimulatedSound
from device.sound.loudspeaker import SAMPLE_RATE_HZ
from device.sound.speech import Speech
from device.sound.voice import Voice, VoiceError, find_voice_program
from device.system.clock import SimulatedClock
from throwlock.cli.doctor.bench.recorded_round import RecordedRound
from tools.bench import speech
from tools.bench.screen_pages import TABLE_HEAD, PageBench, PageFrames, PageLoop, table_row
from tools.bench.sound_card import CardRecording
from tools.bench.speech import CARD_HEAD, WORDS_HEAD, card_row, heard_ns, word_rows
from ui.screen.core.window import Window
from ui.screen.pages.notice import Notice
from ui.text.verdicts import COUNT_WORDS

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


def test_rows_have_the_columns_of_their_heads() -> None:
    card = card_row("words", [-0.5, 0.0, 10.0], 3)
    assert card == ("words", "+0.0", "+9.0", "+10.0", 3) and len(card) == len(CARD_HEAD)
    judged, idle = PageFrames([*[16.0] * 99, 34.0], [*[15.0] * 99, 20.0]), PageFrames([17.0] * 2, [1.0] * 2)
    frames = table_row("dummy", "the count", judged, idle)
    assert frames == ("dummy", "the count", 100, "16.2", "17.0", "34.0", "17.0", 1, 0, "20.0")
    assert len(frames) == len(TABLE_HEAD)


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


def test_a_sound_is_opened_when_its_words_are_rendered() -> None:
    goes_on = threading.Event()

    def open_voice(language: str) -> Voice:
        assert goes_on.wait(60)
        return FakeVoice(language)

    clock = SimulatedClock()
    loudspeaker = SimulatedSound(clock)
    with pytest.raises(SystemExit, match="not rendered in 0 s"):
        speech.open_rendered_sound(loudspeaker, clock, "voice", 600, open_voice, timeout_s=0.0)
    goes_on.set()
    sound = speech.open_rendered_sound(loudspeaker, clock, "voice", 600, open_voice)
    times = [clock.now_ns() + beat * 600 * MS for beat in range(len(COUNT_WORDS))]
    sound.play_count(COUNT_WORDS, times)
    assert [played.when_ns for played in loudspeaker.played] == times
    assert all(isinstance(played.tone, Speech) for played in loudspeaker.played)
    sound.stop()


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


@pytest.mark.skipif(find_voice_program() is None, reason="espeak-ng is not on this machine")
def test_every_word_of_every_language_has_a_row(tmp_path: Path) -> None:
    program = find_voice_program()
    assert program is not None
    rows = list(word_rows(program, tmp_path))
    assert len(rows) == 3 * 2 * 4
    assert all(len(row) == len(WORDS_HEAD) for row in rows)
    assert all(abs(float(str(row[-1]))) < 1 for row in rows), "every onset is on its beat"


def test_frames_of_a_page_are_counted_in_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    bench = PageBench(RecordedRound((), (), (), 0))
    seen: list[float] = []
    enough = threading.Event()

    def view_at(seconds: float) -> Notice:
        seen.append(seconds)
        return Notice("One", "two")

    def play(display: Window) -> None:
        display.show(PageLoop(view_at))
        assert enough.wait(60)

    def on_loop() -> None:
        bench.on_loop()
        if len(bench.current.gaps_ms) >= 3:
            enough.set()

    Window((320, 240), on_loop=on_loop).run(play)
    assert len(bench.current.gaps_ms) >= 3 and seen == sorted(seen)
    assert len(bench.current.gaps_ms) == len(bench.current.own_gaps_ms)
    assert all(own <= gap for own, gap in zip(bench.current.own_gaps_ms, bench.current.gaps_ms, strict=True))
