"""A seat of a thrown round in one row: what lists, statistics and charts keep of a SeatView and its round by the
thousand, without the match that they are from."""

from dataclasses import dataclass

from rules.engine import Seat
from rules.record.round import PlayerLink, RoundView, SeatView
from rules.throws import Outcome, Throw


@dataclass(frozen=True)
class SeatEntry:
    """One seat of a thrown round."""

    event: int
    """The number of the round's event."""
    seat: Seat
    match: int
    player: PlayerLink
    at: str
    """When the round was written, ISO 8601 in UTC."""
    verdict: str
    is_foul: bool
    throw: Throw | None
    """What counted; None for nothing, and for a move on a board."""
    after_first_ms: float | None
    """When it showed, in ms after the first hand; None if it was not timed."""
    would_have_gained: bool
    """Whether it would have gained by what it showed after the lock."""
    window_ms: float
    """From the first hand to the lock."""
    outcome: Outcome | None
    """Its outcome among those it played against, by what beats what."""
    is_hand: bool
    """Whether it was thrown by hand, not with a card."""
    on_time_ms: float | None
    """When it showed, in ms after the cue, if it was on time."""

    @property
    def lateness_ms(self) -> float:
        """When it showed, in ms after the first hand. Only for a throw that was timed."""
        assert self.after_first_ms is not None
        return self.after_first_ms


def seat_entry(match: int, line: RoundView, seat: SeatView) -> SeatEntry:
    """Return the entry of a seat in a round of ``match``."""
    return SeatEntry(
        event=line.event,
        seat=seat.seat,
        match=match,
        player=seat.player,
        at=line.at,
        verdict=seat.verdict,
        is_foul=seat.is_foul,
        throw=seat.throw,
        after_first_ms=seat.after_first_ms,
        would_have_gained=seat.seat in line.late_gains,
        window_ms=line.judgement.window_ms,
        outcome=seat.throw_outcome,
        is_hand=seat.record.card is None and line.kind == "throw",
        on_time_ms=seat.on_time_ms,
    )
