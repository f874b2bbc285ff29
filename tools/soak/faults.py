"""Play a thousand matches in processes that are killed, whose clock jumps and whose disk fails; spoil copies of their
journals; and count what is lost of what was shown.

``python -m tools.soak.faults`` prints a table and exits with 1 if anything was lost; the folder with the journals is
kept then. Random instants depend on the machine: a ``--seed`` repeats the choices, not the same microseconds.
``--docs measurements/2026-11/soak-test.md`` writes the table into that page."""

import argparse
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from throwlock.journal.file import sibling
from throwlock.journal.journal import Journal, JournalError, JournalReader
from throwlock.review.verify import verify
from tools.docs.generated_sections import add_docs_option, markdown_table, publish
from tools.soak import damage, power_cut
from tools.soak.player import DONE, FAILED, REFUSED, Task
from tools.soak.runs import HungError, PlayerProcesses, Step, random_instant
from tools.soak.shim import ALWAYS, ERRORS, Action, Call, Orders, build_library
from tools.soak.transcript import compare, history, read_transcript

SECTION = "faults"
MATCHES_PER_JOURNAL = 10
MAX_IDLE_RUNS = 100
"""Runs without a new event, after which a match does not go on at all."""
MAX_CALLS_BEFORE_FAULT = 150
"""Of a match's 300."""
LONGEST_RUN_S, PATIENCE_FACTOR = 0.8, 16
"""The latest kill after a process's start, and how much later it is at most after runs without any new event: a busy
machine needs that to play on at all."""
ONCE_SHARE, RECOVERY_SHARE, KILL_SHARE = 0.4, 0.7, 0.5
"""Shares of a failing disk's errors that come up to three times and no more, that last and end while the box plays, and
of processes that are killed after it."""
SPOILED_PER_JOURNAL = 42
"""Bit flips, and logs spoiled, in copies of each journal of kills."""
POWER_CUTS_PER_JOURNAL = 60
MAX_PRINTED_PROBLEMS = 40
CLOCK_JUMPS: dict[str, Callable[[int], int]] = {
    "to 1970": lambda now_s: 60 - now_s,
    "to 2106": lambda now_s: 2**32 - 1 - now_s,
    "back an hour": lambda now_s: -3600,
    "forward a day": lambda now_s: 86400,
    "right": lambda now_s: 0,
}
"""What the clock jumps to, as seconds from the time it is."""


CAME_BACK = "events refused that were there after a restart, as the disk took no write that erases them"


@dataclass
class Tally:
    """The figures of a row of the table."""

    what: str
    tried: int = 0
    """How often the fault was tried."""
    matches: int = 0
    events: int = 0
    shown: int = 0
    effect: str = ""
    problems: list[str] = field(default_factory=list)

    def cells(self) -> tuple[str, ...]:
        """Return a row of the table."""
        figures = (self.tried, self.matches, self.events, self.shown)
        return (self.what, self.effect, *(f"{one:,}" if one else "" for one in figures), f"{len(self.problems):,}")


TABLE_HEAD = ("fault", "of which", "times", "matches", "events", "pages shown", "lost or wrong")


class FaultRun:
    """A whole run in ``folder``: plays the matches, and has the figures."""

    def __init__(self, folder: Path, seed: int, matches: int, until: float) -> None:
        self._folder = folder
        self._seed = seed
        self._matches = matches
        self._until = until
        self.kills = Tally("killed at any instant")
        self.killed_calls = Tally("killed in a write, sync or truncation")
        self.clock = Tally("the clock jumps")
        self.disk = Tally("the disk fails")
        self.flips = Tally("a bit flips")
        self.logs = Tally("the log is cut off or garbled")
        self.power_cuts = Tally("the power fails")
        self._effects: Counter[str] = Counter()
        self.has_library = False

    @property
    def tallies(self) -> list[Tally]:
        """All rows of the table."""
        rows = [self.kills, self.killed_calls, self.clock, self.disk, self.flips, self.logs, self.power_cuts]
        return [row for row in rows if row.tried]

    def run(self) -> None:
        """Play everything, or stop after the journal that is played when the time is over."""
        with ExitStack() as exit_stack:
            library = build_library(self._folder)
            orders = exit_stack.enter_context(Orders(self._folder / "orders"))
            players = exit_stack.enter_context(PlayerProcesses(self._folder, library, orders))
            self.has_library = library is not None
            kinds = [self._kill, self._kill_in_calls, self._jump, self._fail] if library else [self._kill]
            for number, first in enumerate(range(0, self._matches, MATCHES_PER_JOURNAL)):
                if time.monotonic() >= self._until:
                    return
                rng = random.Random(f"{self._seed}/{number}")
                journal = JournalRun(
                    self._folder / str(number), players, orders, first,
                    min(MATCHES_PER_JOURNAL, self._matches - first), rng,
                )  # fmt: skip
                kinds[number % len(kinds)](journal)
                if library and number % len(kinds) == 0:
                    self._cut_power(journal)
                journal.remove_if_fine()

    def _kill(self, journal: "JournalRun") -> None:
        def steps() -> Iterator[Step]:
            yield random_instant(journal.rng, journal.longest_run_s), journal.players.kill

        journal.play_with_faults(self.kills, steps)
        self.kills.tried += journal.kills
        self._damage(journal)

    def _kill_in_calls(self, journal: "JournalRun") -> None:
        def steps() -> Iterator[Step]:
            journal.orders.give(
                journal.path.parent,
                journal.rng.choice([Call.WRITE, Call.SYNC, Call.TRUNCATE | Call.SYNC, ~Call(0)]),
                journal.rng.choice([Action.KILL_BEFORE, Action.KILL_HALFWAY, Action.KILL_AFTER]),
                after_calls=int(random_instant(journal.rng, MAX_CALLS_BEFORE_FAULT)), faults=1,
            )  # fmt: skip
            return iter(())

        journal.play_with_faults(self.killed_calls, steps)
        self.killed_calls.tried += journal.kills

    def _jump(self, journal: "JournalRun") -> None:
        rng, jumps = journal.rng, 0

        def jump() -> None:
            nonlocal jumps
            jumps += 1
            journal.orders.move_clock(CLOCK_JUMPS[rng.choice([*CLOCK_JUMPS])](round(time.time())))

        def steps() -> Iterator[Step]:
            jump()
            yield from ((random_instant(rng), jump) for _ in range(rng.randrange(6)))
            yield random_instant(rng, journal.longest_run_s), journal.players.kill

        journal.play_with_faults(self.clock, steps)
        journal.orders.move_clock(0)
        self.clock.tried += jumps
        with JournalReader(journal.path) as reader:
            today = datetime.now(UTC).date()
            wrong = sum(abs((datetime.fromisoformat(row.at).date() - today).days) > 0 for row in reader.event_rows())
        self._note(self.clock, "events with another date", wrong)

    def _fail(self, journal: "JournalRun") -> None:
        rng, orders = journal.rng, journal.orders
        label = ""

        def fail() -> None:
            nonlocal label
            self._note(self.disk, label, orders.faults_done)
            calls = rng.choice([Call.WRITE, Call.SYNC, Call.TRUNCATE, ~Call(0)])
            action = rng.choice([Action.FAIL, Action.SHORT]) if calls is Call.WRITE else Action.FAIL
            error = rng.choice([*ERRORS])
            label = (
                f"calls failed with {error}" if action is Action.FAIL else f"writes were short, the last with {error}"
            )
            orders.give(
                journal.path.parent,
                calls,
                action,
                error,
                int(random_instant(rng, MAX_CALLS_BEFORE_FAULT)),
                rng.randint(1, 3) if rng.random() < ONCE_SHARE else ALWAYS,
            )
            self.disk.tried += 1

        def steps() -> Iterator[Step]:
            at = 0.0
            for _ in range(rng.randint(1, 12)):
                yield at, fail
                at += random_instant(rng, 0.5)
                if rng.random() < RECOVERY_SHARE:
                    yield at, orders.stop_faults
                    at += random_instant(rng, 0.2)
            if rng.random() < KILL_SHARE:
                yield at, journal.players.kill

        refused, came_back = journal.play_with_faults(self.disk, steps, retries=3)
        self._note(self.disk, label, orders.faults_done)
        self._note(self.disk, "times a match stopped", refused)
        self._note(self.disk, CAME_BACK, came_back)

    def _note(self, tally: Tally, what: str, count: int) -> None:
        if not count:
            return
        self._effects[f"{tally.what}/{what}"] += count
        prefix = f"{tally.what}/"
        tally.effect = ", ".join(
            f"{number:,} {name.removeprefix(prefix)}"
            for name, number in self._effects.items()
            if name.startswith(prefix)
        )

    def _damage(self, journal: "JournalRun") -> None:
        """Spoil copies of a journal as a kill left it, and as it is after its end."""
        copies = [path for path in (journal.crashed_copy, journal.path) if path]
        for tally, spoil, sources in (
            (self.flips, damage.flip_bit, copies),
            (self.logs, damage.spoil_log, copies[:-1]),
        ):
            for source in sources:
                whole = damage.read_content(source)
                marked = damage.shown_events(source, whole)
                for number in range(SPOILED_PER_JOURNAL // len(sources)):
                    name = f"{spoil.__name__}-{source.parent.name}-{number}"
                    path = damage.copy_journal(source, journal.path.parent.parent / name)
                    where = spoil(path, journal.rng)
                    try:
                        reported, problems = damage.find_unnoticed(path, whole, marked, journal.rng)
                    except Exception as error:
                        reported, problems = True, [f"not an error of the journal: {error!r}"]
                    tally.tried += 1
                    tally.problems += [f"{path}: {where}: {one}" for one in problems]
                    self._note(tally, "reported", reported)
                    if not problems:
                        shutil.rmtree(path.parent)

    def _cut_power(self, journal: "JournalRun") -> None:
        """Record the calls of a further process, and rebuild what power cuts leave of them."""
        folder = journal.path.parent.parent / "power"
        path = damage.copy_journal(journal.path, folder)
        files = {path: path.read_bytes()}
        record, transcript = journal.path.parent.parent / "record", folder / "transcript"
        journal.orders.give(folder, record=record)
        rng = journal.rng
        journal.players.run(Task(str(path), str(transcript), journal.first, journal.matches + rng.choice([1, 2])))
        journal.orders.give(folder)
        calls = [*power_cut.read_record(record)]
        disk_calls = [one for one in calls if one.path != transcript]
        for _ in range(POWER_CUTS_PER_JOURNAL):
            end = rng.randrange(len(calls))
            lines = b"".join(one.data for one in calls[:end] if one.path == transcript)
            before = [one for one in calls[:end] if one.path != transcript]
            left = power_cut.rebuild(before, files, rng)
            problems = self._check_power_cut(journal.path.parent.parent / "cut", left, lines)
            self.power_cuts.tried += 1
            self.power_cuts.problems += [f"{folder} after {end} calls: {one}" for one in problems]
            journal.has_problems |= bool(problems)
        self._note(self.power_cuts, "calls recorded", len(disk_calls))

    def _check_power_cut(self, folder: Path, files: dict[Path, bytes], lines: bytes) -> list[str]:
        folder.mkdir()
        for path, data in files.items():
            (folder / path.name).write_bytes(data)
        (folder / "transcript").write_bytes(lines)
        path = next(folder / path.name for path in files if path.suffix == ".journal")
        written = [line for line in read_transcript(folder / "transcript") if line["kind"] == "written"]
        try:
            with Journal(path) as journal:
                hashes = {row.number: row.hash for row in journal.event_rows()}
                problems = [*verify(journal).problems]
        except JournalError as error:
            problems, hashes = [str(error)], {}
        problems += [f"event {one['number']} is lost" for one in written if hashes.get(one["number"]) != one["hash"]]
        shutil.rmtree(folder)
        return problems


class JournalRun:
    """Matches that are played with one journal, run after run, until they have ended."""

    def __init__(
        self, folder: Path, players: PlayerProcesses, orders: Orders, first: int, matches: int, rng: random.Random
    ) -> None:
        folder.mkdir()
        self.players = players
        self.orders = orders
        self.first = first
        self.matches = matches
        self.rng = rng
        self.path = folder / "journal" / "soak.journal"
        self.path.parent.mkdir()
        self.crashed_copy: Path | None = None
        self.kills = 0
        self._idle_runs = 0
        self.has_problems = False

    def play_with_faults(self, tally: Tally, steps: Callable[[], Iterator[Step]], retries: int = 0) -> tuple[int, int]:
        """Run processes, each with the faults of ``steps``, until one has ended by itself with all matches played. Add
        to the tally, and return how often the journal could not be used, and how many events came back that it had
        refused and could not erase."""
        transcript = self.path.parent.parent / "transcript"
        task = Task(str(self.path), str(transcript), self.first, self.matches, retries)
        self.orders.give(self.path.parent)
        count, problems = -1, list[str]()
        copy_at = self.rng.randrange(8)
        while self._idle_runs < MAX_IDLE_RUNS:
            todo = [*steps()]
            if self._idle_runs == MAX_IDLE_RUNS - 1:
                self.orders.stop_faults()
                todo = []
            try:
                status = self.players.run(task, todo)
            except HungError:
                problems.append("a process hung")
                break
            self.kills += status < 0
            if status == DONE:
                break
            if status not in (-9, REFUSED, FAILED):
                problems.append(f"a process ended with status {status}")
            written = sum(line["kind"] == "written" for line in read_transcript(transcript))
            self._idle_runs, count = (0, written) if written != count else (self._idle_runs + 1, count)
            if status < 0 and self.kills > copy_at and self._copy_crashed():
                copy_at = 10**9
        else:
            problems.append("no process can play on")
        found = compare(read_transcript(transcript), self.path, self._history_without_faults())
        problems += found.problems
        tally.matches += self.matches
        tally.events += found.written
        tally.shown += found.shown
        tally.problems += [f"{self.path}: {one}" for one in problems]
        self.has_problems |= bool(problems)
        return found.refused, found.came_back

    @property
    def longest_run_s(self) -> float:
        """The latest time of the next kill, in seconds after the process's start."""
        return LONGEST_RUN_S * min(PATIENCE_FACTOR, 2.0**self._idle_runs)

    def _copy_crashed(self) -> bool:
        """Keep a copy of the journal as a kill left it, with a log; return whether there was one."""
        log = sibling(self.path, "-wal")
        if not self.path.exists() or not log.exists() or not log.stat().st_size:
            return False
        self.crashed_copy = damage.copy_journal(self.path, self.path.parent.parent / "crashed")
        return True

    def _history_without_faults(self) -> list[object]:
        """Play the same matches without any fault, and return their history."""
        folder = self.path.parent.parent / "undisturbed"
        folder.mkdir()
        self.orders.move_clock(0)
        self.orders.give(folder, Call.SYNC, Action.SKIP_SYNC, faults=ALWAYS)
        path = folder / self.path.name
        self.players.run(Task(str(path), str(folder / "transcript"), self.first, self.matches))
        self.orders.give(self.path.parent)
        return history(path)

    def remove_if_fine(self) -> None:
        """Remove the folder unless something in it is wrong."""
        if not self.has_problems and not any(self.path.parent.parent.glob("*-*-*")):
            shutil.rmtree(self.path.parent.parent)


def main() -> None:
    """Print the table as soon as everything is played, and write it into a page if asked."""
    parser = argparse.ArgumentParser(prog="python -m tools.soak.faults", description=__doc__)
    parser.add_argument("--matches", type=int, default=1000, help="number of matches (default 1000)")
    parser.add_argument("--minutes", type=float, default=1e6, help="begin no further journal after this time")
    parser.add_argument("--seed", type=int, default=0, help="of all random choices (default 0)")
    add_docs_option(parser, SECTION)
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="throwlock-soak-"))
    run = FaultRun(folder, options.seed, options.matches, time.monotonic() + 60 * options.minutes)
    run.run()
    table = markdown_table(TABLE_HEAD, (tally.cells() for tally in run.tallies), text_columns=2)
    played = sum(tally.matches for tally in run.tallies)
    table += f"\n\n{played:,} matches, seed {options.seed}."
    print(table)
    if not run.has_library:
        print("There is no gcc: no disk error, clock jump, power cut or kill within a call was tried.")
    problems = [problem for tally in run.tallies for problem in tally.problems]
    if problems:
        print("\n".join(problems[:MAX_PRINTED_PROBLEMS]), file=sys.stderr)
        print(f"{len(problems)} problems with --seed {options.seed}; the journals are in {folder}", file=sys.stderr)
        sys.exit(1)
    shutil.rmtree(folder)
    publish(options.docs, {SECTION: table}, printed=True)


if __name__ == "__main__":
    main()
