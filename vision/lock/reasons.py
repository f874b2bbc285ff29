"""Why a round is void with nobody to blame, and why a hand is unclear or unseen, if known."""

from dataclasses import dataclass
from enum import StrEnum

from rules.record.judgement import Verdict
from vision.hands.detector import count_outside
from vision.lock.zone_view import HandObservation, ZoneView


class VoidKind(StrEnum):
    """The kinds of reasons."""

    REACHING = "reaching over"
    COVERED = "covered"
    MOVED = "moved"
    DARK = "too dark"
    FEW_FRAMES = "too few frames"
    COPIES = "copies"


@dataclass(frozen=True)
class VoidReason:
    """Why a round can't be judged."""

    kind: VoidKind
    seat: int | None = None
    """The number of the seat whose zone it concerns; None where it is the whole image."""
    measurement: float = 0.0
    """What was measured, in the unit of its text."""
    marker: int | None = None
    """That of a card that is in two zones."""


MIN_LANDMARKS_OUTSIDE = 3
"""Landmarks (of 21) outside the zone from which a hand is not whole in it. The hand model guesses one or two."""
HALF_OPEN_RANGE = 0.2, 0.8
"""Extension (0 curled, 1 straight) of a finger that is neither."""
NEAR_LOCK_NS = 120_000_000
"""How near to the lock a frame must be to show what the hand did there: the duration of an opening."""
MIN_GONE_NS = 400_000_000
"""How long before the lock a hand must have been seen last to be gone, and not just lost in a blur."""


class HandCause(StrEnum):
    """Why a hand shows no throw at the lock; the last four only of a hand that is nobody's foul."""

    HALF_OPEN = "half open"
    CUT_OFF = "not whole in its zone"
    GONE = "gone at the lock"
    AWAY = "never in its zone"
    SMALL = "too small"
    DARK = "too dark"
    UNREADABLE = "not readable"
    CAME_DOWN_AGAIN = "came down again"
    """A fist of which nobody can say which swing was the throw: too close to call."""


def explain_verdict(verdict: Verdict, view: ZoneView, lock_ns: int) -> HandCause | None:
    """Return why a hand is unclear or unseen at the lock; None if unknown, and for all other verdicts."""
    if verdict is Verdict.UNCLEAR:
        return _explain_unclear(view, lock_ns)
    return _explain_unseen(view, lock_ns) if verdict is Verdict.UNSEEN else None


def _explain_unclear(view: ZoneView, lock_ns: int) -> HandCause | None:
    """Return why the hand seen at the lock shows none of the three; None if unknown."""
    seen = _nearest_hand(view, lock_ns, NEAR_LOCK_NS)
    if seen is None:
        return None
    if _leaves_zone(view, seen):
        return HandCause.CUT_OFF
    half_open = [HALF_OPEN_RANGE[0] <= share <= HALF_OPEN_RANGE[1] for share in seen.reading.extension[1:]]
    return HandCause.HALF_OPEN if sum(half_open) >= 2 else None


def _explain_unseen(view: ZoneView, lock_ns: int) -> HandCause | None:
    """Return why no hand is seen at the lock; None if unknown."""
    shown = [i for i in view.inspected_frames() if view(i) is not None]
    if not shown:
        return HandCause.AWAY
    before = [i for i in shown if view.times_ns[i] <= lock_ns]
    last = view(before[-1]) if before else None
    if last is not None and _leaves_zone(view, last):
        return HandCause.CUT_OFF
    return HandCause.GONE if last is None or lock_ns - int(view.times_ns[before[-1]]) >= MIN_GONE_NS else None


def _leaves_zone(view: ZoneView, seen: HandObservation) -> bool:
    return count_outside(seen.hand.landmarks, view.box) >= MIN_LANDMARKS_OUTSIDE


def _nearest_hand(view: ZoneView, time_ns: int, max_distance_ns: int) -> HandObservation | None:
    distances = [(abs(int(view.times_ns[i]) - time_ns), i) for i in view.inspected_frames() if view(i) is not None]
    distance_ns, index = min(distances, default=(max_distance_ns + 1, -1))
    return view(index) if distance_ns <= max_distance_ns else None
