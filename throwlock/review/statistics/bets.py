"""The bets of RPS Redeux that were opened, each with the points it was made of."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from rules.engine import Json, Seat
from rules.record.match import MatchView
from throwlock.journal.journal import Event, match_started
from throwlock.replay.project import project


class OpenedBet(NamedTuple):
    """A bet of ``bet`` points by somebody who had ``points``."""

    seat: Seat
    bet: int
    points: int


def opened_bets(events: Sequence[Event]) -> list[OpenedBet]:
    """Return the bets of a match that everybody saw, in order, as corrected; [] for other games, and for a match of
    another version of its rules, which can't be replayed."""
    if match_started(events).game != "redeux":
        return []
    view = project(events)
    return [] if view.problem else list(_bets_of(view))


def _bets_of(view: MatchView) -> Iterator[OpenedBet]:
    points: dict[Seat, int] = {}
    for step in view.steps:
        if step.prompt is not None and step.prompt.kind == "bet":
            points |= _by_seat(step.prompt.about["points"])
        for event in step.events:
            if event.kind == "bets":
                for seat, bet in _by_seat(event.facts["bets"]).items():
                    if bet:
                        yield OpenedBet(seat, bet, points[seat])


def _by_seat(fact: Json) -> dict[Seat, int]:
    return {int(seat): int(str(value)) for seat, value in fact.items()} if isinstance(fact, Mapping) else {}
