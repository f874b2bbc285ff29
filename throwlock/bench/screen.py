"""How evenly the window's frames come while a camera fills its ring buffer and rounds are judged."""

import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext, suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar, cast

import pygame

from device.camera.frames import BgrFrame, Size
from device.camera.ring_buffer import FrameRingBuffer
from throwlock.bench.recorded_round import RecordedRound, judge_recorded
from throwlock.bench.result import MEMORY_DRIVERS, ScreenRun
from throwlock.settings.model import SettingsError, read_settings
from throwlock.tables.camera_table import PREVIEW_INTERVAL_NS, PREVIEW_SIZE
from ui.screen.core.scene import FRAME_INTERVAL_S
from ui.screen.core.screen import NoScreenError, set_rotation
from ui.screen.core.window import Window
from ui.screen.pages.common import Player
from ui.screen.pages.countdown import Countdown
from ui.screen.views import View
from ui.text.verdicts import COUNT_WORDS
from vision.lock.judge import JUDGE_NICE_LEVEL, Judge

CAMERA_PERIOD_S = 1 / 60
LATE_PERIODS = 1.5
"""A frame is late when the one before it is more than this many frame periods old."""
NOT_JUDGING, JUDGING_NICE = "nothing is judged", "rounds are judged"
BOX_LOADS: Mapping[str, int | None] = {NOT_JUDGING: None, JUDGING_NICE: JUDGE_NICE_LEVEL}
"""The loads of a box, and the nice level at which rounds are judged (None: none is)."""
PLAYERS = (Player(1, "Ann"), Player(2, "Ben"))


@dataclass
class FrameTimes:
    """When frames were shown, and how long verdicts took meanwhile."""

    runs: list[list[tuple[float, float]]]
    """By run, when each frame was shown, and how long the window's thread had waited for a core until then, both in
    s."""
    verdict_ms: list[float]

    def gaps_ms(self) -> list[float]:
        """Return the time between each frame and the next."""
        return [(after[0] - before[0]) * 1e3 for run in self.runs for before, after in pairwise(run)]

    def own_gaps_ms(self) -> list[float]:
        """Return the same without the time in which the window waited for a core."""
        waits = [(after[1] - before[1]) * 1e3 for run in self.runs for before, after in pairwise(run)]
        return [gap - wait for gap, wait in zip(self.gaps_ms(), waits, strict=True)]


def late_share(gaps_ms: Sequence[float]) -> float:
    """Return the share (0–1) of the gaps after which the frame was late."""
    return sum(gap > LATE_PERIODS * FRAME_INTERVAL_S * 1e3 for gap in gaps_ms) / len(gaps_ms)


def core_wait_s() -> float:
    """Return how long this thread has waited for a free core, in s; 0 where Linux doesn't report it."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e9
    except OSError:
        return 0.0


class FrameRateBench:
    """Shows a count with its live preview in a window while a camera fills its ring buffer with the frames of
    ``recorded``, and that round is judged over and over. ``loads`` are the nice levels of the judge to compare, by
    name (None: nothing is judged); ``around`` has what else happens under some of them. Pass ``on_drawn`` to the
    window, and call ``play`` with it.

    Raises:
        ModelError: The hand model can't be loaded.
    """

    def __init__(
        self,
        recorded: RecordedRound,
        loads: Mapping[str, int | None] = BOX_LOADS,
        around: Mapping[str, Callable[[], AbstractContextManager[None]]] = MappingProxyType({}),
    ) -> None:
        self.results = {name: FrameTimes([], []) for name in loads}
        self._loads, self._around = loads, around
        self._current_run: list[tuple[float, float]] = []
        self._round = recorded
        self._ring, self._stop = FrameRingBuffer(), threading.Event()

    def on_drawn(self, view: View) -> None:
        """Record a frame; see Window."""
        del view
        self._current_run.append((time.perf_counter(), core_wait_s()))

    def screen_runs(self) -> tuple[ScreenRun, ...]:
        """Return the results by load."""
        return tuple(
            ScreenRun(
                load=name,
                frames_per_second=round(1e3 * len(gaps) / sum(gaps), 1),
                late_share=round(late_share(gaps), 4),
                longest_gap_ms=round(max(gaps), 1),
            )
            for name, gaps in ((name, times.gaps_ms()) for name, times in self.results.items())
        )

    def play(self, window: Window, repeats: int, seconds: float) -> None:
        """Measure each load in turn, ``repeats`` times, ``seconds`` each."""
        with ExitStack() as stack:
            judges = {
                name: None if nice is None else stack.enter_context(Judge(len(self._round.zones), nice))
                for name, nice in self._loads.items()
            }
            for judge in judges.values():
                if judge is not None:
                    judge_recorded(judge, self._round)
            camera = threading.Thread(target=self._fill_ring)
            camera.start()
            try:
                for _ in range(repeats):
                    for name, judge in judges.items():
                        with self._around.get(name, nullcontext)():
                            self._measure_run(window, name, judge, seconds)
            finally:
                self._stop.set()
                camera.join()

    def _fill_ring(self) -> None:
        """Copy sixty frames per second into the ring buffer, as a camera's thread does."""
        frames = cast("Sequence[BgrFrame]", self._round.frames)
        due = time.perf_counter()
        for number in range(10**9):
            if self._stop.is_set():
                return
            frame = frames[number % len(frames)]
            self._ring.add(replace(frame, bgr=frame.bgr.copy(), exposed_ns=time.monotonic_ns()))
            due += CAMERA_PERIOD_S
            time.sleep(max(0.0, due - time.perf_counter()))

    def _measure_run(self, window: Window, name: str, judge: Judge | None, seconds: float) -> None:
        done = threading.Event()

        def work(judge: Judge) -> None:
            while not done.is_set():
                self.results[name].verdict_ms.append(judge_recorded(judge, self._round).ms)

        worker = None if judge is None else threading.Thread(target=work, args=(judge,))
        if worker is not None:
            worker.start()
        try:
            number = sum(len(times.runs) for times in self.results.values())
            view = Countdown(PLAYERS, f"Round {number + 1}", COUNT_WORDS, 1, beat_s=2 * seconds + 2)
            self._show_count(window, view, 1.0)
            self._current_run = run = list[tuple[float, float]]()
            self._show_count(window, view, seconds)
            self._current_run = []  # what comes until the next run is measured nowhere
            self.results[name].runs.append(run)
        finally:
            done.set()
            if worker is not None:
                worker.join()

    def _show_count(self, window: Window, view: Countdown, seconds: float) -> None:
        """Show a new preview ten times a second, as a round's count does."""
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            newest = self._ring.latest()
            window.show(view if newest is None else replace(view, preview=newest.pixels(None, PREVIEW_SIZE)))
            time.sleep(PREVIEW_INTERVAL_NS / 1e9)


ResultT = TypeVar("ResultT")


def run_in_box_window(play: Callable[[Window], ResultT], on_drawn: Callable[[View], None]) -> tuple[str, Size, ResultT]:
    """Call ``play`` with a window on the whole screen, or in memory where there is no screen.

    Returns:
        SDL's video driver, the window's size in pixels, and what ``play`` returned.

    Raises:
        WindowClosedError: People closed the window.
    """

    def play_and_look(window: Window) -> tuple[str, Size, ResultT]:
        driver, size = pygame.display.get_driver(), pygame.display.get_window_size()
        return driver, size, play(window)

    with suppress(SettingsError):  # which throwlock doctor reports
        set_rotation(read_settings().screen.rotation)
    try:
        return Window(fullscreen=True, on_drawn=on_drawn).run(play_and_look)
    except NoScreenError:
        os.environ["SDL_VIDEODRIVER"] = MEMORY_DRIVERS[0]
        return Window(on_drawn=on_drawn).run(play_and_look)
