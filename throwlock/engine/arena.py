"""``throwlock arena``: two engines play a number of games, each game from both sides."""

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from messages import shorten
from rules.engine import Answers, Game, Result, Seat
from throwlock.engine.game import EngineGame
from throwlock.engine.messages import MAX_SEED, ResultMessage
from throwlock.engine.players import (
    MAX_QUESTIONS,
    Player,
    PlayerError,
    Program,
    ask_players,
    start_player,
    stopped_message,
)
from throwlock.journal.events import record_result

Z_95 = 1.959964
"""Quantile of the normal distribution for an interval of 95%."""


@dataclass(frozen=True)
class ScoreEstimate:
    """A share of the points, from 0 to 1, and its 95% interval."""

    share: float
    low: float
    high: float


def wilson_interval(share: float, trials: float) -> ScoreEstimate:
    """Return Wilson's score interval of ``share`` from a number of independent ``trials``.

    It stays within 0 and 1 and has a width after a clean sweep, where mean ± standard error has none. A trial that
    counts half, a draw, varies less than one that is won or lost, so with draws the interval is wider than it need be.
    Source: E. B. Wilson, Journal of the American Statistical Association 22 (1927), 209-212.
    """
    if not trials:
        return ScoreEstimate(share, 0.0, 1.0)
    z2 = Z_95**2 / trials
    middle = (share + z2 / 2) / (1 + z2)
    margin = Z_95 / (1 + z2) * math.sqrt(share * (1 - share) / trials + z2 / (4 * trials))
    low, high = middle - margin, middle + margin
    return ScoreEstimate(share, low if share > 0 else 0.0, high if share < 1 else 1.0)


def elo_difference(share: float) -> float:
    """Return by how many Elo points one who scores ``share`` is stronger; infinite at 0 and 1.

    The logistic curve that rating lists use: 400 points are odds of ten to one.
    """
    if share <= 0 or share >= 1:
        return math.inf if share >= 1 else -math.inf
    return 400 * math.log10(share / (1 - share))


@dataclass(frozen=True)
class Limits:
    """How long an engine may take for an answer, in s, and after how many questions a game is a draw."""

    time_limit_s: float = 10.0
    max_questions: int = MAX_QUESTIONS


@dataclass(frozen=True)
class ArenaGame:
    """A game that was played. Engines are numbered 0 and 1."""

    number: int
    """From 1."""
    seed: int
    """What the box drew from."""
    seats: tuple[tuple[Seat, ...], tuple[Seat, ...]]
    """Each engine's seats."""
    points: float
    """What engine 0 got: 1, a half or 0."""
    answers: tuple[Answers, ...]
    """What was answered to each prompt; with the seed they are the whole game."""
    has_drawn: bool
    """Whether the box has drawn anything."""
    result: Result | None
    """The game's result; None if it has none."""
    faults: Mapping[int, str]
    """What happened to the engines that could not play on."""


@dataclass
class ArenaScore:
    """The games so far, counted."""

    games: list[ArenaGame] = field(default_factory=list)

    def count(self, engine: int, points: float) -> int:
        """Return the number of games in which ``engine`` got ``points``."""
        return sum((game.points if engine == 0 else 1 - game.points) == points for game in self.games)

    def faults(self, engine: int) -> int:
        """Return the number of games that ``engine`` could not play to their end."""
        return sum(engine in game.faults for game in self.games)

    @property
    def trials(self) -> float:
        """The number of independent trials: games; or, if the box drew anything, pairs, whose games share the draws."""
        return len(self.games) / (2 if any(game.has_drawn for game in self.games) else 1)

    def estimate(self, engine: int) -> ScoreEstimate | None:
        """Return the share of the points that ``engine`` has got, with its interval; None before the first game."""
        if not self.games:
            return None
        points = sum(game.points if engine == 0 else 1 - game.points for game in self.games)
        return wilson_interval(points / len(self.games), self.trials)


def play_games(game: Game, engines: Sequence[str], count: int, seed: int, limits: Limits) -> Iterator[ArenaGame]:
    """Yield ``count`` games between two engines. They change sides after each; both games of a pair have the same seed.

    An engine is a command, or a built-in player's name; a command is started for each game. So nothing that it learns
    in the first game of a pair, where the same cards are dealt, is there in the second.

    Raises:
        PlayerError: An engine can't be started.
    """
    rng = random.Random(seed)
    game_seed = 0
    for number in range(1, count + 1):
        if number % 2:
            game_seed = rng.randint(0, MAX_SEED)
        yield play_arena_game(game, engines, number, game_seed, f"{seed}:{number}", limits)


def play_arena_game(
    game: Game, engines: Sequence[str], number: int, seed: int, players_seed: str, limits: Limits
) -> ArenaGame:
    """Play one game: in odd games, engine 0 has the odd seats. Raises PlayerError if an engine can't be started."""
    all_seats = range(1, game.setup.seats + 1)
    sides = tuple(all_seats[::2]), tuple(all_seats[1::2])
    seats = sides if number % 2 else sides[::-1]
    players: list[Player] = []
    engine_game = EngineGame(game, seed)
    faults: dict[int, PlayerError] = {}
    is_over = False
    try:
        for index, command in enumerate(engines):
            players.append(start_player(command, seats[index], f"{players_seed}:{index}"))
        faults = _play(engine_game, players, limits)
        is_over = True
    finally:
        for player in players:
            if is_over:
                player.close()
            elif isinstance(player, Program):
                player.kill()
    return ArenaGame(
        number,
        seed,
        seats,
        _points(engine_game.result, faults, seats),
        tuple(engine_game.answers),
        engine_game.has_drawn,
        engine_game.result,
        {index: str(fault) for index, fault in faults.items()},
    )


def _play(game: EngineGame, players: Sequence[Player], limits: Limits) -> dict[int, PlayerError]:
    """Play to the end, and return the faults of those who can't play on."""
    for player in players:
        player.send(game.describe(player.seats, seed_is_public=False))
    sent = 0
    while True:
        for player in players:
            for message in game.messages_for(player.seats, sent):
                player.send(message)
        sent = len(game.log)
        if game.result:
            for player in players:
                player.send(ResultMessage(result=record_result(game.result)))
            return {}
        if game.prompt is None or len(game.answers) >= limits.max_questions:
            _tell_stopped(players, {})
            return {}
        answers, faults = ask_players(players, game.prompt, limits.time_limit_s)
        if faults:
            _tell_stopped(players, faults)
            return {players.index(player): fault for player, fault in faults.items()}
        game.answer(answers)


def _tell_stopped(players: Sequence[Player], faults: Mapping[Player, PlayerError]) -> None:
    """Tell those who could play on that the game is over."""
    message = stopped_message(faults)
    for player in players:
        if player not in faults:
            player.send(message)


def _points(
    result: Result | None, faults: Mapping[int, PlayerError], seats: tuple[tuple[Seat, ...], tuple[Seat, ...]]
) -> float:
    """Return the points of engine 0: 1 if all winners are its own or the other could not play on, else a half or 0."""
    if faults:
        return 0.5 if len(faults) == 2 else float(1 in faults)
    if result is None or not result.winners:
        return 0.5
    own = sum(winner in seats[0] for winner in result.winners)
    return 1.0 if own == len(result.winners) else 0.0 if own == 0 else 0.5


def describe_faults(games: Sequence[ArenaGame], engines: Sequence[str], most: int) -> Iterator[str]:
    """Yield a line for each of the first ``most`` faults, and one for those left out."""
    lines = [
        f"game {game.number}: {index + 1} {shorten(engines[index])}: {reason}"
        for game in games
        for index, reason in sorted(game.faults.items())
    ]
    yield from lines[:most]
    if len(lines) > most:
        yield f"and {len(lines) - most} more"
