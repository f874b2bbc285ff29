"""The hash chain of the events, and the check of its newest part after a crash."""

import hashlib
import json
import sqlite3
from contextlib import closing
from pathlib import Path

from throwlock.journal.file import JournalDamagedError, translate_sqlite_errors
from throwlock.journal.tail_marker import read_tail_marker

CHECKED_TAIL_EVENTS = 1000
"""The newest events checked when a box starts after a crash: earlier ones were on the disk long before. ``throwlock
verify`` checks all."""


class EventLostError(JournalDamagedError):
    """Events that were written are missing or changed."""


def canonical_json(value: object) -> str:
    """Return ``value`` as the journal's JSON: sorted keys, no whitespace. Raises ValueError for NaN and infinity."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def event_hash(number: int, match: int, at: str, kind: str, body: str, previous_hash: str) -> str:
    """Return the SHA-256 of an event, hexadecimal; ``body`` as stored."""
    return hashlib.sha256(canonical_json([number, match, at, kind, body, previous_hash]).encode()).hexdigest()


def origin_hash(journal_id: str) -> str:
    """Return the ``previous_hash`` of a journal's first event."""
    return hashlib.sha256(journal_id.encode()).hexdigest()


def check_tail(path: Path) -> None:
    """Check the newest events of a journal after a crash, without changing anything; does nothing after a clean
    shutdown.

    Raises:
        EventLostError: Events that were written are missing or changed.
        JournalDamagedError: The journal can't be read.
    """
    file = path.resolve()
    marked = read_tail_marker(file)
    if marked is None or not file.exists():
        return
    if file.stat().st_size == 0:
        raise _missing_events_error(path, 0, marked[0])
    with (
        translate_sqlite_errors(path),
        closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True, isolation_level=None)) as db,
    ):
        db.execute("BEGIN")
        rows = db.execute(
            "SELECT number, match, at, kind, body, previous_hash, hash FROM event ORDER BY number DESC LIMIT ?",
            (CHECKED_TAIL_EVENTS,),
        ).fetchall()
        marked_row = db.execute("SELECT hash FROM event WHERE number = ?", (marked[0],)).fetchone()
        metadata = db.execute("SELECT value FROM journal WHERE name = 'last_hash'").fetchone()
    expected = metadata[0] if metadata else None
    for *columns, stored in rows:
        if stored != expected or event_hash(*columns) != stored:
            raise EventLostError(_wrong_event_error(path, f"event {columns[0]} or a later one was changed"))
        expected = columns[-1]
    if marked_row is None:
        raise _missing_events_error(path, rows[0][0] if rows else 0, marked[0])
    if marked_row[0] != marked[1]:
        raise EventLostError(_wrong_event_error(path, f"event {marked[0]} is not the one that was written"))


def _missing_events_error(path: Path, left: int, written: int) -> EventLostError:
    if written - left == 1:
        return EventLostError(
            f"{path} has lost its newest events: event {written} is missing. Keep the file and give "
            "another name with --journal"
        )
    return EventLostError(
        f"{path} has lost its newest events: events {left + 1} to {written} are missing. Keep the file and "
        "give another name with --journal"
    )


def _wrong_event_error(path: Path, what: str) -> str:
    return f"{path} has lost its newest events: {what}. Keep the file and give another name with --journal"
