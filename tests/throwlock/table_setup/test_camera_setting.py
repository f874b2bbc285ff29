"""The default camera and its settings."""

from pathlib import Path

import pytest

from device.camera.picamera import Picamera
from device.camera.usb import UsbCamera
from device.system.clock import SimulatedClock
from throwlock.settings.model import CameraSettings
from throwlock.table_setup.cameras import camera_settings, default_camera, open_camera


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
