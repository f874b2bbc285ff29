"""What boxes send, stored once and in order: their journals' events and pictures, every hash and the chain checked.

Hubs store at the same time. Whoever changes journals holds the rows of their boxes, always in the same order.
A box's journal can be compared with what is stored of it."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pydantic_core
from psycopg import Connection, Cursor
from psycopg.types.json import Jsonb
from pydantic import ValidationError

from errors import ThrowlockError
from throwlock.hall.protocol import Acknowledgement, EventBatch, Hello, Picture, Problem, StreamEvent
from throwlock.hub.database import STORED
from throwlock.hub.quota import EVENT_ROW_BYTES, MAX_BOX_BYTES, Excess
from throwlock.journal.events import EVIDENCE_RECORDS, Deleted, MatchStarted, decode_body
from throwlock.journal.hash_chain import is_original_evidence
from throwlock.journal.journal import NO_MATCH, EventRow, JournalReader

EVENT_COLUMNS = "event.number, match, at_text, kind, body::text, previous_hash, event.hash"
"""An event's columns as they are hashed, in the order of an ``EventRow``."""
MAX_PROPERTIES = 64
"""Of a box's state."""
_NUL_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")
"""U+0000 in a JSON text: PostgreSQL stores it, but its functions can't read it."""


class Arrival(NamedTuple):
    """A message of a box about its journal."""

    box: str
    message: Hello | EventBatch


class PictureRefusedError(ThrowlockError):
    """A picture is not evidence of a stored event. The message says why."""


@dataclass
class _Journal:
    """A journal's row, locked by this transaction, with what is to be written to it."""

    id: int
    number: int
    hash: str
    problem: Problem
    announced: int
    events: list[StreamEvent] = field(default_factory=list)
    found: "_Finding | None" = None

    def acknowledge(self, origin: str) -> Acknowledgement:
        """Return what is stored of it."""
        return Acknowledgement(journal=origin, number=self.number, hash=self.hash, problem=self.problem)


@dataclass
class _Box:
    """A box's row, held by this transaction."""

    stored_bytes: int
    """With what this transaction is about to store."""
    room: int
    """How many bytes may be stored of it."""
    is_full: bool = False
    """Whether something was not stored for want of room."""

    def has_room(self, events: Sequence[StreamEvent]) -> bool:
        """Whether events may be stored; they are counted then."""
        size = sum(len(event.body.encode()) + EVENT_ROW_BYTES for event in events)
        if self.stored_bytes + size > self.room:
            self.is_full = True
            return False
        self.stored_bytes += size
        return True


class _Finding(NamedTuple):
    kind: Problem
    number: int
    stored_hash: str
    announced_hash: str


def store_messages(
    connection: Connection, arrivals: Sequence[Arrival], room: int = MAX_BOX_BYTES
) -> list[Acknowledgement]:
    """Store what has arrived from any number of boxes, in one transaction. Returns the answer to each.

    A batch is stored as far as it goes on from what is stored: events that are stored already are not stored again, and
    nothing is stored of a batch that begins later. A journal that does not fit is a problem: it is kept for the
    organiser, and nothing of the journal is taken until ``settle_problem``. A box of which ``room`` bytes would be
    exceeded is full, and nothing more is stored of it. Raises psycopg.Error; nothing is stored then."""
    with connection.transaction(), connection.cursor() as cursor:
        boxes = _lock_boxes(cursor, {arrival.box for arrival in arrivals}, room)
        journals = _add_journals(cursor, boxes, {(arrival.box, arrival.message.journal) for arrival in arrivals})
        answers = []
        for box, message in arrivals:
            journal = journals.get((box, message.journal))
            if journal is None:
                unknown = Acknowledgement(
                    journal=message.journal, number=0, hash=message.journal, problem="unknown box"
                )
                answers.append(unknown)
                continue
            _take(cursor, boxes[box], journal, message)
            answers.append(journal.acknowledge(message.journal))
        _write(cursor, journals)
        note_excess(connection, [name for name, box in boxes.items() if box.is_full], "full")
    return answers


def note_excess(connection: Connection, boxes: Sequence[str], excess: Excess) -> None:
    """Note for the organiser what boxes have too much of. Raises psycopg.Error."""
    if boxes:
        connection.execute("UPDATE box SET excess = %s, excess_at = now() WHERE id = ANY(%s)", (excess, list(boxes)))


def _lock_boxes(cursor: Cursor, boxes: Collection[str], room: int) -> dict[str, _Box]:
    """Return those of the boxes that are of the hall. Nobody else can change them or their journals until the
    transaction ends."""
    cursor.execute(
        "SELECT id, stored_bytes FROM box WHERE id = ANY(%s) AND removed_at IS NULL ORDER BY id FOR NO KEY UPDATE",
        (sorted(boxes),),
    )
    return {box: _Box(stored_bytes, room) for box, stored_bytes in cursor}


def _add_journals(
    cursor: Cursor, boxes: Collection[str], wanted: Collection[tuple[str, str]]
) -> dict[tuple[str, str], _Journal]:
    """Return the wanted journals of boxes of the hall, new ones too, by box and origin. One of which nothing has come
    but a hello makes room for a new one of its box."""
    keys = sorted((box, origin) for box, origin in wanted if box in boxes)
    journals = _select_journals(cursor, keys)
    missing = [key for key in keys if key not in journals]
    if missing:
        cursor.execute(
            "DELETE FROM journal WHERE box = ANY(%s) AND NOT origin = ANY(%s) AND number = 0 AND replaced_at IS NULL "
            "AND NOT EXISTS (SELECT FROM problem WHERE journal = journal.id)",
            ([box for box, _ in missing], [origin for _, origin in keys]),
        )
        cursor.execute(
            "INSERT INTO journal (box, origin, hash) SELECT box, origin, origin "
            "FROM unnest(%s::text[], %s::text[]) AS new (box, origin)",
            _columns(missing),
        )
        journals = _select_journals(cursor, keys)
    return journals


def _select_journals(cursor: Cursor, keys: Sequence[tuple[str, str]]) -> dict[tuple[str, str], _Journal]:
    cursor.execute(
        "SELECT box, origin, id, number, hash, problem, announced FROM journal "
        "JOIN unnest(%s::text[], %s::text[]) AS wanted (box, origin) USING (box, origin) "
        "WHERE replaced_at IS NULL",
        _columns(keys),
    )
    return {(box, origin): _Journal(*row) for box, origin, *row in cursor}


def _columns(keys: Sequence[tuple[str, str]]) -> tuple[list[str], list[str]]:
    return [box for box, _ in keys], [origin for _, origin in keys]


def _take(cursor: Cursor, box: _Box, journal: _Journal, message: Hello | EventBatch) -> None:
    """Take a message into the journal, unless it has a problem or the box has no room."""
    newest = message.number if isinstance(message, Hello) else message.events[-1].number
    journal.announced = max(journal.announced, newest)
    if journal.problem:
        return
    if isinstance(message, Hello):
        journal.found = _check_hello(cursor, journal, message)
    else:
        journal.found = _check_batch(cursor, journal, message)
    if journal.found:
        journal.problem = journal.found.kind
    elif isinstance(message, EventBatch) and message.events[0].number <= journal.number + 1 <= newest:
        events = message.events[journal.number + 1 - message.events[0].number :]
        if box.has_room(events):
            journal.events += events
            journal.number, journal.hash = newest, message.events[-1].hash


def _check_hello(cursor: Cursor, journal: _Journal, hello: Hello) -> _Finding | None:
    if hello.number > journal.number:
        return None
    stored = _stored_hash(cursor, journal, hello.number, hello.journal)
    if hello.hash != stored:
        return _Finding("rewritten", hello.number, stored, hello.hash)
    if hello.number < journal.number and hello.number < hello.stored:  # not merely an old message
        return _Finding("cut", hello.number, journal.hash, hello.hash)
    return None


def _check_batch(cursor: Cursor, journal: _Journal, batch: EventBatch) -> _Finding | None:
    for event in batch.events:
        if not (event.has_valid_hash() and _is_storable(event)):
            return _Finding("forged", event.number, "", event.hash)
    first, last = batch.events[0], batch.events[-1]
    if first.number > journal.number + 1:
        return None
    if first.number == journal.number + 1:
        if first.previous_hash != journal.hash:
            return _Finding("rewritten", journal.number, journal.hash, first.previous_hash)
        return None
    # Each hash is also of the one before: if the newest that both have is the same, all are.
    newest = batch.events[min(last.number, journal.number) - first.number]
    if _stored_hash(cursor, journal, newest.number, batch.journal) == newest.hash:
        return None
    for event in batch.events:
        stored = _stored_hash(cursor, journal, event.number, batch.journal)
        if stored != event.hash:
            return _Finding("rewritten", event.number, stored, event.hash)
    raise AssertionError("one of them was another")


def _stored_hash(cursor: Cursor, journal: _Journal, number: int, origin: str) -> str:
    """Return the hash of an event that is stored, or will be by this transaction."""
    if number == 0:
        return origin
    if journal.events and number >= journal.events[0].number:
        return journal.events[number - journal.events[0].number].hash
    cursor.execute("SELECT hash FROM event WHERE journal = %s AND number = %s", (journal.id, number))
    return str(next(iter(cursor))[0])


def _is_storable(event: StreamEvent) -> bool:
    """Whether PostgreSQL can store an event. It can't store what no journal has: a body that is not a JSON object, or
    U+0000."""
    if "\0" in event.kind or "\0" in event.at:
        return False
    try:
        return isinstance(pydantic_core.from_json(event.body, allow_inf_nan=False), dict)
    except ValueError:
        return False


def _write(cursor: Cursor, journals: dict[tuple[str, str], _Journal]) -> None:
    with cursor.copy(
        "COPY event (journal, number, match, at, kind, body, at_text, previous_hash, hash, understood) FROM STDIN"
    ) as copy:
        for journal in journals.values():
            for event in journal.events:
                copy.write_row((
                    journal.id, event.number, event.match, _parse_time(event.at), event.kind, event.body, event.at,
                    event.previous_hash, event.hash, is_understood(event.kind, event.body),
                ))  # fmt: skip
    if any(event.kind == Deleted.kind for journal in journals.values() for event in journal.events):
        delete_lost_pictures(cursor)
    cursor.executemany(
        "UPDATE journal SET number = %s, hash = %s, problem = %s, announced = %s WHERE id = %s",
        [
            (journal.number, journal.hash, journal.problem, journal.announced, journal.id)
            for journal in journals.values()
        ],
    )
    cursor.executemany(
        "INSERT INTO problem (journal, kind, number, stored_hash, told_hash) VALUES (%s, %s, %s, %s, %s)",
        [(journal.id, *journal.found) for journal in journals.values() if journal.found],
    )
    cursor.execute("UPDATE box SET seen_at = now() WHERE id = ANY(%s)", ([box for box, _ in journals],))
    changed = Counter(box for (box, _), journal in journals.items() if journal.events or journal.found)
    cursor.executemany("SELECT pg_notify(%s, %s)", [(STORED, box) for box in changed])


def _parse_time(at: str) -> datetime | None:
    try:
        parsed = datetime.fromisoformat(at)
        return (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def is_understood(kind: str, body: str) -> bool:
    """Return whether this version knows an event's kind and form, and PostgreSQL's functions can read its body."""
    try:
        decode_body(kind, body)
    except ValueError:
        return False
    return not _NUL_ESCAPE.search(body)


def reread_events(connection: Connection) -> int:
    """Look again at the events that an earlier version did not understand. Returns how many this one does. Raises
    psycopg.Error."""
    with connection.transaction(), connection.cursor() as cursor:
        cursor.execute("SELECT journal, number, kind, body::text FROM event WHERE NOT understood")
        rows = [(journal, number) for journal, number, kind, body in cursor.fetchall() if is_understood(kind, body)]
        cursor.executemany("UPDATE event SET understood = true WHERE journal = %s AND number = %s", rows)
        if rows:
            delete_lost_pictures(cursor)
    return len(rows)


def delete_lost_pictures(cursor: Cursor) -> None:
    """Delete the pictures that nobody is to keep: those that their box has deleted, also of a journal that was
    replaced, and those of matches of a player who is forgotten. Raises psycopg.Error."""
    cursor.execute(
        """DELETE FROM picture USING event AS pictured, journal
        WHERE (pictured.journal, pictured.number) = (picture.journal, picture.event) AND journal.id = picture.journal
        AND (EXISTS (
            SELECT FROM event AS deletion JOIN journal AS same ON same.id = deletion.journal
            WHERE (same.box, same.origin) = (journal.box, journal.origin)
            AND deletion.match = %s AND deletion.kind = %s AND deletion.understood
            AND (deletion.body -> 'events')::jsonb @> to_jsonb(picture.event)
        ) OR EXISTS (
            SELECT FROM event AS started
            JOIN player ON normal_name IS NULL AND (started.body #> '{hall,players}')::jsonb ? player.id
            WHERE (started.journal, started.number) = (pictured.journal, pictured.match)
            AND started.kind = %s AND started.understood
        ))""",
        (NO_MATCH, Deleted.kind, MatchStarted.kind),
    )


def store_picture(connection: Connection, box: str, picture: Picture, room: int = MAX_BOX_BYTES) -> None:
    """Store a piece of evidence of an event that is stored, unless ``room`` bytes would be exceeded by its box.

    Raises:
        PictureRefusedError: There is no such event, it has no such evidence, or nobody is to keep it.
        psycopg.Error: Nothing was stored.
    """
    what = f"picture {picture.name} of event {picture.event}"
    with connection.transaction(), connection.cursor() as cursor:
        # Whoever stores a deletion, or forgets a player, holds this row: it comes before or after, not meanwhile.
        sender = _lock_boxes(cursor, [box], room).get(box)
        cursor.execute(
            "SELECT journal.id, body -> 'evidence' FROM journal JOIN event ON event.journal = journal.id "
            "WHERE box = %s AND origin = %s AND replaced_at IS NULL AND event.number = %s AND understood",
            (box, picture.journal, picture.event),
        )
        row = cursor.fetchone()
        if row is None:
            raise PictureRefusedError(f"{what}: the event is not stored")
        try:
            record = EVIDENCE_RECORDS.validate_python(row[1] or {}).get(picture.name)
        except ValidationError:
            record = None
        if record is None or not (
            record.commitment == picture.commitment
            and record.media_type == picture.media_type
            and is_original_evidence(record.commitment, picture.name, picture.media_type, picture.salt, picture.data)
        ):
            raise PictureRefusedError(f"{what}: the event has no such evidence")
        if sender is None or sender.stored_bytes + len(picture.data) + EVENT_ROW_BYTES > room:
            note_excess(connection, [box], "full")
            return
        cursor.execute(
            "INSERT INTO picture (journal, event, name, media_type, data) VALUES (%s, %s, %s, %s, %s) "
            "ON CONFLICT DO NOTHING",
            (row[0], picture.event, picture.name, picture.media_type, picture.data),
        )
        delete_lost_pictures(cursor)
        cursor.execute(
            "SELECT FROM picture WHERE (journal, event, name) = (%s, %s, %s)", (row[0], picture.event, picture.name)
        )
        if cursor.fetchone() is None:
            raise PictureRefusedError(f"{what}: it was deleted")


def settle_problem(connection: Connection, journal: int, note: str, *, replace: bool) -> None:
    """Decide about a journal with a problem: the box goes on from what is stored, or, with ``replace``, everything it
    has now is stored in its place. What was stored is never deleted: replaced, it counts no more. ``note`` is the
    organiser's. Raises psycopg.Error."""
    with connection.transaction(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT FROM box WHERE id = (SELECT box FROM journal WHERE id = %s) FOR NO KEY UPDATE", (journal,)
        )
        what = "replaced_at = now()" if replace else "problem = ''"
        cursor.execute(f"UPDATE journal SET {what} WHERE id = %s", (journal,))
        cursor.execute(
            "UPDATE problem SET settled_at = now(), note = %s WHERE journal = %s AND settled_at IS NULL",
            (note, journal),
        )
        cursor.execute("SELECT pg_notify(%s, box) FROM journal WHERE id = %s", (STORED, journal))


def discard_box(connection: Connection, box: str) -> int | None:
    """Delete everything that a box has sent, and return how many events that were; None if there is no such box. The
    box sends again what it has: it goes on from what is stored, which is nothing. Raises psycopg.Error."""
    with connection.transaction(), connection.cursor() as cursor:
        cursor.execute("SELECT FROM box WHERE id = %s FOR NO KEY UPDATE", (box,))
        if cursor.fetchone() is None:
            return None
        journals = "(SELECT id FROM journal WHERE box = %s)"
        cursor.execute(f"DELETE FROM picture WHERE journal IN {journals}", (box,))
        cursor.execute(f"DELETE FROM event WHERE journal IN {journals}", (box,))
        count = cursor.rowcount
        cursor.execute(f"DELETE FROM problem WHERE journal IN {journals}", (box,))
        cursor.execute("DELETE FROM journal WHERE box = %s", (box,))
        cursor.execute("UPDATE box SET excess = '', excess_at = NULL WHERE id = %s", (box,))
        cursor.execute("SELECT pg_notify(%s, %s), pg_notify('pairings', %s)", (STORED, box, box))
    return count


def store_states(connection: Connection, states: Mapping[str, Mapping[str, str]]) -> None:
    """Store boxes' states: ``$state``, properties such as ``box/match``, and alerts such as ``$alert/hardware``, which
    are over when they are empty. Raises psycopg.Error."""
    with connection.transaction(), connection.cursor() as cursor:
        for box, values in sorted(states.items()):
            over = [name for name, value in values.items() if name.startswith("$alert/") and not value]
            properties = {name: value for name, value in values.items() if name not in ("$state", *over)}
            cursor.execute(
                "UPDATE box SET state = coalesce(%s, state), seen_at = now(), properties = CASE "
                "WHEN (SELECT count(*) FROM jsonb_object_keys(properties || %s)) <= %s "
                "THEN properties || %s ELSE properties END - %s::text[] WHERE id = %s",
                (values.get("$state"), Jsonb(properties), MAX_PROPERTIES, Jsonb(properties), over, box),
            )


@dataclass(frozen=True)
class Comparison:
    """How a journal compares with what is stored."""

    journal_events: int
    stored_events: int
    difference: str
    """The first difference that was found; "" if there is none."""


def compare_journal(connection: Connection, box: str, path: Path) -> Comparison:
    """Compare a box's journal, event by event, with what is stored of it: each event must be stored once, in its place,
    as it is in the journal. Those that are not yet stored are no difference. Raises JournalError, psycopg.Error."""
    # The cursor reads in parts, for a journal may be large.
    with JournalReader(path) as journal, connection.transaction(), connection.cursor("stored") as rows:
        rows.execute(
            f"SELECT {EVENT_COLUMNS} FROM event JOIN journal ON journal.id = event.journal "
            "WHERE box = %s AND origin = %s AND replaced_at IS NULL ORDER BY event.number",
            (box, journal.origin_hash()),
        )
        written = journal.event_rows()
        journal_events = stored_events = 0
        difference = ""
        for row in rows:
            stored_events += 1
            stored, own = EventRow(*row), next(written, None)
            if own is None:
                difference = difference or f"event {stored.number} is stored, and not in the journal"
                continue
            journal_events += 1
            if stored.number != own.number:
                difference = difference or f"event {own.number} is not stored"
            elif stored != own:
                difference = difference or f"event {own.number} is stored differently"
        return Comparison(journal_events + sum(1 for _ in written), stored_events, difference)


def find_boxes(connection: Connection, path: Path) -> list[str]:
    """Return the boxes that have sent a journal. Raises JournalError, psycopg.Error."""
    with JournalReader(path) as journal:
        rows = connection.execute(
            "SELECT DISTINCT box FROM journal WHERE origin = %s ORDER BY box", (journal.origin_hash(),)
        )
        return [str(box) for (box,) in rows]
