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

from device.camera import CameraFault
from device.clock import Clock
from device.frames import Frame, Size, StoredFrame
from device.quiet import quiet_opencv
from device.ring import Ring

STALLED_NS = 1_000_000_000
"""No frame for so long means that the camera has stopped."""

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
        self._clock = clock
        self._open = opened
        self._ring = Ring()
        self._capture: Capture | None = None
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._failed = False

    def start(self) -> None:
        """See Camera. Raises CameraFault when there is no such camera or it gives no picture."""
        self.stop()
        capture = self._open(self.index)
        if not capture.isOpened():
            capture.release()
            raise CameraFault(
                f"no camera usb:{self.index}: plug one in, try another number, or play with --camera simulated"
            )
        # Motion JPEG: most USB cameras reach 720p at full rate only with it.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, self.size[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self.size[1])
        capture.set(cv2.CAP_PROP_FPS, self.fps)
        got, picture = capture.read()
        if not got:
            capture.release()
            raise CameraFault(f"camera usb:{self.index} gives no picture: is another program using it? Replug it")
        self.size = (picture.shape[1], picture.shape[0])
        self.fps = capture.get(cv2.CAP_PROP_FPS) or self.fps
        self._capture, self._failed = capture, False
        self._ring = Ring()
        self._stop.clear()
        self._thread = threading.Thread(target=self._fill, args=(capture,), name=f"usb:{self.index}", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """See Camera."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout=2)  # a stuck driver must not stop the box
            self._thread = None
        if self._capture is not None:
            self._capture.release()
            self._capture = None

    def latest(self) -> Frame:
        """See Camera."""
        frame = self._ring.latest()
        if frame is None or self._failed or self._clock.now_ns() - frame.exposed_ns > STALLED_NS:
            raise CameraFault(f"camera usb:{self.index} has stopped giving pictures: check its cable and start again")
        return frame

    def ring(self, since_ns: int, until_ns: int) -> Sequence[Frame]:
        """See Camera."""
        self.latest()
        return self._ring.between(since_ns, until_ns)

    def _fill(self, capture: Capture) -> None:
        """Read until told to stop. A gap of more than one and a half frame times counts as frames dropped."""
        number, last_ns = 0, None
        while not self._stop.is_set():
            got, picture = capture.read()
            if not got:
                self._failed = True
                return
            now_ns = self._clock.now_ns()
            stamp_ns = int(capture.get(cv2.CAP_PROP_POS_MSEC) * 1e6)
            exposed_ns = stamp_ns if 0 <= now_ns - stamp_ns < STALLED_NS else now_ns
            if last_ns is not None:
                if exposed_ns <= last_ns:
                    continue
                missed = max(0, round((exposed_ns - last_ns) * self.fps / 1e9) - 1)
                self.dropped += missed
                number += missed
            self._ring.add(StoredFrame(number, exposed_ns, 0, (picture.shape[1], picture.shape[0]), picture))
            number, last_ns = number + 1, exposed_ns
