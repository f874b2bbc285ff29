"""A test of the hub under its unit's system-call filter, with the real servers."""

import ctypes.util
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from tests.helpers.hall_sender import SendingBox
from tests.helpers.hall_streams import answers, origin, stored_events
from tests.helpers.waiting import LIMIT_S
from throwlock.hall.membership import read_membership
from throwlock.hub.broker import BrokerAccess
from throwlock.hub.setup import add_box, prepare
from tools.hall.servers import Mosquitto, free_port

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
FILTERED = [sys.executable, str(ROOT / "tests/helpers/seccomp_exec.py"), str(ROOT / "systemd/throwlock-hub.service")]


@pytest.mark.skipif(
    not (shutil.which("systemd-analyze") and ctypes.util.find_library("seccomp")),
    reason="systemd-analyze or libseccomp is not on this machine",
)
def test_unit_allows_what_a_hub_does(dsn: str, database: psycopg.Connection, tmp_path: Path) -> None:
    folder, port = tmp_path / "hall", free_port()
    prepare(folder, "School hall", ["127.0.0.1"], port, dsn)
    file = read_membership(add_box(folder, "box-1", "Table 1"))
    access = BrokerAccess(host=file.host, port=port, ca=file.ca, user=file.box, password=file.password)
    broker = Mosquitto(tmp_path / "broker", (folder / "broker/mosquitto.conf").read_text())
    broker.port = port
    events = answers(300, origin())
    command = [*FILTERED, sys.executable, "-m", "throwlock", "hall", "run", str(folder), "--port", "0"]
    with broker, subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as hub:
        assert hub.stdout is not None
        assert b"runs, press Ctrl-C" in hub.stdout.readline() and b"Its pages: http" in hub.stdout.readline()
        with SendingBox(access, "box-1", origin(), events) as box:
            box.send_until(300)
        hub.send_signal(signal.SIGTERM)
        assert hub.wait(LIMIT_S) == 0
    assert stored_events(database, "box-1", origin()) == events
