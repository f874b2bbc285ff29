"""Tests of what goes wrong around a hub, with the real servers: everything of every box is stored in the end."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.hall_sender import SendingBox
from tests.helpers.hall_streams import add_boxes, answers, origin, stored_events
from tests.helpers.waiting import LIMIT_S
from throwlock.hall.membership import read_membership
from throwlock.hall.protocol import Pairings
from throwlock.hub.broker import BrokerAccess
from throwlock.hub.database import connect
from throwlock.hub.hub import Hub
from throwlock.hub.setup import add_box, prepare, read_hub_settings
from tools.hall.servers import Mosquitto, Postgres, free_port

pytestmark = pytest.mark.slow

BOXES = "box-1", "box-2"
STREAMS = {box: (origin(box), answers(900, origin(box))) for box in BOXES}
ROOT = Path(__file__).parents[3]


def assert_all_stored(dsn: str) -> None:
    with connect(dsn) as connection:
        for box, (journal, events) in STREAMS.items():
            assert stored_events(connection, box, journal) == events
        assert connection.execute("SELECT count(*) FROM problem").fetchone() == (0,)


def test_database_is_killed_and_comes_back(dsn: str, postgres: Postgres, mosquitto: Mosquitto) -> None:
    with connect(dsn) as connection:
        add_boxes(connection, *BOXES)
    access = BrokerAccess(host="127.0.0.1", port=mosquitto.port)
    with (
        Hub(dsn, access),
        SendingBox(access, "box-1", *STREAMS["box-1"]) as first,
        SendingBox(access, "box-2", *STREAMS["box-2"]) as second,
    ):
        first.send_until(200)
        postgres.kill()
        for _ in range(4):
            first.turn()
            second.turn()
        postgres.start()
        first.send_until(900)
        second.send_until(900)
    assert_all_stored(dsn)


def test_broker_is_killed_and_forgets_everything(dsn: str, tmp_path: Path) -> None:
    with connect(dsn) as connection:
        add_boxes(connection, *BOXES)
    with Mosquitto(tmp_path) as mosquitto:
        access = BrokerAccess(host="127.0.0.1", port=mosquitto.port)
        with (
            Hub(dsn, access),
            SendingBox(access, "box-1", *STREAMS["box-1"]) as first,
            SendingBox(access, "box-2", *STREAMS["box-2"]) as second,
        ):
            assert first.receive("pairings") == Pairings(table="Box-1")
            first.send_until(200)
            mosquitto.kill()
            mosquitto.wipe()
            first.turn()
            mosquitto.start()
            assert first.receive("pairings") == Pairings(table="Box-1"), "published again"
            first.send_until(900)
            second.send_until(900)
    assert_all_stored(dsn)


def test_hub_is_killed_and_another_goes_on(dsn: str, tmp_path: Path) -> None:
    """Both are processes of ``throwlock hall run``."""
    folder, port = tmp_path / "hall", free_port()
    prepare(folder, "School hall", ["127.0.0.1"], port, dsn)
    for box in BOXES:
        add_box(folder, box, box)
    command = [sys.executable, "-m", "throwlock", "hall", "run", "--no-pages", str(folder), "--number"]
    broker = Mosquitto(tmp_path / "broker", (folder / "broker/mosquitto.conf").read_text())
    broker.port = port
    access = read_hub_settings(folder).broker_access(1)
    accesses = {box: access.model_copy(update={"user": box, "password": _password(folder, box)}) for box in BOXES}
    with (
        broker,
        subprocess.Popen([*command, "1"], cwd=ROOT, stdout=subprocess.PIPE) as killed,
        subprocess.Popen([*command, "2"], cwd=ROOT, stdout=subprocess.PIPE) as other,
    ):
        for hub in (killed, other):
            assert hub.stdout is not None
            assert b"of the hall School hall runs" in hub.stdout.readline()
        with (
            SendingBox(accesses["box-1"], "box-1", *STREAMS["box-1"]) as first,
            SendingBox(accesses["box-2"], "box-2", *STREAMS["box-2"]) as second,
        ):
            first.send_until(200)
            killed.kill()
            first.send_until(900)
            second.send_until(900)
        other.send_signal(signal.SIGTERM)
        assert other.wait(LIMIT_S) == 0
    assert_all_stored(dsn)


def _password(folder: Path, box: str) -> str:
    return read_membership(folder / f"boxes/{box}.toml").password
