"""Measure how long after the cue its word is on the screen and its tone leaves the mixer.

``python -m tools.bench.cue`` counts many times in a window on this machine, with nothing else running and while rounds
are judged; ``--docs docs/cue-latency.md`` writes the table into that page."""

import argparse
import os
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pygame

from device.camera.base import Camera
from device.camera.frames import BgrFrame, Frame
from device.sound.loudspeaker import BUFFER_SAMPLES, SAMPLE_RATE_HZ, Loudspeaker
from device.system.clock import MonotonicClock
from rules.engine import Prompt
from rules.throws import THROW_CHOICES
from throwlock.house_rules import HouseRules
from throwlock.tables.hands import HandTable
from throwlock.tables.source import AnswerSource, RoundRequest
from tools.bench.sound_card import SimulatedSoundCard
from tools.bench.verdict import CUE_NS, RecordedRound, render_round
from tools.docs.generated_sections import add_docs_option, update_page
from ui.screen.core.window import Window
from ui.screen.pages.common.view import Player
from ui.screen.pages.countdown.view import Countdown
from ui.text.verdicts import COUNT_WORDS
from vision.lock.judge import Judge
from vision.zones import default_zones

SECTION = "cue"
PLAYERS = (Player(1, "Ann"), Player(2, "Ben"))
TABLE_HEAD = (
    "| load | shown after the cue, ms | 95 % by | latest | heard after the cue, ms | 95 % by | latest "
    "| heard after shown, ms | most uneven beat, ms |\n"
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
)


class StillCamera(Camera):
    """A camera whose image never changes: only the screen and the sound are measured."""

    size = (1280, 720)
    fps = 60.0
    dropped = 0

    def __init__(self) -> None:
        self._bgr = np.full((720, 1280, 3), 90, np.uint8)

    def start(self) -> None:
        """See Camera."""

    def stop(self) -> None:
        """See Camera."""

    def latest(self) -> Frame:
        """See Camera."""
        return BgrFrame(0, time.monotonic_ns(), 0, self.size, self._bgr)

    def frames_between(self, since_ns: int, until_ns: int) -> Sequence[Frame]:
        """See Camera."""
        return [self.latest()]


class TimedWindow(Window):
    """A window that records when each word of the count was first shown."""

    def __init__(self) -> None:
        super().__init__((800, 480))
        self.flips: list[tuple[int, int]] = []
        self._last: object = None

    def _paint(self, moment: Any, screen: pygame.Surface | None) -> None:
        if not isinstance(moment, Countdown):
            self._last = None
        elif moment.beat != self._last:
            self._last = moment.beat
            with _record_flips() as flip_times_ns:
                super()._paint(moment, screen)
            self.flips.append((moment.beat, flip_times_ns[0]))
            return
        super()._paint(moment, screen)


@contextmanager
def _record_flips() -> Iterator[list[int]]:
    """Record when each call of ``pygame.display.flip`` returned, in monotonic ns."""
    times_ns: list[int] = []
    flip = pygame.display.flip

    def timed_flip() -> None:
        flip()
        times_ns.append(time.monotonic_ns())

    pygame.display.flip = timed_flip
    try:
        yield times_ns
    finally:
        pygame.display.flip = flip


@dataclass
class CueTimes:
    """The measurements, one per count: when SHOOT was on the screen and when it left the mixer, in ms after the cue,
    and by how many ms the delays of a count's tones differ; and how many buffers of sound came too late."""

    shown_ms: list[float] = field(default_factory=list)
    heard_ms: list[float] = field(default_factory=list)
    unevenness_ms: list[float] = field(default_factory=list)
    underruns: int = 0


def measure_counts(counts: int, beat_ms: int) -> CueTimes:
    """Count ``counts`` times in a window and on a simulated sound card.

    Raises:
        SystemExit: The machine is too busy to play every tone.
    """
    result, cues_ns = CueTimes(), []
    window = TimedWindow()
    with tempfile.TemporaryDirectory() as folder, SimulatedSoundCard(Path(folder) / "card") as card:
        sound = Loudspeaker(delay_ns=card.extra_latency_ns)
        house = HouseRules(beat_ms=beat_ms)

        def play(display: Window) -> None:
            judge: Any = None
            table = HandTable(
                camera=StillCamera(), zones=default_zones(2), display=display, clock=MonotonicClock(),
                house_rules=house, others=AnswerSource(), show_preview=True, sound=sound, judge=judge,
            )  # fmt: skip
            request = RoundRequest(Prompt("throw", dict.fromkeys((1, 2), THROW_CHOICES)), PLAYERS)
            for number in range(counts):
                cues_ns.append(table.count(request, Countdown(PLAYERS, f"Round {number + 1}", COUNT_WORDS, -1)))

        window.run(play)
        card.wait_until(time.monotonic_ns() + 300_000_000)
        sound.stop()
        recording = card.recording()
    shown_ns = [time_ns for beat, time_ns in window.flips if beat == len(COUNT_WORDS) - 1]
    tones = recording.tone_times_ns()
    if len(tones) != counts * len(COUNT_WORDS):
        raise SystemExit("this machine is too busy: some tones would have come too late and were left out")
    result.underruns = len(recording.underruns)
    for number, cue_ns in enumerate(cues_ns):
        due_ns = [cue_ns - (len(COUNT_WORDS) - 1 - beat) * beat_ms * 1_000_000 for beat in range(len(COUNT_WORDS))]
        heard_ns = tones[number * len(COUNT_WORDS) : (number + 1) * len(COUNT_WORDS)]
        result.shown_ms.append((shown_ns[number] - cue_ns) / 1e6)
        result.heard_ms.append((heard_ns[-1] - cue_ns) / 1e6)
        delays = [heard - due for heard, due in zip(heard_ns, due_ns, strict=True)]
        result.unevenness_ms.append((max(delays) - min(delays)) / 1e6)
    return result


@contextmanager
def judge_in_background(enabled: bool) -> Iterator[None]:
    """Judge a round over and over in a thread while the context lasts, if ``enabled``."""
    stop = threading.Event()

    def work(recorded: RecordedRound) -> None:
        with Judge(seats=len(recorded.zones)) as judge:
            while not stop.is_set():
                judge(recorded.frames, recorded.zones, CUE_NS)

    worker = threading.Thread(target=work, args=(render_round(1),), daemon=True) if enabled else None
    if worker:
        worker.start()
    try:
        yield
    finally:
        stop.set()
        if worker:
            worker.join()


def table_row(name: str, cues: CueTimes) -> str:
    """Return a row of the table."""

    def cells(values: Sequence[float]) -> str:
        percentile_95 = statistics.quantiles(values, n=20, method="inclusive")[-1]
        return f"{statistics.median(values):.1f} | {percentile_95:.1f} | {max(values):.1f}"

    lag = statistics.median(heard - shown for heard, shown in zip(cues.heard_ms, cues.shown_ms, strict=True))
    return f"| {name} | {cells(cues.shown_ms)} | {cells(cues.heard_ms)} | {lag:+.1f} | {max(cues.unevenness_ms):.2f} |"


def main() -> None:
    """Print the figures as they are measured, and write them into a page if asked."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.cue", description=__doc__)
    parser.add_argument("--counts", type=int, default=40, help="counts per row (default 40)")
    parser.add_argument("--beat", type=int, default=600, help="ms between two words (default 600)")
    add_docs_option(parser)
    options = parser.parse_args()
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy" if not os.environ.get("DISPLAY") else "x11")
    load = os.getloadavg()[0]
    lines = [TABLE_HEAD]
    print(TABLE_HEAD, flush=True)
    underruns = 0
    for name in ("nothing else", "rounds are judged"):
        with judge_in_background(name != "nothing else"):
            cues = measure_counts(options.counts, options.beat)
        underruns += cues.underruns
        lines.append(table_row(name, cues))
        print(lines[-1], flush=True)
    lines += [
        "",
        f"{options.counts} counts each, {options.beat} ms per beat, 800×480 through SDL's "
        f"{os.environ['SDL_VIDEODRIVER']} driver, on {os.cpu_count()} cores with a load average of {load:.1f} at the "
        f"start; sound buffers of {BUFFER_SAMPLES} samples at {SAMPLE_RATE_HZ} Hz, of which {underruns} came too late.",
    ]
    print(lines[-1])
    if options.docs:
        update_page(options.docs, {SECTION: "\n".join(lines)})


if __name__ == "__main__":
    main()
