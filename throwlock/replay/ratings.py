"""Ratings over evenings, computed from the matches of two in a journal and from nothing else.

A rating is a normal distribution of how strong a player is, after Weng and Lin, *A Bayesian Approximation Method for
Online Ranking* (2011), as openskill has it: everybody begins at 25 ± 16.7.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rules.record.tournament import TournamentCorrected, TournamentMatch, TournamentStarted
from rules.tournaments.fixture import FixtureId
from throwlock.journal.events import MatchEnded, MatchStarted
from throwlock.journal.journal import Event, JournalReader
from throwlock.journal.player_names import is_default_name
from ui.text.names import normalise_name

ERROR_SIGMAS = 2
"""Standard deviations in a rating's error: the true strength is within it in about 95 of 100 cases."""


@dataclass(frozen=True)
class MatchOfTwo:
    """A match that ended: the players' keys, and the keys of those who won it (both: drawn)."""

    players: tuple[str, str]
    winners: frozenset[str]


@dataclass(frozen=True)
class Rating:
    """A player's rating."""

    name: str
    strength: float
    """How strong they seem to be."""
    error: float
    """How far off that may be."""
    matches: int
    """From how many matches it is."""

    @property
    def floor(self) -> float:
        """The strength that is almost certain; players are ranked by it."""
        return self.strength - self.error


def read_ratings(reader: JournalReader) -> tuple[Rating, ...]:
    """Return everybody's rating, the best first. Players without a name have none. Raises JournalError."""
    kinds = (MatchStarted, MatchEnded, TournamentStarted, TournamentCorrected)
    names = {key: name for key, name in reader.players().items() if name and not is_default_name(name)}
    matches = matches_of_two(reader.events_of_kinds(*kinds))
    return rate([match for match in matches if names.keys() >= {*match.players}], names)


def matches_of_two(events: Iterable[Event]) -> list[MatchOfTwo]:
    """Return the matches of two that ended, in the order in which they began. What was corrected counts: a match that
    ended again after a dispute, and a tournament's result that had to be another."""
    started: dict[int, MatchStarted] = {}
    won: dict[int, frozenset[str]] = {}
    keys: dict[int, tuple[str, ...]] = {}
    of_fixture: dict[tuple[int, FixtureId], int] = {}
    for event in events:
        match event.body:
            case TournamentStarted():
                keys[event.number] = event.body.player_keys
            case MatchStarted(seats=2):
                started[event.match] = event.body
            case MatchEnded(result=result) if event.match in started:
                body = started[event.match]
                won[event.match] = frozenset(body.player_keys[seat - 1] for seat in result.winners)
                if isinstance(body.tournament, TournamentMatch):
                    of_fixture[body.tournament.tournament, body.tournament.fixture] = event.match
            case TournamentCorrected(tournament=number, fixture=fixture, winners=winners):
                corrected = of_fixture.get((number, fixture))
                if corrected is not None:
                    players = started[corrected].tournament
                    assert players is not None
                    seats = [players.players.index(winner) for winner in winners if winner in players.players]
                    won[corrected] = frozenset(started[corrected].player_keys[seat] for seat in seats)
    return [
        MatchOfTwo((start.player_keys[0], start.player_keys[1]), won[number])
        for number, start in started.items()
        if number in won
    ]


def rate(matches: Sequence[MatchOfTwo], names: Mapping[str, str]) -> tuple[Rating, ...]:
    """Return the ratings after ``matches``, the best first; ``names`` are the players' by key."""
    from openskill.models import PlackettLuce  # noqa: PLC0415 - only ratings need it

    model = PlackettLuce()
    ratings = {key: model.rating() for match in matches for key in match.players}
    counts = dict.fromkeys(ratings, 0)
    for match in matches:
        teams = [[ratings[key]] for key in match.players]
        ranks = [0.0 if key in match.winners else 1.0 for key in match.players]
        for key, (new,) in zip(match.players, model.rate(teams, ranks=ranks), strict=True):
            ratings[key] = new
            counts[key] += 1
    listed = [
        Rating(names[key], rating.mu, ERROR_SIGMAS * rating.sigma, counts[key]) for key, rating in ratings.items()
    ]
    return tuple(sorted(listed, key=lambda rating: -rating.floor))


def rank_names(names: Iterable[str], ratings: Iterable[Rating]) -> list[str]:
    """Return names in the order of their ratings, the best first; those without one come last, in their order."""
    places = {normalise_name(rating.name): rank for rank, rating in enumerate(ratings)}
    return sorted(names, key=lambda name: places.get(normalise_name(name), len(places)))
