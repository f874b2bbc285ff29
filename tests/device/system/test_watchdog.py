"""Tests of the notifications to systemd, over a real socket."""

import os
import socket
from pathlib import Path

import pytest

from device.system.clock import SimulatedClock
from device.system.watchdog import watchdog_from_environment

S = 1_000_000_000


@pytest.fixture(params=["path", "abstract"])
def notify_socket(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, socket.socket]:
    """Return an address in systemd's notation, and the listening socket."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    listening.settimeout(0)
    name = str(tmp_path / "notify") if request.param == "path" else f"@throwlock-test-{os.getpid()}-{tmp_path.name}"
    listening.bind("\0" + name[1:] if name.startswith("@") else name)
    request.addfinalizer(listening.close)
    return name, listening


def receive_all(listening: socket.socket) -> list[str]:
    messages = []
    while True:
        try:
            messages.append(listening.recv(4096).decode())
        except BlockingIOError:
            return messages


def test_systemd_is_notified(notify_socket: tuple[str, socket.socket]) -> None:
    address, listening = notify_socket
    clock = SimulatedClock(5 * S)
    watchdog = watchdog_from_environment({"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "30000000"}, clock)
    watchdog.ready("the home\npage is up")
    watchdog.alive()
    for _ in range(100):
        clock.wait_until(clock.now_ns() + S // 2)
        watchdog.alive()
    watchdog.stopping()
    messages = receive_all(listening)
    assert messages[0] == "READY=1\nSTATUS=the home page is up"
    assert messages[1:-1] == ["WATCHDOG=1"] * 4  # at once, and every 15 of 50 seconds
    assert messages[-1] == "STOPPING=1"


def test_no_watchdog_pings_without_a_timeout(notify_socket: tuple[str, socket.socket]) -> None:
    address, listening = notify_socket
    for environ in (
        {},
        {"WATCHDOG_USEC": "0"},
        {"WATCHDOG_USEC": "x"},
        {"WATCHDOG_USEC": "9000000", "WATCHDOG_PID": "1"},
    ):
        watchdog = watchdog_from_environment({"NOTIFY_SOCKET": address} | environ, SimulatedClock())
        watchdog.alive()
        assert receive_all(listening) == []


def test_without_systemd_nothing_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "socket", None)  # none is even opened
    for environ in ({}, {"NOTIFY_SOCKET": ""}, {"NOTIFY_SOCKET": "vsock:2:1"}):
        watchdog = watchdog_from_environment({"WATCHDOG_USEC": "1000"} | environ)
        watchdog.ready("x")
        watchdog.alive()
        watchdog.stopping()


def test_missing_socket_is_ignored(tmp_path: Path) -> None:
    watchdog = watchdog_from_environment(
        {"NOTIFY_SOCKET": str(tmp_path / "gone"), "WATCHDOG_USEC": "1000"}, SimulatedClock()
    )
    watchdog.ready("x")
    watchdog.alive()
