"""Tests of the tones, of the simulated loudspeaker, and of the real one with a simulated sound card."""

import threading
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pygame
import pytest

from device.simulated.controls import PlayedTone, SimulatedSound
from device.sound import loudspeaker
from device.sound.base import NullSound, Samples, Speech, Tone, count_tones
from device.sound.loudspeaker import Loudspeaker, missing_device_reason
from device.sound.tones import MUSIC_LEVEL, mix_sounds, render_music, render_tone
from device.system.clock import SimulatedClock
from tests.helpers.waiting import wait_until
from tools.bench.sound_card import SimulatedSoundCard, tone_starts

MS = 1_000_000
RATES = (22_050, 48_000)
SOON_NS = 2_000 * MS


def strongest_hz(name: Tone, rate: int = 48_000) -> float:
    samples = render_tone(name, rate)
    spectrum = np.abs(np.fft.rfft(samples, 1 << 17))
    return float(np.argmax(spectrum) * rate / (1 << 17))


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("name", list(Tone))
def test_tones_begin_and_end_without_a_click(name: Tone, rate: int) -> None:
    samples = render_tone(name, rate)
    assert abs(samples[0]) < 1e-3 and abs(samples[-1]) < 1e-3
    edge = round(0.001 * rate)
    assert np.abs(samples[:edge]).max() < 0.2 and np.abs(samples[-edge:]).max() < 0.02
    assert np.abs(samples).max() == pytest.approx(0.8, abs=1e-3)
    assert abs(float(samples.mean())) < 0.005
    steepest = np.abs(np.diff(samples, prepend=0, append=0)).max()
    assert steepest < 2 * np.pi * 6_000 / rate, "no jumps other than those of its harmonics"


def test_count_rises_and_shoot_is_an_octave_higher_and_longer() -> None:
    beats = [strongest_hz(name) for name in (Tone.BEAT_1, Tone.BEAT_2, Tone.BEAT_3)]
    assert beats == sorted(beats) and all(later / one > 1.1 for one, later in pairwise(beats))
    assert strongest_hz(Tone.SHOOT) / beats[2] == pytest.approx(2, abs=0.02)
    assert len(render_tone(Tone.SHOOT, 48_000)) > 3 * len(render_tone(Tone.BEAT_3, 48_000))
    assert len({render_tone(name, 48_000).tobytes() for name in Tone}) == len(Tone)


def test_beats_do_not_overlap_at_the_fastest_count() -> None:
    assert all(len(render_tone(name, 1000)) < 300 for name in count_tones(4)[:-1])


@pytest.mark.parametrize("words", [2, 3, 4, 6])
def test_count_of_any_length_ends_on_shoot(words: int) -> None:
    tones = count_tones(words)
    assert len(tones) == words and tones[-1] is Tone.SHOOT and Tone.SHOOT not in tones[:-1]


def test_tones_are_mixed_to_the_sample() -> None:
    laid = mix_sounds([(0, Tone.BEAT_1), (600 * MS, Tone.SHOOT)], 48_000)
    beat, shoot = render_tone(Tone.BEAT_1, 48_000), render_tone(Tone.SHOOT, 48_000)
    assert np.array_equal(laid[: len(beat)], beat)
    assert not laid[len(beat) : 28_800].any()
    assert np.array_equal(laid[28_800:], shoot)
    assert np.abs(mix_sounds([(0, name) for name in Tone], 48_000)).max() <= 1


def test_simulated_tones_play_on_time_or_late() -> None:
    clock = SimulatedClock()
    sound = SimulatedSound(clock, delay_ns=30 * MS)
    sound.play(Tone.SHOOT, 100 * MS)
    sound.play(Tone.ANSWERED)
    clock.wait_until(90 * MS)
    sound.play(Tone.BEAT_3, 95 * MS)
    assert sound.played == (
        PlayedTone(30 * MS, Tone.ANSWERED),
        PlayedTone(100 * MS, Tone.SHOOT),
        PlayedTone(120 * MS, Tone.BEAT_3),
    )
    sound.silence()
    assert sound.played == (PlayedTone(30 * MS, Tone.ANSWERED),), "scheduled tones are cancelled"
    sound.volume = 0
    sound.play(Tone.ANSWERED)
    assert len(sound.played) == 1
    sound.stop()
    sound.stop()


def test_missing_loudspeaker_is_silent() -> None:
    for sound in (SimulatedSound(SimulatedClock(), missing=True), NullSound()):
        sound.play(Tone.WIN)
        sound.play(Tone.SHOOT, 5)
        sound.silence()
        sound.stop()
    assert SimulatedSound(SimulatedClock(), missing=True).played == ()


def test_missing_device_is_detected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "proc").mkdir()
    assert "loudspeaker" in str(missing_device_reason({}, tmp_path))
    assert missing_device_reason({"SDL_AUDIODRIVER": "dummy"}, tmp_path) is None
    assert missing_device_reason({"PULSE_SERVER": "unix:/x"}, tmp_path) is None
    (tmp_path / "pipewire-0").touch()
    assert missing_device_reason({"XDG_RUNTIME_DIR": str(tmp_path)}, tmp_path) is None
    (tmp_path / "dev" / "snd").mkdir(parents=True)
    (tmp_path / "dev" / "snd" / "pcmC0D0c").touch()
    assert missing_device_reason({}, tmp_path) is not None, "a microphone is not enough"
    (tmp_path / "dev" / "snd" / "pcmC0D0p").touch()
    assert missing_device_reason({}, tmp_path) is None
    monkeypatch.setattr(loudspeaker, "missing_device_reason", lambda: "there is none")
    sound = Loudspeaker()
    sound.stop()
    assert sound.error == "there is none"
    sound.play(Tone.ANSWERED)
    sound.stop()


WORD = Speech(np.sin(np.linspace(0, 400, 9_600)).astype(np.float32), 48_000, 4_800)


@pytest.fixture
def card(tmp_path: Path) -> Iterator[SimulatedSoundCard]:
    with SimulatedSoundCard(tmp_path / "card") as opened:
        yield opened


def test_count_is_even_to_the_sample_and_equal_on_both_channels(card: SimulatedSoundCard) -> None:
    sound = Loudspeaker(volume=1.0)
    first_ns = time.monotonic_ns() + SOON_NS
    count = [(number * 300 * MS, name) for number, name in enumerate(count_tones(4))]
    heard: list[tuple[int, Tone | Speech]] = [*count, *((at_ns, WORD) for at_ns, _ in count)]
    for at_ns, one in heard:
        sound.play(one, first_ns + at_ns)
    card.wait_until(first_ns + 3_000 * MS)
    sound.stop()
    made = card.recording().mixer_output()
    assert np.array_equal(made[:, 0], made[:, 1])
    expected = mix_sounds([(at_ns + WORD.lead_ns, one) for at_ns, one in heard], card.rate_hz)
    start = tone_starts(made)[0]
    played = made[start : start + len(expected), 0]
    assert np.allclose(played, expected[: len(played)], atol=0.01)
    assert len(played) > card.rate_hz, "up to SHOOT and into it"


def test_silenced_tones_are_not_played(card: SimulatedSoundCard) -> None:
    sound = Loudspeaker(volume=1.0)
    first_ns = time.monotonic_ns() + SOON_NS
    sound.play(Tone.FOUL, first_ns)
    sound.silence()
    sound.play(Tone.SHOOT, first_ns)
    card.wait_until(first_ns + 2_000 * MS)
    sound.stop()
    made = card.recording().mixer_output()
    start = tone_starts(made)[0]
    shoot = render_tone(Tone.SHOOT, card.rate_hz)
    played = made[start : start + len(shoot), 0]  # on a busy machine the end may be missing
    assert len(played) > len(shoot) // 4
    assert np.allclose(played, shoot[: len(played)], atol=0.01)


def test_volume_applies_and_stale_tones_are_dropped(card: SimulatedSoundCard) -> None:
    sound = Loudspeaker(volume=0.5)
    sound.play(Tone.SHOOT, time.monotonic_ns() - 5_000 * MS)
    now_ns = time.monotonic_ns()
    card.wait_until(now_ns + 1_000 * MS)
    sound.play(Tone.ANSWERED)
    card.wait_until(now_ns + 3_000 * MS)
    sound.stop()
    made = card.recording().mixer_output()
    assert np.abs(made).max() == pytest.approx(0.8 / 4, abs=0.02)
    assert len(tone_starts(made)) == 1


def test_music_repeats_without_a_seam_and_is_quiet_and_small() -> None:
    music = render_music(48_000)
    assert np.abs(music).max() == pytest.approx(MUSIC_LEVEL, abs=1e-3) and 0.8 / MUSIC_LEVEL >= 5
    steps = np.abs(np.diff(music, append=music[0]))
    assert steps[-1] <= np.quantile(steps, 0.999), "the end leads into the beginning"
    assert music.nbytes < 2_000_000
    bars = music.reshape(4, -1)
    assert len({bar.tobytes() for bar in bars}) == len(bars)


@pytest.fixture
def hasty_music(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loudspeaker, "MUSIC_AFTER_NS", 1_000 * MS)
    monkeypatch.setattr(loudspeaker, "MUSIC_FADE_IN_MS", 200)


def wait_for_music() -> None:
    wait_until(lambda: pygame.mixer.get_init() and pygame.mixer.Channel(0).get_busy(), "music")


@pytest.mark.slow
@pytest.mark.usefixtures("hasty_music")
def test_music_is_heard_around_a_count_and_never_in_it(card: SimulatedSoundCard) -> None:
    sound = Loudspeaker(volume=1.0, music_volume=1.0)
    wait_for_music()
    first_ns = time.monotonic_ns() + SOON_NS
    card.wait_until(first_ns - 1_000 * MS)  # as long before its first word as any count is known
    count = [(number * 300 * MS, tone) for number, tone in enumerate(count_tones(4))]
    for at_ns, tone in count:
        sound.play(tone, first_ns + at_ns)
    card.wait_until(first_ns + 900 * MS)
    wait_for_music()
    card.wait_until(time.monotonic_ns() + 800 * MS)
    sound.stop()
    made, expected = card.recording().mixer_output()[:, 0], mix_sounds(count, card.rate_hz)
    first = int(np.argmax(np.correlate(made, render_tone(Tone.BEAT_1, card.rate_hz))))
    assert np.allclose(made[first : first + len(expected)], expected, atol=1e-4), "nothing else is heard in the count"
    assert not made[first - card.rate_hz // 10 : first].any(), "it has faded out before the first word"
    for music in (made[: first - card.rate_hz // 10], made[first + len(expected) :]):
        assert 0.1 * MUSIC_LEVEL < np.abs(music).max() <= MUSIC_LEVEL + 1e-3


@pytest.mark.usefixtures("hasty_music")
def test_no_tone_waits_for_the_music_to_be_made(card: SimulatedSoundCard, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, may_end = threading.Event(), threading.Event()

    def render_slowly(rate: int) -> Samples:
        begun.set()
        may_end.wait()
        return render_music(rate)

    monkeypatch.setattr(loudspeaker, "render_music", render_slowly)
    sound = Loudspeaker(music_volume=1.0)
    begun.wait()
    asking = threading.Thread(target=sound.play, args=(Tone.ANSWERED,), daemon=True)
    asking.start()
    try:
        wait_until(lambda: not asking.is_alive(), "an end of the wait")
    finally:
        may_end.set()
    wait_for_music()
    sound.stop()


@pytest.mark.usefixtures("hasty_music")
def test_music_follows_the_volume(card: SimulatedSoundCard) -> None:
    sound = Loudspeaker(volume=0.5, music_volume=0.8)
    wait_for_music()
    card.wait_until(time.monotonic_ns() + 1_000 * MS)
    sound.volume = 0.0
    wait_until(lambda: not pygame.mixer.Channel(0).get_busy())
    card.wait_until(time.monotonic_ns() + 500 * MS)
    sound.stop()
    made = np.abs(card.recording().mixer_output()[:, 0])
    loud = np.flatnonzero(made)
    assert 0.1 * MUSIC_LEVEL * 0.16 < made.max() <= MUSIC_LEVEL * 0.16 + 1e-3, "the amplitude is the square"
    assert loud[-1] < len(made) - card.rate_hz // 4, "muted"
