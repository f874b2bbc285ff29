"""The Raspberry Pi's camera through picamera2: a thin adapter. A small stream fills the ring at the highest rate that
the sensor holds, a large one is there for a picture of everything.

camera = Picamera(0, clock=SteadyClock())
camera.start()
camera.hold_exposure()       # short and fixed while a round runs
frames = camera.ring(cue_ns - 10**9, cue_ns + 10**9)
camera.free_exposure()
camera.stop()
"""

import atexit
import importlib
import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.base import CameraError, CameraNotReleasedError
from device.camera.frames import Box, Frame, KeptFrame, Pixels, Size
from device.camera.ring_buffer import Ring
from device.system.clock import Clock

logger = logging.getLogger(__name__)

STALLED_NS = 1_000_000_000
"""No frame for so long means that the camera has stopped."""
STUCK_S = 3.0
"""A library that takes longer to stop, or for a picture, hangs: picamera2 #336, #962, #1264."""
LONGEST_EXPOSURE_US = 4000
"""While a round runs: a hand that opens at 2 m/s moves 8 mm in it."""
READOUT_NS = {
    ("imx708", 864): 8_000_000,
    ("imx708", 1296): 17_300_000,
    ("imx708", 2592): 68_000_000,
    ("imx219", 480): 9_100_000,
    ("imx219", 1080): 20_200_000,
    ("imx219", 1232): 23_000_000,
    ("imx477", 990): 7_900_000,
    ("imx477", 1520): 23_000_000,
    ("imx296", 1088): 0,
}
"""From the first row to the last by sensor and rows of its mode, of 10 bits and more: driver line times (IMX219's 1080
rows with the line of its 1232); IMX296 is a global shutter."""
BUFFERS = 6
"""Picamera2's own number for video: every request that is held costs one, and none is held here."""


@dataclass(frozen=True)
class YuvFrame(KeptFrame):
    """A frame as the small stream has it, planes Y, U, V of a picture below each other (3/2 height, width): half the
    bytes of one in colour, which at 120 frames a second matters."""

    planes: NDArray[np.uint8]

    @property
    def nbytes(self) -> int:
        """See KeptFrame."""
        return int(self.planes.nbytes)

    def pixels(self, box: Box | None = None, size: Size | None = None) -> Pixels:
        """See Frame. Only the part asked for is converted."""
        wide, high = self.size
        box = box or Box(0, 0, wide, high)
        x, y = box.x // 2, box.y // 2
        x_end, y_end = -(-(box.x + box.w) // 2), -(-(box.y + box.h) // 2)
        chroma = self.planes[high:].reshape(2, high // 2, wide // 2)[:, y:y_end, x:x_end]
        light = self.planes[2 * y : 2 * y_end, 2 * x : 2 * x_end]
        part = np.concatenate([light.reshape(-1), chroma.reshape(-1)]).reshape(-1, light.shape[1])
        picture = cv2.cvtColor(part, cv2.COLOR_YUV2RGB_I420)
        left, top = box.x - 2 * x, box.y - 2 * y
        picture = picture[top : top + box.h, left : left + box.w]
        if size is not None and size != (box.w, box.h):
            way = cv2.INTER_AREA if size[0] < box.w else cv2.INTER_LINEAR
            picture = cv2.resize(picture, size, interpolation=way)
        return np.asarray(picture, dtype=np.uint8)


@dataclass(frozen=True)
class Mode:
    """A mode of the sensor: its size in pixels, the most frames a second, and the bits of a pixel."""

    size: Size
    fps: float
    bits: int

    @classmethod
    def best(cls, modes: Sequence[Mapping[str, Any]], size: Size, fps: float) -> "Mode":
        """Of picamera2's ``sensor_modes`` that have ``size`` (of all, if none has) those with the highest rate up to
        ``fps``, and of these the smallest. Raises CameraError where there is none."""
        known = [cls(tuple(mode["size"]), float(mode["fps"]), int(mode["bit_depth"])) for mode in modes]
        if not known:
            raise CameraError("the camera names no mode: is it a Raspberry Pi camera? Use usb:0 for any other")
        large = [mode for mode in known if mode.size[0] >= size[0] and mode.size[1] >= size[1]] or known
        rate = min(fps, max(mode.fps for mode in large))
        enough = [mode for mode in large if mode.fps >= rate - 0.5]
        return min(enough, key=lambda mode: (mode.size[0] * mode.size[1], -mode.bits))


def open_library() -> Any:
    """picamera2, as Raspberry Pi OS has it. Raises CameraError."""
    try:
        return importlib.import_module("picamera2")
    except ImportError as error:
        raise CameraError(
            f"picamera2 can't be loaded ({error}): sudo apt install python3-picamera2, and make the virtual "
            "environment with --system-site-packages"
        ) from error


class Picamera:
    """Camera ``index`` of this Pi. Its ring is as wide as ``size`` and of the shape of the best mode, at its rate up to
    ``fps``; both are what they came to after ``start``, and ``sensor``, ``mode`` and ``readout_ns`` are known. A lens
    with a motor is put at ``focus_cm`` (0: left where it stands).

    A frame's time: the kernel stamps a frame when its first row begins to be read out, which ends that row's exposure
    (picamera2 #821), so the middle row's exposure had its middle ``ExposureTime / 2`` before that and half a readout
    after. Where the stamp says otherwise, all frames are off by the same: no difference between seats moves.
    """

    def __init__(
        self,
        index: int,
        clock: Clock,
        size: Size = (1280, 720),
        fps: float = 120.0,
        longest_exposure_us: int = LONGEST_EXPOSURE_US,
        focus_cm: int = 0,
        library: Callable[[], Any] = open_library,
    ) -> None:
        self.index = index
        self.size = size
        self.fps = fps
        self.dropped = 0
        self.sensor = ""
        self.mode: Mode | None = None
        self.readout_ns = 0
        self._asked = (size, fps)
        self._clock = clock
        self._longest_us = longest_exposure_us
        self._focus_cm = focus_cm
        self._library = library
        self._camera: Any = None
        self._ring = Ring()
        self._last: Mapping[str, Any] = {}
        self._last_ns: int | None = None
        self._number = 0
        self._lock = threading.Lock()

    def start(self) -> None:
        """See Camera. Raises CameraError when there is no such camera, another program has it, or it gives no
        picture."""
        self.stop()
        library = self._library()
        try:
            self.mode = self._look(library)
            self._camera = self._configured(library, self.mode)
            self._ring, self._last_ns, self.dropped = Ring(), None, 0
            self._camera.pre_callback = self._on_request
            self._camera.start()
        except CameraError:
            raise
        except Exception as error:  # the library raises RuntimeError, IndexError, OSError and its own
            self.stop()
            raise CameraError(
                f"camera picamera2:{self.index} can't be started ({error}): check its cable, and that no other program "
                "uses it"
            ) from error
        if _within(STUCK_S, lambda: self._camera.capture_metadata(wait=STUCK_S)) is None:
            self.stop()
            raise CameraError(f"camera picamera2:{self.index} gives no picture: check its cable and start again")

    def _look(self, library: Any) -> Mode:
        """The mode to use. The modes are read from a camera that is closed again: reading them halves the rate of the
        one that did (picamera2 #727)."""
        if self.index >= len(library.Picamera2.global_camera_info()):
            raise CameraError(
                f"no camera picamera2:{self.index}: check the ribbon cable, or use --camera usb:0 or simulated"
            )
        camera = library.Picamera2(self.index)
        try:
            self.sensor = str(camera.camera_properties.get("Model", "unknown")).split("_", maxsplit=1)[0]
            return Mode.best(camera.sensor_modes, *self._asked)
        finally:
            camera.close()

    def _configured(self, library: Any, mode: Mode) -> Any:
        (wide, _), fps = self._asked
        self.fps = min(fps, mode.fps)
        self.readout_ns = self._readout_ns(mode) or 0
        # of the mode's shape: another is squeezed on a Pi 4 (libcamera's vc4.cpp), cut on a Pi 5 (pisp.cpp)
        wide = min(wide, mode.size[0])
        self.size = (wide // 2 * 2, round(wide * mode.size[1] / mode.size[0] / 2) * 2)
        camera = library.Picamera2(self.index)
        frame_us = round(1e6 / self.fps)
        config = camera.create_video_configuration(
            main={"size": mode.size, "format": "RGB888"},
            lores={"size": self.size, "format": "YUV420"},
            sensor={"output_size": mode.size, "bit_depth": mode.bits},
            controls={"FrameDurationLimits": (frame_us, frame_us), **self._focus(camera)},
            buffer_count=BUFFERS,
            queue=False,
        )
        camera.configure(config)
        return camera

    def _focus(self, camera: Any) -> dict[str, Any]:
        """The controls that put a lens with a motor at its distance, in dioptres, where one was given: it must not
        hunt while hands are timed."""
        if not self._focus_cm or "LensPosition" not in camera.camera_controls:
            return {}
        return {"AfMode": 0, "LensPosition": 100 / self._focus_cm}  # 0: manual

    def _readout_ns(self, mode: Mode) -> int | None:
        """What the mode's rolling shutter takes; None where that is not known, as for modes of 8 bits."""
        return READOUT_NS.get((self.sensor, mode.size[1])) if mode.bits >= 10 else None

    @property
    def knows_readout(self) -> bool:
        """Whether it is known how much later than the first row the last is exposed."""
        return self.mode is not None and self._readout_ns(self.mode) is not None

    def _on_request(self, request: Any) -> None:
        """Keep a request's frame. An exception here would end picamera2's thread, and with it the camera: a frame that
        can't be kept is lost, and no more."""
        try:
            self._keep(request)
        except Exception:
            logger.exception("camera picamera2:%d: a frame is lost", self.index)

    def _keep(self, request: Any) -> None:
        """Take a request's small picture, on picamera2's thread, and nothing else: a slow callback loses frames."""
        told = request.get_metadata()
        stamp = told.get("SensorTimestamp")
        if stamp is None:
            return
        stamp_ns = self._on_clock(int(stamp))
        exposure_ns = int(told.get("ExposureTime", 0)) * 1000
        exposed_ns = stamp_ns - exposure_ns // 2 + self.readout_ns // 2
        wide, high = self.size
        planes = request.make_array("lores")
        frame_ns = 1e9 / self.fps
        with self._lock:
            if self._last_ns is not None:
                if stamp_ns <= self._last_ns:
                    return
                missed = max(0, round((stamp_ns - self._last_ns) / frame_ns) - 1)
                self.dropped += missed
                self._number += missed
            self._last_ns, self._last = stamp_ns, told
            number, self._number = self._number, self._number + 1
        self._ring.add(
            YuvFrame(
                number,
                exposed_ns,
                exposure_ns,
                self.size,
                readout_ns=self.readout_ns,
                planes=packed(planes, wide, high),
            )
        )

    def _on_clock(self, stamp_ns: int) -> int:
        """A stamp of the boot clock on the monotonic one: they differ by the time the machine was suspended."""
        if not hasattr(time, "CLOCK_BOOTTIME"):
            return stamp_ns
        now_ns = self._clock.now_ns()
        ahead = time.clock_gettime_ns(time.CLOCK_BOOTTIME) - time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        return stamp_ns if abs(now_ns - stamp_ns) <= abs(now_ns - (stamp_ns - ahead)) else stamp_ns - ahead

    def stop(self) -> None:
        """See Camera."""
        camera, self._camera = self._camera, None
        if camera is None:
            return

        def release() -> bool:
            camera.cancel_all_and_flush()  # stop() waits for ever behind a capture that timed out
            camera.stop()
            camera.close()
            return True

        if _within(STUCK_S, release) is None:
            atexit.unregister(camera.close)  # picamera2's own, which would hang again
            raise CameraNotReleasedError(
                f"camera picamera2:{self.index} hangs and can't be released: check its cable; Throwlock has to be "
                "started again"
            )

    def latest(self) -> Frame:
        """See Camera."""
        frame = self._ring.latest() if self._camera is not None else None
        if frame is None or self._clock.now_ns() - frame.exposed_ns > STALLED_NS:
            raise CameraError(
                f"camera picamera2:{self.index} has stopped giving pictures: check its cable and start again"
            )
        return frame

    def ring(self, since_ns: int, until_ns: int) -> Sequence[Frame]:
        """See Camera."""
        self.latest()
        return self._ring.between(since_ns, until_ns)

    def picture(self) -> Pixels:
        """A picture of everything, of the size of the sensor's mode. Raises CameraError."""
        camera = self._camera
        request = _within(STUCK_S, lambda: camera.capture_request(wait=STUCK_S)) if camera is not None else None
        if request is None:
            raise CameraError(f"camera picamera2:{self.index} gives no picture: check its cable and start again")
        try:
            bgr = request.make_array("main")  # picamera2's RGB888 is B, G, R in memory
        finally:
            request.release()
        return np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB), dtype=np.uint8)

    def hold_exposure(self) -> None:
        """Fix the exposure, no longer than is sharp, and make up for it with gain as far as the sensor has any."""
        camera, told = self._camera, self._last
        if camera is None or not told.get("ExposureTime"):
            return
        exposure_us, gain = float(told["ExposureTime"]), float(told.get("AnalogueGain", 1.0))
        short_us = min(exposure_us, float(self._longest_us))
        most = float(camera.camera_controls.get("AnalogueGain", (1.0, 16.0, 1.0))[1])
        wanted = min(most, gain * exposure_us / short_us)
        camera.set_controls({"AeEnable": False, "ExposureTime": int(short_us), "AnalogueGain": wanted})

    def free_exposure(self) -> None:
        """Let the camera find the exposure by itself again."""
        if self._camera is not None:
            self._camera.set_controls({"AeEnable": True})


def packed(planes: NDArray[np.uint8], wide: int, high: int) -> NDArray[np.uint8]:
    """picamera2's YUV420 array (3/2 high, stride) without the padding of its rows, copied: (3/2 high, wide). The rows
    of U and V are half a stride long, two to a row of the array."""
    stride = planes.shape[1]
    light = planes[:high, :wide]
    chroma = planes[high:].reshape(high, stride // 2)[:, : wide // 2]
    return np.concatenate([light.reshape(-1), chroma.reshape(-1)]).reshape(high * 3 // 2, wide)


def _within(seconds: float, act: Callable[[], Any]) -> Any:
    """What ``act`` gives, or None when it has not ended in time, or failed: its thread is left to itself then."""
    given: list[Any] = []

    def run() -> None:
        try:
            given.append(act())
        except Exception:  # a camera that is gone fails in many ways; what matters is that it gave nothing
            return

    thread = threading.Thread(target=run, name="picamera2", daemon=True)
    thread.start()
    thread.join(seconds)
    return given[0] if given else None
