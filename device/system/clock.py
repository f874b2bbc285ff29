"""Time, injected: the real clock, and a twin that jumps instead of waiting so that hours of play take no time."""

import time
from typing import Protocol


class Clock(Protocol):
    """A steady clock in nanoseconds; cameras stamp their frames with it."""

    def now_ns(self) -> int:
        """The time now; never goes back."""

    def wait_until(self, when_ns: int) -> None:
        """Return at ``when_ns``, or at once if that is past."""


class SteadyClock:
    """The machine's monotonic clock."""

    def now_ns(self) -> int:
        """See Clock."""
        return time.monotonic_ns()

    def wait_until(self, when_ns: int) -> None:
        """See Clock."""
        while (left := when_ns - time.monotonic_ns()) > 0:
            time.sleep(left / 1e9)


class JumpingClock:
    """A clock that stands still until somebody waits, and then jumps to that instant."""

    def __init__(self, start_ns: int = 0) -> None:
        self._now_ns = start_ns

    def now_ns(self) -> int:
        """See Clock."""
        return self._now_ns

    def wait_until(self, when_ns: int) -> None:
        """See Clock."""
        self._now_ns = max(self._now_ns, when_ns)
