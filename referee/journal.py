"""The journal: what happened at the table, one event a transaction, committed before anybody is shown it, each event
carrying the hash of the one before. A match is its events: a crash is a replay, a correction a further event."""

import fcntl
import hashlib
import json
import os
import sqlite3
import struct
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import IO, Any

APPLICATION_ID = 0x54484C4B  # "THLK", in the file's header
VERSION = 1
"""Of the tables; a journal of another version is refused, not guessed at."""

TABLES = """
CREATE TABLE journal (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE event (
    number INTEGER PRIMARY KEY,      -- 1, 2, 3, … without a gap
    match INTEGER NOT NULL,          -- the number of the event that began the match
    at TEXT NOT NULL,                -- ISO 8601, UTC, for people: nothing is timed by it
    kind TEXT NOT NULL,
    body TEXT NOT NULL,              -- JSON, keys sorted
    previous TEXT NOT NULL,          -- hash of the event before
    hash TEXT NOT NULL               -- SHA-256 of all the columns before this one
);
CREATE INDEX event_by_match ON event (match, number);
CREATE TABLE evidence (
    event INTEGER NOT NULL REFERENCES event (number),
    name TEXT NOT NULL,
    media_type TEXT NOT NULL,
    sha256 TEXT NOT NULL,            -- also in the event's body, so that it is under its hash
    data BLOB,                       -- NULL when people deleted it, the chain stays whole
    PRIMARY KEY (event, name)
);
"""


class JournalFault(Exception):
    """The journal can't be used or is not in order. The message says what, where, and how to mend it."""


@dataclass(frozen=True)
class Evidence:
    """A picture or other file that belongs to an event, named uniquely within it."""

    name: str
    media_type: str
    data: bytes


@dataclass(frozen=True)
class Event:
    """One line of the journal. ``number`` counts from 1; ``match`` is the number of the event that began it."""

    number: int
    match: int
    at: str
    kind: str
    body: Mapping[str, Any]
    previous: str
    hash: str


def _canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def chained(number: int, match: int, at: str, kind: str, body: str, previous: str) -> str:
    """The hash of an event, hexadecimal; ``body`` as it stands in the table."""
    return hashlib.sha256(_canonical([number, match, at, kind, body, previous]).encode()).hexdigest()


class Journal:
    """A journal on the disk, open for writing by one box at a time.

    with Journal(Path("evening.journal")) as journal:
        match = journal.begin({"game": "classic", …})
        journal.append(match, "answer", {…}, [Evidence("lock.jpg", "image/jpeg", data)])
    """

    def __init__(self, path: Path, now: "Now | None" = None) -> None:
        """Open ``path``, or make it. Raises JournalFault and writes nothing when it is something else, another
        version, in use by another box, or can't be read or written."""
        self.path = path
        self._now = now or _utc_now
        fresh = _look_before(path)
        self._lock = _lock(path)
        try:
            with self._in_words():
                self._db = sqlite3.connect(path, isolation_level=None, timeout=5, check_same_thread=False)
                if fresh:
                    self._create()
                self._db.execute("PRAGMA foreign_keys = ON")
                self._db.execute("PRAGMA journal_mode = WAL")
                self._db.execute("PRAGMA synchronous = FULL")
        except BaseException:
            self._lock.close()
            raise

    def __enter__(self) -> "Journal":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file and let another box have it."""
        self._db.close()
        self._lock.close()

    def _create(self) -> None:
        self._db.execute("BEGIN EXCLUSIVE")
        for statement in TABLES.split(";"):
            self._db.execute(statement)
        self._db.execute("INSERT INTO journal VALUES ('id', ?)", (uuid.uuid4().hex,))
        self._db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        self._db.execute(f"PRAGMA user_version = {VERSION}")
        self._db.execute("COMMIT")

    def begin(self, body: Mapping[str, Any]) -> int:
        """Begin a match; its first event is "began" with ``body``. Returns the match's number."""
        return self._write(None, "began", body, ()).match

    def append(self, match: int, kind: str, body: Mapping[str, Any], evidence: Sequence[Evidence] = ()) -> Event:
        """Write one event; it is on the disk when this returns. Raises JournalFault, and then nothing was written."""
        return self._write(match, kind, body, evidence)

    def _write(self, match: int | None, kind: str, body: Mapping[str, Any], evidence: Sequence[Evidence]) -> Event:
        full = dict(body)
        if evidence:
            full["evidence"] = {one.name: hashlib.sha256(one.data).hexdigest() for one in evidence}
        text = _canonical(full)
        with self._in_words(), self._transaction():
            row = self._db.execute("SELECT number, hash FROM event ORDER BY number DESC LIMIT 1").fetchone()
            number, previous = (row[0] + 1, row[1]) if row else (1, self.origin())
            whose = number if match is None else match
            at = self._now()
            own = chained(number, whose, at, kind, text, previous)
            self._db.execute(
                "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?)", (number, whose, at, kind, text, previous, own)
            )
            for one in evidence:
                self._db.execute(
                    "INSERT INTO evidence VALUES (?, ?, ?, ?, ?)",
                    (number, one.name, one.media_type, full["evidence"][one.name], one.data),
                )
        return Event(number, whose, at, kind, full, previous, own)

    def origin(self) -> str:
        """What the first event names as the hash before it: the hash of the journal's own id."""
        row = self._db.execute("SELECT value FROM journal WHERE name = 'id'").fetchone()
        return hashlib.sha256(str(row[0] if row else "").encode()).hexdigest()

    def events(self, match: int | None = None) -> list[Event]:
        """The events of a match, or of all, in order. Raises JournalFault."""
        where, values = ("WHERE match = ?", (match,)) if match is not None else ("", ())
        with self._in_words():
            rows = self._db.execute(
                f"SELECT number, match, at, kind, body, previous, hash FROM event {where} ORDER BY number", values
            )
            return [_event(*row) for row in rows]

    def matches(self) -> list[int]:
        """The numbers of all matches, in the order they began."""
        with self._in_words():
            return [row[0] for row in self._db.execute("SELECT DISTINCT match FROM event ORDER BY match")]

    def unfinished(self) -> int | None:
        """The newest match if it has neither ended nor been given up."""
        matches = self.matches()
        if not matches:
            return None
        last = self.events(matches[-1])[-1]
        return None if last.kind in ("ended", "given up") else matches[-1]

    def evidence(self, event: int) -> list[Evidence]:
        """The evidence of an event that is still there."""
        with self._in_words():
            rows = self._db.execute(
                "SELECT name, media_type, data FROM evidence WHERE event = ? AND data IS NOT NULL ORDER BY name",
                (event,),
            )
            return [Evidence(*row) for row in rows]

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """The events' rows as they stand in the table, for checking."""
        with self._in_words():
            yield from self._db.execute("SELECT * FROM event ORDER BY number").fetchall()

    def evidence_rows(self, event: int) -> list[tuple[str, str, bytes | None]]:
        """Name, hash and data of an event's evidence as they stand in the table, for checking."""
        with self._in_words():
            query = "SELECT name, sha256, data FROM evidence WHERE event = ? ORDER BY name"
            return self._db.execute(query, (event,)).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code == sqlite3.SQLITE_FULL:
                raise JournalFault(f"the disk of {self.path} is full: free some space and go on") from error
            if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
                raise JournalFault(
                    f"{self.path} is damaged ({error}): keep the file, and go on with --journal and a new name"
                ) from error
            raise JournalFault(f"{self.path} can't be used ({error}): check that the folder can be written") from error


def _event(number: int, match: int, at: str, kind: str, body: str, previous: str, own: str) -> Event:
    return Event(number, match, at, kind, json.loads(body), previous, own)


class Now:
    """What tells the date and time of an event, for people."""

    def __call__(self) -> str:
        """ISO 8601 in UTC, to the millisecond."""
        return datetime.now(UTC).isoformat(timespec="milliseconds")


_utc_now = Now()


def _look_before(path: Path) -> bool:
    """Whether ``path`` has to be made. Raises JournalFault, without touching it, when it is no journal of ours."""
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise JournalFault(f"{path} can't be a journal: it is a folder, or its folder is not there")
    if not path.exists() or path.stat().st_size == 0:
        return True
    try:
        header = path.open("rb").read(100)
    except OSError as error:
        raise JournalFault(f"{path} can't be read: {error.strerror}") from error
    if len(header) < 100 or not header.startswith(b"SQLite format 3\0"):
        raise JournalFault(f"{path} is no journal of Throwlock: give another name with --journal")
    (version,) = struct.unpack(">i", header[60:64])
    (application,) = struct.unpack(">i", header[68:72])
    if application != APPLICATION_ID:
        raise JournalFault(f"{path} is some other program's database: give another name with --journal")
    if version != VERSION:
        raise JournalFault(f"{path} has tables of version {version}; this Throwlock reads version {VERSION}")
    return False


def _lock(path: Path) -> IO[bytes]:
    """Hold ``path`` for this process, through a file beside it: closing a second handle on the journal itself would
    drop SQLite's own locks. Raises JournalFault when another box has it."""
    beside = path.with_name(path.name + ".lock")
    try:
        handle = beside.open("ab")
    except OSError as error:
        raise JournalFault(f"{beside} can't be written ({error.strerror}): choose another folder") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        handle.close()
        raise JournalFault(f"{path} is in use by another Throwlock: stop that one first") from error
    os.set_inheritable(handle.fileno(), False)
    return handle
