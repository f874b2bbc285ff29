"""Tests of speech: the instant at which words begin, a count mixed to the sample, and the voice with espeak-ng itself
and with programs that fail."""

import io
import stat
import wave
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from device.sound import voice as voice_module
from device.sound.base import SPEECH_PEAK, Speech, Tone, count_tones, find_onset, resample
from device.sound.tones import mix_sounds
from device.sound.voice import COUNT_FOLDER, COUNT_WPM, PROGRAM, VOICES, Voice, VoiceError, find_voice_program
from ui.i18n.language import LANGUAGES, load_translations
from ui.text.verdicts import COUNT_WORDS

MS = 1_000_000
RATE_HZ = 48_000
PROGRAM_PATH = find_voice_program()
needs_voice = pytest.mark.skipif(PROGRAM_PATH is None, reason=f"{PROGRAM} is not on this machine")
RNG = np.random.default_rng(5)


def hiss(length: int, rate_hz: int) -> NDArray[np.float64]:
    """A sh: noise above 4 kHz, louder than most vowels."""
    spectrum = np.fft.rfft(RNG.standard_normal(length))
    spectrum[np.fft.rfftfreq(length, 1 / rate_hz) < 4_000] = 0
    noise = np.fft.irfft(spectrum, length)
    return noise / np.abs(noise).max()


def vowel(length: int, rate_hz: int) -> NDArray[np.float64]:
    times = np.arange(length) / rate_hz
    return 0.5 * np.sin(2 * np.pi * 550 * times) * np.exp(-times / 0.2)


def made_word(rate_hz: int = RATE_HZ, hiss_ms: int = 120) -> Speech:
    silence, consonant = np.zeros(rate_hz // 50), hiss(hiss_ms * rate_hz // 1000, rate_hz)
    return Speech.from_recording(np.concatenate([silence, consonant, vowel(rate_hz // 4, rate_hz), silence]), rate_hz)


@pytest.mark.parametrize("hiss_ms", [20, 60, 120, 200])
@pytest.mark.parametrize("rate_hz", [22_050, 48_000])
def test_word_begins_with_its_vowel(rate_hz: int, hiss_ms: int) -> None:
    word = made_word(rate_hz, hiss_ms)
    assert word.onset / rate_hz == pytest.approx(hiss_ms / 1000, abs=0.003)
    assert word.lead_ns / 1e9 == pytest.approx(word.onset / rate_hz, abs=1e-6)
    assert (word.lead_ns + word.tail_ns) / 1e9 == pytest.approx(len(word.samples) / rate_hz, abs=1e-6)
    assert np.abs(word.samples).max() == pytest.approx(SPEECH_PEAK, abs=0.1)
    assert word.samples[0] == word.samples[-1] == 0, "no click"


def test_silence_is_no_speech() -> None:
    for silence in (np.zeros(100), np.zeros(0)):
        with pytest.raises(ValueError, match="silence"):
            Speech.from_recording(silence, RATE_HZ)


def test_resampled_speech_sounds_the_same() -> None:
    word = made_word(22_050)
    samples, onset = resample(word, 44_100)
    assert len(samples) == 2 * len(word.samples) and onset == 2 * word.onset
    assert np.allclose(samples[::2], word.samples, atol=0.01)


@given(st.integers(0, 2_000 * MS), st.integers(300, 2_000))
def test_every_onset_of_a_count_is_at_its_time_to_the_sample(first_ns: int, beat_ms: int) -> None:
    word = CLICK_WORD
    times = [first_ns + word.lead_ns + beat * beat_ms * MS for beat in range(4)]
    mixed = mix_sounds([(at_ns, word) for at_ns in times], RATE_HZ)
    onsets = np.flatnonzero(mixed == mixed.max())
    assert [int(onset) for onset in onsets] == [round(at_ns * RATE_HZ / 1e9) for at_ns in times]


CLICK_WORD = Speech(np.array([*np.full(4_000, 0.1), 1.0, *np.full(4_000, 0.1)], np.float32), RATE_HZ, 4_000)
"""Speech whose onset can be told from every other sample."""


def test_tones_and_words_are_mixed_without_clipping() -> None:
    word = made_word()
    times = [500 * MS + beat * 600 * MS for beat in range(4)]
    together: list[tuple[int, Tone | Speech]] = list(zip(times, count_tones(4), strict=True))
    together += [(at_ns, word) for at_ns in times]
    mixed = mix_sounds(together, RATE_HZ)
    tones = mix_sounds(together[:4], RATE_HZ)
    assert np.abs(mixed).max() <= 1
    start = round(times[0] * RATE_HZ / 1e9)
    assert not mixed[: start - word.onset].any() and mixed[start - word.onset + 200 : start].any()
    assert not tones[:start].any()


# the program itself


@pytest.fixture
def english(tmp_path: Path) -> Voice:
    assert PROGRAM_PATH is not None
    return Voice(PROGRAM_PATH, "en", tmp_path)


def count_words(language: str) -> list[str]:
    return [word.render(load_translations(language)).lower() for word in COUNT_WORDS]


def test_every_language_of_the_screen_has_a_voice() -> None:
    assert set(VOICES) == set(LANGUAGES)


@needs_voice
@pytest.mark.parametrize("beat_ms", [300, 600, 2_000])
@pytest.mark.parametrize("language", sorted(VOICES))
def test_count_of_each_language_is_spoken_on_the_beat(language: str, beat_ms: int, tmp_path: Path) -> None:
    """SHOOT's onset, measured in the mixed samples, is where the cue is; no word runs into the next one's."""
    assert PROGRAM_PATH is not None
    count = Voice(PROGRAM_PATH, language, tmp_path).say_count(count_words(language), beat_ms * MS)
    times = [1_000 * MS + beat * beat_ms * MS for beat in range(4)]
    mixed = mix_sounds(list(zip(times, count, strict=True)), RATE_HZ)
    starts = [round((at_ns - word.lead_ns) * RATE_HZ / 1e9) for at_ns, word in zip(times, count, strict=True)]
    for at_ns, start, end in zip(times, starts, [*starts[1:], len(mixed)], strict=True):
        heard = start + find_onset(mixed[start:end].astype(np.float64), RATE_HZ)
        assert (heard / RATE_HZ) * 1e3 == pytest.approx(at_ns / MS, abs=1)
    for before, word in pairwise(count):
        assert before.tail_ns + word.lead_ns <= beat_ms * MS
    assert all(80 * MS < word.lead_ns + word.tail_ns < 700 * MS for word in count)


@needs_voice
def test_sentences_are_spoken_and_not_kept(english: Voice, tmp_path: Path) -> None:
    short, long = english.say("Ada wins."), english.say("Ada wins, and Ben was late for the third time.")
    assert long.tail_ns > 2 * short.tail_ns > 500 * MS
    assert english.say("-v de").samples.any(), "no name is taken for an option"
    assert not list(tmp_path.rglob("*.wav"))
    with pytest.raises(VoiceError):
        english.say("")


@needs_voice
def test_words_of_a_count_are_rendered_once(english: Voice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = count_words("en")
    first = english.say_count(words, 600 * MS)
    kept = sorted((tmp_path / COUNT_FOLDER).iterdir())
    assert kept and all(path.suffix == ".wav" for path in kept)
    with monkeypatch.context() as patched:
        patched.setattr(Voice, "_render", lambda self, text, speed: pytest.fail(f"{text} is rendered again"))
        again = english.say_count(words, 600 * MS)
    assert [word.samples.tobytes() for word in again] == [word.samples.tobytes() for word in first]
    kept[0].write_bytes(b"RIFF")
    assert english.say_count(words, 600 * MS)[0].samples.any(), "a damaged file is written anew"
    assert sorted((tmp_path / COUNT_FOLDER).iterdir()) == kept and kept[0].stat().st_size > 1_000


@needs_voice
def test_count_is_spoken_where_nothing_can_be_kept(tmp_path: Path) -> None:
    assert PROGRAM_PATH is not None
    (tmp_path / "file").touch()
    assert len(Voice(PROGRAM_PATH, "en", tmp_path / "file").say_count(count_words("en"), 600 * MS)) == 4


# programs that fail


def program(folder: Path, script: str) -> str:
    path = folder / PROGRAM
    path.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo "fake 1 Data at: /nowhere" && exit\n{script}\n')
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def wave_of(samples: NDArray[np.float32], channels: int = 1) -> bytes:
    content = io.BytesIO()
    with wave.open(content, "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(22_050)
        file.writeframes((samples * 32767).astype("<i2").tobytes())
    return content.getvalue()


@pytest.mark.parametrize(
    ("script", "message"),
    [("exit 3", "status 3"), ("exit 0", "said nothing"), ("echo hello", "said nothing"), ("exec sleep 60", "longer")],
)
def test_program_that_fails_is_an_error(
    script: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    voice = Voice(program(tmp_path, script), "en", tmp_path)
    monkeypatch.setattr(voice_module, "RENDER_TIMEOUT_S", 0.2 if message == "longer" else 60)
    assert voice.version == "fake 1"
    with pytest.raises(VoiceError, match=message):
        voice.say("Ada wins.")
    with pytest.raises(VoiceError, match=message):
        voice.say_count(["rock"], 600 * MS)
    assert not list(tmp_path.rglob("*.wav"))


def test_unusable_sounds_are_errors(tmp_path: Path) -> None:
    for content in (wave_of(np.zeros(2_000, np.float32)), wave_of(np.ones(2_000, np.float32), channels=2)):
        (tmp_path / "sound").write_bytes(content)
        with pytest.raises(VoiceError, match="said nothing"):
            Voice(program(tmp_path, f"cat {tmp_path}/sound"), "en", tmp_path).say("Ada wins.")


def test_missing_program_and_language_are_errors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(VoiceError, match="can't be run"):
        Voice(str(tmp_path / "nothing"), "en", tmp_path)
    with pytest.raises(VoiceError, match="no voice for xx"):
        Voice(program(tmp_path, ""), "xx", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    assert find_voice_program() is None


def test_another_version_renders_anew(tmp_path: Path) -> None:
    (tmp_path / "sound").write_bytes(wave_of(made_word(22_050).samples))
    log = tmp_path / "log"
    path = program(tmp_path, f'echo "$4" >> {log}\ncat {tmp_path}/sound')
    voice = Voice(path, "de", tmp_path)
    voice.say_count(["eins", "zwei"], 600 * MS)
    assert log.read_text().split() == [str(COUNT_WPM[0])] * 2
    voice.say_count(["eins", "zwei"], 300 * MS)  # this program is not faster when asked to be
    assert set(log.read_text().split()) == set(map(str, COUNT_WPM))
    before = len(list((tmp_path / COUNT_FOLDER).iterdir()))
    voice.version = "fake 2"
    voice.say_count(["eins", "zwei"], 600 * MS)
    assert len(list((tmp_path / COUNT_FOLDER).iterdir())) == before + 2
