"""Rounds with frames to make clips from: each frame has its own brightness, so that a test knows it again."""

from pathlib import Path
from typing import Any

import numpy as np

from tests.helpers.journal_builder import JournalBuilder, P, R, S, make_hand
from throwlock.journal.kept_frames import KeptFrames, StoredFrames
from vision.evidence import encode_jpeg

FRAME_STEP_MS = 1000 / 60
FIRST_MS, LOCK_MS = 20.0, 170.0
LATE_MS = 351.26
"""When the late hand of ``late_round`` showed, after the cue."""


def frame_times() -> tuple[float, ...]:
    """Return the times of frames from 140 ms before the first hand to after the late one, in ms after the cue."""
    return tuple(-120.0 + number * FRAME_STEP_MS for number in range(34))


def frame_level(number: int) -> int:
    """Return the brightness of a frame."""
    return 40 + 6 * number


def keep_frames(box: JournalBuilder, event: int, seats: int = 2) -> None:
    """Keep frames of a round."""
    found = box.journal.event(event)
    assert found is not None
    times = frame_times()
    jpegs = {
        (seat, number): encode_jpeg(np.full((240, 200, 3), frame_level(number), np.uint8))
        for seat in range(1, seats + 1)
        for number in range(len(times))
    }
    KeptFrames(box.path).save(event, found.hash, StoredFrames(times, jpegs))


def late_round(folder: Path, **more: Any) -> tuple[JournalBuilder, int]:
    """Return a box with a round in which the second hand was late, and the round's event, with kept frames."""
    box = JournalBuilder(folder / "evening.journal")
    event = box.add_round(R, make_hand(P, "late", at_lock=R, shown_ms=LATE_MS, **more))
    keep_frames(box, event)
    return box, event


def round_of(box: JournalBuilder, *hands: Any, **more: Any) -> int:
    """Add a round and keep frames of it."""
    event = box.add_round(*hands, **more)
    keep_frames(box, event, len(hands))
    return event


__all__ = ["FIRST_MS", "LATE_MS", "LOCK_MS", "P", "R", "S", "keep_frames", "late_round", "make_hand", "round_of"]
