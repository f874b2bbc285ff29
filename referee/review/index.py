"""An index of a journal, so that lists stay quick over ten thousand matches: a small database made from the events,
brought up to date by their numbers, and made anew when it is broken or another's. It holds no names."""

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from referee.journal import Event, JournalReader
from referee.review.entries import Entries, MatchEntry, Showing, Sitting, entries_of
from ui.web.views import MatchFilter

VERSION = 1
"""Of the tables and of what is reckoned for them."""
TABLES = """
CREATE TABLE kept (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE match (
    number INTEGER PRIMARY KEY, at TEXT, day TEXT, game TEXT, state TEXT,
    seats INTEGER, rounds INTEGER, fouls INTEGER, disputes INTEGER
);
CREATE INDEX match_by_day ON match (day, number);
CREATE INDEX match_by_game ON match (game, number);
CREATE TABLE sitting (
    match INTEGER, seat INTEGER, key TEXT, won INTEGER, rounds INTEGER, fouls INTEGER, PRIMARY KEY (match, seat)
) WITHOUT ROWID;
CREATE INDEX sitting_by_player ON sitting (key, match, won, rounds, fouls);
CREATE TABLE showing (
    event INTEGER, seat INTEGER, match INTEGER, key TEXT, at TEXT, verdict TEXT, foul INTEGER, throw TEXT,
    after_first_ms REAL, would_have INTEGER, PRIMARY KEY (event, seat)
) WITHOUT ROWID;
CREATE INDEX showing_by_match ON showing (match, verdict, would_have);
CREATE INDEX showing_by_player ON showing (key, event, verdict, throw);
CREATE INDEX showing_later ON showing (event, match) WHERE would_have;
"""
BUSY_S = 10
"""How long another process may be bringing the same index up to date."""


def cache_folder() -> Path:
    """``$XDG_CACHE_HOME/throwlock``, whether it is there or not."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "throwlock"


Keys = Callable[[Event], Sequence[str | None]]
"""The keys of a match's players in seat order, from the event that began it."""


class Index:
    """The index of one journal. It may be used by several threads, one after the other.

    In ``folder``, or in memory where that is None or can't be written.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._lock = threading.RLock()
        self._db: sqlite3.Connection | None = None
        self._origin = ""

    def close(self) -> None:
        """Let go of the file. The next use opens it again."""
        with self._lock:
            if self._db is not None:
                self._db.close()
                self._db = None

    def bring_up_to_date(self, journal: JournalReader, keys: Keys, gone: Iterable[str] = ()) -> None:
        """Take in what has happened in ``journal`` since last time; players of the keys ``gone`` are forgotten here
        too. Raises JournalFault where the journal can't be read."""
        with self._lock:
            try:
                self._take_in(journal, keys, gone)
            except sqlite3.Error:  # the index's own: the journal's come in words
                self._start_anew()
                self._take_in(journal, keys, gone)

    def _take_in(self, journal: JournalReader, keys: Keys, gone: Iterable[str]) -> None:
        db = self._opened(journal.origin())
        newest, last = journal.newest()
        if self._kept("last") == last:
            self._forget(gone)
            return
        with _transaction(db):
            since = int(self._kept("number") or 0)
            if not (since <= newest and journal.hash_of(since) == self._kept("last")):
                self._clear()
                since = 0
            for events in journal.matches_since(since):
                self._put(entries_of(events, keys(events[0])))
            self._keep({"number": str(newest), "last": last})
        self._forget(gone)

    def _opened(self, origin: str) -> sqlite3.Connection:
        """The database for the journal of an origin, its tables made."""
        if self._db is None or self._origin != origin:
            self.close()
            self._origin = origin
            self._db = self._connected(origin)
        return self._db

    def _connected(self, origin: str) -> sqlite3.Connection:
        path = self._path(origin)
        if path is not None:
            try:
                path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                return _with_tables(path)
            except sqlite3.DatabaseError as error:
                if getattr(error, "sqlite_errorcode", 0) in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
                    path.unlink(missing_ok=True)
                    return self._connected(origin)
            except OSError:
                pass
        return _with_tables(None)

    def _path(self, origin: str) -> Path | None:
        return self._folder / f"review-{origin[:16]}.sqlite" if self._folder else None

    def _start_anew(self) -> None:
        """Away with an index that turned out to be broken."""
        self.close()
        path = self._path(self._origin)
        if path is not None:
            path.unlink(missing_ok=True)

    @property
    def db(self) -> sqlite3.Connection:
        """The database, which ``bring_up_to_date`` has opened."""
        if self._db is None:
            raise RuntimeError("the index has not been brought up to date")
        return self._db

    def rows(self, sql: str, values: Sequence[object] | Mapping[str, object] = ()) -> list[tuple[object, ...]]:
        """The rows of a query."""
        with self._lock:
            return self.db.execute(sql, values).fetchall()
