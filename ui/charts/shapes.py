"""Charts as shapes. On a page they are as wide as it: across, positions are fractions of the width; down, pixels. In a
file of fixed size, and within an Inset, all are pixels. Colours come from style sheets by class, or from ``fill``."""

from collections.abc import Iterable
from html import escape
from typing import Literal, NamedTuple

Anchor = Literal["start", "middle", "end"]


class Rect(NamedTuple):
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float
    css: str = ""
    fill: tuple[int, int, int] | str = ""
    """A colour or an SVG paint; "" to leave it to the CSS class."""


class Line(NamedTuple):
    """A line from (x, y) to (x2, y2)."""

    css: str
    x: float
    y: float
    x2: float
    y2: float


class TextShape(NamedTuple):
    """A line of text."""

    text: str
    x: float
    """Of its anchor."""
    y: float
    """Of its baseline."""
    anchor: Anchor = "start"
    css: str = ""
    dx: float = 0
    """By how many pixels it is moved to the right."""
    size_px: int = 0
    """Its em, if its CSS class has none."""
    bold: str = ""
    """Bold text in front of it."""


class Marks(NamedTuple):
    """Marks of one kind."""

    css: str
    symbol: str
    """One of the page's symbols."""
    size_px: float
    """The width of a mark."""
    places: tuple[tuple[float, float], ...]
    """The centre (x, y) of each mark."""


class Inset(NamedTuple):
    """Shapes in pixels from a point (x, y)."""

    x: float
    y: float
    shapes: "tuple[Shape, ...]" = ()
    css: str = ""
    svg: str = ""
    """What is drawn first, as it is."""


Shape = Rect | Line | TextShape | Marks | Inset


def to_svg(shapes: Iterable[Shape], *, percent: bool) -> str:
    """Return shapes as SVG elements; ``percent``: their positions across are fractions of the width, not pixels."""
    return "".join(_element(shape, percent) for shape in shapes)


def _element(shape: Shape, percent: bool) -> str:
    def across(name: str, x: float) -> str:
        return f'{name}="{round(100 * x, 2):g}%"' if percent else f'{name}="{x:.1f}"'

    css = f' class="{shape.css}"' if shape.css else ""
    match shape:
        case Rect(x, y, width, height, fill=fill):
            paint = f' fill="{fill if isinstance(fill, str) else f"rgb{fill}"}"' if fill else ""
            return f'<rect{css}{paint} {across("x", x)} y="{y:.1f}" {across("width", width)} height="{height:.1f}"/>'
        case Line(_, x, y, x2, y2):
            return f'<line{css} {across("x1", x)} {across("x2", x2)} y1="{y:.1f}" y2="{y2:.1f}"/>'
        case TextShape(text, x, y, anchor, _, dx, size_px, bold):
            more = (f' dx="{dx:g}"' if dx else "") + (f' font-size="{size_px}"' if size_px else "")
            before = f'<tspan class="who">{escape(bold)}</tspan> ' if bold else ""
            return f'<text{css} {across("x", x)} y="{y:.1f}" text-anchor="{anchor}"{more}>{before}{escape(text)}</text>'
        case Marks(_, symbol, size, places):
            look = f'{css} href="#{symbol}" width="{size:g}" height="{size:g}"'
            marks = "".join(
                f"<use{look} {position}/>"
                for position in dict.fromkeys(f'{across("x", x)} y="{y:.0f}"' for x, y in places)
            )
            return f'<g transform="translate({-size / 2:g} {-size / 2:g})">{marks}</g>'
        case Inset(x, y, inner, _, svg):
            return f'<svg{css} {across("x", x)} y="{y:g}" overflow="visible">{svg}{to_svg(inner, percent=False)}</svg>'
