"""``python -m tools.bench.cue``: how near the screen's cue and the sound's come to the cue itself, measured over many
counts in this machine's window and through its mixer, with the other core idle or judging rounds. ``--docs
docs/cue.md`` writes the table there."""

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

from device.camera.frames import Frame, StoredFrame
from device.simulated.sound_card import SoundCard
from device.sound.loudspeaker import BUFFER, RATE, Loudspeaker
from device.system.clock import SteadyClock
from throwlock.match.house_rules import House
from throwlock.tables.hands import Table
from tools.bench.verdict import CUE_NS, Ring, rendered
from tools.docs.generated_sections import write_into
from ui.screen.core.window import Window
from ui.screen.pages.views import Cadence, Player
from ui.text.verdicts import COUNT
from vision.lock.judge import Judge
from vision.zones import spread

BEGIN, END = "<!-- cue: begin -->", "<!-- cue: end -->"
PLAYERS = (Player(1, "Ann"), Player(2, "Ben"))
HEAD = (
    "| while | shown after the cue, ms | 95 % by | latest | heard after the cue, ms | 95 % by | latest "
    "| heard after shown, ms | most uneven beat, ms |\n"
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
)


class StillCamera:
    """A camera whose picture is always the same: what is measured is the screen and the sound."""

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
        return StoredFrame(0, time.monotonic_ns(), 0, self.size, self._bgr)

    def ring(self, since_ns: int, until_ns: int) -> Sequence[Frame]:
        """See Camera."""
        return [self.latest()]


class TimedWindow(Window):
    """A window that remembers when each word of the count was first on it."""

    def __init__(self) -> None:
        super().__init__((800, 480))
        self.flips: list[tuple[int, int]] = []
        self._last: object = None

    def _paint(self, moment: Any, screen: pygame.Surface | None) -> None:
        if not isinstance(moment, Cadence):
            self._last = None
        elif moment.beat != self._last:
            self._last = moment.beat
            with _stamped() as stamps:
                super()._paint(moment, screen)
            self.flips.append((moment.beat, stamps[0]))
            return
        super()._paint(moment, screen)


@contextmanager
def _stamped() -> Iterator[list[int]]:
    """When ``pygame.display.flip`` was done."""
    stamps: list[int] = []
    flip = pygame.display.flip

    def timed() -> None:
        flip()
        stamps.append(time.monotonic_ns())

    pygame.display.flip = timed
    try:
        yield stamps
    finally:
        pygame.display.flip = flip


@dataclass
class Cues:
    """What was measured, in ms: when SHOOT was on the screen and when it left the mixer, after the cue, count by count;
    and by how much the tones of a count were differently late."""

    shown: list[float] = field(default_factory=list)
    heard: list[float] = field(default_factory=list)
    uneven: list[float] = field(default_factory=list)
    lacked: int = 0


def measured(counts: int, beat_ms: int) -> Cues:
    """Count so often, in a window and on a simulated card, whose own delay the loudspeaker is told."""
    found, cues = Cues(), []
    window = TimedWindow()
    with tempfile.TemporaryDirectory() as folder, SoundCard(Path(folder) / "card") as card:
        sound = Loudspeaker(delay_ns=card.held_ns)
        house = House(beat_ms=beat_ms)

        def play(display: Window) -> None:
            judge: Any = None
            table = Table(StillCamera(), spread(2), judge, display, SteadyClock(), house, live=True, sound=sound)
            for number in range(counts):
                cues.append(table.count((1, 2), Cadence(PLAYERS, f"Round {number + 1}", COUNT, -1)))

        window.run(play)
        card.wait_until(time.monotonic_ns() + 300_000_000)
        sound.stop()
        recording = card.heard()
    shown = [when for beat, when in window.flips if beat == len(COUNT) - 1]
    tones = recording.times_ns()
    if len(tones) != counts * len(COUNT):
        raise SystemExit("this machine is too busy: tones were left out, because they would have come too late")
    found.lacked = len(recording.lacked)
    for number, cue_ns in enumerate(cues):
        times = [cue_ns - (len(COUNT) - 1 - beat) * beat_ms * 1_000_000 for beat in range(len(COUNT))]
        heard = tones[number * len(COUNT) : (number + 1) * len(COUNT)]
        found.shown.append((shown[number] - cue_ns) / 1e6)
        found.heard.append((heard[-1] - cue_ns) / 1e6)
        late = [at - due for at, due in zip(heard, times, strict=True)]
        found.uneven.append((max(late) - min(late)) / 1e6)
    return found


@contextmanager
def judging(on: bool) -> Iterator[None]:
    """A round is judged again and again meanwhile, if that is wanted."""
    stop = threading.Event()

    def work(ring: Ring) -> None:
        with Judge(seats=len(ring.zones)) as judge:
            while not stop.is_set():
                judge(ring.frames, ring.zones, CUE_NS)

    worker = threading.Thread(target=work, args=(rendered(1),), daemon=True) if on else None
    if worker:
        worker.start()
    try:
        yield
    finally:
        stop.set()
        if worker:
            worker.join()


def row(name: str, cues: Cues) -> str:
    """A row of the table."""

    def told(values: Sequence[float]) -> str:
        late = statistics.quantiles(values, n=20, method="inclusive")[-1]
        return f"{statistics.median(values):.1f} | {late:.1f} | {max(values):.1f}"

    apart = statistics.median(heard - shown for heard, shown in zip(cues.heard, cues.shown, strict=True))
    return f"| {name} | {told(cues.shown)} | {told(cues.heard)} | {apart:+.1f} | {max(cues.uneven):.2f} |"


def main() -> None:
    """Parse the arguments, print the figures as they come, and write them where they are wanted."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.cue", description=__doc__)
    parser.add_argument("--counts", type=int, default=40, help="how many counts (default 40)")
    parser.add_argument("--beat", type=int, default=600, help="ms between the words (default 600)")
    parser.add_argument("--docs", type=Path, help="the page to write the table into, between its marks")
    given = parser.parse_args()
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy" if not os.environ.get("DISPLAY") else "x11")
    busy = os.getloadavg()[0]
    rows = [HEAD]
    print(HEAD, flush=True)
    lacked = 0
    for name in ("nothing else", "rounds are judged"):
        with judging(name != "nothing else"):
            cues = measured(given.counts, given.beat)
        lacked += cues.lacked
        rows.append(row(name, cues))
        print(rows[-1], flush=True)
    told = (
        f"{given.counts} counts each, {given.beat} ms a beat, 800×480 through SDL's {os.environ['SDL_VIDEODRIVER']} "
        f"driver, on {os.cpu_count()} cores that {busy:.1f} other processes wanted (load average); pieces of {BUFFER} "
        f"samples at {RATE} Hz, of which {lacked} were not made in time."
    )
    print(told)
    if given.docs:
        write_into(given.docs, "\n".join([*rows, "", told]), BEGIN, END)


if __name__ == "__main__":
    main()
