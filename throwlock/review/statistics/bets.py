"""The bets of RPS Redeux that were opened, each with the points it was made of."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from rules.engine import IllegalAnswerError, Json, Play, Seat
from throwlock.journal.journal import Event, JournalError, match_started
from throwlock.replay.answers import effective_answers
from throwlock.replay.config import config_from_events


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
    try:
        return list(_replay_bets(events))
    except (JournalError, IllegalAnswerError):
        return []


def _replay_bets(events: Sequence[Event]) -> Iterator[OpenedBet]:
    play = Play(config_from_events(events).game)
    points: dict[Seat, int] = {}
    for answers in effective_answers(events).values():
        if play.prompt is not None and play.prompt.kind == "bet":
            points |= _by_seat(play.prompt.about["points"])
        for told in play.answer(answers):
            if told.kind == "bets":
                for seat, bet in _by_seat(told.facts["bets"]).items():
                    if bet:
                        yield OpenedBet(seat, bet, points[seat])


def _by_seat(fact: Json) -> dict[Seat, int]:
    return {int(seat): int(str(value)) for seat, value in fact.items()} if isinstance(fact, Mapping) else {}
