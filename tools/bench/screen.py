"""Measure what a frame of each animated page costs, and how evenly the window's frames come while rounds are judged.

``python -m tools.bench.screen``; ``--docs measurements/2026-11/frame-rate.md`` writes both tables into that page."""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import cv2
import numpy as np
import pygame

from device.camera.frames import Size
from tests.helpers.samples.common import COUNT_WORDS, players, table_image
from tests.helpers.samples.question import bet_question
from tests.helpers.samples.reveal import mixed_reveal
from tests.helpers.samples.slow_motion import sample_slow_motion
from throwlock.bench.screen import BOX_LOADS, PLAYERS, FrameRateBench, FrameTimes, late_share
from throwlock.tables.round_frames import FRAME_CROP_PX, decode_jpeg
from tools.bench.verdict import render_round
from tools.bench.watchers import PageWatchers
from tools.bench.x_server import start_drivers
from tools.docs.generated_sections import add_docs_option, machine_line, print_table, publish
from ui.screen.core.registry import paint
from ui.screen.core.scene import FRAME_INTERVAL_S
from ui.screen.core.stage import Stage
from ui.screen.core.window import Window
from ui.screen.pages.attract import AttractMode
from ui.screen.pages.countdown import Countdown, Judging, Preparing
from ui.screen.pages.slow_motion import SlowMotion
from ui.screen.pages.zones import LiveImage, ZoneDetection, ZoneEditor
from ui.screen.views import View
from vision.evidence import encode_jpeg
from vision.lock.judge import JUDGE_NICE_LEVEL

SCREEN_SIZES: tuple[Size, ...] = ((800, 480), (720, 1280), (1280, 720))
FRAMES_PER_PAGE = 240
"""Frames drawn per page: four seconds."""
WATCHED = "judged, phones and television"
COMPARED_LOADS = {**BOX_LOADS, WATCHED: JUDGE_NICE_LEVEL, "judged at normal priority": 0}
"""Loads of the window's table; see FrameRateBench."""
PAGES_SECTION, WINDOW_SECTION = "pages", "window"
PAGES_HEAD = (
    "page", "pixels", "full redraw, ms", "next frame, ms", "slowest, ms", "share redrawn",
    "frames per second of one core",
)  # fmt: skip
WINDOW_HEAD = (
    "driver", "cores", "load", "frames per second", "late frames", "longest gap, ms", "late, with a core free",
    "longest, ms", "verdict, ms",
)  # fmt: skip
ViewAt = Callable[[float], View]


def slow_motion(seats: int) -> SlowMotion:
    """Return a round in slow motion whose images are decoded for every frame, as the box does the first time."""
    reveal = mixed_reveal(seats)
    view = sample_slow_motion(reveal, 0.0)
    size = FRAME_CROP_PX, FRAME_CROP_PX
    jpegs = {
        seat: encode_jpeg(np.asarray(cv2.resize(pictures.at_lock, size), np.uint8))
        for seat, pictures in reveal.pictures.items()
    }
    return replace(view, hand_image=lambda seat, frame: decode_jpeg(jpegs[seat]))


def animated_pages() -> dict[str, ViewAt]:
    """Return every page on which something moves, by name: its view after so many seconds."""
    count = Countdown(players(2), "Round 3", COUNT_WORDS, 1, beat_s=0.6, preview=table_image(2))
    pictures = [LiveImage(table_image(2)), LiveImage(table_image(2)[:, ::-1].copy())]
    holding = ZoneDetection("Hold your hands out over the table", lambda: None, 16 / 9, 3)
    halves = ((0.05, 0.1, 0.4, 0.8), (0.55, 0.1, 0.4, 0.8))
    zoning = ZoneEditor(halves, lambda: None, lambda zones: None, halves).first_page()
    looking = Judging(players(2), table_image(2), lambda: 0.0)
    shown, question = replace(mixed_reveal(2), seconds_left=6.0), bet_question(2).first_page()

    def newest(seconds: float) -> LiveImage:
        return pictures[round(seconds / FRAME_INTERVAL_S) % 2]

    def loop(view: View, period_s: float) -> ViewAt:
        return lambda seconds: view.at_time(seconds % period_s)

    return {
        "the count": loop(replace(count, preview=None), 0.6),
        "the count with a live preview": lambda s: replace(count.at_time(s % 0.6), preview=newest(s).pixels),
        "getting ready": Preparing("RPS Redeux").at_time,
        "judging": lambda s: replace(looking, done=s / 4),
        "the reveal": loop(shown, shown.animation_s),
        "slow motion of two": loop(slow_motion(2), slow_motion(2).animation_s),
        "slow motion of eight": loop(slow_motion(8), slow_motion(8).animation_s),
        "hands held out": lambda s: replace(holding, image=newest(s)),
        "zones over the live preview": lambda s: replace(zoning, image=newest(s)),
        "attract": loop(AttractMode(), 60.0),
        "a question's time": lambda s: question.with_seconds_left(14 - s),
    }


def page_row(name: str, view_at: ViewAt, size: Size) -> tuple[str, ...]:
    """Return the row of a page: what a full redraw and its next frame cost."""
    surface, other, stage = pygame.Surface(size, 0, 32), pygame.Surface(size, 0, 32), Stage()
    whole: list[float] = []
    frames: list[float] = []
    shares: list[float] = []
    for number in range(FRAMES_PER_PAGE + 1):
        view = view_at(number * FRAME_INTERVAL_S)
        if number % 8 == 0:
            start = time.thread_time()
            paint(other, view)
            whole.append((time.thread_time() - start) * 1e3)
        start = time.thread_time()  # other threads and programs don't count
        boxes = stage.draw(surface, view)
        frames.append((time.thread_time() - start) * 1e3)
        shares.append(sum(box.w * box.h for box in boxes) / (size[0] * size[1]))
    middle, slowest = statistics.median(frames[1:]), max(frames[1:])
    return (
        *(name, f"{size[0]}×{size[1]}", f"{statistics.median(whole):.2f}", f"{middle:.2f}", f"{slowest:.1f}"),
        *(f"{statistics.median(shares[1:]):.0%}", f"{1e3 / statistics.fmean(frames[1:]):.0f}"),
    )


def window_row(times: FrameTimes, driver: str, cores: int, name: str) -> tuple[object, ...]:
    """Return a row of the window's table."""
    gaps, own = times.gaps_ms(), times.own_gaps_ms()
    verdict = f"{statistics.median(times.verdict_ms):.0f}" if times.verdict_ms else ""
    return (
        *(driver, cores, name, f"{1e3 * len(gaps) / sum(gaps):.1f}", f"{late_share(gaps):.1%}", f"{max(gaps):.0f}"),
        *(f"{late_share(own):.1%}", f"{max(own):.0f}", verdict),
    )


def window_rows(options: argparse.Namespace) -> Iterator[tuple[object, ...]]:
    """Yield the rows of the window's table; each driver and number of cores is measured in its own process."""
    with start_drivers((800, 480)) as drivers:
        for driver, environment in drivers.items():
            for cores in dict.fromkeys((len(os.sched_getaffinity(0)), 1)):
                command = [sys.executable, "-m", "tools.bench.screen", "--cores", str(cores)]
                command += ["--times", str(options.times), "--seconds", str(options.seconds)]
                run = subprocess.run(
                    command, env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True, check=True
                )
                for name, times in json.loads(run.stdout.splitlines()[-1]).items():
                    yield window_row(FrameTimes(**times), driver, cores, name)


def measure_in_window(options: argparse.Namespace) -> None:
    """Measure in a window of this process, on ``options.cores`` cores, and print the results as JSON."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: options.cores])
    watchers = PageWatchers(PLAYERS)
    bench = FrameRateBench(render_round(1, 60, 2), COMPARED_LOADS, {WATCHED: watchers.watching})
    window = Window((800, 480), on_drawn=bench.on_drawn, on_page=watchers.show)
    window.run(lambda window: bench.play(window, options.times, options.seconds))
    print(json.dumps({name: vars(times) for name, times in bench.results.items()}))


def main() -> None:
    """Print the figures as they are measured, and write them into a page if asked."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.screen", description=__doc__)
    parser.add_argument("--times", type=int, default=3, help="runs per load (default 3)")
    parser.add_argument("--seconds", type=float, default=4.0, help="length of a run (default 4)")
    add_docs_option(parser, PAGES_SECTION, WINDOW_SECTION)
    parser.add_argument("--cores", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.cores:
        measure_in_window(options)
        return
    bytes(1280 * 720 * 3)  # once freed, it makes malloc keep freed memory for the next image, as camera frames do
    machine = machine_line()
    page_rows = (page_row(name, moment, size) for size in SCREEN_SIZES for name, moment in animated_pages().items())
    pages = print_table(PAGES_HEAD, page_rows, text_columns=2)
    print()
    window = print_table(WINDOW_HEAD, window_rows(options), text_columns=3)
    print(f"\n{machine}")
    publish(options.docs, {PAGES_SECTION: pages, WINDOW_SECTION: f"{window}\n\n{machine}"}, printed=True)


if __name__ == "__main__":
    main()
