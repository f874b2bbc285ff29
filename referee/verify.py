"""Is a journal in order? Every event's hash, the chain between them, the evidence, and every match replayed to the
result that was shown."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from referee.journal import Event, Journal, JournalFault, chained
from referee.matches import answers_in, billing_of
from rules.script import IllegalAnswer, IllegalSetup, replay


@dataclass(frozen=True)
class Verified:
    """What was looked at, and every fault found, each a sentence that names the event."""

    matches: int
    events: int
    evidence: int
    faults: tuple[str, ...]


def verify(journal: Journal) -> Verified:
    """Check all of ``journal``. Raises JournalFault when it can't be read at all."""
    faults: list[str] = []
    expected, previous = 1, journal.origin()
    pieces = 0
    for number, match, at, kind, body, named, own in journal.rows():
        if number != expected:
            gap = f"event {expected} is" if number == expected + 1 else f"events {expected} to {number - 1} are"
            faults.append(f"{gap} missing")
        elif named != previous:
            faults.append(f"event {number} does not follow event {number - 1}: one of them was swapped or put in later")
        if chained(number, match, at, kind, body, named) != own:
            faults.append(f"event {number} ({kind}) was changed after it was written")
        expected, previous = number + 1, own
        found, count = _evidence_faults(journal, number, body)
        faults += found
        pieces += count
    matches = journal.matches()
    if not faults:
        for match in matches:
            faults += _replay_faults(match, journal.events(match))
    return Verified(len(matches), expected - 1, pieces, tuple(faults))


def _evidence_faults(journal: Journal, number: int, body: str) -> tuple[list[str], int]:
    """The faults of one event's evidence, and how many pieces it has. A deleted picture (no data) is no fault."""
    try:
        named: dict[str, Any] = json.loads(body).get("evidence", {})
    except (ValueError, AttributeError):
        return [f"event {number} can't be read"], 0
    faults = []
    rows = {name: (digest, data) for name, digest, data in journal.evidence_rows(number)}
    for name, digest in named.items():
        if name not in rows:
            faults.append(f"event {number}: its evidence {name} is missing")
        elif (data := rows[name][1]) is not None and hashlib.sha256(data).hexdigest() != digest:
            faults.append(f"event {number}: its evidence {name} was changed")
    faults += [f"event {number}: evidence {name} was put in later" for name in rows.keys() - named.keys()]
    return faults, len(rows)


def _replay_faults(match: int, events: list[Event]) -> Iterator[str]:
    """What goes wrong when a match is played again from its events."""
    try:
        position = replay(billing_of(events).game, answers_in(events))
    except (IllegalAnswer, IllegalSetup, JournalFault) as error:
        yield f"match {match} can't be replayed: {error}"
        return
    ended = [event for event in events if event.kind == "ended"]
    if ended and (position.result is None or position.result.as_json()["result"] != ended[0].body["result"]):
        yield f"match {match} does not come to the result in event {ended[0].number} when it is replayed"
