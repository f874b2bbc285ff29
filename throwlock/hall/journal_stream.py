"""A box's journal as the stream of events that it sends to its hall, while matches are played into it: up to the first
answer that is still sealed or secret. Not even its hash may go, since whoever has the hash finds the answer by trying
all there are."""

import logging
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from rules.engine import GameEvent, Seat
from rules.record.event import PairingId
from rules.record.match import REFEREE
from throwlock.hall.protocol import Picture, StreamEvent
from throwlock.journal.events import (
    Answered,
    Corrected,
    DisputeRejected,
    MatchAbandoned,
    MatchEnded,
    MatchStarted,
    RoundJudged,
    RoundVoided,
)
from throwlock.journal.file import is_new, sibling
from throwlock.journal.journal import NO_MATCH, Event, EventRow, JournalError, JournalReader
from throwlock.journal.tail_marker import TAIL_SUFFIX, read_tail_marker
from throwlock.replay.project import MatchFold

logger = logging.getLogger(__name__)

ValueT = TypeVar("ValueT")


@dataclass(frozen=True)
class _HeldAnswers:
    """Answers of an event that are not open yet."""

    seats: frozenset[Seat]
    """Whose answers they are."""
    opened_by: str
    """Which kind of a game's event opens them; "" if only the end of the match does."""


class SealTracker:
    """Follows a journal's events, and knows the first one that can't be sent yet.

    An answer is held until an event of the game opens it, or its match has ended, was abandoned, or another has begun,
    since nobody can go on with it then. The answers of a match that can't be replayed are all held."""

    def __init__(self) -> None:
        self._match: tuple[Event, Event] | None = None
        """The first and the last event of the match that was begun last."""
        self._fold: MatchFold | None = None
        self._held: dict[int, _HeldAnswers] = {}

    @property
    def first_held(self) -> int | None:
        """The number of the first event that can't be sent yet; None if all can."""
        return min(self._held, default=None)

    @property
    def match(self) -> str:
        """Number and game of the match that is being played, "12 classic"; "" if none is."""
        started = self._match[0].body if self._match else None
        if not self._match or not isinstance(started, MatchStarted):
            return ""
        is_over = isinstance(self._match[1].body, MatchEnded | MatchAbandoned)
        return "" if is_over else f"{self._match[0].match} {started.game}"

    def follow(self, event: Event) -> None:
        """Take the journal's next event."""
        if event.match == NO_MATCH:
            return
        if event.number == event.match:
            self._match, self._held, self._fold = (event, event), {}, MatchFold(event, REFEREE)
        elif self._match and self._fold and event.match == self._match[0].match:  # or else another has begun since
            self._match = self._match[0], event
            self._follow_match(event, self._fold)

    def _follow_match(self, event: Event, fold: MatchFold) -> None:
        prompt = fold.prompt
        fold.add(event)
        match event.body:
            case MatchEnded() | MatchAbandoned():
                self._held = {}
            case Answered(answers=answers) | RoundJudged(answers=answers):
                if prompt is None or prompt.opened_by is not None:
                    self._hold(event.number, answers, (prompt.opened_by or "") if prompt else "")
                self._open(fold.events_by_answer.get(event.number, ()), event.number)
            case RoundVoided(judgement=judgement):
                if prompt is None or prompt.is_secret:
                    self._hold(event.number, judgement.seats, "")
            case Corrected(round=number, dropped=dropped):
                for taken_back in {number, *dropped} & self._held.keys():
                    self._held[taken_back] = replace(self._held[taken_back], opened_by="")
                for answered, events in fold.events_by_answer.items():
                    self._open(events, answered)

    def _hold(self, number: int, seats: Mapping[Seat, object], opened_by: str) -> None:
        if seats:
            self._held[number] = _HeldAnswers(frozenset(seats), opened_by)

    def _open(self, events: Iterable[GameEvent], until: int) -> None:
        """Open the answers up to event ``until`` that events of the game open: those of the seats that an event has
        under its own name, if it has any seats there."""
        for event in events:
            if event.only is not None:
                continue
            by_seat = event.values.get(event.kind)
            opened = frozenset(by_seat) if isinstance(by_seat, Mapping) else None
            for number, held in list(self._held.items()):
                if number > until or held.opened_by != event.kind:
                    continue
                left = held.seats - opened if opened is not None else frozenset()
                self._held[number] = replace(held, seats=left)
                if not left:
                    del self._held[number]


class JournalStream:
    """The journal at ``path``, as it was at the last ``refresh``. It holds no file open and no lock, so that it is in
    nobody's way."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._files: object = None
        self._journal = ""
        self._last = 0
        self._seals = SealTracker()
        self._newest = 0, ""
        self._first_unsendable: int | None = None

    @property
    def journal(self) -> str:
        """The hash of the journal's id; "" while there is no journal."""
        return self._journal

    @property
    def newest(self) -> tuple[int, str]:
        """Number and hash of the newest event that may be sent; 0 and the journal if there is none."""
        return self._newest

    @property
    def match(self) -> str:
        """The match that is being played, "12 classic"; "" if none is."""
        return self._seals.match

    @property
    def is_holding(self) -> bool:
        """Whether something is not sent yet because it is sealed."""
        return self._newest[0] < self._last

    def refresh(self) -> bool:
        """Read what is new in the journal, if anything is. Return whether the stream may have grown. While the journal
        can't be read, the stream stays as it is: the box tells people why."""
        files = self._look()
        if files == self._files:
            return False
        try:
            if not self._path.exists() or is_new(self._path):
                return False
            with JournalReader(self._path) as reader:
                self._read_new(reader)
        except JournalError as error:
            logger.debug("the journal can't be read for the hall: %s", error)
            return False
        self._files = files
        return True

    def _look(self) -> object:
        """Return what differs after every commit: that takes some 50 µs, reading the journal after one 1.2 ms."""
        looks: list[object] = [read_tail_marker(self._path)]
        for suffix in ("", "-wal", TAIL_SUFFIX):
            try:
                status = sibling(self._path, suffix).stat()
            except OSError:
                looks.append(None)
            else:
                looks.append((status.st_ino, status.st_size, status.st_mtime_ns))
        return looks

    def _read_new(self, reader: JournalReader) -> None:
        journal = reader.origin_hash()
        if journal != self._journal:
            self._journal, self._seals, self._first_unsendable = journal, SealTracker(), None
            matches = reader.matches()
            self._last = matches[-1] - 1 if matches else 0  # nothing of the matches before it is held
        for row in reader.event_rows("WHERE number > ?", self._last):
            self._seals.follow(reader.parse_event(row))
            self._last = row.number
        first_left = min(
            number for number in (self._seals.first_held, self._first_unsendable, self._last + 1) if number
        )
        newest = reader.number_and_hash(first_left - 1)
        self._newest = newest if newest[0] else (0, journal)

    def hash_of(self, number: int) -> str | None:
        """Return the hash of an event of the journal, whether or not it may be sent; None if there is none."""
        if number == 0:
            return self._journal
        return self._read(lambda reader: reader.number_and_hash(number)[1] or None, None)

    def read(self, first: int, count: int) -> Sequence[StreamEvent]:
        """Return ``count`` events from number ``first`` on, or as many as may be sent."""
        last = min(first + count - 1, self._newest[0])
        between = "WHERE number BETWEEN ? AND ?"
        return self._read(lambda reader: self._to_stream_events(list(reader.event_rows(between, first, last))), [])

    def _to_stream_events(self, rows: Sequence[EventRow]) -> list[StreamEvent]:
        """Return events as they are sent, up to the first that is too large for the protocol: nothing after it can
        go."""
        events: list[StreamEvent] = []
        for row in rows:
            try:
                events.append(StreamEvent.model_validate(row, from_attributes=True))
            except ValidationError:
                logger.error("event %d can't be sent to the hall, nor anything after it", row.number)
                self._first_unsendable = row.number
                self._newest = (row.number - 1, row.previous_hash)
                break
        return events

    def results_after(self, number: int) -> int:
        """Return how many matches have ended after event ``number``."""
        ended = "WHERE number > ? AND kind = ?"
        return self._read(lambda reader: sum(1 for _ in reader.event_rows(ended, number, MatchEnded.kind)), 0)

    def ended_pairings(self) -> set[PairingId]:
        """Return the pairings whose matches have ended here."""
        return self._read(JournalReader.ended_pairings, set())

    def disputed_rounds(self, after: int, until: int) -> list[int]:
        """Return the numbers of the rounds that were disputed in the events after ``after``, up to ``until``."""
        disputed = "WHERE number > ? AND number <= ? AND kind IN (?, ?)"

        def read(reader: JournalReader) -> list[int]:
            rows = reader.event_rows(disputed, after, until, Corrected.kind, DisputeRejected.kind)
            bodies = [reader.parse_event(row).body for row in rows]
            return list(dict.fromkeys(body.round for body in bodies if isinstance(body, Corrected | DisputeRejected)))

        return self._read(read, [])

    def pictures(self, number: int) -> list[Picture]:
        """Return what is left of a round's evidence; nothing if that event is no round."""

        def read(reader: JournalReader) -> list[Picture]:
            event = reader.event(number)
            if event is None or event.round is None:
                return []
            data = reader.evidence_data([event])[number]
            return [
                Picture(
                    journal=self._journal,
                    event=number,
                    name=name,
                    media_type=record.media_type,
                    commitment=record.commitment,
                    salt=data[name].salt,
                    data=b64encode(data[name].data),
                )
                for name, record in event.round.evidence.items()
                if name in data
            ]

        return self._read(read, [])

    def _read(self, read: Callable[[JournalReader], ValueT], otherwise: ValueT) -> ValueT:
        """Return what ``read`` finds; ``otherwise`` if the journal can't be read, or another has taken its place, which
        the next ``refresh`` finds."""
        with suppress(JournalError), JournalReader(self._path) as reader:
            if self._journal and reader.origin_hash() == self._journal:
                return read(reader)
        return otherwise
