"""Notifies systemd (sd_notify) that the box is ready, what it is doing, and that its main loop is running. systemd
restarts a box whose notifications stop.

watchdog = watchdog_from_environment()
watchdog.ready("the home page is up")
while running:
    watchdog.alive()
"""

import os
import socket
from collections.abc import Mapping
from typing import Protocol

from device.system.clock import Clock, MonotonicClock


class Watchdog(Protocol):
    """Receives notifications about the state of the box."""

    def ready(self, status: str) -> None:
        """Report that the first screen is up."""

    def alive(self) -> None:
        """Report that the main loop is running; call it on every iteration."""

    def status(self, text: str) -> None:
        """Report what the box is doing, in a few words."""

    def stopping(self) -> None:
        """Report that the box is about to stop."""


class NullWatchdog:
    """No-op notifier, for a box that systemd did not start."""

    def ready(self, status: str) -> None:
        """See Watchdog."""

    def alive(self) -> None:
        """See Watchdog."""

    def status(self, text: str) -> None:
        """See Watchdog."""

    def stopping(self) -> None:
        """See Watchdog."""


class SystemdWatchdog:
    """Sends notifications to systemd's socket. ``alive`` sends at most two messages per watchdog timeout. Messages that
    can't be sent are dropped."""

    def __init__(self, address: str, timeout_ns: int | None, clock: Clock) -> None:
        """``address`` is a path, or an abstract name beginning with @; ``timeout_ns`` is systemd's watchdog timeout,
        None if it has none. Raises OSError when no socket can be created."""
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self._ping_interval_ns = None if timeout_ns is None else timeout_ns // 2
        self._clock = clock
        self._last_ping_ns: int | None = None
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)

    def ready(self, status: str) -> None:
        """See Watchdog."""
        self._send(f"READY=1\nSTATUS={_one_line(status)}")

    def alive(self) -> None:
        """See Watchdog."""
        now_ns = self._clock.now_ns()
        if self._ping_interval_ns is None or (
            self._last_ping_ns is not None and now_ns - self._last_ping_ns < self._ping_interval_ns
        ):
            return
        self._last_ping_ns = now_ns
        self._send("WATCHDOG=1")

    def status(self, text: str) -> None:
        """See Watchdog."""
        self._send(f"STATUS={_one_line(text)}")

    def stopping(self) -> None:
        """See Watchdog."""
        self._send("STOPPING=1")

    def _send(self, message: str) -> None:
        try:
            self._socket.sendto(message.encode(), self._address)
        except OSError:
            return


def watchdog_from_environment(environ: Mapping[str, str] = os.environ, clock: Clock | None = None) -> Watchdog:
    """Return the notifier for systemd if it started the box and asks for notifications, else a no-op."""
    address = environ.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return NullWatchdog()
    timeout_us = environ.get("WATCHDOG_USEC", "")
    for_this_process = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    timeout_ns = int(timeout_us) * 1000 if timeout_us.isdecimal() and int(timeout_us) and for_this_process else None
    return SystemdWatchdog(address, timeout_ns, clock or MonotonicClock())


def _one_line(text: str) -> str:
    return " ".join(text.split())
