"""The box in a window, for tests that click: ``python tests/helpers/clicked_game.py GAME JOURNAL [ARGUMENT ...]`` opens
its home page without a camera; the further arguments are those of ``play``. For each new page it prints a line of JSON:
the page's name, its targets with label, what they lead to, and centre, and where phones join, or a second screen is
opened. Time runs faster, and GAME's default options make a short match, so that the test need not wait; each line of
its standard input is a number of seconds that pass at once."""

import json
import sys
import threading
from typing import Any

from device.system.clock import MonotonicClock
from rules.catalogue import GAMES
from throwlock.cli import play, window
from throwlock.cli.main import run_command
from ui.screen.core.window import Window
from ui.screen.drawing.canvas import Target
from ui.screen.pages.phones import PhonesPage
from ui.screen.pages.question import BoardPage
from ui.screen.pages.second_screen import SecondScreenPage
from ui.screen.views import PAUSE, Reply, View

SPEED = 15
SHORT_OPTIONS = {
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


class FastClock(MonotonicClock):
    """A clock that runs SPEED times as fast, so a click need not wait long for a new page, and can be put forward."""

    forward_ns = 0

    def now_ns(self) -> int:
        return super().now_ns() * SPEED + FastClock.forward_ns

    def wait_until(self, when_ns: int) -> None:
        super().wait_until((when_ns - FastClock.forward_ns) // SPEED)


def put_clock_forward() -> None:
    """Put the clock forward by the seconds in each line of the standard input."""
    for line in sys.stdin:
        FastClock.forward_ns += round(float(line) * 1e9)


class ReportingWindow(Window):
    """A window that prints its touch targets."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs, clock=FastClock(), on_drawn=self.report)
        self._last_line = ""

    def report(self, page: View) -> None:
        shown = type(page.page_to_draw).__name__
        targets = [(target.label, describe(target), *target.rect.center) for target in self.targets]
        address = page.status.address if isinstance(page, PhonesPage) else None
        address = page.address if isinstance(page, SecondScreenPage) else address
        line = json.dumps({"page": shown, "targets": targets, "url": address.url if address else ""})
        if line != self._last_line:
            self._last_line = line
            print(line, flush=True)


def main(game: str, journal: str, *arguments: str) -> int:
    for option in GAMES[game].options:
        object.__setattr__(option, "default", SHORT_OPTIONS.get(game, {}).get(option.name, option.default))
    threading.Thread(target=put_clock_forward, daemon=True).start()
    window.Window = ReportingWindow  # type: ignore[misc]
    window.MonotonicClock = play.MonotonicClock = FastClock  # type: ignore[misc]
    return run_command(["play", *arguments, "--camera", "none", "--journal", journal])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
