"""The reveal of everybody's throw."""

from dataclasses import dataclass, field

from typing_extensions import override

from device.camera.frames import Pixels
from messages import N
from rules.record.judgement import Verdict
from rules.throws import Outcome, Throw
from ui.i18n.language import t
from ui.screen.pages.common import Player
from ui.screen.views import TimedView
from ui.text import labels


@dataclass(frozen=True, eq=False)
class SeatReveal:
    """One seat at the reveal: its crop of the lock frame, the ``throws`` it showed in order of time (none; that at the
    lock; with some fouls another one before or after it), the verdict's word ("on time", "late", "too close to call",
    "early", "changed", "unclear", "unseen"), whether that is a foul, and how many milliseconds after the first hand it
    showed (``None`` if it never did). A hand that was early, or may have been, showed ``early_ms`` before the cue. If
    it is too close to call, the 95 % interval of its time reaches ``interval_ms`` to either side. ``proof_crop`` is of
    the frame in which it shows another throw than at the lock. ``outcome`` is its outcome in the game (``None``:
    none yet)."""

    player: Player
    crop: Pixels
    throws: tuple[Throw, ...]
    verdict: str
    foul: bool
    after_first_ms: float | None
    outcome: Outcome | None = None
    early_ms: float | None = None
    proof_crop: Pixels | None = None
    interval_ms: float = 0.0

    @property
    def throw(self) -> Throw | None:
        """What the hand came to show; ``None`` if it showed no throw."""
        return self.throws[-1] if self.throws else None

    @property
    def other_throw(self) -> Throw | None:
        """What the hand showed in the ``proof_crop``."""
        return None if not self.throws else self.throws[0 if self.early_ms is not None else -1]

    @property
    def at_lock(self) -> Throw | None:
        """What the hand showed in the ``crop``; ``None`` if that is no throw."""
        if self.proof_crop is not None and len(self.throws) < 2:
            return None
        return self.throws[-1 if self.early_ms is not None else 0] if self.throws else None


@dataclass(frozen=True)
class Reveal(TimedView):
    """Everybody's throw at once. ``sentence`` says what it means; ``window_ms`` is the time from the first hand to the
    lock; each of ``beaten_pairs`` is (winner, loser). With ``seconds_left`` people may dispute it, or see it in slow
    motion if it ``has_slow_motion``: answered with DISPUTE_ANSWER, SLOW_MOTION_ANSWER, or nothing once the time has run
    out. A class ``in_class``, of more players than fit at a table, gets no images, even if few of them throw."""

    seats: tuple[SeatReveal, ...]
    sentence: str
    window_ms: float
    beaten_pairs: tuple[tuple[Throw, Throw], ...] = ()
    has_slow_motion: bool = field(default=False, kw_only=True)
    in_class: bool = field(default=False, kw_only=True)

    @property
    @override
    def animation_s(self) -> float:
        """The images open, and the time of the photo finish passes."""
        return 2.0


NO_THROW = N("NO THROW")
SLOW_MOTION = N("Slow motion")
LOCK_IMAGE = N("at the lock")
"""The label of the image that everybody's throw is read from."""
AFTERWARDS = N("afterwards")
"""The label of the image in which a hand shows another throw than at the lock."""


def throw_label(throw: Throw | None) -> str:
    """A throw in capitals, or that there is none."""
    return t(NO_THROW) if throw is None else labels.throw_text(throw)


def proof_time(seat: SeatReveal) -> str:
    """When the image was taken in which a hand shows another throw than at the lock."""
    return t(AFTERWARDS) if seat.verdict == Verdict.CHANGED else labels.shown_time(seat.after_first_ms, seat.early_ms)
