"""Cameras by name, as ``--camera`` takes them: ``picamera2``, ``usb:0``, ``clip:FILE``, ``simulated``."""

import importlib.util
import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum
from pathlib import Path

from device.camera.base import Camera, CameraError
from device.camera.clip import ClipCamera
from device.camera.picamera import Picamera, import_picamera2
from device.camera.usb import UsbCamera
from device.simulated.table.camera import SimulatedTable
from device.system.clock import Clock, MonotonicClock, SimulatedClock
from messages import N
from throwlock.settings.model import CameraSettings, SettingsError, read_settings

logger = logging.getLogger(__name__)

CAMERA_NAMES = "picamera2, usb:N, clip:FILE, simulated, or none"
SENSOR_NAMES = {
    "imx219": "Camera Module 2",
    "imx708": "Camera Module 3",
    "imx708_wide": "Camera Module 3 Wide",
    "imx477": "High Quality Camera",
    "imx296": "Global Shutter Camera",
    "imx500": "AI Camera",
    "ov5647": "Camera Module 1",
}
"""Raspberry Pi's own cameras by the names of their sensors."""
VIDEO_DEVICES = Path("/sys/class/video4linux")


class CameraKind(StrEnum):
    """The kinds of cameras: what a camera's name begins with."""

    PICAMERA2 = "picamera2"
    USB = "usb"
    CLIP = "clip"
    SIMULATED = "simulated"
    NONE = "none"
    """No camera: throws are entered on the screen or with buttons."""

    @classmethod
    def of(cls, name: str) -> "CameraKind | None":
        """Return the kind of the camera called ``name``; None if there is no such kind."""
        return next((kind for kind in cls if kind == name.partition(":")[0]), None)


def camera_settings() -> CameraSettings:
    """Return the camera's settings; the defaults if the file can't be read, which is reported elsewhere."""
    try:
        return read_settings().camera
    except SettingsError:
        return CameraSettings()


def default_camera() -> str:
    """Return the camera to use if none is named: the one in the settings, or the one of this machine."""
    name = camera_settings().name
    if name != "auto":
        return name
    return "picamera2" if importlib.util.find_spec("picamera2") else "usb:0"


def camera_rotation(name: str) -> int:
    """Return by how many degrees the images of the camera called ``name`` are rotated, 0 or 180."""
    return camera_settings().rotation if CameraKind.of(name) in (CameraKind.PICAMERA2, CameraKind.USB) else 0


def find_cameras() -> dict[str, str]:
    """Return the cameras that are connected: what they are called on their cases, by name."""
    return {**_find_pi_cameras(), **_find_usb_cameras()}


def _find_pi_cameras() -> dict[str, str]:
    try:
        cameras = import_picamera2().Picamera2.global_camera_info()
    except CameraError:
        return {}
    except Exception:  # libcamera can't be started: errors of its own
        logger.exception("the Raspberry Pi's cameras can't be listed")
        return {}
    names = {}
    for number, camera in enumerate(cameras):
        if "usb" not in str(camera.get("Id", "")):  # a webcam is better used through OpenCV
            names["picamera2" if number == 0 else f"picamera2:{number}"] = _case_name(str(camera.get("Model", "")))
    return names


def _case_name(sensor: str) -> str:
    """Return what a Raspberry Pi's camera is sold as, from its sensor's name, such as "imx708_wide"."""
    return SENSOR_NAMES.get(sensor.removesuffix("_noir"), sensor)


def _find_usb_cameras() -> dict[str, str]:
    """Return the USB cameras: Video4Linux has each of them at its first device, and their metadata at a second."""
    names = {}
    for device in sorted(VIDEO_DEVICES.glob("video*"), key=lambda path: int(path.name.removeprefix("video"))):
        with suppress(OSError):
            is_usb = "/usb" in str((device / "device").resolve())
            if is_usb and (device / "index").read_text().strip() == "0":
                names[f"usb:{device.name.removeprefix('video')}"] = (device / "name").read_text().strip()
    return names


def open_camera(name: str, clock: Clock, seats: int, seed: int) -> Camera:
    """Return the camera called ``name`` with its settings, not started. Raises CameraError."""
    settings = camera_settings()
    size, rotation = (settings.width, settings.height), camera_rotation(name)
    kind, rest = CameraKind.of(name), name.partition(":")[2]
    if name == CameraKind.SIMULATED:
        if not 2 <= seats <= 8:
            raise CameraError(N("the simulated table has room for 2 to 8 players, not {seats}", seats=seats))
        return SimulatedTable(clock, seats, seed)
    if kind is CameraKind.PICAMERA2 and (rest.isdecimal() or name == kind):
        return Picamera(int(rest or 0), clock, size, settings.fps, settings.exposure_us, settings.focus_cm, rotation)
    if kind is CameraKind.USB and rest.isdecimal():
        return UsbCamera(int(rest), clock, size, settings.fps, rotation)
    if kind is CameraKind.CLIP and rest:
        return ClipCamera(Path(rest), clock)
    raise CameraError(N("no camera is called {name!r}", name=name), terminal_hint=f": give --camera {CAMERA_NAMES}")


def clock_for_camera(name: str) -> Clock:
    """Return the clock to use with the camera called ``name`` while nobody watches a screen: it jumps ahead unless the
    camera watches something real."""
    watches_nothing_real = CameraKind.of(name) in (CameraKind.SIMULATED, CameraKind.CLIP, CameraKind.NONE)
    return SimulatedClock() if watches_nothing_real else MonotonicClock()


@contextmanager
def run_camera(camera: Camera) -> Iterator[Camera]:
    """Start a camera, and stop it at the end. Raises CameraError."""
    camera.start()
    try:
        yield camera
    finally:
        camera.stop()
