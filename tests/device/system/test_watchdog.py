"""What systemd is told, over a real socket; and the twin that tells nobody."""

import os
import socket
from pathlib import Path

import pytest

from device.system.clock import JumpingClock
from device.system.watchdog import Systemd, Unwatched, notifier

S = 1_000_000_000


@pytest.fixture(params=["path", "abstract"])
def heard(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, socket.socket]:
    """An address as systemd names it, and the socket behind it."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    listening.settimeout(0)
    name = str(tmp_path / "notify") if request.param == "path" else f"@throwlock-test-{os.getpid()}-{tmp_path.name}"
    listening.bind("\0" + name[1:] if name.startswith("@") else name)
    request.addfinalizer(listening.close)
    return name, listening


def all_of(listening: socket.socket) -> list[str]:
    told = []
    while True:
        try:
            told.append(listening.recv(4096).decode())
        except BlockingIOError:
            return told


def test_systemd_is_told(heard: tuple[str, socket.socket]) -> None:
    address, listening = heard
    clock = JumpingClock(5 * S)
    watchdog = notifier({"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "30000000"}, clock)
    assert isinstance(watchdog, Systemd)
    watchdog.ready("the home\npage is up")
    watchdog.alive()
    for _ in range(100):
        clock.wait_until(clock.now_ns() + S // 2)
        watchdog.alive()
    watchdog.status("RPS Redeux: Ada, Ben")
    watchdog.stopping()
    told = all_of(listening)
    assert told[0] == "READY=1\nSTATUS=the home page is up"
    assert told[1:-2] == ["WATCHDOG=1"] * 4  # at once, and every 15 of 50 seconds
    assert told[-2:] == ["STATUS=RPS Redeux: Ada, Ben", "STOPPING=1"]


def test_who_does_not_watch_is_not_fed(heard: tuple[str, socket.socket]) -> None:
    address, listening = heard
    for environ in (
        {},
        {"WATCHDOG_USEC": "0"},
        {"WATCHDOG_USEC": "x"},
        {"WATCHDOG_USEC": "9000000", "WATCHDOG_PID": "1"},
    ):
        watchdog = notifier({"NOTIFY_SOCKET": address} | environ, JumpingClock())
        watchdog.alive()
        assert all_of(listening) == []


def test_without_systemd_nobody_is_told(tmp_path: Path) -> None:
    for environ in ({}, {"NOTIFY_SOCKET": ""}, {"NOTIFY_SOCKET": "vsock:2:1"}):
        watchdog = notifier(environ)
        assert isinstance(watchdog, Unwatched)
        watchdog.ready("x")
        watchdog.alive()
        watchdog.status("x")
        watchdog.stopping()


def test_a_socket_that_is_gone_stops_nothing(tmp_path: Path) -> None:
    watchdog = notifier({"NOTIFY_SOCKET": str(tmp_path / "gone"), "WATCHDOG_USEC": "1000"}, JumpingClock())
    watchdog.ready("x")
    watchdog.alive()
