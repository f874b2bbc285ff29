"""The journal: an append-only log of events in SQLite, one transaction each, committed before anybody sees the result.
Every event carries the hash of the one before. A match is the replay of its events; a correction is a further event."""

import hashlib
import json
import logging
import os
import sqlite3
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from throwlock.journal.file import (
    FileLock,
    JournalDamagedError,
    JournalError,
    connect_to_read,
    connect_to_write,
    create_journal,
    find_damage,
    has_access,
    is_new,
    quarantine,
    sibling,
    transaction,
    translate_sqlite_errors,
)
from throwlock.journal.hash_chain import canonical_json, check_tail, event_hash, origin_hash
from throwlock.journal.player_names import assign_player_keys, display_names, player_keys
from throwlock.journal.tail_marker import TAIL_SUFFIX, TailMarker, read_tail_marker

logger = logging.getLogger(__name__)

__all__ = [
    "Event",
    "EventRow",
    "Evidence",
    "EvidenceRow",
    "Journal",
    "JournalError",
    "JournalReader",
    "canonical_json",
    "event_hash",
]

STARTED = "started"
"""Kind of the event that starts a match."""
CORRECTION, DISPUTE_REJECTED = "correction", "dispute_rejected"
"""Kinds of the events that a dispute leads to."""
WRITE_WAIT_S = 5.0
"""How long a write waits for another transaction."""


def utc_now() -> str:
    """Return the time in UTC as ISO 8601, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


@dataclass(frozen=True)
class Evidence:
    """An image or other file that belongs to an event, with a name unique within it."""

    name: str
    media_type: str
    data: bytes


@dataclass(frozen=True)
class Event:
    """One event. ``number`` counts from 1; ``match`` is the number of the event that started its match; ``at`` is ISO
    8601 in UTC. ``names`` are the players' current names in seat order, only of an event that starts a match."""

    number: int
    match: int
    at: str
    kind: str
    body: Mapping[str, Any]
    previous_hash: str
    hash: str
    names: tuple[str, ...] = ()


class EventRow(NamedTuple):
    """An event as stored, unchecked."""

    number: int
    match: int
    at: str
    kind: str
    body: str
    previous_hash: str
    hash: str


class EvidenceRow(NamedTuple):
    """A piece of evidence as stored; ``data`` is None once it was deleted."""

    event: int
    name: str
    media_type: str
    sha256: str
    data: bytes | None


class JournalReader:
    """Reads a journal as it is at the moment of opening, without changing anything, also while a box writes to it.

    with JournalReader(Path("evening.journal")) as journal:
        print(journal.matches())
    """

    def __init__(self, path: Path) -> None:
        """Raises JournalError when there is no journal at ``path``."""
        self.path = path
        self._marked_tail = read_tail_marker(path)  # before the snapshot, which then contains it
        self._exit_stack = ExitStack()
        try:
            self._db = self._connect()
        except BaseException:
            self._exit_stack.close()
            raise

    def _connect(self) -> sqlite3.Connection:
        return connect_to_read(self.path, self._exit_stack)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. May be called twice."""
        self._exit_stack.close()

    def origin_hash(self) -> str:
        """Return the ``previous_hash`` of the first event: the hash of the journal's id."""
        return origin_hash(self._read_metadata("id"))

    def marked_tail(self) -> tuple[int, str] | None:
        """Return number and hash of the newest event (or the one before it) at the time of opening according to the
        tail marker; None after a clean shutdown."""
        return self._marked_tail

    def last_hash(self) -> str:
        """Return the newest event's hash as the table ``journal`` has it."""
        return self._read_metadata("last_hash")

    def find_damage(self) -> list[str]:
        """Return what is wrong with the pages of the file, in SQLite's words."""
        with translate_sqlite_errors(self.path):
            return find_damage(self._db)

    def _read_metadata(self, name: str) -> str:
        with translate_sqlite_errors(self.path):
            row = self._db.execute("SELECT value FROM journal WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else ""

    def events(self, match: int | None = None) -> list[Event]:
        """Return the events of a match, or of all, in order. Raises JournalError."""
        where, values = ("WHERE match = ?", (match,)) if match is not None else ("", ())
        return [self._parse_event(row) for row in self._event_rows(where, values)]

    def _parse_event(self, row: EventRow) -> Event:
        try:
            body = json.loads(row.body)
        except (ValueError, TypeError) as error:
            raise JournalDamagedError(
                f"{self.path}: event {row.number} can't be read, throwlock verify has the details"
            ) from error
        names = self._display_names(body) if row.kind == STARTED else ()
        return Event(**{**row._asdict(), "body": body, "names": names})

    def _display_names(self, body: Any) -> tuple[str, ...]:
        """Return the players' names, none where the body is malformed: reading the match reports why."""
        with translate_sqlite_errors(self.path):
            try:
                return display_names(self._db, body.get("players"))
            except (AttributeError, TypeError, ValueError):
                return ()

    def player_keys(self, started: Event) -> tuple[str, ...]:
        """Return the keys of a match's players in seat order. Raises JournalError where the event can't be read."""
        try:
            return player_keys(started.body.get("players"))
        except (TypeError, ValueError) as error:
            raise JournalError(f"{self.path}: event {started.number} does not name its players") from error

    def players(self) -> dict[str, str | None]:
        """Return every player's name by key, in the order they first played; None for a forgotten one."""
        return dict(self._table("SELECT key, name FROM player ORDER BY rowid"))

    def marks(self) -> dict[int, str]:
        """Return the marks on rounds by the rounds' event numbers."""
        return dict(self._table("SELECT event, mark FROM mark ORDER BY event"))

    def _table(self, query: str) -> list[Any]:
        with translate_sqlite_errors(self.path):
            return self._db.execute(query).fetchall()

    def matches(self) -> list[int]:
        """Return the numbers of all matches, in the order they started."""
        with translate_sqlite_errors(self.path):
            return [row[0] for row in self._db.execute("SELECT DISTINCT match FROM event ORDER BY match")]

    def unfinished_match(self) -> int | None:
        """Return the newest match if it has neither ended nor been abandoned."""
        matches = self.matches()
        if not matches:
            return None
        last = self.events(matches[-1])[-1]
        return None if last.kind in ("ended", "abandoned") else matches[-1]

    def number_and_hash(self, number: int | None = None) -> tuple[int, str]:
        """Return number and hash of an event, or of the newest; (0, "") when there is none."""
        where, values = ("WHERE number = ?", (number,)) if number is not None else ("", ())
        with translate_sqlite_errors(self.path):
            row = self._db.execute(
                f"SELECT number, hash FROM event {where} ORDER BY number DESC LIMIT 1", values
            ).fetchone()
        return (int(row[0]), str(row[1])) if row else (0, "")

    def matches_changed_since(self, number: int) -> Iterator[list[Event]]:
        """Yield all events of every match with an event after ``number``, a match at a time, in the order the matches
        started. Raises JournalError."""
        with translate_sqlite_errors(self.path):
            found = self._db.execute("SELECT DISTINCT match FROM event WHERE number > ? ORDER BY match", (number,))
            matches = [row[0] for row in found]
        for match in matches:
            yield self.events(match)

    def event(self, number: int) -> Event | None:
        """Return one event, None when there is none. Raises JournalError."""
        return next((self._parse_event(row) for row in self._event_rows("WHERE number = ?", (number,))), None)

    def has_pictures(self, match: int) -> bool:
        """Return whether any evidence of a match is left."""
        with translate_sqlite_errors(self.path):
            row = self._db.execute(
                "SELECT EXISTS (SELECT 1 FROM event JOIN evidence ON evidence.event = event.number "
                "WHERE event.match = ? AND evidence.data IS NOT NULL)",
                (match,),
            ).fetchone()
        return bool(row[0])

    def evidence_data(self, match: Sequence[Event]) -> dict[int, dict[str, bytes | None]]:
        """Return what is left and readable of a match's evidence, by event number and name."""
        found: dict[int, dict[str, bytes | None]] = {}
        for event in match:
            with suppress(JournalError):
                found[event.number] = {one.name: one.data for one in self.evidence(event.number)}
        return found

    def evidence(self, event: int) -> list[Evidence]:
        """Return what is left of an event's evidence."""
        rows = self.evidence_rows(event)
        return [Evidence(row.name, row.media_type, row.data) for row in rows if row.data is not None]

    def event_rows(self) -> Iterator[EventRow]:
        """Yield all events as stored, for verification."""
        yield from self._event_rows()

    def _event_rows(self, where: str = "", values: tuple[object, ...] = ()) -> Iterator[EventRow]:
        columns = ", ".join(EventRow._fields)
        with translate_sqlite_errors(self.path):
            for row in self._db.execute(f"SELECT {columns} FROM event {where} ORDER BY number", values):
                yield EventRow(*row)

    def evidence_rows(self, event: int | None = None) -> Iterator[EvidenceRow]:
        """Yield the evidence of one event, or all, as stored, in the order of events."""
        columns = ", ".join(EvidenceRow._fields)
        where, values = ("WHERE event = ?", (event,)) if event is not None else ("", ())
        with translate_sqlite_errors(self.path):
            for row in self._db.execute(f"SELECT {columns} FROM evidence {where} ORDER BY event, name", values):
                yield EvidenceRow(*row)


class Journal(JournalReader):
    """A journal open for writing, by one box at a time.

    with Journal(Path("evening.journal")) as journal:
        match = journal.start_match({"game": "classic", …})
        journal.append(match, "answer", {…}, [Evidence("lock.jpg", "image/jpeg", data)])

    While it is open, ``NAME-wal``, ``NAME-shm``, ``NAME.lock`` and ``NAME.tail`` are next to it; ``close`` removes
    them. After a crash or on a full disk they stay and belong to the journal until it is opened again."""

    def __init__(self, path: Path, now: Callable[[], str] = utc_now) -> None:
        """Open the journal at ``path``, or create it. ``now`` returns an event's time stamp.

        Raises:
            JournalError: The file is something else, of another version, in use by another box, or can't be read or
                written. Nothing was written.
            EventLostError: The box crashed and events written before are missing.
        """
        self._now = now
        super().__init__(path)
        logger.info("journal %s is open for writing", path)

    def _connect(self) -> sqlite3.Connection:
        if not is_new(self.path) and not has_access(self.path, os.W_OK):
            raise JournalError(f"{self.path} can't be written: give another name with --journal")
        self._exit_stack.callback(FileLock(self.path).release)
        with translate_sqlite_errors(self.path):
            check_tail(self.path)
            self._files = self._exit_stack.enter_context(ExitStack())
            return self._connect_to_write()

    def _connect_to_write(self) -> sqlite3.Connection:
        """Connect to the file, creating it if necessary."""
        if is_new(self.path):
            self._create()
        db = connect_to_write(self.path.resolve(), WRITE_WAIT_S)
        self._tail_marker = TailMarker(self.path.resolve())
        self._files.callback(self._tail_marker.remove)
        self._files.callback(db.close)
        return db

    def continue_in_new_journal(self, match: Sequence[Event], players: Sequence[str]) -> tuple[Path, dict[int, int]]:
        """Quarantine this damaged journal and continue ``match`` (all its events so far) with its ``players`` in a new
        one of the same name. Returns the old journal's new path and the events' new numbers by the old ones. Raises
        JournalError."""
        pieces = self.evidence_data(match)
        quarantined = quarantine(self.path)
        with translate_sqlite_errors(self.path):
            self._files.close()
            self._db = self._connect_to_write()
        return quarantined, self.continue_match(quarantined, match, players, pieces)

    def continue_match(
        self,
        quarantined: Path,
        match: Sequence[Event],
        players: Sequence[str],
        pieces: Mapping[int, Mapping[str, bytes | None]],
    ) -> dict[int, int]:
        """Copy an unfinished match from the journal at ``quarantined``; see ``copy_match``. Raises JournalError."""
        origin = {
            "continued_from": {"file": quarantined.name, "match": match[0].number, "last_event": match[-1].number}
        }
        with translate_sqlite_errors(self.path), transaction(self._db):
            numbers = self.copy_match(match, players, origin, pieces)
        self._tail_marker.write(*self.number_and_hash())
        return numbers

    def _create(self) -> None:
        file = self.path.resolve()
        if sibling(file, "-wal").exists() or sibling(file, TAIL_SUFFIX).exists():
            quarantine(self.path)  # left by another journal: SQLite would apply its log to this one
        journal_id = uuid.uuid4().hex
        try:
            create_journal(self.path, journal_id, origin_hash(journal_id))
        except OSError as error:
            raise JournalError(f"{self.path} can't be created ({error.strerror}): choose another folder") from error

    def start_match(self, body: Mapping[str, Any]) -> int:
        """Write the first event of a match and return the match's number. In ``body``, ``players`` are the names in
        seat order (None: forgotten); the event gets their keys, the table ``player`` the names."""
        full = dict(body)
        with translate_sqlite_errors(self.path), transaction(self._db):
            if "players" in body:
                full["players"] = assign_player_keys(self._db, body["players"])
            started = self._insert(None, STARTED, full, ())
        self._tail_marker.write(started.number, started.hash)
        return started.match

    def append(self, match: int, kind: str, body: Mapping[str, Any], evidence: Sequence[Evidence] = ()) -> Event:
        """Write one event; it is on the disk when this returns. Raises JournalError; nothing was written then."""
        with translate_sqlite_errors(self.path), transaction(self._db):
            event = self._insert(match, kind, body, evidence)
        self._tail_marker.write(event.number, event.hash)
        return event

    def copy_match(
        self,
        events: Sequence[Event],
        players: Sequence[str | None],
        origin: Mapping[str, Any],
        pieces: Mapping[int, Mapping[str, bytes | None]],
    ) -> dict[int, int]:
        """Copy a match from another journal with its time stamps, within the caller's transaction. ``origin`` is added
        to its first event's body; ``pieces`` is the evidence by old event number and name, and what it lacks counts as
        deleted. Returns the events' new numbers by the old ones."""
        numbers: dict[int, int] = {}
        for event in events:
            body = renumber_references(event.body, numbers)
            if event is events[0]:
                body.update(origin, players=assign_player_keys(self._db, players))
            new = self._insert(numbers.get(events[0].number), event.kind, body, (), event.at)
            numbers[event.number] = new.number
            data = pieces.get(event.number, {})
            named: Mapping[str, Mapping[str, str]] = body.get("evidence", {})
            self._db.executemany(
                "INSERT INTO evidence VALUES (?, ?, ?, ?, ?)",
                [(new.number, name, one["media_type"], one["sha256"], data.get(name)) for name, one in named.items()],
            )
        return numbers

    def _insert(
        self, match: int | None, kind: str, body: Mapping[str, Any], evidence: Sequence[Evidence], at: str | None = None
    ) -> Event:
        pieces = [(one, hashlib.sha256(one.data).hexdigest()) for one in evidence]
        full = dict(body)
        if pieces:
            full["evidence"] = {one.name: {"media_type": one.media_type, "sha256": digest} for one, digest in pieces}
        text = canonical_json(full)
        row = self._db.execute("SELECT number, hash FROM event ORDER BY number DESC LIMIT 1").fetchone()
        number, previous = (row[0] + 1, row[1]) if row else (1, self.origin_hash())
        match = number if match is None else match
        at = at or self._now()
        new_hash = event_hash(number, match, at, kind, text, previous)
        self._db.execute(
            "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?)", (number, match, at, kind, text, previous, new_hash)
        )
        self._db.executemany(
            "INSERT INTO evidence VALUES (?, ?, ?, ?, ?)",
            [(number, one.name, one.media_type, digest, one.data) for one, digest in pieces],
        )
        self._db.execute("UPDATE journal SET value = ? WHERE name = 'last_hash'", (new_hash,))
        return Event(number, match, at, kind, full, previous, new_hash)


def match_starts(db: sqlite3.Connection) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield every match's number and the body of its first event, {} where that is malformed."""
    for number, text in db.execute(
        "SELECT number, body FROM event WHERE kind = ? ORDER BY number", (STARTED,)
    ).fetchall():
        try:
            body = json.loads(text)
        except (ValueError, TypeError):
            body = None
        yield number, body if isinstance(body, dict) else {}


def renumber_references(body: Mapping[str, Any], numbers: Mapping[int, int]) -> dict[str, Any]:
    """Return a body with the event numbers it refers to replaced by ``numbers``."""
    new = dict(body)
    if "round" in body:
        new["round"] = numbers.get(body["round"], body["round"])
    if "dropped" in body:
        new["dropped"] = [numbers.get(one, one) for one in body["dropped"]]
    return new
