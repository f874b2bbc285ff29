"""An index of a journal for the review pages: a cache of lists and statistics in SQLite, updated by event numbers and
rebuilt when it is damaged or of another journal. It holds no names, and is deleted once its journal is gone."""

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import platformdirs

from messages import N
from throwlock.journal.file import transaction
from throwlock.journal.journal import JournalError, JournalReader, match_started
from throwlock.review.entries import (
    THROW_COLUMNS,
    IndexEntries,
    MatchEntry,
    MatchPlayerEntry,
    PlayerDirectory,
    index_entries,
)

VERSION = 7
"""Of the tables and of how their contents are computed."""
TABLES = {
    "match": (MatchEntry._fields, "number"),
    "match_player": (MatchPlayerEntry._fields, "match, seat"),
    "seat_throw": (THROW_COLUMNS, "event, seat"),
}
"""Columns and primary key of each table; one more, ``position``, has the index's version, the number and hash of the
last event it contains, and the journal's path."""
INDEXES = (
    "match_by_day ON match (day, number)",
    "match_by_game ON match (game, number)",
    "match_player_by_key ON match_player (key, match, won, rounds, fouls)",
    "seat_throw_by_match ON seat_throw (match, event)",
    "seat_throw_by_player ON seat_throw (key, event)",
    "seat_throw_by_verdict ON seat_throw (key, verdict, throw)",
    "seat_throw_would_have_gained ON seat_throw (event, match) WHERE would_have_gained",
)
UPDATE_WAIT_S = 10.0
"""How long to wait while another process updates the same index."""


def cache_folder() -> Path:
    """Return ``throwlock`` in the user's cache directory."""
    return platformdirs.user_cache_path("throwlock")


def delete_orphaned_indexes(folder: Path, journal: Path, own_file: Path) -> None:
    """Delete the indexes in ``folder`` whose journal is gone, those of earlier journals at the path ``journal``, whose
    index is ``own_file``, and those that this version can't read."""
    for file in folder.glob("review-*.sqlite"):
        if file == own_file:
            continue
        with suppress(OSError):
            try:
                with closing(_connect(file)) as db:
                    if not _has_tables(db):
                        continue  # another process is making it
                    path = Path(db.execute("SELECT journal FROM position").fetchone()[0])
                if path == journal or not path.exists():
                    _delete_files(file)
            except sqlite3.OperationalError:
                continue  # another process is writing it
            except sqlite3.DatabaseError:
                _delete_files(file)


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
                raise JournalError(N("the index was damaged and is being rebuilt: reload the page")) from error

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
            self._db = self._open(journal)
        try:
            _update_tables(self._db, journal, players)
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):  # a full disk, or locked by another process for too long
                self._folder = None
            self._discard()
            self._db = self._open(journal)
            _update_tables(self._db, journal, players)
        return self._db.execute

    def _open(self, journal: JournalReader) -> sqlite3.Connection:
        """Open the index, or make it."""
        path, file = journal.path.resolve(), self._path()
        db = _open_database(file, path)
        if file is not None:
            delete_orphaned_indexes(file.parent, path, file)
        return db

    def _path(self) -> Path | None:
        return self._folder / f"review-{self._origin[:16]}.sqlite" if self._folder else None

    def _discard(self) -> None:
        self.close()
        if file := self._path():
            _delete_files(file)


IndexQuery = Callable[..., sqlite3.Cursor]
"""Runs a query on the index."""


def _open_database(file: Path | None, journal: Path) -> sqlite3.Connection:
    """Open the database of ``journal`` at ``file``, or one in memory if that fails."""
    if file is not None:
        for _ in range(2):  # the second time without a file of another version
            try:
                file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                return _ensure_tables(_connect(file), journal)
            except (OSError, sqlite3.OperationalError):
                break
            except sqlite3.DatabaseError:
                _delete_files(file)
    return _ensure_tables(_connect(None), journal)


def _connect(file: Path | None) -> sqlite3.Connection:
    name = str(file) if file else ":memory:"
    db = sqlite3.connect(name, timeout=UPDATE_WAIT_S, isolation_level=None, check_same_thread=False)
    db.execute("PRAGMA secure_delete = ON")
    if file:
        file.chmod(0o600)
    return db


def _ensure_tables(db: sqlite3.Connection, journal: Path) -> sqlite3.Connection:
    """Create the tables if they are missing, and note where the journal is. Raises sqlite3.DatabaseError for those of
    another version or time zone."""
    try:
        with transaction(db):
            if not _has_tables(db):
                for table, (columns, key) in TABLES.items():
                    db.execute(f"CREATE TABLE {table} ({', '.join(columns)}, PRIMARY KEY ({key})) WITHOUT ROWID")
                for index in INDEXES:
                    db.execute(f"CREATE INDEX {index}")
                db.execute("CREATE TABLE position (version, number, hash, journal)")
                db.execute("INSERT INTO position VALUES (?, 0, '', '')", (_version(),))
            db.execute("UPDATE position SET journal = ?", (str(journal),))
    except BaseException:
        db.close()
        raise
    return db


def _has_tables(db: sqlite3.Connection) -> bool:
    """Return whether the tables were created. Raises sqlite3.DatabaseError for those of another version."""
    tables = {row[0] for row in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    if tables and (tables != {"position", *TABLES} or [(_version(),)] != [*db.execute("SELECT version FROM position")]):
        raise sqlite3.DatabaseError("another version")
    return bool(tables)


def _version() -> str:
    return f"{VERSION} {time.tzname} {time.timezone}"


def _update_tables(db: sqlite3.Connection, journal: JournalReader, players: PlayerDirectory) -> None:
    last = journal.number_and_hash()
    if _position(db) != last and not _is_ahead(db, journal):
        with transaction(db):
            since = _position(db)  # another process may have updated it
            if journal.number_and_hash(since[0]) != since:  # a copy of the journal was restored
                since = (0, "")
                for table in TABLES:
                    db.execute(f"DELETE FROM {table}")
            for events in journal.matches_changed_since(since[0]):
                _replace_entries(db, index_entries(events, match_started(events).player_keys))
            db.execute("UPDATE position SET number = ?, hash = ?", last)
    for key in players.forgotten_keys:
        if db.execute("SELECT 1 FROM match_player WHERE key = ? LIMIT 1", (key,)).fetchone():
            with transaction(db):
                db.execute("UPDATE match_player SET key = NULL WHERE key = ?", (key,))
                db.execute("UPDATE seat_throw SET key = NULL WHERE key = ?", (key,))
            db.execute("VACUUM")  # secure_delete leaves copies of cells that moved when their page was rebalanced


def _position(db: sqlite3.Connection) -> tuple[int, str]:
    """Return number and hash of the last event in the index."""
    number, last = db.execute("SELECT number, hash FROM position").fetchone()
    return number, last


def _is_ahead(db: sqlite3.Connection, journal: JournalReader) -> bool:
    """Return whether the index has newer events than this reader, from a later one."""
    position = _position(db)
    if position[0] <= journal.number_and_hash()[0]:
        return False
    with JournalReader(journal.path) as current:
        return current.number_and_hash(position[0]) == position


def _replace_entries(db: sqlite3.Connection, entries: IndexEntries) -> None:
    db.execute("DELETE FROM match WHERE number = ?", (entries.match.number,))
    db.execute("DELETE FROM match_player WHERE match = ?", (entries.match.number,))
    db.execute("DELETE FROM seat_throw WHERE match = ?", (entries.match.number,))
    for table, rows in (("match", (entries.match,)), ("match_player", entries.players), ("seat_throw", entries.throws)):
        db.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(TABLES[table][0]))})", rows)


def _delete_files(file: Path) -> None:
    with suppress(OSError):
        for ending in ("", "-journal", "-wal", "-shm"):
            file.with_name(file.name + ending).unlink(missing_ok=True)
