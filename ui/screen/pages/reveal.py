"""The reveal of everybody's throw."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from typing_extensions import override

from device.camera.frames import Pixels
from messages import N
from rules.engine import Seat
from rules.record.judgement import Verdict
from rules.record.round import SeatView
from rules.throws import Outcome, Throw, to_throw
from ui.i18n.language import t
from ui.screen.pages.common import Player
from ui.screen.views import TimedView, View
from ui.text import labels

OPENING_S = 0.3
"""The time in which everybody's card turns over, at once: its back, with the seat's mark, then the image. People can
touch the page meanwhile."""


@dataclass(frozen=True, eq=False)
class SeatPictures:
    """The pictures of a seat's hand or card in a round."""

    at_lock: Pixels
    """Of the lock frame, which everybody's throw is read from."""
    proof: Pixels | None = None
    """Of the frame in which it shows another throw than at the lock, if it does."""


@dataclass(frozen=True)
class FaceDown(View):
    """The cards of entered throws while they are face down, just before their Reveal."""

    players: tuple[Player, ...]
    """Those whose throws are turned over."""
    can_undo: bool = False
    """Whether people at the display may undo them once they are."""


@dataclass(frozen=True)
class Reveal(TimedView):
    """Everybody's throw at once. With ``seconds_left`` people may dispute it if they ``can_dispute``, see it in slow
    motion if it ``has_slow_motion``, or take it back if they ``can_undo``: answered with DISPUTE_ANSWER,
    SLOW_MOTION_ANSWER, UNDO_ANSWER, GO_ON_ANSWER, or nothing once the time has run out."""

    seats: tuple[SeatView, ...]
    players: tuple[Player, ...]
    """Those of the seats, in the same order."""
    pictures: Mapping[Seat, SeatPictures]
    """Of those whom a camera saw."""
    sentence: str
    """What it means."""
    window_ms: float
    """From the first hand to the lock."""
    beaten_pairs: tuple[tuple[Throw, Throw], ...] = ()
    """Which throw beats which, the winner first."""
    has_slow_motion: bool = field(default=False, kw_only=True)
    can_dispute: bool = field(default=True, kw_only=True)
    can_undo: bool = field(default=False, kw_only=True)
    """Whether people entered the throws, and may take back the last of them."""
    in_class: bool = field(default=False, kw_only=True)
    """Whether there are more players than fit at a table: they get no pictures, even if few of them throw."""
    is_judged: bool = field(default=True, kw_only=True)
    """Whether times and verdicts are shown: not to children, nor of entered throws."""

    @property
    def all_tied(self) -> bool:
        """Whether nobody has won or lost, so that all throw again."""
        return all(seat.outcome is Outcome.TIED for seat in self.seats)

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


def is_proof_earlier(seat: SeatView) -> bool:
    """Whether a hand or card showed another throw before the lock, not after it."""
    return seat.early_ms is not None or seat.throws[1:] == (to_throw(seat.record.at_lock),)


def proof_time(seat: SeatView) -> str:
    """When the image was taken in which a hand or card shows another throw than at the lock."""
    if seat.verdict == Verdict.CHANGED and not is_proof_earlier(seat):
        return t(AFTERWARDS)
    return labels.shown_time(seat.timed_ms, seat.early_ms)


def proof_throw(seat: SeatView) -> Throw | None:
    """What a hand or card shows in that image."""
    return next((throw for throw in seat.throws if throw != seat.record.at_lock), seat.last_throw)
