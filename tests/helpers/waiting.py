"""Waiting for what another thread or process does: by order, with a limit that only a hanging one reaches."""

import threading
import time
from collections.abc import Callable
from typing import Final

LIMIT_S: Final = 180.0
"""Far more than anything takes on a busy machine."""
LOOK_EVERY_S: Final = 0.02


def wait_until(condition: Callable[[], object], what: str = "what is waited for") -> None:
    """Look again and again until ``condition()`` is true. Raises AssertionError when it never is."""
    end_s, pause = time.monotonic() + LIMIT_S, threading.Event()
    while not condition():
        assert time.monotonic() < end_s, f"there never was {what}"
        pause.wait(LOOK_EVERY_S)
