"""Events for tests that care about the journal, not about what is in it."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules.engine import Value
from throwlock.house_rules import HouseRules
from throwlock.journal.events import Answered, Body, MatchStarted, decode_body
from throwlock.journal.hash_chain import canonical_json
from throwlock.journal.journal import Event

STARTED = MatchStarted(
    game="classic", rules_version=1, seats=2, options={}, house_rules=HouseRules(), seed=0, camera="none"
)
NAMES = ("Ada", "Ben")


def answer_event(value: Value = "rock") -> Answered:
    """Return an answer of seat 1; seat 2 had none."""
    return Answered(prompt="throw", answers={1: value, 2: None})


ANSWERS = ("answered", "round_judged")
"""The kinds of events with answers that count."""


def json_body(event: Event) -> dict[str, Any]:
    """Return an event's body as the journal stores it, without what every event may have and this one has not, and
    without the random commitments to its evidence."""
    body: dict[str, Any] = event.body.model_dump(mode="json", exclude_defaults=True)
    started = {"house_rules": event.body.house_rules.model_dump(mode="json")} if "house_rules" in body else {}
    evidence = {name: one["media_type"] for name, one in body.get("evidence", {}).items()}
    return {**body, **started, **({"evidence": evidence} if evidence else {})}


def event_body(kind: str, **fields: Any) -> Body:
    """Return a body from fields as the journal stores them."""
    return decode_body(kind, canonical_json(fields))


def seat_record(verdict: str = "on time", throw: Value = "rock", **fields: Any) -> dict[str, Any]:
    """Return what a seat showed, as the journal stores it: on time at the lock unless ``fields`` say otherwise."""
    return {
        "verdict": verdict, "throw": throw, "at_lock": throw, "shown_ms": 20.0, "uncertainty_ms": 4.0,
        "after_lock": None, "cause": None, "entered_zone": None, "inferences": 7, "card": None,
        "zone": [0.0, 0.0, 0.5, 1.0], **fields,
    }  # fmt: skip


def round_body(
    seats: Mapping[int, Mapping[str, Any]] | None = None,
    answers: Mapping[int, Value] | None = None,
    fouls: Sequence[int] = (),
    text: str = "Seen.",
    **judgement: Any,
) -> Body:
    """Return a thrown round: judged with ``answers``, void without. ``seats`` are as ``seat_record`` makes them, by
    default on time with the ``answers``."""
    throws = answers or {1: "rock", 2: "rock"}
    judged = {
        "first_shown_ms": 20.0, "lock_ms": 170.0, "window_ms": 150.0, "lock_frame_ms": 168.0, "void_reason": None,
        "seats": seats or {seat: seat_record(throw=throw) for seat, throw in throws.items()}, **judgement,
    }  # fmt: skip
    fields = {"prompt": "throw", "judgement": judged, "fouls": list(fouls), "text": text}
    if answers is None:
        return event_body("round_voided", **fields)
    return event_body("round_judged", answers=dict(answers), **fields)
