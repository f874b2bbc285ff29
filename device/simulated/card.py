"""A simulated sound card: what the real loudspeaker's mixer gives to it, it takes up at the pace of a card, and tells
when every sample would be heard. For tests and for ``python -m referee.bench_cue``::

    with SoundCard(Path("/tmp/card")) as card:
        sound = Loudspeaker()
        ...
        sound.stop()
    card.heard().times_ns()
"""

import fcntl
import os
import select
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
from numpy.typing import NDArray

from device.loudspeaker import BUFFER, RATE

CHANNELS = 2
PIECE = BUFFER * CHANNELS * 4
"""Bytes of a piece of the mixer's, which the card takes up at once. Samples are floats."""
QUIET = RATE // 50
"""Samples without any sound, in a row, between two tones."""


@dataclass(frozen=True)
class Recording:
    """What a card played: ``samples`` (samples, channels), the first of them at ``since_ns`` of the monotonic clock.
    ``lacked`` pieces were not there in time, and silence was played."""

    since_ns: int
    samples: NDArray[np.float32]
    lacked: int

    def begins(self) -> list[int]:
        """The first sample of every tone that has silence before it: a zero, as every tone's is."""
        sounding = np.flatnonzero(self.samples.any(axis=1))
        if not len(sounding):
            return []
        new = np.diff(sounding, prepend=-QUIET - 1) > QUIET
        return [max(0, int(sample) - 1) for sample in sounding[new]]

    def times_ns(self) -> list[int]:
        """When every tone that has silence before it was heard."""
        return [self.since_ns + sample * 1_000_000_000 // RATE for sample in self.begins()]


class SoundCard:
    """A card that holds two pieces: one is heard, one waits. SDL's driver that writes to a file writes to it, through a
    pipe at ``path``; while it is open, every mixer of this process plays on it."""

    rate = RATE
    held_ns = BUFFER * 1_000_000_000 // RATE
    """How much longer than ``Loudspeaker`` reckons with a piece is held here: the ``delay_ns`` to give to it."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self._path = path
        self._pipe = os.open(path, os.O_RDWR)
        fcntl.fcntl(self._pipe, fcntl.F_SETPIPE_SZ, PIECE)
        self._pieces: list[bytes] = []
        self._since_ns = 0
        self._lacked = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._play, name="card", daemon=True)
        self._env = {"SDL_AUDIODRIVER": "disk", "SDL_DISKAUDIOFILE": str(path), "SDL_DISKAUDIODELAY": "0"}
        self._before = {name: os.environ.get(name) for name in self._env}

    def __enter__(self) -> Self:
        os.environ.update(self._env)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()
        os.close(self._pipe)
        self._path.unlink()
        for name, value in self._before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value

    def wait_until(self, when_ns: int) -> None:
        """Return once all that is heard until ``when_ns`` has been taken up."""
        while (left := when_ns + 2 * self.held_ns - time.monotonic_ns()) > 0:
            time.sleep(left / 1e9)

    def heard(self) -> Recording:
        """What has been played so far."""
        flat = np.frombuffer(b"".join(list(self._pieces)), np.float32)
        return Recording(self._since_ns, flat.reshape(-1, CHANNELS), self._lacked)

    def _play(self) -> None:
        """Take up a piece every ``BUFFER`` samples, counted from the first, whether it is there or not."""
        while not self._stop.is_set():
            if self._pieces:
                due_ns = self._since_ns + len(self._pieces) * BUFFER * 1_000_000_000 // RATE
                self._stop.wait(max(0, due_ns - time.monotonic_ns()) / 1e9)
            there, _, _ = select.select([self._pipe], [], [], 0 if self._pieces else 0.1)
            if there and not self._pieces:
                self._since_ns = time.monotonic_ns()
            if there:
                self._pieces.append(os.read(self._pipe, PIECE).ljust(PIECE, b"\0"))
            elif self._pieces:
                self._pieces.append(bytes(PIECE))
                self._lacked += 1
