"""Play a thousand matches of all games in one process, and print its memory, open files and threads as it goes.

``python -m tools.soak`` runs the real session, matches, journal and pages; the camera, the judge and the clock are
fakes. ``--docs measurements/2026-11/soak-test.md`` writes the figures into that page."""

import argparse
import gc
import itertools
import os
import tempfile
import threading
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from typing_extensions import override

from device.camera.base import Camera
from device.camera.frames import BgrFrame, Frame
from device.simulated.controls import SimulatedLights, SimulatedSound
from device.simulated.table.animation import Performance
from device.simulated.table.disturbances import Disturbance
from device.system.clock import Clock, SimulatedClock
from rules.catalogue import BOX_GAMES
from rules.engine import Seat
from rules.record.judgement import Verdict
from rules.throws import Throw
from throwlock.home import GameSession
from throwlock.journal.journal import Journal, JournalReader
from throwlock.launch_options import LaunchOptions
from throwlock.match.match import Match
from throwlock.match.reveal import MatchOutput
from throwlock.match_runner import resume_or_begin
from throwlock.replay.config import MatchConfig
from throwlock.session import AssignSeats
from throwlock.simulation.players import SimulatedPlayers
from throwlock.tables.hands import HandTable
from throwlock.tables.source import RoundSource
from tools.docs.generated_sections import add_docs_option, markdown_table, publish
from ui.screen.core.display import Display, WindowClosedError
from ui.screen.core.light_signals import LightController
from ui.screen.core.png_display import render_image
from ui.screen.pages.home import ChosenGame, GameMenu
from ui.screen.pages.notice import Notice
from ui.screen.pages.result import MatchResult
from ui.text import verdicts
from vision.lock.inference import TimeEstimate
from vision.lock.judgement import HAND_WINDOW_NS, Judgement
from vision.lock.verdict import SeatVerdict, search_end_ns
from vision.zones import Zone, default_zones

MATCH_CYCLE = tuple((rules.name, sample.seats, sample.options) for rules in BOX_GAMES for sample in rules.samples)
"""The matches played in turn: game, number of players, and options."""
SECTION = "matches"
TABLE_HEAD = "matches", "memory", "objects", "files", "threads", "journal", "time"
PAINT_EVERY = 20
"""One page in this many is painted."""
FRAME_SIZE = (320, 180)
MS = 1_000_000


class BlankCamera(Camera):
    """A fake camera that has five black frames in any span of time."""

    size, fps, dropped = FRAME_SIZE, 60.0, 0
    _blank = np.zeros((FRAME_SIZE[1], FRAME_SIZE[0], 3), np.uint8)

    @override
    def start(self) -> None:
        """Do nothing."""

    @override
    def stop(self) -> None:
        """Do nothing."""

    @override
    def latest(self) -> Frame:
        return BgrFrame(0, 2**62, 0, FRAME_SIZE, self._blank)  # newer than any frame that is waited for

    @override
    def frames_between(self, since_ns: int, until_ns: int) -> Sequence[Frame]:
        step = (until_ns - since_ns) // 4
        return [BgrFrame(n, since_ns + n * step, 0, FRAME_SIZE, self._blank) for n in range(5)]


class FakeTableAndJudge:
    """A fake table and judge in one: the judge reports what the hands were asked to do."""

    def __init__(self) -> None:
        self._hands: dict[Seat, Performance] = {}
        self.progress = 0.0

    def perform(self, seat: Seat, performance: Performance) -> None:
        """Remember what a hand is asked to do."""
        self._hands[seat] = performance

    def disturb(self, disturbance: Disturbance) -> None:
        """Nothing disturbs players without scenarios."""
        raise NotImplementedError

    def judge_live(
        self,
        frames_until: Callable[[int], Sequence[Frame]],
        zones: Sequence[Zone],
        cue_ns: int,
        window_ns: int = HAND_WINDOW_NS,
        box_shown_ns: int | None = None,
        on_seen: Callable[[Collection[int]], None] | None = None,
        on_read: Callable[[], None] | None = None,
    ) -> Judgement:
        """Return a judgement of what the hands were asked to do."""
        frames = frames_until(search_end_ns(cue_ns, window_ns))
        hands = [hand for _, hand in sorted(self._hands.items()) if hand.cue_ns == cue_ns]
        shown = [hand.cue_ns + hand.after_cue_ns for hand in hands]
        lock_ns = min(shown) + window_ns
        seats = tuple(
            SeatVerdict(
                number,
                Verdict.LATE if when > lock_ns else Verdict.ON_TIME,
                Throw(hand.throw),
                Throw.ROCK if when > lock_ns else Throw(hand.throw),
                TimeEstimate(when, 4 * MS),
                zone.box(FRAME_SIZE),
                7,
                None,
            )
            for number, (hand, when, zone) in enumerate(zip(hands, shown, zones, strict=True), 1)
        )
        return Judgement(cue_ns, min(shown), lock_ns, window_ns, frames[2], seats)


class SoakDisplay(Display):
    """A fake display on which people choose one game after another, ``matches`` in all, and accept everything. It
    paints one page in ``PAINT_EVERY``, and the lights follow every page."""

    def __init__(self, matches: int) -> None:
        self._remaining = iter([*itertools.islice(itertools.cycle(MATCH_CYCLE), matches)])
        self.lights = LightController(None)
        self.pages = itertools.count()

    @override
    def show(self, view: Any) -> None:
        self.lights.show(view)
        if next(self.pages) % PAINT_EVERY == 0:
            render_image(view, (800, 480))

    @override
    def ask(self, view: Any) -> Any:
        """Raises WindowClosedError after the last match."""
        self.show(view)
        if isinstance(view, GameMenu):
            game, seats, options = next(self._remaining, ("", 0, {}))
            if not game:
                raise WindowClosedError
            return ChosenGame(game, seats, options)
        if isinstance(view, MatchResult):
            return "home"
        return view.choices[0] if isinstance(view, Notice) and view.choices else None


@dataclass(frozen=True)
class ResourceUsage:
    """The process's resources after so many matches."""

    matches: int
    memory_mb: float
    objects: int
    """Tracked by Python's garbage collector."""
    files: int
    """That are open."""
    threads: int
    journal_mb: float
    """The journal's size."""
    seconds: float
    """Since the start."""

    def cells(self) -> tuple[object, ...]:
        """Return a row of the table."""
        return (
            *(f"{self.matches:,}", f"{self.memory_mb:.0f} MB", f"{self.objects:,}", self.files, self.threads),
            *(f"{self.journal_mb:.1f} MB", f"{self.seconds:.0f} s"),
        )


def play_matches(folder: Path, matches: int, every: int, report: Callable[[ResourceUsage], None]) -> None:
    """Play matches with a journal in ``folder``, and ``report`` the process's resources after ``every`` matches."""
    start, path = time.monotonic(), folder / "soak.journal"
    os.environ["THROWLOCK_SETTINGS"] = str(folder / "throwlock.toml")
    display = SoakDisplay(matches)
    done = itertools.count(1)

    def play_one(options: LaunchOptions, config: MatchConfig, assign_seats: AssignSeats | None) -> object:
        choice = play_match(options.journal, config, display)
        number = next(done)
        if number % every == 0 or number == matches:
            report(measure_usage(path, number, time.monotonic() - start))
        return choice

    with suppress(WindowClosedError):
        GameSession(LaunchOptions(path, "simulated"), display, play_one, (), 0).run(None)


def play_match(path: Path, config: MatchConfig, display: SoakDisplay) -> object:
    """Play a match to its end, opening and closing its journal, and return what people chose then."""
    clock = SimulatedClock()
    display.lights = LightController(SimulatedLights(config.game.setup.seats, clock))
    with Journal(path) as journal:
        match = resume_match(journal, config, display, clock, lambda line: None)
        result = match.play()
        return display.ask(MatchResult(match.players(), result, verdicts.result_sentence(result, match.names)))


def resume_match(
    journal: Journal, config: MatchConfig, display: Display, clock: Clock, announce: Callable[[str], None]
) -> Match:
    """Return the journal's unfinished match, or a new one, with simulated players and a fake camera and judge."""
    fake = FakeTableAndJudge()
    players = SimulatedPlayers(config.seed, fake, cheat_throw=1)
    players.FOUL_RATE = 0.0
    zones = default_zones(config.game.setup.seats)
    sound = SimulatedSound(clock)
    table = HandTable(
        camera=BlankCamera(), zones=zones, display=display, clock=clock, house_rules=config.house_rules,
        listener=players, sound=sound, judge=fake,
    )  # fmt: skip
    number = resume_or_begin(journal, config)
    return Match(journal, number, RoundSource(players, (table,)), MatchOutput(display, clock, announce, sound=sound))


def measure_usage(journal: Path, matches: int, seconds: float) -> ResourceUsage:
    """Return what this process uses now."""
    for thread in threading.enumerate():
        if thread.name.startswith("film"):
            thread.join()  # it ends by itself
    gc.collect()
    process = Path("/proc/self")
    resident = int((process / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    files, threads = (len(list((process / of).iterdir())) for of in ("fd", "task"))
    return ResourceUsage(
        matches, resident / 1e6, len(gc.get_objects()), files, threads, journal.stat().st_size / 1e6, seconds
    )


def main() -> None:
    """Print the figures as they are measured, and write them into a page if asked."""
    parser = argparse.ArgumentParser(prog="python -m tools.soak", description=__doc__)
    parser.add_argument("--matches", type=int, default=1000, help="number of matches (default 1000)")
    parser.add_argument("--every", type=int, default=100, help="matches per row of figures (default 100)")
    add_docs_option(parser, SECTION)
    options = parser.parse_args()
    rows: list[tuple[object, ...]] = []

    def report(usage: ResourceUsage) -> None:
        rows.append(usage.cells())
        print(" | ".join(map(str, rows[-1])), flush=True)

    with tempfile.TemporaryDirectory(prefix="throwlock-soak-") as name:
        print(" | ".join(TABLE_HEAD), flush=True)
        play_matches(Path(name), options.matches, options.every, report)
        with JournalReader(Path(name, "soak.journal")) as journal:
            summary = f"{len(journal.matches()):,} matches with {journal.number_and_hash()[0]:,} events."
    print(summary)
    publish(options.docs, {SECTION: f"{markdown_table(TABLE_HEAD, rows, text_columns=0)}\n\n{summary}"}, printed=True)
