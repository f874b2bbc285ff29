"""The configuration of a match, as its first event has it."""

from collections.abc import Sequence
from dataclasses import dataclass

from messages import N
from rules.catalogue import find_game
from rules.engine import Game, IllegalSetupError
from rules.record.tournament import TournamentMatch
from throwlock.house_rules import HouseRules
from throwlock.journal.events import HallMatch, MatchStarted
from throwlock.journal.journal import Event, JournalError, match_started


@dataclass(frozen=True)
class MatchConfig:
    """The configuration of a match: the game, the players' names in seat order, the house rules, the random seed of its
    simulated players, the camera's name, and the scenarios simulated players act out."""

    game: Game
    names: tuple[str, ...]
    house_rules: HouseRules
    seed: int = 0
    camera: str = ""
    scenarios: tuple[str, ...] = ()
    tournament: TournamentMatch | None = None
    """The fixture of a tournament that the match is."""
    hall: HallMatch | None = None
    """The pairing of a hall that the match is played for."""

    def start_event(self) -> MatchStarted:
        """Return the match's first event, as ``Journal.start_match`` takes it: without the players."""
        rules, setup = self.game.rules, self.game.setup
        return MatchStarted(
            game=rules.name,
            rules_version=rules.version,
            seats=setup.seats,
            options=dict(setup.options),
            house_rules=self.house_rules,
            seed=self.seed,
            camera=self.camera,
            scenarios=self.scenarios,
            tournament=self.tournament,
            hall=self.hall,
        )


def config_from_events(events: Sequence[Event]) -> MatchConfig:
    """Read a match's configuration from its first event. Raises JournalError if this version can't play the match."""
    first, body = events[0], match_started(events)
    try:
        rules = find_game(body.game)
        game = rules.set_up(body.seats, body.options)
    except IllegalSetupError as error:
        raise JournalError(N("match {number} can’t be read: {why}", number=first.number, why=error.text)) from error
    if rules.version != body.rules_version:
        raise JournalError(
            N(
                "match {number} was played by version {played} of the rules of {game}; this Throwlock has version "
                "{current}",
                number=first.number,
                played=body.rules_version,
                game=rules.name,
                current=rules.version,
            )
        )
    return MatchConfig(
        game, first.names, body.house_rules, body.seed, body.camera, body.scenarios, body.tournament, body.hall
    )
