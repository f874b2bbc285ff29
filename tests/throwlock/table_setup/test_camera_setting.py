"""The default camera and its settings."""

from pathlib import Path

import pytest

from device.camera.picamera import Picamera
from device.camera.usb import UsbCamera
from device.system.clock import MonotonicClock, SimulatedClock
from throwlock.settings.model import CameraSettings
from throwlock.table_setup.cameras import (
    camera_rotation,
    camera_settings,
    clock_for_camera,
    default_camera,
    open_camera,
)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("THROWLOCK_SETTINGS", str(tmp_path / "throwlock.toml"))
    return tmp_path / "throwlock.toml"


def test_the_set_camera_or_this_machines_is_used(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for library, name in ((object(), "picamera2"), (None, "usb:0")):
        monkeypatch.setattr(
            "throwlock.table_setup.cameras.importlib.util.find_spec", lambda _, library=library: library
        )
        assert default_camera() == name
        file.write_text('[camera]\nname = "usb:3"\n')
        assert default_camera() == "usb:3"
        file.write_text("[camera\n")  # which is told where the settings are shown
        assert default_camera() == name and camera_settings() == CameraSettings()
        file.unlink()


def test_camera_settings_are_applied(file: Path) -> None:
    file.write_text("[camera]\nwidth = 640\nheight = 360\nfps = 90\nexposure_us = 2500\n")
    pi, usb = open_camera("picamera2:1", SimulatedClock(), 2, 0), open_camera("usb:2", SimulatedClock(), 2, 0)
    assert isinstance(pi, Picamera) and (pi.index, pi.size, pi.fps) == (1, (640, 360), 90)
    assert isinstance(usb, UsbCamera) and (usb.index, usb.size, usb.fps) == (2, (640, 360), 90)
    with pytest.raises(ValueError, match="pattern"):
        CameraSettings(name="webcam")


def test_images_of_real_cameras_are_rotated(file: Path) -> None:
    file.write_text("[camera]\nrotation = 180\n")
    names = ("picamera2", "picamera2:1", "usb:0", "simulated", "none", "clip:usb.mp4")
    assert [camera_rotation(name) for name in names] == [180, 180, 180, 0, 0, 0]
    opened = [open_camera(name, SimulatedClock(), 2, 0) for name in names[:3]]
    assert [getattr(camera, "_rotation", None) for camera in opened] == [180, 180, 180]


def test_frame_rate_depends_on_the_board(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for is_raspberry_pi_4, fps in ((True, 60), (False, 120)):
        monkeypatch.setattr("throwlock.settings.model.is_raspberry_pi_4", lambda answer=is_raspberry_pi_4: answer)
        file.write_text("[camera]\nwidth = 640\n")
        assert open_camera("picamera2", SimulatedClock(), 2, 0).fps == fps
        file.write_text("[camera]\nfps = 100\n")  # the owner's choice wins
        assert open_camera("picamera2", SimulatedClock(), 2, 0).fps == 100


@pytest.mark.parametrize("name", ["picamera2", "picamera2:1", "usb:0"])
def test_real_camera_has_the_machines_clock(name: str) -> None:
    assert isinstance(clock_for_camera(name), MonotonicClock)


@pytest.mark.parametrize("name", ["simulated", "none", "clip:usb.mp4"])
def test_clock_jumps_where_nothing_real_is_watched(name: str) -> None:
    assert isinstance(clock_for_camera(name), SimulatedClock)
