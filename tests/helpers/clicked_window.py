"""The box's program in a window on an X server, which says what can be clicked, and has it clicked. Each click and each
passing of time is awaited until the window has handled it, however long that takes, and no time passes meanwhile."""

import json
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import pytest

from tests.helpers.waiting import LIMIT_S
from tests.helpers.x_server import XServer

PASSING_PAGES = ("GameMessage", "Reveal", "Showdown")
"""Pages that make way for the next after a time,"""
PASSING_S = 20
"""at the most this."""


@dataclass(frozen=True)
class ClickTarget:
    """A target: its label, the reply or the kind of page that it leads to, and its centre."""

    label: str
    press: str
    x: int
    y: int


@dataclass
class ClickedWindow:
    """The window: what it shows, as far as it is read, and the standard inputs of xdotool and of the game."""

    mouse: IO[str]
    clock: IO[str]
    lines: "queue.SimpleQueue[str | None]" = field(default_factory=queue.SimpleQueue)
    page: str = ""
    targets: tuple[ClickTarget, ...] = ()
    """None once the page is answered."""
    url: str = ""
    """Where phones join, while the page shows it."""
    _sent: int = 0
    _handled: int = 0

    def keep_lines(self, out: IO[str]) -> None:
        """Keep what the game prints until it is read; runs in a thread."""
        for line in out:
            self.lines.put(line)
        self.lines.put(None)

    def read(self) -> None:
        """Read what the window has reported so far, without waiting."""
        while not self.lines.empty():
            self._read_line()

    def wait(self, condition: Callable[[], object]) -> None:
        """Read on until ``condition()`` is true. Raises AssertionError when it never is."""
        self.read()
        while not condition():
            self._read_line()

    def wait_for_targets(self) -> None:
        """Wait until the window has handled all that it was sent, and shows a page that can be touched."""
        self.wait(lambda: self._handled == self._sent and self.targets)

    def touch(self, target: ClickTarget) -> None:
        """Click on a target, and wait for the page after it."""
        print(f"mousemove {target.x} {target.y} click 1", file=self.mouse, flush=True)
        self._sent += 1
        self.wait_for_targets()

    def pass_time(self, seconds: float) -> None:
        """Let seconds pass at once, and wait for the page after them."""
        print(seconds, file=self.clock, flush=True)
        self._sent += 1
        self.wait_for_targets()

    def target(self, label: str) -> ClickTarget | None:
        """Return the last target whose label begins with ``label``: buttons come after what they are about."""
        return next((target for target in reversed(self.targets) if target.label.startswith(label)), None)

    def touch_until(self, label: str, condition: Callable[[], object]) -> None:
        """Click on the target with that label, wherever there is one, until ``condition()`` is true."""
        self.wait_for_targets()
        while not condition():
            if target := self.target(label):
                self.touch(target)
            else:
                self._read_line()

    def click(self, pages: str | tuple[str, ...], label: str, after: str, shows: str = "") -> None:
        """Click on a target of one of the ``pages``, whose label begins with ``label``, until the window shows a page
        ``after`` with a target whose label begins with ``shows``; time passes on pages between them."""
        before = (pages,) if isinstance(pages, str) else pages
        self.wait_for_targets()
        while not (self.page == after and self.target(shows)):
            if self.page in before and (target := self.target(label)):
                self.touch(target)
            elif self.page in PASSING_PAGES:
                self.pass_time(PASSING_S)
            else:
                self._read_line()

    def end_pause(self) -> None:
        """Go on, from the page on which phones join and from the pause."""
        self.touch_until("Go on", lambda: self.page not in ("PhonesPage", "PausePage"))

    def _read_line(self) -> None:
        try:
            line = self.lines.get(timeout=LIMIT_S)
        except queue.Empty:
            raise AssertionError(f"the window stays at {self.page} with {self.targets}") from None
        assert line is not None, f"the window closed at {self.page}"
        report = json.loads(line)
        self.page, self.targets = report["page"], tuple(ClickTarget(*target) for target in report["targets"])
        self.url, self._handled = report["url"], report["handled"]


@pytest.fixture
def game_window(server: XServer, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[ClickedWindow]:
    """Run the game in a window on the server, with an empty home directory; further words are arguments of ``play``."""
    game, *arguments = request.param.split()
    command = [
        sys.executable,
        str(Path(__file__).parent / "clicked_game.py"),
        game,
        str(tmp_path / "j"),
        *arguments,
    ]
    homes = {name: str(tmp_path) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME")}
    environment = {**server.environment, **homes, "SDL_AUDIODRIVER": "dummy", "PYTHONPATH": str(Path.cwd())}
    box = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    xdotool = subprocess.Popen(["xdotool", "-"], env=server.environment, stdin=subprocess.PIPE, text=True)
    assert box.stdin is not None and box.stdout is not None and xdotool.stdin is not None
    window = ClickedWindow(xdotool.stdin, box.stdin)
    reader = threading.Thread(target=window.keep_lines, args=(box.stdout,))
    reader.start()
    try:
        yield window
    finally:
        for process in (xdotool, box):
            process.kill()
            process.wait(LIMIT_S)
        reader.join()
