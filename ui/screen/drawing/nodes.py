"""Pages that are forms, as trees of nodes: texts, buttons, cards, rows and columns, which share out a page's room and
draw themselves. A node takes its ``length`` along its row or column if it has one, or what its text needs; the rest is
split by ``share``. Lengths are in units of the theme."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Generic, Literal, TypeVar

from pygame import Rect
from typing_extensions import override

from rules.engine import Seat
from ui.charts.proof_code import qr_modules
from ui.i18n.language import render
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import PAINTERS, Alignment, Canvas, VerticalAlignment
from ui.screen.drawing.text import text_width
from ui.screen.drawing.theme import ACCENT, MIN_TARGET_MM, MUTED, PANEL, TEXT, UNIT_MM, Colour, TextRole, Theme
from ui.screen.drawing.widgets import draw_choice, draw_header, draw_list_page, draw_modules
from ui.screen.views import ListPage, Press, View

Length = float | tuple[float, float]
"""A number of units, or of shares; or two of them, in landscape and in portrait."""
TextSize = Literal["small", "body", "title", "shared", "big", "huge"] | float
"""A font size by its name in the theme, or in units."""
TOUCH = MIN_TARGET_MM / UNIT_MM
"""The least side of what is touched."""
GAP = 2.0
"""Between neighbours."""

ItemT = TypeVar("ItemT")
ViewT = TypeVar("ViewT", bound=View)


def in_orientation(length: Length, theme: Theme) -> float:
    """Return the length that counts in the page's orientation."""
    return length[theme.portrait] if isinstance(length, tuple) else length


def pixels(length: Length, theme: Theme) -> int:
    """Return a length in pixels, never less than a finger needs where it is a touch target's."""
    units = in_orientation(length, theme)
    return max(theme.touch_size, theme.units(units)) if units >= TOUCH else theme.units(units) if units else 0


def font_size(size: TextSize, theme: Theme) -> int:
    """Return a font size in pixels."""
    return int(getattr(theme, size)) if isinstance(size, str) else theme.units(size)


@dataclass(frozen=True)
class Node(ABC):
    """A part of a page."""

    _: KW_ONLY
    share: Length = 1.0
    """Its share of the room that is left."""
    length: Length | None = None
    """What it takes along its row or column; None: its share, or what it needs."""

    def needed_height(self, canvas: Canvas, width: int) -> int | None:
        """Return the pixels it needs from top to bottom if it is ``width`` pixels wide; None: it takes its share."""
        del canvas, width
        return None

    @abstractmethod
    def draw(self, canvas: Canvas, box: Rect) -> None:
        """Draw it in ``box``."""


@dataclass(frozen=True)
class Text(Node):
    """A text that shrinks to fit."""

    text: str
    size: TextSize = "body"
    colour: Colour = TEXT
    _: KW_ONLY
    lines: int = 9
    align: Alignment = "centre"
    vertical_align: VerticalAlignment = "centre"
    role: TextRole = "personal"
    min_size: float | None = None
    """The smallest size in units; None: the theme's."""
    fits: bool = False
    """Whether it takes just the height that it needs at its role's minimum size, or for one line at its own."""

    @override
    def needed_height(self, canvas: Canvas, width: int) -> int | None:
        return canvas.text_height(self.text, width, self.role, self.lines) if self.fits else None

    @override
    def draw(self, canvas: Canvas, box: Rect) -> None:
        canvas.text(
            box,
            self.text,
            font_size(self.size, canvas.theme),
            self.colour,
            align=self.align,
            max_lines=self.lines,
            vertical_align=self.vertical_align,
            min_size=None if self.min_size is None else canvas.theme.units(self.min_size),
            role=self.role,
        )


def note(text: str, colour: Colour = MUTED, *, lines: int = 9, align: Alignment = "left") -> Text:
    """Return a small text that takes just the height it needs."""
    return Text(text, "small", colour, lines=lines, align=align, fits=True)


@dataclass(frozen=True)
class Icon(Node):
    """An icon in the middle of its box, with sides of ``side`` units at most."""

    name: str
    colour: Colour = ACCENT
    side: float | None = None

    @override
    def draw(self, canvas: Canvas, box: Rect) -> None:
        side = max(box.size) if self.side is None else canvas.theme.units(self.side)
        canvas.icon(layout.centre(box, side, side), self.name, self.colour)


@dataclass(frozen=True)
class SeatMark(Node):
    """The mark of a seat."""

    seat: Seat

    @override
    def draw(self, canvas: Canvas, box: Rect) -> None:
        canvas.seat_mark(box, self.seat)


@dataclass(frozen=True)
class Button(Node):
    """A button; see Canvas.button."""

    label: str
    press: Press
    icon: str | None = None
    _: KW_ONLY
    size: TextSize = "title"
    main: bool = False
    icon_only: bool = False
    enabled: bool = True
    leads_back: bool = False
    repeats: bool = False

    @override
    def draw(self, canvas: Canvas, box: Rect) -> None:
        canvas.button(
            box,
            self.label,
            self.press,
            size=font_size(self.size, canvas.theme),
            main=self.main,
            icon=self.icon,
            icon_only=self.icon_only,
            enabled=self.enabled,
            leads_back=self.leads_back,
            repeats=self.repeats,
        )


@dataclass(frozen=True)
class Choice(Node):
    """One of several choices, which may be the ``chosen`` one."""

    label: str
    press: Press
    chosen: bool
    size: TextSize = "body"

    @override
    def draw(self, canvas: Canvas, box: Rect) -> None:
        size = font_size(self.size, canvas.theme)
        draw_choice(canvas, box, self.label, self.press, self.chosen, size=size)


@dataclass(frozen=True)
class QrCode(Node):
    """A text as a QR code; one with a ``press`` can be touched."""

    text: str
    press: Press | None = None
    label: str = ""

    @override
    def draw(self, canvas: Canvas, box: Rect) -> None:
        code = draw_modules(canvas, box, qr_modules(self.text))
        if self.press is not None:
            canvas.add_target(code, self.press, self.label)


@dataclass(frozen=True)
class Drawing(Node):
    """Anything that a function draws in the box it is given."""

    paint: Callable[[Canvas, Rect], object]

    @override
    def draw(self, canvas: Canvas, box: Rect) -> None:
        self.paint(canvas, box)


@dataclass(frozen=True)
class Space(Node):
    """Room for nothing."""

    @override
    def draw(self, canvas: Canvas, box: Rect) -> None:
        pass


@dataclass(frozen=True)
class CardPanel(Node):
    """A panel around a node; with a ``press`` it can be touched, and has a thin edge."""

    node: Node
    press: Press | None = None
    label: str = ""
    _: KW_ONLY
    across: float = 2.0
    """The room at the left and right of the node, in units."""
    down: float = 0.6
    """The room above and below it, in units."""
    fill: Colour = PANEL
    edge: Colour | None = None
    """The colour of its edge; None: that of every panel that can be touched, or none."""
    strong: bool = False
    """Whether an edge with a colour is a thick one."""
    marked: bool = False
    """Whether the edge catches the eye."""
    main: bool = False
    """Whether most people will touch it."""

    @override
    def needed_height(self, canvas: Canvas, width: int) -> int | None:
        across, down = canvas.theme.units(self.across), canvas.theme.units(self.down)
        height = self.node.needed_height(canvas, width - 2 * across)
        return None if height is None else height + 2 * down

    @override
    def draw(self, canvas: Canvas, box: Rect) -> None:
        if self.edge is not None or (self.press is None and not self.marked):
            width = canvas.theme.units(0.9 if self.strong else 0.3)
            canvas.panel(box, self.fill, edge=self.edge, width=width)
        else:
            canvas.framed_panel(box, self.fill, marked=self.marked)
        if self.press is not None:
            canvas.add_target(box, self.press, self.label, main=self.main)
        self.node.draw(canvas, layout.inset(box, canvas.theme.units(self.across), canvas.theme.units(self.down)))


@dataclass(frozen=True, init=False)
class _Line(Node):
    """Nodes one after the other; those that are None are left out."""

    nodes: tuple[Node, ...]
    gap: Length = field(default=GAP, kw_only=True)
    spread: Length = field(default=0.0, kw_only=True)
    """The most that each node grows by where no node takes the room that is left."""

    def __init__(
        self,
        *nodes: Node | None,
        gap: Length = GAP,
        spread: Length = 0.0,
        share: Length = 1.0,
        length: Length | None = None,
    ) -> None:
        kept = tuple(node for node in nodes if node is not None)
        values = (("nodes", kept), ("gap", gap), ("spread", spread), ("share", share), ("length", length))
        for name, value in values:
            object.__setattr__(self, name, value)

    def _sizes(self, canvas: Canvas, fixed: Sequence[int | None], total: int) -> list[int]:
        """Return the pixels of each node: ``fixed``, or its share of what is left of ``total``."""
        gap = pixels(self.gap, canvas.theme)
        left = max(0, total - gap * (len(fixed) - 1) - sum(size or 0 for size in fixed))
        shares = [
            0.0 if size is not None else in_orientation(node.share, canvas.theme)
            for node, size in zip(self.nodes, fixed, strict=True)
        ]
        if None not in fixed:
            more = min(left // max(1, len(fixed)), pixels(self.spread, canvas.theme))
            return [(size or 0) + more for size in fixed]
        sizes, given, before = [], 0, 0.0
        for size, share in zip(fixed, shares, strict=True):
            if size is not None:
                sizes.append(size)
                continue
            before += share
            until = round(left * before / sum(shares))
            sizes.append(until - given)
            given = until
        return sizes


@dataclass(frozen=True, init=False)
class Column(_Line):
    """Nodes from top to bottom."""

    def _heights(self, canvas: Canvas, width: int) -> list[int | None]:
        return [
            pixels(node.length, canvas.theme) if node.length is not None else node.needed_height(canvas, width)
            for node in self.nodes
        ]

    @override
    def needed_height(self, canvas: Canvas, width: int) -> int | None:
        if self.spread:
            return None
        heights = [height for height in self._heights(canvas, width) if height is not None]
        gaps = pixels(self.gap, canvas.theme) * (len(self.nodes) - 1)
        return sum(heights) + gaps if self.nodes and len(heights) == len(self.nodes) else None

    @override
    def draw(self, canvas: Canvas, box: Rect) -> None:
        y, gap = box.y, pixels(self.gap, canvas.theme)
        heights = self._sizes(canvas, self._heights(canvas, box.w), box.h)
        for node, height in zip(self.nodes, heights, strict=True):
            node.draw(canvas, Rect(box.x, y, box.w, height))
            y += height + gap


@dataclass(frozen=True, init=False)
class Row(_Line):
    """Nodes from left to right."""

    def _widths(self, canvas: Canvas, width: int) -> list[int]:
        fixed = [None if node.length is None else pixels(node.length, canvas.theme) for node in self.nodes]
        return self._sizes(canvas, fixed, width)

    @override
    def needed_height(self, canvas: Canvas, width: int) -> int | None:
        heights = [
            node.needed_height(canvas, own) for node, own in zip(self.nodes, self._widths(canvas, width), strict=True)
        ]
        return max((height for height in heights if height is not None), default=None)

    @override
    def draw(self, canvas: Canvas, box: Rect) -> None:
        x, gap = box.x, pixels(self.gap, canvas.theme)
        for node, width in zip(self.nodes, self._widths(canvas, box.w), strict=True):
            node.draw(canvas, Rect(x, box.y, width, box.h))
            x += width + gap


def hint(text: str, icon: str = "bubble", colour: Colour = ACCENT) -> CardPanel:
    """Return a card with a text after an icon, as high as the text needs."""
    words = Text(text, lines=9, align="left", fits=True)
    return CardPanel(Row(Icon(icon, colour, length=6), words), down=1.2)


@dataclass(frozen=True, init=False)
class HandRow(Row):
    """Nodes in a row, the last one next to the hand that touches, for the main button."""

    @override
    def draw(self, canvas: Canvas, box: Rect) -> None:
        nodes = self.nodes[::-1] if canvas.theme.mirrored else self.nodes
        Row(*nodes, gap=self.gap).draw(canvas, box)


@dataclass(frozen=True, init=False)
class Flip(_Line):
    """Nodes in a row in landscape, in a column in portrait. Their lengths and shares may differ between the two."""

    @override
    def draw(self, canvas: Canvas, box: Rect) -> None:
        (Column if canvas.theme.portrait else Row)(*self.nodes, gap=self.gap).draw(canvas, box)


@dataclass(frozen=True)
class Either(Node):
    """A node in landscape and another one in portrait."""

    landscape: Node
    portrait: Node

    @override
    def draw(self, canvas: Canvas, box: Rect) -> None:
        (self.portrait if canvas.theme.portrait else self.landscape).draw(canvas, box)


@dataclass(frozen=True)
class Grid(Node):
    """Nodes in cells of one size, ``across`` to a row, from the top."""

    nodes: Sequence[Node]
    across: Length = 1
    _: KW_ONLY
    gap: float = GAP
    count: int = 0
    """The cells, where there are more than nodes."""
    most: Length | None = None
    """The most that a cell is high."""

    @override
    def draw(self, canvas: Canvas, box: Rect) -> None:
        count, across = max(1, self.count, len(self.nodes)), int(in_orientation(self.across, canvas.theme))
        gap, down = canvas.theme.units(self.gap), -(-count // across)
        if self.most is not None:
            box = layout.split_top(box, min(box.h, down * pixels(self.most, canvas.theme) + (down - 1) * gap), 0)[0]
        cells = layout.grid(box, count, across, gap)
        for node, cell in zip(self.nodes, cells, strict=False):
            node.draw(canvas, cell)


@dataclass(frozen=True)
class ItemList(Node, Generic[ItemT]):
    """A list of a page that may be longer than the screen, a node for each item between ``least`` and ``most`` units
    high, ``across`` to a row."""

    page: ListPage
    items: Sequence[ItemT]
    make_node: Callable[[ItemT], Node]
    least: Length
    most: Length | None = None
    _: KW_ONLY
    across: Length = 1

    @override
    def draw(self, canvas: Canvas, box: Rect) -> None:
        theme, across = canvas.theme, int(in_orientation(self.across, canvas.theme))
        least = pixels(self.least, theme)
        box, items, fitting = draw_list_page(canvas, box, self.page, self.items, least, across=across)
        down = -(-max(across, fitting) // across)
        height = (box.h - (down - 1) * theme.gap) // down
        height = min(height, least if self.most is None else pixels(self.most, theme))
        cells = layout.grid(
            Rect(box.x, box.y, box.w, down * height + (down - 1) * theme.gap), down * across, across, theme.gap
        )
        for cell, item in zip(cells, items, strict=False):
            self.make_node(item).draw(canvas, cell)


@dataclass(frozen=True, init=False)
class Form(Node):
    """A whole page: its ``title`` with a ``note`` at the right, or below where it is long, its nodes, and at the
    ``foot`` its buttons, the main one last."""

    title: str
    body: Column
    foot: Node | None
    foot_length: Length
    note: str

    def __init__(
        self,
        title: str,
        *nodes: Node | None,
        foot: Sequence[Node | None] | Node = (),
        foot_length: Length = 1.4 * TOUCH,
        note: str = "",
        gap: Length = GAP,
    ) -> None:
        super().__init__()
        row = foot if isinstance(foot, Node) else HandRow(*foot) if any(foot) else None
        body = Column(*nodes, gap=gap)
        values = (("title", title), ("body", body), ("foot", row), ("foot_length", foot_length), ("note", note))
        for name, value in values:
            object.__setattr__(self, name, value)

    @override
    def draw(self, canvas: Canvas, box: Rect) -> None:
        theme = canvas.theme
        if self.title:
            both = text_width(render(self.title), theme.body) + text_width(render(self.note), theme.body)
            beside = both + theme.units(6) <= box.w
            box = draw_header(canvas, box, self.title, note=self.note if beside else "")
            if not beside:
                line, box = layout.split_top(box, theme.units(7), theme.gap)
                canvas.text(line, self.note, theme.body, MUTED, align="left")
        if self.foot is None:
            self.body.draw(canvas, box)
        else:
            body, foot = layout.split_bottom(box, pixels(self.foot_length, theme), theme.gap)
            self.body.draw(canvas, body)
            self.foot.draw(canvas, foot)


def lays_out(
    page_type: type[ViewT], *, undrawn: Sequence[str] = ()
) -> Callable[[Callable[[ViewT], Node]], Callable[[ViewT], Node]]:
    """Register the decorated function, which returns a page's nodes, as what draws it. They show nothing of the page's
    ``undrawn`` fields."""

    def register(make: Callable[[ViewT], Node]) -> Callable[[ViewT], Node]:
        def paint(canvas: Canvas, page: ViewT) -> None:
            canvas.ignore_fields(*undrawn)
            make(page).draw(canvas, canvas.page)

        PAINTERS[page_type] = paint
        return make

    return register
