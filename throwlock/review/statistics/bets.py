"""The bets of RPS Redeux that were opened, each with the points it was made of."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rules.engine import Seat, by_seat
from rules.record.match import MatchView
from rules.redeux.events import BetsOpened
from throwlock.journal.journal import Event, match_started
from throwlock.replay.project import project


class OpenedBet(NamedTuple):
    """A bet that was opened."""

    seat: Seat
    bet: int
    """In points."""
    points: int
    """What the player had before."""


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
            points |= by_seat(step.prompt.about["points"])
        for event in step.events:
            if isinstance(event, BetsOpened):
                yield from (OpenedBet(seat, bet, points[seat]) for seat, bet in event.bets.items() if bet)
