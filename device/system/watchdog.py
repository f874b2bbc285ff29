"""Notifies systemd (sd_notify) that the box is ready, and that its main loop is running. systemd restarts a box whose
notifications stop.

watchdog = watchdog_from_environment()
watchdog.ready("the home page is up")
while running:
    watchdog.alive()
"""

import os
import socket
from collections.abc import Mapping

from device.system.clock import Clock, MonotonicClock


class Watchdog:
    """Sends notifications to systemd's socket. Messages that can't be sent are dropped.

    Args:
        address: A path, or an abstract name beginning with @; None where systemd did not start the box: then nothing is
            sent.
        timeout_ns: systemd's watchdog timeout; None if it has none. ``alive`` sends at most two messages in it.

    Raises:
        OSError: No socket can be created.
    """

    def __init__(self, address: str | None, timeout_ns: int | None, clock: Clock) -> None:
        self._address = "\0" + address[1:] if address and address.startswith("@") else address
        self._ping_interval_ns = None if timeout_ns is None else timeout_ns // 2
        self._clock = clock
        self._last_ping_ns: int | None = None
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) if address else None

    def ready(self, status: str) -> None:
        """Report that the first screen is up, and in a few words what the box is doing."""
        self._send(f"READY=1\nSTATUS={' '.join(status.split())}")

    def alive(self) -> None:
        """Report that the main loop is running; call it on every iteration."""
        now_ns = self._clock.now_ns()
        if self._ping_interval_ns is None or (
            self._last_ping_ns is not None and now_ns - self._last_ping_ns < self._ping_interval_ns
        ):
            return
        self._last_ping_ns = now_ns
        self._send("WATCHDOG=1")

    def stopping(self) -> None:
        """Report that the box is about to stop."""
        self._send("STOPPING=1")

    def _send(self, message: str) -> None:
        if self._socket is None or self._address is None:
            return
        try:
            self._socket.sendto(message.encode(), self._address)
        except OSError:
            return


def watchdog_from_environment(environ: Mapping[str, str] = os.environ, clock: Clock | None = None) -> Watchdog:
    """Return the notifier for systemd as it asks for notifications; one that sends nothing if it did not start the
    box."""
    address = environ.get("NOTIFY_SOCKET", "")
    timeout_us = environ.get("WATCHDOG_USEC", "")
    for_this_process = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    timeout_ns = int(timeout_us) * 1000 if timeout_us.isdecimal() and int(timeout_us) and for_this_process else None
    return Watchdog(address if address.startswith(("/", "@")) else None, timeout_ns, clock or MonotonicClock())
