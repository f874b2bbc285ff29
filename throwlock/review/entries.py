"""The index's entries of one match, computed from its events: one for the match, one per player, and one per seat of
each thrown round. Players are keys, not names."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from rules.engine import Seat, Value
from rules.throws import Throw
from throwlock.journal.journal import Event, JournalError
from throwlock.match.corrections import effective_answers
from throwlock.review.timeline import (
    FINISHED,
    MALFORMED_EVENT_ERRORS,
    after_first_ms,
    corrected_seats,
    displayed_verdict,
    disputes_by_round,
    match_state,
    seat_readings,
)


class MatchEntry(NamedTuple):
    """A match. ``day`` is the local date of its start; ``throws`` counts the timed hands, ``late`` and ``changed`` all
    hands with that verdict, ``would_have_gained`` the rounds in which anybody would have gained by it."""

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
    was not timed, or the seat has no verdict. ``would_have_gained``: see ``seats_that_would_have_gained``."""

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


@dataclass(frozen=True)
class IndexEntries:
    """All entries of a match."""

    match: MatchEntry
    players: tuple[MatchPlayerEntry, ...]
    throws: tuple[SeatThrowEntry, ...]


def index_entries(events: Sequence[Event], keys: Sequence[str]) -> IndexEntries:
    """Compute the entries of a match; ``keys`` are its players' in seat order. Raises JournalError when it can't be
    read."""
    try:
        return _build_entries(events, keys)
    except MALFORMED_EVENT_ERRORS as error:
        raise JournalError(f"match {events[0].number} has an event that can't be read: {error!r}") from error


def _build_entries(events: Sequence[Event], keys: Sequence[str]) -> IndexEntries:
    started, thrown = events[0], [event for event in events if "judgement" in event.body]
    disputes, counting = disputes_by_round(events), effective_answers(events)
    throws = tuple(
        entry
        for event in thrown
        for entry in seat_throw_entries(event, disputes.get(event.number, ()), counting.get(event.number, {}), keys)
    )
    winners = _winners(events)
    players = tuple(
        MatchPlayerEntry(started.number, seat, key, seat in winners, len(own), sum(one.foul for one in own))
        for seat, key in enumerate(keys, 1)
        for own in [[one for one in throws if one.seat == seat]]
    )
    match = MatchEntry(
        started.number,
        started.at,
        local_date(started.at),
        str(started.body["game"]),
        match_state(events),
        len(thrown),
        sum(one.fouls for one in players),
        sum(len(some) for some in disputes.values()),
        sum(one.after_first_ms is not None for one in throws),
        sum(one.verdict == "late" for one in throws),
        sum(one.verdict == "changed" for one in throws),
        len({one.event for one in throws if one.would_have_gained}),
    )
    return IndexEntries(match, players, throws)


def _winners(events: Sequence[Event]) -> Sequence[Seat]:
    """Return the winners of a finished match."""
    ended = next((event for event in reversed(events) if event.kind == "ended"), None)
    return ended.body["result"]["winners"] if ended and match_state(events) == FINISHED else ()


def seat_throw_entries(
    thrown: Event, disputes: Sequence[Event], counted: Mapping[Seat, Value], keys: Sequence[str]
) -> Iterator[SeatThrowEntry]:
    """Yield the seats of a round; ``disputes`` are its own, ``counted`` the throws that count."""
    judgement: Mapping[str, Any] = thrown.body["judgement"]
    corrected, later = corrected_seats(disputes), seats_that_would_have_gained(thrown, disputes)
    for text, one in judgement["seats"].items():
        seat, throw = int(text), counted.get(int(text))
        yield SeatThrowEntry(
            event=thrown.number,
            seat=seat,
            match=thrown.match,
            key=keys[seat - 1],
            at=thrown.at,
            verdict=displayed_verdict(judgement, one),
            foul=seat in thrown.body.get("fouls", ()) and seat not in corrected,
            throw=None if throw is None else str(throw),
            after_first_ms=after_first_ms(judgement, one),
            would_have_gained=seat in later,
            window_ms=judgement["window_ms"],
        )


def seats_that_would_have_gained(thrown: Event, disputes: Sequence[Event]) -> set[Seat]:
    """Return the seats that would have gained by what they showed after the lock.

    For every late or changed hand that was not corrected, its throw in the lock frame and its later one are compared
    with the lock-frame throws of all others (late hands included; corrected ones as corrected): it would have gained if
    the later throw beats more of them. Any throw beats a missing one. Nobody gains in a round that could not be judged.
    """
    judgement: Mapping[str, Any] = thrown.body["judgement"]
    if judgement.get("void_reason") is not None:
        return set()
    corrected, read = corrected_seats(disputes), seat_readings(thrown, disputes)
    at_lock = {
        int(seat): _throw(read[int(seat)] if int(seat) in corrected else one["at_lock"])
        for seat, one in judgement["seats"].items()
    }
    gained = set()
    for text, one in judgement["seats"].items():
        seat, after = int(text), _throw({"late": one["throw"], "changed": one["after_lock"]}.get(one["verdict"]))
        others = [throw for other, throw in at_lock.items() if other != seat]
        if seat not in corrected and _count_beaten(after, others) > _count_beaten(at_lock[seat], others):
            gained.add(seat)
    return gained


def _count_beaten(throw: Throw | None, others: Sequence[Throw | None]) -> int:
    return 0 if throw is None else sum(throw.beats(other) for other in others)


def _throw(value: Value) -> Throw | None:
    return None if value is None else Throw(str(value))


def local_date(at: str) -> str:
    """Return the local date of a time in UTC, both ISO 8601."""
    return datetime.fromisoformat(at).astimezone().date().isoformat()
