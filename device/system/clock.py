"""Injected time: the real clock, and a simulated one that jumps instead of waiting."""

import time
from typing import Protocol

from typing_extensions import override


class Clock(Protocol):
    """A monotonic clock in nanoseconds; cameras stamp their frames with it."""

    def now_ns(self) -> int:
        """Return the current time; it never goes back."""

    def wait_until(self, when_ns: int) -> None:
        """Wait until ``when_ns``; return at once if that is past."""


class MonotonicClock(Clock):
    """The machine's monotonic clock."""

    @override
    def now_ns(self) -> int:
        return time.monotonic_ns()

    @override
    def wait_until(self, when_ns: int) -> None:
        while (remaining_ns := when_ns - time.monotonic_ns()) > 0:
            time.sleep(remaining_ns / 1e9)


class SimulatedClock(Clock):
    """A clock that stands still until ``wait_until`` is called, and then jumps to that time."""

    def __init__(self, start_ns: int = 0) -> None:
        self._now_ns = start_ns

    @override
    def now_ns(self) -> int:
        return self._now_ns

    @override
    def wait_until(self, when_ns: int) -> None:
        self._now_ns = max(self._now_ns, when_ns)
