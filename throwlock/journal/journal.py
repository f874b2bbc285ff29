"""The journal: what happened at the table, one event a transaction, committed before anybody is shown it, each event
carrying the hash of the one before. A match is its events: a crash is a replay, a correction a further event."""

import hashlib
import json
import os
import sqlite3
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from throwlock.journal.file import (
    VERSION,
    Hold,
    JournalDamagedError,
    JournalError,
    beside,
    connected,
    damage_in,
    in_words,
    is_new,
    make,
    may,
    open_to_read,
    put_aside,
    transaction,
    version_in,
)
from throwlock.journal.hash_chain import canonical, chained, check_whole, origin_of
from throwlock.journal.player_names import keys_in, names_in, take_seats, upgrade
from throwlock.journal.tail_marker import ENDING, Newest, newest

__all__ = [
    "Event",
    "Evidence",
    "EvidenceRow",
    "Journal",
    "JournalError",
    "JournalReader",
    "Now",
    "Row",
    "canonical",
    "chained",
]

BEGAN = "began"
"""The kind of the event that begins a match."""
BUSY_S = 5.0
"""How long an event waits for another's transaction."""


@dataclass(frozen=True)
class Evidence:
    """A picture or other file that belongs to an event, named uniquely within it."""

    name: str
    media_type: str
    data: bytes


@dataclass(frozen=True)
class Event:
    """One line of the journal. ``number`` counts from 1; ``match`` is the number of the event that began it. ``names``
    are the players' in seat order, as the journal has them now, where the event begins a match: its body has keys."""

    number: int
    match: int
    at: str
    kind: str
    body: Mapping[str, Any]
    previous: str
    hash: str
    names: tuple[str, ...] = ()


class Row(NamedTuple):
    """An event as it stands in the table, whatever became of it there."""

    number: int
    match: int
    at: str
    kind: str
    body: str
    previous: str
    hash: str


class EvidenceRow(NamedTuple):
    """A piece of evidence as it stands in the table; ``data`` is None when people deleted it."""

    event: int
    name: str
    media_type: str
    sha256: str
    data: bytes | None


class JournalReader:
    """A journal being read as it is when it is opened, which changes nothing; a box may play with it meanwhile.

    with JournalReader(Path("evening.journal")) as journal:
        print(journal.matches())
    """

    def __init__(self, path: Path) -> None:
        """Raises JournalError when there is no journal at ``path``."""
        self.path = path
        self._written = newest(path)  # before the snapshot, which then has it
        self._until = ExitStack()
        try:
            self._db = self._opened()
        except BaseException:
            self._until.close()
            raise

    def _opened(self) -> sqlite3.Connection:
        return open_to_read(self.path, self._until)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file. May be called twice."""
        self._until.close()

    def origin(self) -> str:
        """What the first event names as the hash before it: the hash of the journal's own id."""
        return origin_of(self._named("id"))

    def written(self) -> tuple[int, str] | None:
        """Number and hash of an event that was written before this journal was opened, the newest then or the one
        before it, as a file beside the journal has them; None where it was closed in order."""
        return self._written

    def last(self) -> str:
        """The hash of the newest event as the journal remembers it beside the events."""
        return self._named("last")

    def damage(self) -> list[str]:
        """What is wrong with the pages of the file; nothing where they are in order."""
        with in_words(self.path):
            return damage_in(self._db)

    def _named(self, name: str) -> str:
        with in_words(self.path):
            row = self._db.execute("SELECT value FROM journal WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else ""

    def events(self, match: int | None = None) -> list[Event]:
        """The events of a match, or of all, in order. Raises JournalError."""
        where, values = ("WHERE match = ?", (match,)) if match is not None else ("", ())
        return [self._event(row) for row in self._rows(where, values)]

    def _event(self, row: Row) -> Event:
        try:
            body = json.loads(row.body)
        except (ValueError, TypeError) as error:
            raise JournalDamagedError(
                f"{self.path}: event {row.number} can't be read, throwlock verify says more"
            ) from error
        names = self._names(body) if row.kind == BEGAN else ()
        return Event(**{**row._asdict(), "body": body, "names": names})

    def _names(self, body: Any) -> tuple[str, ...]:
        """The names that "began" gives, none where it can't be read: whoever needs the match finds out why."""
        with in_words(self.path):
            try:
                return names_in(self._db, body.get("players"))
            except (AttributeError, TypeError, ValueError):
                return ()

    def keys(self, began: Event) -> tuple[str | None, ...]:
        """The keys of a match's players in seat order; None where the journal has none: of a match of version 1 whose
        players were forgotten, or have no table yet. Raises JournalError where the event can't be read."""
        try:
            with in_words(self.path):
                return keys_in(self._db, began.body.get("players"))
        except (TypeError, ValueError) as error:
            raise JournalError(f"{self.path}: event {began.number} does not say who plays") from error

    def players(self) -> dict[str, str | None]:
        """Every player's name by key, in the order they first came; None for those who were forgotten."""
        return dict(self._table("SELECT key, name FROM player ORDER BY rowid"))

    def marks(self) -> dict[int, str]:
        """The marks that people put on rounds, by the rounds' events."""
        return dict(self._table("SELECT event, mark FROM mark ORDER BY event"))

    def _table(self, query: str) -> list[Any]:
        """The rows of a table that version 1 does not have."""
        with in_words(self.path):
            return self._db.execute(query).fetchall() if version_in(self._db) > 1 else []

    def matches(self) -> list[int]:
        """The numbers of all matches, in the order they began."""
        with in_words(self.path):
            return [row[0] for row in self._db.execute("SELECT DISTINCT match FROM event ORDER BY match")]

    def unfinished(self) -> int | None:
        """The newest match if it has neither ended nor been given up."""
        matches = self.matches()
        if not matches:
            return None
        last = self.events(matches[-1])[-1]
        return None if last.kind in ("ended", "given up") else matches[-1]

    def hash_of(self, number: int | None = None) -> tuple[int, str]:
        """Number and hash of an event, or of the newest; (0, "") where there is none."""
        where, values = ("WHERE number = ?", (number,)) if number is not None else ("", ())
        with in_words(self.path):
            row = self._db.execute(
                f"SELECT number, hash FROM event {where} ORDER BY number DESC LIMIT 1", values
            ).fetchone()
        return (int(row[0]), str(row[1])) if row else (0, "")

    def matches_since(self, number: int) -> Iterator[list[Event]]:
        """All events of every match that has gone on since event ``number``, a match at a time, in the order they
        began. Raises JournalError."""
        with in_words(self.path):
            found = self._db.execute("SELECT DISTINCT match FROM event WHERE number > ? ORDER BY match", (number,))
            matches = [row[0] for row in found]
        for match in matches:
            yield self.events(match)

    def event(self, number: int) -> Event | None:
        """One event, None where there is none of that number. Raises JournalError."""
        return next((self._event(row) for row in self._rows("WHERE number = ?", (number,))), None)

    def has_pictures(self, match: int) -> bool:
        """Whether any evidence of a match is left."""
        with in_words(self.path):
            row = self._db.execute(
                "SELECT EXISTS (SELECT 1 FROM event JOIN evidence ON evidence.event = event.number "
                "WHERE event.match = ? AND evidence.data IS NOT NULL)",
                (match,),
            ).fetchone()
        return bool(row[0])

    def pieces(self, match: Sequence[Event]) -> dict[int, dict[str, bytes | None]]:
        """The data of a match's evidence that is left and can be read, by its events' numbers and its names."""
        found: dict[int, dict[str, bytes | None]] = {}
        for event in match:
            with suppress(JournalError):
                found[event.number] = {one.name: one.data for one in self.evidence(event.number)}
        return found

    def evidence(self, event: int) -> list[Evidence]:
        """The evidence of an event that is still there."""
        rows = self.evidence_rows(event)
        return [Evidence(row.name, row.media_type, row.data) for row in rows if row.data is not None]

    def rows(self) -> Iterator[Row]:
        """All events as they stand in the table, for checking."""
        yield from self._rows()

    def _rows(self, where: str = "", values: tuple[object, ...] = ()) -> Iterator[Row]:
        columns = ", ".join(Row._fields)
        with in_words(self.path):
            for row in self._db.execute(f"SELECT {columns} FROM event {where} ORDER BY number", values):
                yield Row(*row)

    def evidence_rows(self, event: int | None = None) -> Iterator[EvidenceRow]:
        """The evidence of one event, or all, as it stands in the table, a piece at a time in the order of events."""
        columns = ", ".join(EvidenceRow._fields)
        where, values = ("WHERE event = ?", (event,)) if event is not None else ("", ())
        with in_words(self.path):
            for row in self._db.execute(f"SELECT {columns} FROM evidence {where} ORDER BY event, name", values):
                yield EvidenceRow(*row)


class Journal(JournalReader):
    """A journal on the disk, open for writing by one box at a time.

    with Journal(Path("evening.journal")) as journal:
        match = journal.begin({"game": "classic", …})
        journal.append(match, "answer", {…}, [Evidence("lock.jpg", "image/jpeg", data)])

    While it is open, ``NAME-wal``, ``NAME-shm``, ``NAME.lock`` and ``NAME.newest`` stand beside it; ``close`` takes
    them away. Where a box was killed, or the disk is full, they stay, and belong to the journal until it is opened
    again.
    """

    def __init__(self, path: Path, now: "Now | None" = None) -> None:
        """Open ``path``, or make it. Raises JournalError and writes nothing when it is something else, another version,
        in use by another box, or can't be read or written; EventLostError when it was cut off and events that were
        written then are not there."""
        self._now = now or _utc_now
        super().__init__(path)

    def _opened(self) -> sqlite3.Connection:
        if not is_new(self.path) and not may(self.path, os.W_OK):
            raise JournalError(f"{self.path} can't be written: give another name with --journal")
        self._until.callback(Hold(self.path).release)
        with in_words(self.path):
            check_whole(self.path)
            self._files = self._until.enter_context(ExitStack())
            return self._begun()

    def _begun(self) -> sqlite3.Connection:
        """A connection to the file, which is made where there is none."""
        if is_new(self.path):
            self._make()
        db = connected(self.path.resolve(), BUSY_S)
        self._newest = Newest(self.path.resolve())
        self._files.callback(self._newest.remove)
        self._files.callback(db.close)
        bring_up(db)
        return db

    def begin_anew(self, match: Sequence[Event], players: Sequence[str]) -> tuple[Path, dict[int, int]]:
        """Go on in a new journal of the same name with ``match`` (all its events so far) and its ``players``, because
        this one is damaged. Returns the name under which it is kept, and the events' new numbers by the old ones.
        Raises JournalError."""
        pieces = self.pieces(match)
        aside = put_aside(self.path)
        with in_words(self.path):
            self._files.close()
            self._db = self._begun()
        return aside, self.carry_over(aside, match, players, pieces)

    def carry_over(
        self,
        aside: Path,
        match: Sequence[Event],
        players: Sequence[str],
        pieces: Mapping[int, Mapping[str, bytes | None]],
    ) -> dict[int, int]:
        """Write a match that was going on in the journal at ``aside``, as ``write_again`` does. Raises JournalError."""
        origin = {"carried": {"file": aside.name, "match": match[0].number, "last": match[-1].number}}
        with in_words(self.path), transaction(self._db):
            numbers = self.write_again(match, players, origin, pieces)
        self._newest.note(*self.hash_of())
        return numbers

    def _make(self) -> None:
        file = self.path.resolve()
        if beside(file, "-wal").exists() or beside(file, ENDING).exists():
            put_aside(self.path)  # of another journal: its log would be put into this one
        identity = uuid.uuid4().hex
        try:
            make(self.path, identity, origin_of(identity))
        except OSError as error:
            raise JournalError(f"{self.path} can't be made ({error.strerror}): choose another folder") from error

    def begin(self, body: Mapping[str, Any]) -> int:
        """Begin a match; its first event is "began" with ``body``, in which ``players``, if there are any, are their
        names in seat order (None: somebody forgotten). The names are kept apart; the event has keys instead. Returns
        the match's number."""
        full = dict(body)
        with in_words(self.path), transaction(self._db):
            if "players" in body:
                full["players"] = take_seats(self._db, body["players"])
            began = self._put(None, BEGAN, full, ())
        self._newest.note(began.number, began.hash)
        return began.match

    def append(self, match: int, kind: str, body: Mapping[str, Any], evidence: Sequence[Evidence] = ()) -> Event:
        """Write one event; it is on the disk when this returns. Raises JournalError, and then nothing was written."""
        with in_words(self.path), transaction(self._db):
            event = self._put(match, kind, body, evidence)
        self._newest.note(event.number, event.hash)
        return event

    def write_again(
        self,
        events: Sequence[Event],
        players: Sequence[str | None],
        origin: Mapping[str, Any],
        pieces: Mapping[int, Mapping[str, bytes | None]],
    ) -> dict[int, int]:
        """Write a match of another journal, dates as they were, in a transaction of the caller's. ``origin`` is put
        into its first event; ``pieces`` are the data of the evidence, by the events' old numbers and its names; what
        is not among them counts as deleted. Returns the events' new numbers by the old ones."""
        numbers: dict[int, int] = {}
        for event in events:
            body = renumbered(event.body, numbers)
            if event is events[0]:
                body.update(origin, players=take_seats(self._db, players))
            new = self._put(numbers.get(events[0].number), event.kind, body, (), event.at)
            numbers[event.number] = new.number
            data = pieces.get(event.number, {})
            named: Mapping[str, Mapping[str, str]] = body.get("evidence", {})
            self._db.executemany(
                "INSERT INTO evidence VALUES (?, ?, ?, ?, ?)",
                [(new.number, name, one["media_type"], one["sha256"], data.get(name)) for name, one in named.items()],
            )
        return numbers

    def _put(
        self, match: int | None, kind: str, body: Mapping[str, Any], evidence: Sequence[Evidence], at: str | None = None
    ) -> Event:
        pieces = [(one, hashlib.sha256(one.data).hexdigest()) for one in evidence]
        full = dict(body)
        if pieces:
            full["evidence"] = {one.name: {"media_type": one.media_type, "sha256": digest} for one, digest in pieces}
        text = canonical(full)
        row = self._db.execute("SELECT number, hash FROM event ORDER BY number DESC LIMIT 1").fetchone()
        number, previous = (row[0] + 1, row[1]) if row else (1, self.origin())
        whose = number if match is None else match
        at = at or self._now()
        own = chained(number, whose, at, kind, text, previous)
        self._db.execute(
            "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?)", (number, whose, at, kind, text, previous, own)
        )
        self._db.executemany(
            "INSERT INTO evidence VALUES (?, ?, ?, ?, ?)",
            [(number, one.name, one.media_type, digest, one.data) for one, digest in pieces],
        )
        self._db.execute("UPDATE journal SET value = ? WHERE name = 'last'", (own,))
        return Event(number, whose, at, kind, full, previous, own)


def bring_up(db: sqlite3.Connection) -> None:
    """Bring the tables of an earlier version up to this one's, all or nothing. Its events stay as they are."""
    if version_in(db) == VERSION:
        return
    with transaction(db):
        if version_in(db) < VERSION:  # nobody else has meanwhile
            upgrade(db, [began.get("players") for _, began in matches_begun(db)])


def matches_begun(db: sqlite3.Connection) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Every match's number and the body of its first event; a body that can't be read is empty."""
    for number, text in db.execute(
        "SELECT number, body FROM event WHERE kind = ? ORDER BY number", (BEGAN,)
    ).fetchall():
        try:
            body = json.loads(text)
        except (ValueError, TypeError):
            body = None
        yield number, body if isinstance(body, dict) else {}


def renumbered(body: Mapping[str, Any], numbers: Mapping[int, int]) -> dict[str, Any]:
    """A body with the events that it names, where it is a dispute's, as ``numbers`` has them."""
    new = dict(body)
    if "round" in body:
        new["round"] = numbers.get(body["round"], body["round"])
    if "dropped" in body:
        new["dropped"] = [numbers.get(one, one) for one in body["dropped"]]
    return new


class Now:
    """What tells the date and time of an event, for people."""

    def __call__(self) -> str:
        """ISO 8601 in UTC, to the millisecond."""
        return datetime.now(UTC).isoformat(timespec="milliseconds")


_utc_now = Now()
