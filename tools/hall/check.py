"""Compare what a hall's database has, and what the hub computes from it, with the journals of its boxes."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path

from psycopg import Connection

from throwlock.hub.store import compare_journal
from throwlock.hub.tournaments import HallMatchRecord, HallTournament, compute_tournament
from throwlock.journal.events import HallMatch, MatchAbandoned, MatchEnded, MatchStarted
from throwlock.journal.journal import JournalReader


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


def stored_numbers(connection: Connection) -> dict[str, int]:
    """Return the number of the newest event that is stored of each box."""
    return dict(connection.execute("SELECT id, number FROM box_status").fetchall())


def compare_standings(tournament: HallTournament, journals: Mapping[str, Path]) -> list[str]:
    """Return how a tournament as the hub computes it differs from one computed from the journals themselves."""
    record = tournament.record
    boxes = {given.pairing: given.box for given in (*tournament.pairings.values(), *tournament.open.values())}
    matches: dict[str, HallMatchRecord] = {}
    for box, path in journals.items():
        for hall, found in read_hall_matches(path):
            played = matches.get(hall.pairing)
            if boxes.get(hall.pairing) == box and (played is None or not played.ends):
                matches[hall.pairing] = found
    names = dict(zip(record.keys, record.names, strict=True))
    own = compute_tournament(record.number, tournament.log, matches, names).record.summary()
    hubs = record.summary()
    return [
        f"the {what} differ: {ours} by the journals, {theirs} by the hub"
        for what, ours, theirs in (
            ("results", own.fixtures, hubs.fixtures),
            ("standings", own.tables, hubs.tables),
            ("champions", own.champions, hubs.champions),
        )
        if ours != theirs
    ]


def read_hall_matches(path: Path) -> Iterator[tuple[HallMatch, HallMatchRecord]]:
    """Yield the matches of a journal that were played for pairings, in the order they started."""
    with JournalReader(path) as reader:
        for number in reader.matches():
            events = reader.events(number)
            started = events[0].body
            if isinstance(started, MatchStarted) and started.hall:
                bodies = [(event.number, event.body) for event in events]
                ends = tuple((at, body.result) for at, body in bodies if isinstance(body, MatchEnded))
                abandoned = any(isinstance(body, MatchAbandoned) for _, body in bodies)
                yield started.hall, HallMatchRecord(0, number, datetime.fromisoformat(events[0].at), ends, abandoned)
