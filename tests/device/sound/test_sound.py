"""Sound: what the tones are, when the count's are heard, a loudspeaker that is late or missing, and the real one over a
simulated sound card that tells when every sample would be heard."""

import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from device.simulated.sound import Heard, SimulatedSound
from device.simulated.sound_card import SoundCard, begins
from device.sound import loudspeaker
from device.sound.loudspeaker import Loudspeaker, no_device
from device.sound.sound import NoSound, Tone, count_of
from device.sound.synth import laid_out, tone
from device.system.clock import JumpingClock

MS = 1_000_000
RATES = (22_050, 48_000)
SOON_NS = 700 * MS


def strongest_hz(name: Tone, rate: int = 48_000) -> float:
    samples = tone(name, rate)
    spectrum = np.abs(np.fft.rfft(samples, 1 << 17))
    return float(np.argmax(spectrum) * rate / (1 << 17))


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("name", list(Tone))
def test_a_tone_begins_and_ends_without_a_click(name: Tone, rate: int) -> None:
    samples = tone(name, rate)
    assert abs(samples[0]) < 1e-3 and abs(samples[-1]) < 1e-3
    edge = round(0.001 * rate)
    assert np.abs(samples[:edge]).max() < 0.2 and np.abs(samples[-edge:]).max() < 0.02
    assert np.abs(samples).max() == pytest.approx(0.8, abs=1e-3)
    assert abs(float(samples.mean())) < 0.005
    steepest = np.abs(np.diff(samples, prepend=0, append=0)).max()
    assert steepest < 2 * np.pi * 6_000 / rate, "no jump that a note's own partials do not make"


def test_the_count_climbs_and_shoot_is_an_octave_above_and_longer() -> None:
    beats = [strongest_hz(name) for name in (Tone.BEAT_1, Tone.BEAT_2, Tone.BEAT_3)]
    assert beats == sorted(beats) and all(later / one > 1.1 for one, later in pairwise(beats))
    assert strongest_hz(Tone.SHOOT) / beats[2] == pytest.approx(2, abs=0.02)
    assert len(tone(Tone.SHOOT, 48_000)) > 3 * len(tone(Tone.BEAT_3, 48_000))
    assert len({tone(name, 48_000).tobytes() for name in Tone}) == len(Tone)


def test_a_beat_is_over_before_the_next_at_the_quickest_count() -> None:
    assert all(len(tone(name, 1000)) < 300 for name in count_of(4)[:-1])


@pytest.mark.parametrize("words", [2, 3, 4, 6])
def test_a_count_of_any_length_ends_on_shoot(words: int) -> None:
    tones = count_of(words)
    assert len(tones) == words and tones[-1] is Tone.SHOOT and Tone.SHOOT not in tones[:-1]


def test_tones_are_laid_out_to_the_sample() -> None:
    laid = laid_out([(0, Tone.BEAT_1), (600 * MS, Tone.SHOOT)], 48_000)
    beat, shoot = tone(Tone.BEAT_1, 48_000), tone(Tone.SHOOT, 48_000)
    assert np.array_equal(laid[: len(beat)], beat)
    assert not laid[len(beat) : 28_800].any()
    assert np.array_equal(laid[28_800:], shoot)
    assert np.abs(laid_out([(0, name) for name in Tone], 48_000)).max() <= 1


def test_a_simulated_sound_is_heard_at_its_time_or_late() -> None:
    clock = JumpingClock()
    sound = SimulatedSound(clock, delay_ns=30 * MS)
    sound.play(Tone.SHOOT, 100 * MS)
    sound.play(Tone.IN)
    clock.wait_until(90 * MS)
    sound.play(Tone.BEAT_3, 95 * MS)
    assert sound.heard == (Heard(30 * MS, Tone.IN), Heard(100 * MS, Tone.SHOOT), Heard(120 * MS, Tone.BEAT_3))
    sound.hush()
    assert sound.heard == (Heard(30 * MS, Tone.IN),), "what was to come is forgotten"
    sound.volume = 0
    sound.play(Tone.IN)
    assert len(sound.heard) == 1
    sound.stop()
    sound.stop()


def test_a_missing_loudspeaker_says_nothing() -> None:
    for sound in (SimulatedSound(JumpingClock(), missing=True), NoSound()):
        sound.play(Tone.WIN)
        sound.play(Tone.SHOOT, 5)
        sound.hush()
        sound.stop()
    assert SimulatedSound(JumpingClock(), missing=True).heard == ()


def test_where_there_is_no_device_none_is_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "proc").mkdir()
    assert "/dev/snd" in str(no_device({}, tmp_path))
    assert no_device({"SDL_AUDIODRIVER": "dummy"}, tmp_path) is None
    assert no_device({"PULSE_SERVER": "unix:/x"}, tmp_path) is None
    (tmp_path / "pipewire-0").touch()
    assert no_device({"XDG_RUNTIME_DIR": str(tmp_path)}, tmp_path) is None
    (tmp_path / "dev" / "snd").mkdir(parents=True)
    (tmp_path / "dev" / "snd" / "pcmC0D0c").touch()
    assert no_device({}, tmp_path) is not None, "a microphone plays nothing"
    (tmp_path / "dev" / "snd" / "pcmC0D0p").touch()
    assert no_device({}, tmp_path) is None
    monkeypatch.setattr(loudspeaker, "no_device", lambda: "there is none")
    sound = Loudspeaker()
    sound.stop()
    assert sound.fault == "there is none"
    sound.play(Tone.IN)
    sound.stop()


@pytest.fixture
def card(tmp_path: Path) -> Iterator[SoundCard]:
    with SoundCard(tmp_path / "card") as opened:
        yield opened


def test_the_count_is_heard_evenly_to_the_sample_and_on_both_sides_alike(card: SoundCard) -> None:
    sound = Loudspeaker(volume=1.0)
    first_ns = time.monotonic_ns() + SOON_NS
    for number, name in enumerate(count_of(4)):
        sound.play(name, first_ns + number * 300 * MS)
    card.wait_until(first_ns + 1_500 * MS)
    sound.stop()
    made = card.heard().made()
    assert np.array_equal(made[:, 0], made[:, 1])
    expected = laid_out([(number * 300 * MS, name) for number, name in enumerate(count_of(4))], card.rate)
    start = begins(made)[0]
    played = made[start : start + len(expected), 0]
    assert np.allclose(played, expected[: len(played)], atol=0.01)
    assert len(played) > card.rate, "up to SHOOT and into it"


def test_what_was_hushed_is_not_heard(card: SoundCard) -> None:
    sound = Loudspeaker(volume=1.0)
    first_ns = time.monotonic_ns() + SOON_NS
    sound.play(Tone.FOUL, first_ns)
    sound.hush()
    sound.play(Tone.SHOOT, first_ns)
    card.wait_until(first_ns + 900 * MS)
    sound.stop()
    made = card.heard().made()
    start = begins(made)[0]
    shoot = tone(Tone.SHOOT, card.rate)
    played = made[start : start + len(shoot), 0]  # on a busy machine the end may not have come through
    assert len(played) > len(shoot) // 4
    assert np.allclose(played, shoot[: len(played)], atol=0.01)


def test_the_volume_is_heard_and_a_stale_tone_is_not(card: SoundCard) -> None:
    sound = Loudspeaker(volume=0.5)
    sound.play(Tone.SHOOT, time.monotonic_ns() - 5_000 * MS)
    now_ns = time.monotonic_ns()
    card.wait_until(now_ns + 300 * MS)
    sound.play(Tone.IN)
    card.wait_until(now_ns + 600 * MS)
    sound.stop()
    made = card.heard().made()
    assert np.abs(made).max() == pytest.approx(0.8 / 4, abs=0.02)
    assert len(begins(made)) == 1
