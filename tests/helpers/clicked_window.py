"""The box's program in a window on an X server, which says what can be clicked."""

import contextlib
import json
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import pytest
from clicked_game import SPEED
from waiting import LIMIT_S
from x_server import XServer

from ui.screen.input import SETTLE_TIME_NS

RETRY_S = 8.0
"""After this time without a new page the click is repeated: a touch too soon after a new page doesn't count. Long, for
on a busy machine a repeated click would land on the page that the first one led to."""
SETTLE_S = 2 * SETTLE_TIME_NS / SPEED / 1e9
"""Twice the time after which a touch on a new page counts."""


@dataclass(frozen=True)
class ClickTarget:
    """A target: its label, the reply or the kind of page that it leads to, and its centre."""

    label: str
    press: str
    x: int
    y: int


@dataclass
class WindowOutput:
    """The pages that the window reports, read in a thread."""

    clock: IO[str]
    lines: "queue.SimpleQueue[str | None]" = field(default_factory=queue.SimpleQueue)
    page: str = ""
    targets: tuple[ClickTarget, ...] = ()
    url: str = ""
    """Where phones join, while the page shows it."""

    def read(self, out: IO[str]) -> None:
        for line in out:
            self.lines.put(line)
        self.lines.put(None)

    def read_newest(self, timeout_s: float) -> bool:
        """Read the newest page, once it stays for a moment. Return False when none came in ``timeout_s``."""
        line: str | None = ""
        with contextlib.suppress(queue.Empty):
            while line is not None:
                line = self.lines.get(timeout=SETTLE_S if line else timeout_s)
        if line == "":
            return False
        assert line is not None, f"the window closed at {self.page}"
        if line.startswith("{"):
            report = json.loads(line)
            self.page, self.targets = report["page"], tuple(ClickTarget(*target) for target in report["targets"])
            self.url = report["url"]
        return True


def touch(window: WindowOutput, mouse: IO[str], label: str) -> None:
    """Click on the target with that label, if there is one, and read the page after it."""
    target = next((target for target in window.targets if target.label == label), None)
    if target is not None:
        print(f"mousemove {target.x} {target.y} click 1", file=mouse, flush=True)
    window.read_newest(RETRY_S)


def touch_until(window: WindowOutput, mouse: IO[str], label: str, condition: Callable[[], object]) -> None:
    """Click on the target with that label, where there is one, until ``condition()`` is true."""
    end_s = time.monotonic() + LIMIT_S
    while not condition():
        assert time.monotonic() < end_s, f"touching {label!r} has led to {window.page} only"
        touch(window, mouse, label)


def click(
    window: WindowOutput, mouse: IO[str], pages: str | tuple[str, ...], label: str, after: str, shows: str = ""
) -> None:
    """Click on a target of one of the ``pages``, whose label begins with ``label``, until the window shows a page
    ``after`` with a target whose label begins with ``shows``."""
    end_s, before = time.monotonic() + LIMIT_S, (pages,) if isinstance(pages, str) else pages
    while True:
        labels = [target.label for target in reversed(window.targets)]
        if window.page == after and any(name.startswith(shows) for name in labels):
            return
        assert time.monotonic() < end_s, f"{label!r} on {pages} did not lead to {after}, but {window.page}"
        if window.page in before:
            touch(window, mouse, next((name for name in labels if name.startswith(label)), label))
        else:
            window.read_newest(RETRY_S)


def end_pause(window: WindowOutput, mouse: IO[str]) -> None:
    """Go on, from the page on which phones join and from the pause."""
    touch_until(window, mouse, "Go on", lambda: window.page not in ("PhonesPage", "PausePage"))


@pytest.fixture
def game_window(server: XServer, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[WindowOutput]:
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
    assert box.stdin is not None and box.stdout is not None
    output = WindowOutput(box.stdin)
    reader = threading.Thread(target=output.read, args=(box.stdout,))
    reader.start()
    try:
        yield output
    finally:
        box.kill()
        box.wait(LIMIT_S)
        reader.join()


@pytest.fixture
def mouse(server: XServer) -> Iterator[IO[str]]:
    """Return the standard input of an xdotool, which runs each line."""
    xdotool = subprocess.Popen(["xdotool", "-"], env=server.environment, stdin=subprocess.PIPE, text=True)
    assert xdotool.stdin is not None
    yield xdotool.stdin
    xdotool.kill()
    xdotool.wait(LIMIT_S)
