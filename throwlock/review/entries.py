"""The index's entries of one match, computed from its events: one for the match, one per player, and one per seat of
each thrown round. Players are keys, not names."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rules.engine import Seat, Value
from rules.record.judgement import Verdict
from rules.throws import to_throw
from throwlock.journal.events import Answered, Corrected, DisputeRejected, MatchEnded, MatchStarted, Round
from throwlock.journal.journal import Event, match_started
from throwlock.replay.answers import effective_answers
from throwlock.replay.corrections import readings_after
from throwlock.review.statistics.outcomes import round_outcomes
from throwlock.review.timeline import corrected_seats, match_state
from ui.charts.statistics import ThrowOutcome
from ui.web.strings import local_date


class MatchEntry(NamedTuple):
    """A match. ``at`` is when it started, ``day`` the local date of that; ``played_until`` when its last answer was
    written, corrections aside; ``here`` is whether it was played at this box, not imported. ``throws`` counts the timed
    hands, ``late`` and ``changed`` all hands with that verdict, ``would_have_gained`` the rounds in which anybody would
    have gained by it."""

    number: int
    at: str
    day: str
    game: str
    state: str
    rounds: int
    fouls: int
    disputes: int
    throws: int
    late: int
    changed: int
    would_have_gained: int
    played_until: str
    here: bool


class MatchPlayerEntry(NamedTuple):
    """A player in a match, with the number of rounds they threw in and of their fouls. ``key`` is None once they are
    forgotten."""

    match: int
    seat: Seat
    key: str | None
    won: bool
    rounds: int
    fouls: int


class SeatThrowEntry(NamedTuple):
    """A seat in a thrown round. ``throw`` is what counted. ``after_first_ms`` is None when the hand or the first hand
    was not timed, or the seat has no verdict. ``would_have_gained``: see ``seats_that_would_have_gained``. ``outcome``:
    see ``round_outcomes``; ``is_hand`` is False for a card, ``on_time_ms`` when a hand showed that was on time, in ms
    after the cue."""

    event: int
    seat: Seat
    match: int
    key: str | None
    at: str
    verdict: str
    foul: bool
    throw: str | None
    after_first_ms: float | None
    would_have_gained: bool
    window_ms: float
    outcome: str | None
    is_hand: bool
    on_time_ms: float | None


@dataclass(frozen=True)
class IndexEntries:
    """All entries of a match."""

    match: MatchEntry
    players: tuple[MatchPlayerEntry, ...]
    throws: tuple[SeatThrowEntry, ...]


def index_entries(events: Sequence[Event], keys: Sequence[str]) -> IndexEntries:
    """Compute the entries of a match; ``keys`` are its players' in seat order. Raises JournalError when it can't be
    read."""
    started, counting, outcomes = events[0], effective_answers(events), round_outcomes(events)
    throws = tuple(
        entry
        for event in events
        if event.round
        for entry in _seat_throw_entries(
            event, event.round, events, counting.get(event.number, {}), outcomes.get(event.number, {}), keys
        )
    )
    ended = events[-1].body
    winners = ended.result.winners if isinstance(ended, MatchEnded) else ()
    rounds = {event.number for event in events if event.round}
    players = tuple(
        MatchPlayerEntry(started.number, seat, key, seat in winners, len(own), sum(one.foul for one in own))
        for seat, key in enumerate(keys, 1)
        for own in [[one for one in throws if one.seat == seat]]
    )
    match = MatchEntry(
        started.number,
        started.at,
        local_date(started.at),
        match_started(events).game,
        match_state(events),
        len({one.event for one in throws}),
        sum(one.fouls for one in players),
        sum(isinstance(event.body, Corrected | DisputeRejected) and event.body.round in rounds for event in events),
        sum(one.after_first_ms is not None for one in throws),
        sum(one.verdict == Verdict.LATE for one in throws),
        sum(one.verdict == Verdict.CHANGED for one in throws),
        len({one.event for one in throws if one.would_have_gained}),
        max(event.at for event in events if isinstance(event.body, MatchStarted | Answered | Round)),
        match_started(events).imported_from is None,
    )
    return IndexEntries(match, players, throws)


def _seat_throw_entries(
    event: Event,
    thrown: Round,
    events: Sequence[Event],
    counted: Mapping[Seat, Value],
    outcomes: Mapping[Seat, ThrowOutcome],
    keys: Sequence[str],
) -> Iterator[SeatThrowEntry]:
    """Yield the seats of a round; ``events`` are the match's, ``counted`` the throws that count, with their
    ``outcomes``."""
    judgement, corrected = thrown.judgement, corrected_seats(events, event.number)
    gained = seats_that_would_have_gained(thrown, events, event.number)
    for seat, record in judgement.seats.items():
        throw, verdict = counted.get(seat), judgement.displayed_verdict(seat)
        yield SeatThrowEntry(
            event=event.number,
            seat=seat,
            match=event.match,
            key=keys[seat - 1],
            at=event.at,
            verdict=verdict,
            foul=seat in thrown.fouls and seat not in corrected,
            throw=None if throw is None else str(throw),
            after_first_ms=judgement.after_first_ms(seat),
            would_have_gained=seat in gained,
            window_ms=judgement.window_ms,
            outcome=outcomes.get(seat),
            is_hand=record.card is None and thrown.prompt == "throw",
            on_time_ms=record.shown_ms if throw is not None and verdict == Verdict.ON_TIME else None,
        )


def seats_that_would_have_gained(thrown: Round, events: Sequence[Event], number: int) -> set[Seat]:
    """Return the seats that would have gained by being late in the round of event ``number``; see
    ``JudgementRecord.late_gains``."""
    read = readings_after(events, number).values
    return {*thrown.judgement.late_gains({seat: to_throw(read[seat]) for seat in corrected_seats(events, number)})}
