"""The process that shows a second screen's pixels: on the Pi 5 the touchscreen and the HDMI connectors are two graphics
cards, of which SDL opens one in a process. It draws nothing itself. ``SecondOutput`` starts and feeds it.

``python -m ui.screen.core.second_output MEMORY NUMBER``: it opens the screen ``NUMBER`` of SDL's environment, prints
the size, waits for a line, and shows those parts of the shared MEMORY (a file descriptor, R, G, B and one more byte a
pixel) that each further line names, "x y w h" each; it answers every line.
"""

import mmap
import os
import select
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

import pygame
from pygame import Rect

from errors import ThrowlockError
from messages import N

PUMP_INTERVAL_S = 1.0
"""How often the process takes the system's events while nothing changes."""
PIXEL_FORMAT: Final = "RGBX"
PIXEL_BYTES = 4


class SecondOutputError(ThrowlockError):
    """The second screen can't be opened, or is gone."""


class SecondOutput:
    """A second screen, full screen, in a process of its own. ``surface`` is drawn on; ``show`` shows what was drawn."""

    def __init__(self, environment: Mapping[str, str], number: int = 0) -> None:
        """Open screen ``number`` with SDL's ``environment``. Raises SecondOutputError."""
        memory = os.memfd_create("throwlock-second-screen")
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__, str(memory), str(number)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                pass_fds=[memory],
                env={**os.environ, **environment},
                start_new_session=True,  # without a terminal, SDL leaves the console's keyboard alone
            )
            try:
                width, height = (int(word) for word in self._read().split())
            except ValueError:
                self.close()
                raise SecondOutputError(N("the second screen can't be opened")) from None
            os.ftruncate(memory, width * height * PIXEL_BYTES)
            self._pixels = mmap.mmap(memory, width * height * PIXEL_BYTES)
        finally:
            os.close(memory)
        self.surface = pygame.image.frombuffer(self._pixels, (width, height), PIXEL_FORMAT)
        self._ask("ready")

    @property
    def pid(self) -> int | None:
        """The process's id; None once it has ended."""
        return self._process.pid if self._process.poll() is None else None

    def show(self, areas: Sequence[Rect]) -> None:
        """Show ``areas``, and wait until they are shown. Raises SecondOutputError."""
        self._ask(" ".join(str(number) for area in areas for number in area))

    def close(self) -> None:
        """End the process. May be called twice."""
        assert self._process.stdin is not None and self._process.stdout is not None  # pipes
        with suppress(OSError):
            self._process.stdin.close()
        self._process.stdout.close()
        self._process.terminate()
        self._process.wait()

    def _ask(self, line: str) -> None:
        assert self._process.stdin is not None  # a pipe
        try:
            print(line, file=self._process.stdin, flush=True)
        except OSError:
            raise SecondOutputError(N("the second screen is gone")) from None
        if not self._read():
            raise SecondOutputError(N("the second screen is gone"))

    def _read(self) -> str:
        assert self._process.stdout is not None  # a pipe
        return self._process.stdout.readline()


def run_output(memory: int, number: int) -> None:
    """Show what the parent has drawn until it closes the pipe."""
    pygame.display.init()
    screen = pygame.display.set_mode((0, 0), pygame.FULLSCREEN, display=number)
    pygame.mouse.set_visible(False)
    width, height = screen.get_size()
    print(width, height, flush=True)
    pending = b""
    page: pygame.Surface | None = None
    while True:
        pygame.event.pump()
        if not select.select([sys.stdin], [], [], PUMP_INTERVAL_S)[0]:
            continue
        if not (data := os.read(sys.stdin.fileno(), 65_536)):
            return
        *lines, pending = (pending + data).split(b"\n")
        for line in lines:
            if page is None:
                pixels = mmap.mmap(memory, width * height * PIXEL_BYTES)
                page = pygame.image.frombuffer(pixels, (width, height), PIXEL_FORMAT)
            else:
                numbers = [int(word) for word in line.split()]
                areas = [Rect(numbers[start : start + 4]) for start in range(0, len(numbers), 4)]
                for area in areas:
                    screen.blit(page, area, area)
                pygame.display.update(areas)
            print("shown", flush=True)


if __name__ == "__main__":
    run_output(int(sys.argv[1]), int(sys.argv[2]))
