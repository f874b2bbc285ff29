"""Writes what trials came to: to the terminal, into ``docs/lock.md`` between its marks, and the curve as a picture."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tools.docs.curve import Curve, Point, draw
from tools.docs.generated_sections import put
from tools.trials import cue, figures, window
from tools.trials.judging import Outcome
from ui.sheets.bar_chart import as_png, as_svg

Making = Callable[[Sequence[Outcome]], str]
TABLES: Mapping[str, Making] = {
    "rounds": figures.seats_line,
    "aims": figures.aims_table,
    "verdicts": figures.verdicts_table,
    "curve": figures.curve_table,
    "times": figures.times_table,
    "fairness": figures.fairness_table,
    "cue": cue.cue_table,
    "ruling": window.ruling_line,
    "window": window.window_table,
    "others": figures.others_table,
    "costs": figures.costs_line,
}
"""Each part of the report by the name of its marks in the docs."""
FOR_ALL = "rounds", "aims", "verdicts", "times", "costs"
"""What a run prints at its end; the rest needs many rounds."""
KINDS = {"late": "Late throws", "changed": "Changes of a throw"}


def report(found: Sequence[Outcome], parts: Sequence[str] = FOR_ALL) -> str:
    """The figures as text."""
    return "\n\n".join(TABLES[part](found) for part in parts)


def marked(page: str, found: Sequence[Outcome]) -> str:
    """The page with every table made anew. Raises SectionError when it has no place for one."""
    for name, make in TABLES.items():
        page = put(page, f"<!-- {name}: begin -->", f"<!-- {name}: end -->", make(found))
    return page


def _points(found: Sequence[Outcome], kind: str) -> tuple[Point, ...]:
    return tuple(
        Point(step.since_ms, step.until_ms, step.caught.share, *step.caught.bounds, step.caught.of)
        for step in figures.curve(found, kind)
    )


def picture(found: Sequence[Outcome], path: Path) -> None:
    """Draw caught against lateness into ``path``: PNG or SVG by its ending."""
    curves = [Curve(title, points) for kind, title in KINDS.items() if (points := _points(found, kind))]
    shapes = draw(
        "Caught, by how long after the lock",
        f"{figures.seats_line(found)[:-1]}; bars: the share caught; grey: its 95 % interval",
        curves,
    )
    if path.suffix == ".svg":
        path.write_text(as_svg(shapes))
    else:
        path.write_bytes(as_png(shapes))
