"""What the charts and timelines of the pages have in common: marks by kind of throw, time axes, lines with a label,
legends, and the SVG around them with a description for screen readers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from messages import N
from rules.record.seat_entry import SeatEntry
from ui.charts.shapes import Anchor, Inset, Line, Marks, Rect, Shape, TextShape, to_svg
from ui.charts.timeline import TimeScale
from ui.i18n.language import t
from ui.web.views import AccessibleChart


@dataclass(frozen=True)
class ThrowKind:
    """A kind of throws with a mark of its own."""

    css_class: str
    shape: str
    """A symbol of ``ui.web.charts.drawings``."""
    label: str
    size_px: float


ON_TIME = ThrowKind("punctual", "circle", N("on time"), 10)
DOUBTFUL = ThrowKind("doubtful", "square", N("too close to call"), 11)
LATE = ThrowKind("tardy", "triangle", N("late"), 13)
OTHER_FOUL = ThrowKind("odd", "diamond", N("other foul"), 12)
THROW_KINDS = (ON_TIME, DOUBTFUL, LATE, OTHER_FOUL)

BarStyle = tuple[str, str]
"""The CSS class and the fill of a bar."""


def throw_kind(verdict: str) -> ThrowKind:
    """Return the kind of a throw by its verdict."""
    return next((kind for kind in (ON_TIME, DOUBTFUL, LATE) if kind.label == verdict), OTHER_FOUL)


def hatched_bar(name: str) -> BarStyle:
    """Return the style of the hatched bars in the chart ``name``."""
    return "bar", f"url(#{name}-hatch)"


def draw_marks(places: Iterable[tuple[float, float, ThrowKind]]) -> list[Shape]:
    """Draw marks centred at (x, y), on-time ones first so that they don't hide fouls."""
    by_kind: dict[ThrowKind, list[tuple[float, float]]] = {kind: [] for kind in THROW_KINDS}
    for x, y, kind in places:
        by_kind[kind].append((x, y))
    return [Marks(kind.css_class, f"shape-{kind.shape}", kind.size_px, tuple(of)) for kind, of in by_kind.items() if of]


def draw_bar(scale: TimeScale, start_ms: float, length_ms: float, y: float, height: float, style: BarStyle) -> Rect:
    """Draw a bar ``length_ms`` long."""
    left = scale.fraction(start_ms)
    return Rect(left, y, scale.fraction(start_ms + length_ms) - left, height, *style)


def draw_axis(
    scale: TimeScale, floor: float, ticks: Iterable[tuple[float, str]], label_px: float = 18, top: float | None = None
) -> list[Shape]:
    """Draw a time axis at ``floor`` with labelled ticks; grid lines instead of ticks, from ``top``."""
    start, css = (floor, "floor") if top is None else (top, "grid")
    shapes: list[Shape] = [Line("floor", 0, floor, 1, floor)]
    for at, label in ticks:
        x = scale.clamp(at)
        shapes += [Line(css, x, start, x, floor + 5), TextShape(label, x, floor + label_px, "middle", "tick")]
    return shapes


def draw_labelled_line(scale: TimeScale, ms: float, label: str, css: str, y: float, floor: float) -> list[Shape]:
    """Draw a vertical line to ``floor`` with its label above at ``y``, centred or, near an end, shifted inwards."""
    x = scale.clamp(ms)
    anchor: Anchor = "start" if x < 0.2 else "end" if x > 0.8 else "middle"
    return [Line(css, x, y + 4, x, floor), TextShape(label, x, y, anchor, f"{css} over")]


def legend_entries(
    times: Sequence[SeatEntry], bar_styles: Mapping[ThrowKind, BarStyle] | None = None
) -> list[tuple[Shape, str]]:
    """Return a legend entry per kind with its count: a mark, or a bar in one of ``bar_styles``."""
    entries: list[tuple[Shape, str]] = []
    for kind in THROW_KINDS:
        count = sum(throw_kind(entry.verdict) is kind for entry in times)
        mark = draw_marks([(5, -4, kind)])[0] if bar_styles is None else Rect(0, -10, 11, 11, *bar_styles[kind])
        entries.append((mark, f"{t(kind.label)} ({count:,})"))
    return entries


def draw_legend(entries: Sequence[tuple[Shape, str]], y: float) -> list[Shape]:
    """Draw a legend of symbols, centred at (5, -4), with labels, two per row: that fits a phone."""
    return [
        Inset(0.5 * (number % 2), y + 20 * (number // 2), (sign, TextShape(caption, 20, 0)))
        for number, (sign, caption) in enumerate(entries)
    ]


def draw_chart(
    height: float,
    title: str,
    description: str,
    shapes: Iterable[Shape],
    table: Sequence[tuple[str, ...]],
    *,
    hatch: str = "",
) -> AccessibleChart:
    """Return a chart of full width and ``height`` pixels. ``hatch`` is the chart's name, if it has hatched bars."""
    pattern = (
        f'<defs><pattern id="{hatch}-hatch" width="6" height="6" patternUnits="userSpaceOnUse" '
        'patternTransform="rotate(45)"><rect class="between" width="6" height="6"/>'
        '<rect class="stripe" width="3" height="6"/></pattern></defs>'
    )
    svg = Markup('<svg class="chart" width="100%" height="{}" role="img"><title>{}</title><desc>{}</desc>{}</svg>')
    drawn = Markup((pattern if hatch else "") + to_svg(shapes, percent=True))
    return AccessibleChart(svg.format(f"{height:g}", title, description, drawn), description, tuple(table))


def draw_time_chart(
    title: str,
    description: str,
    shapes: Iterable[Shape],
    table: Sequence[tuple[str, ...]],
    scale: TimeScale,
    windows_ms: Iterable[float],
    *,
    top: float,
    floor: float,
    ticks: Sequence[tuple[float, str]] | None = None,
    label_px: float = 18,
    grid: bool = False,
    legend: Sequence[tuple[Shape, str]] = (),
    hatch: str = "",
) -> AccessibleChart:
    """Return a chart of ``shapes`` over a time axis in ms after the first hand, with the lock after each of
    ``windows_ms``; the axis' labels are ``label_px`` below ``floor``."""
    if ticks is None:
        ticks = [(at, f"{at:.0f}") for at in scale.ticks(6)]
    below = draw_axis(scale, floor, ticks, label_px, top if grid else None)
    for at in windows_ms:
        below += draw_labelled_line(scale, at, t("lock {ms} ms", ms=f"{at:.0f}"), "lock", top - 8, floor)
    unit = TextShape(t("ms after the first hand"), 0.5, floor + label_px + 18, "middle")
    bottom = floor + label_px + (70 if legend else 26)
    return draw_chart(
        bottom,
        title,
        description,
        [*below, *shapes, unit, *draw_legend(legend, floor + label_px + 42)],
        table,
        hatch=hatch,
    )
