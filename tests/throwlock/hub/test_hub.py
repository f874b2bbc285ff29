"""Tests of a hub with the real servers, from a box's message to its answer."""

import psycopg
import pytest

from tests.helpers.hall_client import HallClient
from tests.helpers.hall_streams import add_boxes, answers, batch, hello, origin, stored_events
from tests.helpers.waiting import LIMIT_S
from throwlock.hall.protocol import Pairings, topic
from throwlock.hub.broker import BrokerAccess
from throwlock.hub.database import connect
from throwlock.hub.hub import Hub
from tools.hall.servers import Mosquitto, Postgres

BOX, JOURNAL = "box-1", origin()


pytestmark = pytest.mark.slow


@pytest.fixture
def access(mosquitto: Mosquitto) -> BrokerAccess:
    return BrokerAccess(host="127.0.0.1", port=mosquitto.port)


def test_box_is_answered_after_its_events_are_stored(
    dsn: str, database: psycopg.Connection, access: BrokerAccess
) -> None:
    add_boxes(database, BOX)
    events = answers(7, JOURNAL)
    with Hub(dsn, access) as hub, HallClient(access, BOX) as box:
        assert hub.connected.wait(LIMIT_S)
        box.send("hello", hello(JOURNAL, events))
        assert box.next_acknowledgement().number == 0
        box.send("events", batch(JOURNAL, events))
        answer = box.next_acknowledgement()
        assert (answer.number, answer.hash, answer.problem) == (7, events[-1].hash, "")
        assert stored_events(database, BOX, JOURNAL) == events
        assert box.receive("pairings") == Pairings(table="Box-1")


def test_box_has_its_pairings_again_when_they_change(
    dsn: str, database: psycopg.Connection, access: BrokerAccess
) -> None:
    add_boxes(database, BOX)
    with Hub(dsn, access) as hub, HallClient(access, BOX) as box:
        assert hub.connected.wait(LIMIT_S)
        assert box.receive("pairings") == Pairings(table="Box-1")
        with database.transaction():
            database.execute("UPDATE box SET table_name = 'Table 7'")
            database.execute("SELECT pg_notify('pairings', %s)", (BOX,))
        while box.receive("pairings") != Pairings(table="Table 7"):
            pass


def test_pairings_are_published_after_a_database_outage(dsn: str, postgres: Postgres, access: BrokerAccess) -> None:
    with connect(dsn) as database:
        add_boxes(database, BOX)
    with Hub(dsn, access), HallClient(access, BOX) as box:
        assert box.receive("pairings") == Pairings(table="Box-1")
        with connect(dsn, autocommit=True) as database:
            database.execute("SET session_replication_role = replica")  # no trigger notifies anybody
            database.execute("UPDATE box SET table_name = 'Table 8'")
        postgres.kill()
        postgres.start()
        while box.receive("pairings") != Pairings(table="Table 8"):
            pass


@pytest.mark.parametrize(
    ("where", "payload"),
    [
        (topic(BOX, "events"), b"{"),
        (topic(BOX, "events"), b"\xff\xfe"),
        (topic(BOX, "events"), b"[" * 100_000),
        (topic(BOX, "hello"), b"x" * 3_900_000),
        (topic("BOX 1", "hello"), b"{}"),
        (topic("a" * 200, "hello"), b"{}"),
        ("homie/5/box-1/$state", b"\xff"),
        ("homie/5/box-1/box/match", b"\x00"),
    ],
)
def test_message_that_cannot_be_read_stops_nothing(
    dsn: str, database: psycopg.Connection, access: BrokerAccess, where: str, payload: bytes
) -> None:
    add_boxes(database, BOX)
    with Hub(dsn, access) as hub, HallClient(access, BOX) as box:
        assert hub.connected.wait(LIMIT_S)
        box.publish(where, payload)
        box.send("hello", hello(JOURNAL, []))
        assert box.next_acknowledgement().number == 0
