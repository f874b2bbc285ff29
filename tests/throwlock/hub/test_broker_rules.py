"""Tests of what the broker allows, with the configuration that ``prepare`` writes and the real Mosquitto."""

import signal
import socket
import ssl
import warnings
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from ssl import TLSVersion

import psycopg
import pytest

from tests.helpers.hall_client import HallClient
from tests.helpers.hall_streams import answers, batch, hello, origin, stored_events
from tests.helpers.waiting import LIMIT_S
from throwlock.hall.membership import read_membership
from throwlock.hall.protocol import Pairings, decode, topic
from throwlock.hub.broker import BrokerAccess
from throwlock.hub.hub import Hub
from throwlock.hub.setup import BROKER_MEMORY_BYTES, HubSettings, add_box, prepare, read_hub_settings, remove_box
from tools.hall.servers import Mosquitto, free_port

pytestmark = pytest.mark.slow

JOURNAL = origin()


@dataclass
class Hall:
    folder: Path
    broker: Mosquitto

    @property
    def settings(self) -> HubSettings:
        return read_hub_settings(self.folder)

    def access(self, box: str, **changed: object) -> BrokerAccess:
        """How a box reaches the broker."""
        file = read_membership(self.folder / f"boxes/{box}.toml")
        access = BrokerAccess(host="127.0.0.1", port=file.port, ca=file.ca, user=box, password=file.password)
        return access.model_copy(update=changed)

    def reload(self) -> None:
        """What systemctl reload mosquitto does."""
        self.broker.send_signal(signal.SIGHUP)


@pytest.fixture
def hall(dsn: str, tmp_path: Path) -> Iterator[Hall]:
    port = free_port()
    prepare(tmp_path / "hall", "School hall", ["hall.local", "127.0.0.1"], port, dsn)
    for box in ("box-1", "box-2"):
        add_box(tmp_path / "hall", box, box.title())
    broker = Mosquitto(tmp_path / "broker", (tmp_path / "hall/broker/mosquitto.conf").read_text())
    broker.port = port
    with broker:
        yield Hall(tmp_path / "hall", broker)


def test_box_and_hub_reach_each_other(hall: Hall, dsn: str, database: psycopg.Connection) -> None:
    events = answers(3, JOURNAL)
    with Hub(dsn, hall.settings.broker_access(1)) as hub, HallClient(hall.access("box-1"), "box-1") as box:
        assert hub.connected.wait(LIMIT_S)
        assert box.send("events", batch(JOURNAL, events)) == ""
        assert box.next_acknowledgement().number == 3
        assert stored_events(database, "box-1", JOURNAL) == events
        assert box.receive("pairings") == Pairings(table="Box-1")
        assert box.publish("homie/5/box-1/$state", b"ready") == ""


@pytest.mark.parametrize(
    "changed",
    [
        {"user": "", "password": ""},
        {"password": "another"},
        {"user": "stranger"},
        {"user": "box-2"},
        {"user": "Hub-1"},
    ],
    ids=["anonymous", "wrong password", "stranger", "with another box's name", "as the hub"],
)
def test_stranger_is_not_let_in(hall: Hall, changed: dict[str, object]) -> None:
    with HallClient(hall.access("box-1", **changed), "box-1") as client:
        assert client.connect_error in ("Not authorized", "Bad user name or password")


def test_broker_without_the_halls_certificate_is_not_trusted(hall: Hall, tmp_path: Path, dsn: str) -> None:
    prepare(tmp_path / "another", "Another hall", ["127.0.0.1"], 8883, dsn)
    other = read_hub_settings(tmp_path / "another").ca
    with pytest.raises(OSError, match="certificate verify failed"):
        HallClient(hall.access("box-1", ca=other), "box-1")
    with pytest.raises(OSError, match="IP address mismatch"):
        HallClient(hall.access("box-1", host="127.0.0.2"), "box-1")


@pytest.mark.parametrize(
    "where",
    [
        *(topic("box-2", name) for name in ("hello", "events", "pictures", "stored", "pairings")),
        *(topic("box-1", name) for name in ("stored", "pairings", "other")),
        "homie/5/box-2/$state",
        "homie/5/box-1/box/other",
        "homie/5/box-1/$other",
        "hall/1/hub/stored",
        "anything",
    ],
)
def test_box_publishes_only_its_own(hall: Hall, where: str) -> None:
    with HallClient(hall.access("box-1"), "box-1") as box:
        assert box.publish(where, b"{}") == "Not authorized"


def test_box_reads_only_its_own(hall: Hall, dsn: str, database: psycopg.Connection) -> None:
    """Whatever it subscribes to, and it takes no message from the hub either."""
    everything = ("#", "$share/hub/hall/1/+/hello", "$share/hub/hall/1/+/events", "$share/spy/hall/1/+/events")
    hub_access = hall.settings.broker_access(1)
    with (
        Hub(dsn, hub_access) as hub,
        HallClient(hall.access("box-2"), "box-2", subscribe=everything) as spy,
        HallClient(hall.access("box-1"), "box-1") as box,
    ):
        assert hub.connected.wait(LIMIT_S)
        for number in range(20):  # each is answered: the hub has got it
            box.send("hello", hello(origin(str(number)), []))
            assert box.next_acknowledgement().journal == origin(str(number))
        box.publish("homie/5/box-1/box/match", b"classic")
        spy.send("hello", hello(JOURNAL, []))
        seen = {}
        while topic("box-2", "stored") not in seen:
            message = spy.received.get(timeout=LIMIT_S)
            seen[message.topic] = bytes(message.payload)
        assert set(seen) <= {topic("box-2", "stored"), topic("box-2", "pairings")}
        assert decode("stored", seen[topic("box-2", "stored")])


def test_box_cannot_push_another_off_the_broker(hall: Hall) -> None:
    """By connecting with its client id."""
    with HallClient(hall.access("box-1"), "box-1", client_id="box-1") as box:
        with HallClient(hall.access("box-2"), "box-2", client_id="box-1") as other:
            assert other.publish("homie/5/box-2/$state", b"ready") == ""
            assert box.publish("homie/5/box-1/$state", b"ready") == ""
        assert box.disconnects.empty()


def test_message_that_the_broker_would_keep_until_its_sender_is_done_is_refused(hall: Hall) -> None:
    with HallClient(hall.access("box-1"), "box-1") as box:
        box.client.publish(topic("box-1", "hello"), b"{}", qos=2)
        assert box.disconnects.get(timeout=LIMIT_S) == "QoS not supported"


def test_box_that_fills_the_brokers_memory_is_cut_off_and_the_others_are_not(
    hall: Hall, dsn: str, database: psycopg.Connection
) -> None:
    """With subscriptions, of which there may be any number."""
    config = hall.folder / "broker/mosquitto.conf"
    small = 20_000_000
    limited = config.read_text().replace(f"memory_limit {BROKER_MEMORY_BYTES}", f"memory_limit {small}")
    assert f"memory_limit {small}" in limited
    broker = Mosquitto(hall.folder.parent / "limited", limited)
    hall.broker.stop()
    broker.port = hall.broker.port
    with (
        broker,
        Hub(dsn, hall.settings.broker_access(1)) as hub,
        HallClient(hall.access("box-2"), "box-2") as other,
        HallClient(hall.access("box-1"), "box-1") as box,
    ):
        assert hub.connected.wait(LIMIT_S)
        count = 0
        while box.subscribe([f"{count}/{level}/{'x' * 10_000}" for level in range(200)]):
            count += 1
            assert count < 200, "nothing ends it"
        assert broker.memory_bytes() < 2 * small
        assert other.send("events", batch(JOURNAL, answers(3, JOURNAL))) == ""
        assert other.next_acknowledgement().number == 3
        assert other.disconnects.empty()


def test_nothing_that_a_box_has_made_the_broker_keep_outlives_a_restart(hall: Hall) -> None:
    with HallClient(hall.access("box-1"), "box-1") as box:
        assert box.client.publish("homie/5/box-1/$state", b"ready", qos=1, retain=True).rc == 0
        assert box.refused.get(timeout=LIMIT_S) == ""
    hall.broker.stop()
    hall.broker.start()
    with HallClient(hall.settings.broker_access(1), subscribe=("homie/5/#",)) as hub:
        with HallClient(hall.access("box-2"), "box-2") as other:
            assert other.publish("homie/5/box-2/$state", b"ready") == ""
        assert hub.received.get(timeout=LIMIT_S).topic == "homie/5/box-2/$state"


def test_box_is_added_and_removed_while_the_broker_runs(hall: Hall, database: psycopg.Connection) -> None:
    access = hall.access("box-2")
    add_box(hall.folder, "box-3", "Table 3")
    old = hall.access("box-1")
    add_box(hall.folder, "box-1", "Table 1")
    with HallClient(access, "box-2") as box, HallClient(hall.settings.broker_access(2)) as bystander:
        remove_box(hall.folder, "box-2")
        hall.reload()
        assert box.disconnects.get(timeout=LIMIT_S)
        assert bystander.publish(topic("box-1", "stored"), b"{}") == "" and bystander.disconnects.empty()
    accesses = [(access, False), (old, False), (hall.access("box-3"), True), (hall.access("box-1"), True)]
    for one, is_known in accesses:
        with HallClient(one) as client:
            assert client.connect_error == ("" if is_known else "Not authorized")
    assert not (hall.folder / "boxes/box-2.toml").exists()
    rows = database.execute("SELECT id, table_name FROM box WHERE removed_at IS NULL ORDER BY id").fetchall()
    assert rows == [("box-1", "Table 1"), ("box-3", "Table 3")]


def test_removed_box_is_unknown_even_before_the_broker_knows(
    hall: Hall, dsn: str, database: psycopg.Connection
) -> None:
    with Hub(dsn, hall.settings.broker_access(1)) as hub, HallClient(hall.access("box-1"), "box-1") as box:
        assert hub.connected.wait(LIMIT_S)
        remove_box(hall.folder, "box-1")
        box.send("events", batch(JOURNAL, answers(2, JOURNAL)))
        assert box.next_acknowledgement().problem == "unknown box"
        assert stored_events(database, "box-1", JOURNAL) == []


def test_prepared_again_keeps_accounts_and_authority(hall: Hall, dsn: str) -> None:
    before, box = hall.settings, read_membership(hall.folder / "boxes/box-1.toml")
    passwords = (hall.folder / "broker/passwords").read_text()
    prepare(hall.folder, "New name", ["new.local"], 1883, dsn)
    after = hall.settings
    assert (after.ca, after.password, after.group) == (before.ca, before.password, before.group)
    assert (after.hall, after.hosts, after.port) == ("New name", ("new.local",), 1883)
    moved = box.model_copy(update={"hall": "New name", "host": "new.local", "port": 1883})
    assert read_membership(hall.folder / "boxes/box-1.toml") == moved
    assert [line for line in passwords.splitlines() if line.startswith("box-")] == [
        line for line in (hall.folder / "broker/passwords").read_text().splitlines() if line.startswith("box-")
    ]


def test_only_the_broker_may_read_its_files_and_nobody_the_others(hall: Hall) -> None:
    modes = {
        str(path.relative_to(hall.folder)): path.stat().st_mode & 0o777
        for path in hall.folder.rglob("*")
        if path.is_file()
    }
    assert not any(mode & 0o007 for mode in modes.values())
    private = {name for name, mode in modes.items() if not mode & 0o070}
    assert private == {"hub.toml", "authority/ca.key", "boxes/box-1.toml", "boxes/box-2.toml"}
    password = read_membership(hall.folder / "boxes/box-1.toml").password
    assert not any(password in (hall.folder / name).read_text() for name in modes if name.startswith("broker/"))


@pytest.mark.parametrize(
    ("version", "agreed"),
    [
        (TLSVersion.TLSv1_3, "TLSv1.3"),
        (TLSVersion.TLSv1_2, "TLSv1.2"),
        (TLSVersion.TLSv1_1, ""),
        (TLSVersion.TLSv1, ""),
    ],
)
def test_the_broker_needs_tls_1_2(hall: Hall, version: TLSVersion, agreed: str) -> None:
    context = ssl.create_default_context(cadata=hall.access("box-1").ca)
    context.set_ciphers("ALL:@SECLEVEL=0")
    with warnings.catch_warnings(action="ignore"):  # TLS 1.1 is deprecated
        context.minimum_version = context.maximum_version = version
    with socket.create_connection(("127.0.0.1", hall.broker.port), timeout=LIMIT_S) as connection:
        if agreed:
            with context.wrap_socket(connection, server_hostname="127.0.0.1") as secure:
                assert secure.version() == agreed
        else:
            with pytest.raises((ssl.SSLError, ConnectionError)):
                context.wrap_socket(connection, server_hostname="127.0.0.1")


def test_an_unencrypted_client_is_not_answered(hall: Hall) -> None:
    connect_packet = bytes.fromhex("101000044d5154540402003c000474657374")
    answer = b""
    with (
        socket.create_connection(("127.0.0.1", hall.broker.port), timeout=LIMIT_S) as connection,
        suppress(ConnectionError),
    ):
        connection.sendall(connect_packet)
        answer = connection.recv(4)
    assert not answer.startswith(b"\x20"), "no CONNACK"
