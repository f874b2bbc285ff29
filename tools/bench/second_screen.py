"""Measure how far the second screen in a browser is behind the touchscreen, in a match at a simulated table.

``python -m tools.bench.second_screen``; ``--docs docs/second-screen.md`` writes the table into that page. It needs
Chromium with its driver. The times are taken by the page: of each change, when it has drawn it, by the box's clock as
the page knows it, and when the touchscreen's window was given it.
"""

import argparse
import os
import shutil
import statistics
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pygame

from device.system.clock import MonotonicClock
from rules.catalogue import GAMES
from throwlock.home import new_match_config
from throwlock.house_rules import HouseRules
from throwlock.launch_options import LaunchOptions
from throwlock.match_runner import run_match
from throwlock.review.server import ReviewServer
from tools.docs.generated_sections import add_docs_option, update_page
from ui.screen.core.window import Window

SECTION = "lag"
HEAD = "| what changes | changes | median, ms | worst, ms |\n| --- | ---: | ---: | ---: |"
SIZE = (1920, 1080)
BROWSER_FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")


@dataclass(frozen=True)
class Change:
    """A change on the second screen, by the box's clock in ms: when the touchscreen had it, and when the page did."""

    what: str
    shown_ms: float
    drawn_ms: float

    @property
    def lag_ms(self) -> float:
        """How far the page was behind; a word of the count that it shows by itself can be a little early."""
        return self.drawn_ms - self.shown_ms


def play_and_watch(seed: int) -> list[Change]:
    """Play a match of RPS Redeux with simulated players in a window, watch it in a browser, and return its changes."""
    from selenium import webdriver  # noqa: PLC0415 - a tool of the tests

    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder) / "match.journal"
        options = LaunchOptions(journal, "simulated", demo=True)
        game = GAMES["redeux"].set_up(2, {"risk": "never"})
        config = new_match_config(game, (), HouseRules(), seed, "simulated")
        browser = webdriver.ChromeOptions()
        browser.binary_location = str(shutil.which("chromium"))
        for flag in (*BROWSER_FLAGS, f"--window-size={SIZE[0]},{SIZE[1]}"):
            browser.add_argument(flag)
        found: list[Change] = []

        def play(window: Window) -> None:
            service = webdriver.ChromeService(shutil.which("chromedriver"))
            with (
                ReviewServer(journal, lan=True, port=0, pads=options.pads, tv=options.second_screen) as server,
                webdriver.Chrome(browser, service) as driver,
            ):
                driver.get(f"http://127.0.0.1:{server.port}/tv/{(server.tv_code or '').replace('-', '')}")
                while not driver.execute_script("return typeof tvLog === 'object' && tvLog.length > 0"):
                    threading.Event().wait(0.1)
                run_match(options, config, lambda: window, MonotonicClock())
                found.extend(read_changes(driver))

        Window((800, 480), on_page=options.second_screen.show).run(play)
    return found


def read_changes(driver: Any) -> list[Change]:
    """Return the changes that a page has drawn, without the first, which it found when it was opened."""
    return [Change(what, shown, drawn) for _, what, shown, drawn in driver.execute_script("return tvLog")][1:]


def table(changes: list[Change]) -> str:
    """Return the table of the lags, in all and by kind of change."""
    kinds: dict[str, list[float]] = {}
    for change in changes:
        what = "a word of the count" if change.what.startswith("word") else f"a scene: {change.what}"
        kinds.setdefault(what, []).append(change.lag_ms)
    rows = {**dict(sorted(kinds.items())), "all": [change.lag_ms for change in changes]}
    lines = [
        f"| {what} | {len(lags)} | {statistics.median(lags):.0f} | {max(lags, key=abs):.0f} |"
        for what, lags in rows.items()
    ]
    return "\n".join([HEAD, *lines])


def main() -> None:
    """Measure and print, or write into the documents."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.bench.second_screen", description=str(__doc__).split("\n")[0]
    )
    parser.add_argument("--seed", type=int, default=4, help="seed of the match")
    add_docs_option(parser)
    args = parser.parse_args()
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    pygame.init()
    result = table(play_and_watch(args.seed))
    print(result)
    if args.docs:
        update_page(args.docs, {SECTION: result})


if __name__ == "__main__":
    sys.exit(main())
