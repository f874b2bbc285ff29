"""The newest event's number and hash, kept in a file beside the journal while a box plays. SQLite drops the end of a
log that was cut or garbled without a word; this tells that events are missing, and which."""

import hashlib
import os
from contextlib import suppress
from pathlib import Path

ENDING = ".newest"
"""Of the file's name, after the journal's."""
SLOT = 4096
"""Bytes from one of the file's two notes to the other: a block of an SD card, so that a note whose writing is cut off
leaves the one before it whole."""
LENGTH = 128
"""Bytes of a note, filled up with blanks."""


def _note(number: int, own: str) -> bytes:
    said = f"{number} {own}"
    return f"{said} {hashlib.sha256(said.encode()).hexdigest()[:16]}".ljust(LENGTH).encode()


def _noted(data: bytes) -> tuple[int, str] | None:
    """What a note says; None where it is not whole."""
    number, _, rest = data.decode("ascii", "replace").partition(" ")
    own = rest.partition(" ")[0]
    return (int(number), own) if number.isdecimal() and data == _note(int(number), own) else None


def newest(journal: Path) -> tuple[int, str] | None:
    """Number and hash of the newest event that was written before a box was cut off, or which it has written by now;
    None where nothing says so."""
    try:
        with Path(os.path.realpath(journal) + ENDING).open("rb") as file:
            notes = [_noted(file.read(SLOT)[:LENGTH]) for _ in range(2)]
    except OSError:
        return None
    return max((note for note in notes if note), default=None)


def not_needed(journal: Path) -> None:
    """Take the file beside a journal away, in which all is that it could tell of."""
    with suppress(OSError):
        Path(os.path.realpath(journal) + ENDING).unlink(missing_ok=True)


class Newest:
    """Notes the newest event of a journal that is open. What keeps it from being noted (a full disk) keeps no event
    from being written: then the file tells of an earlier one."""

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self._handle = -1
        with suppress(OSError):
            self._handle = os.open(os.path.realpath(journal) + ENDING, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            if os.fstat(self._handle).st_size != 2 * SLOT:
                os.pwrite(self._handle, bytes(2 * SLOT), 0)  # now, so that a note never makes it longer
                os.fsync(self._handle)

    def note(self, number: int, own: str) -> None:
        """Event ``number`` with hash ``own`` is in the journal; that is on the disk when this returns."""
        with suppress(OSError):
            os.pwrite(self._handle, _note(number, own), SLOT * (number % 2))
            os.fdatasync(self._handle)

    def remove(self) -> None:
        """Take the file away."""
        with suppress(OSError):
            os.close(self._handle)
        self._handle = -1
        not_needed(self._journal)
