"""``throwlock import``: a match from a file into a journal, as new events. Everything in the file is checked before the
first of them is written, and all of them are written or none."""

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from pydantic import ValidationError

from rules.engine import Json
from throwlock.cli.options import UsageError, counted
from throwlock.journal.file import in_words, transaction, usual_place
from throwlock.journal.journal import BEGAN, Event, Journal, JournalError, Now, canonical, chained, matches_begun
from throwlock.journal.verify import replay_faults
from throwlock.match.corrections import DISPUTES
from throwlock.review.match_schema import FORMAT, VERSION, MatchFile
from throwlock.review.timeline import GOING_ON, state_of, story_of
from ui.text import verdicts
from ui.web.views import PlayerLink

LIMIT = 256 * 2**20
"""Bytes of a file that is read."""
DEPTH = 20
"""No match has lists within lists deeper than this: its deepest are 8, of a seat's zone."""
DIGITS = 30
"""Of a whole number."""
SAID = 200
"""Letters of a fault that are said."""


class ImportFileError(UsageError):
    """The file can't be imported. One line that says why."""


@dataclass(frozen=True)
class Checked:
    """A match that was read from a file and is in order. ``events`` are as they were in its journal; ``pieces`` the
    evidence of each by its number and name, None where the file has no picture."""

    journal: str
    players: tuple[str | None, ...]
    events: tuple[Event, ...]
    pieces: Mapping[int, Mapping[str, bytes | None]]

    @property
    def origin(self) -> dict[str, Json]:
        """Where the match was played: what its first event says of that if it was imported before."""
        first, last = self.events[0], self.events[-1]
        before: dict[str, Json] | None = first.body.get("imported")
        return before or {
            "journal": self.journal,
            "match": first.number,
            "hash": first.hash,
            "last": last.number,
            "last_hash": last.hash,
        }


def read(path: Path) -> Checked:
    """The match in a file. Raises ImportFileError when anything about it is not as it should be."""
    return check(_parsed(path), path)


def check(given: Any, path: Path) -> Checked:
    """The match in what was parsed from ``path``. Raises ImportFileError."""
    if not isinstance(given, dict) or given.get("format") != FORMAT:
        raise _fault(path, f"is no match of Throwlock: it does not say the format {FORMAT}")
    if given.get("version") != VERSION or isinstance(given["version"], bool):
        raise _fault(path, f"has version {given.get('version')} of the format, and this Throwlock reads {VERSION}")
    try:
        MatchFile.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        raise _fault(path, f"is not as it should be: {'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    events = _events(given)
    for fault in _faults(given, events):
        raise _fault(path, fault)
    return Checked(given["journal"], tuple(given["players"]), events, _pieces(given, path))


def _fault(path: Path, text: str) -> ImportFileError:
    """A fault in one line that can be shown, whatever stood in the file."""
    line = "".join(letter if letter.isprintable() else " " for letter in text)
    return ImportFileError(f"{path} {line if len(line) <= SAID else line[:SAID] + ' …'}")


def _parsed(path: Path) -> Any:
    """The JSON of a file, in which nothing is without end, twice, or no text."""
    if not path.is_file():
        raise ImportFileError(f"{path}: there is no such file")
    if path.stat().st_size > LIMIT:
        raise _fault(path, f"is too large, more than {LIMIT // 2**20} MiB: export the match with --no-pictures")
    try:
        given = json.loads(
            path.read_bytes().decode("utf-8"),
            object_pairs_hook=_once,
            parse_constant=_no_number,
            parse_float=_finite,
            parse_int=_whole,
        )
        _check_texts(given)
    except RecursionError:
        raise _fault(path, "is no match: it has lists within lists without end") from None
    except UnicodeError:
        raise _fault(path, "is not text in UTF-8") from None
    except ValueError as error:
        raise _fault(path, f"can't be read as JSON: {error}") from None
    return given


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("it has the same key twice")
    return found


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number")


def _finite(text: str) -> float:
    number = float(text)
    if abs(number) == float("inf"):
        raise ValueError(f"{text[:DIGITS]} is too large a number")
    return number


def _whole(text: str) -> int:
    if len(text) > DIGITS:
        raise ValueError(f"a number has more than {DIGITS} digits")
    return int(text)


def _check_texts(given: Any) -> None:
    """Raises UnicodeError for half a letter, RecursionError for what is too deep."""
    level = [given]
    for _ in range(DEPTH):
        for one in level:
            if isinstance(one, str):
                one.encode()
        below = [one for one in level if isinstance(one, dict | list)]
        level = [inner for one in below for inner in ((*one, *one.values()) if isinstance(one, dict) else one)]
        if not level:
            return
    raise RecursionError


def _events(given: Mapping[str, Any]) -> tuple[Event, ...]:
    """The events as they were in their journal; the first with names as its players had them there."""
    names = tuple(name or verdicts.neutral(seat) for seat, name in enumerate(given["players"], 1))
    return tuple(
        Event(
            **{field: one[field] for field in ("number", "at", "kind", "body", "previous", "hash")},
            match=given["match"],
            names=names if one["kind"] == BEGAN else (),
        )
        for one in given["events"]
    )


def _faults(given: Mapping[str, Any], events: Sequence[Event]) -> Iterator[str]:
    """What is wrong with a match whose every part is of the right form."""
    began = events[0]
    if [event.number for event in events if event.kind == BEGAN] != [given["match"]] or began.kind != BEGAN:
        yield f"does not begin with the beginning of match {given['match']}, or begins twice"
        return
    seats = {str(seat) for seat in range(1, began.body["seats"] + 1)}
    if set(began.body["players"]) != seats or len(given["players"]) != len(seats):
        yield f"does not name a player for each of its {len(seats)} seats"
    yield from _chain_faults(events)
    for event in events:
        stray = sorted(set(_seats_named(event)) - seats)
        if stray:
            yield f"is not in order: event {event.number} is about seat {stray[0]}, and {len(seats)} play"
        yield from _round_faults(event, events)
    if state_of(events) == GOING_ON:
        yield "is a match that is still going on"
    for fault in replay_faults(given["match"], list(events)):
        yield f"is not in order: {fault}"
    players = [PlayerLink(None, name) for name in began.names]
    try:
        story_of(events, players, {})
    except JournalError as fault:
        yield f"is not in order: {fault}"


def _chain_faults(events: Sequence[Event]) -> Iterator[str]:
    """Where the file was changed after it was written, by its own hashes."""
    before = None
    for event in events:
        body = canonical(event.body)
        if chained(event.number, event.match, event.at, event.kind, body, event.previous) != event.hash:
            yield f"was changed after it was written: event {event.number} does not have its hash"
        if before is not None and event.number <= before.number:
            yield f"has its events in another order than they happened: {event.number} after {before.number}"
        if before is not None and event.number == before.number + 1 and event.previous != before.hash:
            yield f"was changed after it was written: event {event.number} does not follow event {before.number}"
        before = event


def _seats_named(event: Event) -> Iterator[str]:
    """The seats that a round or a dispute is about."""
    body = event.body
    yield from (body.get("judgement") or {}).get("seats", ())
    yield from map(str, body.get("fouls", ()))
    if body.get("seat") is not None:
        yield str(body["seat"])


def _round_faults(event: Event, events: Sequence[Event]) -> Iterator[str]:
    """Whether a thrown round has what the pages show of it, and a dispute is about one before it."""
    body = event.body
    thrown = body.get("judgement") is not None
    if ("judgement" in body) != thrown or (thrown and "sentence" not in body):
        yield f"is not in order: event {event.number} is a round without a verdict"
    if event.kind in DISPUTES:
        before = [one for one in events if one.number < event.number]
        if not any(one.number == body["round"] and "judgement" in one.body for one in before):
            yield f"is not in order: event {event.number} disputes a round that is not there"


def _pieces(given: Mapping[str, Any], path: Path) -> dict[int, dict[str, bytes | None]]:
    """The evidence that the events name, by their numbers. Raises ImportFileError where a picture is another one."""
    found: dict[int, dict[str, bytes | None]] = {}
    for event in given["events"]:
        named: Mapping[str, Any] = event["body"].get("evidence", {})
        pictures: Mapping[str, str] = event.get("pictures", {})
        found[event["number"]] = dict.fromkeys(named)
        for name, text in pictures.items():
            where = f"is not in order: the picture {name} of event {event['number']}"
            try:
                data = base64.b64decode(text, validate=True)
            except ValueError:
                raise _fault(path, f"{where} is no base64") from None
            if name not in named or hashlib.sha256(data).hexdigest() != named[name]["sha256"]:
                raise _fault(path, f"{where} is not the one that was kept")
            found[event["number"]][name] = data
    return found


class Shelving(Journal):
    """A journal that takes in a match that was played elsewhere."""

    def take_in(self, match: Checked) -> int:
        """Write a match, all of it or nothing; its new number. Raises ImportFileError when it is here already, or one
        of this journal's own is going on, which could then not be gone on with; JournalError."""
        with in_words(self.path), transaction(self._db):
            going_on = self.unfinished()
            if going_on is not None:
                raise ImportFileError(
                    f"{self.path} has a match that is still going on, {going_on}: play it to its end first"
                )
            there = self._place_of(match)
            if there is not None:
                raise ImportFileError(f"{self.path} has this match already: it is match {there}")
            origin = {"imported": {**match.origin, "at": Now()()}}
            return self.write_again(match.events, match.players, origin, match.pieces)[match.events[0].number]

    def _place_of(self, match: Checked) -> int | None:
        """The number of the same match in this journal: it was played here, or was imported before."""
        own = match.origin["hash"]
        for number, body in matches_begun(self._db):
            imported = body.get("imported")
            if own in (self.hash_of(number)[1], isinstance(imported, dict) and imported.get("hash")):
                return number
        return None


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--journal",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Into which journal.  [default: the one play keeps]",
)
def import_(file: Path, journal: Path | None) -> None:
    """Take a match that "throwlock export" wrote as JSON into a journal."""
    match = read(file)
    place = journal or usual_place()
    if journal is None:
        place.parent.mkdir(parents=True, exist_ok=True)
    with Shelving(place) as opened:
        number = opened.take_in(match)
    pictures = sum(data is not None for pieces in match.pieces.values() for data in pieces.values())
    click.echo(
        f"Match {number} of {place}: {counted(len(match.events), 'event', 'events')} and "
        f"{counted(pictures, 'picture', 'pictures')} from {file}"
    )
