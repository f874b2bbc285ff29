"""Number and hash of the newest event, in a file next to the journal while a box plays. SQLite silently drops the end
of a log that was cut or garbled; the marker reveals that events are missing, and which."""

import hashlib
import os
from contextlib import suppress
from pathlib import Path

TAIL_SUFFIX = ".tail"
SLOT_BYTES = 4096
"""Distance of the file's two notes: one block of an SD card, so that an interrupted write leaves the other note
whole."""
NOTE_BYTES = 128
"""A note is padded with spaces."""


def _encode_note(number: int, event_hash: str) -> bytes:
    text = f"{number} {event_hash}"
    return f"{text} {hashlib.sha256(text.encode()).hexdigest()[:16]}".ljust(NOTE_BYTES).encode()


def _decode_note(data: bytes) -> tuple[int, str] | None:
    """Return a note's number and hash; None when it is damaged."""
    number, _, rest = data.decode("ascii", "replace").partition(" ")
    event_hash = rest.partition(" ")[0]
    return (int(number), event_hash) if number.isdecimal() and data == _encode_note(int(number), event_hash) else None


def read_tail_marker(journal: Path) -> tuple[int, str] | None:
    """Return number and hash of the newest event by the marker; None without a readable marker."""
    try:
        with Path(os.path.realpath(journal) + TAIL_SUFFIX).open("rb") as file:
            notes = [_decode_note(file.read(SLOT_BYTES)[:NOTE_BYTES]) for _ in range(2)]
    except OSError:
        return None
    return max((note for note in notes if note), default=None)


def remove_tail_marker(journal: Path) -> None:
    """Remove a journal's marker file; it stays while events are still in the log, as on a full disk."""
    file = os.path.realpath(journal)
    with suppress(OSError):
        if Path(file + "-wal").stat().st_size:
            return
    with suppress(OSError):
        Path(file + TAIL_SUFFIX).unlink(missing_ok=True)


def fsync_folder(folder: Path) -> None:
    """Write the names in ``folder`` to the disk. Raises OSError."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class TailMarker:
    """Writes the marker of an open journal. Errors, such as a full disk, are ignored: the marker is then of an earlier
    event."""

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self._handle = -1
        with suppress(OSError):
            file = Path(os.path.realpath(journal) + TAIL_SUFFIX)
            self._handle = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            if os.fstat(self._handle).st_size != 2 * SLOT_BYTES:
                os.pwrite(self._handle, bytes(2 * SLOT_BYTES), 0)  # now, so that no note changes the file's size
            os.fsync(self._handle)
            fsync_folder(file.parent)  # or a power cut may lose the file's name

    def write(self, number: int, event_hash: str) -> None:
        """Mark event ``number`` with its hash as written; on the disk when this returns."""
        with suppress(OSError):
            os.pwrite(self._handle, _encode_note(number, event_hash), SLOT_BYTES * (number % 2))
            os.fdatasync(self._handle)

    def remove(self) -> None:
        """Close the file and remove it; see ``remove_tail_marker``."""
        with suppress(OSError):
            os.close(self._handle)
        self._handle = -1
        remove_tail_marker(self._journal)
