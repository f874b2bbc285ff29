"""``python -m tools.bench.screen``: what a frame of each page that moves costs, and how evenly the window's frames
come, with rounds being judged and without, in turns in the same run. ``--docs docs/pace.md`` writes both tables."""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import cast

import pygame

from device.camera.frames import Size, StoredFrame
from device.camera.ring_buffer import Ring
from throwlock.tables.hands import PREVIEW, PREVIEW_NS
from tools.bench.verdict import CUE_NS, rendered
from tools.docs.generated_sections import write_into
from tools.gallery.gallery import WORDS, bet, players, reveal, table
from ui.screen.core.animation import Moves
from ui.screen.core.page_stack import Page, first_page
from ui.screen.core.scene import FRAME_S
from ui.screen.core.stage import Stage
from ui.screen.core.window import Window
from ui.screen.drawing.registry import paint
from ui.screen.pages.views import Attract, Cadence, Judging, View, Waiting
from ui.screen.pages.zones.view import HoldingOut, Shot, Zoning, zones_page
from vision.lock.judge import GIVE_WAY, Judge

SIZES: tuple[Size, ...] = ((800, 480), (720, 1280), (1280, 720))
FRAMES = 240
"""Frames drawn of every page: four seconds."""
CAMERA_S = 1 / 60
LATE = 1.5
"""Periods after which a frame is late."""
NOBODY, GIVING, EQUAL = "nothing is judged", "rounds are judged", "the same, not giving way"
PAGES_BEGIN, PAGES_END = "<!-- pace: pages begin -->", "<!-- pace: pages end -->"
WINDOW_BEGIN, WINDOW_END = "<!-- pace: window begin -->", "<!-- pace: window end -->"
PAGES_HEAD = (
    "| page | pixels | all of it, ms | its next frame, ms | slowest, ms | of the screen "
    "| frames a second of one core |\n"
    "| :--- | :--- | ---: | ---: | ---: | ---: | ---: |"
)
WINDOW_HEAD = (
    "| driver | cores | while | frames a second | later than 1.5 periods | worst gap, ms "
    "| later, were a core free | worst, ms | a verdict, ms |\n"
    "| :--- | ---: | :--- | ---: | ---: | ---: | ---: | ---: | ---: |"
)
Moment = Callable[[float], View | Page]


def pages() -> dict[str, Moment]:
    """Every page on which something moves, by the seconds that it has been shown."""
    count = Cadence(players(2), "Round 3", WORDS, 1, seconds=0.6, preview=table(2))
    pictures = [Shot(table(2)), Shot(table(2)[:, ::-1].copy())]
    holding = HoldingOut("Hold your hands out over the table", lambda: None, 16 / 9, 3)
    halves = ((0.05, 0.1, 0.4, 0.8), (0.55, 0.1, 0.4, 0.8))
    zoning = zones_page(Zoning(halves, lambda: None, lambda zones: None, halves))
    looking = Judging(players(2), table(2), lambda: 0.0)
    shown, question = replace(reveal(2), seconds_left=6.0), first_page(bet(2))

    def newest(seconds: float) -> Shot:
        return pictures[round(seconds / FRAME_S) % 2]

    def going(view: Moves, again_s: float) -> Moment:
        return lambda seconds: cast(View, view.after(seconds % again_s))

    return {
        "the count": going(replace(count, preview=None), 0.6),
        "the count with a live picture": lambda s: replace(count.after(s % 0.6), preview=newest(s).pixels),
        "getting ready": Waiting("RPS Redeux").after,
        "judging": lambda s: replace(looking, done=s / 4),
        "the reveal": going(shown, shown.moves_s),
        "hands held out": lambda s: replace(holding, shot=newest(s)),
        "zones over the live picture": lambda s: replace(zoning, shot=newest(s)),
        "attract": going(Attract(), 60.0),
        "a question's time": lambda s: replace(question, view=replace(question.view, seconds_left=14 - s)),  # type: ignore[union-attr,arg-type]
    }


def page_row(name: str, moment: Moment, size: Size) -> str:
    """What a page costs when it is drawn all anew, and what its next frame does."""
    surface, other, stage = pygame.Surface(size, 0, 32), pygame.Surface(size, 0, 32), Stage()
    whole: list[float] = []
    frames: list[float] = []
    shares: list[float] = []
    for number in range(FRAMES + 1):
        view = moment(number * FRAME_S)
        if number % 8 == 0:
            start = time.thread_time()
            paint(other, view)
            whole.append((time.thread_time() - start) * 1e3)
        start = time.thread_time()  # of this thread, whatever else the machine does
        boxes = stage.draw(surface, view)
        frames.append((time.thread_time() - start) * 1e3)
        shares.append(sum(box.w * box.h for box in boxes) / (size[0] * size[1]))
    middle, slowest = statistics.median(frames[1:]), max(frames[1:])
    return (
        f"| {name} | {size[0]}×{size[1]} | {statistics.median(whole):.2f} | {middle:.2f} | {slowest:.1f} "
        f"| {statistics.median(shares[1:]):.0%} | {1e3 / statistics.fmean(frames[1:]):.0f} |"
    )


def _ms(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1e3


@dataclass
class Beats:
    """When frames were on the screen, and how long the window's thread had waited for a core until then, both in s,
    stretch by stretch; and what verdicts took meanwhile, in ms."""

    stretches: list[list[tuple[float, float]]]
    verdicts: list[float]

    def row(self, driver: str, cores: int, name: str) -> str:
        """A row of the table."""
        pairs = [pair for some in self.stretches for pair in pairwise(some)]
        gaps = [(after[0] - before[0]) * 1e3 for before, after in pairs]
        own = [gap - (after[1] - before[1]) * 1e3 for gap, (before, after) in zip(gaps, pairs, strict=True)]
        verdict = f"{statistics.median(self.verdicts):.0f}" if self.verdicts else ""
        return (
            f"| {driver} | {cores} | {name} | {1e3 * len(gaps) / sum(gaps):.1f} "
            f"| {_late(gaps):.1%} | {max(gaps):.0f} | {_late(own):.1%} | {max(own):.0f} | {verdict} |"
        )


def _late(gaps_ms: Sequence[float]) -> float:
    return sum(gap > LATE * FRAME_S * 1e3 for gap in gaps_ms) / len(gaps_ms)


def _waited_s() -> float:
    """How long this thread has been ready to run while every core was taken, in s; 0 where Linux does not tell."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e9
    except OSError:
        return 0.0


class Bench:
    """A count in the window with its live picture, while a camera fills its ring and rounds of two seats are judged."""

    def __init__(self) -> None:
        self.found = {name: Beats([], []) for name in (NOBODY, GIVING, EQUAL)}
        self._now: list[tuple[float, float]] = []
        self._round = rendered(1, 60, 2)
        self._ring, self._stop = Ring(), threading.Event()

    def drawn(self, view: View | Page) -> None:
        """See Window."""
        del view
        self._now.append((time.perf_counter(), _waited_s()))

    def run(self, times: int, seconds: float) -> None:
        """Each of the ways in turn, so often, for so long."""
        Window((800, 480), drawn=self.drawn).run(lambda window: self._play(window, times, seconds))

    def _play(self, window: Window, times: int, seconds: float) -> None:
        with Judge(2, GIVE_WAY) as giving, Judge(2) as equal:
            for judge in (giving, equal):
                judge(self._round.frames, self._round.zones, CUE_NS)
            camera = threading.Thread(target=self._film)
            camera.start()
            for _ in range(times):
                for name, by in ((NOBODY, None), (GIVING, giving), (EQUAL, equal)):
                    self._stretch(window, name, by, seconds)
            self._stop.set()
            camera.join()

    def _film(self) -> None:
        """A camera's thread: sixty frames a second are copied into the ring."""
        frames = cast(Sequence[StoredFrame], self._round.frames)
        due = time.perf_counter()
        for number in range(10**9):
            if self._stop.is_set():
                return
            one = frames[number % len(frames)]
            self._ring.add(replace(one, bgr=one.bgr.copy(), exposed_ns=time.monotonic_ns()))
            due += CAMERA_S
            time.sleep(max(0.0, due - time.perf_counter()))

    def _stretch(self, window: Window, name: str, judge: Judge | None, seconds: float) -> None:
        enough = threading.Event()

        def work(judge: Judge) -> None:
            while not enough.is_set():
                took = _ms(lambda: judge(self._round.frames, self._round.zones, CUE_NS))
                self.found[name].verdicts.append(took)

        worker = None if judge is None else threading.Thread(target=work, args=(judge,))
        if worker is not None:
            worker.start()
        number = sum(len(beats.stretches) for beats in self.found.values())
        view = Cadence(players(2), f"Round {number + 1}", WORDS, 1, seconds=2 * seconds + 2)
        self._count(window, view, 1.0)
        self._now = []
        self._count(window, view, seconds)
        self.found[name].stretches.append(self._now)
        enough.set()
        if worker is not None:
            worker.join()

    def _count(self, window: Window, view: Cadence, seconds: float) -> None:
        """As a round's count does: a new live picture ten times a second."""
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            newest = self._ring.latest()
            window.show(view if newest is None else replace(view, preview=newest.pixels(None, PREVIEW)))
            time.sleep(PREVIEW_NS / 1e9)


@contextmanager
def x_server() -> Iterator[dict[str, str] | None]:
    """The environment of a window on an X server of its own; None where Xvfb is missing."""
    if shutil.which("Xvfb") is None:
        yield None
        return
    read, write = os.pipe()
    command = ["Xvfb", "-screen", "0", "800x480x24", "-displayfd", str(write), "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as number:
            yield {"DISPLAY": f":{number.readline().strip()}", "SDL_VIDEODRIVER": "x11"}
    finally:
        server.terminate()
        server.wait(10)


def window_rows(given: argparse.Namespace) -> Iterator[str]:
    """The rows of the window's table, each driver and number of cores in a process of its own."""
    with x_server() as x11:
        drivers = {"dummy": {"SDL_VIDEODRIVER": "dummy"}, **({"x11": x11} if x11 else {})}
        for driver, environment in drivers.items():
            for cores in dict.fromkeys((len(os.sched_getaffinity(0)), 1)):
                command = [sys.executable, "-m", "tools.bench.screen", "--cores", str(cores)]
                command += ["--times", str(given.times), "--seconds", str(given.seconds)]
                run = subprocess.run(
                    command, env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True, check=True
                )
                for name, beats in json.loads(run.stdout.splitlines()[-1]).items():
                    yield Beats(**beats).row(driver, cores, name)


def in_window(given: argparse.Namespace) -> None:
    """Measure in a window of this process, on so many cores, and print what came of it as JSON."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: given.cores])
    bench = Bench()
    bench.run(given.times, given.seconds)
    print(json.dumps({name: vars(beats) for name, beats in bench.found.items()}))


def main() -> None:
    """Parse the arguments, print the figures as they come, and write them where they are wanted."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.screen", description=__doc__)
    parser.add_argument("--times", type=int, default=3, help="how often each way has its turn (default 3)")
    parser.add_argument("--seconds", type=float, default=4.0, help="for how long (default 4)")
    parser.add_argument("--docs", type=Path, help="the page to write the tables into, between their marks")
    parser.add_argument("--cores", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.cores:
        in_window(given)
        return
    told = []
    for head, rows in (
        (PAGES_HEAD, (page_row(name, moment, size) for size in SIZES for name, moment in pages().items())),
        (WINDOW_HEAD, window_rows(given)),
    ):
        print(head, flush=True)
        told.append([head])
        for row in rows:
            print(row, flush=True)
            told[-1].append(row)
    load = f"{os.getloadavg()[0]:.1f} processes wanted this machine's {os.cpu_count()} cores at the end."
    print(load)
    if given.docs:
        write_into(given.docs, "\n".join(told[0]), PAGES_BEGIN, PAGES_END)
        write_into(given.docs, "\n".join([*told[1], "", load]), WINDOW_BEGIN, WINDOW_END)


if __name__ == "__main__":
    main()
