"""Draw a camera over tables of several sizes as SVG, to scale: from the side with the camera's height, and from above
with the visible area, every seat's zone and a hand in it. The background is white, for dark pages too."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

WIDTH_PX = 1120
"""The drawing's width."""
PX_PER_MM = 0.19
"""The scale of the drawing."""
TABLE_TOP_Y, TOP_VIEW_Y = 330, 380
"""The y of the table top in the side views, and of the upper edge of the views from above."""
PAPER, INK, FAINT, FIELD, SKIN = "#ffffff", "#181e26", "#5c6670", "#e3eaf2", "#ffe08a"


@dataclass(frozen=True)
class CameraOverTable:
    """A camera over a table, in mm: the seats, the columns and rows of their zones, the camera's height, the visible
    part of the table (width, height), and the length of an open hand."""

    seats: int
    columns: int
    rows: int
    height_mm: float
    visible_mm: tuple[float, float]
    hand_mm: float


def draw_mounting(title: str, tables: Sequence[CameraOverTable]) -> str:
    """Return the drawing as SVG, the tables from left to right."""
    spare = WIDTH_PX - sum(table.visible_mm[0] for table in tables) * PX_PER_MM
    gap = spare / (len(tables) + 1)
    shapes, left = list[str](), gap
    for table in tables:
        shapes += _side_view(table, left)
        shapes += _top_view(table, left)
        left += table.visible_mm[0] * PX_PER_MM + gap
    high = round(TOP_VIEW_Y + max(table.visible_mm[1] for table in tables) * PX_PER_MM + 50)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH_PX}" height="{high}" '
            f'viewBox="0 0 {WIDTH_PX} {high}" font-family="FreeSans, Helvetica, Arial, sans-serif">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{WIDTH_PX}" height="{high}" fill="{PAPER}"/>',
            _text(title, WIDTH_PX / 2, 36, 22, bold=True),
            *shapes,
            "</svg>\n",
        ]
    )


def _side_view(table: CameraOverTable, left: float) -> Iterator[str]:
    """Draw the camera, its field of view, the table top and the height."""
    wide, high = table.visible_mm[0] * PX_PER_MM, table.height_mm * PX_PER_MM
    middle, top = left + wide / 2, TABLE_TOP_Y - high
    yield (
        f'<polygon points="{middle:.1f},{top:.1f} {left:.1f},{TABLE_TOP_Y} {left + wide:.1f},{TABLE_TOP_Y}" '
        f'fill="{FIELD}" stroke="{FAINT}" stroke-dasharray="5 4"/>'
    )
    yield f'<rect x="{middle - 13:.1f}" y="{top - 16:.1f}" width="26" height="16" rx="3" fill="{INK}"/>'
    yield f'<rect x="{left - 14:.1f}" y="{TABLE_TOP_Y}" width="{wide + 28:.1f}" height="7" fill="{INK}"/>'
    yield _line(middle, top + 4, middle, TABLE_TOP_Y - 2)
    for tip, back in ((top + 2, 9), (TABLE_TOP_Y, -9)):
        points = f"{middle:.1f},{tip:.1f} {middle - 5:.1f},{tip + back:.1f} {middle + 5:.1f},{tip + back:.1f}"
        yield f'<polygon points="{points}" fill="{INK}"/>'
    yield _text(f"{table.height_mm / 1000:.2f} m", middle + 8, TABLE_TOP_Y - 18, 17, "start", bold=True)
    yield _text(f"{table.seats} seats", middle, top - 24, 18, bold=True)


def _top_view(table: CameraOverTable, left: float) -> Iterator[str]:
    """Draw the visible part of the table with the default zones."""
    wide, high = table.visible_mm[0] * PX_PER_MM, table.visible_mm[1] * PX_PER_MM
    size = f'width="{wide:.1f}" height="{high:.1f}"'
    yield f'<rect x="{left:.1f}" y="{TOP_VIEW_Y}" {size} fill="{FIELD}" stroke="{INK}"/>'
    across, down = wide / table.columns, high / table.rows
    for column in range(1, table.columns):
        x = left + column * across
        yield _line(x, TOP_VIEW_Y, x, TOP_VIEW_Y + high, dashed=True)
    for row in range(1, table.rows):
        y = TOP_VIEW_Y + row * down
        yield _line(left, y, left + wide, y, dashed=True)
    for seat in range(table.seats):
        x, y = left + (seat % table.columns + 0.5) * across, TOP_VIEW_Y + (seat // table.columns + 0.5) * down
        long, broad = table.hand_mm * PX_PER_MM / 2, table.hand_mm * PX_PER_MM * 0.24
        flat = table.rows == 1
        rx, ry = (long, broad) if flat else (broad, long)
        yield f'<ellipse cx="{x:.1f}" cy="{y:.1f}" rx="{rx:.1f}" ry="{ry:.1f}" fill="{SKIN}" stroke="{INK}"/>'
        yield _text(str(seat + 1), x, y + 6, 16, bold=True)
    caption = f"shows {table.visible_mm[0] / 1000:.2f} × {table.visible_mm[1] / 1000:.2f} m of the table"
    yield _text(caption, left + wide / 2, TOP_VIEW_Y + high + 26, 15)


def _line(x: float, y: float, to_x: float, to_y: float, dashed: bool = False) -> str:
    dashes = ' stroke-dasharray="5 4"' if dashed else ""
    return (
        f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" stroke="{INK}" stroke-width="1.5"{dashes}/>'
    )


def _text(text: str, x: float, y: float, size: int, anchor: str = "middle", bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{INK}"{weight}>'
        f"{escape(text)}</text>"
    )
