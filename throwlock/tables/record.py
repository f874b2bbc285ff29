"""A judgement as it is written down."""

from rules.engine import Seat
from rules.record.judgement import JudgementRecord, SeatRecord, VoidReasonRecord
from vision.lock.judgement import Judgement
from vision.zones import Zone


def record_judgement(judgement: Judgement, zones: dict[Seat, Zone]) -> JudgementRecord:
    """Return a judgement with times in ms after the cue; ``zones`` are the seats'."""

    seats = {
        judged.seat: SeatRecord.model_validate(
            {
                "verdict": judged.verdict,
                "throw": judged.throw and str(judged.throw),
                "at_lock": judged.at_lock and str(judged.at_lock),
                "shown_ms": judgement.ms_after_cue(judged.shown.time_ns) if judged.shown else None,
                "uncertainty_ms": round(judged.shown.sigma_ns / 1e6, 1) if judged.shown else None,
                "after_lock": judged.changed_to and str(judged.changed_to),
                "cause": judged.cause and str(judged.cause),
                "entered_zone": judged.entered_zone,
                "inferences": int(judged.inferences),
                "card": judged.card_marker,
                "zone": tuple(round(side, 4) for side in zones[judged.seat]),
            }
        )
        for judged in judgement.seats
    }
    return JudgementRecord(
        first_shown_ms=None if judgement.first_ns is None else judgement.ms_after_cue(judgement.first_ns),
        lock_ms=judgement.ms_after_cue(judgement.lock_ns),
        window_ms=judgement.window_ns / 1e6,
        lock_frame_ms=judgement.ms_after_cue(judgement.lock_frame.exposed_ns),
        void_reason=record_void_reason(judgement),
        seats=seats,
    )


def record_void_reason(judgement: Judgement) -> VoidReasonRecord | None:
    """Return why a round is void, None if it can be judged."""
    reason = judgement.void_reason
    if reason is None:
        return None
    measured = round(reason.measurement, 4) if reason.marker is None else reason.marker
    return VoidReasonRecord.model_validate({"kind": str(reason.kind), "seat": reason.seat, "measured": measured})
