"""A journal as a file: what may be one, how it is made whole or not at all, how one box at a time has it, and how it is
read without a trace."""

import fcntl
import os
import shutil
import sqlite3
import stat
import struct
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import IO

APPLICATION_ID = 0x54484C4B  # "THLK", in the file's header
VERSION = 1
"""Of the tables; a journal of another version is refused, not guessed at."""

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


class JournalFault(Exception):
    """The journal can't be used or is not in order. The message says what, where, and how to mend it."""


def usual_place() -> Path:
    """``$XDG_DATA_HOME/throwlock/throwlock.journal``, whether it is there or not."""
    data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return data / "throwlock" / "throwlock.journal"


def beside(path: Path, ending: str) -> Path:
    """The file beside ``path`` with ``ending`` after its name, where SQLite keeps its own (-wal, -shm)."""
    return path.with_name(path.name + ending)


@contextmanager
def in_words(path: Path) -> Iterator[None]:
    """Turn what SQLite says of ``path`` into a JournalFault."""
    try:
        yield
    except (sqlite3.ProgrammingError, sqlite3.InterfaceError):
        raise  # ours, not the file's
    except sqlite3.Error as error:
        raise JournalFault(_told(path, error)) from error


def _told(path: Path, error: sqlite3.Error) -> str:
    match getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF:
        case sqlite3.SQLITE_FULL:
            return f"the disk of {path} is full: free some space and go on"
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return f"{path} is in use by another program: close that one first"
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_ERROR:
            return f"{path} is damaged ({error}): keep the file, and go on with --journal and a new name"
        case _:
            return f"{path} can't be used ({error}): check its disk, and that the file and its folder can be written"


def is_new(path: Path) -> bool:
    """Whether ``path`` has to be made. Raises JournalFault, without touching it, when it is no journal of ours."""
    try:
        kind = path.stat()
    except FileNotFoundError:
        if not path.resolve().parent.is_dir():
            raise JournalFault(f"{path} can't be made: there is no folder {path.absolute().parent}") from None
        return True
    except OSError as error:
        raise JournalFault(f"{path} can't be read ({error.strerror}): give another name with --journal") from error
    if not stat.S_ISREG(kind.st_mode):
        raise JournalFault(f"{path} can't be a journal, it is no file: give another name with --journal")
    if kind.st_size == 0:
        return True
    try:
        with path.open("rb") as file:
            header = file.read(100)
    except OSError as error:
        raise JournalFault(f"{path} can't be read ({error.strerror}): give another name with --journal") from error
    if len(header) < 100 or not header.startswith(b"SQLite format 3\0"):
        raise JournalFault(f"{path} is no journal of Throwlock: give another name with --journal")
    (version,), (application,) = struct.unpack(">i", header[60:64]), struct.unpack(">i", header[68:72])
    if application != APPLICATION_ID:
        raise JournalFault(f"{path} is some other program's database: give another name with --journal")
    if version != VERSION:
        raise JournalFault(
            f"{path} has tables of version {version}, and this Throwlock reads version {VERSION}: "
            "give another name with --journal"
        )
    return False


class Hold:
    """One box's hold on a journal, through the file ``NAME.lock`` beside it: closing a second handle on the journal
    itself would drop SQLite's own locks. The kernel lets go of it when the process dies; ``release`` also takes the
    file away."""

    def __init__(self, path: Path) -> None:
        """Raises JournalFault when another box has the journal, or the folder can't be written."""
        self._file = beside(path.resolve(), ".lock")
        while True:
            try:
                self._handle = self._file.open("ab")
            except OSError as error:
                raise JournalFault(
                    f"{self._file} can't be written ({error.strerror}): choose another folder with --journal"
                ) from error
            _flock(self._handle, fcntl.LOCK_EX, path)
            if _is_at(self._handle, self._file):
                return
            self._handle.close()  # whoever had it took it away in between

    def release(self) -> None:
        """Let another box have it. May be called twice."""
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


def _flock(handle: IO[bytes], how: int, path: Path) -> None:
    try:
        fcntl.flock(handle, how | fcntl.LOCK_NB)
    except BlockingIOError as error:
        handle.close()
        raise JournalFault(f"{path} is in use by another Throwlock: stop that one first") from error
    except OSError as error:
        handle.close()
        raise JournalFault(f"{path} can't be locked ({error.strerror}): choose a folder on this machine") from error


def make(path: Path, identity: str, first: str) -> None:
    """Make an empty journal at ``path``, whole or not at all; ``first`` is what its first event will name as the hash
    before it. Raises sqlite3.Error or OSError, and then leaves nothing."""
    new = beside(path.resolve(), ".new")
    _clear(new)  # of a process that was killed
    try:
        with closing(sqlite3.connect(new, isolation_level=None)) as db:
            db.execute("BEGIN EXCLUSIVE")
            for statement in TABLES.split(";"):
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


def _clear(new: Path) -> None:
    for ending in ("", "-journal", "-wal", "-shm"):
        beside(new, ending).unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def open_to_read(path: Path, until: ExitStack) -> sqlite3.Connection:
    """A connection that leaves no trace: neither the file nor its folder is written, so both may be read-only.

    Where a box was killed, what it wrote last is still in the log beside the journal; then a copy of both in the
    directory for temporary files is read. ``until`` closes all of it. Raises JournalFault.
    """
    if is_new(path):
        raise JournalFault(f"{path} is no journal of Throwlock: it is empty")
    file = path.resolve()
    lock = beside(file, ".lock")
    try:
        if lock.exists():
            _flock(until.enter_context(lock.open("rb")), fcntl.LOCK_SH, path)
        log = beside(file, "-wal")
        if log.exists() and log.stat().st_size > 0:
            folder = until.enter_context(tempfile.TemporaryDirectory(prefix="throwlock-"))
            file = Path(shutil.copyfile(file, Path(folder, file.name)))
            shutil.copyfile(log, beside(file, "-wal"))
            how = "mode=rw"
        else:
            how = "mode=ro&immutable=1"
    except OSError as error:
        raise JournalFault(f"{path} can't be read ({error.strerror or error}): check {error.filename}") from error
    with in_words(path):
        return until.enter_context(closing(sqlite3.connect(f"{file.as_uri()}?{how}", uri=True, isolation_level=None)))
