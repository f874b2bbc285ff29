"""A judged round, and the one that can't be judged."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from device.camera.frames import Frame
from errors import ThrowlockError
from messages import ngettext_lazy
from rules.record.judgement import Verdict
from rules.throws import WINDOW_MS
from vision.lock.camera_checks import check_frame_gaps
from vision.lock.reasons import VoidReason
from vision.lock.verdict import SeatVerdict
from vision.zones import Zone

HAND_WINDOW_NS = WINDOW_MS * 1_000_000
"""From the first hand to the lock."""
MIN_FRAMES = 3
"""Fewest frames a round can be judged from."""


class LockError(ThrowlockError, ValueError):
    """A recording that can't be judged. The message says why."""


@dataclass(frozen=True)
class Judgement:
    """One judged round; times are on the camera's clock."""

    cue_ns: int
    first_ns: int | None
    """When the first hand showed its throw; None if none did."""
    lock_ns: int
    window_ns: int
    """From the first hand to the lock."""
    lock_frame: Frame
    """The exposure nearest the lock."""
    seats: tuple[SeatVerdict, ...]
    """A verdict per seat, in the order of the seats."""
    void_reason: VoidReason | None = None
    """Why the round is void whatever the seats showed, with nobody to blame; None if it counts."""
    decided_ns: int | None = None
    """When the round was clear, so that nothing after it counted; None if all of it was searched."""

    @property
    def fouls(self) -> tuple[SeatVerdict, ...]:
        """The seats whose verdict is a foul."""
        return tuple(seat for seat in self.seats if seat.verdict.is_foul)

    @property
    def is_clear(self) -> bool:
        """Whether the round counts and so does everybody's throw."""
        on_time = all(seat.verdict is Verdict.ON_TIME and seat.at_lock is not None for seat in self.seats)
        return on_time and self.void_reason is None

    def for_seats(self, seats: Sequence[int]) -> "Judgement":
        """Return the judgement of a round in which only some of a table's seats threw: ``seats`` are the numbers of
        seat 1, 2, … as judged, and everything that names a seat names it by its own number from here on."""

        def renumber(seat: int | None) -> int | None:
            return None if seat is None else seats[seat - 1]

        verdicts = [
            replace(verdict, seat=seat, entered_zone=renumber(verdict.entered_zone))
            for seat, verdict in zip(seats, self.seats, strict=True)
        ]
        void_reason = self.void_reason and replace(self.void_reason, seat=renumber(self.void_reason.seat))
        return replace(self, seats=tuple(verdicts), void_reason=void_reason)

    def ms_after_cue(self, time_ns: int) -> float:
        """Return how long after the cue a time is, in ms with one decimal, as it is written down."""
        return round((time_ns - self.cue_ns) / 1e6, 1)

    def ms_after_first(self, time_ns: int) -> float:
        """Return how long after the first hand a time is, in ms with one decimal; after the cue where there was no
        first hand. Computed from times after the cue, so that what is written down gives the same figure."""
        first_ms = 0.0 if self.first_ns is None else self.ms_after_cue(self.first_ns)
        return round(self.ms_after_cue(time_ns) - first_ms, 1)


def check_frame_count(frames: Sequence[Frame]) -> None:
    """Raise LockError if there are fewer than ``MIN_FRAMES`` frames."""
    if len(frames) < MIN_FRAMES:
        raise LockError(
            ngettext_lazy(
                "only {count} frame: too few to judge a throw",
                "only {count} frames: too few to judge a throw",
                len(frames),
            )
        )


def void_judgement(frames: Sequence[Frame], zones: Sequence[Zone], cue_ns: int, window_ns: int) -> Judgement:
    """Return the judgement on a round with fewer than ``MIN_FRAMES`` frames (one at least): void, and nobody seen."""
    lock_ns = cue_ns + window_ns
    void_reason = check_frame_gaps([frame.exposed_ns for frame in frames], cue_ns - window_ns, lock_ns, 0)
    seats = tuple(
        SeatVerdict(seat, Verdict.UNSEEN, None, None, None, zone.box(frames[0].size))
        for seat, zone in enumerate(zones, 1)
    )
    return Judgement(cue_ns, None, lock_ns, window_ns, frames[-1], seats, void_reason)
