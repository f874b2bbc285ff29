"""``throwlock odds``: the exact chances of a roll of t|r, as a table, as JSON and as a picture."""

import json
from fractions import Fraction
from pathlib import Path

import click

from rules.engine import quoted
from rules.tr.odds import Odds, odds
from rules.tr.roll import IllegalRollError, Roll
from throwlock.cli.options import UsageError


@click.command("odds", context_settings={"ignore_unknown_options": True})  # a roll may begin with -, and is told so
@click.argument("roll", metavar="T|R-D")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option(
    "--picture", type=click.Path(path_type=Path), metavar="FILE", help="Draw the chances: FILE ends in .png or .svg."
)
def odds_command(roll: str, as_json: bool, picture: Path | None) -> None:
    """The exact chances of a roll of t|r: T throws, R rethrows, difficulty D.

    Written as in "3|2-2", between quotes; R and D are 0 when they are left out.
    """
    if roll.startswith("--"):
        raise click.NoSuchOption(roll, possibilities=["--json", "--picture"])
    try:
        read = Roll.read(roll)
    except IllegalRollError as fault:
        raise UsageError(f"{quoted(roll)} is no roll: {fault}") from None
    chances = odds(read)
    if picture is not None:
        from throwlock.cli.odds_picture import write_picture  # noqa: PLC0415 - only a picture needs pygame and OpenCV

        write_picture(picture, read, chances)
    click.echo(json.dumps(odds_json(read, chances)) if as_json else table(read, chances))


def table(roll: Roll, chances: Odds) -> str:
    """The chances in lines: the four outcomes, and the degrees of a failure and of a success below theirs."""
    rows: list[tuple[str, Fraction]] = []
    for outcome, chance in chances.outcomes().items():
        rows.append((outcome, chance))
        rows += [(f"  degree {degree}", part) for degree, part in degrees_of(outcome, chances).items()]
    wide = max(len(name) for name, _ in rows)
    lines = [f"{name:<{wide}}  {percent(chance):>9}  {fraction(chance)}" for name, chance in rows]
    return "\n".join([f"{roll}: {in_words(roll)}", *lines])


def odds_json(roll: Roll, chances: Odds) -> dict[str, object]:
    """The chances by outcome and by degree, each exact (``"fraction": "7/27"``) and as a number from 0 to 1."""
    return {
        "roll": str(roll),
        "throws": roll.throws,
        "rethrows": roll.rethrows,
        "difficulty": roll.difficulty,
        "outcomes": {outcome: _chance(chance) for outcome, chance in chances.outcomes().items()},
        "degrees": {str(degree): _chance(chance) for degree, chance in chances.degrees.items()},
    }


def _chance(chance: Fraction) -> dict[str, object]:
    return {"fraction": fraction(chance), "chance": float(chance)}


def degrees_of(outcome: str, chances: Odds) -> dict[int, Fraction]:
    """The degrees that are a failure, or a success; none for other outcomes."""
    wanted = {"failure": False, "success": True}.get(outcome)
    return {degree: chance for degree, chance in chances.degrees.items() if (degree >= 0) is wanted}


def in_words(roll: Roll) -> str:
    """A roll's three numbers in words."""
    throws = "1 throw" if roll.throws == 1 else f"{roll.throws} throws"
    rethrows = "1 rethrow" if roll.rethrows == 1 else f"{roll.rethrows or 'no'} rethrows"
    return f"{throws}, {rethrows}, difficulty {roll.difficulty}"


def fraction(chance: Fraction) -> str:
    """A chance exactly: "7/27", "0/1"."""
    return f"{chance.numerator}/{chance.denominator}"


def percent(chance: Fraction) -> str:
    """A chance in hundredths of a percent; only what is impossible is 0 %, and only what is certain 100 %."""
    hundred = float(100 * chance)
    if chance in (0, 1):
        return f"{hundred:.0f} %"
    if hundred < 0.01:
        return "< 0.01 %"
    return "> 99.99 %" if hundred >= 99.995 else f"{hundred:.2f} %"
