"""A box's journal as the stream of events that it sends to its hall, while matches are played into it."""

import logging
from base64 import b64encode
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError
from typing_extensions import override

from rules.record.event import PairingId
from throwlock.hall.event_sender import EventStream
from throwlock.hall.protocol import Picture, StreamEvent
from throwlock.hall.sealing import SealTracker
from throwlock.journal.events import Corrected, DisputeRejected, MatchEnded
from throwlock.journal.file import is_new, sibling
from throwlock.journal.journal import EventRow, JournalError, JournalReader
from throwlock.journal.tail_marker import TAIL_SUFFIX, read_tail_marker

logger = logging.getLogger(__name__)

ValueT = TypeVar("ValueT")


class JournalStream(EventStream):
    """An EventStream of the journal at ``path``, as it was at the last ``refresh``. It holds no file open and no lock,
    so that it is in nobody's way."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._files: object = None
        self._journal = ""
        self._last = 0
        self._seals = SealTracker()
        self._newest = 0, ""
        self._first_unsendable: int | None = None

    @property
    @override
    def journal(self) -> str:
        return self._journal

    @property
    @override
    def newest(self) -> tuple[int, str]:
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
        found: list[object] = [read_tail_marker(self._path)]
        for suffix in ("", "-wal", TAIL_SUFFIX):
            try:
                status = sibling(self._path, suffix).stat()
            except OSError:
                found.append(None)
            else:
                found.append((status.st_ino, status.st_size, status.st_mtime_ns))
        return found

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

    @override
    def hash_of(self, number: int) -> str | None:
        if number == 0:
            return self._journal
        return self._read(lambda reader: reader.number_and_hash(number)[1] or None, None)

    @override
    def read(self, first: int, count: int) -> Sequence[StreamEvent]:
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
