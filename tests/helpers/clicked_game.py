"""The box as people start it, for tests that click: ``python tests/helpers/clicked_game.py GAME JOURNAL`` opens its
home page in a window, without a camera. Each page that is new on the screen is a line of JSON: its name, and its
targets with label, press and middle. Time runs faster and GAME's usual options are short ones, so that nobody waits."""

import json
import sys
from typing import Any

from device.system.clock import SteadyClock
from rules.catalogue import GAMES
from throwlock.cli import play
from throwlock.cli.main import run_command
from ui.screen.core.page_stack import Page
from ui.screen.core.window import Window
from ui.screen.pages.ask.group_view import GatherPage
from ui.screen.pages.views import View

FASTER = 15
SHORT = {
    "classic": {"best_of": 1},
    "redeux": {"risk": "always", "goal": 10},
    "battle": {"rounds": 2},
    "tr": {"throws": 2, "rethrows": 1, "difficulty": 1},
    "board": {"quiet": 10, "start": "1"},
}
"""Options with which a game is soon over."""


class Hasty(SteadyClock):
    """A clock on which more time passes: a click need not wait for long on a new page."""

    def now_ns(self) -> int:
        return super().now_ns() * FASTER

    def wait_until(self, when_ns: int) -> None:
        super().wait_until(when_ns // FASTER)


class Telling(Window):
    """A window that tells what can be touched."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named, clock=Hasty(), drawn=self.tell)
        self._told = ""

    def tell(self, page: View | Page) -> None:
        shown = page.own or page if isinstance(page, GatherPage) else page
        targets = [(target.label, repr(target.press), *target.rect.center) for target in self.targets]
        line = json.dumps({"page": type(shown).__name__, "targets": targets})
        if line != self._told:
            self._told = line
            print(line, flush=True)


def main(game: str, journal: str) -> int:
    for option in GAMES[game].options:
        object.__setattr__(option, "default", SHORT.get(game, {}).get(option.name, option.default))
    play.Window, play.SteadyClock = Telling, Hasty  # type: ignore[misc]
    return run_command(["play", "--camera", "none", "--journal", journal])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
