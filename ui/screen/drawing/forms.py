"""Rows, columns, grids and lists of nodes, which share out their room, and whole pages of them: forms. The rest that
fixed lengths and needed heights leave is split by ``share``."""

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Generic, TypeVar

from pygame import Rect
from typing_extensions import override

from ui.i18n.language import render
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import PAINTERS, Canvas
from ui.screen.drawing.nodes import GAP, TOUCH, CardPanel, Icon, Length, Node, Text, in_orientation, pixels
from ui.screen.drawing.text import text_width
from ui.screen.drawing.theme import ACCENT, MUTED, Colour, Theme
from ui.screen.drawing.widgets import draw_header, draw_list_page, draw_titled_bar
from ui.screen.views import ListPage, Press, View

ItemT = TypeVar("ItemT")
ViewT = TypeVar("ViewT", bound=View)


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
        length: Length | tuple[float | None, float | None] | None = None,
    ) -> None:
        kept = tuple(node for node in nodes if node is not None)
        values = (("nodes", kept), ("gap", gap), ("spread", spread), ("share", share), ("length", length))
        for name, value in values:
            object.__setattr__(self, name, value)

    def _kept(self, canvas: Canvas) -> list[Node]:
        """Return the nodes without those of no length in the page's orientation."""
        return [node for node in self.nodes if node.fixed_length(canvas.theme) != 0]

    def _sizes(self, canvas: Canvas, fixed: Sequence[int | None], total: int) -> list[int]:
        """Return the pixels of each node: ``fixed``, or its share of what is left of ``total``. Where all are fixed
        and have no room, each is smaller in proportion."""
        room = total - pixels(self.gap, canvas.theme) * (len(fixed) - 1)
        left = room - sum(size or 0 for size in fixed)
        if None not in fixed:
            more = min(left // max(1, len(fixed)), pixels(self.spread, canvas.theme))
            return [(size or 0) + more if left >= 0 else (size or 0) * room // (room - left) for size in fixed]
        shares = [
            0.0 if size is not None else in_orientation(node.share, canvas.theme)
            for node, size in zip(self._kept(canvas), fixed, strict=True)
        ]
        sizes, assigned, before = [], 0, 0.0
        for size, share in zip(fixed, shares, strict=True):
            if size is not None:
                sizes.append(size)
                continue
            before += share
            until = round(max(0, left) * before / sum(shares))
            sizes.append(until - assigned)
            assigned = until
        return sizes


@dataclass(frozen=True, init=False)
class Column(_Line):
    """Nodes from top to bottom."""

    def _heights(self, canvas: Canvas, width: int) -> list[int | None]:
        return [
            node.needed_height(canvas, width) if length is None else pixels(length, canvas.theme)
            for node in self._kept(canvas)
            for length in [node.fixed_length(canvas.theme)]
        ]

    @override
    def needed_height(self, canvas: Canvas, width: int) -> int | None:
        if self.spread:
            return None
        needed = self._heights(canvas, width)
        heights = [height for height in needed if height is not None]
        gaps = pixels(self.gap, canvas.theme) * (len(needed) - 1)
        return sum(heights) + gaps if needed and len(heights) == len(needed) else None

    @override
    def draw(self, canvas: Canvas, box: Rect) -> None:
        y, gap = box.y, pixels(self.gap, canvas.theme)
        heights = self._sizes(canvas, self._heights(canvas, box.w), box.h)
        for node, height in zip(self._kept(canvas), heights, strict=True):
            node.draw(canvas, Rect(box.x, y, box.w, height))
            y += height + gap


@dataclass(frozen=True, init=False)
class Row(_Line):
    """Nodes from left to right."""

    def _widths(self, canvas: Canvas, width: int, height: int) -> list[int]:
        fixed = [
            pixels(length, canvas.theme)
            if length is not None
            else node.needed_width(canvas, width * 3 // 5, height)
            if node.hugs
            else None
            for node in self._kept(canvas)
            for length in [node.fixed_length(canvas.theme)]
        ]
        return self._sizes(canvas, fixed, width)

    @override
    def needed_height(self, canvas: Canvas, width: int) -> int | None:
        widths = self._widths(canvas, width, canvas.page.h)
        heights = [node.needed_height(canvas, own) for node, own in zip(self._kept(canvas), widths, strict=True)]
        return max((height for height in heights if height is not None), default=None)

    @override
    def draw(self, canvas: Canvas, box: Rect) -> None:
        x, gap = box.x, pixels(self.gap, canvas.theme)
        for node, width in zip(self._kept(canvas), self._widths(canvas, box.w, box.h), strict=True):
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
        Row(*nodes, gap=self.gap, spread=self.spread).draw(canvas, box)


@dataclass(frozen=True, init=False)
class Flip(_Line):
    """Nodes in a row in landscape, in a column in portrait. Their lengths and shares may differ between the two."""

    def _line(self, canvas: Canvas) -> _Line:
        return canvas.theme.pick(Row, Column)(*self.nodes, gap=self.gap, spread=self.spread)

    @override
    def needed_height(self, canvas: Canvas, width: int) -> int | None:
        return self._line(canvas).needed_height(canvas, width)

    @override
    def draw(self, canvas: Canvas, box: Rect) -> None:
        self._line(canvas).draw(canvas, box)


@dataclass(frozen=True, init=False)
class HandFlip(Flip):
    """Nodes in a row in landscape, the last one next to the hand that touches; in a column in portrait."""

    @override
    def _line(self, canvas: Canvas) -> _Line:
        return canvas.theme.pick(HandRow, Column)(*self.nodes, gap=self.gap, spread=self.spread)


@dataclass(frozen=True)
class Either(Node):
    """A node in landscape and another one in portrait."""

    landscape: Node
    portrait: Node

    def _node(self, canvas: Canvas) -> Node:
        return canvas.theme.pick(self.landscape, self.portrait)

    @override
    def needed_height(self, canvas: Canvas, width: int) -> int | None:
        return self._node(canvas).needed_height(canvas, width)

    @override
    def draw(self, canvas: Canvas, box: Rect) -> None:
        self._node(canvas).draw(canvas, box)


@dataclass(frozen=True)
class Centred(Node):
    """A node of a height in the middle of its box, or smaller if that is."""

    node: Node
    height: Length
    _: KW_ONLY
    fits: bool = False
    """Whether it takes just that height."""

    @override
    def needed_height(self, canvas: Canvas, width: int) -> int | None:
        return pixels(self.height, canvas.theme) if self.fits else None

    @override
    def draw(self, canvas: Canvas, box: Rect) -> None:
        self.node.draw(canvas, layout.centre(box, box.w, pixels(self.height, canvas.theme)))


@dataclass(frozen=True)
class AtLeast(Node):
    """A node that takes a height, or more if it needs that."""

    node: Node
    height: Length

    @override
    def needed_height(self, canvas: Canvas, width: int) -> int | None:
        return max(pixels(self.height, canvas.theme), self.node.needed_height(canvas, width) or 0)

    @override
    def draw(self, canvas: Canvas, box: Rect) -> None:
        self.node.draw(canvas, box)


@dataclass(frozen=True)
class Heading(Node):
    """A page's title where it is not alone in its line, or not on every page."""

    title: str

    @override
    def draw(self, canvas: Canvas, box: Rect) -> None:
        draw_header(canvas, box, self.title)


@dataclass(frozen=True)
class Grid(Node):
    """Nodes in cells of one size, from the top."""

    nodes: Sequence[Node]
    across: Length = 1
    """The cells of a row."""
    _: KW_ONLY
    gap: float = GAP
    count: Length = 0
    """The cells, where there are more than nodes."""
    most: Length | None = None
    """The most that a cell is high."""
    fits: bool = False
    """Whether it takes just the height of cells that are as high as can be."""

    def _size(self, theme: Theme) -> tuple[int, int, int]:
        """Return the cells, those of a row, and the rows."""
        count = max(1, int(in_orientation(self.count, theme)), len(self.nodes))
        across = int(in_orientation(self.across, theme))
        return count, across, -(-count // across)

    @override
    def needed_height(self, canvas: Canvas, width: int) -> int | None:
        if self.most is None or not self.fits:
            return None
        _, _, down = self._size(canvas.theme)
        return down * pixels(self.most, canvas.theme) + (down - 1) * canvas.theme.units(self.gap)

    @override
    def draw(self, canvas: Canvas, box: Rect) -> None:
        (count, across, down), gap = self._size(canvas.theme), canvas.theme.units(self.gap)
        if self.most is not None:
            box = layout.split_top(box, min(box.h, down * pixels(self.most, canvas.theme) + (down - 1) * gap), 0)[0]
        cells = layout.grid(box, count, across, gap)
        for node, cell in zip(self.nodes, cells, strict=False):
            node.draw(canvas, cell)


@dataclass(frozen=True)
class ItemList(Node, Generic[ItemT]):
    """A list of a page that may be longer than the screen, with a node for each item."""

    page: ListPage
    items: Sequence[ItemT]
    make_node: Callable[[ItemT], Node]
    least: Length
    """The least height of a node, in units; it is higher where an item needs more."""
    most: Length | None = None
    """The most height of a node, in units; None: the least, or what the highest needs."""
    _: KW_ONLY
    across: Length = 1
    """The nodes of a row."""

    @override
    def draw(self, canvas: Canvas, box: Rect) -> None:
        theme, across = canvas.theme, int(in_orientation(self.across, canvas.theme))
        width = (box.w - (across - 1) * theme.gap) // across
        nodes = [self.make_node(item) for item in self.items]
        needed = (node.needed_height(canvas, width) for node in nodes)
        least = max(pixels(self.least, theme), *(height or 0 for height in needed), 0)
        box, nodes_shown, fitting = draw_list_page(canvas, box, self.page, nodes, least, across=across)
        down = -(-max(across, fitting) // across)
        height = (box.h - (down - 1) * theme.gap) // down
        height = min(height, least if self.most is None else max(least, pixels(self.most, theme)))
        cells = layout.grid(
            Rect(box.x, box.y, box.w, down * height + (down - 1) * theme.gap), down * across, across, theme.gap
        )
        for cell, node in zip(cells, nodes_shown, strict=False):
            node.draw(canvas, cell)


@dataclass(frozen=True, init=False)
class Form(Node):
    """A whole page."""

    title: str
    back: Press | None
    """Where a button next to the title leads; None: there is none."""
    body: Column
    foot: Node | None
    """The buttons at the bottom, the main one last."""
    foot_length: Length
    note: str
    """A text at the right of the title, or below it where it is long."""

    def __init__(
        self,
        title: str,
        *nodes: Node | None,
        foot: Sequence[Node | None] | Node = (),
        foot_length: Length = 1.4 * TOUCH,
        note: str = "",
        gap: Length = GAP,
        back: Press | None = None,
    ) -> None:
        super().__init__()
        row = foot if isinstance(foot, Node) else HandRow(*foot) if any(foot) else None
        body = Column(*nodes, gap=gap)
        own = {"title": title, "body": body, "foot": row, "foot_length": foot_length, "note": note, "back": back}
        for name, value in own.items():
            object.__setattr__(self, name, value)

    @override
    def draw(self, canvas: Canvas, box: Rect) -> None:
        theme = canvas.theme
        if self.back is not None:
            box = draw_titled_bar(canvas, self.title, self.back, note=self.note)
        elif self.title:
            both = text_width(render(self.title), theme.body) + text_width(render(self.note), theme.body)
            beside = not self.note or both + theme.units(6) <= box.w
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
