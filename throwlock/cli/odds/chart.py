"""The bar chart of ``throwlock odds``: the odds of a roll of t|r as PNG or SVG."""

import contextlib
from fractions import Fraction
from pathlib import Path

from rules.tr.odds import Odds
from rules.tr.roll import Roll
from throwlock.cli.odds.format import as_percent, degrees_of, roll_in_words
from throwlock.cli.options import UsageError
from ui.sheets.bar_chart import Bar, BarChart, BarGroup, layout_chart, to_png, to_svg

MAX_DEGREES_SHOWN = 24
"""Charts with more degrees than this leave out the invisible ones."""
MIN_VISIBLE_CHANCE = Fraction(1, 10_000)
"""The chance below which a bar would be invisible."""


def write_chart(path: Path, roll: Roll, chances: Odds) -> None:
    """Write the chart of the odds to ``path``, as PNG or SVG by its suffix. The file is written atomically.

    Raises:
        UsageError: The suffix is another one, or the file can't be written.
    """
    suffix = path.suffix.lower()
    if suffix not in (".png", ".svg"):
        raise UsageError(f"--picture {path}: the name must end in .png or .svg")
    shapes = layout_chart(odds_chart(roll, chances))
    partial = path.with_name(f".{path.name}.part")
    try:
        partial.write_bytes(to_png(shapes) if suffix == ".png" else to_svg(shapes).encode())
        partial.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            partial.unlink()
        raise UsageError(f"--picture {path} can't be written: {error.strerror}") from None


def odds_chart(roll: Roll, chances: Odds) -> BarChart:
    """Return the odds as a chart. With many degrees, invisible ones are left out and a note says so."""
    groups, left_out = [], 0
    for outcome, chance in chances.outcomes().items():
        if outcome in ("botch", "failed"):
            bars = {"": chance}
        else:
            degrees = degrees_of(outcome, chances)
            seen = visible_degrees(degrees) if len(chances.degrees) > MAX_DEGREES_SHOWN else list(degrees)
            left_out += len(degrees) - len(seen)
            bars = {str(degree): degrees[degree] for degree in seen}
        if bars:
            drawn = tuple(Bar(name, float(part), as_percent(part)) for name, part in bars.items())
            groups.append(BarGroup(outcome, as_percent(chance), outcome == "success", drawn))
    note = "The numbers below the bars are degrees."
    if left_out:
        note += f" Left out: {left_out:,} rarer than 1 in {MIN_VISIBLE_CHANCE.denominator:,}."
    subtitle = f"{roll_in_words(roll)}: success {as_percent(chances.success)}"
    return BarChart(f"Chances of {roll}", subtitle, tuple(groups), note)


def visible_degrees(degrees: dict[int, Fraction]) -> list[int]:
    """Return the degrees with a visible bar, and always the likeliest one."""
    likeliest = max(degrees, key=lambda degree: degrees[degree], default=None)
    return [degree for degree, chance in degrees.items() if chance >= MIN_VISIBLE_CHANCE or degree == likeliest]
