"""A judgement as it is written down."""

from rules.engine import Seat
from rules.record.judgement import JudgementRecord, SeatRecord, VoidReasonRecord
from vision.lock.judgement import Judgement
from vision.zones import Zone


def record_judgement(judgement: Judgement, zones: dict[Seat, Zone]) -> JudgementRecord:
    """Return a judgement with times in ms after the cue; ``zones`` are the seats'."""

    seats = {
        one.seat: SeatRecord.model_validate(
            {
                "verdict": one.verdict,
                "throw": one.throw and str(one.throw),
                "at_lock": one.at_lock and str(one.at_lock),
                "shown_ms": judgement.ms_after_cue(one.shown.time_ns) if one.shown else None,
                "uncertainty_ms": round(one.shown.sigma_ns / 1e6, 1) if one.shown else None,
                "after_lock": one.changed_to and str(one.changed_to),
                "cause": one.cause and str(one.cause),
                "entered_zone": one.entered_zone,
                "inferences": int(one.inferences),
                "card": one.card_marker,
                "zone": tuple(round(side, 4) for side in zones[one.seat]),
            }
        )
        for one in judgement.seats
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
