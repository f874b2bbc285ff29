"""Changes to a journal other than a match's events, also while a box plays: marks, notes, and deleting images and names
for good. The hash chain stays whole, and every match can still be replayed.

Each deletion is recorded by one event, so that what was deleted in another way is found. The event is written no later
than the deletion begins: one that is interrupted leaves some of what it lists."""

import math
import os
import sqlite3
import threading
from collections.abc import Container, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from errors import NotFoundError, RefusedError
from messages import N
from rules.record.event import MAX_NOTE_LENGTH, ReviewMark
from throwlock.journal.events import Corrected, Deleted, DisputeRejected, MatchStarted, RoundJudged, RoundVoided
from throwlock.journal.file import (
    CREATE_NOTE_TABLE,
    CREATE_PLAYER_TABLE,
    FileLock,
    JournalError,
    connect_to_write,
    has_access,
    is_new,
    transaction,
    translate_sqlite_errors,
)
from throwlock.journal.hash_chain import check_tail
from throwlock.journal.journal import NO_MATCH, insert_event, utc_now
from throwlock.journal.kept_frames import KeptFrames
from throwlock.journal.quarantined import delete_quarantined, find_quarantined, trim_quarantined
from throwlock.journal.tail_marker import remove_tail_marker

CHECKPOINT_TIMEOUT_S = 1.0
"""How long an attempt to empty the log waits for readers; a box's write waits no longer for it."""
CHECKPOINT_ATTEMPTS = 3
MAX_QUARANTINE_S = 30 * 86_400.0
"""How long a damaged journal that was put aside is kept, unless the settings say otherwise."""
MAX_TRIM_BYTES = 64 * 2**20
"""Of evidence deleted between two matches."""
SAMPLED_EVENTS = 1000
"""Newest events whose mean length stands for all."""
EVENT_OVERHEAD_BYTES = 220
"""An event without its body: two hashes, time stamp, kind, numbers, and its index entry."""
ROUND_BATCH = 25
"""Rounds fetched per query."""
MAX_NOTES = 2000
"""Notes in a journal: they are rewritten together."""
NoteRow = tuple[int, str, str]
"""A note as stored: event, text, time."""
ROUNDS_OF_MATCH = "SELECT number FROM event WHERE match = ?"
MATCH_OF_EVENT = "SELECT match FROM event WHERE number = ?"
_PROCESS_LOCK = threading.Lock()
"""One thread of a process at a time, so that each gets the file lock."""


@dataclass(frozen=True)
class DeletionResult:
    """What a deletion did."""

    evidence_count: int
    """Pieces of evidence deleted."""
    log_cleared: bool
    """Whether the log was emptied. If not, a reader has it open for seconds, and deleted data is left there until
    ``JournalMaintenance.clear_log`` or the journal is closed."""


class JournalMaintenance:
    """Changes a journal on behalf of the review pages. Thread-safe; the journal is open only during a call.

    maintenance = JournalMaintenance(Path("evening.journal"))
    maintenance.mark(12, ReviewMark.TO_REVIEW)
    maintenance.delete_pictures(9)

    Every method raises JournalError, and changes nothing, when the journal can't be written or has lost events. An open
    reader keeps deleted data in the files: close your own before a deletion.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def mark(self, event: int, mark: ReviewMark | None) -> None:
        """Set, replace or (None) remove the mark of the round of ``event``. Raises NotFoundError when there is no such
        round."""
        with self._open() as db, transaction(db):
            row = db.execute("SELECT kind FROM event WHERE number = ?", (event,)).fetchone()
            if row is None or row[0] not in (RoundJudged.kind, RoundVoided.kind):
                raise NotFoundError(N("There is no round {event}.", event=event))
            if mark is None:
                db.execute("DELETE FROM mark WHERE event = ?", (event,))
            else:
                db.execute("INSERT OR REPLACE INTO mark VALUES (?, ?, ?)", (event, str(mark), utc_now()))

    def write_note(self, event: int, note: str) -> bool:
        """Write, replace or ("") delete the note of the round of ``event``, or of the match that starts with it. Line
        breaks stay, other control characters don't. Returns whether the log was emptied of an earlier note.

        Raises:
            NotFoundError: There is no such round or match.
            RefusedError: The note is longer than MAX_NOTE_LENGTH, or there are MAX_NOTES already.
        """
        lines = ("".join(filter(str.isprintable, line)) for line in note.splitlines())
        text = "\n".join(lines).strip()
        if len(text) > MAX_NOTE_LENGTH:
            raise RefusedError(
                N("A note has at most {most} characters; this one has {count}.", most=MAX_NOTE_LENGTH, count=len(text))
            )
        with self._open() as db:
            with transaction(db):
                row = db.execute("SELECT kind FROM event WHERE number = ?", (event,)).fetchone()
                if row is None or row[0] not in (MatchStarted.kind, RoundJudged.kind, RoundVoided.kind):
                    raise NotFoundError(N("There is no match or round {event}.", event=event))
                notes = [note for note in _read_notes(db) if note[0] != event]
                if text and len(notes) >= MAX_NOTES:
                    raise RefusedError(N("There are {most} notes: delete one first.", most=MAX_NOTES))
                _replace_notes(db, [*notes, (event, text, utc_now())] if text else notes)
            return _checkpoint(db)

    def delete_pictures(self, match: int) -> DeletionResult:
        """Delete all evidence of a match for good, and the damaged journals that it was continued from. Raises
        NotFoundError when there is no such match."""
        with self._open() as db:
            with transaction(db):
                if match == NO_MATCH or not db.execute("SELECT 1 FROM event WHERE match = ?", (match,)).fetchone():
                    raise NotFoundError(N("There is no match {match}.", match=match))
                events = _events_with_evidence(db, [match])
                _record(db, Deleted(reason="requested", events=events))
                count = _delete_evidence(db, events)
                self._delete_frames(db, [match])
                with _as_journal_error(self.path):
                    delete_quarantined(self.path, _quarantined_before(db, self.path, match))
            return DeletionResult(count, _checkpoint(db))

    def forget(self, key: str) -> DeletionResult:
        """Delete a player's name, its salt, and all evidence and notes of their matches for good. Images go first, one
        match per transaction, so that a box never waits long; the name goes last, so that an interrupted deletion can
        be repeated. Raises NotFoundError when there is no such player."""
        with self._open() as db:
            player = db.execute("SELECT name IS NULL AND salt IS NULL FROM player WHERE key = ?", (key,)).fetchone()
            if player is None:
                raise NotFoundError(N("There is no such player."))
            matches, count = _matches_of_player(db, key), 0
            keys = () if player[0] else (key,)
            with transaction(db):
                events = {match: _events_with_evidence(db, [match]) for match in matches}
                _record(db, Deleted(reason="player forgotten", events=tuple(chain(*events.values())), players=keys))
            for match in matches:
                with transaction(db):
                    count += _delete_evidence(db, events[match])
                    self._delete_frames(db, [match])
            with transaction(db):
                written_since = _events_with_evidence(db, _matches_of_player(db, key))
                _record(db, Deleted(reason="player forgotten", events=written_since))
                count += _delete_evidence(db, written_since)
                self._delete_frames(db, _matches_of_player(db, key))
                _delete_notes(db, _matches_of_player(db, key))
                _erase_name(db, key)
            with _as_journal_error(self.path):
                KeptFrames(self.path).delete_orphans(db.execute("SELECT number, hash FROM event"))
            return DeletionResult(count, _checkpoint(db))

    def trim_evidence(
        self, max_bytes: int, max_deleted_bytes: int = MAX_TRIM_BYTES, max_quarantine_s: float = MAX_QUARANTINE_S
    ) -> int:
        """Delete the oldest evidence until at most ``max_bytes`` are left; that of rounds marked "to review" or
        disputed only when there is no other. Deletes at most ``max_deleted_bytes``, so that nobody waits long. The file
        does not shrink: new images reuse its free pages. Damaged journals that were put aside count too, and go first;
        they also go ``max_quarantine_s`` after that. Returns the number of rounds affected."""
        with self._open() as db:
            size = _estimate_evidence_bytes(db)
            with _as_journal_error(self.path):
                size += trim_quarantined(self.path, max_quarantine_s, max(0, max_bytes - size))
            excess = min(size - max_bytes, max_deleted_bytes)
            rounds: list[int] = []
            with transaction(db):
                for event, size in _rounds_to_trim(db):
                    if excess <= 0:
                        break
                    rounds.append(event)
                    excess -= size
                _record(db, Deleted(reason="space", events=tuple(sorted(rounds))))
            for event in rounds:
                with transaction(db):
                    _delete_evidence(db, [event])
            with _as_journal_error(self.path):
                KeptFrames(self.path).delete(rounds)
            if rounds:
                _checkpoint(db)
            return len(rounds)

    def free_bytes(self) -> int:
        """Return the size of the journal's pages that new events and evidence use before its file grows."""
        with self._open() as db:
            return math.prod(db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_size", "freelist_count"))

    def clear_log(self) -> bool:
        """Move the log's content into the journal and empty it, so that no deleted data is left there. Returns whether
        that was possible."""
        with self._open() as db:
            return _checkpoint(db)

    def _delete_frames(self, db: sqlite3.Connection, matches: Iterable[int]) -> None:
        rounds = [event for match in matches for (event,) in db.execute(ROUNDS_OF_MATCH, (match,))]
        with _as_journal_error(self.path):
            KeptFrames(self.path).delete(rounds)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        if is_new(self.path):
            raise JournalError(N("there is no journal at {path}", path=self.path))
        if not all(has_access(path, os.W_OK) for path in (self.path, self.path.resolve().parent)):
            raise JournalError(
                N("{path} can’t be written: make it and its folder writable for this user", path=self.path)
            )
        with _PROCESS_LOCK, ExitStack() as exit_stack, translate_sqlite_errors(self.path):
            file_lock = _try_file_lock(self.path)
            if file_lock:
                exit_stack.callback(file_lock.release)
                check_tail(self.path)
                exit_stack.callback(lambda: remove_tail_marker(self.path))
            db = connect_to_write(self.path.resolve())
            exit_stack.callback(db.close)
            yield db


@contextmanager
def _as_journal_error(path: Path) -> Iterator[None]:
    """Raise an OSError of what is kept next to a journal as a JournalError."""
    try:
        yield
    except OSError as error:
        raise JournalError(N("what is kept next to {path} can’t be deleted", path=path)) from error


def _try_file_lock(path: Path) -> FileLock | None:
    """Take the file lock, so that no box opens the journal meanwhile; None when one holds it already."""
    try:
        return FileLock(path, wait_s=0)
    except JournalError:
        return None


def _estimate_evidence_bytes(db: sqlite3.Connection) -> int:
    """Estimate the bytes of all evidence: the used pages minus the events, whose bodies are assumed as long as the
    newest. An exact sum would have to read every piece from the card."""
    size, pages, free = (
        db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_size", "page_count", "freelist_count")
    )
    events, long = db.execute(
        "SELECT max(number), avg(length(body)) FROM (SELECT number, body FROM event ORDER BY number DESC LIMIT ?)",
        (SAMPLED_EVENTS,),
    ).fetchone()
    return int(size * (pages - free)) - round((events or 0) * ((long or 0) + EVENT_OVERHEAD_BYTES))


def _rounds_to_trim(db: sqlite3.Connection) -> Iterator[tuple[int, int]]:
    """Yield rounds with evidence and its size in bytes, the oldest first; ones marked "to review" and disputed ones
    after all others. They are read in batches: an open query would keep the log from being emptied."""
    protected = []
    rows = [(0, 0, 0)]
    while rows:
        rows = db.execute(
            "SELECT event, sum(length(data)), "
            "EXISTS (SELECT 1 FROM mark WHERE mark.event = evidence.event AND mark = :mark) OR EXISTS ("
            "SELECT 1 FROM event WHERE match = (SELECT match FROM event WHERE number = evidence.event) "
            "AND kind IN (:correction, :dispute_rejected) AND body ->> '$.round' = evidence.event) "
            "FROM evidence WHERE event > :last AND data IS NOT NULL GROUP BY event ORDER BY event LIMIT :count",
            {
                "mark": str(ReviewMark.TO_REVIEW),
                "correction": Corrected.kind,
                "dispute_rejected": DisputeRejected.kind,
                "last": rows[-1][0],
                "count": ROUND_BATCH,
            },
        ).fetchall()
        protected += [(event, size) for event, size, is_protected in rows if is_protected]
        yield from ((event, size) for event, size, is_protected in rows if not is_protected)
    yield from protected


def _record(db: sqlite3.Connection, deletion: Deleted) -> None:
    """Write the event of a deletion, if it deletes anything."""
    if deletion.events or deletion.players:
        insert_event(db, NO_MATCH, deletion, utc_now())


def _events_with_evidence(db: sqlite3.Connection, matches: Iterable[int]) -> tuple[int, ...]:
    query = (
        "SELECT DISTINCT event FROM evidence JOIN event ON event = number "
        "WHERE match = ? AND data IS NOT NULL ORDER BY event"
    )
    return tuple(event for match in matches for (event,) in db.execute(query, (match,)))


def _delete_evidence(db: sqlite3.Connection, events: Iterable[int]) -> int:
    query = "UPDATE evidence SET salt = NULL, data = NULL WHERE event = ? AND data IS NOT NULL"
    return sum(db.execute(query, (event,)).rowcount for event in events)


def _matches_of_player(db: sqlite3.Connection, key: str) -> list[int]:
    rows = db.execute(
        "SELECT number FROM event WHERE kind = ? AND CASE WHEN json_valid(body) THEN "
        "EXISTS (SELECT 1 FROM json_each(body, '$.players') WHERE value = ?) END ORDER BY number",
        (MatchStarted.kind, key),
    )
    return [number for (number,) in rows.fetchall()]


def _quarantined_before(db: sqlite3.Connection, path: Path, match: int) -> Container[int]:
    """Return the numbers of the damaged journals that may have a match too, since it was continued from the last."""
    continued_from = "SELECT body ->> '$.continued_from.file' FROM event WHERE number = ? AND match = number"
    name = next(iter(db.execute(f"{continued_from} AND body ->> '$.imported_from' IS NULL", (match,))), (None,))[0]
    last = max((old.number for old in find_quarantined(path) if name in [file.name for file in old.paths]), default=0)
    return range(1, last + 1)


def _erase_name(db: sqlite3.Connection, key: str) -> None:
    """Erase a player's name and salt by rebuilding the table: pages of a dropped table are overwritten whole, with any
    remains of earlier changes between the rows."""
    rows = db.execute("SELECT key, salt, name FROM player ORDER BY rowid").fetchall()
    db.execute("DROP TABLE player")
    db.execute(CREATE_PLAYER_TABLE)
    db.executemany(
        "INSERT INTO player VALUES (?, ?, ?)",
        [(player, None, None) if player == key else (player, salt, name) for player, salt, name in rows],
    )


def _read_notes(db: sqlite3.Connection) -> list[NoteRow]:
    """Return all notes; none if the journal has never had any."""
    if not db.execute("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'note'").fetchone():
        return []
    return db.execute("SELECT event, note, at FROM note ORDER BY event").fetchall()


def _replace_notes(db: sqlite3.Connection, notes: Iterable[NoteRow]) -> None:
    """Replace all notes by rebuilding the table, for the reason of ``_erase_name``."""
    db.execute("DROP TABLE IF EXISTS note")
    db.execute(CREATE_NOTE_TABLE)
    db.executemany("INSERT INTO note VALUES (?, ?, ?)", notes)


def _delete_notes(db: sqlite3.Connection, matches: Iterable[int]) -> None:
    """Delete the notes of ``matches`` and of their rounds, which may name a player."""
    notes, of = _read_notes(db), set(matches)
    others = [note for note in notes if db.execute(MATCH_OF_EVENT, note[:1]).fetchone()[0] not in of]
    if len(others) < len(notes):
        _replace_notes(db, others)


def _checkpoint(db: sqlite3.Connection) -> bool:
    """Move the log into the journal and empty it; return whether no reader prevented that."""
    db.execute(f"PRAGMA busy_timeout = {round(CHECKPOINT_TIMEOUT_S * 1000)}")
    for _ in range(CHECKPOINT_ATTEMPTS):
        busy, *_rest = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if not busy:
            return True
    return False
