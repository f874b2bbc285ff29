"""The Raspberry Pi's camera, a thin adapter for picamera2. Its only stream fills the ring buffer.

camera = Picamera(0, clock=MonotonicClock())
camera.start()
camera.lock_exposure()    # short and fixed while a round runs
frames = camera.frames_between(cue_ns - 10**9, cue_ns + 10**9)
camera.unlock_exposure()
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
from typing_extensions import override

from device.camera.base import CameraError, CameraNotReleasedError
from device.camera.frames import Box, BufferedFrame, Grey, Pixels, Size, resize_image
from device.camera.ring_buffer import FrameRingBuffer, RecordingCamera
from device.system.clock import Clock
from device.system.processes import release_memory
from messages import N

logger = logging.getLogger(__name__)

HANG_TIMEOUT_S = 3.0
"""If picamera2 takes longer to stop or to capture, it hangs (picamera2 #336, #962, #1264)."""
MAX_EXPOSURE_US = 4000
"""Longest exposure during a round: a hand opening at 2 m/s moves 8 mm in it."""
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
"""Readout time from the first row to the last, by sensor and height of its mode (10 bits and more), from the drivers'
line times (IMX219's 1080 rows with the line time of its 1232). IMX296 has a global shutter."""
BUFFER_COUNT = 6
"""Picamera2's default for video. Every request held would cost one; none is held here."""
SensorModes = Sequence[Mapping[str, Any]]
"""What picamera2's ``sensor_modes`` returns."""
_modes_by_camera_id: dict[str, SensorModes] = {}
"""The modes of every camera that has been started: reading them configures the camera once for each mode."""


@dataclass(frozen=True)
class YuvFrame(BufferedFrame):
    """A frame in YUV420: the Y, U and V planes below each other, (3/2 height, width). That is half the memory of RGB,
    which matters at 120 frames a second."""

    planes: NDArray[np.uint8]

    @property
    @override
    def nbytes(self) -> int:
        return int(self.planes.nbytes)

    @override
    def pixels(self, box: Box | None = None, size: Size | None = None) -> Pixels:
        """Only the requested part is converted."""
        width, height = self.size
        box = box or Box(0, 0, width, height)
        x, y = box.x // 2, box.y // 2
        x_end, y_end = -(-(box.x + box.w) // 2), -(-(box.y + box.h) // 2)
        chroma = self.planes[height:].reshape(2, height // 2, width // 2)[:, y:y_end, x:x_end]
        luma = self.planes[2 * y : 2 * y_end, 2 * x : 2 * x_end]
        part = np.concatenate([luma.reshape(-1), chroma.reshape(-1)]).reshape(-1, luma.shape[1])
        image = cv2.cvtColor(part, cv2.COLOR_YUV2RGB_I420)
        left, top = box.x - 2 * x, box.y - 2 * y
        image = image[top : top + box.h, left : left + box.w]
        return np.asarray(resize_image(image, size), dtype=np.uint8)

    @override
    def grey(self) -> Grey:
        """The Y plane has levels from 16 to 235."""
        levels = cv2.subtract(self.planes[: self.size[1]], np.array([16.0]))
        return np.asarray(cv2.multiply(levels, np.array([255 / 219])), dtype=np.uint8)


@dataclass(frozen=True)
class PicameraMode:
    """A sensor mode: size in pixels, highest frame rate, and bits per pixel."""

    size: Size
    fps: float
    bits: int

    @classmethod
    def choose(cls, modes: SensorModes, size: Size, fps: float) -> "PicameraMode":
        """Choose among picamera2's ``sensor_modes``: at least ``size`` if possible, then the highest rate up to
        ``fps``, then the smallest. Raises CameraError when there is no mode."""
        sized = [mode for mode in modes if "size" in mode]  # those of a USB camera have none
        known = [cls(tuple(mode["size"]), float(mode["fps"]), int(mode["bit_depth"])) for mode in sized]
        if not known:
            raise CameraError(N("the camera reports no mode: is it a Raspberry Pi camera? Use usb:0 for any other"))
        large = [mode for mode in known if mode.size[0] >= size[0] and mode.size[1] >= size[1]] or known
        rate = min(fps, max(mode.fps for mode in large))
        enough = [mode for mode in large if mode.fps >= rate - 0.5]
        return min(enough, key=lambda mode: (mode.size[0] * mode.size[1], -mode.bits))


def import_picamera2() -> Any:
    """Import picamera2, which comes with Raspberry Pi OS. Raises CameraError when it is missing."""
    try:
        return importlib.import_module("picamera2")
    except ImportError as error:
        raise CameraError(
            N("picamera2 can’t be loaded ({why})", why=str(error)),
            terminal_hint=": sudo apt install python3-picamera2, and create the virtual environment with "
            "--system-site-packages",
        ) from error


class Picamera(RecordingCamera):
    """Camera ``index`` of this Pi. Frames are as wide as ``size``, have the shape of the chosen mode and come at its
    rate up to ``fps``. After ``start``, ``size`` and ``fps`` are the real values, and ``sensor``, ``mode`` and
    ``readout_ns`` are set. A motorised lens is focused at ``focus_cm`` (0: left as it is). The sensor itself turns the
    image by a ``rotation`` of 0 or 180 degrees, so that its rows stay in the order in which they were exposed.

    A frame's time: the kernel stamps a frame when the readout of its first row begins, which ends that row's exposure
    (picamera2 #821). The middle row's mid-exposure is therefore ``ExposureTime / 2`` before the stamp plus half the
    readout. If a driver stamps differently, all frames are off by the same amount: differences between seats stay.
    """

    def __init__(
        self,
        index: int,
        clock: Clock,
        size: Size = (1280, 720),
        fps: float = 120.0,
        max_exposure_us: int = MAX_EXPOSURE_US,
        focus_cm: int = 0,
        rotation: int = 0,
        import_library: Callable[[], Any] = import_picamera2,
    ) -> None:
        super().__init__(f"picamera2:{index}", clock, size, fps)
        self.index = index
        self.sensor = ""
        self.mode: PicameraMode | None = None
        self.readout_ns = 0
        self._max_exposure_us = max_exposure_us
        self._focus_cm = focus_cm
        self._rotation = rotation
        self._import_library = import_library
        self._camera: Any = None
        self._last_metadata: Mapping[str, Any] = {}

    @override
    def start(self) -> None:
        """Raises CameraError when there is no such camera, another program uses it, or it delivers no
        frame."""
        self.stop()
        release_memory()  # an earlier Picamera2 is part of a cycle, and keeps three descriptors until it is collected
        library = self._import_library()
        try:
            self.mode = self._choose_mode(library)
            self._camera = library.Picamera2(self.index)  # kept at once: stop() closes it if it can't be configured
            self._configure(self._camera, self.mode)
            self._ring = FrameRingBuffer()
            self._camera.pre_callback = self._on_request
            self._camera.start()
        except CameraError:
            self.stop()
            raise
        except Exception as error:  # picamera2 raises RuntimeError, IndexError, OSError and errors of its own
            self.stop()
            raise CameraError(
                N(
                    "camera picamera2:{number} can’t be started ({why}): check its cable, and that no other "
                    "program uses it",
                    number=self.index,
                    why=str(error),
                )
            ) from error
        if _run_with_timeout(lambda: self._camera.capture_metadata(wait=HANG_TIMEOUT_S)) is None:
            self.stop()
            raise CameraError(
                N("camera picamera2:{number} sends no images: check its cable and start again", number=self.index)
            )
        logger.info(
            "camera picamera2:%d (%s) runs at %d × %d, %.1f frames per second",
            self.index,
            self.sensor,
            *self.size,
            self.fps,
        )

    def _choose_mode(self, library: Any) -> PicameraMode:
        """Choose the mode. Raises CameraError when there is no such camera, or it has no mode."""
        cameras = library.Picamera2.global_camera_info()
        if self.index >= len(cameras):
            raise CameraError(
                N("no camera picamera2:{number}", number=self.index),
                terminal_hint=": check the ribbon cable, or use --camera usb:0 or simulated",
                screen_hint=N("shut the box down, check the ribbon cable, and switch it on again"),
            )
        camera_id = str(cameras[self.index]["Id"])
        modes = _modes_by_camera_id.get(camera_id) or self._read_modes(library)
        mode = PicameraMode.choose(modes, *self._requested)
        _modes_by_camera_id[camera_id] = modes
        self.sensor = str(cameras[self.index].get("Model", "unknown")).split("_", maxsplit=1)[0]
        return mode

    def _read_modes(self, library: Any) -> SensorModes:
        """Read the modes from an instance that is closed again: reading them halves its frame rate (picamera2 #727)."""
        camera = library.Picamera2(self.index)
        try:
            modes: SensorModes = camera.sensor_modes
            return modes
        finally:
            camera.close()

    def _configure(self, camera: Any, mode: PicameraMode) -> None:
        (width, _), fps = self._requested
        self.fps = min(fps, mode.fps)
        self.readout_ns = self._known_readout_ns(mode) or 0
        # Keep the mode's shape: to give another one, libcamera crops the image (vc4.cpp, pisp.cpp).
        width = min(width, mode.size[0])
        size = (width // 2 * 2, round(width * mode.size[1] / mode.size[0] / 2) * 2)
        frame_us = round(1e6 / self.fps)
        config = camera.create_video_configuration(
            main={"size": size, "format": "YUV420"},
            raw=None,  # picamera2 adds a raw stream otherwise; ``sensor`` chooses the mode without it
            sensor={"output_size": mode.size, "bit_depth": mode.bits},
            **{"transform": self._import_library().libcamera.Transform(hflip=1, vflip=1)} if self._rotation else {},
            controls={"FrameDurationLimits": (frame_us, frame_us), **self._focus_controls(camera)},
            buffer_count=BUFFER_COUNT,
            queue=False,
        )
        camera.configure(config)
        self.size = config["main"]["size"]  # libcamera may have adjusted it
        if self._rotation and not config["transform"].vflip:
            logger.warning("camera picamera2:%d can't rotate its image", self.index)

    def _focus_controls(self, camera: Any) -> dict[str, Any]:
        """Return the controls that focus a motorised lens at ``focus_cm``, if given: it must not hunt while hands are
        timed."""
        if not self._focus_cm or "LensPosition" not in camera.camera_controls:
            return {}
        return {"AfMode": 0, "LensPosition": 100 / self._focus_cm}  # 0: manual; in dioptres

    def _known_readout_ns(self, mode: PicameraMode) -> int | None:
        """Return the mode's readout time, or None when unknown, as for 8-bit modes."""
        return READOUT_NS.get((self.sensor, mode.size[1])) if mode.bits >= 10 else None

    @property
    def readout_known(self) -> bool:
        """Whether the readout time of the mode is known."""
        return self.mode is not None and self._known_readout_ns(self.mode) is not None

    def _on_request(self, request: Any) -> None:
        """Add a request's frame. An exception here would end picamera2's thread and with it the camera, so a frame that
        can't be added is only logged and lost."""
        try:
            self._add_frame(request)
        except Exception:
            logger.exception("camera picamera2:%d: lost a frame", self.index)

    def _add_frame(self, request: Any) -> None:
        """Copy a request's image on picamera2's thread, and nothing else: a slow callback drops frames."""
        metadata = request.get_metadata()
        stamp = metadata.get("SensorTimestamp")
        if stamp is None:
            return
        stamp_ns = self._to_clock_ns(int(stamp))
        exposure_ns = int(metadata.get("ExposureTime", 0)) * 1000
        exposed_ns = stamp_ns - exposure_ns // 2 + self.readout_ns // 2
        width, height = self.size
        planes = request.make_array("main")
        number = self._ring.next_number(stamp_ns, self.fps)
        if number is None:
            return
        self._last_metadata = metadata
        planes = remove_row_padding(planes, width, height)
        self._ring.add(YuvFrame(number, exposed_ns, exposure_ns, self.size, readout_ns=self.readout_ns, planes=planes))

    def _to_clock_ns(self, stamp_ns: int) -> int:
        """Convert a stamp of the boot clock to the monotonic clock: they differ by the time the machine was
        suspended."""
        if not hasattr(time, "CLOCK_BOOTTIME"):
            return stamp_ns
        now_ns = self._clock.now_ns()
        ahead = time.clock_gettime_ns(time.CLOCK_BOOTTIME) - time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        return stamp_ns if abs(now_ns - stamp_ns) <= abs(now_ns - (stamp_ns - ahead)) else stamp_ns - ahead

    @override
    def stop(self) -> None:
        camera, self._camera = self._camera, None
        if camera is None:
            return
        camera.pre_callback = None  # picamera2 may outlive this camera, whose images take hundreds of megabytes

        def release() -> bool:
            camera.cancel_all_and_flush()  # else it would wait forever for a capture that timed out
            camera.close()  # ends picamera2's thread first, so it also releases a camera whose thread has died
            return True

        if _run_with_timeout(release) is None:
            atexit.unregister(camera.close)  # picamera2's own handler would hang again
            raise CameraNotReleasedError(
                N(
                    "camera picamera2:{number} hangs and can’t be released: check its cable and restart Throwlock",
                    number=self.index,
                )
            )

    @property
    def _is_running(self) -> bool:
        return self._camera is not None

    def lock_exposure(self) -> None:
        """Fix the exposure, short enough to be sharp, and compensate with gain as far as the sensor allows."""
        camera, metadata = self._camera, self._last_metadata
        if camera is None or not metadata.get("ExposureTime") or "AeEnable" not in camera.camera_controls:
            return
        exposure_us, gain = float(metadata["ExposureTime"]), float(metadata.get("AnalogueGain", 1.0))
        short_us = min(exposure_us, float(self._max_exposure_us))
        max_gain = float(camera.camera_controls.get("AnalogueGain", (1.0, 16.0, 1.0))[1])
        new_gain = min(max_gain, gain * exposure_us / short_us)
        camera.set_controls({"AeEnable": False, "ExposureTime": int(short_us), "AnalogueGain": new_gain})

    def unlock_exposure(self) -> None:
        """Return to automatic exposure."""
        camera = self._camera
        if camera is not None and "AeEnable" in camera.camera_controls:
            camera.set_controls({"AeEnable": True})


def remove_row_padding(planes: NDArray[np.uint8], width: int, height: int) -> NDArray[np.uint8]:
    """Copy picamera2's YUV420 array (3/2 height, stride) without its row padding: (3/2 height, width). The rows of U
    and V are half a stride long, two to a row of the array."""
    stride = planes.shape[1]
    luma = planes[:height, :width]
    chroma = planes[height:].reshape(height, stride // 2)[:, : width // 2]
    return np.concatenate([luma.reshape(-1), chroma.reshape(-1)]).reshape(height * 3 // 2, width)


def _run_with_timeout(action: Callable[[], Any]) -> Any:
    """Return the result of ``action``, or None when it failed or takes longer than HANG_TIMEOUT_S; its thread is then
    left running."""
    results: list[Any] = []

    def run() -> None:
        try:
            results.append(action())
        except Exception:  # an unplugged camera fails in many ways; what matters is that there is no result
            return

    thread = threading.Thread(target=run, name="picamera2", daemon=True)
    thread.start()
    thread.join(HANG_TIMEOUT_S)
    return results[0] if results else None
