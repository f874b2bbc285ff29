"""A real loudspeaker, through pygame's mixer. What is to be played is handed to a thread of its own, so that neither a
match nor a window ever waits for the sound device::

    sound = Loudspeaker(volume=0.8, delay_ns=20_000_000)
    sound.play(Tone.IN)
    sound.play(Tone.SHOOT, at_ns=cue_ns)
"""

import contextlib
import os
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pygame

from device.sound.sound import SoundError, Tone
from device.sound.synth import Samples, laid_out

RATE = 48_000
"""Samples a second that the mixer is asked for; it may have another."""
BUFFER = 512
"""Samples that the mixer prepares at once. It begins a sound only where such a piece begins."""
LEAD_NS = 500_000_000
"""How long before a tone's time the sound device is given it, with all that is to follow it."""
SPARE_NS = 100_000_000
"""How long before the first tone it is no longer tried to find just when the mixer begins a piece."""
STEADY = 0.25
"""By how much of a piece two of them may follow each other too soon or too late in a mixer that keeps its pace."""
GLANCE_S = 0.0003
"""Between two looks at whether the mixer has taken up its next piece."""
LATE_NS = 30_000_000
"""A tone that can be heard no more than this after its time is still played; a later one would only mislead."""


class _Mixer:
    """pygame's mixer, opened. Raises SoundError."""

    def __init__(self) -> None:
        if why := no_device():
            raise SoundError(why)
        mixer_opened()
        self.rate, _, self.channels = pygame.mixer.get_init() or (RATE, 32, 2)
        self.piece_ns = BUFFER * 1_000_000_000 // self.rate
        self._tick = self._sound(np.zeros(1, np.float32))

    def _sound(self, samples: Samples) -> pygame.mixer.Sound:
        every = np.repeat(samples[:, None], self.channels, axis=1)
        return pygame.mixer.Sound(buffer=every.tobytes())

    def play(self, samples: Samples, volume: float) -> pygame.mixer.Channel | None:
        """Play at once; None where too much is played already. The amplitude is the volume's square: ears tell loudness
        by ratios, so even steps of the volume are heard as more even ones."""
        sound = self._sound(samples)
        sound.set_volume(volume * volume)
        return sound.play()

    def taken_up_ns(self) -> int:
        """Wait until the mixer begins its next piece, and tell when it did: a sound of one silent sample is over as
        soon as the piece it stands in is made."""
        channel = self._tick.play()
        until = time.monotonic_ns() + 4 * self.piece_ns
        while channel is not None and channel.get_busy() and time.monotonic_ns() < until:
            time.sleep(GLANCE_S)
        return time.monotonic_ns()

    def play_at(self, tones: list[tuple[int, Tone]], volume: float, delay_ns: int) -> None:
        """Play tones so that each is heard at its time (ns). They begin, after the silence that is left until then,
        with the piece that the mixer makes next, which waits for the one before it to be played."""
        first_ns = min(at_ns for at_ns, _ in tones)
        while True:
            before_ns, began_ns = self.taken_up_ns(), self.taken_up_ns()
            heard_ns = began_ns + 2 * self.piece_ns + delay_ns
            may_wait = first_ns - heard_ns > SPARE_NS
            if may_wait and abs(began_ns - before_ns - self.piece_ns) > STEADY * self.piece_ns:
                continue  # it makes up for pieces that were late: when the next one begins can't be told
            timely = [(max(0, at_ns - heard_ns), tone) for at_ns, tone in tones if at_ns >= heard_ns - LATE_NS]
            channel = self.play(laid_out(timely, self.rate), volume) if timely else None
            if not may_wait or channel is None or time.monotonic_ns() - began_ns < self.piece_ns:
                return
            channel.stop()  # too late for that piece: still silent, so nobody hears it


def mixer_opened() -> str:
    """Open pygame's mixer. Returns the name of the driver that it plays through; raises SoundError."""
    allowed = pygame.AUDIO_ALLOW_FREQUENCY_CHANGE | pygame.AUDIO_ALLOW_CHANNELS_CHANGE
    try:
        pygame.mixer.init(RATE, 32, 2, BUFFER, allowedchanges=allowed)
    except pygame.error as error:
        raise SoundError(f"the sound device can't be opened ({error}): is another program using it?") from error
    return pygame.mixer.get_driver()


def no_device(env: Mapping[str, str] = os.environ, root: Path = Path("/")) -> str | None:
    """Why there can't be any sound on this machine, if that is plain to see; None where it is worth trying. The sound
    library would say so too, in many lines on standard error."""
    if env.get("SDL_AUDIODRIVER") or not (root / "proc").is_dir():
        return None
    runtime = Path(env.get("XDG_RUNTIME_DIR") or "/nowhere")
    served = env.get("PULSE_SERVER") or any((runtime / name).exists() for name in ("pulse/native", "pipewire-0"))
    if served or any((root / "dev" / "snd").glob("pcm*p")):
        return None
    return "no sound device here (no /dev/snd/pcm*, no PulseAudio or PipeWire)"


@dataclass
class _Wanted:
    """What is still to be played."""

    now: list[Tone] = field(default_factory=list)
    later: list[tuple[int, Tone]] = field(default_factory=list)
    hushed: bool = False
    stopped: bool = False


class Loudspeaker:
    """Plays at ``volume`` (0 to 1). ``delay_ns`` is what the way from the mixer to the ear takes beyond the mixer's own
    piece: a display's or a Bluetooth loudspeaker's delay. ``fault`` says why nothing is heard, once that is known."""

    def __init__(self, volume: float = 1.0, delay_ns: int = 0) -> None:
        self.volume = volume
        self.delay_ns = delay_ns
        self.fault: str | None = None
        self._wanted = _Wanted()
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._serve, name="sound", daemon=True)
        self._thread.start()

    def play(self, tone: Tone, at_ns: int | None = None) -> None:
        """See Sound. ``at_ns`` is of the machine's monotonic clock."""
        if self.fault is not None or not self.volume:
            return
        with self._changed:
            if at_ns is None:
                self._wanted.now.append(tone)
            else:
                self._wanted.later.append((at_ns, tone))
            self._changed.notify()

    def hush(self) -> None:
        """See Sound."""
        with self._changed:
            self._wanted.now.clear()
            self._wanted.later.clear()
            self._wanted.hushed = True
            self._changed.notify()

    def stop(self) -> None:
        """See Sound. A device that hangs is left behind."""
        with self._changed:
            self._wanted.stopped = True
            self._changed.notify()
        self._thread.join(1.0)

    def _serve(self) -> None:
        try:
            mixer = _Mixer()
        except SoundError as fault:
            self.fault = str(fault)
            return
        with contextlib.suppress(pygame.error):  # somebody else may close the mixer when the program ends
            while self._step(mixer):
                pass
        with contextlib.suppress(pygame.error):
            pygame.mixer.quit()

    def _step(self, mixer: _Mixer) -> bool:
        """Wait for something to do, and do it. Whether to go on."""
        with self._changed:
            if not self._any():
                self._changed.wait(self._rest_s())
            wanted = self._wanted
            if wanted.stopped:
                return False
            now, hushed, due = wanted.now, wanted.hushed, self._due()
            wanted.now, wanted.hushed = [], False
        if hushed:
            pygame.mixer.stop()
        for tone in now:
            mixer.play(laid_out([(0, tone)], mixer.rate), self.volume)
        if due:
            mixer.play_at(due, self.volume, self.delay_ns)
        return True

    def _any(self) -> bool:
        return bool(self._wanted.now or self._wanted.hushed or self._wanted.stopped)

    def _begins_ns(self) -> int | None:
        """When the device must be given the first of the tones that have a time."""
        first_ns = min((at_ns for at_ns, _ in self._wanted.later), default=None)
        return None if first_ns is None else first_ns - self.delay_ns - LEAD_NS

    def _rest_s(self) -> float | None:
        begins_ns = self._begins_ns()
        return None if begins_ns is None else max(0.0, (begins_ns - time.monotonic_ns()) / 1e9)

    def _due(self) -> list[tuple[int, Tone]]:
        """The tones to give to the device now: if the first one's time has come, all."""
        begins_ns = self._begins_ns()
        if begins_ns is None or begins_ns > time.monotonic_ns():
            return []
        due, self._wanted.later = self._wanted.later, []
        return due
