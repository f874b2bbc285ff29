"""Sentences about a foul of seat 1, made from a judgement."""

from rules.record.judgement import INTERVAL_SIGMAS, JudgementRecord, SeatRecord, Verdict
from rules.throws import Throw
from ui.text.verdicts import foul_sentence


def said_of(
    foul: Verdict,
    name: str = "Ada",
    late_ms: float = 0.0,
    early_ms: float = 0.0,
    throw: Throw | None = None,
    later: Throw | None = None,
    cause: str | None = None,
    interval_ms: float | None = None,
) -> str:
    """Return what is said of a player's ``foul``, which is too close to call with an ``interval_ms``: they showed
    ``throw``, and ``later`` another one, after the first hand or before the cue."""
    shown_ms = -early_ms if foul is Verdict.EARLY else late_ms
    seat = SeatRecord.on_time(throw, shown_ms).model_copy(
        update={
            "verdict": foul if interval_ms is None else Verdict.TOO_CLOSE,
            "after_lock": None if foul is not Verdict.CHANGED or later is None else later.value,
            "at_lock": None if foul in (Verdict.LATE, Verdict.EARLY) or throw is None else throw.value,
            "cause": cause,
            "uncertainty_ms": None if interval_ms is None else interval_ms / INTERVAL_SIGMAS,
        }
    )
    first_ms = shown_ms - late_ms
    first = SeatRecord.on_time(Throw.ROCK, first_ms)
    judgement = JudgementRecord(
        first_shown_ms=first_ms,
        lock_ms=100.0,
        window_ms=100.0,
        lock_frame_ms=100.0,
        void_reason=None,
        seats={1: seat, 2: first},
    )
    return foul_sentence(judgement, 1, {1: name, 2: "Bo"})
