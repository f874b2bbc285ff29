"""A USB camera through OpenCV. A thread fills the ring buffer with frames stamped by the driver.

camera = UsbCamera(0, clock=MonotonicClock())
camera.start()
clock.wait_until(clock.now_ns() + 1_000_000_000)
print(camera.latest().size, camera.fps)
camera.stop()
"""

import logging
import threading
from collections.abc import Callable
from typing import Any, Protocol

import cv2
from typing_extensions import override

from device.camera.base import CameraError
from device.camera.frames import BgrFrame, Size, silence_opencv
from device.camera.ring_buffer import STALL_TIMEOUT_NS, FrameRingBuffer, RecordingCamera
from device.system.clock import Clock
from messages import N

logger = logging.getLogger(__name__)

MAX_BROKEN_FRAMES = 10
"""Broken frames in a row after which the camera counts as unplugged: then every read fails at once."""
HANG_TIMEOUT_S = 2.0
"""A driver that takes longer for a frame hangs."""
MAX_CAMERA_INDEX = 9999
"""Larger than any real index, yet small enough for OpenCV's C integer."""


class Capture(Protocol):
    """What a ``cv2.VideoCapture`` can do, as far as it is used here."""

    def isOpened(self) -> bool:  # noqa: N802 (OpenCV's name)
        """Whether there is a device."""

    def get(self, prop: int, /) -> float:
        """Return one of its ``cv2.CAP_PROP_`` values."""

    def set(self, prop: int, value: float, /) -> bool:
        """Set one of these values; return whether it takes it."""

    def read(self) -> tuple[bool, Any]:
        """Wait for the next image; return whether there is one, and its pixels."""

    def release(self) -> None:
        """Close the device."""


def open_capture(index: int) -> Capture:
    """Open camera ``index`` of this machine through Video4Linux, or OpenCV's default elsewhere."""
    silence_opencv()
    return cv2.VideoCapture(min(index, MAX_CAMERA_INDEX), cv2.CAP_ANY)


class UsbCamera(RecordingCamera):
    """Camera ``index`` of this machine. Its images are turned by a ``rotation`` of 0 or 180 degrees.

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
        rotation: int = 0,
        open_device: Callable[[int], Capture] = open_capture,
    ) -> None:
        super().__init__(f"usb:{index}", clock, size, fps)
        self.index = index
        self._rotation = rotation
        self._open_device = open_device
        self._capture_thread: CaptureThread | None = None

    @override
    def start(self) -> None:
        """Raises CameraError when there is no such camera or it delivers no frame."""
        self.stop()
        capture = self._open_device(self.index)
        if not capture.isOpened():
            capture.release()
            raise CameraError(
                N("no camera usb:{number}", number=self.index),
                terminal_hint=": plug one in, try another number, or use --camera simulated",
                screen_hint=N("plug one in"),
            )
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
                N(
                    "camera usb:{number} sends no images: is another program using it? Unplug it and plug it in again",
                    number=self.index,
                )
            )
        self.size = (image.shape[1], image.shape[0])
        self.fps = capture.get(cv2.CAP_PROP_FPS) or fps
        self._ring = FrameRingBuffer()
        self._capture_thread = CaptureThread(capture, self._clock, self.fps, self.name, self._ring, self._rotation)
        self._capture_thread.add_frame(image)
        self._capture_thread.start()
        logger.info("camera usb:%d runs at %d × %d, %.1f frames per second", self.index, *self.size, self.fps)

    @override
    def stop(self) -> None:
        if self._capture_thread is not None:
            self._capture_thread.stop()

    @property
    def _is_running(self) -> bool:
        return self._capture_thread is not None and self._capture_thread.is_running


class CaptureThread:
    """Reads one camera from start to stop into a ring buffer. The thread owns the capture, so a driver that hangs is
    left alone and never closed in the middle of a read."""

    def __init__(
        self,
        capture: Capture,
        clock: Clock,
        fps: float,
        name: str,
        ring: FrameRingBuffer,
        rotation: int = 0,
    ) -> None:
        self._ring = ring
        self._capture = capture
        self._clock = clock
        self._fps = fps
        self._rotation = rotation
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
        """Add the frame just read to the ring buffer, unless it is no newer than the last one."""
        now_ns = self._clock.now_ns()
        stamp_ns = int(self._capture.get(cv2.CAP_PROP_POS_MSEC) * 1e6)
        exposed_ns = stamp_ns if 0 <= now_ns - stamp_ns < STALL_TIMEOUT_NS else now_ns
        number = self._ring.next_number(exposed_ns, self._fps)
        if number is not None:
            if self._rotation:
                pixels = cv2.rotate(pixels, cv2.ROTATE_180)
            self._ring.add(BgrFrame(number, exposed_ns, 0, (pixels.shape[1], pixels.shape[0]), pixels))

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
