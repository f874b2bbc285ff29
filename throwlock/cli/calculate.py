"""The command ``calculate``: what a round of Battle comes to, from how many threw what, as a table or as JSON."""

import json

import click

from rules.battle.calculator import CountError, Line, Reckoning, Tally, read_count
from rules.battle.calculator import calculate as reckon
from rules.throws import Throw
from throwlock.cli.options import UsageError

COUNTS_ARE_NO_OPTIONS = {"ignore_unknown_options": True}
"""So that -1 is read as a count, which is refused in the words of one."""


@click.command(context_settings=COUNTS_ARE_NO_OPTIONS)
@click.argument("rock")
@click.argument("paper")
@click.argument("scissors")
@click.option("--inverted", is_flag=True, help="The usual direction is reversed: rock beats paper.")
@click.option("--count", is_flag=True, help="More players never lose; twice as many reverse the direction.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of a table.")
def calculate(rock: str, paper: str, scissors: str, inverted: bool, count: bool, as_json: bool) -> None:
    """What a round of Battle comes to when so many throw ROCK, PAPER and SCISSORS: exact, to 94906266 each."""
    try:
        counts = {move: read_count(move, text) for move, text in zip(Throw, (rock, paper, scissors), strict=True)}
    except CountError as fault:
        raise UsageError(str(fault)) from fault
    reckoning = reckon(counts, inverted, count)
    click.echo(json.dumps(reckoning.as_json()) if as_json else drawn(reckoning))


def drawn(reckoning: Reckoning) -> str:
    """A reckoning as two tables: the battles of each move, then the result of each move against each."""
    on = [name for name, is_on in (("inverted", reckoning.inverted), ("count", reckoning.count)) if is_on]
    head = f"{reckoning.players:,} players, {reckoning.battles:,} battles" + (f", {' and '.join(on)}" if on else "")
    total = ["total", f"{reckoning.players:,}", "", "", "", *_numbers(reckoning.total), ""]
    battles = [
        ["move", "players", "each wins", "loses", "ties", "all win", "lose", "tie", "round"],
        *(_row(line) for line in reckoning.lines),
        total,
    ]
    results = [
        ["", *(f"vs {move.value}" for move in Throw)],
        *([line.move.value, *(result.value for result in line.against.values())] for line in reckoning.lines),
    ]
    return "\n".join([head, "", *_aligned(battles), "", *_aligned(results)])


def _row(line: Line) -> list[str]:
    return [
        line.move.value,
        f"{line.count:,}",
        *_numbers(line.each),
        *_numbers(line.all),
        line.outcome.value if line.outcome else "nobody",
    ]


def _numbers(tally: Tally) -> list[str]:
    return [f"{number:,}" for number in (tally.wins, tally.losses, tally.ties)]


def _aligned(rows: list[list[str]]) -> list[str]:
    """The rows with their columns under each other, the first to the left and the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        ).rstrip()
        for row in rows
    ]
