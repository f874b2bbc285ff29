"""A USB camera through OpenCV. A thread fills the ring buffer with frames stamped by the driver.

camera = UsbCamera(0, clock=MonotonicClock())
camera.start()
clock.wait_until(clock.now_ns() + 1_000_000_000)
print(camera.latest().size, camera.fps)
camera.stop()
"""

import logging
import threading
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import cv2

from device.camera.base import CameraError
from device.camera.frames import BgrFrame, Frame, Size
from device.camera.opencv_logging import silence_opencv
from device.camera.ring_buffer import FrameRingBuffer
from device.system.clock import Clock

logger = logging.getLogger(__name__)

STALL_TIMEOUT_NS = 1_000_000_000
"""Without a frame for this long, the camera has stopped."""

MAX_BROKEN_FRAMES = 10
"""Broken frames in a row after which the camera counts as unplugged: then every read fails at once."""
HANG_TIMEOUT_S = 2.0
"""A driver that takes longer for a frame hangs."""
MAX_CAMERA_INDEX = 9999
"""Larger than any real index, yet small enough for OpenCV's C integer."""


class VideoCapture(Protocol):
    """The part of ``cv2.VideoCapture`` in use, so that tests can replace it."""

    def isOpened(self) -> bool:  # noqa: N802 (OpenCV's name)
        """Whether the device is open."""

    def get(self, prop: int) -> float:
        """Return a property's value."""

    def set(self, prop: int, value: float) -> bool:
        """Set a property."""

    def read(self) -> tuple[bool, Any]:
        """Wait for the next frame and return whether it was read, and its pixels."""

    def release(self) -> None:
        """Close the device."""


def open_capture(index: int) -> VideoCapture:
    """Open camera ``index`` of this machine through Video4Linux, or OpenCV's default elsewhere."""
    silence_opencv()
    return cv2.VideoCapture(min(index, MAX_CAMERA_INDEX), cv2.CAP_ANY)


class UsbCamera:
    """Camera ``index`` of this machine. After ``start``, ``size`` and ``fps`` are what the camera really delivers,
    which may differ from what was requested.

    A frame's time is the driver's stamp if that is on the clock (Video4Linux stamps with the monotonic clock after
    reading the frame out), otherwise its arrival. Both are a few ms after the middle of the exposure, equally for every
    seat, so differences between seats are unaffected.
    """

    def __init__(
        self,
        index: int,
        clock: Clock,
        size: Size = (1280, 720),
        fps: float = 60.0,
        open_device: Callable[[int], VideoCapture] = open_capture,
    ) -> None:
        self.index = index
        self.size = size
        self.fps = fps
        self.dropped = 0
        self._requested = (size, fps)
        self._clock = clock
        self._open_device = open_device
        self._capture_thread: CaptureThread | None = None

    def start(self) -> None:
        """See Camera. Raises CameraError when there is no such camera or it delivers no frame."""
        self.stop()
        capture = self._open_device(self.index)
        if not capture.isOpened():
            capture.release()
            raise CameraError(f"no camera usb:{self.index}: plug one in, try another number, or use --camera simulated")
        (width, height), fps = self._requested
        # Most USB cameras reach 720p at full rate only with Motion JPEG.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, width)
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
        capture.set(cv2.CAP_PROP_FPS, fps)
        ok, image = capture.read()
        if not ok:
            capture.release()
            raise CameraError(
                f"camera usb:{self.index} sends no images: is another program using it? Unplug it and plug it in again"
            )
        self.size = (image.shape[1], image.shape[0])
        self.fps = capture.get(cv2.CAP_PROP_FPS) or fps
        self.dropped = 0
        self._capture_thread = CaptureThread(capture, self._clock, self.fps, f"usb:{self.index}", self._count_dropped)
        self._capture_thread.add_frame(image)
        self._capture_thread.start()
        logger.info("camera usb:%d runs at %d × %d, %.1f frames per second", self.index, *self.size, self.fps)

    def stop(self) -> None:
        """See Camera."""
        if self._capture_thread is not None:
            self._capture_thread.stop()

    def _count_dropped(self, frames: int) -> None:
        self.dropped += frames

    def latest(self) -> Frame:
        """See Camera."""
        frame = self._capture_thread.ring.latest() if self._capture_thread and self._capture_thread.is_running else None
        if frame is None or self._clock.now_ns() - frame.exposed_ns > STALL_TIMEOUT_NS:
            raise CameraError(f"camera usb:{self.index} has stopped sending images: check its cable and start again")
        return frame

    def frames_between(self, since_ns: int, until_ns: int) -> Sequence[Frame]:
        """See Camera."""
        self.latest()
        return self._capture_thread.ring.between(since_ns, until_ns) if self._capture_thread else ()


class CaptureThread:
    """Reads one camera from start to stop into a ring buffer. The thread owns the capture, so a driver that hangs is
    left alone and never closed in the middle of a read."""

    def __init__(
        self, capture: VideoCapture, clock: Clock, fps: float, name: str, on_dropped: Callable[[int], None]
    ) -> None:
        self.ring = FrameRingBuffer()
        self._on_dropped = on_dropped
        self._capture = capture
        self._clock = clock
        self._fps = fps
        self._next_number = 0
        self._last_ns: int | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    @property
    def is_running(self) -> bool:
        """Whether frames are still being read."""
        return self._thread.is_alive() and not self._stop.is_set()

    def start(self) -> None:
        """Start reading."""
        self._thread.start()

    def stop(self) -> None:
        """Stop after the frame being read. Does not wait for a driver that hangs."""
        self._stop.set()
        self._thread.join(timeout=HANG_TIMEOUT_S)

    def add_frame(self, pixels: Any) -> None:
        """Add the frame just read to the ring buffer. A gap of more than 1.5 frame times counts as dropped frames; a
        frame no newer than the last one is ignored."""
        now_ns = self._clock.now_ns()
        stamp_ns = int(self._capture.get(cv2.CAP_PROP_POS_MSEC) * 1e6)
        exposed_ns = stamp_ns if 0 <= now_ns - stamp_ns < STALL_TIMEOUT_NS else now_ns
        if self._last_ns is not None:
            if exposed_ns <= self._last_ns:
                return
            missed = max(0, round((exposed_ns - self._last_ns) * self._fps / 1e9) - 1)
            self._on_dropped(missed)
            self._next_number += missed
        self.ring.add(BgrFrame(self._next_number, exposed_ns, 0, (pixels.shape[1], pixels.shape[0]), pixels))
        self._next_number, self._last_ns = self._next_number + 1, exposed_ns

    def _run(self) -> None:
        """Read until stopped or until the camera is gone. A single broken frame only counts as dropped."""
        broken = 0
        try:
            while not self._stop.is_set() and broken < MAX_BROKEN_FRAMES:
                ok, image = self._capture.read()
                if ok:
                    self.add_frame(image)
                broken = 0 if ok else broken + 1
        finally:
            self._capture.release()
