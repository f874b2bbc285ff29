"""Why a hand is unclear or unseen, where that can be told: half open, not whole in its zone, away, or gone."""

from enum import StrEnum

import numpy as np

from vision.lock.zone_view import Seen, Sight

OUTSIDE = 3
"""Landmarks of 21 outside the zone from which a hand is not whole in it. One or two are guesses of the hand model."""
HALF = 0.2, 0.8
"""How far a finger is out that is neither curled nor straight."""
NEAR_NS = 120_000_000
"""How near to the lock a look must be to tell what the hand showed there: the length of an opening."""
GONE_NS = 400_000_000
"""How long before the lock a hand must have been seen last to be told from one that was only lost in a blur."""


class Cause(StrEnum):
    """Why there is no throw to be read."""

    HALF_OPEN = "half open"
    CUT_OFF = "not whole in its zone"
    GONE = "gone at the lock"
    AWAY = "never in its zone"


def cause_unclear(sight: Sight, lock_ns: int) -> Cause | None:
    """Why the hand that is seen at the lock shows none of the three; None where that can't be told."""
    seen = _nearest(sight, lock_ns, NEAR_NS)
    if seen is None:
        return None
    if is_cut_off(sight, seen):
        return Cause.CUT_OFF
    half = [HALF[0] <= share <= HALF[1] for share in seen.reading.extension[1:]]
    return Cause.HALF_OPEN if sum(half) >= 2 else None


def cause_unseen(sight: Sight, lock_ns: int) -> Cause | None:
    """Why no hand is seen at the lock."""
    looks = [i for i in sight.looked_at() if sight(i) is not None]
    if not looks:
        return Cause.AWAY
    before = [i for i in looks if sight.times[i] <= lock_ns]
    last = sight(before[-1]) if before else None
    if last is not None and is_cut_off(sight, last):
        return Cause.CUT_OFF
    return Cause.GONE if last is None or lock_ns - int(sight.times[before[-1]]) >= GONE_NS else None


def is_cut_off(sight: Sight, seen: Seen) -> bool:
    """Whether a hand leaves its seat's zone. The wrist may: an arm comes from outside."""
    box, points = sight.box, seen.hand.landmarks[1:]
    out = (points < (box.x, box.y)) | (points > (box.x + box.w, box.y + box.h))
    return int(np.any(out, axis=1).sum()) >= OUTSIDE


def _nearest(sight: Sight, when_ns: int, within_ns: int) -> Seen | None:
    looks = [(abs(int(sight.times[i]) - when_ns), i) for i in sight.looked_at() if sight(i) is not None]
    near, index = min(looks, default=(within_ns + 1, -1))
    return sight(index) if near <= within_ns else None
