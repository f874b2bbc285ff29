"""Cameras by name, as ``--camera`` takes them: ``picamera2``, ``usb:0``, ``clip:FILE``, ``simulated``; and the table
a clip makes."""

import importlib.util
from pathlib import Path

from device.camera.base import Camera, CameraError
from device.camera.clip import ClipCamera
from device.camera.picamera import Picamera
from device.camera.usb import UsbCamera
from device.simulated.table.table import SimulatedTable
from device.system.clock import Clock
from throwlock.settings.model import CameraSettings, SettingsError, read, usual_place

KINDS = "picamera2, usb:N, clip:FILE, simulated, or none"
NO_CAMERA = "none"
"""Throws are entered on the screen or by buttons."""


def as_set() -> CameraSettings:
    """How the camera is set; a file of settings that can't be read is told elsewhere, and sets nothing."""
    try:
        return read(usual_place()).camera
    except SettingsError:
        return CameraSettings()


def usual_camera() -> str:
    """The camera to use where none is named: the one that is set, or the one that this machine has."""
    name = as_set().name
    if name != "auto":
        return name
    return "picamera2" if importlib.util.find_spec("picamera2") else "usb:0"


def open_camera(name: str, clock: Clock, seats: int, seed: int) -> Camera:
    """The camera called ``name`` as it is set, not started. Raises CameraError."""
    asked = as_set()
    size = (asked.width, asked.height)
    kind, _, rest = name.partition(":")
    if name == "simulated":
        if not 2 <= seats <= 8:
            raise CameraError(f"the simulated table has room for 2 to 8 players, not {seats}")
        return SimulatedTable(clock, seats, seed)
    if kind == "picamera2" and (rest.isdecimal() or name == "picamera2"):
        return Picamera(int(rest or 0), clock, size, asked.fps, asked.exposure_us, asked.focus_cm)
    if kind == "usb" and rest.isdecimal():
        return UsbCamera(int(rest), clock, size, asked.fps)
    if kind == "clip" and rest:
        return ClipCamera(Path(rest), clock)
    raise CameraError(f"no camera is called {name!r}: give --camera {KINDS}")
