"""Which tone a reveal has: who has won, and whether that was something special."""

from collections.abc import Sequence

from device.sound.base import Tone
from rules.record.match import StepView
from rules.record.round import RoundView, SeatView
from rules.throws import Outcome

STREAK_ROUNDS = 3
"""Rounds that a player wins in a row until that is a streak, and each further one."""
UPSET_RATIO, UPSET_POINTS = 2, 3
"""Whoever beats a player with at least so many times their points, and so many more, has upset them."""


def reveal_tone(steps: Sequence[StepView | RoundView], *, went_wrong: bool) -> Tone:
    """Return the tone of the reveal of the newest throws of a match's ``steps``; ``went_wrong``: with a foul, or
    void."""
    if went_wrong:
        return Tone.FOUL
    *earlier, newest = (step for step in steps if step.seats)
    counted = [step.seats for step in earlier if not (isinstance(step, RoundView) and step.is_void)]
    known = {seat.outcome for seat in newest.seats} - {None}
    if Outcome.WON not in known:
        return Tone.TIE if known == {Outcome.TIED} else Tone.REVEAL
    winners = [seat for seat in newest.seats if seat.has_won]
    if any(seat.bet and seat.bet == seat.score_before for seat in winners):
        return Tone.ALL_IN
    if any(_is_upset(winner, newest.seats) for winner in winners):
        return Tone.UPSET
    if any(_is_streak(winner, [*counted, newest.seats]) for winner in winners):
        return Tone.STREAK
    return Tone.ROUND_WON


def _is_upset(winner: SeatView, seats: Sequence[SeatView]) -> bool:
    """Whether ``winner`` has beaten a player who was ahead by far."""
    mine = winner.score_before
    return mine is not None and any(
        (seat.score_before or 0) >= max(UPSET_RATIO * mine, mine + UPSET_POINTS)
        for seat in seats
        if seat.outcome is Outcome.LOST
    )


def _is_streak(winner: SeatView, throws: Sequence[Sequence[SeatView]]) -> bool:
    """Whether ``winner`` has won the last throws that they took part in, ties aside."""
    own = [view for seats in throws for view in seats if view.seat == winner.seat]
    decided = [view for view in own if view.outcome is not None and view.outcome is not Outcome.TIED]
    return len(decided) >= STREAK_ROUNDS and all(view.has_won for view in decided[-STREAK_ROUNDS:])
