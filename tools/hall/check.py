"""Compare what a hall's database has with the journals of its boxes."""

from collections.abc import Mapping
from pathlib import Path

from psycopg import Connection

from throwlock.hub.comparison import compare_journal


def compare_journals(connection: Connection, journals: Mapping[str, Path]) -> tuple[int, list[str]]:
    """Return how many events the boxes' ``journals`` have, and what of them is not in the database once, in order and
    unchanged: a line for each journal."""
    problems, events = [], 0
    for box, path in journals.items():
        found = compare_journal(connection, box, path)
        events += found.journal_events
        if found.difference:
            problems.append(f"{box}: {found.difference}")
        if found.stored_events < found.journal_events:
            problems.append(f"{box}: {found.stored_events} of {found.journal_events} events are stored")
    return events, problems
