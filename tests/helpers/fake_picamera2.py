"""A stand-in for the picamera2 library: its own names, signatures and habits as far as the box uses them, and what goes
wrong with it. Frames come when ``expose`` is called."""

import threading
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import cv2
import numpy as np
from numpy.typing import NDArray

MODES = [
    {"format": "SRGGB10_CSI2P", "unpacked": "SRGGB10", "bit_depth": 10, "size": (1536, 864), "fps": 120.13,
     "crop_limits": (768, 432, 3072, 1728), "exposure_limits": (9, 77193582, 20000)},
    {"format": "SRGGB10_CSI2P", "unpacked": "SRGGB10", "bit_depth": 10, "size": (2304, 1296), "fps": 56.03,
     "crop_limits": (0, 0, 4608, 2592), "exposure_limits": (13, 112015443, 20000)},
    {"format": "SRGGB10_CSI2P", "unpacked": "SRGGB10", "bit_depth": 10, "size": (4608, 2592), "fps": 14.35,
     "crop_limits": (0, 0, 4608, 2592), "exposure_limits": (26, 220417486, 20000)},
]  # fmt: skip
"""What the driver of a Camera Module 3 (IMX708) names."""


class Request:
    """A completed request: arrays with padded rows, as the hardware leaves them."""

    def __init__(self, camera: "Picamera2", told: Mapping[str, Any], bgr: NDArray[np.uint8]) -> None:
        self._camera, self._told, self._bgr = camera, told, bgr
        self.held = 1

    def get_metadata(self) -> dict[str, Any]:
        return dict(self._told)

    def make_array(self, name: str) -> NDArray[np.uint8]:
        config = self._camera.config[name]
        wide, high = config["size"]
        picture = np.asarray(cv2.resize(self._bgr, (wide, high)))
        if config["format"] == "RGB888":
            return picture
        assert config["format"] == "YUV420"
        flat = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420))
        stride = -(-wide // 64) * 64
        padded = np.full((high * 3 // 2, stride), 77, np.uint8)
        padded[:high, :wide] = flat[:high]
        chroma = np.full((high, stride // 2), 77, np.uint8)
        chroma[:, : wide // 2] = flat[high:].reshape(high, wide // 2)
        padded[high:] = chroma.reshape(high // 2, stride)
        return padded

    def acquire(self) -> None:
        self.held += 1

    def release(self) -> None:
        self.held -= 1
        assert self.held >= 0, "a request was released twice"


class Picamera2:
    """One camera, as unkind as the library: a capture that timed out stays in its queue and blocks ``stop`` until it is
    cancelled, an exception in the callback ends its thread, and a camera that was not closed can't be opened again.
    What the tests set is on the class, since the adapter makes its own."""

    cameras: ClassVar[list[dict[str, Any]]] = [
        {"Model": "imx708", "Location": 2, "Rotation": 180, "Id": "/base/i2c@1a", "Num": 0}
    ]
    modes: ClassVar[list[dict[str, Any]]] = MODES
    lens: ClassVar[dict[str, tuple[Any, Any, Any]]] = {"AfMode": (0, 2, 0), "LensPosition": (0.0, 32.0, 1.0)}
    busy = False
    hangs_on_stop = False
    mute = False
    now_ns: Callable[[], int] = staticmethod(lambda: 0)
    made: ClassVar[list["Picamera2"]] = []
    asleep = threading.Event()

    @staticmethod
    def global_camera_info() -> list[dict[str, Any]]:
        return Picamera2.cameras

    def __init__(
        self, camera_num: int = 0, verbose_console: Any = None, tuning: Any = None, allocator: Any = None
    ) -> None:
        if Picamera2.busy or any(one.number == camera_num and not one.closed for one in Picamera2.made):
            raise RuntimeError("Camera __init__ sequence did not complete.")
        self.number = camera_num
        self.pre_callback: Callable[[Request], None] | None = None
        self.config: dict[str, Any] = {}
        self.controls: dict[str, Any] = {}
        self.started = self.closed = self.read_modes = False
        self.requests: list[Request] = []
        self.pending_jobs = 0
        self.thread_died = False
        Picamera2.made.append(self)

    @property
    def camera_properties(self) -> dict[str, Any]:
        return {"Model": Picamera2.cameras[self.number]["Model"], "UnitCellSize": (1400, 1400)}

    @property
    def camera_controls(self) -> dict[str, tuple[Any, Any, Any]]:
        return {"AnalogueGain": (1.0, 16.0, 1.0), "ExposureTime": (1, 66666, 20000)} | Picamera2.lens

    @property
    def sensor_modes(self) -> list[dict[str, Any]]:
        self.read_modes = True
        return Picamera2.modes

    def create_video_configuration(
        self,
        main: Any = None,
        lores: Any = None,
        raw: Any = None,
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
        assert lores["size"][0] <= main["size"][0] and lores["size"][1] <= main["size"][1], (
            "lores is no larger than main"
        )
        assert not any(side % 2 for side in (*main["size"], *lores["size"]))
        return {"main": main, "lores": lores, "sensor": sensor, "controls": controls, "buffer_count": buffer_count}

    def configure(self, camera_config: Any = "preview") -> None:
        assert not self.read_modes, "reading sensor_modes first halves the rate"
        self.config = camera_config
        self.controls |= camera_config["controls"]

    def start(self, config: Any = None, show_preview: Any = False) -> None:
        self.started = True

    def stop(self) -> None:
        if Picamera2.hangs_on_stop or (self.started and (self.pending_jobs or self.thread_died)):
            Picamera2.asleep.wait(60)
            raise RuntimeError("the test is over")
        self.started = False

    def cancel_all_and_flush(self) -> None:
        self.pending_jobs = 0

    def close(self) -> None:
        if self.started:
            self.stop()
        self.closed = True

    def set_controls(self, controls: dict[str, Any]) -> None:
        self.controls |= controls

    def capture_metadata(self, wait: Any = None, signal_function: Any = None) -> dict[str, Any]:
        assert wait is not None, "a capture without a time-out can block for ever"
        if Picamera2.mute or self.thread_died:
            self.pending_jobs += 1
            raise TimeoutError
        self.expose(Picamera2.now_ns())
        return {"SensorTimestamp": Picamera2.now_ns(), "ExposureTime": 8000}

    def capture_request(self, wait: Any = None, signal_function: Any = None, flush: Any = None) -> Request:
        assert wait is not None, "a capture without a time-out can block for ever"
        if Picamera2.mute or self.thread_died:
            self.pending_jobs += 1
            raise TimeoutError
        self.requests.append(Request(self, {}, scene()))
        return self.requests[-1]

    def expose(self, stamp_ns: int, **told: Any) -> None:
        """A frame is completed, on the library's thread."""
        facts = {"SensorTimestamp": stamp_ns, "ExposureTime": 8000, "AnalogueGain": 2.0} | told
        request = Request(self, {name: fact for name, fact in facts.items() if fact is not None}, scene())
        if self.thread_died:
            return
        if self.started and self.pre_callback is not None:
            try:
                self.pre_callback(request)
            except Exception:
                self.thread_died = True
                raise
        request.release()
        assert request.held == 0, "a request was held"


def scene() -> NDArray[np.uint8]:
    """A picture with a red field on the left, a green one in the middle and a blue one on the right: B, G, R."""
    picture = np.zeros((864, 1536, 3), np.uint8)
    picture[:, :512, 2], picture[:, 512:1024, 1], picture[:, 1024:, 0] = 200, 200, 200
    return picture
