"""A simulated sound card: what the real loudspeaker's mixer gives to it, it takes up at the pace of a card, and tells
when every sample would be heard. For tests and for ``python -m tools.bench.cue``::

    with SoundCard(Path("/tmp/card")) as card:
        sound = Loudspeaker(delay_ns=card.held_ns)
        ...
        sound.stop()
        card.heard().times_ns()
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

from device.sound.loudspeaker import BUFFER, RATE
from device.sound.sound import SoundError
from device.system.clock import SteadyClock

CHANNELS = 2
PIECE = BUFFER * CHANNELS * 4
"""Bytes of a piece of the mixer's, which the card takes up at once. Samples are floats."""
QUIET = RATE // 50
"""Samples without any sound, in a row, between two tones."""


@dataclass(frozen=True)
class Recording:
    """What a card played: ``samples`` (samples, channels), the first of them at ``since_ns`` of the monotonic clock.
    The pieces (from 0) that ``lacked`` were not there in time, and silence was played."""

    since_ns: int
    samples: NDArray[np.float32]
    lacked: tuple[int, ...]

    def made(self) -> NDArray[np.float32]:
        """What the mixer made of it: (samples, channels), without the silence of pieces that lacked."""
        pieces = self.samples.reshape(-1, BUFFER, CHANNELS)
        return np.delete(pieces, self.lacked, axis=0).reshape(-1, CHANNELS)

    def times_ns(self) -> list[int]:
        """When every tone that has silence before it in what the mixer made was heard."""
        kept = np.delete(np.arange(len(self.samples) // BUFFER), self.lacked)
        heard = [int(kept[sample // BUFFER]) * BUFFER + sample % BUFFER for sample in begins(self.made())]
        return [self.since_ns + sample * 1_000_000_000 // RATE for sample in heard]


def begins(samples: NDArray[np.float32]) -> list[int]:
    """The first of ``samples`` (samples, channels) of every tone that has silence before it: a zero, as every tone's
    is."""
    sounding = np.flatnonzero(samples.any(axis=1))
    new = np.diff(sounding, prepend=-QUIET - 1) > QUIET
    return [max(0, int(sample) - 1) for sample in sounding[new]]


class SoundCard:
    """A card that holds two pieces: one is heard, one waits. SDL's driver that writes to a file writes to it, through a
    pipe at ``path``; while it is open, every mixer of this process plays on it. A card is never late: so it is a
    process of its own, and goes before all others where it may."""

    rate = RATE
    held_ns = 2 * BUFFER * 1_000_000_000 // RATE
    """How much longer than ``Loudspeaker`` reckons with a piece is held: one waits in the pipe, one in SDL's file."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self._path = path
        self._env = {"SDL_AUDIODRIVER": "disk", "SDL_DISKAUDIOFILE": str(path), "SDL_DISKAUDIODELAY": "0"}
        self._before = {name: os.environ.get(name) for name in self._env}

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "device.simulated.sound_card", str(self._path)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        if self._process.stdout is None or not self._process.stdout.readline():
            raise SoundError("the simulated sound card did not start")
        os.environ.update(self._env)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()
        for name, value in self._before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value

    def wait_until(self, when_ns: int) -> None:
        """Return once all that is heard until ``when_ns`` has been taken up."""
        SteadyClock().wait_until(when_ns + 2 * self.held_ns)

    def heard(self) -> Recording:
        """What was played. Stop the loudspeaker first; the card plays no more."""
        self._process.communicate()
        with np.load(self._path.with_suffix(".npz")) as told:
            return Recording(int(told["since_ns"]), told["samples"], tuple(map(int, told["lacked"])))


def play(path: Path, stop: int) -> None:
    """Be the card of the pipe at ``path`` until ``stop`` (a file descriptor) can be read: take up a piece every
    ``BUFFER`` samples, counted from the first, whether it is there or not. Then write down what was played."""
    pipe = os.open(path, os.O_RDWR)
    fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, PIECE)
    print("ready", flush=True)
    first, _, _ = select.select([pipe, stop], [], [])
    since_ns, lacked, pieces = time.monotonic_ns(), list[int](), list[bytes]()
    clock = SteadyClock()
    while stop not in first:
        clock.wait_until(since_ns + len(pieces) * BUFFER * 1_000_000_000 // RATE)
        first, _, _ = select.select([pipe, stop], [], [], 0)
        if pipe in first:
            pieces.append(os.read(pipe, PIECE).ljust(PIECE, b"\0"))
        else:
            lacked.append(len(pieces))
            pieces.append(bytes(PIECE))
    samples = np.frombuffer(b"".join(pieces), np.float32).reshape(-1, CHANNELS)
    np.savez(path.with_suffix(".npz"), since_ns=since_ns, samples=samples, lacked=np.array(lacked, np.int64))


if __name__ == "__main__":
    with contextlib.suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    play(Path(sys.argv[1]), sys.stdin.fileno())
