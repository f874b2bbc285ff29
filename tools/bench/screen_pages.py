"""Measure how evenly the frames of each page come in the window while rounds are judged: from a page's first frame on,
every gap between two frames counts.

``python -m tools.bench.screen_pages``; ``--docs measurements/2026-11/frame-rate.md`` writes the table into that page.
Run it with ``nice -n -5`` where other programs need the cores too."""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from typing_extensions import override

from throwlock.bench.recorded_round import RecordedRound, judge_recorded
from throwlock.bench.result import percentile
from throwlock.bench.screen import core_wait_s
from tools.bench.screen import ViewAt, animated_pages
from tools.bench.verdict import judge_in_background, render_round
from tools.bench.x_server import start_drivers
from tools.docs.generated_sections import add_docs_option, machine_line, print_table, publish
from ui.screen.core.window import Window
from ui.screen.views import LiveView, View
from vision.lock.judge import JUDGE_NICE_LEVEL, Judge

MAX_GAP_MS = 33.0
"""Two frames at sixty a second: people see that something has stopped for longer."""
SECTION = "judged"
TABLE_HEAD = (
    "driver", "page", "frames", "99 % within, ms", "nothing judged", "longest, ms", "nothing judged",
    f"longer than {MAX_GAP_MS:.0f} ms", "nothing judged", "longest with a core free, ms",
)  # fmt: skip
JUDGED, IDLE = "judged", "idle"
"""While rounds are judged, and while nothing is: what is late then has other reasons."""


@dataclass(frozen=True, eq=False)
class PageLoop(LiveView):
    """A page whose animation is repeated as long as it is shown."""

    view_at: ViewAt

    @override
    def at_time(self, seconds: float) -> View:  # type: ignore[override]  # what is drawn is another view
        return self.view_at(seconds)


@dataclass
class PageFrames:
    """The gaps between the frames of a page."""

    gaps_ms: list[float] = field(default_factory=list)
    """The first is from the last frame before the page."""
    own_gaps_ms: list[float] = field(default_factory=list)
    """The same, without the time in which the window's thread waited for a core."""

    @property
    def late(self) -> int:
        """How many gaps are longer than MAX_GAP_MS."""
        return sum(gap > MAX_GAP_MS for gap in self.gaps_ms)


def table_row(driver: str, name: str, judged: PageFrames, idle: PageFrames) -> tuple[object, ...]:
    """Return the row of a page."""
    return (
        *(driver, name, len(judged.gaps_ms)),
        *(f"{percentile(frames.gaps_ms, 99):.1f}" for frames in (judged, idle)),
        *(f"{max(frames.gaps_ms):.1f}" for frames in (judged, idle)),
        *(judged.late, idle.late, f"{max(judged.own_gaps_ms):.1f}"),
    )


class PageBench:
    """Shows each page for a while in a window whose ``on_loop`` is called after every frame: while ``recorded`` is
    judged over and over as the box judges, and while nothing is. ``frames`` has the results by load and page.

    Raises:
        ModelError: The hand model can't be loaded.
    """

    def __init__(self, recorded: RecordedRound) -> None:
        self.frames = {load: {name: PageFrames() for name in animated_pages()} for load in (JUDGED, IDLE)}
        self.current = PageFrames()
        self._recorded = recorded
        self._last: tuple[float, float] | None = None

    def on_loop(self) -> None:
        """Note that a frame is on the screen; see Window."""
        now = (time.perf_counter(), core_wait_s())
        if self._last is not None:
            gap_s, waited_s = now[0] - self._last[0], now[1] - self._last[1]
            self.current.gaps_ms.append(gap_s * 1e3)
            self.current.own_gaps_ms.append((gap_s - waited_s) * 1e3)
        self._last = now

    def play(self, window: Window, repeats: int, seconds: float) -> None:
        """Show every page for ``seconds`` under each load, ``repeats`` times; what was before, such as loading fonts,
        doesn't count."""
        with Judge(len(self._recorded.zones), JUDGE_NICE_LEVEL) as judge:
            judge_recorded(judge, self._recorded)
            self._show_pages(window, {name: PageFrames() for name in animated_pages()}, 0.2)
            for _ in range(repeats):
                with judge_in_background(judge, self._recorded):
                    self._show_pages(window, self.frames[JUDGED], seconds)
                self._show_pages(window, self.frames[IDLE], seconds)

    def _show_pages(self, window: Window, frames: Mapping[str, PageFrames], seconds: float) -> None:
        for name, view_at in animated_pages().items():
            self.current = frames[name]
            window.show(PageLoop(view_at))
            time.sleep(seconds)


def rows(options: argparse.Namespace) -> Iterator[tuple[object, ...]]:
    """Yield the rows of the table; each driver is measured in its own process."""
    with start_drivers((800, 480)) as drivers:
        for driver, environment in drivers.items():
            command = [sys.executable, "-m", "tools.bench.screen_pages", "--here"]
            command += ["--times", str(options.times), "--seconds", str(options.seconds)]
            run = subprocess.run(
                command, env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True, check=True
            )
            loads = json.loads(run.stdout.splitlines()[-1])
            for name in loads[JUDGED]:
                yield table_row(driver, name, *(PageFrames(**loads[load][name]) for load in (JUDGED, IDLE)))


def main() -> None:
    """Print the figures, and write them into a page if asked."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.screen_pages", description=__doc__)
    parser.add_argument("--times", type=int, default=2, help="times each page is shown under each load (default 2)")
    parser.add_argument("--seconds", type=float, default=2.0, help="how long it is shown each time (default 2)")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    add_docs_option(parser, SECTION)
    options = parser.parse_args()
    if options.here:
        bench = PageBench(render_round(1, 60, 2))
        window = Window((800, 480), on_loop=bench.on_loop)
        window.run(lambda display: bench.play(display, options.times, options.seconds))
        print(
            json.dumps({load: {name: vars(one) for name, one in pages.items()} for load, pages in bench.frames.items()})
        )
        return
    summary = f"800×480, nice {os.nice(0)}. {machine_line()}"
    table = print_table(TABLE_HEAD, rows(options), text_columns=2)
    print(f"\n{summary}")
    publish(options.docs, {SECTION: f"{table}\n\n{summary}"}, printed=True)


if __name__ == "__main__":
    main()
