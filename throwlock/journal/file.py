"""A journal as a file: what may be one, how it is made whole or not at all, how one box at a time has it, and how it is
read without a trace."""

import fcntl
import os
import shutil
import sqlite3
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import IO

from errors import ThrowlockError
from throwlock.journal.tail_marker import ENDING

APPLICATION_ID = 0x54484C4B  # "THLK", in the file's header
VERSION = 2
"""Of the tables; a journal of a later version is refused, not guessed at. One of version 1, whose players' names stand
in its events, is read as it is, and brought up to this version when it is opened for writing."""
WAIT_S = 1.0
"""How long a box that begins waits for another that writes: deletions take a moment, a box the evening."""
COPYING_S = 60.0
"""How long it waits for somebody who makes a copy to read, which takes as long as its disk takes."""

PARTS = ("", "-wal", "-shm", ENDING)
"""Endings of a journal's name that all belong to what is in it."""

TABLES = """
CREATE TABLE journal (
    name TEXT PRIMARY KEY,           -- "id", and "last": the hash of the newest event
    value TEXT NOT NULL
) WITHOUT ROWID;
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
    media_type TEXT NOT NULL,        -- this and the next also in the event's body, so that they are under its hash
    sha256 TEXT NOT NULL,
    data BLOB,                       -- NULL when people deleted it, the chain stays whole
    PRIMARY KEY (event, name)
);
"""
PLAYER = """
CREATE TABLE player (
    key TEXT PRIMARY KEY,            -- 16 hexadecimal digits by chance: what events name a player by
    name TEXT                        -- NULL once the player is forgotten, under no hash
);
"""
MARK = """
CREATE TABLE mark (
    event INTEGER PRIMARY KEY,       -- of a round
    mark TEXT NOT NULL,              -- "to look at" or "looked at"
    at TEXT NOT NULL                 -- when it was put there, under no hash
);
"""


class JournalError(ThrowlockError):
    """The journal can't be used or is not in order. The message says what, where, and how to mend it."""


def usual_place() -> Path:
    """``$XDG_DATA_HOME/throwlock/throwlock.journal``, whether it is there or not."""
    data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return data / "throwlock" / "throwlock.journal"


def beside(path: Path, ending: str) -> Path:
    """The file beside ``path`` with ``ending`` after its name, where SQLite keeps its own (-wal, -shm)."""
    return path.with_name(path.name + ending)


class DiskFullError(JournalError):
    """The disk takes no more."""


class JournalDamagedError(JournalError):
    """What stands in the file is not what was written. It stays as it is; matches go on in a new journal."""


@contextmanager
def in_words(path: Path) -> Iterator[None]:
    """Turn what SQLite says of ``path`` into a JournalError."""
    try:
        yield
    except (sqlite3.ProgrammingError, sqlite3.InterfaceError):
        raise  # ours, not the file's
    except sqlite3.Error as error:
        raise _told(path, error) from error


def _told(path: Path, error: sqlite3.Error) -> JournalError:
    match getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF:
        case sqlite3.SQLITE_FULL:
            return DiskFullError(f"the disk of {path} is full: free some space and go on")
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return JournalError(f"{path} is in use by another program: close that one first")
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_ERROR:
            return JournalDamagedError(
                f"{path} is damaged ({error}): keep the file, and go on with --journal and a new name"
            )
        case _:
            return JournalError(
                f"{path} can't be used ({error}): check its disk, and that the file and its folder can be written"
            )


def is_new(path: Path) -> bool:
    """Whether ``path`` has to be made. Raises JournalError, without touching it, when it is no journal of ours."""
    try:
        kind = path.stat()
    except FileNotFoundError:
        if not path.resolve().parent.is_dir():
            raise JournalError(f"{path} can't be made: there is no folder {path.absolute().parent}") from None
        return True
    except OSError as error:
        raise JournalError(f"{path} can't be read ({error.strerror}): give another name with --journal") from error
    if not stat.S_ISREG(kind.st_mode):
        raise JournalError(f"{path} can't be a journal, it is no file: give another name with --journal")
    if kind.st_size == 0:
        return True
    if not may(path, os.R_OK):
        raise JournalError(f"{path} can't be read (Permission denied): give another name with --journal")
    application, version = _header(path) if kind.st_size >= 512 else (None, 0)
    if application is None:
        raise JournalError(f"{path} is no journal of Throwlock: give another name with --journal")
    if application != APPLICATION_ID:
        raise JournalError(f"{path} is some other program's database: give another name with --journal")
    if not 1 <= version <= VERSION:
        raise JournalError(
            f"{path} has tables of version {version}, and this Throwlock reads up to version {VERSION}: "
            "give another name with --journal"
        )
    return False


def may(path: Path, how: int) -> bool:
    """Whether this process may do so with ``path``: os.R_OK, os.W_OK."""
    return os.access(path, how, effective_ids=os.access in os.supports_effective_ids)


def _header(path: Path) -> tuple[int | None, int]:
    """Whose database a file is (None: it is none) and the version of its tables. It is SQLite that opens it: had this
    process the journal open, closing another handle on it would drop SQLite's own locks."""
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as db:
            db.execute("PRAGMA writable_schema = ON")  # or it refuses a file whose last pages are still in the log
            application = db.execute("PRAGMA application_id").fetchone()[0]
            return int(application), int(db.execute("PRAGMA user_version").fetchone()[0])
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_NOTADB:
            return None, 0
        raise JournalError(f"{path} can't be read ({error}): give another name with --journal") from error


class Hold:
    """A hold on a journal among those who write it, through the file ``NAME.lock`` beside it. A box has it while it
    plays. The kernel lets go of it when the process dies; ``release`` also takes the file away."""

    def __init__(self, path: Path, wait_s: float = WAIT_S) -> None:
        """Raises JournalError when another who writes has the journal for longer than ``wait_s``, or the folder can't
        be written."""
        self._file = beside(path.resolve(), ".lock")
        since = time.monotonic()
        while True:
            try:
                self._handle = self._file.open("ab")
            except OSError as error:
                raise JournalError(
                    f"{self._file} can't be written ({error.strerror}): choose another folder with --journal"
                ) from error
            got = _flock(self._handle, fcntl.LOCK_EX, path)
            if got and _is_at(self._handle, self._file):
                return
            only_read = not got and _flock(self._handle, fcntl.LOCK_SH, path)
            self._handle.close()  # somebody has it, or took the file away in between
            if not got:
                if time.monotonic() - since >= (COPYING_S if only_read else wait_s):
                    raise JournalError(f"{path} is in use by another Throwlock: stop that one first")
                time.sleep(0.02)

    def release(self) -> None:
        """Let another have it. May be called twice."""
        if not self._handle.closed:
            with suppress(OSError):  # a disk that has gone read-only must not keep the box from stopping
                self._file.unlink()  # while it is held, so that nobody else's is taken away
            self._handle.close()


def _is_at(handle: IO[bytes], path: Path) -> bool:
    """Whether ``handle`` is still the file at ``path``."""
    try:
        return os.path.samestat(os.fstat(handle.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _flock(handle: IO[bytes], how: int, path: Path) -> bool:
    """Whether the lock was got; False while another has it."""
    try:
        fcntl.flock(handle, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        handle.close()
        raise JournalError(f"{path} can't be locked ({error.strerror}): choose a folder on this machine") from error
    return True


def make(path: Path, identity: str, first: str) -> None:
    """Make an empty journal at ``path``, whole or not at all; ``first`` is what its first event will name as the hash
    before it. Raises sqlite3.Error or OSError, and then leaves nothing."""
    new = beside(path.resolve(), ".new")
    _clear(new)  # of a process that was killed
    try:
        with closing(sqlite3.connect(new, isolation_level=None)) as db:
            db.execute("BEGIN EXCLUSIVE")
            for statement in f"{TABLES}{PLAYER}{MARK}".split(";"):
                db.execute(statement)
            db.executemany("INSERT INTO journal VALUES (?, ?)", [("id", identity), ("last", first)])
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.execute(f"PRAGMA user_version = {VERSION}")
            db.execute("COMMIT")
            db.execute("PRAGMA journal_mode = WAL")
        new.replace(path.resolve())
        _sync_folder(path.resolve().parent)
    finally:
        _clear(new)


def put_aside(journal: Path) -> Path:
    """Give a journal that is not in order another name, with all that stands beside it but its lock: nothing is
    deleted. Returns the name. Raises JournalError."""
    file, number = journal.resolve(), 1
    while any(beside(file, f".broken-{number}{ending}").exists() for ending in PARTS):
        number += 1
    aside = beside(file, f".broken-{number}")
    try:
        for ending in PARTS:
            if beside(file, ending).exists():
                beside(file, ending).rename(beside(aside, ending))
        _sync_folder(file.parent)
    except OSError as error:
        raise JournalError(f"{journal} can't be put aside ({error.strerror}): rename it by hand") from error
    return aside


def _clear(new: Path) -> None:
    for ending in ("", "-journal", "-wal", "-shm"):
        beside(new, ending).unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def version_in(db: sqlite3.Connection) -> int:
    """The version of a journal's tables, as this connection sees it now."""
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def damage_in(db: sqlite3.Connection) -> list[str]:
    """What is wrong with the pages of a database, in SQLite's words; nothing where they are in order. Raises
    sqlite3.Error where not even its tables can be told."""
    try:
        found = [str(row[0]) for row in db.execute("PRAGMA integrity_check")]
    except sqlite3.DatabaseError as error:  # where a table begins is damaged: each is tried by itself
        trees = db.execute("SELECT name, tbl_name, rootpage FROM sqlite_schema WHERE rootpage > 0").fetchall()
        bad = [f"{name}, which begins at page {root}: {error}" for name, table, root in trees if _torn(db, name, table)]
        return bad or [str(error)]
    lines = [" ".join(line.split()) for text in found for line in text.splitlines()]
    return [line for line in lines if line not in ("ok", "*** in database main ***")]


def _torn(db: sqlite3.Connection, name: str, table: str) -> bool:
    """Whether a table, or an index of it, can't be read from its first page on."""
    which = " NOT INDEXED" if name == table else f" INDEXED BY {name}"
    try:
        db.execute(f"SELECT count(*) FROM {table}{which}").fetchone()
    except sqlite3.DatabaseError:
        return True
    return False


def connected(path: Path, timeout_s: float) -> sqlite3.Connection:
    """A connection for writing. What is deleted through it is overwritten with zeros, in the log as in the file."""
    db = sqlite3.connect(path, isolation_level=None, timeout=timeout_s, check_same_thread=False)
    try:
        for setting in ("foreign_keys = ON", "journal_mode = WAL", "synchronous = FULL", "secure_delete = ON"):
            db.execute(f"PRAGMA {setting}")
    except BaseException:
        db.close()
        raise
    return db


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """All of it is on the disk when it ends, or nothing."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def open_to_read(path: Path, until: ExitStack) -> sqlite3.Connection:
    """A connection that sees the journal as it is now, however long it is open, and changes nothing; a box may play
    meanwhile. While it is open SQLite's own files (-wal, -shm) stand beside the journal, as they do beside a box's;
    where the folder can't be written there are none.

    Where a box was killed, what it wrote last is still in the log beside the journal; then a copy of both in the
    directory for temporary files is read, and the log left as it is. ``until`` closes all of it. Raises JournalError.
    """
    if is_new(path):
        raise JournalError(f"{path} is no journal of Throwlock: it is empty")
    file = path.resolve()
    with in_words(path):
        if copy := _copied(file, path, until):
            return _snapshot(copy, "mode=rw", until)
        how = ["mode=rw"] if may(file, os.W_OK) and may(file.parent, os.W_OK) else []
        for one in [*how, "mode=ro"] if how or beside(file, "-shm").exists() else []:
            try:
                return _snapshot(file, one, until)
            except sqlite3.OperationalError:
                if _log_of(file):
                    raise
        return _snapshot(file, "mode=ro&immutable=1", until)  # nor is there room for SQLite's files on a full disk


def _snapshot(file: Path, how: str, until: ExitStack) -> sqlite3.Connection:
    """A connection with a read transaction begun."""
    with ExitStack() as own:
        name = f"{file.as_uri()}?{how}"
        db = own.enter_context(
            closing(sqlite3.connect(name, uri=True, isolation_level=None, timeout=5, check_same_thread=False))
        )
        db.execute("PRAGMA query_only = ON")
        db.execute("BEGIN")
        db.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone()  # the snapshot is taken with the first reading
        until.push(own.pop_all())
    return db


def _log_of(file: Path) -> bool:
    """Whether there is anything in the log beside a journal."""
    log = beside(file, "-wal")
    return log.exists() and log.stat().st_size > 0


def _copied(file: Path, path: Path, until: ExitStack) -> Path | None:
    """A copy of a journal that nobody has open and whose log is not empty; None for any other."""
    lock = beside(file, ".lock")
    try:
        while _log_of(file):
            with ExitStack() as holding:
                locked = lock.exists()
                if locked and not _flock(holding.enter_context(lock.open("rb")), fcntl.LOCK_SH, path):
                    return None
                with suppress(FileNotFoundError):  # whoever had it has closed it meanwhile
                    folder = until.enter_context(tempfile.TemporaryDirectory(prefix="throwlock-"))
                    copy = Path(shutil.copyfile(file, Path(folder, file.name)))
                    shutil.copyfile(beside(file, "-wal"), beside(copy, "-wal"))
                    if lock.exists() == locked:
                        return copy
    except OSError as error:
        raise JournalError(f"{path} can't be read ({error.strerror or error}): check {error.filename}") from error
    return None
