"""The camera by touch: which one, and which way up its image is."""

from contextlib import ExitStack
from pathlib import Path

from device.camera.base import CameraError
from device.system.clock import MonotonicClock
from messages import N, capitalise
from throwlock.settings.model import Settings, SettingsError, save_settings
from throwlock.table_setup.cameras import camera_rotation, find_cameras, open_camera, run_camera
from throwlock.table_setup.zone_setup import LivePreview
from ui.screen.core.display import Display
from ui.screen.pages.box_setup import CameraAnswer, CameraPage, working
from ui.screen.pages.notice import Notice

TITLE = N("Camera")


def choose_camera(display: Display, settings_file: Path, name: str) -> tuple[Settings, str] | None:
    """Let people choose the camera and rotate its image, starting with the camera called ``name``. Return the settings
    and the camera's name if they changed; what fails is said on the screen.

    Raises:
        WindowClosedError: The window was closed.
        CameraNotReleasedError: A camera hangs while stopping.
    """
    changed = None
    while True:
        display.show(working(N("Opening the camera")))
        answer = _show_camera(display, name)
        if not isinstance(answer, CameraAnswer):
            return changed
        try:
            settings = save_settings(settings_file, {"camera.name": answer.name, "camera.rotation": answer.rotation})
        except SettingsError as error:
            display.ask(Notice(TITLE, capitalise(error.text)))
        else:
            name = answer.name
            changed = settings, name


def _show_camera(display: Display, name: str) -> object:
    """Show the cameras and the live image of one. Return people's answer."""
    cameras, rotation = find_cameras(), camera_rotation(name)
    if name not in cameras:
        return display.ask(CameraPage(cameras, name, rotation, lambda: None))
    with ExitStack() as opened:
        try:
            camera = opened.enter_context(run_camera(open_camera(name, MonotonicClock(), 2, 0)))
        except CameraError as error:
            return display.ask(CameraPage(cameras, name, rotation, lambda: None, capitalise(error.text)))
        live = opened.enter_context(LivePreview(camera))
        return display.ask(CameraPage(cameras, name, rotation, live.latest, image=live.latest()))
