"""A grid with a cell for each player of a class, in pages if it is long, and the legend of its symbols."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pygame import Rect

from rules.engine import Seat
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.text import fit_text, line_height
from ui.screen.drawing.theme import ACCENT, BACKGROUND, LINE, MUTED, PANEL, TEXT, Colour
from ui.screen.drawing.widgets import draw_list_page_buttons
from ui.screen.pages.classroom import own_name
from ui.screen.views import ListPage

ColouredIcon = tuple[str, Colour]
"""The name of an icon and its colour."""
Symbol = ColouredIcon | str
"""A symbol that a legend explains: an icon or a text."""
INLINE_ASPECT_RATIO = 2.4
"""A cell at least this many times as wide as high has its figure next to its number."""
CellSizes = tuple[tuple[int, int], tuple[int, int]]
"""The smallest cells in units, width and height, without and with names."""


@dataclass(frozen=True)
class GridCell:
    """One player's cell in the grid: number and name, up to two icons, a figure, a streak; where it is too flat for two
    lines, only number and figure."""

    seat: Seat
    name: str
    icons: tuple[ColouredIcon, ...] = ()
    figure: str = ""
    strong: bool = False
    """Whether it has an edge."""
    out: bool = False
    """Whether the player is out, so that it has no background."""
    missing: bool = False
    """Whether the card or throw is missing, so that it has an edge and no background."""
    streak: str = ""


def draw_legend(canvas: Canvas, box: Rect, entries: Sequence[tuple[Symbol, str]]) -> Rect:
    """Draw what each symbol of a page means, in as many lines as needed at the bottom of ``box``. Return the rest of
    the box."""
    theme, widths = canvas.theme, []
    height, gap = line_height(theme.body), theme.units(1)
    for symbol, word in entries:
        symbol_width = (
            canvas.text_width(symbol, theme.body, box.w, height) if isinstance(symbol, str) else theme.units(4)
        )
        widths.append((symbol_width, canvas.text_width(word, theme.body, box.w, height)))
    lines: list[list[int]] = []
    free = 0
    for number, (symbol_width, word_width) in enumerate(widths):
        needed = symbol_width + gap + word_width
        if not lines or needed > free:
            lines.append([])
            free = box.w
        lines[-1].append(number)
        free -= needed + 2 * theme.gap
    rest, foot = layout.split_bottom(box, height * len(lines), theme.gap if lines else 0)
    for line, numbers in zip(layout.rows(foot, [1] * len(lines), 0), lines, strict=True):
        x = line.x
        for number in numbers:
            (symbol, word), (symbol_width, word_width) = entries[number], widths[number]
            rect = Rect(x, line.y, symbol_width, line.h)
            if isinstance(symbol, str):
                canvas.text(rect, symbol, theme.body, align="left")
            else:
                canvas.icon(layout.centre(rect, symbol_width, symbol_width), *symbol)
            canvas.text(Rect(rect.right + gap, line.y, word_width, line.h), word, theme.body, MUTED, align="left")
            x += symbol_width + gap + word_width + 2 * theme.gap
    return rest


def draw_cell_list(
    canvas: Canvas,
    box: Rect,
    cells: Sequence[GridCell],
    page: ListPage,
    smallest: CellSizes,
    turn: Rect | None = None,
    aspect_ratio: float = 1.7,
) -> None:
    """Draw the cells of a page of a list, none under the ``smallest`` size; if there are several pages, also buttons
    that turn them. With a place for these, ``turn``, the list begins on the second page."""
    theme = canvas.theme
    named = any(own_name(cell.seat, cell.name) for cell in cells)
    width, height = map(theme.units, smallest[named])
    gap = theme.units(0.7)

    def capacity(box: Rect) -> int:
        return max(1, (box.w + gap) // (width + gap)) * max(1, (box.h + gap) // (height + gap))

    first_page = 0 if turn is None else 1
    if turn is None and len(cells) > capacity(box):
        box, turn = layout.split_bottom(box, theme.touch_size, theme.gap)
    pages = -(-len(cells) // capacity(box))
    if turn is not None:
        draw_list_page_buttons(canvas, turn, page, page.list_page, first_page + pages)
    count = -(-len(cells) // pages)
    first = (page.list_page - first_page) * count
    draw_grid(canvas, box, cells[first : first + count], aspect_ratio, count)


def columns_for(width: int, height: int, count: int, aspect_ratio: float) -> int:
    """Return the number of columns with which ``count`` cells are largest in a box, each about ``aspect_ratio`` times
    as wide as high."""

    def size(columns: int) -> float:
        return min(width / columns / aspect_ratio, height / math.ceil(count / columns))

    return max(range(1, count + 1), key=size)


def draw_grid(
    canvas: Canvas, box: Rect, cells: Sequence[GridCell], aspect_ratio: float = 1.7, count: int | None = None
) -> None:
    """Draw a cell for everybody, about ``aspect_ratio`` times as wide as high, the last row from the left, so that
    numbers line up in columns; ``count`` is how many there is room for. Of a name that doesn't fit the first word is
    shown, or the number alone."""
    count = count or len(cells)
    theme, columns = canvas.theme, columns_for(box.w, box.h, count, aspect_ratio)
    rows = layout.rows(box, [1] * -(-count // columns), theme.units(0.7))
    rects = [rect for row in rows for rect in layout.columns(row, [1] * columns, theme.units(0.7))]
    inner = layout.inset(rects[0], theme.units(0.8), theme.units(0.6))
    least = theme.small
    name_height = max(inner.h * 3 // 10, line_height(least))
    figures_below = any(cell.figure for cell in cells) and inner.w < INLINE_ASPECT_RATIO * (inner.h - name_height)
    rows_above = 2 if figures_below else 1

    def fitting_name(cell: GridCell) -> str:
        name = own_name(cell.seat, cell.name) or ""
        shown = (part for part in (name, name.partition(" ")[0]) if part)
        return next((part for part in shown if fit_text(part, inner.w, name_height, theme.body, least, 1).complete), "")

    fits = name_height + rows_above * line_height(least) <= inner.h
    names = [fitting_name(cell) if fits else "" for cell in cells]
    for rect, cell, name in zip(rects, cells, names, strict=False):
        _draw_cell(canvas, rect, cell, name, name_height if any(names) else 0)


def _draw_cell(canvas: Canvas, box: Rect, cell: GridCell, name: str, name_height: int) -> None:
    """Draw number and icons side by side, with the name and the figure below them, if any."""
    theme, strong = canvas.theme, cell.strong or cell.missing
    background = BACKGROUND if cell.out or cell.missing else PANEL
    canvas.panel(box, background, edge=ACCENT if strong else LINE, width=theme.units(0.6 if strong else 0.2))
    upper = layout.inset(box, theme.units(0.8), theme.units(0.6))
    if name_height:
        upper, rect = layout.split_bottom(upper, name_height, 0)
        if name:
            canvas.text(rect, name, theme.body, MUTED)
    flat = bool(cell.figure) and upper.h < 2 * line_height(theme.small)
    count = 0 if flat else len(cell.icons)
    if cell.figure:
        inline = flat or (upper.w >= INLINE_ASPECT_RATIO * upper.h and count < 2)
        upper, rect = layout.columns(upper, [1, 1], theme.gap) if inline else layout.rows(upper, [1, 1], 1)
        colour = ACCENT if strong else TEXT
        figure = cell.figure if flat or not cell.streak else f"{cell.figure} {cell.streak}"
        canvas.text(rect, figure, theme.units(9), colour, align="right" if inline else "centre")
    number = upper
    if count:
        side = min(upper.h, upper.w // (count + 2))
        number, icons = layout.split_right(upper, side * count + count - 1, theme.units(0.5))
        for rect, icon in zip(layout.columns(icons, [1] * count, 1), cell.icons, strict=True):
            canvas.icon(layout.centre(rect, round(side * 0.9), round(side * 0.9)), *icon)
    canvas.text(number, str(cell.seat), theme.units(12), MUTED if count or flat else TEXT)
