"""``throwlock engine``: a game on standard input and output, one JSON object per line, for bots, other user interfaces
and tests: what UCI is to chess programs. docs/engine.md describes the messages."""

import functools
import sys
from collections.abc import Iterator
from typing import BinaryIO, get_args

import click

from device.system.input_files import MAX_ENGINE_LINE_BYTES
from throwlock.cli.options import (
    DEFAULT_SEATS,
    UsageError,
    option_option,
    print_error,
    seats_option,
    set_up_game,
    time_limit_option,
)
from throwlock.engine.host import EngineHost, parse_seat_commands
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
    write = functools.partial(print, flush=True)
    host = EngineHost(write, parse_seat_commands(seat_commands), time_limit, print_error)
    sys.exit(host.run(read_lines(sys.stdin.buffer), first, seed, chance))


def read_lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of ``stream``. Raises UsageError at a line of more than ``MAX_ENGINE_LINE_BYTES``."""
    while line := stream.readline(MAX_ENGINE_LINE_BYTES + 1):
        if len(line) > MAX_ENGINE_LINE_BYTES:
            raise UsageError(f"the input has a line of more than {MAX_ENGINE_LINE_BYTES >> 20} MiB: docs/engine.md")
        yield line
