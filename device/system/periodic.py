"""Something that has to be done again and again, each time when it says so itself: in a thread of its own, or by hand
in a test, where time is jumped over instead of waited for."""

import threading
from collections.abc import Callable
from typing import Protocol

Again = Callable[[], float | None]
"""Does it, and tells in how many seconds it has to be done again (``None``: not before ``wake``)."""


class Beat(Protocol):
    """What does it."""

    def wake(self) -> None:
        """Do it again now. May be called from any thread, and from what is done."""

    def stop(self) -> None:
        """Do it no more; once this has returned, it is not being done either. May be called twice."""


class ThreadBeat:
    """Does it in a thread called ``name``, which sleeps in between."""

    def __init__(self, again: Again, name: str) -> None:
        self._again = again
        self._wanted = threading.Event()
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._wanted.set()
        self._thread.start()

    def wake(self) -> None:
        """See Beat."""
        self._wanted.set()

    def stop(self) -> None:
        """See Beat."""
        self._stopped = True
        self._wanted.set()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _run(self) -> None:
        seconds: float | None = None
        while True:
            self._wanted.wait(seconds)
            self._wanted.clear()
            if self._stopped:
                return
            seconds = self._again()


class HandBeat:
    """Does it whenever ``wake`` or ``go`` is called: the twin for tests."""

    def __init__(self, again: Again, name: str) -> None:
        self._again = again
        self.name = name
        self.stopped = False
        self.due_s: float | None = None
        """In how many seconds it wants to be done again, as of the last time."""

    def wake(self) -> None:
        """See Beat."""
        self.go()

    def go(self) -> None:
        """Do it."""
        if not self.stopped:
            self.due_s = self._again()

    def stop(self) -> None:
        """See Beat."""
        self.stopped = True


MakeBeat = Callable[[Again, str], Beat]
