"""An X server with one screen, whose pixels are read and whose mouse is moved."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from device.camera.frames import Pixels
from tests.helpers.waiting import LIMIT_S, wait_until
from ui.screen.core.png_display import render_image
from ui.screen.core.registry import paint
from ui.screen.views import Press, View

SIZE = (800, 480)


@dataclass
class XServer:
    """An X server with one screen of the window's size."""

    environment: dict[str, str]
    buffer: Path

    def read_screen(self) -> Pixels:
        """Return the screen's pixels from the XWD file that Xvfb writes (its header is 25 big-endian words)."""
        data = self.buffer.read_bytes()
        header = np.frombuffer(data, ">u4", 25)
        start, width, height, line, colours = (int(header[i]) for i in (0, 4, 5, 12, 19))
        rows = np.frombuffer(data, np.uint8, line * height, start + 12 * colours).reshape(height, line)
        return rows[:, : 4 * width].reshape(height, width, 4)[:, :, 2::-1]

    def wait_for(self, view: View) -> None:
        """Wait until the screen shows ``view``."""
        expected = render_image(view, SIZE)
        wait_until(lambda: np.array_equal(self.read_screen(), expected), f"{view} on the screen")

    def click(self, view: View, press: Press) -> None:
        """Click on the target of ``view`` that means ``press``."""
        import pygame

        targets = paint(pygame.Surface(SIZE, 0, 32), view)
        x, y = next(target.rect.center for target in targets if target.press == press)
        command = ["xdotool", "mousemove", str(x), str(y), "click", "1"]
        subprocess.run(command, env=self.environment, check=True, timeout=LIMIT_S)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[XServer]:
    missing = [name for name in ("Xvfb", "xdotool") if shutil.which(name) is None]
    if missing:
        pytest.skip(f"{' and '.join(missing)} not installed: apt install xvfb xdotool")
    read, write = os.pipe()
    screen = ["-screen", "0", f"{SIZE[0]}x{SIZE[1]}x24", "-fbdir", str(tmp_path), "-displayfd", str(write)]
    xvfb = subprocess.Popen(["Xvfb", *screen, "-nolisten", "tcp"], pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as number:
            display = number.readline().strip()
        if not display:
            pytest.skip("Xvfb could not open a display here")
        environment = {**os.environ, "DISPLAY": f":{display}", "SDL_VIDEODRIVER": "x11"}
        environment.pop("WAYLAND_DISPLAY", None)
        yield XServer(environment, tmp_path / "Xvfb_screen0")
    finally:
        xvfb.terminate()
        xvfb.wait(LIMIT_S)
