"""An index of a journal, so that lists stay quick over ten thousand matches: a small database made from the events,
brought up to date by their numbers, and made anew when it is broken or another's. It holds no names."""

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from throwlock.journal.journal import JournalError, JournalReader
from throwlock.review.entries import Entries, MatchEntry, Showing, Sitting, entries_of
from throwlock.review.players import People

VERSION = 2
"""Of the tables and of what is reckoned for them."""
TABLES = """
CREATE TABLE kept (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE match (
    number INTEGER PRIMARY KEY, at TEXT, day TEXT, game TEXT, state TEXT,
    rounds INTEGER, fouls INTEGER, disputes INTEGER, throws INTEGER, late INTEGER, changed INTEGER, would_have INTEGER
);
CREATE INDEX match_by_day ON match (day, number);
CREATE INDEX match_by_game ON match (game, number);
CREATE TABLE sitting (
    match INTEGER, seat INTEGER, key TEXT, won INTEGER, rounds INTEGER, fouls INTEGER, PRIMARY KEY (match, seat)
) WITHOUT ROWID;
CREATE INDEX sitting_by_player ON sitting (key, match, won, rounds, fouls);
CREATE TABLE showing (
    event INTEGER, seat INTEGER, match INTEGER, key TEXT, at TEXT, verdict TEXT, foul INTEGER, throw TEXT,
    after_first_ms REAL, would_have INTEGER, window_ms REAL, PRIMARY KEY (event, seat)
) WITHOUT ROWID;
CREATE INDEX showing_by_match ON showing (match, event);
CREATE INDEX showing_by_player ON showing (key, event, verdict, throw);
CREATE INDEX showing_would_have ON showing (event, match) WHERE would_have;
"""
BUSY_S = 10.0
"""How long another process may be bringing the same index up to date."""
PLACES = {cls: f"({', '.join('?' * len(cls._fields))})" for cls in (MatchEntry, Sitting, Showing)}


def cache_folder() -> Path:
    """``$XDG_CACHE_HOME/throwlock``, whether it is there or not."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "throwlock"


class Index:
    """The index of one journal, kept in ``folder``, or in memory where that is None or can't be written. It may be used
    by several threads: whoever brings it up to date has it until the ``with`` ends.

    with index.of(journal, People(journal)) as rows:
        rows("SELECT number FROM match WHERE day = ?", (day,))
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._lock = threading.RLock()
        self._db: sqlite3.Connection | None = None
        self._origin = ""

    @contextmanager
    def of(self, journal: JournalReader, people: People) -> Iterator["Rows"]:
        """The index with everything that is in ``journal``, whose ``people`` are; who was forgotten is forgotten here
        too. Raises JournalError where the journal can't be read."""
        with self._lock:
            try:
                yield self._up_to_date(journal, people)
            except sqlite3.DatabaseError as error:
                self._away()  # the journal's own faults come in words: this is the index
                raise JournalError("the pages' index was damaged and is made anew: load the page again") from error

    def close(self) -> None:
        """Let go of the file. The next use opens it again."""
        with self._lock:
            if self._db is not None:
                self._db.close()
            self._db = None

    def _up_to_date(self, journal: JournalReader, people: People) -> "Rows":
        if self._db is None or self._origin != journal.origin():
            self.close()
            self._origin = journal.origin()
            self._db = _opened(self._file())
        try:
            _take_in(self._db, journal, people)
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):  # a full disk, or somebody else's for too long
                self._folder = None
            self._away()
            self._db = _opened(self._file())
            _take_in(self._db, journal, people)
        return self._db.execute

    def _file(self) -> Path | None:
        return self._folder / f"review-{self._origin[:16]}.sqlite" if self._folder else None

    def _away(self) -> None:
        """Away with an index that turned out to be broken."""
        self.close()
        if file := self._file():
            _delete(file)


Rows = Callable[..., sqlite3.Cursor]
"""Runs a query on the index."""


def _opened(file: Path | None) -> sqlite3.Connection:
    """The database at ``file``, or in memory where there can't be one."""
    if file is not None:
        for _ in range(2):  # the second time without a file that is no index of this version
            try:
                file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                return _with_tables(_connected(file))
            except (OSError, sqlite3.OperationalError):
                break
            except sqlite3.DatabaseError:
                _delete(file)
    return _with_tables(_connected(None))


def _connected(file: Path | None) -> sqlite3.Connection:
    name = str(file) if file else ":memory:"
    db = sqlite3.connect(name, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
    db.execute("PRAGMA secure_delete = ON")
    if file:
        file.chmod(0o600)
    return db


def _with_tables(db: sqlite3.Connection) -> sqlite3.Connection:
    """Make the tables where they are not there; those of another version, or of another time zone's days, go."""
    try:
        with _transaction(db):
            there = {row[0] for row in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
            if there and (there != {"kept", "match", "sitting", "showing"} or _kept(db, "made by") != _made_by()):
                raise sqlite3.DatabaseError("of another version")
            if not there:
                for statement in TABLES.split(";"):
                    db.execute(statement)
                _keep(db, "made by", _made_by())
    except BaseException:
        db.close()
        raise
    return db


def _made_by() -> str:
    return f"{VERSION} {time.tzname} {time.timezone}"


def _take_in(db: sqlite3.Connection, journal: JournalReader, people: People) -> None:
    """Bring the tables up to date with the journal."""
    number, last = journal.hash_of()
    state = {"number": str(number), "last": last, "players": "by key" if people.names or people.gone else "none"}
    since = int(_kept(db, "number") or 0)
    if any(_kept(db, name) != value for name, value in state.items()) and not _is_ahead(db, journal, since, number):
        with _transaction(db):
            since = int(_kept(db, "number") or 0)  # another process may have been here
            other = journal.hash_of(since) != (since, _kept(db, "last"))  # a copy that was put back
            if other or _kept(db, "players") != state["players"]:  # or a journal of version 1, brought up
                since = 0
                for table in ("match", "sitting", "showing"):
                    db.execute(f"DELETE FROM {table}")
            for events in journal.matches_since(since):
                _put(db, entries_of(events, people.keys(events[0])))
            for name, value in state.items():
                _keep(db, name, value)
    for key in people.gone:
        if db.execute("SELECT 1 FROM sitting WHERE key = ? LIMIT 1", (key,)).fetchone():
            with _transaction(db):
                db.execute("UPDATE sitting SET key = NULL WHERE key = ?", (key,))
                db.execute("UPDATE showing SET key = NULL WHERE key = ?", (key,))
            db.execute("VACUUM")  # secure_delete leaves copies of cells that moved when their page was rebalanced


def _is_ahead(db: sqlite3.Connection, journal: JournalReader, since: int, number: int) -> bool:
    """Whether the index has events that are in the journal since this reader was opened; a later one took them in."""
    if since <= number:
        return False
    with JournalReader(journal.path) as now:
        return now.hash_of(since) == (since, _kept(db, "last"))


def _put(db: sqlite3.Connection, entries: Entries) -> None:
    """Put a match's entries in the place of those there were."""
    number = entries.match.number
    db.execute("DELETE FROM sitting WHERE match = ?", (number,))
    db.execute("DELETE FROM showing WHERE match = ?", (number,))
    db.execute(f"INSERT OR REPLACE INTO match VALUES {PLACES[MatchEntry]}", entries.match)
    db.executemany(f"INSERT INTO sitting VALUES {PLACES[Sitting]}", entries.sittings)
    db.executemany(f"INSERT INTO showing VALUES {PLACES[Showing]}", entries.showings)


def _kept(db: sqlite3.Connection, name: str) -> str:
    row: Any = db.execute("SELECT value FROM kept WHERE name = ?", (name,)).fetchone()
    return str(row[0]) if row else ""


def _keep(db: sqlite3.Connection, name: str, value: str) -> None:
    db.execute("INSERT OR REPLACE INTO kept VALUES (?, ?)", (name, value))


def _delete(file: Path) -> None:
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
