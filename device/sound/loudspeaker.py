"""A real loudspeaker, through pygame's mixer. A thread of its own does the playing, so that neither the match nor the
window ever waits for the sound device::

    sound = Loudspeaker(volume=0.8, delay_ns=20_000_000)
    sound.play(Tone.ANSWERED)
    sound.play(Tone.SHOOT, at_ns=cue_ns)
"""

import contextlib
import os
import threading
import time
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pygame
from numpy.typing import NDArray
from typing_extensions import override

from device.sound.base import Samples, Sound, SoundError, Speech, Tone, resample
from messages import LazyText, N

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
drum that gets louder, and SHOOT is the B an octave above. A won round is a major chord, a tie a fourth that does not
resolve, a foul falls; a match ends with a short drum roll and a fanfare. All are between 190 and 1600 Hz, which small
loudspeakers can play and older people still hear."""


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


SAMPLE_RATE_HZ = 48_000
"""Sample rate requested from the mixer; it may choose another."""
BUFFER_SAMPLES = 512
"""Samples in one buffer of the mixer. A sound always starts at the beginning of a buffer."""
HANDOVER_LEAD_NS = 500_000_000
"""A scheduled tone is handed to the mixer this long before its time, together with all that follow."""
RETRY_MARGIN_NS = 100_000_000
"""Closer than this to the first tone, the start of a buffer is no longer measured again."""
MAX_BUFFER_JITTER = 0.25
"""Largest deviation between two buffer starts of a mixer that keeps its pace, as a share of a buffer."""
POLL_INTERVAL_S = 0.0003
"""Time between two checks whether the mixer has started its next buffer."""
MAX_LATENESS_NS = 30_000_000
"""A tone that would be later than this is dropped: it would only mislead."""


class _Mixer:
    """pygame's mixer, opened. Raises SoundError."""

    def __init__(self) -> None:
        if reason := missing_device_reason():
            raise SoundError(reason)
        open_mixer()
        self.rate_hz, _, self.channels = pygame.mixer.get_init() or (SAMPLE_RATE_HZ, 32, 2)
        self.buffer_ns = BUFFER_SAMPLES * 1_000_000_000 // self.rate_hz
        self._silence = self._make_sound(np.zeros(1, np.float32))

    def _make_sound(self, samples: Samples) -> pygame.mixer.Sound:
        channels = np.repeat(samples[:, None], self.channels, axis=1)
        return pygame.mixer.Sound(buffer=channels.tobytes())

    def play(self, samples: Samples, volume: float) -> pygame.mixer.Channel | None:
        """Play now; returns None when all channels are busy. The amplitude is the square of the volume: ears judge
        loudness by ratios, so equal steps of the volume sound more equal."""
        sound = self._make_sound(samples)
        sound.set_volume(volume * volume)
        return sound.play()

    def wait_for_buffer_ns(self) -> int:
        """Wait until the mixer starts its next buffer, and return when. A sound of one silent sample ends as soon as
        its buffer is mixed, which shows that moment."""
        channel = self._silence.play()
        timeout_ns = time.monotonic_ns() + 4 * self.buffer_ns
        while channel is not None and channel.get_busy() and time.monotonic_ns() < timeout_ns:
            time.sleep(POLL_INTERVAL_S)
        return time.monotonic_ns()

    def play_at(self, sounds: list[tuple[int, Tone | Speech]], volume: float, delay_ns: int) -> None:
        """Play sounds so that each is heard at its time (ns). They are handed over as one sound, with silence in front,
        which starts in the mixer's next buffer; that one waits until the buffer before it has been played."""
        first_ns = _first_start_ns(sounds)
        while True:
            previous_ns, start_ns = self.wait_for_buffer_ns(), self.wait_for_buffer_ns()
            heard_ns = start_ns + 2 * self.buffer_ns + delay_ns
            can_retry = first_ns - heard_ns > RETRY_MARGIN_NS
            if can_retry and abs(start_ns - previous_ns - self.buffer_ns) > MAX_BUFFER_JITTER * self.buffer_ns:
                continue  # it is catching up on late buffers, so the start of the next one is uncertain
            timely = [
                (max(lead_ns(sound), at_ns - heard_ns), sound)
                for at_ns, sound in sounds
                if at_ns - lead_ns(sound) >= heard_ns - MAX_LATENESS_NS
            ]
            channel = self.play(mix_sounds(timely, self.rate_hz), volume) if timely else None
            if not can_retry or channel is None or time.monotonic_ns() - start_ns < self.buffer_ns:
                return
            channel.stop()  # too late for that buffer; it is still in the silent part, so nobody hears it


def _first_start_ns(sounds: Sequence[tuple[int, Tone | Speech]]) -> int:
    """Return when the first of the sounds starts, which are heard at their times."""
    return min(at_ns - lead_ns(sound) for at_ns, sound in sounds)


def open_mixer() -> str:
    """Open pygame's mixer and return the name of its audio driver. Raises SoundError."""
    allowed = pygame.AUDIO_ALLOW_FREQUENCY_CHANGE | pygame.AUDIO_ALLOW_CHANNELS_CHANGE
    try:
        pygame.mixer.init(SAMPLE_RATE_HZ, 32, 2, BUFFER_SAMPLES, allowedchanges=allowed)
    except pygame.error as error:
        raise SoundError(
            N("the sound device can't be opened ({why}): is another program using it?", why=str(error))
        ) from error
    return pygame.mixer.get_driver()


def missing_device_reason(env: Mapping[str, str] = os.environ, root: Path = Path("/")) -> LazyText | None:
    """Return why this machine has no sound device, or None if it is worth trying. The sound library would print many
    lines on standard error instead."""
    if env.get("SDL_AUDIODRIVER") or not (root / "proc").is_dir():
        return None
    runtime = Path(env.get("XDG_RUNTIME_DIR") or "/nowhere")
    has_server = env.get("PULSE_SERVER") or any((runtime / name).exists() for name in ("pulse/native", "pipewire-0"))
    if has_server or any((root / "dev" / "snd").glob("pcm*p")):
        return None
    return N("no loudspeaker was found: connect one")


class Loudspeaker(Sound):
    """Plays at ``volume`` (0 to 1). ``delay_ns`` is the output delay beyond the mixer's own buffers, as of a display or
    a Bluetooth loudspeaker. ``error`` says why nothing is heard, once that is known."""

    def __init__(self, volume: float = 1.0, delay_ns: int = 0) -> None:
        self.volume = volume
        self.delay_ns = delay_ns
        self.error: str | None = None
        self._immediate: list[Tone | Speech] = []
        self._scheduled: list[tuple[int, Tone | Speech]] = []
        self._silenced = self._stopped = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="sound", daemon=True)
        self._thread.start()

    @override
    def play(self, sound: Tone | Speech, at_ns: int | None = None) -> None:
        """``at_ns`` is on the machine's monotonic clock."""
        if self.error is not None or not self.volume:
            return
        with self._changed:
            if at_ns is None:
                self._immediate.append(sound)
            else:
                self._scheduled.append((at_ns, sound))
            self._changed.notify()

    @override
    def silence(self) -> None:
        with self._changed:
            self._immediate.clear()
            self._scheduled.clear()
            self._silenced = True
            self._changed.notify()

    @override
    def stop(self) -> None:
        """Does not wait for a device that hangs."""
        with self._changed:
            self._stopped = True
            self._changed.notify()
        self._thread.join(1.0)

    def _run(self) -> None:
        try:
            mixer = _Mixer()
        except SoundError as error:
            self.error = str(error)
            return
        with contextlib.suppress(pygame.error):  # the mixer may already be closed when the program ends
            while self._step(mixer):
                pass
        with contextlib.suppress(pygame.error):
            pygame.mixer.quit()

    def _step(self, mixer: _Mixer) -> bool:
        """Wait for a request and carry it out. Returns False once stopped."""
        with self._changed:
            if not (self._immediate or self._silenced or self._stopped):
                handover_ns = self._handover_ns()
                wait_s = None if handover_ns is None else max(0.0, (handover_ns - time.monotonic_ns()) / 1e9)
                self._changed.wait(wait_s)
            if self._stopped:
                return False
            immediate, silenced, due = self._immediate, self._silenced, self._take_due()
            self._immediate, self._silenced = [], False
        if silenced:
            pygame.mixer.stop()
        for sound in immediate:
            mixer.play(mix_sounds([(lead_ns(sound), sound)], mixer.rate_hz), self.volume)
        if due:
            mixer.play_at(due, self.volume, self.delay_ns)
        return True

    def _handover_ns(self) -> int | None:
        """Return when the first scheduled sound must be handed to the mixer."""
        if not self._scheduled:
            return None
        return _first_start_ns(self._scheduled) - self.delay_ns - HANDOVER_LEAD_NS

    def _take_due(self) -> list[tuple[int, Tone | Speech]]:
        """Take the sounds to hand over now: all scheduled ones if the first is due."""
        handover_ns = self._handover_ns()
        if handover_ns is None or handover_ns > time.monotonic_ns():
            return []
        due, self._scheduled = self._scheduled, []
        return due
