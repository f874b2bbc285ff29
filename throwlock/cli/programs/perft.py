"""``throwlock perft``: count the board game's move sequences, to compare its rules with another program's."""

from typing import cast

import click

from rules.board.notation import NotationError, format_move, parse_position
from rules.board.perft import PerftCount
from rules.board.perft import divide as divided
from rules.board.perft import perft as counted
from rules.board.position import BoardVariant, LockRule, StuckRule, starting_position
from throwlock.cli.options import UsageError
from throwlock.cli.progress import show_progress


@click.command()
@click.argument("depth", type=click.IntRange(min=0))
@click.option(
    "--position",
    metavar="TEXT",
    help='Start from this position, such as "R0@-4,0 S1@0,0 to-move=0".  [default: the set-up]',
)
@click.option(
    "--flags", type=click.IntRange(1, 2), default=1, show_default=True, help="Number of flags a player must lose."
)
@click.option(
    "--lock",
    type=click.Choice(["all", "any"]),
    default="all",
    show_default=True,
    help="Which enemy Scissors a locked Scissors must stay in contact with.",
)
@click.option(
    "--stuck",
    type=click.Choice(["pass", "loss"]),
    default="pass",
    show_default=True,
    help="What happens to a player without a legal move.",
)
@click.option("--divide", is_flag=True, help="Also print each first move with its leaves and its ended games.")
def perft(depth: int, position: str | None, flags: int, lock: str, stuck: str, divide: bool) -> None:
    """Count the board game's move sequences of DEPTH plies: the leaves, and the games that ended earlier.

    The board and its set-up are a reconstruction: the rule sheet's diagrams are lost.
    """
    rulings = BoardVariant(flags, cast(LockRule, lock), cast(StuckRule, stuck))
    try:
        root = starting_position(rulings) if position is None else parse_position(position, rulings)
    except NotationError as fault:
        raise UsageError(f"--position: {fault}") from None
    with show_progress("Counting", len(root.legal_moves())) as add_steps:
        parts = divided(root, depth, lambda: add_steps(1)) if divide and depth else {}
        if parts:
            total = PerftCount(*map(sum, zip(*parts.values(), strict=True)))
        else:
            total = counted(root, depth, on_first_move=lambda: add_steps(1))
    for move, count in parts.items():
        click.echo(f"{format_move(move, root.tables.board)} {count.leaves} {count.ended}")
    click.echo(f"leaves {total.leaves}")
    click.echo(f"ended {total.ended}")
