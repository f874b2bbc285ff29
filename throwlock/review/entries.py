"""What the index keeps of one match, reckoned from its events: a line of the match, one of each player in it, one of
each seat of each thrown round. No names: players by their keys."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from rules.engine import Seat, Value
from rules.throws import Throw
from throwlock.journal.journal import Event, JournalError
from throwlock.match.corrections import course_in
from throwlock.review.timeline import (
    UNREADABLE,
    after_first_ms,
    corrected_in,
    disputes_in,
    readings,
    state_of,
    verdict_in,
)


class MatchEntry(NamedTuple):
    """A match. ``day`` is its local date as it began. ``throws`` are all hands that were timed, ``late`` and
    ``changed`` those of all with that verdict; ``would_have`` the rounds in which anybody would have gained by it."""

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
    would_have: int


class Sitting(NamedTuple):
    """A player in a match: ``won`` it, and the rounds they threw in with their fouls. ``key`` is None where nothing but
    the seat is kept of them."""

    match: int
    seat: Seat
    key: str | None
    won: bool
    rounds: int
    fouls: int


class Showing(NamedTuple):
    """A seat in a thrown round. ``throw`` is what counted. ``after_first_ms`` is None where the hand, or the first
    hand, was not timed, or there is no verdict on it. ``would_have``: whether it would have gained by
    what it showed after the lock (see the function)."""

    event: int
    seat: Seat
    match: int
    key: str | None
    at: str
    verdict: str
    foul: bool
    throw: str | None
    after_first_ms: float | None
    would_have: bool
    window_ms: float


@dataclass(frozen=True)
class Entries:
    """All that is kept of a match."""

    match: MatchEntry
    sittings: tuple[Sitting, ...]
    showings: tuple[Showing, ...]


def entries_of(events: Sequence[Event], keys: Sequence[str | None]) -> Entries:
    """The entries of a match; ``keys`` are its players' in seat order. Raises JournalError when it can't be read."""
    try:
        return _entries(events, keys)
    except UNREADABLE as error:
        raise JournalError(f"match {events[0].number} has an event that can't be read: {error!r}") from error


def _entries(events: Sequence[Event], keys: Sequence[str | None]) -> Entries:
    began, thrown = events[0], [event for event in events if "judgement" in event.body]
    disputes, course = disputes_in(events), course_in(events)
    showings = tuple(
        showing
        for event in thrown
        for showing in showings_of(event, disputes.get(event.number, ()), course.get(event.number, {}), keys)
    )
    winners = _winners(events)
    sittings = tuple(
        Sitting(began.number, seat, key, seat in winners, len(own), sum(one.foul for one in own))
        for seat, key in enumerate(keys, 1)
        for own in [[one for one in showings if one.seat == seat]]
    )
    match = MatchEntry(
        began.number,
        began.at,
        day_of(began.at),
        str(began.body["game"]),
        state_of(events),
        len(thrown),
        sum(one.fouls for one in sittings),
        sum(len(some) for some in disputes.values()),
        sum(one.after_first_ms is not None for one in showings),
        sum(one.verdict == "late" for one in showings),
        sum(one.verdict == "changed" for one in showings),
        len({one.event for one in showings if one.would_have}),
    )
    return Entries(match, sittings, showings)


def _winners(events: Sequence[Event]) -> Sequence[Seat]:
    """Who has won a match that is over."""
    ended = next((event for event in reversed(events) if event.kind == "ended"), None)
    return ended.body["result"]["winners"] if ended and state_of(events) == "over" else ()


def showings_of(
    thrown: Event, disputes: Sequence[Event], counted: Mapping[Seat, Value], keys: Sequence[str | None]
) -> Iterator[Showing]:
    """The seats of a round; ``disputes`` are its own, ``counted`` its throws that count."""
    judgement: Mapping[str, Any] = thrown.body["judgement"]
    corrected, later = corrected_in(disputes), would_have(thrown, disputes)
    for text, one in judgement["seats"].items():
        seat, throw = int(text), counted.get(int(text))
        yield Showing(
            event=thrown.number,
            seat=seat,
            match=thrown.match,
            key=keys[seat - 1],
            at=thrown.at,
            verdict=verdict_in(judgement, one),
            foul=seat in thrown.body.get("fouls", ()) and seat not in corrected,
            throw=None if throw is None else str(throw),
            after_first_ms=after_first_ms(judgement, one),
            would_have=seat in later,
            window_ms=judgement["window_ms"],
        )


def would_have(thrown: Event, disputes: Sequence[Event]) -> set[Seat]:
    """Who would have gained by what they showed after the lock.

    Of every seat whose hand was late or changed, and was not corrected, the throw in the lock frame and the one it
    came to afterwards are held against the lock-frame throws of all others (a late hand's among them; a corrected
    one's as corrected): it would have gained where the later one beats more of them. Others without a throw there
    are beaten by any. Nobody in a troubled round.
    """
    judgement: Mapping[str, Any] = thrown.body["judgement"]
    if judgement.get("trouble") is not None:
        return set()
    corrected, read = corrected_in(disputes), readings(thrown, disputes)
    at_lock = {
        int(seat): _throw(read[int(seat)] if int(seat) in corrected else one["at_lock"])
        for seat, one in judgement["seats"].items()
    }
    gained = set()
    for text, one in judgement["seats"].items():
        seat, after = int(text), _throw({"late": one["throw"], "changed": one["then"]}.get(one["verdict"]))
        others = [throw for other, throw in at_lock.items() if other != seat]
        if seat not in corrected and _beaten(after, others) > _beaten(at_lock[seat], others):
            gained.add(seat)
    return gained


def _beaten(throw: Throw | None, others: Sequence[Throw | None]) -> int:
    return 0 if throw is None else sum(throw.beats(other) for other in others)


def _throw(value: Value) -> Throw | None:
    return None if value is None else Throw(str(value))


def day_of(at: str) -> str:
    """The local date of a time in UTC, both ISO 8601."""
    return datetime.fromisoformat(at).astimezone().date().isoformat()
