"""A camera over tables of several sizes as a drawing (SVG): from the side with the camera's height, and from above with
what it sees, everybody's zone and a hand in it, all to one scale. It has its own white ground, for dark pages too."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

WIDE = 1120
"""Pixels across."""
PX_PER_MM = 0.19
"""The scale of everything that is drawn."""
FLOOR, ABOVE = 330, 380
"""Where the table's edge is seen from the side, and where the views from above begin."""
PAPER, INK, FAINT, SEEN, SKIN = "#ffffff", "#181e26", "#5c6670", "#e3eaf2", "#ffe08a"


@dataclass(frozen=True)
class Over:
    """A camera over a table, in mm: how many seats, the zones side by side and above each other, its height, what it
    sees of the table, and an open hand's length."""

    seats: int
    columns: int
    rows: int
    height: float
    table: tuple[float, float]
    hand: float


def mounting(title: str, tables: Sequence[Over]) -> str:
    """The drawing as SVG text, the tables from left to right."""
    spare = WIDE - sum(one.table[0] for one in tables) * PX_PER_MM
    gap = spare / (len(tables) + 1)
    told, left = list[str](), gap
    for one in tables:
        told += _side(one, left)
        told += _above(one, left)
        left += one.table[0] * PX_PER_MM + gap
    high = round(ABOVE + max(one.table[1] for one in tables) * PX_PER_MM + 50)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDE}" height="{high}" viewBox="0 0 {WIDE} {high}" '
            'font-family="FreeSans, Helvetica, Arial, sans-serif">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{WIDE}" height="{high}" fill="{PAPER}"/>',
            _words(title, WIDE / 2, 36, 22, bold=True),
            *told,
            "</svg>\n",
        ]
    )


def _side(one: Over, left: float) -> Iterator[str]:
    """The camera, the cone it sees, the table top, and the height."""
    wide, high = one.table[0] * PX_PER_MM, one.height * PX_PER_MM
    middle, top = left + wide / 2, FLOOR - high
    yield (
        f'<polygon points="{middle:.1f},{top:.1f} {left:.1f},{FLOOR} {left + wide:.1f},{FLOOR}" fill="{SEEN}" '
        f'stroke="{FAINT}" stroke-dasharray="5 4"/>'
    )
    yield f'<rect x="{middle - 13:.1f}" y="{top - 16:.1f}" width="26" height="16" rx="3" fill="{INK}"/>'
    yield f'<rect x="{left - 14:.1f}" y="{FLOOR}" width="{wide + 28:.1f}" height="7" fill="{INK}"/>'
    yield _line(middle, top + 4, middle, FLOOR - 2)
    for tip, back in ((top + 2, 9), (FLOOR, -9)):
        points = f"{middle:.1f},{tip:.1f} {middle - 5:.1f},{tip + back:.1f} {middle + 5:.1f},{tip + back:.1f}"
        yield f'<polygon points="{points}" fill="{INK}"/>'
    yield _words(f"{one.height / 1000:.2f} m", middle + 8, FLOOR - 18, 17, "start", bold=True)
    yield _words(f"{one.seats} seats", middle, top - 24, 18, bold=True)


def _above(one: Over, left: float) -> Iterator[str]:
    """What is seen of the table, cut into the zones that seats have where nobody set up any."""
    wide, high = one.table[0] * PX_PER_MM, one.table[1] * PX_PER_MM
    yield f'<rect x="{left:.1f}" y="{ABOVE}" width="{wide:.1f}" height="{high:.1f}" fill="{SEEN}" stroke="{INK}"/>'
    across, down = wide / one.columns, high / one.rows
    for column in range(1, one.columns):
        x = left + column * across
        yield _line(x, ABOVE, x, ABOVE + high, dashed=True)
    for row in range(1, one.rows):
        y = ABOVE + row * down
        yield _line(left, y, left + wide, y, dashed=True)
    for seat in range(one.seats):
        x, y = left + (seat % one.columns + 0.5) * across, ABOVE + (seat // one.columns + 0.5) * down
        long, broad = one.hand * PX_PER_MM / 2, one.hand * PX_PER_MM * 0.24
        flat = one.rows == 1
        rx, ry = (long, broad) if flat else (broad, long)
        yield f'<ellipse cx="{x:.1f}" cy="{y:.1f}" rx="{rx:.1f}" ry="{ry:.1f}" fill="{SKIN}" stroke="{INK}"/>'
        yield _words(str(seat + 1), x, y + 6, 16, bold=True)
    told = f"sees {one.table[0] / 1000:.2f} × {one.table[1] / 1000:.2f} m of the table"
    yield _words(told, left + wide / 2, ABOVE + high + 26, 15)


def _line(x: float, y: float, to_x: float, to_y: float, dashed: bool = False) -> str:
    dashes = ' stroke-dasharray="5 4"' if dashed else ""
    return (
        f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" stroke="{INK}" stroke-width="1.5"{dashes}/>'
    )


def _words(text: str, x: float, y: float, size: int, end: str = "middle", bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{end}" fill="{INK}"{weight}>'
        f"{escape(text)}</text>"
    )
