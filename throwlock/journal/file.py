"""The journal's file: recognising and creating it, locking it for one writer, reading it without a trace, quarantining
a damaged one."""

import fcntl
import logging
import os
import sqlite3
import stat
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import IO

import platformdirs

from device.system.file_times import set_time, steady_time
from errors import ThrowlockError
from messages import LazyText, N
from throwlock.journal.tail_marker import TAIL_SUFFIX, fsync_folder

logger = logging.getLogger(__name__)

APPLICATION_ID = 0x54484C4B  # "THLK", in the file's header
VERSION = 6
"""Version of the tables and of the events' words. A journal of any other version is refused."""
LOCK_WAIT_S = 1.0
"""How long a starting box waits for another writer: a deletion takes a moment, another box the whole evening."""
WRITE_WAIT_S = 5.0
"""How long a write waits for another transaction."""
LOG_IN_MEMORY = "mode=ro&vfs=unix-none"
"""Query of SQLite's URI that reads a journal and its log without locks and without ``-shm``."""

JOURNAL_SUFFIXES = ("", "-wal", "-shm", TAIL_SUFFIX)
"""Suffixes of the files that make up a journal."""

CREATE_PLAYER_TABLE = """
CREATE TABLE player (
    key TEXT PRIMARY KEY,            -- SHA-256 of salt and name, events refer to players by it
    salt TEXT,                       -- 32 random hexadecimal digits, NULL once the player is forgotten
    name TEXT                        -- NULL once the player is forgotten
);
"""
CREATE_TABLES = f"""
CREATE TABLE journal (
    name TEXT PRIMARY KEY,           -- "id", and "last_hash": hash of the newest event
    value TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE event (
    number INTEGER PRIMARY KEY,      -- 1, 2, 3, … without gaps
    match INTEGER NOT NULL,          -- number of the event that started the match, 0: of none
    at TEXT NOT NULL,                -- ISO 8601, UTC, for people, not for timing
    kind TEXT NOT NULL,
    body TEXT NOT NULL,              -- JSON, keys sorted
    previous_hash TEXT NOT NULL,     -- hash of the event before
    hash TEXT NOT NULL               -- SHA-256 of all the columns before this one
);
CREATE INDEX event_by_match ON event (match, number);
CREATE TABLE evidence (
    event INTEGER NOT NULL REFERENCES event (number),
    name TEXT NOT NULL,
    media_type TEXT NOT NULL,        -- also in the event's body, as is the commitment, so that the hash covers them
    commitment TEXT NOT NULL,        -- SHA-256 of salt, name, media type and the data's SHA-256
    salt TEXT,                       -- 32 random hexadecimal digits, NULL once deleted
    data BLOB,                       -- NULL once deleted, the chain stays whole
    PRIMARY KEY (event, name)
);{CREATE_PLAYER_TABLE}CREATE TABLE mark (
    event INTEGER PRIMARY KEY,       -- of a round
    mark TEXT NOT NULL,              -- "to review" or "reviewed"
    at TEXT NOT NULL                 -- when it was set, under no hash
);
"""


CREATE_NOTE_TABLE = """
CREATE TABLE note (
    event INTEGER PRIMARY KEY,       -- of a round, or the first of a match
    note TEXT NOT NULL,              -- plain text
    at TEXT NOT NULL                 -- when it was written, under no hash
);
"""
"""Only journals with notes have this table: the first note creates it."""


class JournalError(ThrowlockError):
    """The journal can't be used. The message says what is wrong, where, and how to fix it."""


def default_journal_path() -> Path:
    """Return ``throwlock.journal`` in the user's data directory."""
    return platformdirs.user_data_path("throwlock") / "throwlock.journal"


def sibling(path: Path, suffix: str) -> Path:
    """Return ``path`` with a suffix after its whole name, like SQLite's own files (-wal, -shm)."""
    return path.with_name(path.name + suffix)


class JournalInUseError(JournalError):
    """Another writer has the journal: a box that plays, or somebody who deletes something."""


class DiskFullError(JournalError):
    """The disk is full."""


class JournalDamagedError(JournalError):
    """The file is not what was written. It is left as it is; matches continue in a new journal."""


@contextmanager
def translate_sqlite_errors(path: Path) -> Iterator[None]:
    """Raise SQLite's errors about ``path`` as JournalError."""
    try:
        yield
    except (sqlite3.ProgrammingError, sqlite3.InterfaceError):
        raise  # a bug, not a bad file
    except sqlite3.Error as error:
        raise _to_journal_error(path, error) from error


def _to_journal_error(path: Path, error: sqlite3.Error) -> JournalError:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    why = " ".join(str(error).split())  # SQLite may quote a damaged table's definition, which has many lines
    match code & 0xFF:
        case _ if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE):
            return DiskFullError(N("the disk of {path} is full: free some space and continue", path=path))
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return JournalError(N("{path} is in use by another program: close it first", path=path))
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_ERROR:
            return JournalDamagedError(
                N("{path} is damaged ({why})", path=path, why=why),
                terminal_hint=": keep the file and name another journal",
            )
        case _:
            return JournalError(
                N(
                    "{path} can’t be used ({why}): check its disk, and that the file and its folder can be written",
                    path=path,
                    why=why,
                )
            )


def is_new(path: Path) -> bool:
    """Return whether the journal is still to be created.

    Raises:
        JournalDamagedError: The file is empty.
        JournalError: The file is something else, or can't be read.
    """
    try:
        status = path.stat()
    except FileNotFoundError:
        if not path.resolve().parent.is_dir():
            raise JournalError(
                N("{path} can’t be created: there is no folder {folder}", path=path, folder=path.absolute().parent)
            ) from None
        return True
    except OSError as error:
        raise _unusable_file_error(N("{path} can’t be read ({why})", path=path, why=error.strerror)) from error
    if not stat.S_ISREG(status.st_mode):
        raise _unusable_file_error(N("{path} is not a file", path=path))
    if status.st_size == 0:  # a journal is created under another name and renamed: one of ours always has a header
        raise JournalDamagedError(
            N("{path} is empty: whatever was in it is lost", path=path),
            terminal_hint=". Delete it, or name another journal",
        )
    if not has_access(path, os.R_OK):
        raise _unusable_file_error(N("{path} can’t be read (Permission denied)", path=path))
    application, version = _read_header(path) if status.st_size >= 512 else (None, 0)
    if application is None:
        raise _unusable_file_error(N("{path} is not a Throwlock journal", path=path))
    if application != APPLICATION_ID:
        raise _unusable_file_error(N("{path} is another program’s database", path=path))
    if version != VERSION:
        raise _unusable_file_error(
            N(
                "{path} has tables of version {version}, but this Throwlock reads version {own_version}",
                path=path,
                version=version,
                own_version=VERSION,
            )
        )
    return False


def _unusable_file_error(text: LazyText) -> JournalError:
    return JournalError(text, terminal_hint=": name another journal")


def has_access(path: Path, mode: int) -> bool:
    """Return whether this process may read (``os.R_OK``) or write (``os.W_OK``) ``path``."""
    return os.access(path, mode, effective_ids=os.access in os.supports_effective_ids)


def _read_header(path: Path) -> tuple[int | None, int]:
    """Return a database's application id (None: no database) and version. SQLite opens the file, because closing any
    other handle on it would drop the locks that SQLite has in this process."""
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as db:
            db.execute("PRAGMA writable_schema = ON")  # or SQLite refuses a file whose last pages are still in the log
            application = db.execute("PRAGMA application_id").fetchone()[0]
            return int(application), int(db.execute("PRAGMA user_version").fetchone()[0])
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_NOTADB:
            return None, 0
        raise _unusable_file_error(N("{path} can’t be read ({why})", path=path, why=str(error))) from error


class FileLock:
    """The lock of the journal's one writer: a flock on ``NAME.lock`` next to it. A box holds it while it plays. The
    kernel releases it when the process dies; ``release`` also removes the file."""

    def __init__(self, path: Path, wait_s: float = LOCK_WAIT_S) -> None:
        """Acquire the lock. Raises JournalError when another writer holds it for longer than ``wait_s``, or the folder
        can't be written."""
        self._file = sibling(path.resolve(), ".lock")
        since = time.monotonic()
        while True:
            try:
                self._handle = self._file.open("ab")
            except OSError as error:
                raise JournalError(
                    N("{path} can’t be written ({why})", path=self._file, why=error.strerror),
                    terminal_hint=": choose another folder with --journal",
                    screen_hint=N("its folder has to be writable"),
                ) from error
            acquired = _try_lock(self._handle, fcntl.LOCK_EX, path)
            if acquired and _is_same_file(self._handle, self._file):
                return
            only_readers = not acquired and _try_lock(self._handle, fcntl.LOCK_SH, path)  # for an instant each
            self._handle.close()  # another process holds it, or removed the file in between
            if not acquired:
                if time.monotonic() - since >= (LOCK_WAIT_S if only_readers else wait_s):
                    raise JournalInUseError(N("{path} is in use by another Throwlock: stop it first", path=path))
                time.sleep(0.02)

    def release(self) -> None:
        """Release the lock. May be called twice."""
        if not self._handle.closed:
            with suppress(OSError):  # a disk that has gone read-only must not keep the box from stopping
                self._file.unlink()  # while it is held, so that it can't be another's
            self._handle.close()


def _is_same_file(handle: IO[bytes], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _try_lock(handle: IO[bytes], operation: int, path: Path) -> bool:
    """Return whether the lock was acquired; False while another process holds it."""
    try:
        fcntl.flock(handle, operation | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        handle.close()
        raise JournalError(
            N("{path} can’t be locked ({why}): choose a folder on this machine", path=path, why=error.strerror)
        ) from error
    return True


def create_journal(path: Path, journal_id: str, first_previous_hash: str) -> None:
    """Create an empty journal atomically; ``first_previous_hash`` is the ``previous_hash`` of its first event. Raises
    sqlite3.Error or OSError, and leaves nothing then."""
    new = sibling(path.resolve(), ".new")
    _remove_temporary(new)  # left by a killed process
    try:
        with closing(sqlite3.connect(new, isolation_level=None)) as db:
            db.execute("BEGIN EXCLUSIVE")
            for statement in CREATE_TABLES.split(";"):
                db.execute(statement)
            db.executemany(
                "INSERT INTO journal VALUES (?, ?)", [("id", journal_id), ("last_hash", first_previous_hash)]
            )
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.execute(f"PRAGMA user_version = {VERSION}")
            db.execute("COMMIT")
            db.execute("PRAGMA journal_mode = WAL")
        new.replace(path.resolve())
        fsync_folder(path.resolve().parent)
    finally:
        _remove_temporary(new)


def quarantine(journal: Path) -> Path:
    """Rename a damaged journal with all its files to ``NAME.broken-N``; nothing is deleted yet: see
    ``throwlock.journal.quarantined``. Returns the new path. Raises JournalError."""
    file, number = journal.resolve(), 1
    while any(sibling(file, f".broken-{number}{ending}").exists() for ending in JOURNAL_SUFFIXES):
        number += 1
    quarantined = sibling(file, f".broken-{number}")
    try:
        for ending in JOURNAL_SUFFIXES:
            if sibling(file, ending).exists():
                sibling(file, ending).rename(sibling(quarantined, ending))
                set_time(sibling(quarantined, ending), steady_time())  # its age counts from now on
        fsync_folder(file.parent)
    except OSError as error:
        raise JournalError(
            N("{path} can’t be renamed ({why}): rename it by hand", path=journal, why=error.strerror)
        ) from error
    return quarantined


def _remove_temporary(new: Path) -> None:
    for ending in ("", "-journal", "-wal", "-shm"):
        sibling(new, ending).unlink(missing_ok=True)


def find_damage(db: sqlite3.Connection) -> list[str]:
    """Return what is wrong with the pages of a database, in SQLite's words. Raises sqlite3.Error when not even its list
    of tables can be read."""
    try:
        problems = [str(row[0]) for row in db.execute("PRAGMA integrity_check")]
    except sqlite3.DatabaseError as error:  # the root page of a table is damaged: try each by itself
        trees = db.execute("SELECT name, tbl_name, rootpage FROM sqlite_schema WHERE rootpage > 0").fetchall()
        bad = [
            f"{name}, with root page {root}: {error}" for name, table, root in trees if _is_unreadable(db, name, table)
        ]
        return bad or [str(error)]
    lines = [" ".join(line.split()) for text in problems for line in text.splitlines()]
    return [line for line in lines if line not in ("ok", "*** in database main ***")]


def find_foreign_tables(db: sqlite3.Connection) -> list[str]:
    """Return a sentence for every table, index, view and trigger that differs from those of a new journal, and for
    every name in the table ``journal`` that is not its own. Raises sqlite3.Error."""
    query = "SELECT type, name, tbl_name, sql FROM sqlite_schema"
    with closing(sqlite3.connect(":memory:")) as new:
        new.executescript(CREATE_TABLES)
        expected = set(new.execute(query))
        new.executescript(CREATE_NOTE_TABLE)
        optional = set(new.execute(query)) - expected
    actual = set(db.execute(query))
    problems = [
        f"the {kind} {name} was added or changed" for kind, name, *_ in sorted(actual - expected - optional, key=str)
    ]
    left = {(kind, name) for kind, name, *_ in actual}
    problems += [f"the {kind} {name} is missing" for kind, name, *_ in expected if (kind, name) not in left]
    if not problems:
        names = {name for (name,) in db.execute("SELECT name FROM journal")}
        problems += [f"the entry {name} of the table journal was added" for name in sorted(names - {"id", "last_hash"})]
    return problems


def _is_unreadable(db: sqlite3.Connection, name: str, table: str) -> bool:
    """Return whether a table, or an index of it, can't be read from its root page on."""
    which = " NOT INDEXED" if name == table else f" INDEXED BY {name}"
    try:
        db.execute(f"SELECT count(*) FROM {table}{which}").fetchone()
    except sqlite3.DatabaseError:
        return True
    return False


def connect_to_write(path: Path) -> sqlite3.Connection:
    """Connect for writing, with secure deletion: deleted data is overwritten with zeros, in the log and the file."""
    db = sqlite3.connect(path, isolation_level=None, timeout=WRITE_WAIT_S, check_same_thread=False)
    try:
        for setting in ("foreign_keys = ON", "journal_mode = WAL", "synchronous = FULL", "secure_delete = ON"):
            db.execute(f"PRAGMA {setting}")
    except BaseException:
        db.close()
        raise
    return db


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Run the block as a transaction, on the disk when it ends. Raises sqlite3.Error; the log then holds nothing of
    it, as far as the disk can still be written."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
    try:
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        _overwrite_refused_commit(db)
        raise


def _overwrite_refused_commit(db: sqlite3.Connection) -> None:
    """Overwrite a transaction that SQLite refused after it was written to the log whole, because ``fsync`` failed:
    whoever opens the journal next would take it for a commit. What SQLite writes of a larger transaction before its
    commit goes to the same place of the log, breaks its chain of checksums there, and is itself no commit."""
    if db.execute("PRAGMA journal_mode").fetchone() != ("wal",):
        return
    (cache_size,) = db.execute("PRAGMA cache_size").fetchone()
    try:
        db.execute("PRAGMA cache_size = 1")  # page, so that SQLite writes the others to the log at once
        db.execute("BEGIN IMMEDIATE")
        db.execute("CREATE TABLE refused AS SELECT randomblob(65536)")
    except sqlite3.Error as error:
        logger.warning("a refused transaction may still be in the log: %s", error)
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")
        db.execute(f"PRAGMA cache_size = {cache_size}")


def connect_to_read(path: Path, exit_stack: ExitStack) -> sqlite3.Connection:
    """Connect to a snapshot of the journal, which changes nothing and may stay open while a box writes. In a writable
    folder SQLite's own files (-wal, -shm) are next to the journal meanwhile.

    After a crash the newest events are still in the log. It is read where it is: nothing is copied, and neither file
    changes. ``exit_stack`` closes everything. Raises JournalError.
    """
    if is_new(path):
        raise JournalError(N("there is no journal at {path}", path=path))
    file = path.resolve()
    with translate_sqlite_errors(path):
        for mode in _read_modes(file):
            try:
                return open_snapshot(file, mode, exit_stack)
            except sqlite3.OperationalError as error:
                failure = error
        raise failure


def _read_modes(file: Path) -> Iterator[str]:
    """Yield the queries of SQLite's URI that may open a journal to read, the best first."""
    shm, folder_writable, has_log = sibling(file, "-shm"), has_access(file.parent, os.W_OK), _has_log(file)
    crashed = has_log and not has_writer(file)
    if folder_writable and has_access(file, os.W_OK) and not crashed:
        yield "mode=rw"  # whoever closes it last moves the log into the journal and removes SQLite's files
    if shm.exists() or (has_log and folder_writable):
        yield "mode=ro"
    # A full disk or a read-only folder has no room for SQLite's index of the log, in -shm: it is made in memory.
    if not _has_log(file):
        yield "mode=ro&immutable=1"
    else:
        yield "mode=ro&readonly_shm=1" if shm.exists() else LOG_IN_MEMORY


def open_snapshot(file: Path, mode: str, exit_stack: ExitStack) -> sqlite3.Connection:
    """Connect to read and begin a transaction; ``mode`` is the query of SQLite's URI. Raises sqlite3.Error."""
    with ExitStack() as own_stack:
        name = f"{file.as_uri()}?{mode}"
        db = own_stack.enter_context(
            closing(sqlite3.connect(name, uri=True, isolation_level=None, timeout=5, check_same_thread=False))
        )
        if mode == LOG_IN_MEMORY:
            db.execute("PRAGMA locking_mode = EXCLUSIVE")  # or SQLite looks for -shm
        db.execute("PRAGMA query_only = ON")
        db.execute("BEGIN")
        db.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone()  # the first read takes the snapshot
        exit_stack.push(own_stack.pop_all())
    return db


def _has_log(file: Path) -> bool:
    """Return whether the log next to a journal has any content."""
    try:
        return sibling(file, "-wal").stat().st_size > 0
    except FileNotFoundError:
        return False


def has_writer(file: Path) -> bool:
    """Return whether a box has the journal open."""
    try:
        with sibling(file, ".lock").open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:  # there is no lock, or it is not ours to open
        return False
    return False
