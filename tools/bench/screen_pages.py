"""Measure how evenly the frames of each page come in the window while rounds are judged: from a page's first frame on,
every gap between two frames counts.

``python -m tools.bench.screen_pages``; ``--docs docs/frame-rate.md`` writes the table into that page. Run it with
``nice -n -5`` where other programs need the cores too."""

import argparse
import json
import os
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from throwlock.cli.doctor.bench.frame_rate import core_wait_s
from throwlock.cli.doctor.bench.recorded_round import RecordedRound, judge_recorded
from tools.bench.screen import ViewAt, animated_pages, start_x_server
from tools.bench.verdict import render_round
from tools.docs.generated_sections import add_docs_option, update_page
from ui.screen.core.window import Window
from ui.screen.pages.views import LiveView, View
from vision.lock.judge import JUDGE_NICE_LEVEL, Judge

MAX_GAP_MS = 33.0
"""Two frames at sixty a second: people see that something has stopped for longer."""
SECTION = "judged"
TABLE_HEAD = (
    "| driver | page | frames | 99 % within, ms | nothing judged | longest, ms | nothing judged "
    "| longer than 33 ms | nothing judged | longest with a core free, ms |\n"
    "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
)
JUDGED, IDLE = "judged", "idle"
"""While rounds are judged, and while nothing is: what is late then has other reasons."""


@dataclass(frozen=True, eq=False)
class PageLoop(LiveView):
    """A page whose animation is repeated as long as it is shown."""

    view_at: ViewAt

    def at_time(self, seconds: float) -> View:  # type: ignore[override]  # what is drawn is another view
        """See View."""
        return self.view_at(seconds)


@dataclass
class PageFrames:
    """The gaps between the frames of a page in ms, the first from the last frame before it; and the same without the
    time in which the window's thread waited for a core."""

    gaps_ms: list[float] = field(default_factory=list)
    own_gaps_ms: list[float] = field(default_factory=list)

    @property
    def late(self) -> int:
        """How many gaps are longer than MAX_GAP_MS."""
        return sum(gap > MAX_GAP_MS for gap in self.gaps_ms)


def table_row(driver: str, name: str, judged: PageFrames, idle: PageFrames) -> str:
    """Return the row of a page."""
    return (
        f"| {driver} | {name} | {len(judged.gaps_ms)} "
        f"| {percentile_99(judged.gaps_ms):.1f} | {percentile_99(idle.gaps_ms):.1f} "
        f"| {max(judged.gaps_ms):.1f} | {max(idle.gaps_ms):.1f} | {judged.late} | {idle.late} "
        f"| {max(judged.own_gaps_ms):.1f} |"
    )


def percentile_99(values: Sequence[float]) -> float:
    """Return the value that 99 % of ``values`` don't exceed."""
    return statistics.quantiles(values, n=100, method="inclusive")[-1]


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
                with _judging(judge, self._recorded):
                    self._show_pages(window, self.frames[JUDGED], seconds)
                self._show_pages(window, self.frames[IDLE], seconds)

    def _show_pages(self, window: Window, frames: Mapping[str, PageFrames], seconds: float) -> None:
        for name, view_at in animated_pages().items():
            self.current = frames[name]
            window.show(PageLoop(view_at))
            time.sleep(seconds)


@contextmanager
def _judging(judge: Judge, recorded: RecordedRound) -> Iterator[None]:
    """Judge a round over and over in a thread while the context lasts."""
    done = threading.Event()

    def work() -> None:
        while not done.is_set():
            judge_recorded(judge, recorded)

    worker = threading.Thread(target=work)
    worker.start()
    try:
        yield
    finally:
        done.set()
        worker.join()


def rows(options: argparse.Namespace) -> Iterator[str]:
    """Yield the rows of the table; each driver is measured in its own process."""
    with start_x_server() as x11:
        for driver, environment in {"dummy": {"SDL_VIDEODRIVER": "dummy"}, **({"x11": x11} if x11 else {})}.items():
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
    add_docs_option(parser)
    options = parser.parse_args()
    if options.here:
        bench = PageBench(render_round(1, 60, 2))
        window = Window((800, 480), on_loop=bench.on_loop)
        window.run(lambda display: bench.play(display, options.times, options.seconds))
        print(
            json.dumps({load: {name: vars(one) for name, one in pages.items()} for load, pages in bench.frames.items()})
        )
        return
    load = os.getloadavg()[0]
    lines = [TABLE_HEAD]
    print(TABLE_HEAD, flush=True)
    for row in rows(options):
        print(row, flush=True)
        lines.append(row)
    nice = os.nice(0)
    lines += ["", f"800×480, {os.cpu_count()} cores, nice {nice}, load average {load:.1f} before the start."]
    print(lines[-1])
    if options.docs:
        update_page(options.docs, {SECTION: "\n".join(lines)})


if __name__ == "__main__":
    main()
