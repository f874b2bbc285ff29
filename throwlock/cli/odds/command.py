"""``throwlock odds``: the exact odds of a roll of t|r, as a table, as JSON and as a chart."""

import json
from fractions import Fraction
from pathlib import Path

import click

from rules.engine import quote
from rules.tr.odds import Odds, compute_odds
from rules.tr.roll import IllegalRollError, Roll
from throwlock.cli.options import UsageError


@click.command(
    "odds", context_settings={"ignore_unknown_options": True}
)  # a roll that begins with - gets its own error
@click.argument("roll", metavar="T|R-D")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--picture",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write a chart of the odds; FILE ends in .png or .svg.",
)
def odds_command(roll: str, as_json: bool, picture: Path | None) -> None:
    """Print the exact odds of a roll of t|r: T throws, R rethrows, difficulty D.

    Quote the roll, as in "3|2-2". R and D default to 0.
    """
    if roll.startswith("--"):
        raise click.NoSuchOption(roll, possibilities=["--json", "--picture"])
    try:
        read = Roll.parse(roll)
    except IllegalRollError as fault:
        raise UsageError(f"{quote(roll)} is not a roll: {fault}") from None
    chances = compute_odds(read)
    if picture is not None:
        from throwlock.cli.odds.chart import write_chart  # noqa: PLC0415 - only a chart needs matplotlib

        write_chart(picture, read, chances)
    click.echo(json.dumps(odds_json(read, chances)) if as_json else odds_table(read, chances))


def odds_table(roll: Roll, chances: Odds) -> str:
    """Return the odds as text: a line for each outcome, with the degrees of failure and success below theirs."""
    rows: list[tuple[str, Fraction]] = []
    for outcome, chance in chances.outcomes().items():
        rows.append((outcome, chance))
        rows += [(f"  degree {degree}", part) for degree, part in degrees_of(outcome, chances).items()]
    wide = max(len(name) for name, _ in rows)
    lines = [f"{name:<{wide}}  {as_percent(chance):>9}  {as_fraction(chance)}" for name, chance in rows]
    return "\n".join([f"{roll}: {roll_in_words(roll)}", *lines])


def odds_json(roll: Roll, chances: Odds) -> dict[str, object]:
    """Return the odds by outcome and by degree, each exact (``"fraction": "7/27"``) and as a float from 0 to 1."""
    return {
        "roll": str(roll),
        "throws": roll.throws,
        "rethrows": roll.rethrows,
        "difficulty": roll.difficulty,
        "outcomes": {outcome: _chance(chance) for outcome, chance in chances.outcomes().items()},
        "degrees": {str(degree): _chance(chance) for degree, chance in chances.degrees.items()},
    }


def _chance(chance: Fraction) -> dict[str, object]:
    return {"fraction": as_fraction(chance), "chance": float(chance)}


def degrees_of(outcome: str, chances: Odds) -> dict[int, Fraction]:
    """Return the odds of the degrees of ``outcome``: "failure" or "success"; other outcomes have none."""
    wanted = {"failure": False, "success": True}.get(outcome)
    return {degree: chance for degree, chance in chances.degrees.items() if (degree >= 0) is wanted}


def roll_in_words(roll: Roll) -> str:
    """Spell out a roll's three numbers."""
    throws = "1 throw" if roll.throws == 1 else f"{roll.throws} throws"
    rethrows = "1 rethrow" if roll.rethrows == 1 else f"{roll.rethrows or 'no'} rethrows"
    return f"{throws}, {rethrows}, difficulty {roll.difficulty}"


def as_fraction(chance: Fraction) -> str:
    """Format a chance exactly: "7/27", "0/1"."""
    return f"{chance.numerator}/{chance.denominator}"


def as_percent(chance: Fraction) -> str:
    """Format a chance to a hundredth of a percent; only an impossible one is 0 %, and only a certain one 100 %."""
    hundred = float(100 * chance)
    if chance in (0, 1):
        return f"{hundred:.0f} %"
    if hundred < 0.01:
        return "< 0.01 %"
    return "> 99.99 %" if hundred >= 99.995 else f"{hundred:.2f} %"
