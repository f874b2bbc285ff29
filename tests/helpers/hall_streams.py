"""Journals' events as boxes send them to the hub of their hall."""

import hashlib
from collections.abc import Sequence

import psycopg

from throwlock.hall.protocol import Acknowledgement, EventBatch, Hello, StreamEvent
from throwlock.house_rules import HouseRules
from throwlock.hub.store import Arrival, store_messages
from throwlock.journal.events import Answered, Body, HallMatch, MatchEnded, MatchStarted, ResultRecord, encode_body
from throwlock.journal.hash_chain import event_hash

AT = "2026-05-02T18:00:00.000+00:00"


def origin(name: str = "a journal") -> str:
    return hashlib.sha256(name.encode()).hexdigest()


def chain(
    bodies: Sequence[tuple[int, str, str]], journal: str, before: Sequence[StreamEvent] = (), at: str = AT
) -> list[StreamEvent]:
    """Return events of these matches, kinds and bodies, which go on from ``before``."""
    events = list(before)
    for match, kind, body in bodies:
        number = len(events) + 1
        previous = events[-1].hash if events else journal
        events.append(
            StreamEvent(
                number=number, match=match, at=at, kind=kind, body=body, previous_hash=previous,
                hash=event_hash(number, match, at, kind, body, previous),
            )
        )  # fmt: skip
    return events


def answers(count: int, journal: str, before: Sequence[StreamEvent] = (), word: str = "bet") -> list[StreamEvent]:
    """Return ``count`` more events."""
    first = len(before) + 1
    bodies = [
        (1, "answered", encode_body(Answered(prompt=word, answers={1: number})))
        for number in range(first, first + count)
    ]
    return chain(bodies, journal, before)


def started(pairing: str = "", players: Sequence[str] = ()) -> MatchStarted:
    hall = HallMatch(pairing=pairing, players=tuple(players)) if pairing else None
    return MatchStarted(
        game="classic", rules_version=1, seats=2, options={}, house_rules=HouseRules(), seed=0, camera="none", hall=hall
    )


def ended(winner: int, scores: tuple[int, int] = (2, 1)) -> MatchEnded:
    return MatchEnded(result=ResultRecord(winners=(winner,), scores={1: scores[0], 2: scores[1]}))


def bodies(match: int, *events: Body) -> list[tuple[int, str, str]]:
    return [(match, event.kind, encode_body(event)) for event in events]


def batch(journal: str, events: Sequence[StreamEvent]) -> EventBatch:
    return EventBatch(journal=journal, events=tuple(events))


def hello(journal: str, events: Sequence[StreamEvent], stored: int = 0) -> Hello:
    return Hello(journal=journal, number=len(events), hash=events[-1].hash if events else journal, stored=stored)


def store_batch(connection: psycopg.Connection, box: str, events: EventBatch) -> Acknowledgement:
    """Store a batch of events, and return what is stored of its journal then."""
    return store_messages(connection, [Arrival(box, events)])[0]


def answer_hello(connection: psycopg.Connection, box: str, greeting: Hello) -> Acknowledgement:
    """Return what is stored of a box's journal."""
    return store_messages(connection, [Arrival(box, greeting)])[0]


def add_boxes(connection: psycopg.Connection, *boxes: str) -> None:
    with connection.transaction():
        for box in boxes:
            connection.execute("INSERT INTO box (id, table_name) VALUES (%s, %s)", (box, box.title()))


def stored_events(connection: psycopg.Connection, box: str, journal: str) -> list[StreamEvent]:
    """Return what the database has of a journal, in order."""
    rows = connection.execute(
        "SELECT event.number, match, at_text, kind, body::text, previous_hash, event.hash FROM event "
        "JOIN journal ON journal.id = journal WHERE box = %s AND origin = %s AND replaced_at IS NULL "
        "ORDER BY event.number",
        (box, journal),
    )
    names = ("number", "match", "at", "kind", "body", "previous_hash", "hash")
    return [StreamEvent(**dict(zip(names, row, strict=True))) for row in rows]
