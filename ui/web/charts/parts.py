"""Building blocks of the charts: marks by kind of throw, legends, axis ticks, the lock line, bars, hatching, and the
SVG frame with a description for screen readers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ui.web.charts.photo_finish import TICK_STEPS_MS, TimeScale, format_percent
from ui.web.views import Lateness


@dataclass(frozen=True)
class ThrowKind:
    """A kind of throws with a mark of its own; ``shape`` is a symbol of ``ui.web.charts.drawings``."""

    css_class: str
    shape: str
    label: str
    size_px: float


ON_TIME = ThrowKind("punctual", "circle", "on time", 10)
LATE = ThrowKind("tardy", "triangle", "late", 13)
OTHER_FOUL = ThrowKind("odd", "diamond", "other foul", 12)
THROW_KINDS = (ON_TIME, LATE, OTHER_FOUL)


def throw_kind(verdict: str) -> ThrowKind:
    """Return the kind of a throw by its verdict."""
    return {"on time": ON_TIME, "late": LATE}.get(verdict, OTHER_FOUL)


def axis_ticks(low: float, high: float, max_ticks: int) -> list[float]:
    """Return round numbers between two times, at most ``max_ticks``."""
    step = next((step for step in TICK_STEPS_MS if (high - low) / step <= max_ticks), TICK_STEPS_MS[-1])
    return [float(at * step) for at in range(-int(-low // step), int(high // step) + 1)]


def draw_marks(places: Iterable[tuple[str, str, ThrowKind]]) -> list[str]:
    """Draw marks centred at (x, y), duplicates once, on-time ones first so that they don't hide fouls."""
    all_of_them = list(dict.fromkeys(places))
    parts = []
    for of in THROW_KINDS:
        half = of.size_px / 2
        parts.append(f'<g transform="translate({-half:g} {-half:g})">')
        parts += [draw_mark(x, y, of) for x, y, other in all_of_them if other is of]
        parts.append("</g>")
    return parts


def draw_mark(x: str, y: str, kind: ThrowKind) -> str:
    """Draw a mark with its corner at (x, y)."""
    size = f'width="{kind.size_px:g}" height="{kind.size_px:g}"'
    return f'<use class="{kind.css_class}" href="#shape-{kind.shape}" x="{x}" y="{y}" {size}/>'


def legend_entries(
    times: Sequence[Lateness], bar_styles: Mapping[ThrowKind, str] | None = None
) -> list[tuple[str, str]]:
    """Return a legend entry per kind with its count: a mark, or a bar in one of ``bar_styles``."""
    found = []
    for of in THROW_KINDS:
        count = sum(throw_kind(one.verdict) is of for one in times)
        sign = draw_mark(f"{5 - of.size_px / 2:g}", f"{-4 - of.size_px / 2:g}", of)
        if bar_styles is not None:
            sign = f'<rect {bar_styles[of]} y="-10" width="11" height="11"/>'
        found.append((sign, f"{of.label} ({count:,})"))
    return found


def draw_legend(entries: Sequence[tuple[str, str]], y: float) -> list[str]:
    """Draw a legend of symbols, centred at (5, -4), with labels, two per row: that fits a phone."""
    return [
        f'<svg x="{"50%" if place % 2 else "4"}" y="{y + 20 * (place // 2):g}" overflow="visible">{sign}'
        f'<text x="20">{caption}</text></svg>'
        for place, (sign, caption) in enumerate(entries)
    ]


def draw_labelled_line(scale: TimeScale, at_ms: float, label: str, top: float, floor: float) -> list[str]:
    """Draw the vertical lock line with a label above."""
    anchor = "end" if scale.fraction(at_ms) > 0.8 else "start"
    x, aside = scale.x(at_ms), -6 if anchor == "end" else 6
    return [
        draw_lock_line(scale, at_ms, top, floor),
        f'<text class="lock over" x="{x}" dx="{aside}" y="{top - 6:g}" text-anchor="{anchor}">{label}</text>',
    ]


def draw_lock_line(scale: TimeScale, at_ms: float, top: float, floor: float) -> str:
    """Draw the vertical lock line."""
    return f'<line class="lock" x1="{scale.x(at_ms)}" x2="{scale.x(at_ms)}" y1="{top - 16:g}" y2="{floor:g}"/>'


def draw_bar(scale: TimeScale, start_ms: float, length_ms: float, y: float, height: float, style: str) -> str:
    """Draw a rectangle ``length_ms`` long; ``style`` are its other attributes."""
    across = format_percent(scale.fraction(start_ms + length_ms) - scale.fraction(start_ms))
    return f'<rect {style} x="{scale.x(start_ms)}" y="{y:.1f}" width="{across}" height="{height:.1f}"/>'


def hatch_pattern(name: str) -> str:
    """Define the hatching of a chart, the fill ``url(#NAME-hatch)``."""
    return (
        f'<defs><pattern id="{name}-hatch" width="6" height="6" patternUnits="userSpaceOnUse" '
        'patternTransform="rotate(45)"><rect class="between" width="6" height="6"/>'
        '<rect class="stripe" width="3" height="6"/></pattern></defs>'
    )


def draw_chart(height: float, title: str, description: str, parts: Iterable[str]) -> Markup:
    """Return a chart of full width and ``height`` pixels with title and description; ``parts`` are SVG."""
    return Markup(
        '<svg class="chart" width="100%" height="{}" role="img"><title>{}</title><desc>{}</desc>{}</svg>'
    ).format(f"{height:g}", title, description, Markup("".join(parts)))
