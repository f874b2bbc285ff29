"""The index's entries of one match, computed from its events: one for the match, one per player, and one per seat of
each thrown round. Players are keys, not names."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from rules.engine import Seat
from rules.record.judgement import Verdict
from rules.record.match import REFEREE
from rules.record.round import PlayerLink
from rules.record.seat_entry import SeatEntry, seat_entry
from rules.throws import Outcome, to_throw
from throwlock.journal.events import Answered, MatchEnded, MatchStarted, Round
from throwlock.journal.journal import Event, JournalReader, match_started
from throwlock.replay.project import project
from ui.text import verdicts
from ui.text.names import normalise_name
from ui.web.strings import local_date


class PlayerDirectory:
    """A journal's players: ``names`` by key, and ``forgotten_keys``."""

    def __init__(self, journal: JournalReader) -> None:
        self._journal = journal
        players = journal.players()
        self.names = {key: name for key, name in players.items() if name is not None}
        self.forgotten_keys = tuple(key for key, name in players.items() if name is None)

    def link(self, key: str) -> PlayerLink:
        """Return the link to a player with a name."""
        return PlayerLink(key, self.names[key])

    def link_for_seat(self, key: str | None, seat: int) -> PlayerLink:
        """Return the player of a seat, with or without a name."""
        return self.link(key) if key in self.names else PlayerLink(None, verdicts.default_name(seat))

    def links(self, started: Event) -> tuple[PlayerLink, ...]:
        """Return a match's players in seat order."""
        keys = match_started([started]).player_keys
        names = started.names or tuple(map(verdicts.default_name, range(1, len(keys) + 1)))
        return tuple(
            PlayerLink(key if key in self.names else None, name) for key, name in zip(keys, names, strict=True)
        )

    def links_from_keys(self, match: int, keys: Sequence[str | None]) -> tuple[PlayerLink, ...]:
        """Return a match's players by their keys; from its first event when a key is missing or names are equal."""
        known = tuple(self.link(key) for key in keys if key is not None and key in self.names)
        if len({normalise_name(player.name) for player in known}) == len(keys):
            return known
        started = self._journal.event(match)
        return () if started is None else self.links(started)


class MatchEntry(NamedTuple):
    """A match in the index of the review pages."""

    number: int
    at: str
    """When it started."""
    day: str
    """The local date of its start."""
    game: str
    state: str
    rounds: int
    fouls: int
    disputes: int
    throws: int
    """Timed hands."""
    late: int
    """All hands with that verdict."""
    changed: int
    """All hands with that verdict."""
    would_have_gained: int
    """Rounds in which anybody would have gained by a late or changed hand."""
    played_until: str
    """When its last answer was written, corrections aside."""
    here: bool
    """Whether it was played at this box, not imported."""


class MatchPlayerEntry(NamedTuple):
    """A player in a match."""

    match: int
    seat: Seat
    key: str | None
    """None once the player is forgotten."""
    won: bool
    rounds: int
    """Rounds in which they threw."""
    fouls: int
    """How often they fouled."""


THROW_COLUMNS = (
    *("event", "seat", "match", "key", "at", "verdict", "foul", "throw", "after_first_ms", "would_have_gained"),
    *("window_ms", "outcome", "is_hand", "on_time_ms"),
)
"""A SeatEntry, field by field, with its player's key."""


@dataclass(frozen=True)
class IndexEntries:
    """All entries of a match."""

    match: MatchEntry
    players: tuple[MatchPlayerEntry, ...]
    throws: tuple[tuple[object, ...], ...]
    """Rows of ``THROW_COLUMNS``."""


def index_entries(events: Sequence[Event], keys: Sequence[str]) -> IndexEntries:
    """Compute the entries of a match; ``keys`` are its players' in seat order. Raises JournalError when it can't be
    read."""
    view, started, ended = project(events, REFEREE), match_started(events), events[-1].body
    seats = [(line, seat) for line in view.rounds for seat in line.seats]
    winners = ended.result.winners if isinstance(ended, MatchEnded) else ()
    thrown = Counter(seat.seat for _, seat in seats)
    fouls = Counter(seat.seat for _, seat in seats if seat.is_foul)
    verdicts = Counter(seat.verdict for _, seat in seats)
    match = MatchEntry(
        view.number,
        view.at,
        local_date(view.at),
        started.game,
        view.state,
        len(view.rounds),
        fouls.total(),
        sum(len(line.disputes) for line in view.rounds),
        sum(seat.after_first_ms is not None for _, seat in seats),
        verdicts[Verdict.LATE],
        verdicts[Verdict.CHANGED],
        sum(bool(line.late_gains) for line in view.rounds),
        max(event.at for event in events if isinstance(event.body, MatchStarted | Answered | Round)),
        started.imported_from is None,
    )
    return IndexEntries(
        match,
        tuple(
            MatchPlayerEntry(view.number, seat, key, seat in winners, thrown[seat], fouls[seat])
            for seat, key in enumerate(keys, 1)
        ),
        tuple(_throw_row(seat_entry(view.number, line, seat), keys[seat.seat - 1]) for line, seat in seats),
    )


def _throw_row(entry: SeatEntry, key: str) -> tuple[object, ...]:
    """Return the row of an entry, in the order of ``THROW_COLUMNS``."""
    return (
        *(entry.event, entry.seat, entry.match, key, entry.at, entry.verdict, entry.is_foul, entry.throw),
        *(entry.after_first_ms, entry.would_have_gained, entry.window_ms, entry.outcome, entry.is_hand),
        entry.on_time_ms,
    )


def read_throw_row(row: Sequence[Any], players: PlayerDirectory) -> SeatEntry:
    """Return the entry of a row, with its player's name."""
    event, seat, match, key, at, verdict, foul, throw, after, gained, window, outcome, is_hand, on_time = row
    return SeatEntry(
        event=event,
        seat=seat,
        match=match,
        player=players.link_for_seat(key, seat),
        at=at,
        verdict=verdict,
        is_foul=bool(foul),
        throw=to_throw(throw),
        after_first_ms=after,
        would_have_gained=bool(gained),
        window_ms=window,
        outcome=outcome and Outcome(outcome),
        is_hand=bool(is_hand),
        on_time_ms=on_time,
    )
