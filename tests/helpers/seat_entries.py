"""Entries of seats for the tests of statistics and charts."""

from typing import Any

from rules.record.round import PlayerLink
from rules.record.seat_entry import SeatEntry
from rules.throws import Throw


def make_entry(**fields: Any) -> SeatEntry:
    """Return the entry of a rock that was on time, apart from ``fields``."""
    usual: dict[str, Any] = {
        "event": 1, "seat": 1, "match": 1, "player": PlayerLink(None, "Player 1"), "at": "", "verdict": "on time",
        "is_foul": False, "throw": Throw.ROCK, "after_first_ms": None, "would_have_gained": False, "window_ms": 150.0,
        "outcome": None, "is_hand": True, "on_time_ms": None,
    }  # fmt: skip
    return SeatEntry(**{**usual, **fields})
