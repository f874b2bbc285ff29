"""Imports: copies a match from a file into a journal as new events. The whole file is checked first, and
either all events are written or none."""

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from errors import ThrowlockError
from rules.engine import Json
from throwlock.journal.file import transaction, translate_sqlite_errors
from throwlock.journal.journal import (
    STARTED,
    Event,
    Journal,
    JournalError,
    canonical_json,
    event_hash,
    match_starts,
    utc_now,
)
from throwlock.match.corrections import DISPUTE_KINDS
from throwlock.review.match_schema import FORMAT, VERSION, MatchFile
from throwlock.review.timeline import IN_PROGRESS, build_timeline, match_state
from throwlock.review.verify import replay_problems
from ui.text import verdicts
from ui.web.views import PlayerLink

MAX_FILE_BYTES = 256 * 2**20
MAX_NESTING = 20
"""Matches nest 8 levels deep: a seat's zone."""
MAX_DIGITS = 30
"""Of an integer."""
MAX_MESSAGE_LETTERS = 200
"""Of an error message with text from the file."""


class ImportFileError(ThrowlockError):
    """The file can't be imported. The message says why in one line."""


@dataclass(frozen=True)
class CheckedMatch:
    """A match from a file, checked. ``events`` are as in the original journal; ``evidence`` is by event number and
    name, None where the file lacks it."""

    journal_hash: str
    players: tuple[str | None, ...]
    events: tuple[Event, ...]
    evidence: Mapping[int, Mapping[str, bytes | None]]

    @property
    def origin(self) -> dict[str, Json]:
        """The match's origin; of a match that was imported before, the one in its first event."""
        first, last = self.events[0], self.events[-1]
        before: dict[str, Json] | None = first.body.get("imported_from")
        return before or {
            "journal": self.journal_hash,
            "match": first.number,
            "first_hash": first.hash,
            "last_event": last.number,
            "last_hash": last.hash,
        }


def read_match_file(path: Path) -> CheckedMatch:
    """Read and check a match file. Raises ImportFileError."""
    return check_match(_parse_file(path), path)


def check_match(document: Any, path: Path) -> CheckedMatch:
    """Check a match parsed from ``path``. Raises ImportFileError."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise _import_error(path, f"is not a Throwlock match: its format is not {FORMAT}")
    if document.get("version") != VERSION or isinstance(document["version"], bool):
        raise _import_error(
            path, f"has version {document.get('version')} of the format, and this Throwlock reads {VERSION}"
        )
    try:
        MatchFile.model_validate(document)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        raise _import_error(path, f"is invalid: {'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    events = _read_events(document)
    for problem in _find_problems(document, events):
        raise _import_error(path, problem)
    return CheckedMatch(document["journal"], tuple(document["players"]), events, _read_evidence(document, path))


def _import_error(path: Path, text: str) -> ImportFileError:
    """Return an error with a printable one-line message, whatever is in the file."""
    line = "".join(letter if letter.isprintable() else " " for letter in text)
    return ImportFileError(f"{path} {line if len(line) <= MAX_MESSAGE_LETTERS else line[:MAX_MESSAGE_LETTERS] + ' …'}")


def _parse_file(path: Path) -> Any:
    """Parse the JSON of a file. Raises ImportFileError, also for duplicate keys, huge numbers and deep nesting."""
    if not path.is_file():
        raise ImportFileError(f"{path}: no such file")
    if path.stat().st_size > MAX_FILE_BYTES:
        raise _import_error(
            path, f"is too large, more than {MAX_FILE_BYTES // 2**20} MiB: export the match with --no-pictures"
        )
    try:
        document = json.loads(
            path.read_bytes().decode("utf-8"),
            object_pairs_hook=_unique_keys,
            parse_constant=_reject_constant,
            parse_float=_parse_finite_float,
            parse_int=_parse_int,
        )
        _check_texts(document)
    except RecursionError:
        raise _import_error(path, "is not a match: it is nested too deeply") from None
    except UnicodeError:
        raise _import_error(path, "is not text in UTF-8") from None
    except ValueError as error:
        raise _import_error(path, f"can't be read as JSON: {error}") from None
    return document


def _unique_keys(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("it has the same key twice")
    return found


def _reject_constant(text: str) -> float:
    raise ValueError(f"{text} is not a number")


def _parse_finite_float(text: str) -> float:
    number = float(text)
    if abs(number) == float("inf"):
        raise ValueError(f"{text[:MAX_DIGITS]} is too large a number")
    return number


def _parse_int(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise ValueError(f"a number has more than {MAX_DIGITS} digits")
    return int(text)


def _check_texts(document: Any) -> None:
    """Check texts and nesting. Raises UnicodeError for a lone surrogate, RecursionError for deep nesting."""
    level = [document]
    for _ in range(MAX_NESTING):
        for one in level:
            if isinstance(one, str):
                one.encode()
        below = [one for one in level if isinstance(one, dict | list)]
        level = [inner for one in below for inner in ((*one, *one.values()) if isinstance(one, dict) else one)]
        if not level:
            return
    raise RecursionError


def _read_events(document: Mapping[str, Any]) -> tuple[Event, ...]:
    """Return the events as in the original journal, the first with the players' names."""
    names = tuple(name or verdicts.default_name(seat) for seat, name in enumerate(document["players"], 1))
    return tuple(
        Event(
            **{field: one[field] for field in ("number", "at", "kind", "body", "previous_hash", "hash")},
            match=document["match"],
            names=names if one["kind"] == STARTED else (),
        )
        for one in document["events"]
    )


def _find_problems(document: Mapping[str, Any], events: Sequence[Event]) -> Iterator[str]:
    """Yield what is wrong with a match of valid form."""
    started = events[0]
    if [event.number for event in events if event.kind == STARTED] != [document["match"]] or started.kind != STARTED:
        yield f"does not start with the first event of match {document['match']}, or has two first events"
        return
    seats = {str(seat) for seat in range(1, started.body["seats"] + 1)}
    if set(started.body["players"]) != seats or len(document["players"]) != len(seats):
        yield f"does not name a player for each of its {len(seats)} seats"
    yield from _chain_problems(events)
    for event in events:
        stray = sorted(set(_named_seats(event)) - seats)
        if stray:
            yield f"is not in order: event {event.number} is about seat {stray[0]}, and {len(seats)} play"
        yield from _round_problems(event, events)
    if match_state(events) == IN_PROGRESS:
        yield "is a match that is still in progress"
    for problem in replay_problems(document["match"], list(events)):
        yield f"is not in order: {problem}"
    players = [PlayerLink(None, name) for name in started.names]
    try:
        build_timeline(events, players, {})
    except JournalError as problem:
        yield f"is not in order: {problem}"


def _chain_problems(events: Sequence[Event]) -> Iterator[str]:
    """Yield where the file does not fit its own hashes."""
    before = None
    for event in events:
        body = canonical_json(event.body)
        if event_hash(event.number, event.match, event.at, event.kind, body, event.previous_hash) != event.hash:
            yield f"was changed after it was written: event {event.number} does not fit its hash"
        if before is not None and event.number <= before.number:
            yield f"has its events in the wrong order: {event.number} after {before.number}"
        if before is not None and event.number == before.number + 1 and event.previous_hash != before.hash:
            yield f"was changed after it was written: event {event.number} does not follow event {before.number}"
        before = event


def _named_seats(event: Event) -> Iterator[str]:
    """Yield the seats named in a round or a dispute."""
    body = event.body
    yield from (body.get("judgement") or {}).get("seats", ())
    yield from map(str, body.get("fouls", ()))
    if body.get("seat") is not None:
        yield str(body["seat"])


def _round_problems(event: Event, events: Sequence[Event]) -> Iterator[str]:
    """Check that a thrown round is complete, and that a dispute is about an earlier round."""
    body = event.body
    thrown = body.get("judgement") is not None
    if ("judgement" in body) != thrown or (thrown and "text" not in body):
        yield f"is not in order: event {event.number} is a round without a verdict"
    if event.kind in DISPUTE_KINDS:
        before = [one for one in events if one.number < event.number]
        if not any(one.number == body["round"] and "judgement" in one.body for one in before):
            yield f"is not in order: event {event.number} disputes a missing round"


def _read_evidence(document: Mapping[str, Any], path: Path) -> dict[int, dict[str, bytes | None]]:
    """Return the evidence by event number. Raises ImportFileError when an image does not fit its hash."""
    found: dict[int, dict[str, bytes | None]] = {}
    for event in document["events"]:
        named: Mapping[str, Any] = event["body"].get("evidence", {})
        pictures: Mapping[str, str] = event.get("pictures", {})
        found[event["number"]] = dict.fromkeys(named)
        for name, text in pictures.items():
            where = f"is not in order: the image {name} of event {event['number']}"
            try:
                data = base64.b64decode(text, validate=True)
            except ValueError:
                raise _import_error(path, f"{where} is not base64") from None
            if name not in named or hashlib.sha256(data).hexdigest() != named[name]["sha256"]:
                raise _import_error(path, f"{where} is not the original")
            found[event["number"]][name] = data
    return found


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
                raise ImportFileError(f"{self.path} has an unfinished match, {unfinished}: finish it first")
            existing = self._find_match(match)
            if existing is not None:
                raise ImportFileError(f"{self.path} has this match already: it is match {existing}")
            origin = {"imported_from": {**match.origin, "imported_at": utc_now()}}
            return self.copy_match(match.events, match.players, origin, match.evidence)[match.events[0].number]

    def _find_match(self, match: CheckedMatch) -> int | None:
        """Return the number of the same match in this journal, played here or imported before; None without one."""
        own_hash = match.origin["first_hash"]
        for number, body in match_starts(self._db):
            imported = body.get("imported_from")
            if own_hash in (self.number_and_hash(number)[1], isinstance(imported, dict) and imported.get("first_hash")):
                return number
        return None
