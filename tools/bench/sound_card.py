"""A simulated sound card. It consumes the mixer's output at the pace of a real card and records when each sample would
be heard. For tests and ``python -m tools.bench.cue``::

    with SimulatedSoundCard(Path("/tmp/card")) as card:
        sound = Loudspeaker(delay_ns=card.extra_latency_ns)
        ...
        sound.stop()
        card.recording().tone_times_ns()
"""

import contextlib
import fcntl
import os
import select
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
from numpy.typing import NDArray

from device.sound.base import SoundError
from device.sound.loudspeaker import BUFFER_SAMPLES, SAMPLE_RATE_HZ
from device.system.clock import MonotonicClock

CHANNELS = 2
BUFFER_BYTES = BUFFER_SAMPLES * CHANNELS * 4
"""Size of a mixer buffer, which the card consumes as a whole. Samples are 32-bit floats."""
MIN_SILENCE_SAMPLES = SAMPLE_RATE_HZ // 50
"""Shortest silence that separates two tones."""


@dataclass(frozen=True)
class CardRecording:
    """What a sound card played."""

    start_ns: int
    """When the first sample was played, on the monotonic clock."""
    samples: NDArray[np.float32]
    """The samples (samples, channels)."""
    underruns: tuple[int, ...]
    """The buffers, counted from 0, for which no data arrived in time, so that silence was played."""

    def mixer_output(self) -> NDArray[np.float32]:
        """Return what the mixer delivered: (samples, channels), without the underruns."""
        buffers = self.samples.reshape(-1, BUFFER_SAMPLES, CHANNELS)
        return np.delete(buffers, self.underruns, axis=0).reshape(-1, CHANNELS)

    def tone_times_ns(self) -> list[int]:
        """Return when each tone after a silence in the mixer's output was heard."""
        delivered = np.delete(np.arange(len(self.samples) // BUFFER_SAMPLES), self.underruns)
        heard = [
            int(delivered[sample // BUFFER_SAMPLES]) * BUFFER_SAMPLES + sample % BUFFER_SAMPLES
            for sample in tone_starts(self.mixer_output())
        ]
        return [self.start_ns + sample * 1_000_000_000 // SAMPLE_RATE_HZ for sample in heard]


def tone_starts(samples: NDArray[np.float32]) -> list[int]:
    """Return the index of the first sample of each tone after a silence, in ``samples`` (samples, channels). It is a
    zero, as every tone starts with one."""
    sounding = np.flatnonzero(samples.any(axis=1))
    starts_tone = np.diff(sounding, prepend=-MIN_SILENCE_SAMPLES - 1) > MIN_SILENCE_SAMPLES
    return [max(0, int(sample) - 1) for sample in sounding[starts_tone]]


class SimulatedSoundCard:
    """A card with two buffers: one is heard, one waits. SDL's disk driver writes to it through a pipe at ``path``;
    while it is open, every mixer of this process plays on it. Since a card is never late, it is a process of its own,
    with real-time priority where allowed."""

    rate_hz = SAMPLE_RATE_HZ
    extra_latency_ns = 2 * BUFFER_SAMPLES * 1_000_000_000 // SAMPLE_RATE_HZ
    """Latency beyond what ``Loudspeaker`` assumes: one buffer waits in the pipe, one in SDL's file."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self._path = path
        self._env = {"SDL_AUDIODRIVER": "disk", "SDL_DISKAUDIOFILE": str(path), "SDL_DISKAUDIODELAY": "0"}
        self._saved_env = {name: os.environ.get(name) for name in self._env}

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "tools.bench.sound_card", str(self._path)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        if self._process.stdout is None or not self._process.stdout.readline():
            raise SoundError("the simulated sound card did not start")
        os.environ.update(self._env)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()
        for name, value in self._saved_env.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value

    def wait_until(self, when_ns: int) -> None:
        """Wait until everything heard before ``when_ns`` has been consumed."""
        MonotonicClock().wait_until(when_ns + 2 * self.extra_latency_ns)

    def recording(self) -> CardRecording:
        """Stop the card and return what it played. Stop the loudspeaker first."""
        self._process.communicate()
        with np.load(self._path.with_suffix(".npz")) as saved:
            return CardRecording(int(saved["start_ns"]), saved["samples"], tuple(map(int, saved["underruns"])))


def run_card(path: Path, stop: int) -> None:
    """Act as the card of the pipe at ``path`` until ``stop`` (a file descriptor) becomes readable: consume a buffer
    every ``BUFFER_SAMPLES``, counted from the first, whether it is there or not. Then save what was played."""
    pipe = os.open(path, os.O_RDWR)
    fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, BUFFER_BYTES)
    print("ready", flush=True)
    readable, _, _ = select.select([pipe, stop], [], [])
    start_ns, underruns, buffers = time.monotonic_ns(), list[int](), list[bytes]()
    clock = MonotonicClock()
    while stop not in readable:
        clock.wait_until(start_ns + len(buffers) * BUFFER_SAMPLES * 1_000_000_000 // SAMPLE_RATE_HZ)
        readable, _, _ = select.select([pipe, stop], [], [], 0)
        if pipe in readable:
            buffers.append(os.read(pipe, BUFFER_BYTES).ljust(BUFFER_BYTES, b"\0"))
        else:
            underruns.append(len(buffers))
            buffers.append(bytes(BUFFER_BYTES))
    samples = np.frombuffer(b"".join(buffers), np.float32).reshape(-1, CHANNELS)
    np.savez(path.with_suffix(".npz"), start_ns=start_ns, samples=samples, underruns=np.array(underruns, np.int64))


if __name__ == "__main__":
    with contextlib.suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    run_card(Path(sys.argv[1]), sys.stdin.fileno())
