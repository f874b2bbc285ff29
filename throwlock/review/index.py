"""An index of a journal for the review pages: a cache of lists and statistics in SQLite, updated by event numbers and
rebuilt when it is damaged or of another journal. It holds no names."""

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from throwlock.journal.journal import JournalError, JournalReader
from throwlock.review.entries import IndexEntries, MatchEntry, MatchPlayerEntry, SeatThrowEntry, index_entries
from throwlock.review.players import PlayerDirectory

VERSION = 3
"""Of the tables and of how their contents are computed."""
CREATE_TABLES = """
CREATE TABLE metadata (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE match (
    number INTEGER PRIMARY KEY, at TEXT, day TEXT, game TEXT, state TEXT,
    rounds INTEGER, fouls INTEGER, disputes INTEGER, throws INTEGER, late INTEGER, changed INTEGER,
    would_have_gained INTEGER
);
CREATE INDEX match_by_day ON match (day, number);
CREATE INDEX match_by_game ON match (game, number);
CREATE TABLE match_player (
    match INTEGER, seat INTEGER, key TEXT, won INTEGER, rounds INTEGER, fouls INTEGER, PRIMARY KEY (match, seat)
) WITHOUT ROWID;
CREATE INDEX match_player_by_key ON match_player (key, match, won, rounds, fouls);
CREATE TABLE seat_throw (
    event INTEGER, seat INTEGER, match INTEGER, key TEXT, at TEXT, verdict TEXT, foul INTEGER, throw TEXT,
    after_first_ms REAL, would_have_gained INTEGER, window_ms REAL, PRIMARY KEY (event, seat)
) WITHOUT ROWID;
CREATE INDEX seat_throw_by_match ON seat_throw (match, event);
CREATE INDEX seat_throw_by_player ON seat_throw (key, event, verdict, throw);
CREATE INDEX seat_throw_would_have_gained ON seat_throw (event, match) WHERE would_have_gained;
"""
UPDATE_WAIT_S = 10.0
"""How long to wait while another process updates the same index."""
PLACEHOLDERS = {cls: f"({', '.join('?' * len(cls._fields))})" for cls in (MatchEntry, MatchPlayerEntry, SeatThrowEntry)}


def cache_folder() -> Path:
    """Return ``$XDG_CACHE_HOME/throwlock``."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "throwlock"


class ReviewIndex:
    """The index of one journal, a file in ``folder``, or in memory if that is None or can't be written. Thread-safe:
    one thread at a time, for the length of its ``with`` block.

    with index.query(journal, PlayerDirectory(journal)) as query:
        query("SELECT number FROM match WHERE day = ?", (day,))
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._lock = threading.RLock()
        self._db: sqlite3.Connection | None = None
        self._origin = ""

    @contextmanager
    def query(self, journal: JournalReader, players: PlayerDirectory) -> Iterator["IndexQuery"]:
        """Update the index to ``journal`` and its ``players``, and yield a function that runs queries on it. Forgotten
        players are removed here too. Raises JournalError when the journal can't be read."""
        with self._lock:
            try:
                yield self._update(journal, players)
            except sqlite3.DatabaseError as error:
                self._discard()  # errors of the journal are JournalErrors: this is the index
                raise JournalError("the index was damaged and is being rebuilt: reload the page") from error

    def close(self) -> None:
        """Close the file. The next use opens it again."""
        with self._lock:
            if self._db is not None:
                self._db.close()
            self._db = None

    def _update(self, journal: JournalReader, players: PlayerDirectory) -> "IndexQuery":
        if self._db is None or self._origin != journal.origin_hash():
            self.close()
            self._origin = journal.origin_hash()
            self._db = _open_database(self._path())
        try:
            _take_in_events(self._db, journal, players)
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):  # a full disk, or locked by another process for too long
                self._folder = None
            self._discard()
            self._db = _open_database(self._path())
            _take_in_events(self._db, journal, players)
        return self._db.execute

    def _path(self) -> Path | None:
        return self._folder / f"review-{self._origin[:16]}.sqlite" if self._folder else None

    def _discard(self) -> None:
        """Delete a damaged index."""
        self.close()
        if file := self._path():
            _delete_files(file)


IndexQuery = Callable[..., sqlite3.Cursor]
"""Runs a query on the index."""


def _open_database(file: Path | None) -> sqlite3.Connection:
    """Open the database at ``file``, or one in memory if that fails."""
    if file is not None:
        for _ in range(2):  # the second time without a file of another version
            try:
                file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                return _ensure_tables(_connect(file))
            except (OSError, sqlite3.OperationalError):
                break
            except sqlite3.DatabaseError:
                _delete_files(file)
    return _ensure_tables(_connect(None))


def _connect(file: Path | None) -> sqlite3.Connection:
    name = str(file) if file else ":memory:"
    db = sqlite3.connect(name, timeout=UPDATE_WAIT_S, isolation_level=None, check_same_thread=False)
    db.execute("PRAGMA secure_delete = ON")
    if file:
        file.chmod(0o600)
    return db


def _ensure_tables(db: sqlite3.Connection) -> sqlite3.Connection:
    """Create the tables if they are missing. Raises sqlite3.DatabaseError for those of another version or time zone."""
    try:
        with _transaction(db):
            tables = {row[0] for row in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
            if tables and (
                tables != {"metadata", "match", "match_player", "seat_throw"}
                or _get_metadata(db, "version") != _index_version()
            ):
                raise sqlite3.DatabaseError("another version")
            if not tables:
                for statement in CREATE_TABLES.split(";"):
                    db.execute(statement)
                _set_metadata(db, "version", _index_version())
    except BaseException:
        db.close()
        raise
    return db


def _index_version() -> str:
    return f"{VERSION} {time.tzname} {time.timezone}"


def _take_in_events(db: sqlite3.Connection, journal: JournalReader, players: PlayerDirectory) -> None:
    """Update the tables to the journal."""
    number, last = journal.number_and_hash()
    state = {"number": str(number), "last": last}
    since = int(_get_metadata(db, "number") or 0)
    if any(_get_metadata(db, name) != value for name, value in state.items()) and not _is_ahead(
        db, journal, since, number
    ):
        with _transaction(db):
            since = int(_get_metadata(db, "number") or 0)  # another process may have updated it
            if journal.number_and_hash(since) != (
                since,
                _get_metadata(db, "last"),
            ):  # a copy of the journal was restored
                since = 0
                for table in ("match", "match_player", "seat_throw"):
                    db.execute(f"DELETE FROM {table}")
            for events in journal.matches_changed_since(since):
                _replace_entries(db, index_entries(events, players.player_keys(events[0])))
            for name, value in state.items():
                _set_metadata(db, name, value)
    for key in players.forgotten_keys:
        if db.execute("SELECT 1 FROM match_player WHERE key = ? LIMIT 1", (key,)).fetchone():
            with _transaction(db):
                db.execute("UPDATE match_player SET key = NULL WHERE key = ?", (key,))
                db.execute("UPDATE seat_throw SET key = NULL WHERE key = ?", (key,))
            db.execute("VACUUM")  # secure_delete leaves copies of cells that moved when their page was rebalanced


def _is_ahead(db: sqlite3.Connection, journal: JournalReader, since: int, number: int) -> bool:
    """Return whether the index has newer events than this reader, from a later one."""
    if since <= number:
        return False
    with JournalReader(journal.path) as current:
        return current.number_and_hash(since) == (since, _get_metadata(db, "last"))


def _replace_entries(db: sqlite3.Connection, entries: IndexEntries) -> None:
    """Replace a match's entries."""
    number = entries.match.number
    db.execute("DELETE FROM match_player WHERE match = ?", (number,))
    db.execute("DELETE FROM seat_throw WHERE match = ?", (number,))
    db.execute(f"INSERT OR REPLACE INTO match VALUES {PLACEHOLDERS[MatchEntry]}", entries.match)
    db.executemany(f"INSERT INTO match_player VALUES {PLACEHOLDERS[MatchPlayerEntry]}", entries.players)
    db.executemany(f"INSERT INTO seat_throw VALUES {PLACEHOLDERS[SeatThrowEntry]}", entries.throws)


def _get_metadata(db: sqlite3.Connection, name: str) -> str:
    row: Any = db.execute("SELECT value FROM metadata WHERE name = ?", (name,)).fetchone()
    return str(row[0]) if row else ""


def _set_metadata(db: sqlite3.Connection, name: str, value: str) -> None:
    db.execute("INSERT OR REPLACE INTO metadata VALUES (?, ?)", (name, value))


def _delete_files(file: Path) -> None:
    with suppress(OSError):
        for ending in ("", "-journal", "-wal", "-shm"):
            file.with_name(file.name + ending).unlink(missing_ok=True)


@contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            db.execute("ROLLBACK")
        raise
