"""``throwlock calculate``: the results of a round of Battle, as a table or as JSON."""

import json

import click

from rules.battle.calculator import CountError, RoundSummary, Tally, ThrowSummary, calculate_round, parse_count
from rules.throws import Throw
from throwlock.cli.options import UsageError

ALLOW_NEGATIVE_COUNTS = {"ignore_unknown_options": True}
"""Click settings that read -1 as a count, which then gets the error for a wrong count."""


@click.command(context_settings=ALLOW_NEGATIVE_COUNTS)
@click.argument("rock")
@click.argument("paper")
@click.argument("scissors")
@click.option("--inverted", is_flag=True, help="Reverse the direction: rock beats paper.")
@click.option("--count", is_flag=True, help="The larger group never loses; twice as many reverse the direction.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")
def calculate(rock: str, paper: str, scissors: str, inverted: bool, count: bool, as_json: bool) -> None:
    """Calculate a round of Battle.

    ROCK, PAPER and SCISSORS are the numbers of players with each throw, up to 94906266; the results are exact.
    """
    try:
        counts = {move: parse_count(move, text) for move, text in zip(Throw, (rock, paper, scissors), strict=True)}
    except CountError as error:
        raise UsageError(str(error)) from error
    summary = calculate_round(counts, inverted, count)
    click.echo(json.dumps(summary.as_json()) if as_json else round_table(summary))


def round_table(summary: RoundSummary) -> str:
    """Format a round as two tables: the battles of each move, and the result of each move against each."""
    on = [name for name, is_on in (("inverted", summary.inverted), ("count", summary.count)) if is_on]
    head = f"{summary.players:,} players, {summary.battles:,} battles" + (f", {' and '.join(on)}" if on else "")
    total = ["total", f"{summary.players:,}", *[""] * 4, *_numbers(summary.total), _signed(summary.total_score), ""]
    battles = [
        ["move", "players", "each wins", "loses", "ties", "score", "all win", "lose", "tie", "score", "round"],
        *(_table_row(line) for line in summary.by_throw),
        total,
    ]
    results = [
        ["", *(f"vs {move.value}" for move in Throw)],
        *([line.throw.value, *(outcome.result for outcome in line.against.values())] for line in summary.by_throw),
    ]
    return "\n".join([head, "", *_align(battles), "", *_align(results)])


def _table_row(line: ThrowSummary) -> list[str]:
    return [
        line.throw.value,
        f"{line.count:,}",
        *_numbers(line.per_player),
        "" if line.score is None else _signed(line.score),
        *_numbers(line.combined),
        _signed(line.combined_score),
        line.outcome.result if line.outcome else "nobody",
    ]


def _numbers(tally: Tally) -> list[str]:
    return [f"{number:,}" for number in (tally.wins, tally.losses, tally.ties)]


def _signed(score: int) -> str:
    """Format a change of the score: "+1,000", "0", "-1"."""
    return f"{score:+,}" if score else "0"


def _align(rows: list[list[str]]) -> list[str]:
    """Align the columns of ``rows``: the first to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        ).rstrip()
        for row in rows
    ]
