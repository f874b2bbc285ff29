"""Imports: copies a match from a file into a journal as new events. The whole file is checked first, and
either all events are written or none."""

import base64
import errno
import json
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from device.system.input_files import (
    MAX_MATCH_BYTES,
    MAX_MATCH_DIGITS,
    MAX_MATCH_NESTING,
    MAX_MATCH_VALUES,
    read_input_file,
)
from errors import ThrowlockError
from messages import N
from rules.engine import Seat
from rules.record.match import MatchState
from throwlock.journal.events import (
    Answered,
    Corrected,
    DisputeRejected,
    ImportedFrom,
    MatchStarted,
    Round,
    encode_body,
)
from throwlock.journal.file import transaction, translate_sqlite_errors
from throwlock.journal.hash_chain import SaltedData, is_original_evidence, proof_code
from throwlock.journal.journal import (
    Event,
    Journal,
    canonical_json,
    event_hash,
    evidence_of,
    match_started,
    utc_now,
)
from throwlock.journal.player_names import is_original_name
from throwlock.replay.project import match_state, project
from throwlock.review.match_schema import FORMAT, VERSION, MatchFile
from throwlock.review.verify import replay_problems
from ui.text import verdicts

MAX_MESSAGE_LETTERS = 200
"""Of an error message with text from the file."""


class ImportFileError(ThrowlockError):
    """The file can't be imported. The message says why in one line."""


@dataclass(frozen=True)
class CheckedMatch:
    """A match from a file, checked."""

    journal_hash: str
    players: tuple[str | None, ...]
    events: tuple[Event, ...]
    """As in the original journal."""
    evidence: Mapping[int, Mapping[str, SaltedData]]
    """By event number and name; of each event all or none."""

    @property
    def origin(self) -> ImportedFrom:
        """The match's origin; of a match that was imported before, the one in its first event."""
        first, last = self.events[0], self.events[-1]
        before = match_started(self.events).imported_from
        return before or ImportedFrom(
            journal=self.journal_hash,
            match=first.number,
            first_hash=first.hash,
            last_event=last.number,
            last_hash=last.hash,
            imported_at="",
        )


def read_match_file(path: Path) -> CheckedMatch:
    """Read and check a match file. Raises ImportFileError."""
    return check_match(_parse_file(path), path)


def check_match(document: Any, path: Path) -> CheckedMatch:
    """Check a match parsed from ``path``. Raises ImportFileError."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise _import_error(path, f"is not a Throwlock match: its format is not {FORMAT}")
    if document.get("version") != VERSION or isinstance(document["version"], bool):
        raise _import_error(
            path, f"has version {document.get('version')} of the format, but this Throwlock reads {VERSION}"
        )
    try:
        file = MatchFile.model_validate_json(json.dumps(document))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        raise _import_error(path, f"is invalid: {'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    events = _read_events(file)
    for problem in _find_problems(file, document, events):
        raise _import_error(path, problem)
    return CheckedMatch(file.journal, file.players, events, _read_evidence(file, path))


def _import_error(path: Path, text: str) -> ImportFileError:
    """Return an error with a printable one-line message, whatever is in the file."""
    line = "".join(letter if letter.isprintable() else " " for letter in text)
    if len(line) > MAX_MESSAGE_LETTERS:
        line = line[:MAX_MESSAGE_LETTERS] + " …"
    return ImportFileError(N("{path} {problem}", path=path, problem=line))


def _parse_file(path: Path) -> Any:
    """Parse the JSON of a file. Raises ImportFileError, also for duplicate keys, huge numbers and deep nesting."""
    try:
        content = read_input_file(path, MAX_MATCH_BYTES)
    except FileNotFoundError:
        raise ImportFileError(N("{path}: no such file", path=path)) from None
    except OSError as error:
        hint = ": export the match with --no-pictures" if error.errno == errno.EFBIG else ""
        raise _import_error(path, f"can't be read: {error.strerror}{hint}") from error
    if sum(map(content.count, (b",", b":", b"[", b"{"))) > MAX_MATCH_VALUES:  # pictures, in base64, have none of these
        raise _import_error(path, f"is not a match: it has more than {MAX_MATCH_VALUES:,} values")
    try:
        document = json.loads(
            content.decode(json.detect_encoding(content)),  # editors and shells of Windows write UTF-16, or a mark
            object_pairs_hook=_unique_keys,
            parse_constant=_reject_constant,
            parse_float=_parse_finite_float,
            parse_int=_parse_int,
        )
        _check_texts(document)
    except RecursionError:
        raise _import_error(path, "is not a match: it is nested too deeply") from None
    except UnicodeError:
        raise _import_error(path, "is not text in UTF-8: export the match again, as JSON") from None
    except ValueError as error:
        raise _import_error(path, f"can't be read as JSON ({error}): export the match again, as JSON") from None
    return document


def _unique_keys(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        raise ValueError("it has the same key twice")
    return values


def _reject_constant(text: str) -> float:
    raise ValueError(f"{text} is not a number")


def _parse_finite_float(text: str) -> float:
    number = float(text)
    if abs(number) == float("inf"):
        raise ValueError(f"{text[:MAX_MATCH_DIGITS]} is too large a number")
    return number


def _parse_int(text: str) -> int:
    if len(text) > MAX_MATCH_DIGITS:
        raise ValueError(f"a number has more than {MAX_MATCH_DIGITS} digits")
    return int(text)


def _check_texts(document: Any) -> None:
    """Check texts and nesting. Raises UnicodeError for a lone surrogate, RecursionError for deep nesting."""
    level = [document]
    for _ in range(MAX_MATCH_NESTING):
        for value in level:
            if isinstance(value, str):
                value.encode()
        below = [value for value in level if isinstance(value, dict | list)]
        level = [
            inner for value in below for inner in ((*value, *value.values()) if isinstance(value, dict) else value)
        ]
        if not level:
            return
    raise RecursionError


def _read_events(file: MatchFile) -> tuple[Event, ...]:
    """Return the events as in the original journal, the first with the players' names."""
    names = tuple(name or verdicts.default_name(seat) for seat, name in enumerate(file.players, 1))
    return tuple(
        Event(
            event.number,
            file.match,
            event.at,
            event.body,
            event.previous_hash,
            event.hash,
            names if number == 0 else (),
        )
        for number, event in enumerate(file.events)
    )


def _find_problems(file: MatchFile, document: Mapping[str, Any], events: Sequence[Event]) -> Iterator[str]:
    """Yield what is wrong with a match of valid form; ``document`` is the file as JSON."""
    starts = [event.number for event in events if event.kind == MatchStarted.kind]
    if starts != [file.match] or events[0].kind != MatchStarted.kind:
        yield f"does not start with the first event of match {file.match}, or has two first events"
        return
    started = match_started(events)
    seats = set(range(1, started.seats + 1))
    if set(started.players) != seats or len(file.players) != len(seats):
        yield f"does not name a player for each of its {len(seats)} seats"
    yield from _name_problems(file, started.player_keys)
    yield from _chain_problems(events, [event["body"] for event in document["events"]])
    if file.proof_code != proof_code(events[-1].hash):
        yield f"does not end with the event of its proof code {file.proof_code}"
    for event in events:
        yield from _event_problems(event, events, seats)
    if match_state(events[-1]) is MatchState.IN_PROGRESS:
        yield "is a match that is still in progress"
    for problem in replay_problems(file.match, list(events)):
        yield f"is not in order: {problem}"
    if problem := project(events).problem:
        yield f"is not in order: {problem}"


def _name_problems(file: MatchFile, keys: Sequence[str]) -> Iterator[str]:
    """Yield the players whose name or salt is not the one their key was made from."""
    if len(file.salts) != len(file.players):
        yield "does not have a salt for each player"
    for name, salt, key in zip(file.players, file.salts, keys, strict=False):
        if not is_original_name(key, salt, name):
            yield f"was changed after it was written: {name or 'somebody'} is not the player of key {key[:8]}"


def _chain_problems(events: Sequence[Event], bodies: Sequence[Any]) -> Iterator[str]:
    """Yield where the file does not fit its own hashes; ``bodies`` are the events' as JSON."""
    before = None
    for event, raw in zip(events, bodies, strict=True):
        body = canonical_json(raw)
        if event_hash(event.number, event.match, event.at, event.kind, body, event.previous_hash) != event.hash:
            yield f"was changed after it was written: event {event.number} does not fit its hash"
        if body != encode_body(event.body):
            yield f"is not in order: event {event.number} is not written as this version writes it"
        if before is not None and event.number <= before.number:
            yield f"has its events in the wrong order: {event.number} after {before.number}"
        if before is not None and event.number == before.number + 1 and event.previous_hash != before.hash:
            yield f"was changed after it was written: event {event.number} does not follow event {before.number}"
        before = event


def _event_problems(event: Event, events: Sequence[Event], seats: Set[Seat]) -> Iterator[str]:
    """Check the seats that a round or a dispute names, and that a dispute is about an earlier round."""
    named = {*event.round.judgement.seats, *event.round.fouls} if event.round else set()
    match event.body:
        case Corrected(seat=int() as seat):
            named = {seat}
    if stray := sorted(named - seats):
        yield f"is not in order: event {event.number} is about seat {stray[0]}, and {len(seats)} play"
    match event.body:
        case Corrected(round=number) | DisputeRejected(round=number):
            kinds = (Answered, Round) if isinstance(event.body, Corrected) else (Round,)
            if not any(
                earlier.number == number and isinstance(earlier.body, kinds)
                for earlier in events[: events.index(event)]
            ):
                yield f"is not in order: event {event.number} disputes a missing round"


def _read_evidence(file: MatchFile, path: Path) -> dict[int, dict[str, SaltedData]]:
    """Return the evidence by event number. Raises ImportFileError when an image or its salt is not the original, or
    only some images of an event are in the file."""
    salted: dict[int, dict[str, SaltedData]] = {}
    for event in file.events:
        named, pieces = evidence_of(event.body), salted.setdefault(event.number, {})
        for name, picture in event.pictures.items():
            where = f"is not in order: the image {name} of event {event.number}"
            try:
                pieces[name] = SaltedData(picture.salt, base64.b64decode(picture.data, validate=True))
            except ValueError:
                raise _import_error(path, f"{where} is not base64") from None
            record = named.get(name)
            if record is None or not is_original_evidence(record.commitment, name, record.media_type, *pieces[name]):
                raise _import_error(path, f"{where} is not the original")
        for name in named.keys() - pieces.keys() if pieces else ():
            raise _import_error(path, f"is not in order: the image {name} of event {event.number} is missing")
    return salted


class ImportJournal(Journal):
    """A journal that can import matches."""

    def import_match(self, match: CheckedMatch) -> int:
        """Copy a match into the journal and return its new number.

        Raises:
            ImportFileError: The journal has this match already, or an unfinished one of its own.
            JournalError: The journal can't be written.
        """
        with translate_sqlite_errors(self.path), transaction(self._db):
            unfinished = self.unfinished_match()
            if unfinished is not None:
                raise ImportFileError(
                    N(
                        "{path} has an unfinished match, {unfinished}: finish it first",
                        path=self.path,
                        unfinished=unfinished,
                    )
                )
            existing = self._find_match(match)
            if existing is not None:
                raise ImportFileError(
                    N("{path} has this match already: it is match {existing}", path=self.path, existing=existing)
                )
            origin = {"imported_from": match.origin.model_copy(update={"imported_at": utc_now()})}
            return self.copy_match(match.events, match.players, origin, match.evidence)[match.events[0].number]

    def _find_match(self, match: CheckedMatch) -> int | None:
        """Return the number of the same match in this journal, played here or imported before; None without one."""
        own_hash = match.origin.first_hash
        row = self._db.execute(
            "SELECT number FROM event WHERE kind = ? AND (hash = ? OR "
            "CASE WHEN json_valid(body) THEN body ->> '$.imported_from.first_hash' END = ?)",
            (MatchStarted.kind, own_hash, own_hash),
        ).fetchone()
        return int(row[0]) if row else None
