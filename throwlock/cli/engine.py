"""Commands for programs that play: ``throwlock engine`` and ``arena``."""

import contextlib
import json
import math
import signal
import sys
from collections.abc import Iterator, Sequence
from types import FrameType
from typing import BinaryIO, NoReturn, get_args

import click

from device.system.input_files import MAX_ENGINE_LINE_BYTES
from messages import shorten
from rules.engine import Game, Json, seats_to_json, typed_text
from throwlock.cli.options import (
    DEFAULT_SEATS,
    UsageError,
    option_option,
    plural,
    print_error,
    seats_option,
    set_up_game,
    show_progress,
    time_limit_option,
)
from throwlock.engine.arena import (
    ArenaGame,
    ArenaScore,
    Limits,
    ScoreEstimate,
    describe_faults,
    elo_difference,
    play_games,
)
from throwlock.engine.host import EngineHost, draw_seed, parse_seat_commands
from throwlock.engine.messages import Chance


@click.command()
@click.argument("game", required=False)
@seats_option
@option_option
@click.option(
    "--seed",
    type=click.IntRange(0),
    metavar="N",
    help="Random seed for what the engine draws in the first game.  [default: one drawn at random, which is reported]",
)
@click.option(
    "--chance",
    type=click.Choice(get_args(Chance)),
    default="engine",
    show_default=True,
    help="Who draws what is left to chance: the engine, from its seed, or the caller.",
)
@click.option(
    "--seat",
    "seat_commands",
    multiple=True,
    metavar="N=COMMAND",
    help="Have a program play seat N, over pipes of its own: a command, random or first. Can be repeated.",
)
@time_limit_option
def engine(
    game: str | None,
    seats: int,
    options: tuple[str, ...],
    seed: int | None,
    chance: Chance,
    seat_commands: tuple[str, ...],
    time_limit: float,
) -> None:
    """Play GAME, or what the caller asks for, on standard input and output, one JSON object per line.

    docs/engine.md describes the messages, and has a bot.
    """
    if sys.stdin is None:
        raise UsageError("standard input is closed: the engine reads answers from it, one JSON object per line")
    if game is None and (options or seed is not None or seats != DEFAULT_SEATS or chance != "engine"):
        raise UsageError(
            "--seats, --option, --seed and --chance are for GAME: name it, or give them with the command new"
        )
    first = set_up_game(game, seats, options) if game is not None else None
    if sys.stdout is None:
        raise UsageError("standard output is closed: the engine asks its questions there, one JSON object per line")
    host = EngineHost(write_line, parse_seat_commands(seat_commands), time_limit, print_error)
    sys.exit(host.run(read_lines(sys.stdin.buffer), first, seed, chance))


def write_line(line: str) -> None:
    """Write a line to the caller. Raises UsageError if nobody reads it any more."""
    try:
        print(line, flush=True)
    except OSError as error:
        with contextlib.suppress(OSError):
            sys.stdout.close()  # or Python tries again as it ends, and complains
        raise UsageError(f"standard output can't be written ({error.strerror}): nobody reads the engine") from None


def read_lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of ``stream``. Raises UsageError at a line of more than ``MAX_ENGINE_LINE_BYTES``."""
    while line := stream.readline(MAX_ENGINE_LINE_BYTES + 1):
        if len(line) > MAX_ENGINE_LINE_BYTES:
            raise UsageError(f"the input has a line of more than {MAX_ENGINE_LINE_BYTES >> 20} MiB: docs/engine.md")
        yield line


MOST_FAULTS = 10
"""Faults that are printed one by one."""
EXIT_INTERRUPTED = 130


@click.command()
@click.argument("engines", nargs=2, metavar="ENGINE1 ENGINE2")
@click.option("--game", default="classic", show_default=True, metavar="NAME", help="The game.")
@click.option("--games", type=click.IntRange(1), default=100, show_default=True, help="Number of games.")
@seats_option
@option_option
@click.option(
    "--seed",
    type=click.IntRange(0),
    metavar="N",
    help="Random seed for the games' seeds.  [default: one drawn at random, which is printed]",
)
@time_limit_option
@click.option(
    "--max-questions",
    type=click.IntRange(1),
    default=Limits.max_questions,
    show_default=True,
    help="A game that is not over after so many questions is a draw.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with every game.")
def arena(
    engines: tuple[str, str],
    game: str,
    games: int,
    seats: int,
    options: tuple[str, ...],
    seed: int | None,
    time_limit: float,
    max_questions: int,
    as_json: bool,
) -> None:
    """Have two engines play games against each other, and print the score with its 95% interval.

    An engine is a command that speaks the protocol of docs/engine.md, such as "python bot.py"; or random, which draws
    its answers; or first, which takes the first. They change sides after each game.
    """
    chosen = set_up_game(game, seats, options)
    seed = draw_seed() if seed is None else seed
    score = ArenaScore()
    was_interrupted = False
    try:
        with _interrupt_on_terminate(), show_progress("Playing", games) as add_steps:
            for played in play_games(chosen, engines, games, seed, Limits(time_limit, max_questions)):
                score.games.append(played)
                add_steps(1)
    except KeyboardInterrupt:
        was_interrupted = True
    if as_json:
        click.echo(json.dumps(score_to_json(chosen, engines, seed, score)))
    else:
        click.echo("\n".join(score_lines(chosen, engines, seed, score)))
    if was_interrupted:
        print_error(f"interrupted after {len(score.games)} of {games} games")
        sys.exit(EXIT_INTERRUPTED)


@contextlib.contextmanager
def _interrupt_on_terminate() -> Iterator[None]:
    """Make SIGTERM end the games as Ctrl-C does: with the engines, and with the score so far."""

    def interrupt(number: int, frame: FrameType | None) -> NoReturn:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def score_lines(game: Game, engines: Sequence[str], seed: int, score: ArenaScore) -> Iterator[str]:
    """Yield the score in words."""
    options = "".join(f", {name}={typed_text(value)}" for name, value in game.setup.options.items())
    yield f"{game.rules.name} for {game.setup.seats}{options}; seed {seed}"
    names = [f"{number} {shorten(engine)}" for number, engine in enumerate(engines, 1)]
    width = max(map(len, names))
    yield f"{'':{width}}  games  wins  draws  losses  faults  score"
    for index, name in enumerate(names):
        counts = [score.count(index, points) for points in (1, 0.5, 0)]
        estimate = score.estimate(index)
        share = f"{estimate.share:6.1%}" if estimate else "     -"
        yield (
            f"{name:{width}}  {len(score.games):5}  {counts[0]:4}  {counts[1]:5}  {counts[2]:6}  "
            f"{score.faults(index):6}  {share}"
        )
    if estimate := score.estimate(0):
        trials = plural(len(score.games), "game", "games")
        if score.trials != len(score.games):
            trials = f"{score.trials:g} pairs of games with the same draws"
        yield (
            f"Engine 1 scores {estimate.share:.1%} of the points, 95% interval {estimate.low:.1%} to "
            f"{estimate.high:.1%} (Wilson, {trials})"
        )
        difference, low, high = (elo_difference(share) for share in (estimate.share, estimate.low, estimate.high))
        yield f"Elo difference {difference:+.1f}, 95% interval {low:+.1f} to {high:+.1f}"
    yield from describe_faults(score.games, engines, MOST_FAULTS)


def score_to_json(game: Game, engines: Sequence[str], seed: int, score: ArenaScore) -> dict[str, Json]:
    """Return the score, and every game with the answers that the engine's command ``position`` takes."""
    return {
        "game": game.rules.name,
        "rules_version": game.rules.version,
        "seats": game.setup.seats,
        "options": dict(game.setup.options),
        "seed": seed,
        "engines": [
            {
                "command": engine,
                "wins": score.count(index, 1),
                "draws": score.count(index, 0.5),
                "losses": score.count(index, 0),
                "faults": score.faults(index),
                **_estimate_to_json(score.estimate(index)),
            }
            for index, engine in enumerate(engines)
        ],
        "interval": {"level": 0.95, "method": "Wilson", "trials": score.trials},
        "games": [_game_to_json(played) for played in score.games],
    }


def _estimate_to_json(estimate: ScoreEstimate | None) -> dict[str, Json]:
    """Return the score and the Elo difference, each with its interval; null where there is none, or it is infinite."""
    shares = [estimate.share, estimate.low, estimate.high] if estimate else [None] * 3
    elos = [None if share is None else elo_difference(share) for share in shares]
    finite = [elo if elo is not None and math.isfinite(elo) else None for elo in elos]
    return {"score": shares[0], "score_interval": shares[1:], "elo": finite[0], "elo_interval": finite[1:]}


def _game_to_json(played: ArenaGame) -> dict[str, Json]:
    return {
        "number": played.number,
        "seed": played.seed,
        "seats": [list(seats) for seats in played.seats],
        "points": [played.points, 1 - played.points],
        **(played.result.as_json() if played.result else {"result": None}),
        "faults": {str(index + 1): reason for index, reason in played.faults.items()},
        "position": [seats_to_json(answers) for answers in played.answers],
    }
