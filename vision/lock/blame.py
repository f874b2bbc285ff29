"""No blame without evidence. A hand that shows no throw at the lock is a foul only where the frames say what it did:
it was half open, and every look at it says so; it had left its place, or had not come; or its zone stayed empty. A hand
that is there and can't be read is nobody's foul: the camera did not read it."""

from collections.abc import Sequence
from dataclasses import replace

from rules.record.judgement import Verdict
from vision.hands.limits import HandLimit, find_limit
from vision.lock.reasons import HandCause, explain_verdict
from vision.lock.verdict import SeatVerdict
from vision.lock.zone_view import ZoneView

MAX_REMAINING_SHARE = 0.5
"""Share of the hand's coloured area that may remain in the zone once the hand is gone."""


def settle_blame(seat: SeatVerdict, looks: Sequence[ZoneView], lock_ns: int) -> SeatVerdict:
    """Return a verdict that blames nobody for a hand that is there and was not read.

    Args:
        seat: The verdict so far.
        looks: The views of the seat's zone: the first look, and the second ones if there were any.
        lock_ns: The lock.
    """
    if seat.verdict not in (Verdict.UNCLEAR, Verdict.UNSEEN) or _has_evidence(seat, looks, lock_ns):
        return seat
    return replace(seat, verdict=Verdict.UNREAD, cause=_explain_unread(seat, looks[0], lock_ns))


def is_empty(view: ZoneView) -> bool:
    """Whether no hand was found in any frame that was inspected, and nothing in the zone moved between them."""
    first, *others = view.observed_frames() or [0]
    no_hand = all(view(index) is None for index in (first, *others))
    return no_hand and all(view.is_unchanged(first, index) for index in others)


def _has_evidence(seat: SeatVerdict, looks: Sequence[ZoneView], lock_ns: int) -> bool:
    if seat.verdict is Verdict.UNCLEAR:
        causes = [explain_verdict(Verdict.UNCLEAR, view, lock_ns) for view in looks]
        return len(causes) > 1 and all(cause is HandCause.HALF_OPEN for cause in causes)
    if seat.cause is HandCause.GONE:
        return not _may_still_be_there(looks[0], lock_ns)
    return seat.cause is HandCause.AWAY and all(map(is_empty, looks))


def _may_still_be_there(view: ZoneView, lock_ns: int) -> bool:
    """Whether the zone has at the lock as much of the colour of the hand as in the nearest frame that shows it."""
    lock_frame = view.nearest_frame(lock_ns)
    seen = min((i for i in view.inspected_frames() if view(i) is not None), key=lambda i: abs(i - lock_frame))
    return view.share_like_hand(seen, lock_frame) > MAX_REMAINING_SHARE * view.share_like_hand(seen, seen)


def _explain_unread(seat: SeatVerdict, view: ZoneView, lock_ns: int) -> HandCause:
    """Return what most likely kept the camera from reading a hand, so that people can mend it."""
    if seat.cause is HandCause.CUT_OFF:
        return HandCause.CUT_OFF
    lengths = [seen.length for i in view.inspected_frames() if (seen := view(i)) is not None]
    match find_limit(max(lengths, default=None), view.bright_level(view.nearest_frame(lock_ns))):
        case HandLimit.SMALL:
            return HandCause.SMALL
        case HandLimit.DARK:
            return HandCause.DARK
        case None:
            return HandCause.UNREADABLE
