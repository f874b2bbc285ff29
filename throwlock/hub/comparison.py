"""A journal compared with what the hub has stored of it."""

from dataclasses import dataclass
from pathlib import Path

from psycopg import Connection

from throwlock.hub.store import EVENT_COLUMNS
from throwlock.journal.journal import EventRow, JournalReader


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
