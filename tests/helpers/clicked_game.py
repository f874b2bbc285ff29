"""The box in a window, for tests that click: ``python tests/helpers/clicked_game.py GAME JOURNAL`` opens its home page
without a camera. For each new page it prints a line of JSON: the page's name, and its targets with label, press and
centre. Time runs faster, and GAME's default options make a short match, so that the test need not wait."""

import json
import sys
from typing import Any

from device.system.clock import MonotonicClock
from rules.catalogue import GAMES
from throwlock.cli import play, window
from throwlock.cli.main import run_command
from ui.screen.core.page_stack import Page
from ui.screen.core.window import Window
from ui.screen.pages.group_question.view import GroupQuestionPage
from ui.screen.pages.views import View

SPEED = 15
SHORT_OPTIONS = {
    "classic": {"best_of": 1},
    "redeux": {"risk": "always", "goal": 10},
    "battle": {"rounds": 2},
    "tr": {"throws": 2, "rethrows": 1, "difficulty": 1},
    "board": {"quiet": 10, "start": "1"},
}
"""Options of a short match."""


class FastClock(MonotonicClock):
    """A clock that runs SPEED times as fast, so a click need not wait long for a new page."""

    def now_ns(self) -> int:
        return super().now_ns() * SPEED

    def wait_until(self, when_ns: int) -> None:
        super().wait_until(when_ns // SPEED)


class ReportingWindow(Window):
    """A window that prints its touch targets."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs, clock=FastClock(), on_drawn=self.report)
        self._last_line = ""

    def report(self, page: View | Page) -> None:
        shown = page.own_page or page if isinstance(page, GroupQuestionPage) else page
        targets = [(target.label, repr(target.press), *target.rect.center) for target in self.targets]
        line = json.dumps({"page": type(shown).__name__, "targets": targets})
        if line != self._last_line:
            self._last_line = line
            print(line, flush=True)


def main(game: str, journal: str) -> int:
    for option in GAMES[game].options:
        object.__setattr__(option, "default", SHORT_OPTIONS.get(game, {}).get(option.name, option.default))
    window.Window = ReportingWindow  # type: ignore[misc]
    window.MonotonicClock = play.MonotonicClock = FastClock  # type: ignore[misc]
    return run_command(["play", "--camera", "none", "--journal", journal])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
