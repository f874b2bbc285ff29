"""The awards of an evening: the matches since the last break of more than ``EVENING_GAP``. docs/statistics.md defines
each award. An award goes to whoever the figures name, to all of them if they are equal, and to nobody with too few."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from typing import NamedTuple, TypeVar

from messages import N, ngettext_lazy
from rules.engine import Seat, by_seat
from rules.events import BetsOpened
from rules.record.match import MatchView
from rules.record.seat_entry import SeatEntry
from throwlock.journal.journal import Event
from throwlock.replay.project import project
from throwlock.review.statistics.predictability import MIN_PREDICTED_THROWS
from throwlock.review.statistics.throws import MIN_TIMED_THROWS, measure_throws
from ui.charts.statistics import Award, AwardKind, ThrowStatistics
from ui.text.statistics import percent

EVENING_GAP = timedelta(hours=4)
"""A longer break between two matches separates evenings."""
CLOCK_TOLERANCE = timedelta(minutes=1)
"""A match may seem to begin so long before the end of the one before, if the clock is corrected in between."""
MIN_CONTENDERS = 2
"""Fewest players with enough throws for an award that compares them."""
MIN_STREAK = 3
MIN_BETS = 5
"""Fewest bets of the evening, of all players together."""
MIN_FAIR_ROUNDS = 10
MIN_OFFERED_MATCHES = 3
"""Matches of an evening from which on its awards are offered after a match."""

FigureT = TypeVar("FigureT", int, Fraction, tuple[Fraction, int])


class OpenedBet(NamedTuple):
    """A bet that was opened."""

    seat: Seat
    bet: int
    """In points."""
    points: int
    """What the player had before."""


def opened_bets(events: Sequence[Event]) -> list[OpenedBet]:
    """Return the bets of a match that everybody saw, in order, as corrected; [] for a match of another version
    of its rules, which can't be replayed."""
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


@dataclass(frozen=True)
class PlayerEvening:
    """A player's evening."""

    name: str
    rounds: Sequence[SeatEntry]
    """Those that counted."""
    fouls: int = 0
    """How often they fouled."""
    bets: Sequence[OpenedBet] = ()
    """The bets they opened."""


def is_same_evening(played_until: str, began_at: str) -> bool:
    """Return whether a match that began at ``began_at`` is of the same evening as the one before, which was played
    until ``played_until`` (ISO 8601 in UTC). Where the clock went back, nobody knows: it is not."""
    gap = datetime.fromisoformat(began_at) - datetime.fromisoformat(played_until)
    return -CLOCK_TOLERANCE <= gap <= EVENING_GAP


def choose_awards(players: Sequence[PlayerEvening]) -> tuple[Award, ...]:
    """Return all awards, in the order of ``AwardKind``."""
    figures = {player.name: measure_throws(player.rounds) for player in players}
    makers = {
        AwardKind.QUICKEST: lambda: _quickest(figures),
        AwardKind.STEADIEST: lambda: _steadiest(figures),
        AwardKind.LONGEST_STREAK: lambda: _longest_streak(figures),
        AwardKind.BOLDEST_BET: lambda: _boldest_bet(players),
        AwardKind.HARDEST_TO_GUESS: lambda: _hardest_to_guess(figures),
        AwardKind.MOST_PREDICTABLE: lambda: _most_predictable(figures),
        AwardKind.FAIREST: lambda: _fairest(players),
    }
    return tuple(Award(kind, *makers[kind]()) for kind in AwardKind)


NamesAndDetail = tuple[tuple[str, ...], str]


def _winners(figures: Mapping[str, FigureT]) -> tuple[str, ...]:
    return tuple(name for name, figure in figures.items() if figure == max(figures.values()))


def _quickest(figures: Mapping[str, ThrowStatistics]) -> NamesAndDetail:
    medians = {name: -round(measured.reaction.median_ms) for name, measured in figures.items() if measured.reaction}
    if len(medians) < MIN_CONTENDERS:
        return (), N("takes two players with {count} throws on time each", count=MIN_TIMED_THROWS)
    median = -max(medians.values())
    return _winners(medians), N("usually {median} ms after the cue", median=median)


def _steadiest(figures: Mapping[str, ThrowStatistics]) -> NamesAndDetail:
    spreads = {name: -round(measured.reaction.spread_ms) for name, measured in figures.items() if measured.reaction}
    if len(spreads) < MIN_CONTENDERS:
        return (), N("takes two players with {count} throws on time each", count=MIN_TIMED_THROWS)
    return _winners(spreads), N("half of the throws within {spread} ms", spread=-max(spreads.values()))


def _longest_streak(figures: Mapping[str, ThrowStatistics]) -> NamesAndDetail:
    streaks = {name: measured.longest_win_streak for name, measured in figures.items()}
    longest = max(streaks.values(), default=0)
    if longest < MIN_STREAK:
        return (), N("takes {count} rounds won in a row", count=MIN_STREAK)
    return _winners(streaks), ngettext_lazy("{count} round won", "{count} rounds won in a row", longest)


def _boldest_bet(players: Sequence[PlayerEvening]) -> NamesAndDetail:
    """The bet with the largest share of somebody's points; of equal shares, the most points."""
    if sum(len(player.bets) for player in players) < MIN_BETS:
        return (), N("takes {count} bets in RPS Redeux", count=MIN_BETS)
    boldest = {
        player.name: max((Fraction(bet, points), bet) for _, bet, points in player.bets)
        for player in players
        if player.bets
    }
    share, bet = max(boldest.values())
    return _winners(boldest), N("bet {bet} of {points} points", bet=bet, points=round(bet / share))


def _hardest_to_guess(figures: Mapping[str, ThrowStatistics]) -> NamesAndDetail:
    measured = {name: throws.predictability for name, throws in figures.items() if throws.predictability}
    if len(measured) < MIN_CONTENDERS:
        return (), N("takes two players with {count} throws each", count=MIN_PREDICTED_THROWS)
    rates = {
        name: -Fraction(measure.hits, measure.guesses)
        for name, measure in measured.items()
        if not measure.is_predictable
    }
    if not rates:
        return (), N("takes throws without a pattern")
    return _winners(rates), _guess_detail(-max(rates.values()))


def _most_predictable(figures: Mapping[str, ThrowStatistics]) -> NamesAndDetail:
    measured = {name: throws.predictability for name, throws in figures.items() if throws.predictability}
    if not measured:
        return (), N("takes a player with {count} throws", count=MIN_PREDICTED_THROWS)
    rates = {
        name: Fraction(measure.hits, measure.guesses) for name, measure in measured.items() if measure.is_predictable
    }
    if not rates:
        return (), N("nobody: no throws with a pattern")
    return _winners(rates), _guess_detail(max(rates.values()))


def _guess_detail(rate: Fraction) -> str:
    return N("{share} % of the throws guessed right", share=percent(float(rate)))


def _fairest(players: Sequence[PlayerEvening]) -> NamesAndDetail:
    fair = {
        player.name: len(player.rounds)
        for player in players
        if not player.fouls and len(player.rounds) >= MIN_FAIR_ROUNDS
    }
    if not fair:
        return (), N("takes {count} rounds without a foul", count=MIN_FAIR_ROUNDS)
    most = max(fair.values())
    return _winners(fair), ngettext_lazy("{count} round without a foul", "{count} rounds without a foul", most)
