"""A ring buffer of frames, limited by age and by memory."""

import threading
from collections import deque
from collections.abc import Sequence

from device.camera.frames import BufferedFrame, Frame


class FrameRingBuffer:
    """The frames of the last ``max_age_ns`` within ``max_bytes``. One thread adds, others read."""

    def __init__(self, max_age_ns: int = 4_000_000_000, max_bytes: int = 600_000_000) -> None:
        self._max_age_ns = max_age_ns
        self._max_bytes = max_bytes
        self._bytes = 0
        self._frames: deque[BufferedFrame] = deque()
        self._lock = threading.Lock()

    def add(self, frame: BufferedFrame) -> None:
        """Add a frame and drop those beyond the limits."""
        with self._lock:
            self._frames.append(frame)
            self._bytes += frame.nbytes
            oldest = frame.exposed_ns - self._max_age_ns
            while len(self._frames) > 1 and (self._bytes > self._max_bytes or self._frames[0].exposed_ns < oldest):
                self._bytes -= self._frames.popleft().nbytes

    def latest(self) -> BufferedFrame | None:
        """Return the newest frame, if any."""
        with self._lock:
            return self._frames[-1] if self._frames else None

    def between(self, since_ns: int, until_ns: int) -> Sequence[Frame]:
        """Return the frames exposed from ``since_ns`` to ``until_ns``, oldest first."""
        with self._lock:
            return [frame for frame in self._frames if since_ns <= frame.exposed_ns <= until_ns]
