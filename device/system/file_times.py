"""The times of files, where an age or an order depends on them: the time of day of a box without a clock jumps, from
1970 to today or by a day either way."""

import os
import time
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

EARLIEST_YEAR = 2025
"""An earlier time is of a clock that was not set."""
_EARLIEST_S = datetime(EARLIEST_YEAR, 1, 1, tzinfo=UTC).timestamp()
_STARTED_S = time.time() - time.monotonic()


def steady_time() -> float:
    """Return the time in s since 1970 as it was when the program started, and what has passed since: it never jumps."""
    return _STARTED_S + time.monotonic()


def set_time(path: Path, now_s: float) -> None:
    """Make ``now_s`` the time of a file. Raises OSError."""
    os.utime(path, (now_s, now_s))


def age_s(path: Path, now_s: float) -> float:
    """Return how old a file is. One whose time can't be, of an unset clock or in the future, counts from ``now_s`` on.
    Raises OSError."""
    written_s = path.stat().st_mtime
    if written_s > now_s or written_s < _EARLIEST_S <= now_s:
        set_time(path, now_s)
        return 0.0
    return now_s - written_s


def mark_newest(path: Path, others: Iterable[Path]) -> None:
    """Make a file newer than all ``others``, whatever the time of day is. Raises OSError."""
    newest_s = path.stat().st_mtime
    for other in others:
        with suppress(FileNotFoundError):
            newest_s = max(newest_s, other.stat().st_mtime + 1)
    set_time(path, newest_s)
