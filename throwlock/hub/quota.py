"""What one box may take of a hall: how fast it may send, and how much of the disk may be filled with what it has sent.
What is over that is thrown away, for the box sends on from what is stored; the others are served meanwhile."""

import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal

Excess = Literal["too fast", "full"]
"""What is over a quota: a box sends too fast, or has used up its room."""

MESSAGE_COST_BYTES = 10_000
"""Counted for a message besides its payload: what it costs to read and answer it."""
BURST_BYTES = 16_000_000
"""What a box that was away may send at once: 20,000 events, a week of playing."""
BYTES_PER_S = 250_000
"""What it may send after that. One that is played at sends 1,000."""
EVENT_ROW_BYTES = 1000
"""Counted for an event or a picture besides its content, as in migrations/0003.quotas.sql."""
MAX_BOX_BYTES = 2_000_000_000
"""The most that is stored of a box."""
DISK_SHARE = 4
"""Nor is more stored of it than a quarter of what is still free: a box that does nothing but send stops at a fifth of
the disk, and eight of them leave a third."""


class SendingLimit:
    """How much each box has sent lately. ``now_s`` is a monotonic clock's time in s."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s
        self._used: dict[str, tuple[float, float]] = {}
        """By box: bytes, and when it was so many."""

    def take(self, box: str, payload_bytes: int) -> bool:
        """Count a message, unless it is too much."""
        now_s, cost = self._now_s(), payload_bytes + MESSAGE_COST_BYTES
        used, since_s = self._used.get(box, (0.0, now_s))
        used = max(0.0, used - (now_s - since_s) * BYTES_PER_S)
        is_taken = used + cost <= BURST_BYTES
        self._used[box] = used + cost * is_taken, now_s
        return is_taken


def box_room(folder: Path) -> int:
    """Return how many bytes may be stored of a box, with what is free on the disk of ``folder``."""
    return min(MAX_BOX_BYTES, shutil.disk_usage(folder).free // DISK_SHARE)
