"""The nodes that pages which are forms are made of: texts, icons, buttons, cards, which draw themselves in the box they
are given (``forms`` puts them in rows and columns). A node takes its ``length`` along its row or column if it has one,
or what its text needs, else its ``share`` of the rest. Lengths are in units of the theme."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Literal

from pygame import Rect
from typing_extensions import override

from rules.engine import Seat
from ui.charts.proof_code import qr_modules
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Alignment, Canvas, VerticalAlignment
from ui.screen.drawing.text import line_height
from ui.screen.drawing.theme import ACCENT, MIN_TARGET_MM, MUTED, PANEL, TEXT, UNIT_MM, Colour, TextRole, Theme
from ui.screen.drawing.widgets import draw_choice, draw_modules
from ui.screen.views import Press

Length = float | tuple[float, float]
"""A number of units, or of shares; or two of them, in landscape and in portrait."""
FontSize = Literal["small", "body", "title", "shared", "big", "huge"] | float
"""A font size by its name in the theme, or in units."""
TextSize = FontSize | tuple[FontSize, FontSize]
"""A font size; or two of them, in landscape and in portrait."""
TOUCH = MIN_TARGET_MM / UNIT_MM
"""The least side of what is touched."""
GAP = 2.0
"""Between neighbours."""
SMALL_LINE = 5.0
"""A line of the smallest text."""


def in_orientation(length: Length, theme: Theme) -> float:
    """Return the length that counts in the page's orientation."""
    return theme.pick(*length) if isinstance(length, tuple) else length


def pixels(length: Length, theme: Theme) -> int:
    """Return a length in pixels, never less than a finger needs where it is a touch target's."""
    units = in_orientation(length, theme)
    return max(theme.touch_size, theme.units(units)) if units >= TOUCH else theme.units(units) if units else 0


def font_size(size: TextSize, theme: Theme) -> int:
    """Return the font size that counts in the page's orientation, in pixels."""
    chosen: FontSize = theme.pick(*size) if isinstance(size, tuple) else size
    return int(getattr(theme, chosen)) if isinstance(chosen, str) else theme.units(chosen)


@dataclass(frozen=True)
class Node(ABC):
    """A part of a page."""

    _: KW_ONLY
    share: Length = 1.0
    """Its share of the room that is left."""
    length: Length | tuple[float | None, float | None] | None = None
    """What it takes along its row or column (0: it is left out there); None, or None in one of the two orientations:
    its share, or what it needs."""
    hugs: bool = False
    """Whether in a row it is just as wide as its text."""

    def fixed_length(self, theme: Theme) -> float | None:
        """Return its length in the page's orientation; None if it takes its share, or what it needs."""
        return theme.pick(*self.length) if isinstance(self.length, tuple) else self.length

    def needed_width(self, canvas: Canvas, most: int, height: int) -> int:
        """Return the pixels that its text needs from left to right, up to ``most``, in a box ``height`` pixels high."""
        del canvas, height
        return most

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
    """Whether it takes just the height that it needs at its role's minimum size, at least a line at its own."""

    @override
    def fixed_length(self, theme: Theme) -> float | None:
        length = super().fixed_length(theme)
        return None if length is None else length * theme.text_scale

    @override
    def needed_width(self, canvas: Canvas, most: int, height: int) -> int:
        return canvas.text_width(self.text, font_size(self.size, canvas.theme), most, height)

    @override
    def needed_height(self, canvas: Canvas, width: int) -> int | None:
        if not self.fits:
            return None
        least = canvas.text_height(self.text, width, self.role, self.lines)
        return max(least, line_height(font_size(self.size, canvas.theme)))

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
    """An icon in the middle of its box."""

    name: str
    colour: Colour = ACCENT
    side: float | None = None
    """The most that its sides are, in units; None: as large as the box."""

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
    note: str = ""

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
            note=self.note,
        )


@dataclass(frozen=True)
class Choice(Node):
    """One of several choices."""

    label: str
    press: Press
    chosen: bool
    """Whether it is the present one."""
    size: TextSize = "body"

    @override
    def needed_width(self, canvas: Canvas, most: int, height: int) -> int:
        size, tick = font_size(self.size, canvas.theme), canvas.theme.units(5.4 if self.chosen else 0.4)
        return canvas.text_width(self.label, size, most, height) + tick + canvas.theme.units(3.6)

    @override
    def draw(self, canvas: Canvas, box: Rect) -> None:
        size = font_size(self.size, canvas.theme)
        draw_choice(canvas, box, self.label, self.press, self.chosen, size=size)


@dataclass(frozen=True)
class QrCode(Node):
    """A text as a QR code."""

    text: str
    press: Press | None = None
    """What a touch leads to; None: it can't be touched."""
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
    """A panel around a node."""

    node: Node
    press: Press | None = None
    """What a touch leads to; None: it can't be touched, and has no thin edge."""
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
