"""A judgement as JSON."""

from collections.abc import Mapping
from typing import Any

from rules.engine import Seat
from vision.lock.judge import Judgement
from vision.zones import Zone


def judged(judgement: Judgement, zones: Mapping[Seat, Zone]) -> dict[str, Any]:
    """A judgement as the journal has it; times in ms after the cue, each seat's zone as x, y, w, h in fractions of the
    frame."""

    def after_cue(when_ns: int | None) -> float | None:
        return None if when_ns is None else round((when_ns - judgement.cue_ns) / 1e6, 1)

    return {
        "first_ms": after_cue(judgement.first_ns),
        "lock_ms": after_cue(judgement.lock_ns),
        "window_ms": judgement.window_ns / 1e6,
        "lock_frame_ms": after_cue(judgement.lock_frame.exposed_ns),
        "trouble": trouble_json(judgement),
        "seats": {
            str(seat.seat): {
                "verdict": str(seat.verdict),
                "throw": seat.throw,
                "at_lock": seat.at_lock,
                "shown_ms": after_cue(seat.shown.when_ns if seat.shown else None),
                "plus_minus_ms": round(seat.shown.plus_minus_ns / 1e6, 1) if seat.shown else None,
                "then": seat.then,
                "cause": seat.cause,
                "into": None if seat.into is None else judgement.seats[seat.into - 1].seat,
                "inferences": seat.inferences,
                "card": seat.card,
                "zone": [round(side, 4) for side in zones[seat.seat]],
            }
            for seat in judgement.seats
        },
    }


def trouble_json(judgement: Judgement) -> dict[str, Any] | None:
    """The trouble of a round as the journal and ``judge --json`` have it: its kind, the seat whose zone it concerns
    (None: the whole picture), and what was measured."""
    trouble = judgement.trouble
    if trouble is None:
        return None
    seat = None if trouble.zone is None else judgement.seats[trouble.zone - 1].seat
    return {"kind": str(trouble.kind), "seat": seat, "figure": round(trouble.figure, 4)}
