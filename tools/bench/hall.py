"""Measure how far a hall goes: events a second stored, the delay from a box's commit to the public page, and what the
hub, the broker and PostgreSQL need.

``python -m tools.bench.hall`` runs a hall of 50 and one of 1,000 simulated boxes on this machine: broker with TLS and
an account for each box, PostgreSQL, a hub with its pages, somebody who looks at them. Each box commits an event every
``--pace`` seconds on average, none of them sealed; some of the boxes play a Swiss, whose results are looked for on the
page. Then boxes that were without a network come back with a backlog: how fast it is stored. ``--docs
measurements/2026-11/hall-load.md`` writes the tables into that page; ``--short`` runs 50 boxes for a quarter of a
minute and prints what an event costs everybody in relation to what it costs its box."""

import argparse
import os
import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from psycopg import Connection

from errors import ThrowlockError
from throwlock.bench.result import percentile
from throwlock.hall.protocol import EventBatch, StreamEvent, decode, encode
from throwlock.hub.database import connect, migrate
from throwlock.hub.store import Arrival, store_messages
from throwlock.journal.events import MatchEnded, MatchStarted
from throwlock.journal.journal import Event
from tools.docs.generated_sections import add_docs_option, machine_line, markdown_table, publish
from tools.hall.boxes import Fleet, SimulatedBox
from tools.hall.check import compare_journals
from tools.hall.matches import MatchRepeater, record_matches
from tools.hall.organiser import Organiser
from tools.hall.servers import Postgres
from tools.hall.trial import TrialHall, hall_command, trial_folder
from tools.hall.viewer import Viewer
from tools.sample_journal import SampleJournal

LIVE_SECTION, BACKLOG_SECTION, STORE_SECTION, MILLION_SECTION = "live", "backlog", "store", "million"
LIVE_HEAD = (
    "boxes", "events a second", "commit to database, median, ms", "99 %, ms", "commit to page, median, ms", "99 %, ms",
    "results", "hub, % of a core", "PostgreSQL", "broker", "boxes", "hub, MB", "PostgreSQL, MB", "broker, MB",
)  # fmt: skip
BACKLOG_HEAD = (
    "boxes", "hubs", "events", "stored a second", "hubs, % of a core", "PostgreSQL", "broker", "boxes",
    "hubs, ms for an event",
)  # fmt: skip
STORE_HEAD = (
    "events in a message",
    "boxes in a transaction",
    "stored a second",
    "hub, ms for an event",
    "PostgreSQL, ms",
)
STORE_SIZES = (1, 1), (1, 10), (1, 100), (50, 1), (50, 10)
"""Events in a message, and boxes whose messages are stored in one transaction."""
STORE_EVENTS = 4000
MILLION_HEAD = ("", "measured", "a million boxes")
MANY_BOXES, MANY_PACE_S = 1_000_000, 10.0
MEMORY_FOLDER = Path("/dev/shm")
"""Where the boxes' journals are, if it is there: each real box has a disk of its own, not PostgreSQL's."""
CONNECT_S = 120.0
TIMEOUT_S = 600.0
WARM_UP_S = 5.0


class BenchError(ThrowlockError):
    """The hall did not do what is measured. The message says what."""


@dataclass
class Costs:
    """The processor time in seconds of a hall's parts."""

    hubs: float
    database: float
    broker: float
    boxes: float

    def since(self, before: "Costs") -> "Costs":
        """Return what was used since ``before``."""
        return Costs(
            self.hubs - before.hubs,
            self.database - before.database,
            self.broker - before.broker,
            self.boxes - before.boxes,
        )

    def percent(self, seconds: float) -> list[str]:
        """Return the columns of the table: % of a core."""
        return [f"{100 * one / seconds:.0f}" for one in (self.hubs, self.database, self.broker, self.boxes)]


class PageDelays:
    """When each result of the hall was committed, to be compared with when it was on the page."""

    def __init__(self) -> None:
        self.committed = 0
        self._names: dict[tuple[str, int], frozenset[str]] = {}
        self._ended: dict[frozenset[str], float] = {}

    def note(self, box: SimulatedBox, event: Event, when: float) -> None:
        """Take an event that a box has committed."""
        self.committed += 1
        match event.body:
            case MatchStarted(hall=hall) if hall is not None:
                self._names[box.id, event.match] = frozenset(event.names)
            case MatchEnded() if (box.id, event.match) in self._names:
                self._ended[self._names[box.id, event.match]] = when

    def delays_ms(self, viewer: Viewer) -> list[float]:
        """Return how long each result took to the page, in ms, of those that are there."""
        return [1000 * (viewer.seen[names] - when) for names, when in self._ended.items() if names in viewer.seen]


@dataclass(frozen=True)
class LiveRun:
    """What was measured of a hall while its boxes played."""

    boxes: int
    seconds: float
    """How long was measured."""
    committed: int
    """Events that the boxes committed."""
    used: Costs
    """Processor time."""
    memory_mb: tuple[float, float, float]
    """Of the hub with its pages, and of PostgreSQL and the broker."""
    to_database_ms: Sequence[float]
    """From each event's time stamp to its row."""
    to_page_ms: Sequence[float]
    """From each result's commit until it was on the page."""
    message_bytes: float
    """Of a message with one event."""
    row_bytes: float
    """Of an event in the database, with its indexes."""

    def cells(self) -> list[object]:
        """Return a row of the table."""
        rate, memory = self.committed / self.seconds, (f"{one:.0f}" for one in self.memory_mb)
        delays = (*_quantiles(self.to_database_ms), *_quantiles(self.to_page_ms))
        return [
            f"{self.boxes:,}", f"{rate:.0f}", *delays, len(self.to_page_ms), *self.used.percent(self.seconds), *memory
        ]  # fmt: skip

    def million(self) -> list[list[str]]:
        """Return the table of what a million boxes would need at the same costs for an event and a box."""
        rate = MANY_BOXES / MANY_PACE_S
        parts = (("hubs", self.used.hubs), ("PostgreSQL", self.used.database), ("broker", self.used.broker))
        kilobytes, broker_kb = self.message_bytes / 1000, 1000 * self.memory_mb[2] / self.boxes
        return [
            ["events", f"one every {MANY_PACE_S:g} s and box", f"{rate:,.0f} a second"],
            *(
                [f"processor: {name}", f"{1000 * one / self.committed:.2f} ms an event",
                 f"{rate * one / self.committed:,.0f} cores"]
                for name, one in parts
            ),
            ["network to the brokers", f"{kilobytes:.2f} kB an event", f"{rate * kilobytes / 1000:,.0f} MB a second"],
            ["broker's memory", f"{broker_kb:.0f} kB a box", f"{MANY_BOXES * broker_kb / 1e6:,.0f} GB"],
            ["database", f"{self.row_bytes / 1000:.2f} kB an event",
             f"{rate * self.row_bytes * 3600 / 1e9:,.0f} GB an hour"],
        ]  # fmt: skip


@contextmanager
def bench_folders() -> Iterator[tuple[Path, Path]]:
    """Make folders for the servers, and for the boxes' journals in memory."""
    memory = MEMORY_FOLDER if MEMORY_FOLDER.is_dir() and os.access(MEMORY_FOLDER, os.W_OK) else None
    with trial_folder() as disk, trial_folder(memory) as journals:
        yield disk, journals


def costs(hall: TrialHall) -> Costs:
    """Return what was used since the start."""
    return Costs(sum(hub.cpu_s() for hub in hall.hubs), hall.database.cpu_s(), hall.broker.cpu_s(), time.process_time())


def measure_live(boxes: int, pace_s: float, seconds: float) -> LiveRun:
    """Run a hall, and return what was measured. Raises BenchError if not everything was stored."""
    delays = PageDelays()
    tables = max(2, min(boxes // 3, 64))
    with bench_folders() as (disk, journals), TrialHall(disk, "Bench", boxes) as hall:
        matches = record_matches(journals, 4, secret=False)
        fleet = Fleet(hall.memberships, journals, matches, pace_s=0.0, waiting=tables, on_committed=delays.note)
        with fleet:
            _connect(fleet)
            names = [f"Player {number}" for number in range(1, 2 * tables + 1)]
            organiser = Organiser(hall.database.dsn, names, "Bench Swiss")
            with Viewer(hall.hubs[0].port, organiser.tournament) as viewer:
                fleet.pace_s = pace_s
                fleet.run(WARM_UP_S)
                before, committed, started = costs(hall), delays.committed, time.monotonic()
                first = _newest_stored(hall)
                fleet.run(seconds)
                lasted = time.monotonic() - started
                used, committed = costs(hall).since(before), delays.committed - committed
                memory = [
                    sum(hub.memory_bytes() for hub in hall.hubs),
                    hall.database.memory_bytes(),
                    hall.broker.memory_bytes(),
                ]
                to_database = _database_delays_ms(hall, first)
                fleet.settle(TIMEOUT_S)
                fleet.run(1.0)
                to_page = delays.delays_ms(viewer)
            with hall.connect() as connection:
                problems = compare_journals(connection, fleet.journals)[1]
                row_bytes = _one_number(
                    connection, "SELECT pg_total_relation_size('event')::float8 / count(*) FROM event"
                )
            if problems:
                raise BenchError("; ".join(problems[:3]))
            message_bytes = _message_bytes(fleet.boxes[-1])
    return LiveRun(
        boxes, lasted, committed, used, (memory[0] / 1e6, memory[1] / 1e6, memory[2] / 1e6), to_database, to_page,
        message_bytes, row_bytes,
    )  # fmt: skip


def measure_backlog(boxes: int, events: int, hubs: int) -> list[object]:
    """Return a row of the table: boxes come back that have committed ``events`` each while they had no network. Raises
    BenchError."""
    with bench_folders() as (disk, journals), TrialHall(disk, "Bench", boxes, hubs) as hall:
        matches = record_matches(journals, 4, secret=False)
        with Fleet(hall.memberships, journals, matches) as fleet:
            _connect(fleet)
            for box in fleet.boxes:
                box.is_cut_off = True
            fleet.run(WARM_UP_S)
            for box in fleet.boxes:
                for _ in range(events):
                    box.play_on()
                box.finish_match()
            committed = sum(box.journal.number_and_hash()[0] for box in fleet.boxes)
            for box in fleet.boxes:
                box.is_cut_off = False
            before, first = costs(hall), _newest_stored(hall)
            if not fleet.settle(TIMEOUT_S):
                raise BenchError("the backlog was not stored in time")
            used, lasted = costs(hall).since(before), _seconds_of_storing(hall, first)
    each, rate = f"{1000 * used.hubs / committed:.2f}", f"{committed / lasted:,.0f}"
    return [f"{boxes:,}", hubs, f"{committed:,}", rate, *used.percent(lasted), each]


def measure_store(batch: int, group: int) -> list[object]:
    """Return a row of the table: how fast a hub checks and stores what it was sent, without a broker."""
    with bench_folders() as (disk, journals), Postgres(disk / "database") as database:
        migrate(database.dsn)
        matches = record_matches(journals, 4, secret=False)
        streams: list[tuple[str, tuple[StreamEvent, ...]]] = []
        rounds = -(-STORE_EVENTS // (batch * group))
        for number in range(group):
            with SampleJournal(journals / f"{number}.journal") as journal, journal.in_one_transaction():
                player = MatchRepeater(journal, matches, number)
                for _ in range(batch * rounds):
                    player.commit_next()
                rows = [StreamEvent.model_validate(row, from_attributes=True) for row in journal.event_rows()]
                streams.append((journal.origin_hash(), tuple(rows)))
        with connect(database.dsn) as connection:
            for number in range(group):
                connection.execute("INSERT INTO box (id, table_name) VALUES (%s, %s)", (f"box-{number}", "Table"))
            connection.commit()
            payloads = [
                [
                    encode(EventBatch(journal=journal, events=events[one * batch : (one + 1) * batch]))
                    for journal, events in streams
                ]
                for one in range(rounds)
            ]
            before, used, started = database.cpu_s(), time.process_time(), time.monotonic()
            for messages in payloads:
                arrivals = [Arrival(f"box-{number}", _decode(payload)) for number, payload in enumerate(messages)]
                store_messages(connection, arrivals)
            lasted, used, in_database = (
                time.monotonic() - started,
                time.process_time() - used,
                database.cpu_s() - before,
            )
    count = batch * group * rounds
    return [batch, group, f"{count / lasted:,.0f}", f"{1000 * used / count:.3f}", f"{1000 * in_database / count:.3f}"]


def _decode(payload: bytes) -> EventBatch:
    message = decode("events", payload)
    assert isinstance(message, EventBatch)
    return message


def _connect(fleet: Fleet) -> None:
    if not fleet.run(CONNECT_S, lambda: all(box.connection and box.connection.is_ready for box in fleet.boxes)):
        raise BenchError("not every box could connect")


def _newest_stored(hall: TrialHall) -> float:
    """Return when the newest event was stored, in seconds since 1970."""
    with hall.connect() as connection:
        return _one_number(connection, "SELECT coalesce(extract(epoch FROM max(stored_at)), 0)::float8 FROM event")


def _seconds_of_storing(hall: TrialHall, since: float) -> float:
    """Return the time between the first and the last event stored after ``since``, in seconds."""
    with hall.connect() as connection:
        return _one_number(
            connection,
            "SELECT extract(epoch FROM max(stored_at) - min(stored_at))::float8 FROM event "
            f"WHERE stored_at > to_timestamp({since!r})",
        )


def _one_number(connection: Connection, query: str) -> float:
    row = connection.execute(query.encode()).fetchone()
    assert row is not None
    return float(row[0])


def _message_bytes(box: SimulatedBox) -> float:
    origin = box.journal.origin_hash()
    events = [StreamEvent.model_validate(row, from_attributes=True) for row in box.journal.event_rows()]
    return statistics.fmean(len(encode(EventBatch(journal=origin, events=(event,)))) for event in events)


def _database_delays_ms(hall: TrialHall, since: float) -> list[float]:
    """Return how long each event stored after ``since`` took from its time stamp to its row, in ms."""
    with hall.connect() as connection:
        rows = connection.execute(
            "SELECT 1000 * extract(epoch FROM stored_at - at)::float8 FROM event WHERE stored_at > to_timestamp(%s)",
            [since],
        )
        return [delay for (delay,) in rows]


def _quantiles(values: Sequence[float]) -> list[str]:
    if len(values) < 2:
        return ["–", "–"]
    return [f"{statistics.median(values):.0f}", f"{percentile(values, 99):.0f}"]


def print_ratios() -> None:
    """Print what an event costs everybody in relation to what it costs its box."""
    used = measure_live(50, 1.0, 15.0).used
    print("Processor time of 50 boxes' events, that of the boxes themselves = 1:")
    for name, seconds in (("hub with pages", used.hubs), ("PostgreSQL", used.database), ("broker", used.broker)):
        print(f"  {name}: {seconds / used.boxes:.2f}")


def main() -> None:
    """Measure, print and write into a page if asked."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.hall", description=__doc__)
    parser.add_argument("--boxes", type=int, nargs="+", default=[50, 1000], help="numbers of boxes (default 50 1000)")
    parser.add_argument("--pace", type=float, default=10.0, help="seconds between two events of a box (default 10)")
    parser.add_argument("--seconds", type=float, default=120.0, help="how long to measure (default 120)")
    parser.add_argument("--backlog", type=int, default=100, help="events of each box's backlog (default 100; 0: none)")
    parser.add_argument("--short", action="store_true", help="a quarter of a minute, as ratios")
    add_docs_option(parser, LIVE_SECTION, BACKLOG_SECTION, STORE_SECTION, MILLION_SECTION)
    options = parser.parse_args()
    with hall_command():
        if options.short:
            print_ratios()
            return
        machine = machine_line()
        live = [measure_live(boxes, options.pace, options.seconds) for boxes in options.boxes]
        sections = {
            LIVE_SECTION: f"{markdown_table(LIVE_HEAD, (run.cells() for run in live), text_columns=0)}\n\n{machine}",
            MILLION_SECTION: markdown_table(MILLION_HEAD, live[-1].million()),
        }
        print(sections[LIVE_SECTION], sections[MILLION_SECTION], sep="\n\n", flush=True)
        sections[STORE_SECTION] = markdown_table(
            STORE_HEAD, [measure_store(*one) for one in STORE_SIZES], text_columns=0
        )
        print(sections[STORE_SECTION], flush=True)
        if options.backlog:
            runs = [(boxes, hubs) for boxes in options.boxes for hubs in (1, 2)]
            backlog = [measure_backlog(boxes, options.backlog, hubs) for boxes, hubs in runs]
            sections[BACKLOG_SECTION] = markdown_table(BACKLOG_HEAD, backlog, text_columns=0)
            print(sections[BACKLOG_SECTION], flush=True)
    publish(options.docs, sections, printed=True)


if __name__ == "__main__":
    main()
