"""The reveal of everybody's throw."""

from dataclasses import dataclass

from device.camera.frames import Pixels
from rules.throws import Throw
from ui.screen.pages.common.view import Player, TimedView


@dataclass(frozen=True, eq=False)
class SeatReveal:
    """One seat at the reveal: its crop of the lock frame, its throw (``None`` if it showed none), the verdict's word
    ("on time", "late", "early", "changed", "unclear", "unseen"), whether that is a foul, and how many milliseconds
    after the first hand it showed (``None`` if it never did). ``outcome`` is its outcome in the game: "win", "loss",
    "tie" (``None``: none yet)."""

    player: Player
    crop: Pixels
    throw: Throw | None
    verdict: str
    foul: bool
    after_first_ms: float | None
    outcome: str | None = None


@dataclass(frozen=True)
class Reveal(TimedView):
    """Everybody's throw at once. ``sentence`` says what it means; ``window_ms`` is the time from the first hand to the
    lock; each of ``beaten_pairs`` is (winner, loser). With ``seconds_left`` people may dispute it: answered with
    DISPUTE_ANSWER, or nothing once the time has run out."""

    seats: tuple[SeatReveal, ...]
    sentence: str
    window_ms: float
    beaten_pairs: tuple[tuple[Throw, Throw], ...] = ()

    @property
    def animation_s(self) -> float:
        """See View: the images open, and the time of the photo finish passes."""
        return 2.0
