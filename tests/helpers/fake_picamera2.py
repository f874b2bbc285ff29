"""A fake of the picamera2 library, with the names, signatures, habits and failures that matter to the box. A frame
arrives when ``expose`` is called."""

import logging
import threading
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any, ClassVar

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.helpers.waiting import LIMIT_S

logger = logging.getLogger(__name__)

SENSOR_MODES = [
    {"format": "SRGGB10_CSI2P", "unpacked": "SRGGB10", "bit_depth": 10, "size": (1536, 864), "fps": 120.13,
     "crop_limits": (768, 432, 3072, 1728), "exposure_limits": (9, 77193582, 20000)},
    {"format": "SRGGB10_CSI2P", "unpacked": "SRGGB10", "bit_depth": 10, "size": (2304, 1296), "fps": 56.03,
     "crop_limits": (0, 0, 4608, 2592), "exposure_limits": (13, 112015443, 20000)},
    {"format": "SRGGB10_CSI2P", "unpacked": "SRGGB10", "bit_depth": 10, "size": (4608, 2592), "fps": 14.35,
     "crop_limits": (0, 0, 4608, 2592), "exposure_limits": (26, 220417486, 20000)},
]  # fmt: skip
"""The modes reported by the driver of a Camera Module 3 (IMX708)."""


class FakeTransform:
    """libcamera's transform of an image."""

    def __init__(self, rotation: int = 0, hflip: int = 0, vflip: int = 0) -> None:
        assert rotation == 0
        self.hflip, self.vflip = bool(hflip), bool(vflip)


libcamera = SimpleNamespace(Transform=FakeTransform)
"""What picamera2 imports."""


class FakeRequest:
    """A completed request. Its arrays have padded rows, as from the hardware."""

    def __init__(self, camera: "Picamera2", metadata: Mapping[str, Any], bgr: NDArray[np.uint8]) -> None:
        self._camera, self._metadata, self._bgr = camera, metadata, bgr
        self.reference_count = 1

    def get_metadata(self) -> dict[str, Any]:
        return dict(self._metadata)

    def make_array(self, name: str) -> NDArray[np.uint8]:
        config = self._camera.config[name]
        width, height = config["size"]
        assert config["format"] == "YUV420"
        image = np.asarray(cv2.resize(self._bgr, (width, height)))
        flat = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420))
        stride = -(-width // 64) * 64
        padded = np.full((height * 3 // 2, stride), 77, np.uint8)
        padded[:height, :width] = flat[:height]
        chroma = np.full((height, stride // 2), 77, np.uint8)
        chroma[:, : width // 2] = flat[height:].reshape(height, width // 2)
        padded[height:] = chroma.reshape(height // 2, stride)
        return padded

    def acquire(self) -> None:
        self.reference_count += 1

    def release(self) -> None:
        self.reference_count -= 1
        assert self.reference_count >= 0, "a request was released twice"


class Picamera2:
    """One camera with the library's pitfalls: a capture that timed out stays in its queue and blocks ``stop`` until it
    is cancelled; an exception in the callback is logged and ends its thread, after which no frame arrives and ``stop``
    blocks forever; a camera that was not closed can't be opened again; a control that the camera doesn't have is
    refused; a configuration has a raw stream unless it is declined. Tests configure the class, since the adapter
    creates the instances."""

    cameras: ClassVar[list[dict[str, Any]]] = [
        {"Model": "imx708", "Location": 2, "Rotation": 180, "Id": "/base/i2c@1a", "Num": 0}
    ]
    modes: ClassVar[list[dict[str, Any]]] = SENSOR_MODES
    exposure_controls: ClassVar[dict[str, tuple[Any, Any, Any]]] = {
        "AeEnable": (False, True, True), "AnalogueGain": (1.0, 16.0, 1.0), "ExposureTime": (1, 66666, 20000),
    }  # fmt: skip
    lens_controls: ClassVar[dict[str, tuple[Any, Any, Any]]] = {"AfMode": (0, 2, 0), "LensPosition": (0.0, 32.0, 1.0)}
    busy = False
    hangs_on_stop = False
    sends_no_frames = False
    cannot_configure = False
    cannot_rotate = False
    adjusted_size: ClassVar[tuple[int, int] | None] = None
    """What libcamera makes of the stream's size; None: it takes it as it is."""
    now_ns: Callable[[], int] = staticmethod(lambda: 0)
    instances: ClassVar[list["Picamera2"]] = []
    end_of_hang = threading.Event()

    @staticmethod
    def global_camera_info() -> list[dict[str, Any]]:
        return Picamera2.cameras

    def __init__(
        self, camera_num: int = 0, verbose_console: Any = None, tuning: Any = None, allocator: Any = None
    ) -> None:
        self.number, self.closed = camera_num, False
        if Picamera2.busy or any(camera.number == camera_num and not camera.closed for camera in Picamera2.instances):
            raise RuntimeError("Camera __init__ sequence did not complete.")
        self.pre_callback: Callable[[FakeRequest], None] | None = None
        self.config: dict[str, Any] = {}
        self.controls: dict[str, Any] = {}
        self.started = self.read_modes = False
        self.pending_jobs = 0
        self.thread_died = False
        self.helpers = SimpleNamespace(picam2=self)  # a cycle, as in the library: freed by the collector only
        Picamera2.instances.append(self)

    @property
    def camera_properties(self) -> dict[str, Any]:
        return {"Model": Picamera2.cameras[self.number]["Model"], "UnitCellSize": (1400, 1400)}

    @property
    def camera_controls(self) -> dict[str, tuple[Any, Any, Any]]:
        frame_us = (8324, 1_000_000, 33333)
        return {"FrameDurationLimits": frame_us} | Picamera2.exposure_controls | Picamera2.lens_controls

    @property
    def sensor_modes(self) -> list[dict[str, Any]]:
        self.read_modes = True
        return Picamera2.modes

    def create_video_configuration(
        self,
        main: Any = None,
        lores: Any = None,
        raw: Any = {},  # noqa: B006 - the library's own default
        transform: Any = None,
        colour_space: Any = None,
        buffer_count: int = 6,
        controls: Any = None,
        display: str = "main",
        encode: str = "main",
        queue: bool = True,
        sensor: Any = None,
        use_case: str = "video",
    ) -> dict[str, Any]:
        main = {"format": "XBGR8888", "size": (1280, 720)} | main
        assert not any(side % 2 for side in main["size"])
        streams = {
            "main": main,
            "lores": None if lores is None else {"format": "YUV420", "size": main["size"]} | lores,
            "raw": None if raw is None else {"format": "SRGGB10_CSI2P", "size": main["size"]} | raw,
        }
        transform = transform or FakeTransform()
        others = {"sensor": sensor, "controls": controls or {}, "buffer_count": buffer_count, "queue": queue}
        return streams | others | {"transform": transform}

    def configure(self, camera_config: Any = "preview") -> None:
        assert not self.read_modes, "reading sensor_modes first halves the rate"
        if Picamera2.cannot_configure:
            raise RuntimeError("Failed to configure camera: invalid argument")
        if Picamera2.adjusted_size is not None:
            camera_config["main"]["size"] = Picamera2.adjusted_size
        if Picamera2.cannot_rotate:
            camera_config["transform"] = FakeTransform()
        self.config = camera_config
        self.set_controls(camera_config["controls"])

    def start(self, config: Any = None, show_preview: Any = False) -> None:
        self.started = True

    def stop(self) -> None:
        if Picamera2.hangs_on_stop or (self.started and (self.pending_jobs or self.thread_died)):
            Picamera2.end_of_hang.wait(LIMIT_S)
            raise RuntimeError("the test is over")
        self.started = False

    def cancel_all_and_flush(self) -> None:
        self.pending_jobs = 0

    def close(self) -> None:
        """Ends the library's thread before it stops the camera, so it hangs only where libcamera itself does."""
        self.pending_jobs, self.thread_died = 0, False
        if self.started:
            self.stop()
        self.closed = True

    def set_controls(self, controls: dict[str, Any]) -> None:
        for name in controls:
            if name not in self.camera_controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        self.controls |= controls

    def capture_metadata(self, wait: Any = None, signal_function: Any = None) -> dict[str, Any]:
        assert wait is not None, "a capture without a timeout can block forever"
        if not Picamera2.sends_no_frames:
            self.expose(Picamera2.now_ns())
        if Picamera2.sends_no_frames or self.thread_died:
            self.pending_jobs += 1
            raise TimeoutError
        return {"SensorTimestamp": Picamera2.now_ns(), "ExposureTime": 8000}

    def expose(self, stamp_ns: int, **metadata: Any) -> None:
        """Complete a frame, as on the library's thread."""
        values = {"SensorTimestamp": stamp_ns, "ExposureTime": 8000, "AnalogueGain": 2.0} | metadata
        request = FakeRequest(self, {name: value for name, value in values.items() if value is not None}, test_image())
        if self.thread_died:
            return
        if self.started and self.pre_callback is not None:
            try:
                self.pre_callback(request)
            except Exception:
                logger.exception("Exception during process_requests()")
                self.thread_died = True
        request.release()
        assert request.reference_count == 0, "a request was held"


def test_image() -> NDArray[np.uint8]:
    """Return a BGR image: red on the left, green in the middle, blue on the right."""
    image = np.zeros((864, 1536, 3), np.uint8)
    image[:, :512, 2], image[:, 512:1024, 1], image[:, 1024:, 0] = 200, 200, 200
    return image
