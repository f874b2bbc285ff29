"""A judgement as JSON, for the journal and ``throwlock judge``."""

from collections.abc import Mapping
from typing import Any

from rules.engine import Seat
from vision.lock.judge import Judgement
from vision.zones import Zone


def judgement_to_json(judgement: Judgement, zones: Mapping[Seat, Zone]) -> dict[str, Any]:
    """Return a judgement as JSON for the journal: times in ms after the cue, zones as x, y, w, h in fractions of the
    frame."""

    def after_cue(when_ns: int | None) -> float | None:
        return None if when_ns is None else round((when_ns - judgement.cue_ns) / 1e6, 1)

    return {
        "first_shown_ms": after_cue(judgement.first_ns),
        "lock_ms": after_cue(judgement.lock_ns),
        "window_ms": judgement.window_ns / 1e6,
        "lock_frame_ms": after_cue(judgement.lock_frame.exposed_ns),
        "void_reason": void_reason_to_json(judgement),
        "seats": {
            str(seat.seat): {
                "verdict": str(seat.verdict),
                "throw": seat.throw,
                "at_lock": seat.at_lock,
                "shown_ms": after_cue(seat.shown.time_ns if seat.shown else None),
                "uncertainty_ms": round(seat.shown.sigma_ns / 1e6, 1) if seat.shown else None,
                "after_lock": seat.changed_to,
                "cause": seat.cause,
                "entered_zone": None if seat.entered_zone is None else judgement.seats[seat.entered_zone - 1].seat,
                "inferences": seat.inferences,
                "card": seat.card_marker,
                "zone": [round(side, 4) for side in zones[seat.seat]],
            }
            for seat in judgement.seats
        },
    }


def void_reason_to_json(judgement: Judgement) -> dict[str, Any] | None:
    """Return why a round is void as JSON for the journal and ``judge --json``: the kind, the seat whose zone it
    concerns (None: the whole image), and the measured value; None if the round can be judged."""
    reason = judgement.void_reason
    if reason is None:
        return None
    seat = None if reason.zone is None else judgement.seats[reason.zone - 1].seat
    return {"kind": str(reason.kind), "seat": seat, "measured": round(reason.measurement, 4)}
