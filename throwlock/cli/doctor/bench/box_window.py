"""The window of a measurement: the whole screen, as ``throwlock box`` uses it."""

import os
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

import pygame

from device.camera.frames import Size
from throwlock.cli.doctor.bench.result import MEMORY_DRIVERS
from throwlock.settings.model import SettingsError, read_settings
from ui.screen.core.screen import NoScreenError, set_rotation
from ui.screen.core.window import Window
from ui.screen.views import View

ResultT = TypeVar("ResultT")


def run_in_box_window(play: Callable[[Window], ResultT], on_drawn: Callable[[View], None]) -> tuple[str, Size, ResultT]:
    """Call ``play`` with a window on the whole screen, or in memory where there is no screen.

    Returns:
        SDL's video driver, the window's size in pixels, and what ``play`` returned.

    Raises:
        WindowClosedError: People closed the window.
    """

    def play_and_look(window: Window) -> tuple[str, Size, ResultT]:
        driver, size = pygame.display.get_driver(), pygame.display.get_window_size()
        return driver, size, play(window)

    with suppress(SettingsError):  # which throwlock doctor reports
        set_rotation(read_settings().screen.rotation)
    try:
        return Window(fullscreen=True, on_drawn=on_drawn).run(play_and_look)
    except NoScreenError:
        os.environ["SDL_VIDEODRIVER"] = MEMORY_DRIVERS[0]
        return Window(on_drawn=on_drawn).run(play_and_look)
