"""The journal: an append-only log of events in SQLite, one transaction each, committed before anybody sees the result.
Every event carries the hash of the one before. A match is the replay of its events; a correction is a further event."""

import logging
import os
import secrets
import sqlite3
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, Self, TypeVar

from messages import N
from rules.record.tournament import TournamentPlayerEntered, TournamentStarted
from throwlock.journal.events import (
    EVIDENCE_RECORDS,
    Answered,
    Body,
    ContinuedFrom,
    Corrected,
    Deleted,
    DisputeRejected,
    EvidenceRecord,
    ImportedFrom,
    MatchAbandoned,
    MatchEnded,
    MatchStarted,
    Round,
    decode_body,
    encode_body,
)
from throwlock.journal.file import (
    FileLock,
    JournalDamagedError,
    JournalError,
    connect_to_read,
    connect_to_write,
    create_journal,
    find_damage,
    find_foreign_tables,
    has_access,
    is_new,
    quarantine,
    sibling,
    transaction,
    translate_sqlite_errors,
)
from throwlock.journal.hash_chain import (
    SaltedData,
    canonical_json,
    check_tail,
    event_hash,
    evidence_commitment,
    origin_hash,
)
from throwlock.journal.player_names import SALT_BYTES, assign_player_keys, display_names
from throwlock.journal.tail_marker import TAIL_SUFFIX, TailMarker, read_tail_marker

logger = logging.getLogger(__name__)

__all__ = [
    "Event",
    "EventRow",
    "Evidence",
    "EvidenceRow",
    "Journal",
    "JournalError",
    "JournalReader",
    "canonical_json",
    "event_hash",
]

NO_MATCH = 0
"""The match of an event that belongs to none."""


def utc_now() -> str:
    """Return the time in UTC as ISO 8601, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


@dataclass(frozen=True)
class Evidence:
    """An image or other file that belongs to an event, with a name unique within it."""

    name: str
    media_type: str
    data: bytes


@dataclass(frozen=True)
class Event:
    """One event of the journal."""

    number: int
    """From 1."""
    match: int
    """The number of the event that started its match; ``NO_MATCH`` for a deletion or a tournament's event."""
    at: str
    """ISO 8601 in UTC."""
    body: Body
    previous_hash: str
    hash: str
    names: tuple[str, ...] = ()
    """The players' current names in the order of their seats, or seeds; empty unless the event starts a match or a
    tournament."""

    @property
    def kind(self) -> str:
        """The name of the body's kind."""
        return self.body.kind

    @property
    def round(self) -> Round | None:
        """The body if it is a thrown round, judged or void."""
        return self.body if isinstance(self.body, Round) else None


class EventRow(NamedTuple):
    """An event as stored, unchecked."""

    number: int
    match: int
    at: str
    kind: str
    body: str
    previous_hash: str
    hash: str


class EvidenceRow(NamedTuple):
    """A piece of evidence as stored."""

    event: int
    name: str
    media_type: str
    commitment: str
    salt: str | None
    """None once it was deleted."""
    data: bytes | None
    """None once it was deleted."""


class PlayerRow(NamedTuple):
    """A player as stored."""

    key: str
    salt: str | None
    """None once the player is forgotten."""
    name: str | None
    """None once the player is forgotten."""


Row = TypeVar("Row", EventRow, EvidenceRow, PlayerRow)


class JournalReader:
    """Reads a journal as it is at the moment of opening, without changing anything, also while a box writes to it.

    with JournalReader(Path("evening.journal")) as journal:
        print(journal.matches())
    """

    def __init__(self, path: Path) -> None:
        """Raises JournalError when there is no journal at ``path``."""
        self.path = path
        self._marked_tail = read_tail_marker(path)  # before the snapshot, which then contains it
        self._exit_stack = ExitStack()
        try:
            self._db = self._connect()
        except BaseException:
            self._exit_stack.close()
            raise

    def _connect(self) -> sqlite3.Connection:
        return connect_to_read(self.path, self._exit_stack)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. May be called twice."""
        self._exit_stack.close()

    def origin_hash(self) -> str:
        """Return the ``previous_hash`` of the first event: the hash of the journal's id."""
        return origin_hash(self._read_metadata("id"))

    def marked_tail(self) -> tuple[int, str] | None:
        """Return number and hash of the newest event (or the one before it) at the time of opening according to the
        tail marker; None after a clean shutdown."""
        return self._marked_tail

    def last_hash(self) -> str:
        """Return the newest event's hash as the table ``journal`` has it."""
        return self._read_metadata("last_hash")

    def find_damage(self) -> list[str]:
        """Return what is wrong with the pages of the file, in SQLite's words."""
        with translate_sqlite_errors(self.path):
            return find_damage(self._db)

    def find_foreign_tables(self) -> list[str]:
        """Return a sentence for every table, index, view and trigger that no Throwlock made or that is missing, and
        for every entry of the table ``journal`` that is not its own."""
        with translate_sqlite_errors(self.path):
            return find_foreign_tables(self._db)

    def _query(self, query: str, *values: object) -> list[Any]:
        with translate_sqlite_errors(self.path):
            return self._db.execute(query, values).fetchall()

    def _read_metadata(self, name: str) -> str:
        rows = self._query("SELECT value FROM journal WHERE name = ?", name)
        return str(rows[0][0]) if rows else ""

    def events(self, match: int | None = None) -> list[Event]:
        """Return the events of a match, or of all, in order. Raises JournalError."""
        rows = self.event_rows() if match is None else self.event_rows("WHERE match = ?", match)
        return [self.parse_event(row) for row in rows]

    def events_of_kinds(self, *kinds: type[Body]) -> list[Event]:
        """Return the events of these kinds, of all matches, in order. Raises JournalError."""
        places = ", ".join("?" * len(kinds))
        rows = self.event_rows(f"WHERE kind IN ({places})", *(kind.kind for kind in kinds))
        return [self.parse_event(row) for row in rows]

    def event(self, number: int) -> Event | None:
        """Return one event, None when there is none. Raises JournalError."""
        return next((self.parse_event(row) for row in self.event_rows("WHERE number = ?", number)), None)

    def parse_event(self, row: EventRow) -> Event:
        """Return an event that was read as stored. Raises JournalError if its body can't be read."""
        try:
            body = decode_body(row.kind, row.body)
        except ValueError as error:
            raise JournalDamagedError(
                N("{path}: event {event} can’t be read", path=self.path, event=row.number),
                terminal_hint=", throwlock verify has the details",
            ) from error
        names: tuple[str, ...] = ()
        if isinstance(body, MatchStarted | TournamentStarted):
            with translate_sqlite_errors(self.path):
                names = display_names(self._db, body.player_keys)
        return Event(row.number, row.match, row.at, body, row.previous_hash, row.hash, names)

    def players(self) -> dict[str, str | None]:
        """Return every player's name by key, in the order they first played; None for a forgotten one."""
        return {row.key: row.name for row in self.player_rows()}

    def player_rows(self) -> Iterator[PlayerRow]:
        """Yield the players as stored, unchecked, in the order they first played."""
        return self._rows(PlayerRow, "player ORDER BY rowid", ())

    def players_of(self, game: str) -> set[str]:
        """Return the names of everybody who has begun a match of ``game``. Raises JournalError."""
        keys = self._query(
            "SELECT DISTINCT player.value FROM event, json_each(body, '$.players') AS player "
            "WHERE number IN (SELECT DISTINCT match FROM event) AND json_extract(body, '$.game') = ?",
            game,
        )
        names = self.players()
        return {name for (key,) in keys if (name := names.get(key))}

    def marks(self) -> dict[int, str]:
        """Return the marks on rounds by the rounds' event numbers."""
        return dict(self._query("SELECT event, mark FROM mark ORDER BY event"))

    def notes(self) -> dict[int, str]:
        """Return the notes by the event number of their round, or of the first event of their match."""
        if not self._query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'note'"):
            return {}
        return dict(self._query("SELECT event, note FROM note ORDER BY event"))

    def matches(self) -> list[int]:
        """Return the numbers of all matches, in the order they started."""
        return [match for (match,) in self._query("SELECT DISTINCT match FROM event WHERE match > 0 ORDER BY match")]

    def tournaments(self) -> list[int]:
        """Return the numbers of all tournaments, in the order they started."""
        return [number for (number,) in self._query("SELECT number FROM event WHERE kind = ?", TournamentStarted.kind)]

    def tournament_events(self, number: int) -> list[Event]:
        """Return the events of a tournament, and the starts and ends of its matches, in order. Raises JournalError."""
        return [
            self.parse_event(row)
            for row in self.event_rows(
                "WHERE number = ?1 OR (match = 0 AND body ->> '$.tournament' = ?1) OR (kind IN (?2, ?3, ?4) AND match "
                "IN (SELECT number FROM event WHERE kind = ?2 AND body ->> '$.tournament.tournament' = ?1))",
                number,
                MatchStarted.kind,
                MatchEnded.kind,
                MatchAbandoned.kind,
            )
        ]

    def ended_pairings(self) -> set[str]:
        """Return the pairings of a hall whose matches have ended here."""
        query = (
            "SELECT DISTINCT body ->> '$.hall.pairing' FROM event AS start WHERE number IN (SELECT DISTINCT match FROM "
            "event) AND EXISTS (SELECT 1 FROM event WHERE match = start.match AND kind = ?)"
        )
        return {pairing for (pairing,) in self._query(query, MatchEnded.kind) if pairing}

    def names_of(self, keys: Sequence[str]) -> tuple[str, ...]:
        """Return the current names of players for display. Raises JournalError."""
        with translate_sqlite_errors(self.path):
            return display_names(self._db, keys)

    def unfinished_match(self) -> int | None:
        """Return the newest match if it has neither ended nor been abandoned."""
        last = self._query("SELECT match, kind FROM event WHERE match > 0 ORDER BY match DESC, number DESC LIMIT 1")
        return next((match for match, kind in last if kind not in (MatchEnded.kind, MatchAbandoned.kind)), None)

    def number_and_hash(self, number: int | None = None) -> tuple[int, str]:
        """Return number and hash of an event, or of the newest; (0, "") when there is none."""
        wanted = "(SELECT max(number) FROM event)" if number is None else "?"
        rows = self._query(
            f"SELECT number, hash FROM event WHERE number = {wanted}", *() if number is None else (number,)
        )
        return (int(rows[0][0]), str(rows[0][1])) if rows else (0, "")

    def matches_changed_since(self, number: int) -> Iterator[list[Event]]:
        """Yield all events of every match with an event after ``number``, a match at a time, in the order the matches
        started. Raises JournalError."""
        query = "SELECT DISTINCT match FROM event WHERE number > ? AND match > 0 ORDER BY match"
        for (match,) in self._query(query, number):
            yield self.events(match)

    def has_pictures(self, match: int) -> bool:
        """Return whether any evidence of a match is left."""
        query = "SELECT 1 FROM event JOIN evidence ON event = number WHERE match = ? AND data IS NOT NULL LIMIT 1"
        return bool(self._query(query, match))

    def evidence_data(self, match: Sequence[Event]) -> dict[int, dict[str, SaltedData]]:
        """Return what is left and readable of a match's evidence, by event number and name."""
        salted: dict[int, dict[str, SaltedData]] = {}
        for event in match:
            with suppress(JournalError):
                salted[event.number] = {
                    row.name: SaltedData(row.salt, row.data)
                    for row in self.evidence_rows(event.number)
                    if row.salt is not None and row.data is not None
                }
        return salted

    def evidence(self, event: int) -> list[Evidence]:
        """Return what is left of an event's evidence."""
        rows = self.evidence_rows(event)
        return [Evidence(row.name, row.media_type, row.data) for row in rows if row.data is not None]

    def event_rows(self, where: str = "", *values: object) -> Iterator[EventRow]:
        """Yield the events as stored, unchecked, in order: all, or those that ``where`` selects."""
        return self._rows(EventRow, f"event {where} ORDER BY number", values)

    def evidence_rows(self, event: int | None = None) -> Iterator[EvidenceRow]:
        """Yield the evidence of one event, or all, as stored, in the order of events."""
        where, values = ("WHERE event = ?", (event,)) if event is not None else ("", ())
        return self._rows(EvidenceRow, f"evidence {where} ORDER BY event, name", values)

    def _rows(self, row_type: type[Row], source: str, values: Sequence[object]) -> Iterator[Row]:
        with translate_sqlite_errors(self.path):
            for row in self._db.execute(f"SELECT {', '.join(row_type._fields)} FROM {source}", values):
                yield row_type._make(row)


class Journal(JournalReader):
    """A journal open for writing, by one box at a time.

    with Journal(Path("evening.journal")) as journal:
        match = journal.start_match(MatchStarted(game="classic", …), ["Ada", "Ben"])
        journal.append(match, RoundJudged(…), [Evidence("lock.jpg", "image/jpeg", data)])

    While it is open, ``NAME-wal``, ``NAME-shm``, ``NAME.lock`` and ``NAME.tail`` are next to it; ``close`` removes
    them. After a crash or on a full disk they stay and belong to the journal until it is opened again."""

    def __init__(self, path: Path, now: Callable[[], str] = utc_now) -> None:
        """Open the journal at ``path``, or create it. ``now`` returns an event's time stamp.

        Raises:
            JournalError: The file is something else, of another version, in use by another box, or can't be read or
                written. Nothing was written.
            EventLostError: The box crashed and events written before are missing.
        """
        self._now = now
        self._newest = 0, ""
        super().__init__(path)
        logger.info("journal %s is open for writing", path)

    def _connect(self) -> sqlite3.Connection:
        if not is_new(self.path) and not has_access(self.path, os.W_OK):
            raise JournalError(
                N("{path} can’t be written", path=self.path),
                terminal_hint=": name another journal",
                screen_hint=N("it and its folder have to be writable"),
            )
        self._exit_stack.callback(FileLock(self.path).release)
        with translate_sqlite_errors(self.path):
            check_tail(self.path)
            self._files = self._exit_stack.enter_context(ExitStack())
            return self._connect_to_write()

    def _connect_to_write(self) -> sqlite3.Connection:
        """Connect to the file, creating it if necessary."""
        if is_new(self.path):
            self._create()
        db = connect_to_write(self.path.resolve())
        self._tail_marker = TailMarker(self.path.resolve())
        self._files.callback(self._tail_marker.remove)
        self._files.callback(db.close)
        return db

    def continue_in_new_journal(self, match: Sequence[Event], players: Sequence[str]) -> tuple[Path, dict[int, int]]:
        """Quarantine this damaged journal and continue ``match`` (all its events so far) with its ``players`` in a new
        one of the same name. Returns the old journal's new path and the events' new numbers by the old ones. Raises
        JournalError."""
        pieces = self.evidence_data(match)
        quarantined = quarantine(self.path)
        with translate_sqlite_errors(self.path):
            self._files.close()
            self._db = self._connect_to_write()
        return quarantined, self.continue_match(quarantined, match, players, pieces)

    def continue_match(
        self,
        quarantined: Path,
        match: Sequence[Event],
        players: Sequence[str],
        pieces: Mapping[int, Mapping[str, SaltedData]],
    ) -> dict[int, int]:
        """Copy an unfinished match from the journal at ``quarantined``; see ``copy_match``. Raises JournalError."""
        origin = ContinuedFrom(file=quarantined.name, match=match[0].number, last_event=match[-1].number)
        with self._transaction():
            return self.copy_match(match, players, {"continued_from": origin}, pieces)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Run the block as a transaction; when it ends, its events are on the disk, and the tail marker has the newest.
        Nothing can fail after the commit."""
        with translate_sqlite_errors(self.path), transaction(self._db):
            yield
        self._tail_marker.write(*self._newest)

    def _create(self) -> None:
        file = self.path.resolve()
        if sibling(file, "-wal").exists() or sibling(file, TAIL_SUFFIX).exists():
            quarantine(self.path)  # left by another journal: SQLite would apply its log to this one
        journal_id = uuid.uuid4().hex
        try:
            create_journal(self.path, journal_id, origin_hash(journal_id))
        except OSError as error:
            raise JournalError(
                N("{path} can’t be created ({why}): choose another folder", path=self.path, why=error.strerror)
            ) from error

    def start_match(self, body: MatchStarted, names: Sequence[str | None]) -> int:
        """Write the first event of a match and return the match's number. ``names`` are the players' in seat order
        (None: forgotten); the event gets their keys, the table ``player`` the names."""
        with self._transaction():
            keys = assign_player_keys(self._db, names)
            return self._insert(None, body.model_copy(update={"players": keys})).match

    def start_tournament(self, body: TournamentStarted, names: Sequence[str]) -> int:
        """Write the first event of a tournament and return its number. ``names`` are the players' in seed order; the
        event gets their keys."""
        with self._transaction():
            keys = assign_player_keys(self._db, names)
            return self._insert(NO_MATCH, body.model_copy(update={"players": keys})).number

    def enter_player(self, tournament: int, name: str) -> Event:
        """Write that a player entered a tournament that has begun."""
        with self._transaction():
            key = assign_player_keys(self._db, [name])[1]
            return self._insert(NO_MATCH, TournamentPlayerEntered(tournament=tournament, player=key))

    def append(self, match: int, body: Body, evidence: Sequence[Evidence] = ()) -> Event:
        """Write one event; it is on the disk when this returns. Raises JournalError; nothing was written then."""
        with self._transaction():
            return self._insert(match, body, evidence)

    def copy_match(
        self,
        events: Sequence[Event],
        players: Sequence[str | None],
        origin: Mapping[str, ContinuedFrom | ImportedFrom],
        pieces: Mapping[int, Mapping[str, SaltedData]],
    ) -> dict[int, int]:
        """Copy a match from another journal with its time stamps, within the caller's transaction. ``origin`` is added
        to its first event's body; ``pieces`` is the evidence by old event number and name. A further event records
        what is missing of it, and the players without names. Returns the events' new numbers by the old ones."""
        keys = assign_player_keys(self._db, players)
        numbers: dict[int, int] = {}
        without: list[int] = []
        for event in events:
            body = renumber_references(event.body, numbers)
            if event is events[0]:
                body = body.model_copy(update={**origin, "players": keys, "tournament": None, "hall": None})
            data, named = pieces.get(event.number, {}), evidence_of(body)
            if not named.keys() <= data.keys():  # an event has all its images or none
                data = {}
            number = self._insert_rows(numbers.get(events[0].number), body, data, event.at).number
            numbers[event.number] = number
            without += [number] if named and not data else []
        nameless = tuple(keys[seat] for seat, name in enumerate(players, 1) if name is None)
        if without or nameless:
            body = Deleted(reason="not copied", events=tuple(without), players=nameless)
            self._insert_rows(NO_MATCH, body, {}, self._now())
        return numbers

    def _insert(self, match: int | None, body: Body, evidence: Sequence[Evidence] = ()) -> Event:
        salted = {piece.name: SaltedData(secrets.token_hex(SALT_BYTES), piece.data) for piece in evidence}
        if evidence:
            records = {
                piece.name: {
                    "media_type": piece.media_type,
                    "commitment": evidence_commitment(piece.name, piece.media_type, salted[piece.name]),
                }
                for piece in evidence
            }
            body = body.model_copy(update={"evidence": EVIDENCE_RECORDS.validate_python(records)})
        return self._insert_rows(match, body, salted, self._now())

    def _insert_rows(self, match: int | None, body: Body, data: Mapping[str, SaltedData], at: str) -> Event:
        """Insert an event and the evidence its body names; what ``data`` lacks is inserted as deleted."""
        event = insert_event(self._db, match, body, at)
        self._db.executemany(
            "INSERT INTO evidence VALUES (?, ?, ?, ?, ?, ?)",
            [
                (event.number, name, record.media_type, record.commitment, *data.get(name, (None, None)))
                for name, record in evidence_of(body).items()
            ],
        )
        self._newest = event.number, event.hash
        return event


def insert_event(db: sqlite3.Connection, match: int | None, body: Body, at: str) -> Event:
    """Insert an event after the newest, within the caller's transaction; ``match`` is None for one that starts a match.
    Raises sqlite3.Error."""
    newest = db.execute("SELECT number, hash FROM event ORDER BY number DESC LIMIT 1").fetchone()
    last, previous = newest or (0, origin_hash(db.execute("SELECT value FROM journal WHERE name = 'id'").fetchone()[0]))
    number, text = last + 1, encode_body(body)
    match = number if match is None else match
    new_hash = event_hash(number, match, at, body.kind, text, previous)
    db.execute(
        "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?)", (number, match, at, body.kind, text, previous, new_hash)
    )
    db.execute("UPDATE journal SET value = ? WHERE name = 'last_hash'", (new_hash,))
    return Event(number, match, at, body, previous, new_hash)


def match_started(events: Sequence[Event]) -> MatchStarted:
    """Return the body of a match's first event. Raises JournalError if that is another kind of event."""
    body = events[0].body
    if not isinstance(body, MatchStarted):
        raise JournalDamagedError(N("match {number} does not start with its first event", number=events[0].match))
    return body


def evidence_of(body: Body) -> Mapping[str, EvidenceRecord]:
    """Return the evidence that an event names."""
    return body.evidence if isinstance(body, Answered | Round) else {}


def renumber_references(body: Body, numbers: Mapping[int, int]) -> Body:
    """Return a body with the event numbers it refers to replaced by ``numbers``."""
    if not isinstance(body, Corrected | DisputeRejected):
        return body
    update: dict[str, object] = {"round": numbers.get(body.round, body.round)}
    if isinstance(body, Corrected):
        update["dropped"] = tuple(numbers.get(number, number) for number in body.dropped)
    return body.model_copy(update=update)
