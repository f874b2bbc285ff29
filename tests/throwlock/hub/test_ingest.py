"""Tests of how a hub takes messages, with the real PostgreSQL and no broker."""

import logging
import queue
from collections.abc import Sequence

import psycopg
import pytest

from tests.helpers.hall_streams import add_boxes, answers, batch, chain, hello, origin, stored_events
from tests.helpers.waiting import LIMIT_S
from tests.helpers.web_guard import FakeClock
from throwlock.hall.protocol import Acknowledgement, EventBatch, Message, encode, topic
from throwlock.hub import ingest
from throwlock.hub.broker import IncomingMessage
from throwlock.hub.database import DatabaseError, connect
from throwlock.hub.ingest import MAX_WAITING_BYTES, MAX_WAITING_MESSAGES, NOTE_EXCESS_S, Ingest
from throwlock.hub.quota import BURST_BYTES, BYTES_PER_S, MAX_BOX_BYTES, MESSAGE_COST_BYTES
from throwlock.hub.store import Arrival, store_messages

JOURNAL = origin()
NEW = Acknowledgement(journal=JOURNAL, number=0, hash=JOURNAL)


class Broker:
    """What a hub's ingest sees of the broker: answers and acknowledgements, in order."""

    def __init__(self, dsn: str) -> None:
        self.events: queue.Queue[object] = queue.Queue()
        self.clock = FakeClock()
        self.room = MAX_BOX_BYTES
        self.paused: set[str] = set()
        self.ingest = Ingest(
            dsn, lambda box, stored: self.events.put((box, stored)), lambda: self.room, self.paused.add, self.clock
        )

    def put(self, box: str, name: str, message: Message | bytes) -> None:
        payload = message if isinstance(message, bytes) else encode(message)
        self.put_topic(topic(box, name), payload)

    def put_topic(self, where: str, payload: bytes) -> None:
        self.ingest.put(IncomingMessage(where, payload, lambda: self.events.put("acknowledged")))

    def next(self, count: int) -> list[object]:
        return [self.events.get(timeout=LIMIT_S) for _ in range(count)]


@pytest.fixture
def broker(dsn: str, database: psycopg.Connection) -> Broker:
    add_boxes(database, "box-1", "box-2")
    return Broker(dsn)


def answer(box: str, journal: str, events: Sequence[object], number: int) -> tuple[str, Acknowledgement]:
    return box, Acknowledgement(journal=journal, number=number, hash=getattr(events[number - 1], "hash", ""))


def test_messages_are_acknowledged_after_their_journals_are_answered(
    broker: Broker, database: psycopg.Connection
) -> None:
    """Each journal once, with what is stored in the end."""
    events = answers(6, JOURNAL)
    for first in (0, 2, 4):
        broker.put("box-1", "events", batch(JOURNAL, events[first : first + 2]))
    broker.put("box-2", "events", batch(JOURNAL, events[:1]))
    with broker.ingest:
        found = broker.next(6)
    assert found[:2] == [answer("box-1", JOURNAL, events, 6), answer("box-2", JOURNAL, events, 1)]
    assert found[2:] == ["acknowledged"] * 4
    assert broker.events.empty()
    assert stored_events(database, "box-1", JOURNAL) == events


def test_message_that_does_harm_takes_no_other_with_it(
    broker: Broker, database: psycopg.Connection, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def store(connection: psycopg.Connection, arrivals: Sequence[Arrival], room: int) -> list[Acknowledgement]:
        for _, message in arrivals:
            if isinstance(message, EventBatch) and message.events[0].kind == "harmful":
                connection.execute("SELECT 1 / 0")
        return store_messages(connection, arrivals, room)

    monkeypatch.setattr(ingest, "store_messages", store)
    events = answers(2, JOURNAL)
    broker.put("box-1", "events", batch(JOURNAL, events[:1]))
    broker.put("box-2", "events", batch(JOURNAL, chain([(1, "harmful", "{}")], JOURNAL)))
    broker.put("box-1", "events", batch(JOURNAL, events[1:]))
    with broker.ingest:
        found = broker.next(5)
    assert found[:2] == [answer("box-1", JOURNAL, events, number) for number in (1, 2)]
    assert [record.message for record in caplog.records if "a message of box-2 can't be stored" in record.message]
    assert stored_events(database, "box-1", JOURNAL) == events


def test_what_has_come_waits_for_the_database(
    broker: Broker, database: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempts: list[str] = []

    def unreachable(dsn: str) -> psycopg.Connection:
        attempts.append(dsn)
        if len(attempts) < 4:
            assert broker.events.empty(), "nothing is acknowledged"
            raise DatabaseError("the database is away")
        return connect(dsn)

    monkeypatch.setattr(ingest, "connect", unreachable)
    monkeypatch.setattr(ingest, "RETRY_S", (0.0, 0.0))
    broker.put("box-1", "events", batch(JOURNAL, answers(3, JOURNAL)))
    with broker.ingest:
        assert broker.next(2) == [answer("box-1", JOURNAL, answers(3, JOURNAL), 3), "acknowledged"]
    assert len(attempts) == 4


def test_connection_lost_while_storing_is_made_again(
    broker: Broker, database: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if the events had been stored: nothing is twice."""
    losses = iter([True, False])

    def store(connection: psycopg.Connection, arrivals: Sequence[Arrival], room: int) -> list[Acknowledgement]:
        stored = store_messages(connection, arrivals, room)
        if next(losses, False):
            connection.execute("SELECT pg_terminate_backend(pg_backend_pid())")
        return stored

    monkeypatch.setattr(ingest, "store_messages", store)
    monkeypatch.setattr(ingest, "RETRY_S", (0.0, 0.0))
    broker.put("box-1", "events", batch(JOURNAL, answers(3, JOURNAL)))
    with broker.ingest:
        assert broker.next(2) == [answer("box-1", JOURNAL, answers(3, JOURNAL), 3), "acknowledged"]
    assert stored_events(database, "box-1", JOURNAL) == answers(3, JOURNAL)


def test_no_more_than_a_limit_waits(broker: Broker, caplog: pytest.LogCaptureFixture) -> None:
    """The rest is dropped at once, and sent again by its box."""
    large = b"{" + b" " * 3_900_000
    count = MAX_WAITING_BYTES // len(large)
    for number in range(count + 3):
        broker.put(f"box-{number}", "events", large)
    assert broker.next(3) == ["acknowledged"] * 3 and broker.events.empty()
    broker.put("box-1", "hello", hello(JOURNAL, []))
    with broker.ingest:
        found = broker.next(count + 2)
        assert ("box-1", Acknowledgement(journal=JOURNAL, number=0, hash=JOURNAL)) in found
        broker.put("box-1", "events", large)  # there is room again
        broker.put("box-1", "hello", hello(JOURNAL, []))
        broker.next(3)
    dropped = [record.message for record in caplog.records if "were dropped" in record.message]
    assert len(dropped) == 1 and "3 messages were dropped" in dropped[0]


def excesses(database: psycopg.Connection) -> list[tuple[str, str]]:
    database.rollback()
    return [
        (str(box), str(excess)) for box, excess in database.execute("SELECT id, excess FROM box_status ORDER BY id")
    ]


def test_box_that_sends_too_fast_is_noted_and_the_others_are_served(
    broker: Broker, database: psycopg.Connection, caplog: pytest.LogCaptureFixture
) -> None:
    large = b"{" + b" " * 3_000_000
    count = BURST_BYTES // (len(large) + MESSAGE_COST_BYTES)
    for _ in range(count + 2):
        broker.put("box-1", "events", large)
    assert broker.next(2) == ["acknowledged"] * 2, "over the limit: thrown away at once"
    assert broker.paused == {"box-1"}
    broker.put("box-2", "hello", hello(JOURNAL, []))
    with broker.ingest:
        found = broker.next(count + 2)
        assert [one for one in found if one != "acknowledged"] == [("box-2", NEW)]
        assert excesses(database) == [("box-1", "too fast"), ("box-2", "")]
        broker.clock.now += NOTE_EXCESS_S + len(large) / BYTES_PER_S
        events = answers(3, JOURNAL)
        broker.put("box-1", "events", batch(JOURNAL, events))
        assert broker.next(2) == [answer("box-1", JOURNAL, events, 3), "acknowledged"]
    assert [one for one in caplog.messages if "box-1 sends too fast: 2 messages" in one]


def test_boxes_take_turns(broker: Broker) -> None:
    for number in range(MAX_WAITING_MESSAGES + 5):
        broker.put("box-1", "hello", hello(origin(str(number)), []))
    broker.put("box-2", "hello", hello(JOURNAL, []))
    assert broker.next(5) == ["acknowledged"] * 5, "a box has no more waiting"
    with broker.ingest:
        assert broker.next(2)[1] == ("box-2", NEW)


def test_nothing_more_is_taken_of_a_box_without_room(broker: Broker, database: psycopg.Connection) -> None:
    events = answers(30, JOURNAL)
    broker.room = 20_000
    for first in range(0, 30, 10):
        broker.put("box-1", "events", batch(JOURNAL, events[first : first + 10]))
    with broker.ingest:
        assert broker.next(4)[0] == answer("box-1", JOURNAL, events, 10)
    assert stored_events(database, "box-1", JOURNAL) == events[:10]
    assert excesses(database)[0] == ("box-1", "full")
    broker.room = MAX_BOX_BYTES
    again = Broker(database.info.dsn)
    again.put("box-1", "events", batch(JOURNAL, events[10:]))
    with again.ingest:
        assert again.next(2)[0] == answer("box-1", JOURNAL, events, 30), "it was sent again, and nothing is lost"


def test_what_is_not_stored_when_the_hub_stops_is_not_acknowledged(
    broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    reached: queue.Queue[None] = queue.Queue()

    def unreachable(dsn: str) -> psycopg.Connection:
        reached.put(None)
        raise DatabaseError("the database is away")

    monkeypatch.setattr(ingest, "connect", unreachable)
    with broker.ingest:
        broker.put("box-1", "hello", hello(JOURNAL, []))
        reached.get(timeout=LIMIT_S)
    assert broker.events.empty()


def test_states_are_those_of_the_boxes(broker: Broker, database: psycopg.Connection) -> None:
    published = {
        "homie/5/box-1/$state": b"ready",
        "homie/5/box-1/box/match": "Ada gegen Ben – Späße".encode(),
        "homie/5/box-1/$alert/hardware": b"no lights",
        "homie/5/box-1/$description": b"{}",
        "homie/5/box-1/box/match/set": b"no",
        "homie/5/box-1/other/match": b"no",
        "homie/5/box-1/box/camera": b"\xff",
        "homie/5/box-1/box/version": b"x" * 1001,
        "homie/5/box-1/box/review": b"a\0b",
        "homie/5/box-9/$state": b"ready",
        "homie/5/Box 1/$state": b"lost",
        "homie/5/box-1": b"no",
        "homie/5": b"no",
    }
    for where, payload in published.items():
        broker.put_topic(where, payload)
    with broker.ingest:
        broker.next(len(published))
    found = database.execute("SELECT state, properties FROM box ORDER BY id").fetchall()
    assert found == [
        ("ready", {"box/match": "Ada gegen Ben – Späße", "$alert/hardware": "no lights"}),
        ("init", {}),
    ]


def test_logged_lines_are_one_line_each(broker: Broker, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    for where in (topic("box-1", "events"), topic("box-1\n", "hello"), "hall/1/box-1", "hall/2/box-1/hello"):
        broker.put_topic(where, b'{"events":\n "\x1b[2J"}')
    broker.put("box-1", "stored", Acknowledgement(journal=JOURNAL, number=1, hash=JOURNAL))
    with broker.ingest:
        assert broker.next(5) == ["acknowledged"] * 5
    assert len(caplog.records) == 4
    assert all(record.getMessage().isprintable() and len(record.getMessage()) < 300 for record in caplog.records)
