"""Is a journal in order? Every event's hash, the chain between them, the evidence, and every match replayed to the
result that was shown. Names and marks are under no hash: what people deleted or marked is no fault."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rules.engine import Game, IllegalAnswerError, replay
from throwlock.journal.file import JournalDamagedError
from throwlock.journal.journal import Event, JournalError, JournalReader, Row, chained
from throwlock.match.config import answers_in, billing_of
from throwlock.match.corrections import CORRECTION, CorrectionError, correction


@dataclass(frozen=True)
class Verified:
    """What was looked at, and every fault found, each a sentence that names the event."""

    matches: int
    events: int
    evidence: int
    faults: tuple[str, ...]


def verify(journal: JournalReader) -> Verified:
    """Check all of ``journal``, what stands in its pages too. Raises JournalError when it can't be read at all."""
    torn = [f"the file is damaged: {line}" for line in journal.damage()]
    try:
        found = _verified(journal)
    except JournalDamagedError as fault:
        if not torn:
            raise
        return Verified(0, 0, 0, (*torn, str(fault)))
    return replace(found, faults=(*found.faults, *torn))


def _verified(journal: JournalReader) -> Verified:
    faults: list[str] = []
    named: dict[int, Named] = {}
    expected, previous = 1, journal.origin()
    for row in journal.rows():
        if row.number > expected:
            faults.append(_missing(expected, row.number - 1))
        elif row.previous != previous:
            faults.append(
                f"event {row.number} does not follow event {row.number - 1}: one of them was swapped or put in later"
            )
        if _hash_of(row) != row.hash:
            faults.append(f"event {row.number} ({row.kind}) was changed after it was written")
        try:
            named[row.number] = _evidence_named(row)
        except (ValueError, TypeError, AttributeError):
            faults.append(f"event {row.number} can't be read")
        expected, previous = row.number + 1, row.hash
    if previous != journal.last():
        faults.append(f"the last event is {expected - 1}, and that is not the last one that was written")
    written = journal.written()
    if written is not None and written[0] >= expected:
        faults.append(f"{_missing(expected, written[0])}: written before the box was cut off")
    elif written is not None and journal.hash_of(written[0])[1] != written[1]:
        faults.append(f"event {written[0]} is not the one that was written")
    pieces, wrong = _evidence_faults(journal, named)
    faults += wrong
    matches = journal.matches()
    players = journal.players()
    if not faults:
        for match in matches:
            events = journal.events(match)
            faults += replay_faults(match, events)
            unknown = [key for key in journal.keys(events[0]) if key is not None and key not in players]
            faults += [f"match {match}: its player {key} is missing from the table of players" for key in unknown]
    return Verified(len(matches), len(named), pieces, tuple(faults))


Named = Mapping[str, tuple[str, str]]
"""The evidence an event names: media type and SHA-256 by name."""


def _missing(first: int, last: int) -> str:
    return f"event {first} is missing" if first == last else f"events {first} to {last} are missing"


def _hash_of(row: Row) -> str | None:
    """What the hash of a row should be; None where something stands in it that was never written."""
    try:
        return chained(*row[:-1])
    except (TypeError, ValueError):
        return None


def _evidence_named(row: Row) -> Named:
    return {name: (one["media_type"], one["sha256"]) for name, one in json.loads(row.body).get("evidence", {}).items()}


def _evidence_faults(journal: JournalReader, named: Mapping[int, Named]) -> tuple[int, list[str]]:
    """How many pieces of evidence there are, and what is wrong with them. A deleted picture (no data) is no fault."""
    faults = []
    left = {(event, name): one for event, pieces in named.items() for name, one in pieces.items()}
    count = 0
    for row in journal.evidence_rows():
        count += 1
        one = left.pop((row.event, row.name), None)
        if one is None:
            faults.append(f"event {row.event}: evidence {row.name} was put in later")
        elif (row.media_type, row.sha256) != one or (row.data is not None and _sha256(row.data) != row.sha256):
            faults.append(f"event {row.event}: its evidence {row.name} was changed")
    return count, faults + [f"event {event}: its evidence {name} is missing" for event, name in left]


def _sha256(data: object) -> str | None:
    return hashlib.sha256(data).hexdigest() if isinstance(data, bytes) else None


def replay_faults(match: int, events: list[Event]) -> Iterator[str]:
    """What goes wrong when a match is played again from its events."""
    try:
        game = billing_of(events).game
        position = replay(game, answers_in(events))
        corrected = any(event.kind == CORRECTION for event in events)
        for count, event in enumerate(events):
            if event.kind == CORRECTION:
                yield from _correction_faults(game, events[:count], event)
            if event.kind == "ended":
                there = replay(game, answers_in(events[:count])) if corrected else position
                # compared as JSON, which is what the journal has of it
                result = None if there.result is None else json.loads(json.dumps(there.result.as_json()))["result"]
                if event.body.get("result") != result:
                    yield f"match {match} does not come to the result in event {event.number} when it is replayed"
    except JournalError as fault:
        yield str(fault)
    except IllegalAnswerError as fault:
        yield f"match {match} can't be replayed: {fault}"


def _correction_faults(game: Game, before: Sequence[Event], event: Event) -> Iterator[str]:
    """Whether a correction makes of the match what it should."""
    body = event.body
    try:
        made = correction(game, before, body["round"], body["seat"], body["to"]).body()
    except (CorrectionError, IllegalAnswerError, KeyError, TypeError) as fault:
        yield f"event {event.number} corrects what can't be corrected so: {fault}"
        return
    if any(body.get(name) != value for name, value in made.items()):
        yield f"event {event.number} makes something else of the match than its correction does"
