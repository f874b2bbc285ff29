"""A simulated box's journal as the stream that it sends: over the connection that writes it.

The real box opens the journal anew whenever it has changed, so as to be in nobody's way
(``throwlock.hall.journal_stream``). That costs 1.5 ms, more than everything else a box does for an event, and with a
thousand boxes in one process would be what limits them."""

from collections.abc import Sequence

from throwlock.hall.protocol import StreamEvent
from throwlock.hall.sealing import SealTracker
from throwlock.journal.journal import Journal


class OpenJournalStream:
    """An EventStream of an open journal, as it was at the last ``refresh``."""

    def __init__(self, journal: Journal) -> None:
        self._reader = journal
        self._last = 0
        self._seals = SealTracker()
        self.journal = journal.origin_hash()
        self.newest = 0, self.journal
        self.refresh()

    def refresh(self) -> None:
        """Take what was committed since."""
        for row in self._reader.event_rows("WHERE number > ?", self._last):
            self._seals.follow(self._reader.parse_event(row))
            self._last = row.number
        held = self._seals.first_held
        newest = self._last if held is None else held - 1
        if newest != self.newest[0]:
            self.newest = self._reader.number_and_hash(newest) if newest else (0, self.journal)

    def hash_of(self, number: int) -> str | None:
        """See EventStream."""
        return self.journal if number == 0 else self._reader.number_and_hash(number)[1] or None

    def read(self, first: int, count: int) -> Sequence[StreamEvent]:
        """See EventStream."""
        last = min(first + count - 1, self.newest[0])
        rows = self._reader.event_rows("WHERE number BETWEEN ? AND ?", first, last)
        return [StreamEvent.model_validate(row._asdict()) for row in rows]
