"""What can happen in a tournament, one step after the other."""

from collections.abc import Callable, Iterable, Mapping

from rules.tournaments.fixture import FixtureId, TournamentSetup
from rules.tournaments.tournament import NO_SCORES, Tournament

Step = Callable[[Tournament], None]

entered: Step = Tournament.enter


def fixture_id(name: str | FixtureId) -> FixtureId:
    return FixtureId.parse(name) if isinstance(name, str) else name


def withdrawn(player: int) -> Step:
    return lambda tournament: tournament.withdraw(player)


def drawn(key: str, draw: tuple[tuple[int, ...], ...]) -> Step:
    return lambda tournament: tournament.keep_draw(key, draw)


def started(fixture: str | FixtureId) -> Step:
    return lambda tournament: tournament.start(fixture_id(fixture))


def ended(fixture: str | FixtureId, winners: tuple[int, ...], scores: Mapping[int, int] = NO_SCORES) -> Step:
    return lambda tournament: tournament.end(fixture_id(fixture), winners, scores)


def corrected(fixture: str | FixtureId, winners: tuple[int, ...], scores: Mapping[int, int] = NO_SCORES) -> Step:
    return lambda tournament: tournament.correct(fixture_id(fixture), winners, scores)


def absent(fixture: str | FixtureId, player: int) -> Step:
    return lambda tournament: tournament.note_absent(fixture_id(fixture), player)


def play_through(setup: TournamentSetup, steps: Iterable[Step]) -> Tournament:
    """Return the tournament after these steps."""
    tournament = Tournament(setup)
    for step in steps:
        step(tournament)
    return tournament
