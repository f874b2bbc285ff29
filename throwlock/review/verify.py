"""Verifies a journal: the events' hashes and their chain, the evidence, and the replay of every match to its result.
Names and marks are under no hash; deleted evidence is no problem."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rules.engine import Game, IllegalAnswerError, replay
from throwlock.journal.events import Corrected, MatchEnded, decode_body, record_result
from throwlock.journal.file import JournalDamagedError
from throwlock.journal.journal import (
    Event,
    EventRow,
    JournalError,
    JournalReader,
    event_hash,
    evidence_of,
    match_started,
)
from throwlock.replay.config import config_from_events
from throwlock.replay.corrections import CorrectionError, effective_answers, plan_correction


@dataclass(frozen=True)
class VerificationReport:
    """Numbers of checked matches, events and pieces of evidence, and the problems found, each a sentence."""

    matches: int
    events: int
    evidence: int
    problems: tuple[str, ...]


def verify(journal: JournalReader) -> VerificationReport:
    """Verify a whole journal, including the pages of its file. Raises JournalError when it can't be read at all."""
    file_problems = [f"the file is damaged: {line}" for line in journal.find_damage()]
    try:
        found = _verify_contents(journal)
    except JournalDamagedError as error:
        if not file_problems:
            raise
        return VerificationReport(0, 0, 0, (*file_problems, str(error)))
    return replace(found, problems=(*found.problems, *file_problems))


def _verify_contents(journal: JournalReader) -> VerificationReport:
    problems: list[str] = []
    listed: dict[int, EvidenceIndex | None] = {}
    expected, previous = 1, journal.origin_hash()
    for row in journal.event_rows():
        if row.number > expected:
            problems.append(_missing_text(expected, row.number - 1))
        elif row.previous_hash != previous:
            problems.append(
                f"event {row.number} does not follow event {row.number - 1}: one of them was swapped or inserted"
            )
        if _expected_hash(row) != row.hash:
            problems.append(f"event {row.number} ({row.kind}) was changed after it was written")
        try:
            listed[row.number] = _read_evidence_index(row)
        except (ValueError, TypeError):
            problems.append(f"event {row.number} can't be read")
            listed[row.number] = None
        expected, previous = row.number + 1, row.hash
    if previous != journal.last_hash():
        problems.append(f"the last event is {expected - 1}, but it is not the last one that was written")
    written = journal.marked_tail()
    if written is not None and written[0] >= expected:
        problems.append(f"{_missing_text(expected, written[0])}: written before the box crashed")
    elif written is not None and journal.number_and_hash(written[0])[1] != written[1]:
        problems.append(f"event {written[0]} is not the one that was written")
    pieces, evidence_problems = _check_evidence(journal, listed)
    problems += evidence_problems
    matches = journal.matches()
    players = journal.players()
    if not problems:
        for match in matches:
            events = journal.events(match)
            problems += replay_problems(match, events)
            unknown = [key for key in match_started(events).player_keys if key not in players]
            problems += [f"match {match}: its player {key} is missing from the table of players" for key in unknown]
    return VerificationReport(len(matches), len(listed), pieces, tuple(problems))


EvidenceIndex = Mapping[str, tuple[str, str]]
"""The evidence an event's body lists: media type and SHA-256 by name. None: the body can't be read."""


def _missing_text(first: int, last: int) -> str:
    return f"event {first} is missing" if first == last else f"events {first} to {last} are missing"


def _expected_hash(row: EventRow) -> str | None:
    """Return the hash a row should have; None for values that Throwlock never writes."""
    try:
        return event_hash(*row[:-1])
    except (TypeError, ValueError):
        return None


def _read_evidence_index(row: EventRow) -> EvidenceIndex:
    """Return the evidence an event lists. Raises ValueError if the event is not in its form."""
    body = decode_body(row.kind, row.body)
    return {name: (one.media_type, one.sha256) for name, one in evidence_of(body).items()}


def _check_evidence(journal: JournalReader, listed: Mapping[int, EvidenceIndex | None]) -> tuple[int, list[str]]:
    """Return the number of pieces of evidence and their problems. Deleted data is none."""
    problems = []
    left = {(event, name): one for event, pieces in listed.items() if pieces for name, one in pieces.items()}
    count = 0
    for row in journal.evidence_rows():
        count += 1
        if listed.get(row.event, {}) is None:
            continue
        one = left.pop((row.event, row.name), None)
        if one is None:
            problems.append(f"event {row.event}: evidence {row.name} was added later")
        elif (row.media_type, row.sha256) != one or (row.data is not None and _sha256(row.data) != row.sha256):
            problems.append(f"event {row.event}: its evidence {row.name} was changed")
    return count, problems + [f"event {event}: its evidence {name} is missing" for event, name in left]


def _sha256(data: object) -> str | None:
    return hashlib.sha256(data).hexdigest() if isinstance(data, bytes) else None


def replay_problems(match: int, events: list[Event]) -> Iterator[str]:
    """Yield the problems of replaying a match from its events."""
    try:
        game = config_from_events(events).game
        position = replay(game, effective_answers(events).values())
        corrected = any(event.kind == Corrected.kind for event in events)
        for count, event in enumerate(events):
            match event.body:
                case Corrected() as body:
                    yield from _correction_problems(game, events[:count], event.number, body)
                case MatchEnded(result=recorded):
                    before = effective_answers(events[:count]).values()
                    result = (replay(game, before) if corrected else position).result
                    if result is None or record_result(result) != recorded:
                        yield f"match {match} does not replay to the result in event {event.number}"
    except JournalError as error:
        yield str(error)
    except IllegalAnswerError as error:
        yield f"match {match} can't be replayed: {error}"


def _correction_problems(game: Game, earlier: Sequence[Event], number: int, body: Corrected) -> Iterator[str]:
    """Yield the problems of the correction in event ``number``, compared with computing it anew."""
    try:
        expected = plan_correction(game, earlier, body.round, body.seat, body.to)
    except (CorrectionError, IllegalAnswerError) as error:
        yield f"event {number} makes an impossible correction: {error}"
        return
    if expected.model_copy(update={"by": body.by, "text": body.text}) != body:
        yield f"event {number} has another effect on the match than its correction"
