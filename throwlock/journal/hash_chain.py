"""The chain of a journal's events, and whether all of it that was written is still there."""

import hashlib
import json
import sqlite3
from contextlib import closing
from pathlib import Path

from throwlock.journal.file import JournalDamagedError, in_words
from throwlock.journal.tail_marker import newest

LOOKED_AT = 1000
"""The newest events that are looked at when a box begins after it was cut off: what stands before them was written long
before the power went; ``throwlock verify`` looks at all."""


class EventLostError(JournalDamagedError):
    """Events that were written are not there, or are not what was written."""


def canonical(value: object) -> str:
    """JSON as it stands in the journal: keys sorted, no blanks. Raises ValueError for what JSON has not."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def chained(number: int, match: int, at: str, kind: str, body: str, previous: str) -> str:
    """The hash of an event, hexadecimal; ``body`` as it stands in the table."""
    return hashlib.sha256(canonical([number, match, at, kind, body, previous]).encode()).hexdigest()


def origin_of(identity: str) -> str:
    """What the first event names as the hash before it, from the journal's id."""
    return hashlib.sha256(identity.encode()).hexdigest()


def check_whole(path: Path) -> None:
    """Look at the newest events of a journal that was cut off, changing nothing. Raises EventLostError, or
    JournalDamagedError where it can't be read."""
    file = path.resolve()
    noted = newest(file)
    if noted is None or not file.exists():
        return
    if file.stat().st_size == 0:
        raise _lost(path, 0, noted[0])
    with in_words(path), closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True, isolation_level=None)) as db:
        db.execute("BEGIN")
        rows = db.execute(
            "SELECT number, match, at, kind, body, previous, hash FROM event ORDER BY number DESC LIMIT ?", (LOOKED_AT,)
        ).fetchall()
        there = db.execute("SELECT hash FROM event WHERE number = ?", (noted[0],)).fetchone()
        ends = db.execute("SELECT value FROM journal WHERE name = 'last'").fetchone()
    expected = ends[0] if ends else None
    for *columns, own in rows:
        if own != expected or chained(*columns) != own:
            raise EventLostError(_told(path, f"event {columns[0]} or what came after it is not what was written"))
        expected = columns[-1]
    if there is None:
        raise _lost(path, rows[0][0] if rows else 0, noted[0])
    if there[0] != noted[1]:
        raise EventLostError(_told(path, f"event {noted[0]} is not the one that was written"))


def _lost(path: Path, left: int, written: int) -> EventLostError:
    if written - left == 1:
        return EventLostError(
            f"{path} has lost what was written last: event {written} is missing. Keep the file, and go on with "
            "--journal and a new name"
        )
    return EventLostError(
        f"{path} has lost what was written last: events {left + 1} to {written} are missing. Keep the file, and go on "
        "with --journal and a new name"
    )


def _told(path: Path, what: str) -> str:
    return f"{path} has lost what was written last: {what}. Keep the file, and go on with --journal and a new name"
