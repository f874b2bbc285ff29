"""X servers without a screen of the machine's own, for windows that are measured."""

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from device.camera.frames import Size
from errors import ThrowlockError

PROGRAM = "Xvfb"
STOP_TIMEOUT_S = 10.0
DUMMY_DRIVER = {"dummy": {"SDL_VIDEODRIVER": "dummy"}}


class XServerError(ThrowlockError):
    """The X server is not installed, or it ended before it had a display."""


@contextmanager
def start_x_server(size: Size) -> Iterator[dict[str, str]]:
    """Run an X server with one screen and yield the environment for a window on it. Raises XServerError."""
    if shutil.which(PROGRAM) is None:
        raise XServerError(f"{PROGRAM} is not installed: sudo apt install xvfb")
    read, write = os.pipe()
    screen = f"{size[0]}x{size[1]}x24"
    command = [PROGRAM, "-displayfd", str(write), "-screen", "0", screen, "-nolisten", "tcp"]
    with subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL) as server:
        os.close(write)
        with os.fdopen(read) as pipe:
            number = pipe.readline().strip()
        try:
            if not number:
                raise XServerError(f"{PROGRAM} ended with status {server.wait(STOP_TIMEOUT_S)} before it had a display")
            yield {"DISPLAY": f":{number}", "SDL_VIDEODRIVER": "x11"}
        finally:
            server.terminate()


@contextmanager
def start_drivers(size: Size) -> Iterator[Mapping[str, Mapping[str, str]]]:
    """Yield the environment of each of SDL's drivers to measure by name: one without a screen, and where Xvfb is
    installed one on an X server. Raises XServerError."""
    if shutil.which(PROGRAM) is None:
        yield DUMMY_DRIVER
        return
    with start_x_server(size) as x11:
        yield {**DUMMY_DRIVER, "x11": x11}
