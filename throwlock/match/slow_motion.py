"""Which rounds are shown in slow motion, and how from their frames."""

from throwlock.nonessential import nonessential
from throwlock.tables.source import ThrownRound
from ui.screen.pages.reveal import Reveal
from ui.screen.pages.slow_motion import SlowMotion, slow_motion_of

CLOSE_MS = 60.0
"""A round in which everybody showed within this time was close."""


def is_important(thrown: ThrownRound, *, decides: bool) -> bool:
    """Whether people want to see a round again: somebody fouled, it is too close to call, everybody showed at nearly
    the same time, or it ``decides`` the match."""
    times = [seat.shown_ms for seat in thrown.record.seats.values() if seat.shown_ms is not None]
    is_close = len(times) == len(thrown.record.seats) > 1 and max(times) - min(times) <= CLOSE_MS
    return decides or is_close or (thrown.went_wrong and thrown.record.void_reason is None)


def has_slow_motion(reveal: Reveal) -> bool:
    """Whether a round can be shown in slow motion: a hand showed its throw in it."""
    return any(seat.timed_ms is not None for seat in reveal.seats)


def slow_motion_of_round(thrown: ThrownRound, reveal: Reveal) -> SlowMotion | None:
    """Return a round in slow motion, from its frames in memory; None without them, or if no hand showed. Waits until
    the frames are ready: about a tenth of a second."""
    first_ms = thrown.record.first_shown_ms
    if first_ms is None:
        return None
    with nonessential("the round can't be shown in slow motion"):
        frames = thrown.frames.result()
        return slow_motion_of(reveal, [at - first_ms for at in frames.times_ms], frames.image)
    return None
