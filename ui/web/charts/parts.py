"""What the charts of the review pages are made of: marks of throws by kind, legends, round numbers along an axis, the
line of the lock, boxes, hatching; and the frame with its words for who can't see it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ui.web.charts.photo_finish import STEPS_MS, Line, percent
from ui.web.views import Lateness


@dataclass(frozen=True)
class Kind:
    """Throws that share a mark: its class, its symbol (``ui.web.charts.drawings``), its word and its size in pixels."""

    name: str
    shape: str
    told: str
    size: float


ON_TIME = Kind("punctual", "circle", "on time", 10)
LATE = Kind("tardy", "triangle", "late", 13)
OTHER = Kind("odd", "diamond", "other foul", 12)
KINDS = (ON_TIME, LATE, OTHER)


def kind(verdict: str) -> Kind:
    """The kind of a throw."""
    return {"on time": ON_TIME, "late": LATE}.get(verdict, OTHER)


def steps(low: float, high: float, most: int) -> list[float]:
    """Round numbers between two times, ``most`` at most."""
    step = next((step for step in STEPS_MS if (high - low) / step <= most), STEPS_MS[-1])
    return [float(at * step) for at in range(-int(-low // step), int(high // step) + 1)]


def marks(at: Iterable[tuple[str, str, Kind]]) -> list[str]:
    """Marks with their middles at (x, y), each drawn once, on time first so that no foul hides behind them."""
    all_of_them = list(dict.fromkeys(at))
    parts = []
    for of in KINDS:
        half = of.size / 2
        parts.append(f'<g transform="translate({-half:g} {-half:g})">')
        parts += [mark(x, y, of) for x, y, other in all_of_them if other is of]
        parts.append("</g>")
    return parts


def mark(x: str, y: str, of: Kind) -> str:
    """A mark with its corner at (x, y)."""
    return f'<use class="{of.name}" href="#shape-{of.shape}" x="{x}" y="{y}" width="{of.size:g}" height="{of.size:g}"/>'


def kinds(times: Sequence[Lateness], looks: Mapping[Kind, str] | None = None) -> list[tuple[str, str]]:
    """The kinds of throws for a legend, each as its mark, or as a bar of these ``looks``, with how many there are."""
    found = []
    for of in KINDS:
        count = sum(kind(one.verdict) is of for one in times)
        sign = mark(f"{5 - of.size / 2:g}", f"{-4 - of.size / 2:g}", of)
        if looks is not None:
            sign = f'<rect {looks[of]} y="-10" width="11" height="11"/>'
        found.append((sign, f"{of.told} ({count:,})"))
    return found


def legend(entries: Sequence[tuple[str, str]], y: float) -> list[str]:
    """Signs, drawn about (5, -4), with what they mean, two in a row: that fits a phone whatever the numbers."""
    return [
        f'<svg x="{"50%" if place % 2 else "4"}" y="{y + 20 * (place // 2):g}" overflow="visible">{sign}'
        f'<text x="20">{told}</text></svg>'
        for place, (sign, told) in enumerate(entries)
    ]


def post(line: Line, at: float, told: str, top: float, floor: float) -> list[str]:
    """The upright line of the lock with its name above."""
    anchor = "end" if line.share(at) > 0.8 else "start"
    x, aside = line.x(at), -6 if anchor == "end" else 6
    return [
        lock_line(line, at, top, floor),
        f'<text class="lock over" x="{x}" dx="{aside}" y="{top - 6:g}" text-anchor="{anchor}">{told}</text>',
    ]


def lock_line(line: Line, at: float, top: float, floor: float) -> str:
    """The upright line of the lock alone."""
    return f'<line class="lock" x1="{line.x(at)}" x2="{line.x(at)}" y1="{top - 16:g}" y2="{floor:g}"/>'


def box(line: Line, since: float, wide: float, y: float, high: float, look: str) -> str:
    """A rectangle ``wide`` ms wide; ``look`` are its other attributes."""
    across = percent(line.share(since + wide) - line.share(since))
    return f'<rect {look} x="{line.x(since)}" y="{y:.1f}" width="{across}" height="{high:.1f}"/>'


def hatch(name: str) -> str:
    """The hatching of a chart, to be filled with as ``url(#NAME-hatch)``."""
    return (
        f'<defs><pattern id="{name}-hatch" width="6" height="6" patternUnits="userSpaceOnUse" '
        'patternTransform="rotate(45)"><rect class="between" width="6" height="6"/>'
        '<rect class="stripe" width="3" height="6"/></pattern></defs>'
    )


def drawing(high: float, title: str, told: str, parts: Iterable[str]) -> Markup:
    """A chart ``high`` pixels high and as wide as its place, with a title and words. ``parts`` are SVG."""
    return Markup(
        '<svg class="chart" width="100%" height="{}" role="img"><title>{}</title><desc>{}</desc>{}</svg>'
    ).format(f"{high:g}", title, told, Markup("".join(parts)))
