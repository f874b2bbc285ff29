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
from pathlib import Path

import numpy as np
import pygame
from typing_extensions import override

from device.sound.base import Samples, Sound, SoundError, Speech, Tone
from device.sound.tones import lead_ns, mix_sounds, render_music
from messages import LazyText, N

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
MUSIC_AFTER_NS = 2_000_000_000
"""The music begins this long after the last tone that has a time: after a count and the lock, nothing is judged by ear
any more."""
MUSIC_FOR_NS = 180_000_000_000
"""Without a count the music ends after this long: nobody plays."""
MUSIC_FADE_IN_MS, MUSIC_FADE_OUT_MS = 2_000, 400
"""The fade-out is shorter than what comes before the first word of a count."""


class _Mixer:
    """pygame's mixer, opened. Raises SoundError."""

    def __init__(self) -> None:
        if reason := missing_device_reason():
            raise SoundError(reason)
        open_mixer()
        self.rate_hz, _, self.channels = pygame.mixer.get_init() or (SAMPLE_RATE_HZ, 32, 2)
        self.buffer_ns = BUFFER_SAMPLES * 1_000_000_000 // self.rate_hz
        self._silence = self._make_sound(np.zeros(1, np.float32))
        self._music: pygame.mixer.Sound | None = None
        self._music_volume = 0.0
        pygame.mixer.set_reserved(1)

    def _make_sound(self, samples: Samples) -> pygame.mixer.Sound:
        channels = np.repeat(samples[:, None], self.channels, axis=1)
        return pygame.mixer.Sound(buffer=channels.tobytes())

    def play(self, samples: Samples, volume: float) -> pygame.mixer.Channel | None:
        """Play now; returns None when all channels are busy. The amplitude is the square of the volume: ears judge
        loudness by ratios, so equal steps of the volume sound more equal."""
        sound = self._make_sound(samples)
        sound.set_volume(volume * volume)
        return sound.play()

    def add_music(self, samples: Samples) -> None:
        """Take the music; until then none is played."""
        self._music = self._make_sound(samples)

    def play_music(self, volume: float) -> None:
        """Play the music, which is repeated, at ``volume`` from now on; 0: none."""
        if volume == self._music_volume or self._music is None:
            return
        if not volume:
            self._music.fadeout(MUSIC_FADE_OUT_MS)
        else:
            self._music.set_volume(volume * volume)  # a channel's would be lost while it fades in
            if not self._music_volume:
                pygame.mixer.Channel(0).play(self._music, loops=-1, fade_ms=MUSIC_FADE_IN_MS)
        self._music_volume = volume

    def silence(self) -> None:
        """Stop everything that is heard."""
        pygame.mixer.stop()
        self._music_volume = 0.0

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
            N("the sound device can’t be opened ({why}): is another program using it?", why=str(error))
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
    """Plays at ``volume`` (0 to 1), with music of ``music_volume`` (0 to 1, of that volume) between the counts, during
    which it is silent. ``delay_ns`` is the output delay beyond the mixer's own buffers, as of a display or a Bluetooth
    loudspeaker. ``error`` says why nothing is heard, once that is known."""

    def __init__(self, volume: float = 1.0, delay_ns: int = 0, music_volume: float = 0.0) -> None:
        self._volume = volume
        self._music_volume = music_volume
        self.delay_ns = delay_ns
        self.error: str | None = None
        self._rendered_music: Samples | None = None
        """The music that the mixer doesn't have yet."""
        self._immediate: list[Tone | Speech] = []
        self._scheduled: list[tuple[int, Tone | Speech]] = []
        self._silenced = self._stopped = False
        self._music_from_ns = time.monotonic_ns()
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="sound", daemon=True)
        self._thread.start()

    @property
    @override
    def volume(self) -> float:
        return self._volume

    @volume.setter
    def volume(self, volume: float) -> None:
        with self._changed:
            self._volume = volume
            self._changed.notify()

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
                self._music_from_ns = max(self._music_from_ns, at_ns + MUSIC_AFTER_NS)
            self._changed.notify()

    @override
    def silence(self) -> None:
        with self._changed:
            self._immediate.clear()
            self._scheduled.clear()
            self._silenced = True
            self._music_from_ns = time.monotonic_ns() + MUSIC_AFTER_NS
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
        if self._music_volume:
            threading.Thread(target=self._render_music, args=(mixer.rate_hz,), name="music", daemon=True).start()
        with contextlib.suppress(pygame.error):  # the mixer may already be closed when the program ends
            while self._step(mixer):
                pass
        with contextlib.suppress(pygame.error):
            pygame.mixer.quit()

    def _render_music(self, rate_hz: int) -> None:
        """Render the music, which takes a slow machine longer than a count may wait. The mixer, which may be closed
        meanwhile, is left to its own thread."""
        samples = render_music(rate_hz)
        with self._changed:
            self._rendered_music = samples
            self._changed.notify()

    def _step(self, mixer: _Mixer) -> bool:
        """Wait for a request and carry it out. Returns False once stopped."""
        with self._changed:
            if self._rendered_music is not None:
                mixer.add_music(self._rendered_music)
                self._rendered_music = None
            now_ns = time.monotonic_ns()
            is_musical = not self._stopped and self._music_from_ns <= now_ns < self._music_from_ns + MUSIC_FOR_NS
            mixer.play_music(self.volume * self._music_volume if is_musical else 0.0)
            if not (self._immediate or self._silenced or self._stopped):
                self._changed.wait(self._wait_s(now_ns))
            if self._stopped:
                return False
            immediate, silenced, due = self._immediate, self._silenced, self._take_due()
            self._immediate, self._silenced = [], False
        if silenced:
            mixer.silence()
        for sound in immediate:
            mixer.play(mix_sounds([(lead_ns(sound), sound)], mixer.rate_hz), self.volume)
        if due:
            mixer.play_at(due, self.volume, self.delay_ns)
        return True

    def _wait_s(self, now_ns: int) -> float | None:
        """Return how long there is nothing to do if nobody asks for anything; None: for ever."""
        music_ns = (self._music_from_ns, self._music_from_ns + MUSIC_FOR_NS) if self._music_volume else ()
        times = [at_ns - now_ns for at_ns in music_ns if at_ns > now_ns]
        if (handover_ns := self._handover_ns()) is not None:
            times.append(max(0, handover_ns - now_ns))
        return min(times) / 1e9 if times else None

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
