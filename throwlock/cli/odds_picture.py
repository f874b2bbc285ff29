"""The picture of ``throwlock odds``: the chances of a roll of t|r as a bar chart, written as PNG or SVG."""

import contextlib
from fractions import Fraction
from pathlib import Path

from rules.tr.odds import Odds
from rules.tr.roll import Roll
from throwlock.cli.odds import degrees_of, in_words, percent
from throwlock.cli.options import UsageError
from ui.sheets.bar_chart import Bar, Chart, Group, as_png, as_svg, draw

CROWDED = 24
"""With more degrees than this, those nobody could see are left out."""
UNSEEN = Fraction(1, 10_000)
"""The chance below which nobody could see a bar."""


def write_picture(path: Path, roll: Roll, chances: Odds) -> None:
    """Draw the chances into ``path``, by its ending; the file is there whole or not at all. Raises UsageError."""
    ending = path.suffix.lower()
    if ending not in (".png", ".svg"):
        raise UsageError(f"--picture {path}: a picture's name ends in .png or .svg")
    shapes = draw(chart(roll, chances))
    half = path.with_name(f".{path.name}.part")
    try:
        half.write_bytes(as_png(shapes) if ending == ".png" else as_svg(shapes).encode())
        half.replace(path)
    except OSError as fault:
        with contextlib.suppress(OSError):
            half.unlink()
        raise UsageError(f"--picture {path} can't be written: {fault.strerror}") from None


def chart(roll: Roll, chances: Odds) -> Chart:
    """The chances as a chart. Where there are many degrees, those too rare to be seen are left out, and it says so."""
    groups, left_out = [], 0
    for outcome, chance in chances.outcomes().items():
        if outcome in ("botch", "failed"):
            bars = {"": chance}
        else:
            degrees = degrees_of(outcome, chances)
            seen = seen_of(degrees) if len(chances.degrees) > CROWDED else list(degrees)
            left_out += len(degrees) - len(seen)
            bars = {str(degree): degrees[degree] for degree in seen}
        if bars:
            drawn = tuple(Bar(name, float(part), percent(part)) for name, part in bars.items())
            groups.append(Group(outcome, percent(chance), outcome == "success", drawn))
    note = "The numbers below the bars are degrees."
    if left_out:
        note += f" Left out: {left_out:,} rarer than 1 in {UNSEEN.denominator:,}."
    subtitle = f"{in_words(roll)}: success {percent(chances.success)}"
    return Chart(f"Chances of {roll}", subtitle, tuple(groups), note)


def seen_of(degrees: dict[int, Fraction]) -> list[int]:
    """The degrees that can be seen, at the least the likeliest of them."""
    likeliest = max(degrees, key=lambda degree: degrees[degree], default=None)
    return [degree for degree, chance in degrees.items() if chance >= UNSEEN or degree == likeliest]
