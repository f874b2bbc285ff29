"""The hall in containers: the image is built from this checkout, all three services start, and a hall lives in them."""

import os
import shlex
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.helpers.hall_sender import SendingBox
from tests.helpers.hall_streams import answers, origin
from tests.helpers.waiting import wait_until
from throwlock.hall.membership import read_membership
from throwlock.hub.broker import BrokerAccess

ROOT = Path(__file__).parents[3]
BASE = "docker.io/library/debian:trixie-slim"
PORTS = 8883, 8322
MOSQUITTO, HUB = 971, 973
BUILD_FLAGS = shlex.split(os.environ.get("THROWLOCK_PODMAN_BUILD", ""))
"""What building needs on this machine only, such as a certificate of its proxy."""

pytestmark = pytest.mark.slow
Compose = Callable[..., str]


def call(*command: str, folder: Path = ROOT) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=1200)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.fixture
def compose(tmp_path: Path) -> Iterator[Compose]:
    """Runs podman-compose where the files of a hall are, and removes what it started."""
    program = shutil.which("podman-compose")
    if os.geteuid() or not program or not shutil.which("podman"):
        pytest.skip("this needs podman and podman-compose 1.3 or newer, as root")
    if subprocess.run(["podman", "image", "exists", BASE], check=False).returncode:
        pytest.skip(f"podman has no image {BASE}: podman pull {BASE}")
    tried = subprocess.run(["podman", "run", "--rm", BASE, "true"], capture_output=True, text=True, check=False)
    if tried.returncode:
        pytest.skip(f"podman runs no container here: {tried.stderr.strip()}")
    for port in PORTS:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("", port))
            except OSError:
                pytest.skip(f"port {port} is in use")
    image = ["--file", "containers/Containerfile", "--tag", "throwlock-hall", "."]
    call("podman", "build", "--network", "host", *BUILD_FLAGS, *image)
    folder = tmp_path / "containers"
    shutil.copytree(ROOT / "containers", folder)
    (folder / "hall").mkdir()
    shutil.chown(folder / "hall", HUB, HUB)
    project = [program, "--project-name", "throwlock-test"]
    try:
        yield lambda *words: call(*project, *words, folder=folder)
    finally:
        subprocess.run([*project, "down", "--volumes"], cwd=folder, check=False, capture_output=True, timeout=120)


def test_hall_lives_in_containers(compose: Compose, tmp_path: Path) -> None:
    folder, container = tmp_path / "containers/hall", "throwlock-test_{}_1".format
    hall = ("-T", "hub", "throwlock", "hall")
    dsn = "host=/run/postgresql dbname=throwlock_hall"
    compose("up", "--detach", "database")
    wait_until(lambda: is_healthy(container("database")))
    compose("run", "--rm", *hall, "prepare", "/hall", "--name", "School", "--host", "127.0.0.1", "--database", dsn)
    compose("up", "--detach")
    assert "Table 1" in compose("exec", *hall, "add-box", "/hall", "box-1", "--table", "Table 1")
    compose("kill", "-s", "HUP", "broker")
    for service in ("broker", "hub"):
        wait_until(partial(is_healthy, container(service)))

    file = read_membership(folder / "boxes/box-1.toml")
    access = BrokerAccess(host=file.host, port=file.port, ca=file.ca, user=file.box, password=file.password)
    events = answers(20, origin())
    with SendingBox(access, "box-1", origin(), events) as box:
        box.send_until(20)
    status = compose("exec", *hall, "status", "/hall")
    assert "20 events stored" in status

    compose("exec", *hall, "backup", "/hall", "/hall/evening.hall")
    compose("exec", *hall, "remove-box", "/hall", "box-1")
    compose("stop", "hub")
    compose("run", "--rm", *hall, "restore", "/hall", "/hall/evening.hall", "--replace")
    compose("restart", "broker")
    compose("start", "hub")
    assert "20 events stored" in compose("exec", *hall, "status", "/hall")
    assert (folder / "authority/ca.key").stat().st_uid == HUB
    assert (folder / "broker/server.key").stat().st_gid == MOSQUITTO


def is_healthy(container: str) -> bool:
    """Run the check that compose.yaml has for a service."""
    check = ["podman", "healthcheck", "run", container]
    return subprocess.run(check, check=False, capture_output=True, timeout=60).returncode == 0
