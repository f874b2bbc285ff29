"""Cameras by name, as ``--camera`` takes them: ``picamera2``, ``usb:0``, ``clip:FILE``, ``simulated``; and the table
a clip makes."""

import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from device.camera.base import Camera, CameraError
from device.camera.clip import ClipCamera
from device.camera.picamera import Picamera
from device.camera.usb import UsbCamera
from device.simulated.table.table import SimulatedTable
from device.system.clock import Clock
from rules.engine import Ask
from throwlock.settings.model import CameraSettings, SettingsError, read, usual_place
from throwlock.tables.hands import Round, Table
from ui.screen.pages.views import Judging, Player

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


@dataclass
class ClipTable(Table):
    """A table whose every round is the whole of a clip. Its players counted for themselves, so the first hand is the
    cue; and since a clip never changes, a tie or a foul in it can't be thrown again."""

    played: bool = False

    def throw(self, ask: Ask, players: Sequence[Player], title: str, again: str | None = None) -> Round:
        """See Table. Raises CameraError when the same throws would be judged again for nothing."""
        if not isinstance(self.camera, ClipCamera):
            raise TypeError("a ClipTable needs a ClipCamera")
        if self.played and (again or ask.about.get("again")):
            raise CameraError(
                "the clip shows the same throws every time, so it can't settle a tie or a foul: use another"
            )
        self.played = True
        self.camera.start()
        began_ns = self.clock.now_ns()
        preview = self.camera.latest().pixels(None, (320, 180)) if self.live else None
        self.display.show(Judging(tuple(players), preview, lambda: self.judge.progress))
        end_ns = began_ns + self.camera.length_ns
        self.clock.wait_until(end_ns)
        frames = self.camera.ring(began_ns, end_ns)
        zones = [self.zones[seat - 1] for seat in ask.seats]
        judgement = self.judge(frames, zones, None, self.house.window_ms * 1_000_000)
        return self.settled(ask, players, judgement, frames)
