"""A USB camera through OpenCV: a thread fills the ring, every frame with the driver's own time stamp.

camera = UsbCamera(0, clock=SteadyClock())
camera.start()
clock.wait_until(clock.now_ns() + 1_000_000_000)
print(camera.latest().size, camera.fps)
camera.stop()
"""

import threading
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import cv2

from device.camera.base import CameraError
from device.camera.frames import Frame, Size, StoredFrame
from device.camera.opencv_logging import quiet_opencv
from device.camera.ring_buffer import Ring
from device.system.clock import Clock

STALLED_NS = 1_000_000_000
"""No frame for so long means that the camera has stopped."""

BROKEN = 10
"""Broken pictures in a row that mean that the camera is gone: one that is unplugged fails at once, again and again."""
STUCK_S = 2.0
"""A driver that takes longer for a picture hangs."""
MOST = 9999
"""No machine has so many cameras, and OpenCV counts in C."""


class Capture(Protocol):
    """The part of ``cv2.VideoCapture`` that is used, so that a twin can stand in for it."""

    def isOpened(self) -> bool:  # noqa: N802 (OpenCV's name)
        """Whether the device is open."""

    def get(self, prop: int) -> float:
        """A property's value."""

    def set(self, prop: int, value: float) -> bool:
        """Set a property."""

    def read(self) -> tuple[bool, Any]:
        """The next frame, waiting for it."""

    def release(self) -> None:
        """Close the device."""


def open_capture(index: int) -> Capture:
    """The machine's camera ``index`` through Video4Linux, or whatever OpenCV has elsewhere."""
    quiet_opencv()
    return cv2.VideoCapture(min(index, MOST), cv2.CAP_ANY)


class UsbCamera:
    """Camera ``index`` of this machine, asked for ``size`` at ``fps``; it may give others and then says so in its
    ``size`` and ``fps`` after ``start``.

    A frame's time is the driver's stamp where it lies on the clock (Video4Linux stamps with the monotonic clock when
    the frame has been read out), else its arrival. Either is some ms after the exposure's middle, the same for every
    seat, so it moves no difference between seats.
    """

    def __init__(
        self,
        index: int,
        clock: Clock,
        size: Size = (1280, 720),
        fps: float = 60.0,
        opened: Callable[[int], Capture] = open_capture,
    ) -> None:
        self.index = index
        self.size = size
        self.fps = fps
        self.dropped = 0
        self._asked = (size, fps)
        self._clock = clock
        self._open = opened
        self._filling: Filling | None = None

    def start(self) -> None:
        """See Camera. Raises CameraError when there is no such camera or it gives no picture."""
        self.stop()
        capture = self._open(self.index)
        if not capture.isOpened():
            capture.release()
            raise CameraError(
                f"no camera usb:{self.index}: plug one in, try another number, or play with --camera simulated"
            )
        (wide, high), fps = self._asked
        # Motion JPEG: most USB cameras reach 720p at full rate only with it.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, wide)
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, high)
        capture.set(cv2.CAP_PROP_FPS, fps)
        got, picture = capture.read()
        if not got:
            capture.release()
            raise CameraError(f"camera usb:{self.index} gives no picture: is another program using it? Replug it")
        self.size = (picture.shape[1], picture.shape[0])
        self.fps = capture.get(cv2.CAP_PROP_FPS) or fps
        self.dropped = 0
        self._filling = Filling(capture, self._clock, self.fps, f"usb:{self.index}", self._missed)
        self._filling.keep(picture)
        self._filling.start()

    def stop(self) -> None:
        """See Camera."""
        if self._filling is not None:
            self._filling.stop()

    def _missed(self, frames: int) -> None:
        self.dropped += frames

    def latest(self) -> Frame:
        """See Camera."""
        frame = self._filling.ring.latest() if self._filling and self._filling.runs else None
        if frame is None or self._clock.now_ns() - frame.exposed_ns > STALLED_NS:
            raise CameraError(f"camera usb:{self.index} has stopped giving pictures: check its cable and start again")
        return frame

    def ring(self, since_ns: int, until_ns: int) -> Sequence[Frame]:
        """See Camera."""
        self.latest()
        return self._filling.ring.between(since_ns, until_ns) if self._filling else ()


class Filling:
    """One run of a camera, from a start to a stop: the thread that reads it, and the ring it fills. The thread owns the
    capture, so that a driver that hangs is left alone instead of being closed under its hands."""

    def __init__(self, capture: Capture, clock: Clock, fps: float, name: str, missed: Callable[[int], None]) -> None:
        self.ring = Ring()
        self._missed = missed
        self._capture = capture
        self._clock = clock
        self._fps = fps
        self._number = 0
        self._last_ns: int | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._fill, name=name, daemon=True)

    @property
    def runs(self) -> bool:
        """Whether pictures are still being read."""
        return self._thread.is_alive() and not self._stop.is_set()

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    def stop(self) -> None:
        """Stop reading, and wait for the picture that is being read, but not for a driver that hangs."""
        self._stop.set()
        self._thread.join(timeout=STUCK_S)

    def keep(self, picture: Any) -> None:
        """Put the picture just read into the ring. A gap of more than one and a half frame times counts as frames
        dropped; a picture no newer than the last one is none."""
        now_ns = self._clock.now_ns()
        stamp_ns = int(self._capture.get(cv2.CAP_PROP_POS_MSEC) * 1e6)
        exposed_ns = stamp_ns if 0 <= now_ns - stamp_ns < STALLED_NS else now_ns
        if self._last_ns is not None:
            if exposed_ns <= self._last_ns:
                return
            missed = max(0, round((exposed_ns - self._last_ns) * self._fps / 1e9) - 1)
            self._missed(missed)
            self._number += missed
        self.ring.add(StoredFrame(self._number, exposed_ns, 0, (picture.shape[1], picture.shape[0]), picture))
        self._number, self._last_ns = self._number + 1, exposed_ns

    def _fill(self) -> None:
        """Read until told to stop, or until the camera is gone. A picture that arrived broken is only a dropped one."""
        broken = 0
        try:
            while not self._stop.is_set() and broken < BROKEN:
                got, picture = self._capture.read()
                if got:
                    self.keep(picture)
                broken = 0 if got else broken + 1
        finally:
            self._capture.release()
