"""The box in a window, for tests that click: ``python tests/helpers/clicked_game.py GAME JOURNAL [ARGUMENT ...]`` opens
its home page without a camera; the further arguments are those of ``play``. For whatever changes on the screen, and
once it has handled a touch or a line of input, it prints a line of JSON: how many of these it has handled, the page's
name, its targets with label, what they lead to, and centre (none once the page is answered), and where phones join, or
a second screen is opened. Time stands still, but for what a touch needs and each line of its standard input, which is a
number of seconds that pass at once; who waits for a time has it come at once. GAME's default options make a short
match."""

import json
import sys
import threading
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pygame
from typing_extensions import override

from device.system.clock import Clock
from rules.catalogue import GAMES
from rules.engine import Value
from throwlock.cli import play, window
from throwlock.cli.main import run_command
from ui.screen.core.window import BUTTON_EVENT, Window
from ui.screen.drawing.canvas import Target
from ui.screen.input import SETTLE_TIME_NS
from ui.screen.pages.phones import PhonesPage
from ui.screen.pages.question import BoardPage
from ui.screen.pages.second_screen import SecondScreenPage
from ui.screen.views import PAUSE, Reply, View

SHORT_OPTIONS: dict[str, dict[str, Value]] = {
    "classic": {"best_of": 3},
    "redeux": {"risk": "always", "goal": 10},
    "battle": {"rounds": 2},
    "tr": {"throws": 2, "rethrows": 1, "difficulty": 1},
    "board": {"quiet": 10, "start": "1"},
}
"""Options of a short match."""


def describe(target: Target) -> str:
    """Return what a target leads to; one that enlarges the board, what can be picked there then."""
    press, picked = target.press, target.button_press
    if press == PAUSE:
        return "the pause"
    if isinstance(press, Reply):
        return repr(press)
    if isinstance(picked, BoardPage) and picked.move:
        return "BoardPage enlarged for a move"
    if isinstance(press, BoardPage):
        page = picked if isinstance(picked, BoardPage) else press
        return "BoardPage with a move" if page.move else f"BoardPage, selected {page.selected}"
    return type(press).__name__


REPORTS = sys.stdout
"""Where reports go. What the game itself prints, maybe in another thread, goes to the standard error."""


class StandingClock(Clock):
    """All parts' clock, which stands still until one waits, or it is put forward."""

    time_ns = 0
    _lock = threading.Lock()

    @override
    def now_ns(self) -> int:
        return StandingClock.time_ns

    @override
    def wait_until(self, when_ns: int) -> None:
        with self._lock:
            StandingClock.time_ns = max(StandingClock.time_ns, when_ns)

    def put_forward(self, by_ns: int) -> None:
        with self._lock:
            StandingClock.time_ns += by_ns


TIME_EVENT = BUTTON_EVENT + 1
"""The event for a line of the standard input."""


def read_times() -> None:
    """Hand each line of the standard input on to the window's thread."""
    for line in sys.stdin:
        pygame.event.post(pygame.event.Event(TIME_EVENT, {"seconds": float(line)}))


class ReportingWindow(Window):
    """A window that prints its touch targets. A touch comes long enough after each page to count."""

    def __init__(self, *args: Any, on_loop: Callable[[], None], **kwargs: Any) -> None:
        self._time, self._page = StandingClock(), ""
        self._url, self._handled, self._last_line = "", 0, ""
        self._on_turn = on_loop
        super().__init__(*args, **kwargs, clock=self._time, on_drawn=self._note_page, on_loop=self._report)

    @override
    def handle_event(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEBUTTONDOWN:
            self._time.put_forward(SETTLE_TIME_NS)
        elif event.type == TIME_EVENT:
            self._time.put_forward(round(event.seconds * 1e9))
        self._handled += event.type in (pygame.MOUSEBUTTONUP, TIME_EVENT)
        return super().handle_event(event)

    def _note_page(self, page: View) -> None:
        self._page = type(page.page_to_draw).__name__
        address = page.status.address if isinstance(page, PhonesPage) else None
        address = page.address if isinstance(page, SecondScreenPage) else address
        self._url = address.url if address else ""

    def _report(self) -> None:
        """Print what is on the screen after all events so far, if that is new."""
        targets = [(target.label, describe(target), *target.rect.center) for target in self.targets]
        report = {"handled": self._handled, "page": self._page, "targets": targets, "url": self._url}
        if (line := json.dumps(report)) != self._last_line:
            self._last_line = line
            print(line, file=REPORTS, flush=True)
        self._on_turn()


def main(game: str, journal: str, *arguments: str) -> int:
    for option in GAMES[game].options:
        object.__setattr__(option, "default", SHORT_OPTIONS.get(game, {}).get(option.name, option.default))
    sys.stdout = sys.stderr
    threading.Thread(target=read_times, daemon=True).start()
    with (
        patch.object(window, "Window", ReportingWindow),
        patch.object(window, "MonotonicClock", StandingClock),
        patch.object(play, "MonotonicClock", StandingClock),
    ):
        return run_command(["play", *arguments, "--camera", "none", "--journal", journal])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
