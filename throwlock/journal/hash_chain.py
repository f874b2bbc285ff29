"""The hash chain of the events, and the check of its newest part after a crash."""

import hashlib
import json
from contextlib import ExitStack
from pathlib import Path

from messages import LazyText, N
from throwlock.journal.file import JournalDamagedError, open_snapshot, translate_sqlite_errors
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
    with translate_sqlite_errors(path), ExitStack() as exit_stack:
        db = open_snapshot(file, "mode=ro", exit_stack)
        rows = db.execute(
            "SELECT number, match, at, kind, body, previous_hash, hash FROM event ORDER BY number DESC LIMIT ?",
            (CHECKED_TAIL_EVENTS,),
        ).fetchall()
        marked_row = db.execute("SELECT hash FROM event WHERE number = ?", (marked[0],)).fetchone()
        metadata = db.execute("SELECT value FROM journal WHERE name = 'last_hash'").fetchone()
    expected = metadata[0] if metadata else None
    for *columns, stored in rows:
        if stored != expected or event_hash(*columns) != stored:
            raise _lost_events_error(
                N(
                    "{path} has lost its newest events: event {number} or a later one was changed",
                    path=path,
                    number=columns[0],
                )
            )
        expected = columns[-1]
    if marked_row is None:
        raise _missing_events_error(path, rows[0][0] if rows else 0, marked[0])
    if marked_row[0] != marked[1]:
        raise _lost_events_error(
            N(
                "{path} has lost its newest events: event {number} is not the one that was written",
                path=path,
                number=marked[0],
            )
        )


def _missing_events_error(path: Path, left: int, written: int) -> EventLostError:
    if written - left == 1:
        return _lost_events_error(
            N("{path} has lost its newest events: event {number} is missing", path=path, number=written)
        )
    return _lost_events_error(
        N(
            "{path} has lost its newest events: events {first} to {last} are missing",
            path=path,
            first=left + 1,
            last=written,
        )
    )


def _lost_events_error(text: LazyText) -> EventLostError:
    return EventLostError(text, terminal_hint=". Keep the file and give another name with --journal")
