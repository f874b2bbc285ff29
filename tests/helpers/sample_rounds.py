"""Sample rounds as everything that shows them reads them."""

from collections.abc import Mapping, Sequence

from rules.engine import Seat
from rules.record.judgement import JudgementRecord, SeatRecord, Verdict
from rules.record.round import PlayerLink, RoundView, SeatView
from rules.throws import Throw

FIRST_HAND_MS = 12.0
"""When the first hand of a sample round showed, in ms after the cue."""


def sample_seat(
    seat: Seat,
    throws: Sequence[Throw],
    verdict: str = "on time",
    after_first_ms: float | None = None,
    uncertainty_ms: float = 2.4,
    *,
    is_foul: bool = False,
    counts: bool = False,
) -> SeatView:
    """Return what a seat showed, in order of time: ``throws`` at the lock and after it, or before it if it was early.
    A throw that ``counts`` is what it showed at the lock."""
    shown = [str(throw) for throw in throws]
    first, last = (shown[0], shown[-1]) if shown else (None, None)
    at_lock, later = last if verdict == Verdict.EARLY else first, shown[1:]
    record = SeatRecord.model_validate(
        {
            "verdict": verdict,
            "throw": first if verdict == Verdict.EARLY else last,
            "at_lock": at_lock,
            "shown_ms": None if after_first_ms is None else after_first_ms + FIRST_HAND_MS,
            "uncertainty_ms": None if after_first_ms is None else uncertainty_ms,
            "after_lock": later[0] if later and verdict == Verdict.CHANGED else None,
            "cause": None,
            "entered_zone": None,
            "inferences": 7,
            "zone": (0.0, 0.0, 0.5, 1.0),
        }
    )
    return SeatView(
        seat=seat,
        player=PlayerLink(None, f"Player {seat}"),
        record=record,
        verdict=verdict,
        throws=tuple(throws),
        throw=Throw(at_lock) if counts and at_lock is not None else None,
        reading=record.reading,
        is_foul=is_foul,
        is_corrected=False,
        is_unsettled=is_foul or verdict == Verdict.TOO_CLOSE,
        after_first_ms=after_first_ms,
        interval_ms=0.0,
    )


def sample_round(seats: Sequence[SeatView], *, lock_after_ms: float = 150.0, is_void: bool = False) -> RoundView:
    """Return a round of ``seats``, which was locked ``lock_after_ms`` after its first hand."""
    answers: Mapping[Seat, str] = {} if is_void else {seat.seat: str(seat.throw) for seat in seats if seat.throw}
    return RoundView(
        event=2,
        number=1,
        at="2026-11-05T20:00:00",
        game="Classic",
        players=tuple(seat.player for seat in seats),
        kind="throw",
        prompt=None,
        is_still_asked=True,
        judgement=JudgementRecord(
            first_shown_ms=None if all(seat.record.shown_ms is None for seat in seats) else FIRST_HAND_MS,
            lock_ms=FIRST_HAND_MS + lock_after_ms,
            window_ms=lock_after_ms,
            lock_frame_ms=FIRST_HAND_MS + lock_after_ms,
            void_reason=None,
            seats={seat.seat: seat.record for seat in seats},
        ),
        fouls=tuple(seat.seat for seat in seats if seat.is_foul),
        text="",
        was_judged=not is_void,
        is_void=is_void,
        is_dropped=False,
        answers=answers,
        seats=tuple(seats),
    )
