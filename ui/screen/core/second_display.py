"""A television at the box's own second output: the public pages drawn by the touchscreen's painters, in a thread of its
own, and shown by a process of its own."""

import logging
import mmap
import os
import select
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Final

import pygame
from pygame import Rect

from errors import ThrowlockError
from messages import N
from ui.i18n.language import current_language
from ui.screen.core.screen import CARD_VARIABLE, find_second_screen, uses_second_screen
from ui.screen.core.stage import Stage
from ui.screen.views import View

logger = logging.getLogger(__name__)

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
                raise SecondOutputError(N("the second screen can’t be opened")) from None
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


FRAME_INTERVAL_S = 1 / 30
"""Between two frames while something moves; the touchscreen, which has the touches, gets twice as many."""
SEARCH_INTERVAL_S = 5.0
"""Between two looks for a second screen, and whether it is still wanted."""

Current = Callable[[], tuple[View, int]]
"""Returns what is shown, and since when, in ns."""


def open_second_output() -> SecondOutput | None:
    """Open the second screen of the box; None if none is connected. On a desktop, whose screens are not ours, there is
    none. Raises SecondOutputError."""
    screen = find_second_screen() if os.environ.get("SDL_VIDEODRIVER") == "kmsdrm" else None
    if screen is None:
        return None
    card, number = screen
    return SecondOutput({CARD_VARIABLE: str(card)}, number)


class SecondDisplay:
    """Shows what ``current`` returns on a second screen, whenever one is there and wanted, from ``start`` to ``stop``.
    ``wake`` says that it may have changed. ``now_ns`` is the clock of ``current``; ``open_output`` opens the screen."""

    def __init__(
        self,
        current: Current,
        now_ns: Callable[[], int],
        open_output: Callable[[], SecondOutput | None] = open_second_output,
    ) -> None:
        self._current, self._now_ns, self._open_output = current, now_ns, open_output
        self._changed, self._stopped = threading.Event(), False
        self._thread = threading.Thread(target=self._run, name="second screen", daemon=True)

    def start(self) -> None:
        """Begin to look for a second screen."""
        self._thread.start()

    def wake(self) -> None:
        """Say that there may be something new to show. May be called from any thread."""
        self._changed.set()

    def stop(self) -> None:
        """Leave the screen."""
        self._stopped = True
        self._changed.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        reported = ""
        while not self._stopped:
            try:
                output = self._open_output() if uses_second_screen() else None
                if output is not None:
                    logger.info("a second screen of %d × %d pixels", *output.surface.get_size())
                    try:
                        self._show_on(output)
                    finally:
                        output.close()
                reported = ""
            except SecondOutputError as error:
                if str(error) != reported:
                    logger.warning("%s", error)
                reported = str(error)
            if not self._stopped:
                self._changed.wait(SEARCH_INTERVAL_S)
                self._changed.clear()

    def _show_on(self, output: SecondOutput) -> None:
        """Draw and show until it isn't wanted any more. Raises SecondOutputError."""
        stage = Stage(interactive=False)
        drawn: tuple[View, str] | None = None
        while not self._stopped and uses_second_screen():
            view, shown_ns = self._current()
            elapsed_s = max(0.0, (self._now_ns() - shown_ns) / 1e9)
            page = view.at_time(elapsed_s)
            moves = elapsed_s <= view.animation_s
            if drawn != (page, current_language()):
                drawn = page, current_language()
                if areas := stage.draw(output.surface, page):
                    output.show(areas)
            self._changed.wait(FRAME_INTERVAL_S if moves else SEARCH_INTERVAL_S)
            self._changed.clear()
        with suppress(SecondOutputError):
            output.surface.fill((0, 0, 0))
            output.show([output.surface.get_rect()])
