"""Cameras by name, as ``--camera`` takes them: ``picamera2``, ``usb:0``, ``clip:FILE``, ``simulated``."""

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from device.camera.base import Camera, CameraError
from device.camera.clip import ClipCamera
from device.camera.picamera import Picamera
from device.camera.usb import UsbCamera
from device.simulated.table.camera import SimulatedTable
from device.system.clock import Clock
from messages import N
from throwlock.settings.model import CameraSettings, SettingsError, read_settings

CAMERA_NAMES = "picamera2, usb:N, clip:FILE, simulated, or none"
NO_CAMERA = "none"
"""Throws are entered on the screen or with buttons."""


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


def open_camera(name: str, clock: Clock, seats: int, seed: int) -> Camera:
    """Return the camera called ``name`` with its settings, not started. Raises CameraError."""
    settings = camera_settings()
    size = (settings.width, settings.height)
    kind, _, rest = name.partition(":")
    if name == "simulated":
        if not 2 <= seats <= 8:
            raise CameraError(N("the simulated table has room for 2 to 8 players, not {seats}", seats=seats))
        return SimulatedTable(clock, seats, seed)
    if kind == "picamera2" and (rest.isdecimal() or name == "picamera2"):
        return Picamera(int(rest or 0), clock, size, settings.fps, settings.exposure_us, settings.focus_cm)
    if kind == "usb" and rest.isdecimal():
        return UsbCamera(int(rest), clock, size, settings.fps)
    if kind == "clip" and rest:
        return ClipCamera(Path(rest), clock)
    raise CameraError(N("no camera is called {name!r}", name=name), terminal_hint=f": give --camera {CAMERA_NAMES}")


@contextmanager
def run_camera(camera: Camera) -> Iterator[Camera]:
    """Start a camera, and stop it at the end. Raises CameraError."""
    camera.start()
    try:
        yield camera
    finally:
        camera.stop()
