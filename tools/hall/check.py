"""Compare what a hall's database has with the journals of its boxes, event by event."""

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any

import psycopg

from throwlock.journal.journal import EventRow, JournalReader

MAX_PRINTED_DIFFERENCES = 5


def compare_journals(connection: psycopg.Connection[Any], journals: Mapping[str, Path]) -> list[str]:
    """Return what of the boxes' ``journals`` is not in the database once, in order and unchanged: a line for each
    event, and for each journal that is stored and should not be."""
    problems: list[str] = []
    origins = set[tuple[str, str]]()
    for box, path in journals.items():
        with JournalReader(path) as reader:
            origins.add((box, reader.origin_hash()))
            stored = stored_rows(connection, box, reader.origin_hash())
            for written, found in zip_longest(reader.event_rows(), stored):
                if written != found:
                    problems.append(f"{box}: the journal has {_short(written)}, the database {_short(found)}")
    for other in {(box, origin) for box, origin in connection.execute("SELECT box, origin FROM journal")} - origins:
        problems.append(f"{other[0]}: the database has another journal, {other[1]}")
    return problems


def stored_rows(connection: psycopg.Connection[Any], box: str, origin: str) -> Iterator[EventRow]:
    """Yield what is stored of a journal, in the form of the journal, and in the order in which it was stored where a
    number is there twice."""
    rows = connection.execute(
        "SELECT event.number, match, at_text, kind, body::text, previous_hash, event.hash FROM event "
        "JOIN journal ON journal.id = event.journal WHERE box = %s AND origin = %s ORDER BY event.number, stored_at",
        [box, origin],
    )
    yield from map(EventRow._make, rows)


def count_committed(journals: Mapping[str, Path]) -> int:
    """Return how many events the journals have."""
    total = 0
    for path in journals.values():
        with JournalReader(path) as reader:
            total += reader.number_and_hash()[0]
    return total


def _short(row: EventRow | None) -> str:
    return "nothing" if row is None else f"event {row.number} ({row.kind}, {row.hash[:8]})"
