"""``python -m tools.soak --matches 1000``: an evening of a thousand matches of all games in this process, through
the real evening, match, journal and painters; what it takes in memory, files and threads is printed as it goes. Hands
and eyes are made up, and time jumps. ``--docs docs/long.md`` puts the figures there."""

import argparse
import gc
import itertools
import os
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from device.camera.frames import Frame, StoredFrame
from device.simulated.lights import SimulatedLights
from device.simulated.sound import SimulatedSound
from device.simulated.table.animation import Performance
from device.system.clock import JumpingClock
from rules.engine import Seat, Value
from rules.throws import Throw
from throwlock.journal.journal import Journal, JournalReader
from throwlock.launch_options import Wanted
from throwlock.match.config import Billing
from throwlock.match.match import Match, take_up
from throwlock.match_runner import SitDown
from throwlock.session import Evening
from throwlock.simulation.players import SimulatedPlayers
from throwlock.tables.hands import Table
from tools.docs.generated_sections import write_into
from ui.screen.core.display import WindowClosedError
from ui.screen.core.light_signals import Followed
from ui.screen.core.png_display import picture
from ui.screen.pages.views import Choosing, Chosen, Ended, Notice
from ui.text import verdicts
from vision.lock.inference import Instant
from vision.lock.judge import Judgement
from vision.lock.verdict import SeatVerdict, Verdict
from vision.zones import Zone, spread

KINDS: Sequence[tuple[str, int, dict[str, Value]]] = (
    ("classic", 2, {"best_of": 3}),
    ("redeux", 2, {"risk": "always", "goal": 40}),
    ("battle", 4, {"rounds": 2}),
    ("tr", 2, {}),
    ("board", 2, {"quiet": 10}),
    ("future", 2, {}),
    ("classic", 4, {}),
)
"""Games, how many play, and options, one after the other."""
BEGIN, END = "<!-- matches: begin -->", "<!-- matches: end -->"
PAINTED = 20
"""Of so many pages one is painted."""
FRAME = (320, 180)
MS = 1_000_000


class NoCamera:
    """A camera whose ring has five pictures of nothing, spread over the time that is asked for."""

    size, fps, dropped = FRAME, 60.0, 0
    _blank = np.zeros((FRAME[1], FRAME[0], 3), np.uint8)

    def start(self) -> None:
        """See Camera."""

    def stop(self) -> None:
        """See Camera."""

    def latest(self) -> Frame:
        """See Camera."""
        return StoredFrame(0, 0, 0, FRAME, self._blank)

    def ring(self, since_ns: int, until_ns: int) -> Sequence[Frame]:
        """See Camera."""
        step = (until_ns - since_ns) // 4
        return [StoredFrame(n, since_ns + n * step, 0, FRAME, self._blank) for n in range(5)]


class Told:
    """A table and a judge in one: what the hands were told to do is what is seen."""

    def __init__(self) -> None:
        self._hands: dict[Seat, Performance] = {}
        self.progress = 0.0

    def perform(self, seat: Seat, performance: Performance) -> None:
        """As the simulated table's."""
        self._hands[seat] = performance

    def __call__(
        self, frames: Sequence[Frame], zones: Sequence[Zone], cue_ns: int, window_ns: int = 150 * MS
    ) -> Judgement:
        """As Judge's."""
        hands = [hand for _, hand in sorted(self._hands.items()) if hand.cue_ns == cue_ns]
        shown = [hand.cue_ns + hand.after_cue_ns for hand in hands]
        lock_ns = min(shown) + window_ns
        seats = tuple(
            SeatVerdict(
                number,
                Verdict.LATE if when > lock_ns else Verdict.ON_TIME,
                Throw(hand.throw),
                Throw.ROCK if when > lock_ns else Throw(hand.throw),
                Instant(when, 4 * MS),
                zone.box(FRAME),
                7,
                None,
            )
            for number, (hand, when, zone) in enumerate(zip(hands, shown, zones, strict=True), 1)
        )
        return Judgement(cue_ns, min(shown), lock_ns, window_ns, frames[2], seats)


class Passing:
    """A display whose people choose one game after the other, ``matches`` of them, and let everything pass. One page in
    PAINTED is painted where nobody sees it; lights follow all of them."""

    def __init__(self, matches: int) -> None:
        self._left = iter([*itertools.islice(itertools.cycle(KINDS), matches)])
        self.lights = Followed(None)
        self.pages = itertools.count()

    def show(self, view: Any) -> None:
        """See Display."""
        self.lights.follow(view)
        if next(self.pages) % PAINTED == 0:
            picture(view, (800, 480))

    def ask(self, view: Any) -> Any:
        """See Display. Raises WindowClosedError when all matches are over."""
        self.show(view)
        if isinstance(view, Choosing):
            game, seats, options = next(self._left, ("", 0, {}))
            if not game:
                raise WindowClosedError
            return Chosen(game, seats, options)
        if isinstance(view, Ended):
            return "home"
        return view.choices[0] if isinstance(view, Notice) and view.choices else None


@dataclass(frozen=True)
class Figures:
    """What the process has after so many matches: memory in MB, objects that Python's collector knows, open files and
    threads; the journal's size in MB; and since the beginning seconds."""

    matches: int
    memory_mb: float
    objects: int
    files: int
    threads: int
    journal_mb: float
    seconds: float

    def line(self) -> str:
        """As a table's row."""
        return (
            f"| {self.matches:,} | {self.memory_mb:.0f} MB | {self.objects:,} | {self.files} | {self.threads} | "
            f"{self.journal_mb:.1f} MB | {self.seconds:.0f} s |"
        )


HEAD = "| matches | memory | objects | files | threads | journal | since the start |\n" + "| ---: " * 7 + "|"


def run(folder: Path, matches: int, every: int, tell: Callable[[Figures], None]) -> None:
    """Play so many matches with a journal in ``folder``, and ``tell`` the figures after every so many."""
    began, path = time.monotonic(), folder / "long.journal"
    os.environ["THROWLOCK_SETTINGS"] = str(folder / "throwlock.toml")
    display = Passing(matches)
    done = itertools.count(1)

    def play_one(wanted: Wanted, billing: Billing, sit: SitDown | None) -> object:
        came = one_match(wanted.journal, billing, display)
        number = next(done)
        if number % every == 0 or number == matches:
            tell(figures(path, number, time.monotonic() - began))
        return came

    with suppress(WindowClosedError):
        Evening(Wanted(path, "simulated"), display, play_one, (), 0).run(None)


def one_match(path: Path, billing: Billing, display: Passing) -> object:
    """One match to its end, its journal opened and closed as the box does it; what people chose then."""
    clock, told = JumpingClock(), Told()
    display.lights = Followed(SimulatedLights(billing.game.setup.seats, clock))
    players = SimulatedPlayers(billing.seed, told, cheats_at=1)  # type: ignore[arg-type]  # it performs as a table does
    players.FOULS = 0.0
    with Journal(path) as journal:
        table = Table(NoCamera(), spread(billing.game.setup.seats), told, display, clock, billing.house, players)  # type: ignore[arg-type]
        table.sound = SimulatedSound(clock)
        match = Match(journal, take_up(journal, billing), table, players, lambda line: None)
        result = match.play()
        return display.ask(Ended(match.players(), result, verdicts.told_result(result, match.names)))


def figures(journal: Path, matches: int, seconds: float) -> Figures:
    """What this process has now."""
    for thread in threading.enumerate():
        if thread.name.startswith("film"):
            thread.join()  # it ends by itself
    gc.collect()
    process = Path("/proc/self")
    resident = int((process / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    files, threads = (len(list((process / of).iterdir())) for of in ("fd", "task"))
    return Figures(
        matches, resident / 1e6, len(gc.get_objects()), files, threads, journal.stat().st_size / 1e6, seconds
    )


def main() -> None:
    """Parse the arguments and print the figures."""
    parser = argparse.ArgumentParser(prog="python -m tools.soak", description=__doc__)
    parser.add_argument("--matches", type=int, default=1000, help="how many (default 1000)")
    parser.add_argument("--every", type=int, default=100, help="figures after so many (default 100)")
    parser.add_argument("--docs", type=Path, help="the page to write the figures into, between its marks")
    given = parser.parse_args()
    lines: list[str] = []

    def tell(line: str) -> None:
        lines.append(line)
        print(line, flush=True)

    with tempfile.TemporaryDirectory(prefix="throwlock-long-") as name:
        tell(HEAD)
        run(Path(name), given.matches, given.every, lambda one: tell(one.line()))
        with JournalReader(Path(name, "long.journal")) as journal:
            tell(f"\n{len(journal.matches()):,} matches with {journal.hash_of()[0]:,} events.")
    if given.docs:
        write_into(given.docs, "\n".join(lines), BEGIN, END)


if __name__ == "__main__":
    main()
