"""``throwlock perft``: the move sequences of the board game, counted, to compare its rules with another program's."""

from collections.abc import Iterable
from typing import cast

import click

from errors import ThrowlockError
from rules.board.notation import NotationError, read_position, write_move
from rules.board.perft import Count
from rules.board.perft import divide as divided
from rules.board.perft import perft as counted
from rules.board.position import Lock, Rulings, Stuck, start


class PositionError(ThrowlockError, click.ClickException):
    """A position that can't be read, in one line."""

    exit_code = 2


@click.command()
@click.argument("depth", type=click.IntRange(min=0))
@click.option("--position", metavar="TEXT", help='Count from here instead of the set-up: "R0@-4,0 S1@0,0 to-move=0".')
@click.option(
    "--flags", type=click.IntRange(1, 2), default=1, show_default=True, help="How many flags a player must lose."
)
@click.option(
    "--lock",
    type=click.Choice(["all", "any"]),
    default="all",
    show_default=True,
    help="Which enemy Scissors a locked one must stay in touch with.",
)
@click.option(
    "--stuck",
    type=click.Choice(["pass", "loss"]),
    default="pass",
    show_default=True,
    help="What it means for a player to have no legal move.",
)
@click.option("--divide", is_flag=True, help="Also count for each first move: the move, its leaves, its ended games.")
def perft(depth: int, position: str | None, flags: int, lock: str, stuck: str, divide: bool) -> None:
    """Count the board game's move sequences of DEPTH plies: leaves, and the games that ended before.

    The board and its set-up are a reconstruction: the rule sheet's diagrams are lost.
    """
    rulings = Rulings(flags, cast(Lock, lock), cast(Stuck, stuck))
    try:
        root = start(rulings) if position is None else read_position(position, rulings)
    except NotationError as fault:
        raise PositionError(f"--position: {fault}") from None
    parts = divided(root, depth) if divide and depth else {}
    for move, count in parts.items():
        click.echo(f"{write_move(move, root.reach.board)} {count.leaves} {count.ended}")
    total = total_of(parts.values()) if parts else counted(root, depth)
    click.echo(f"leaves {total.leaves}")
    click.echo(f"ended {total.ended}")


def total_of(counts: Iterable[Count]) -> Count:
    """Counts added up."""
    leaves, ended = zip(*counts, strict=True)
    return Count(sum(leaves), sum(ended))
