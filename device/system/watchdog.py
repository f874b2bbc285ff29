"""What the box tells systemd: that it is ready, how it does, and that its main loop still turns; and the twin that only
writes it down. systemd restarts a box that falls silent.

watchdog = notifier()
watchdog.ready("the home page is up")
while turning:
    watchdog.alive()
"""

import os
import socket
from collections.abc import Mapping
from typing import Protocol

from device.system.clock import Clock, SteadyClock


class Watchdog(Protocol):
    """Whoever wants to know how the box does."""

    def ready(self, status: str) -> None:
        """The first screen is up."""

    def alive(self) -> None:
        """The main loop has turned once more; may be called as often as it does."""

    def status(self, text: str) -> None:
        """What the box is doing, in a few words."""

    def stopping(self) -> None:
        """The box was told to stop, and will."""


class Unwatched:
    """Nobody wants to know: the box was not started by systemd."""

    def ready(self, status: str) -> None:
        """See Watchdog."""

    def alive(self) -> None:
        """See Watchdog."""

    def status(self, text: str) -> None:
        """See Watchdog."""

    def stopping(self) -> None:
        """See Watchdog."""


class Systemd:
    """systemd, at the socket that it named. It is told that the loop turns twice in the time after which it would
    restart the box, however often that is said. A message that can't be sent is no reason to stop."""

    def __init__(self, address: str, patience_ns: int | None, clock: Clock) -> None:
        """``address`` is a path, or an abstract name that begins with @; ``patience_ns`` systemd's time-out, None when
        it does not watch. Raises OSError when there can be no socket."""
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self._every_ns = None if patience_ns is None else patience_ns // 2
        self._clock = clock
        self._told_ns: int | None = None
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)

    def ready(self, status: str) -> None:
        """See Watchdog."""
        self._tell(f"READY=1\nSTATUS={_line(status)}")

    def alive(self) -> None:
        """See Watchdog."""
        now_ns = self._clock.now_ns()
        if self._every_ns is None or (self._told_ns is not None and now_ns - self._told_ns < self._every_ns):
            return
        self._told_ns = now_ns
        self._tell("WATCHDOG=1")

    def status(self, text: str) -> None:
        """See Watchdog."""
        self._tell(f"STATUS={_line(text)}")

    def stopping(self) -> None:
        """See Watchdog."""
        self._tell("STOPPING=1")

    def _tell(self, message: str) -> None:
        try:
            self._socket.sendto(message.encode(), self._address)
        except OSError:
            return


def notifier(environ: Mapping[str, str] = os.environ, clock: Clock | None = None) -> Watchdog:
    """systemd, where it started the box and wants to know; else nobody."""
    address = environ.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return Unwatched()
    micros = environ.get("WATCHDOG_USEC", "")
    mine = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    patience_ns = int(micros) * 1000 if micros.isdecimal() and int(micros) and mine else None
    return Systemd(address, patience_ns, clock or SteadyClock())


def _line(text: str) -> str:
    return " ".join(text.split())
