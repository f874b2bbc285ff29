"""A ring buffer of frames, limited by age and by memory, and the cameras that fill one."""

import threading
from abc import abstractmethod
from collections import deque
from collections.abc import Sequence

from typing_extensions import override

from device.camera.base import Camera, CameraError
from device.camera.frames import BufferedFrame, Frame, Size
from device.system.clock import Clock
from messages import N

STALL_TIMEOUT_NS = 1_000_000_000
"""Without a frame for this long, the camera has stopped."""


class FrameRingBuffer:
    """The frames of the last ``max_age_ns`` within ``max_bytes``. One thread adds, others read."""

    def __init__(self, max_age_ns: int = 4_000_000_000, max_bytes: int = 600_000_000) -> None:
        self._max_age_ns = max_age_ns
        self._max_bytes = max_bytes
        self._bytes = 0
        self._frames: deque[BufferedFrame] = deque()
        self._lock = threading.Lock()
        self._next_number = 0
        self._last_stamp_ns: int | None = None
        self.dropped = 0
        """Frames that were missing in the numbers given."""

    def next_number(self, stamp_ns: int, fps: float) -> int | None:
        """Return the number of the next frame, stamped ``stamp_ns``, of a camera with ``fps`` frames a second; None for
        one no newer than the last. A gap of more than 1.5 frame times is dropped frames."""
        if self._last_stamp_ns is not None:
            if stamp_ns <= self._last_stamp_ns:
                return None
            missed = max(0, round((stamp_ns - self._last_stamp_ns) * fps / 1e9) - 1)
            self.dropped += missed
            self._next_number += missed
        self._last_stamp_ns = stamp_ns
        number, self._next_number = self._next_number, self._next_number + 1
        return number

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


class RecordingCamera(Camera):
    """A camera that a thread of its own records into a ring buffer, a new one at every start. After ``start``, ``size``
    and ``fps`` are what the camera really delivers, which may differ from what was requested."""

    def __init__(self, name: str, clock: Clock, size: Size, fps: float) -> None:
        self.name, self.size, self.fps = name, size, fps
        self._requested = (size, fps)
        self._clock = clock
        self._ring = FrameRingBuffer()

    @property
    @abstractmethod
    def _is_running(self) -> bool:
        """Whether frames are still being recorded."""

    @property
    @override
    def dropped(self) -> int:
        return self._ring.dropped

    @override
    def latest(self) -> Frame:
        frame = self._ring.latest() if self._is_running else None
        if frame is None or self._clock.now_ns() - frame.exposed_ns > STALL_TIMEOUT_NS:
            raise CameraError(
                N("camera {name} has stopped sending images: check its cable and start again", name=self.name)
            )
        return frame

    @override
    def frames_between(self, since_ns: int, until_ns: int) -> Sequence[Frame]:
        self.latest()
        return self._ring.between(since_ns, until_ns)
