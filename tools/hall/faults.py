"""Break a hall while it is under load, and compare afterwards what it has stored with the journals of its boxes.

``python -m tools.hall.faults`` runs a broker with the hall's own accounts and TLS, a database, two hubs, and simulated
boxes that play without a pause, some of them a Swiss. Meanwhile the broker is killed and its disk wiped, the database
is killed, put back as it was a while ago, hubs are killed, and boxes are cut off. At the end every event of every
journal must be stored once, in order and unchanged, and the standings must be those that follow from the journals. Then
a journal is rewritten and another one cut, which must be found. It exits with 1 if anything is wrong.

The boxes' links live ``--rate`` times as fast: all that they wait for, and the ten minutes of those that are cut off,
are that much shorter. Everything else takes the time it takes."""

import argparse
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from throwlock.hub.tournaments import read_hall_tournament
from throwlock.journal.journal import Event, JournalReader, event_hash
from tools.docs.generated_sections import add_docs_option, markdown_table, publish
from tools.hall.boxes import Fleet, SimulatedBox
from tools.hall.check import compare_journals, compare_standings, stored_numbers
from tools.hall.demo import LOOK_EVERY_S, PLAYERS
from tools.hall.matches import RecordedMatch, record_matches
from tools.hall.organiser import Organiser
from tools.hall.trial import TrialHall, hall_command, trial_folder

SECTION = "faults"
TABLE_HEAD = ("fault", "lasts, s", "events committed meanwhile", "not stored at its end", "stored after, s")
WAITING_BOXES = 8
"""How many boxes play the Swiss."""
MIN_BOXES = WAITING_BOXES + 2
"""Two more have a recorded match each, which is forged in the end."""
ROUNDS = 9
CUT_OFF_MINUTES = 10.0
"""How long boxes are cut off, of the time of their links."""
AWAY_S = 3.0
"""How long a server that was killed is away."""
UNDISTURBED_S = 5.0
FORGOTTEN_S = 15.0
"""How much the database forgets when it is put back."""
TIMEOUT_S = 120.0
CUT_EVENTS = 3
FOUND_TIMEOUT_S = 30.0
POLL_S = 0.2


@dataclass
class FaultRun:
    """All faults of a hall, one after the other, while its boxes play."""

    folder: Path
    boxes: int
    pace_s: float
    """The mean time, in s, between a box's turns to play."""
    rate: float
    """How many times as fast as the real time the boxes' links live."""
    cut_off_minutes: float = CUT_OFF_MINUTES
    """How long some boxes are cut off, in minutes of their links."""
    rounds: int = ROUNDS
    """The rounds of the Swiss tournament."""
    seed: int = 0
    rows: list[tuple[object, ...]] = field(default_factory=list)
    """A line of the table for each fault so far."""
    problems: list[str] = field(default_factory=list)
    """What was wrong afterwards, in words."""
    events: int = 0
    """The events compared with the journals."""

    def run(self) -> None:
        """Run them. Raises ServerMissingError, ServerStartError."""
        matches = record_matches(self.folder, 2, secret=True, seed=self.seed)
        with TrialHall(self.folder, "Fault trial", self.boxes, hubs=2) as hall:
            organiser = Organiser(hall.database.dsn, PLAYERS, "Swiss", self.rounds)
            load = _Load(self, hall, organiser, matches)
            with load.fleet:
                self._break(hall, load)
                load.finish()
                self._compare(hall, load)
            organiser.close()
            self._forge(hall, load.fleet.journals)

    def now(self) -> float:
        """Return the time of the boxes' links, in seconds."""
        return time.monotonic() * self.rate

    def _break(self, hall: TrialHall, load: "_Load") -> None:
        """Break everything that can break, under load."""
        load.run(UNDISTURBED_S)
        cut_off, cut_off_s = load.fleet.boxes[:: len(load.fleet.boxes) // 6], self.cut_off_minutes * 60 / self.rate
        for box in cut_off:
            box.is_cut_off = True
        back = time.monotonic() + cut_off_s
        with load.fault("the broker is killed and its disk wiped"):
            hall.broker.kill()
            hall.broker.wipe()
            load.run(AWAY_S)
            hall.broker.start()
        with load.fault("PostgreSQL is killed"):
            hall.database.kill()
            load.run(AWAY_S)
            hall.database.start()
        with load.fault("one of two hubs is killed"):
            hall.hubs[0].kill()
            load.run(AWAY_S)
            hall.hubs[0].start()
        with load.fault(f"{len(cut_off)} boxes were cut off for {self.cut_off_minutes:g} min of theirs", cut_off_s):
            load.run(max(0.0, back - time.monotonic()))
            for box in cut_off:
                box.is_cut_off = False
        with load.fault("broker, PostgreSQL and both hubs are killed"):
            servers = (hall.broker, hall.database, *hall.hubs)
            for server in servers:
                server.kill()
            hall.broker.wipe()
            load.run(AWAY_S)
            for server in (hall.database, *hall.hubs, hall.broker):
                server.start()
        hall.database.dump()
        load.run(FORGOTTEN_S)
        with load.fault(f"the database is put back by {FORGOTTEN_S:g} s"):
            hall.database.restore()

    def _compare(self, hall: TrialHall, load: "_Load") -> None:
        with hall.connect() as connection:
            self.events, problems = compare_journals(connection, load.fleet.journals)
            tournament = read_hall_tournament(connection, load.organiser.tournament)
            problems += [f"there is a problem of {box}: {kind}" for box, kind in connection.execute(OPEN_PROBLEMS)]
        self.problems += problems
        if not tournament.record.state.is_over:
            self.problems.append("the Swiss is not over")
        self.problems += compare_standings(tournament, load.fleet.journals)
        print(
            f"The Swiss has {len(tournament.log)} events, its champion is {tournament.record.summary().champion_names}"
        )

    def _forge(self, hall: TrialHall, journals: Mapping[str, Path]) -> None:
        """Rewrite one journal and cut another while their boxes are off; both must be found when these come back."""
        rewritten, cut = hall.memberships[-2:]
        with JournalReader(journals[rewritten.box]) as reader:
            match = reader.matches()[0]
        rewrite_match(journals[rewritten.box], match)
        cut_events(journals[cut.box], CUT_EVENTS)
        with hall.connect() as connection:
            before = connection.execute(STORED_EVENTS).fetchall()
        with Fleet([rewritten, cut], self.folder, now=self.now) as fleet:
            fleet.run(FOUND_TIMEOUT_S, lambda: all(box.link.status.problem for box in fleet.boxes))
            announced = {box.id: box.link.status.problem for box in fleet.boxes}
        with hall.connect() as connection:
            found = {str(box): str(kind) for box, kind in connection.execute(OPEN_PROBLEMS)}
            if connection.execute(STORED_EVENTS).fetchall() != before:
                self.problems.append("what is stored has changed after a forgery")
        if not announced == found == {rewritten.box: "rewritten", cut.box: "cut"}:
            self.problems.append(f"the forgeries were not found: the boxes say {announced}, the database {found}")


OPEN_PROBLEMS = "SELECT box, kind FROM problem JOIN journal ON journal.id = journal WHERE settled_at IS NULL"
STORED_EVENTS = "SELECT journal, number, hash FROM event ORDER BY journal, number"


class _Load:
    """The load on a hall: its boxes play, and its organiser gives out matches."""

    def __init__(self, run: FaultRun, hall: TrialHall, organiser: Organiser, matches: Sequence[RecordedMatch]) -> None:
        self.organiser = organiser
        self._hall = hall
        self._rows, self._problems = run.rows, run.problems
        self._committed = 0
        self.fleet = Fleet(
            hall.memberships, run.folder, matches, pace_s=run.pace_s, waiting=WAITING_BOXES, seed=run.seed, now=run.now,
            on_committed=self._count,
        )  # fmt: skip

    def run(self, seconds: float, until: Callable[[], bool] = lambda: False) -> bool:
        """Keep it up for ``seconds``, or until ``until`` is true, and return whether it was."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if self.fleet.run(min(left, LOOK_EVERY_S), until):
                return True
            self.organiser.look()
        return until()

    @contextmanager
    def fault(self, what: str, lasts_s: float | None = None) -> Iterator[None]:
        """Run the block, which breaks and mends something, and then the load until everything has been stored once."""
        before, started = self._committed, time.monotonic()
        yield
        mended, committed = time.monotonic(), self._committed
        newest = {box.id: box.newest for box in self.fleet.boxes if not box.is_cut_off}
        waiting = self._count_missing(newest)
        lasted_s = mended - started if lasts_s is None else lasts_s
        if self._wait_until_stored(newest):
            stored_s = f"{time.monotonic() - mended:.1f}"
        else:
            stored_s = "never"
            self._problems.append(f"{what}: {self._count_missing(newest)} events are still missing")
        self._rows.append((what, f"{lasted_s:.0f}", committed - before, waiting, stored_s))
        print(" | ".join(map(str, self._rows[-1])), flush=True)
        self.run(UNDISTURBED_S)

    def _wait_until_stored(self, newest: Mapping[str, int]) -> bool:
        end = time.monotonic() + TIMEOUT_S
        while self._count_missing(newest):
            if time.monotonic() > end:
                return False
            self.run(POLL_S)
        return True

    def _count_missing(self, newest: Mapping[str, int]) -> int:
        """Return how many of the boxes' events up to ``newest`` are not stored."""
        with self._hall.connect() as connection:
            stored = stored_numbers(connection)
        return sum(max(0, number - stored[box]) for box, number in newest.items())

    def finish(self) -> None:
        """Play the tournament to its end, finish all other matches, and wait until everything is stored."""
        end = time.monotonic() + TIMEOUT_S
        while time.monotonic() < end:
            self.run(LOOK_EVERY_S)
            tournament = self.organiser.look()
            if tournament is not None and tournament.record.state.is_over:
                break
        self.fleet.settle()
        newest = {box.id: box.journal.number_and_hash()[0] for box in self.fleet.boxes}
        if not self._wait_until_stored(newest):
            self._problems.append(f"{self._count_missing(newest)} events are not stored in the end")

    def _count(self, box: SimulatedBox, event: Event, when: float) -> None:
        self._committed += 1


def rewrite_match(path: Path, match: int) -> None:
    """Change the first event of ``match`` of a closed journal, and compute all hashes from there anew: the journal
    itself shows nothing of it."""
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(
            "UPDATE event SET body = json_set(body, '$.seed', 1 + json_extract(body, '$.seed')) WHERE number = ?",
            (match,),
        )
        rows = db.execute("SELECT number, match, at, kind, body, previous_hash FROM event ORDER BY number").fetchall()
        previous = rows[0][-1]
        for number, match_number, at, kind, body, _ in rows:
            new = event_hash(number, match_number, at, kind, body, previous)
            db.execute("UPDATE event SET previous_hash = ?, hash = ? WHERE number = ?", (previous, new, number))
            previous = new
        _set_last_hash(db, previous)


def cut_events(path: Path, count: int) -> None:
    """Delete the newest ``count`` events of a closed journal."""
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DELETE FROM event WHERE number > (SELECT max(number) FROM event) - ?", (count,))
        _set_last_hash(db, db.execute("SELECT hash FROM event ORDER BY number DESC LIMIT 1").fetchone()[0])


def _set_last_hash(db: sqlite3.Connection, last: str) -> None:
    db.execute("UPDATE journal SET value = ? WHERE name = 'last_hash'", (last,))


def main() -> None:
    """Print a line for each fault, and exit with 1 if anything is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tools.hall.faults", description=__doc__)
    parser.add_argument("--boxes", type=int, default=24, help=f"number of boxes, at least {MIN_BOXES} (default 24)")
    parser.add_argument("--pace", type=float, default=1.0, help="seconds between two events of a box (default 1)")
    parser.add_argument("--rate", type=float, default=10.0, help="how much faster the links live (default 10)")
    parser.add_argument("--seed", type=int, default=0, help="of the boxes' choices (default 0)")
    add_docs_option(parser, SECTION)
    options = parser.parse_args()
    if options.boxes < MIN_BOXES:
        parser.error(f"it takes {MIN_BOXES} boxes or more")
    print(" | ".join(TABLE_HEAD))
    with hall_command(), trial_folder() as folder:
        run = FaultRun(folder, options.boxes, options.pace, options.rate, seed=options.seed)
        run.run()
    if run.problems:
        sys.exit("\n".join(run.problems))
    found = f"{run.events:,} events of {options.boxes} journals are stored, each once, in order and unchanged."
    print(found)
    publish(options.docs, {SECTION: f"{markdown_table(TABLE_HEAD, run.rows)}\n\n{found}"}, printed=True)


if __name__ == "__main__":
    main()
