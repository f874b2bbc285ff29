"""Measure how far the second screen in a browser is behind the touchscreen, in a match at a simulated table, and what
a television at the box's own output costs the touchscreen.

``python -m tools.bench.second_screen``; ``--docs measurements/2026-11/second-screen.md`` writes both tables into that
page. It needs Chromium with its driver and Xvfb. The lag is taken by the page: of each change, when it has drawn it,
by the box's clock as the page knows it, and when the touchscreen's window was given it. The touchscreen's frames are
of the count, the reveal and slow motion, in a match in a window on an X server; a second X server stands for the
television.
"""

import argparse
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from device.camera.frames import Size
from device.system.clock import MonotonicClock
from rules.catalogue import GAMES
from throwlock.bench.screen import FrameTimes, core_wait_s
from throwlock.house_rules import HouseRules
from throwlock.launch_options import LaunchOptions
from throwlock.match_runner import run_match
from throwlock.replay.config import MatchConfig
from throwlock.seating import new_match_config
from throwlock.session import Services
from throwlock.web.server import ReviewServer
from tools.bench.screen_pages import MAX_GAP_MS
from tools.bench.x_server import start_x_server
from tools.docs.generated_sections import add_docs_option, markdown_table, publish
from ui.screen.core.second_display import SecondDisplay, SecondOutput
from ui.screen.core.window import Window
from ui.screen.pages.countdown import Countdown
from ui.screen.pages.reveal import Reveal
from ui.screen.pages.slow_motion import SlowMotion
from ui.screen.views import View

SECTION = "lag"
FRAMES_SECTION = "frames"
PAGE_TIMEOUT_S = 30.0
LATE = f"over {MAX_GAP_MS:.0f} ms"
FRAMES_HEAD = (
    "television", "frames", "median gap, ms", LATE, "longest, ms", f"{LATE}, with a core free", "longest, ms",
)  # fmt: skip
HEAD = "what changes", "changes", "median, ms", "worst, ms"
SIZE = (1920, 1080)
BROWSER_FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")


@dataclass(frozen=True)
class Change:
    """A change on the second screen, by the box's clock."""

    what: str
    shown_ms: float
    """When the touchscreen had it."""
    drawn_ms: float
    """When the page had it."""

    @property
    def lag_ms(self) -> float:
        """How far the page was behind; a word of the count that it shows by itself can be a little early."""
        return self.drawn_ms - self.shown_ms


def match_config(seed: int) -> MatchConfig:
    """Return a match that nobody has to answer anything in."""
    return new_match_config(GAMES["redeux"].set_up(2, {"risk": "never"}), (), HouseRules(), seed, "simulated")


def play_and_watch(seed: int) -> list[Change]:
    """Play a match of RPS Redeux with simulated players in a window, watch it in a browser, and return its changes.
    Raises selenium's TimeoutException if the page shows nothing."""
    from selenium import webdriver  # noqa: PLC0415 - a tool of the tests
    from selenium.webdriver.support.wait import WebDriverWait  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder) / "match.journal"
        options, services = LaunchOptions(journal, "simulated", demo=True), Services()
        config = match_config(seed)
        browser = webdriver.ChromeOptions()
        browser.binary_location = str(shutil.which("chromium"))
        for flag in (*BROWSER_FLAGS, f"--window-size={SIZE[0]},{SIZE[1]}"):
            browser.add_argument(flag)
        found: list[Change] = []

        def play(window: Window) -> None:
            service = webdriver.ChromeService(shutil.which("chromedriver"))
            with (
                ReviewServer(journal, lan=True, port=0, pads=services.pads, tv=services.second_screen) as server,
                webdriver.Chrome(browser, service) as driver,
            ):
                driver.get(f"http://127.0.0.1:{server.port}/tv/{(server.tv_code or '').replace('-', '')}")
                WebDriverWait(driver, PAGE_TIMEOUT_S).until(
                    lambda page: page.execute_script("return typeof tvLog === 'object' && tvLog.length > 0"),
                    "the page shows nothing",
                )
                run_match(options, config, lambda: window, MonotonicClock(), services=services)
                found.extend(read_changes(driver))

        Window((800, 480), on_page=services.second_screen.show).run(play)
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
    kinds = {**dict(sorted(kinds.items())), "all": [change.lag_ms for change in changes]}
    rows = (
        (what, len(lags), f"{statistics.median(lags):.0f}", f"{max(lags, key=abs):.0f}") for what, lags in kinds.items()
    )
    return markdown_table(HEAD, rows)


class FrameLog:
    """The times of the touchscreen's frames while something moves, a run of them for each movement. The window checks
    such a page 60 times a second and redraws only what has changed, which is nothing while slow motion stands still:
    every check counts as a frame."""

    def __init__(self, now_s: Callable[[], float] = time.perf_counter) -> None:
        self.times = FrameTimes([], [])
        self._now_s = now_s
        self._moves: object = None
        self._moves_until_s = 0.0

    def on_drawn(self, view: View) -> None:
        """Note what moves, and until when; see Window."""
        moves: object = None
        left_s = 0.0
        match view:
            case Countdown(beat=beat):
                moves, left_s = (Countdown, beat), view.animation_s
            case Reveal() | SlowMotion() if view.shown_s is not None:
                moves, left_s = (type(view), 0), view.animation_s - view.shown_s
        if moves is not None and moves != self._moves:
            self.times.runs.append([])
        self._moves, self._moves_until_s = moves, self._now_s() + left_s

    def on_loop(self) -> None:
        """Note a frame; see Window."""
        if self._now_s() < self._moves_until_s:
            self.times.runs[-1].append((self._now_s(), core_wait_s()))


def touchscreen_frames(seed: int, television: Size | None) -> FrameTimes:
    """Play a match in a window, with or without a television, and return when its frames were shown."""
    log = FrameLog()
    with tempfile.TemporaryDirectory() as folder, start_x_server(television or (640, 480)) as environment:
        options, services = LaunchOptions(Path(folder) / "match.journal", "simulated", demo=True), Services()
        config = match_config(seed)
        clock = MonotonicClock()
        second = SecondDisplay(services.second_screen.current, clock.now_ns, lambda: SecondOutput(environment))
        if television is not None:
            second.start()
        window = Window((800, 480), on_page=services.second_screen.show, on_drawn=log.on_drawn, on_loop=log.on_loop)
        try:
            with services.second_screen.viewers.watch(second.wake):
                window.run(lambda shown: run_match(options, config, lambda: shown, clock, services=services))
        finally:
            second.stop()
    return log.times


def frames_table(seed: int) -> str:
    """Return the table of the touchscreen's frames, without and with a television."""
    rows: list[tuple[object, ...]] = []
    for name, television in (("none", None), ("1920 × 1080 at 30 frames a second", SIZE)):
        times = touchscreen_frames(seed, television)
        gaps, own = times.gaps_ms(), times.own_gaps_ms()
        late, own_late = (sum(gap > MAX_GAP_MS for gap in each) for each in (gaps, own))
        rows.append(
            (name, len(gaps), f"{statistics.median(gaps):.1f}", late, f"{max(gaps):.0f}", own_late, f"{max(own):.0f}")
        )
    return markdown_table(FRAMES_HEAD, rows)


def main() -> None:
    """Measure, print and write into a page if asked."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.bench.second_screen", description=str(__doc__).split("\n")[0]
    )
    parser.add_argument("--seed", type=int, default=4, help="seed of the match")
    add_docs_option(parser, SECTION, FRAMES_SECTION)
    args = parser.parse_args()
    with start_x_server((800, 480)) as environment:
        os.environ.update(environment)
        sections = {SECTION: table(play_and_watch(args.seed)), FRAMES_SECTION: frames_table(args.seed)}
    publish(args.docs, sections)


if __name__ == "__main__":
    main()
