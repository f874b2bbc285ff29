"""The ring of frames: the last seconds of exposures in order of time, kept within a time and a memory limit."""

import threading
from collections import deque
from collections.abc import Sequence

from device.camera.frames import Frame, KeptFrame


class Ring:
    """Frames of the last ``keep_ns`` within ``budget`` bytes; one thread adds, others read."""

    def __init__(self, keep_ns: int = 4_000_000_000, budget: int = 600_000_000) -> None:
        self._keep_ns = keep_ns
        self._budget = budget
        self._bytes = 0
        self._frames: deque[KeptFrame] = deque()
        self._lock = threading.Lock()

    def add(self, frame: KeptFrame) -> None:
        """Keep ``frame`` and forget what is too old or too much."""
        with self._lock:
            self._frames.append(frame)
            self._bytes += frame.nbytes
            oldest = frame.exposed_ns - self._keep_ns
            while len(self._frames) > 1 and (self._bytes > self._budget or self._frames[0].exposed_ns < oldest):
                self._bytes -= self._frames.popleft().nbytes

    def latest(self) -> KeptFrame | None:
        """The newest frame, if any."""
        with self._lock:
            return self._frames[-1] if self._frames else None

    def between(self, since_ns: int, until_ns: int) -> Sequence[Frame]:
        """The frames from ``since_ns`` to ``until_ns``, in order of time."""
        with self._lock:
            return [frame for frame in self._frames if since_ns <= frame.exposed_ns <= until_ns]
