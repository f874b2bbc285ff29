"""Run a callback periodically; the callback returns the delay until its next run."""

import threading
from collections.abc import Callable
from typing import Protocol

from typing_extensions import override

PeriodicCallback = Callable[[], float | None]
"""Callback; returns seconds until the next call, or None to wait for ``wake``."""


class PeriodicTask(Protocol):
    """Runs the callback."""

    def wake(self) -> None:
        """Run the callback now. May be called from any thread, and from the callback itself."""

    def stop(self) -> None:
        """Stop; when this returns, the callback is not running. May be called twice."""


class ThreadTicker(PeriodicTask):
    """Runs the callback in a thread called ``name``."""

    def __init__(self, callback: PeriodicCallback, name: str) -> None:
        self._callback = callback
        self._wake_event = threading.Event()
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._wake_event.set()
        self._thread.start()

    @override
    def wake(self) -> None:
        self._wake_event.set()

    @override
    def stop(self) -> None:
        self._stopped = True
        self._wake_event.set()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _run(self) -> None:
        delay_s: float | None = None
        while True:
            self._wake_event.wait(delay_s)
            self._wake_event.clear()
            if self._stopped:
                return
            delay_s = self._callback()


MakePeriodicTask = Callable[[PeriodicCallback, str], PeriodicTask]
