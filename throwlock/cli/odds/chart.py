"""The bar chart of ``throwlock odds``: the odds of a roll of t|r as PNG or SVG."""

import contextlib
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from rules.tr.odds import Odds
from rules.tr.roll import Roll
from throwlock.cli.odds.command import as_percent, degrees_of, roll_in_words
from throwlock.cli.options import UsageError

MAX_DEGREES_SHOWN = 24
"""Charts with more degrees than this leave out the invisible ones."""
MIN_VISIBLE_CHANCE = Fraction(1, 10_000)
"""The chance below which a bar would be invisible."""
MAX_LABELLED_BARS = 10
"""Charts with more bars than this have no figures above them."""
MAX_DEGREE_LABELS = 20
"""How many degrees of an outcome are named at most below its bars."""


def write_chart(path: Path, roll: Roll, chances: Odds) -> None:
    """Write the chart of the odds to ``path``, as PNG or SVG by its suffix. The file is written atomically.

    Raises:
        UsageError: The suffix is another one, or the file can't be written.
    """
    suffix = path.suffix.lower()
    if suffix not in (".png", ".svg"):
        raise UsageError(f"--picture {path}: the name must end in .png or .svg")
    partial = path.with_name(f".{path.name}.part")
    try:
        with mpl.rc_context({"svg.fonttype": "none"}):  # text stays text
            odds_figure(roll, chances).savefig(partial, format=suffix[1:])
        partial.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            partial.unlink()
        raise UsageError(f"--picture {path} can't be written: {error.strerror}") from None


def odds_figure(roll: Roll, chances: Odds) -> Figure:
    """Return the odds as a figure of 1280 × 720 pixels, with axes for each possible outcome. With many degrees,
    invisible ones are left out and a note says so."""
    groups: dict[str, Mapping[str, Fraction]] = {}
    left_out = 0
    for outcome, chance in chances.outcomes().items():
        if outcome in ("botch", "failed"):
            bars: Mapping[str, Fraction] = {"": chance}
        else:
            degrees = degrees_of(outcome, chances)
            seen = visible_degrees(degrees) if len(chances.degrees) > MAX_DEGREES_SHOWN else list(degrees)
            left_out += len(degrees) - len(seen)
            bars = {str(degree): degrees[degree] for degree in seen}
        if bars:
            groups[outcome] = bars
    counts = [len(bars) for bars in groups.values()]
    figure = Figure(figsize=(12.8, 7.2), dpi=100, layout="constrained")
    figure.suptitle(
        f"Chances of {roll}\n{roll_in_words(roll)}: success {as_percent(chances.success)}", size=20, weight="bold"
    )
    note = "The numbers below the bars are degrees."
    if left_out:
        note += f" Left out: {left_out:,} rarer than 1 in {MIN_VISIBLE_CHANCE.denominator:,}."
    figure.supxlabel(note, size=12)
    widths = [max(count, 2, max(counts) / 5) for count in counts]
    plots = figure.subplots(1, len(groups), sharey=True, squeeze=False, width_ratios=widths)[0]
    for plot, (outcome, bars) in zip(plots, groups.items(), strict=True):
        _draw_outcome(plot, bars, outcome == "success", labelled=sum(counts) <= MAX_LABELLED_BARS)
        plot.set_xlabel(f"{outcome}\n{as_percent(chances.outcomes()[outcome])}", size=16, weight="bold")
    figure.align_xlabels()
    plots[0].yaxis.set_major_formatter(lambda share, _: f"{100 * share:g} %")
    return figure


def _draw_outcome(plot: Axes, bars: Mapping[str, Fraction], solid: bool, labelled: bool) -> None:
    """Draw an outcome's bars, filled or hatched, so that they differ without colours."""
    colour, edge, hatch = ("tab:blue", None, None) if solid else ("bisque", "saddlebrown", "--")
    places = range(len(bars))
    heights = [float(chance) for chance in bars.values()]
    drawn = plot.bar(places, heights, color=colour, edgecolor=edge, hatch=hatch)
    if labelled:
        plot.bar_label(drawn, [as_percent(chance) for chance in bars.values()], padding=3)
    step = -(-len(bars) // MAX_DEGREE_LABELS)
    plot.set_xticks(places[::step], list(bars)[::step])
    plot.set_xlim(-1, len(bars))
    plot.tick_params(length=0, labelsize=12)
    plot.spines[["left", "right", "top"]].set_visible(False)
    plot.grid(axis="y", color="gainsboro")
    plot.set_axisbelow(True)


def visible_degrees(degrees: Mapping[int, Fraction]) -> list[int]:
    """Return the degrees with a visible bar, and always the likeliest one."""
    likeliest = max(degrees, key=lambda degree: degrees[degree], default=None)
    return [degree for degree, chance in degrees.items() if chance >= MIN_VISIBLE_CHANCE or degree == likeliest]
