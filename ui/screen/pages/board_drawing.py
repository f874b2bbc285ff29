"""How the board lies on the screen, and its pieces. The plate of a piece shows the owner: round and light for South,
square, dark and edged for North; the icon and its letter show the kind. A stack shows every sheet from bottom to top:
South's as full bars, North's as short ones, with an edge where there is room."""

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

from pygame import Rect

from rules.board.board import Board, Space
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.theme import Colour
from ui.screen.pages.board_position import PIECE_ICONS, Token, owner_of

SOUTH_COLOUR: Colour = (250, 232, 196)
NORTH_COLOUR: Colour = (20, 30, 58)
NORTH_EDGE_COLOUR: Colour = (120, 176, 255)
SOUTH_TEXT_COLOUR: Colour = (70, 44, 18)
NORTH_TEXT_COLOUR: Colour = (206, 226, 255)
THIN_SHEET_COLOUR: Colour = (150, 116, 74)
"""For South's sheets that are too thin for an edge, on South's plate."""
LETTER_CENTRES = {"R": (0.5, 0.52), "P": (0.5, 0.60), "S": (0.5, 0.16), "F": (0.50, 0.36)}
"""The centre of the letter, in fractions of the icon's side."""

LETTER_SIZES = {"R": 0.50, "P": 0.46, "S": 0.36, "F": 0.38}
"""The height of the letter, as a fraction of the piece's."""


@dataclass(frozen=True)
class BoardGeometry:
    """The places of a board's spaces in ``box``, as large as fits: pointy-topped hexagons in rows, South at the
    bottom."""

    board: Board
    box: Rect

    @cached_property
    def space_width(self) -> float:
        """The width of a space in pixels; it is 2/√3 of that row_height."""
        left, top, right, bottom = self._extent
        return max(1.0, min(self.box.w / (right - left + 1), self.box.h / (bottom - top + 2 / math.sqrt(3))))

    def enlarge(self, focus: Space, space_width: float) -> "BoardGeometry":
        """Return the layout with spaces at least ``space_width`` pixels wide, larger than ``box`` and moved so that
        ``focus`` and the spaces around it are in the box."""
        left, top, right, bottom = self._extent
        x, y = self.board.centre(focus)
        width, height = (right - left + 1) * space_width, (bottom - top + 2 / math.sqrt(3)) * space_width
        # The outer quarters of the board show its edge, so that the neighbours of every space are in the box too.
        across, down = (x - left) / max(right - left, 1e-9), (y - top) / max(bottom - top, 1e-9)
        shares = [max(0.0, min(1.0, 2 * share - 0.5)) for share in (across, down)]
        box = Rect(self.box.topleft, (math.ceil(max(width, self.box.w)), math.ceil(max(height, self.box.h))))
        overhang = box.w - self.box.w, box.h - self.box.h
        return BoardGeometry(self.board, box.move(-round(shares[0] * overhang[0]), -round(shares[1] * overhang[1])))

    def centre(self, space: Space) -> tuple[float, float]:
        """Return the centre of a space in pixels."""
        left, top, right, bottom = self._extent
        x, y = self.board.centre(space)
        return (
            self.box.x + self.box.w / 2 + (x - (left + right) / 2) * self.space_width,
            self.box.y + self.box.h / 2 + (y - (top + bottom) / 2) * self.space_width,
        )

    def square_at(self, space: Space, share: float = 1.0) -> Rect:
        """Return a square around the centre of a space, ``share`` of the space wide."""
        x, y = self.centre(space)
        side = max(1, round(self.space_width * share))
        return Rect(round(x - side / 2), round(y - side / 2), side, side)

    def touch_rect(self, space: Space) -> Rect:
        """Return where a touch means the space: as wide as the space, as high as rows are apart. No two overlap."""
        x, y = self.centre(space)
        row_height = self.space_width * math.sqrt(3) / 2
        # Rounded first to six decimals, so that neighbours round their common edge alike.
        left, right = (math.floor(round(x + half * self.space_width, 6)) for half in (-0.5, 0.5))
        top, bottom = (math.floor(round(y + half * row_height, 6)) for half in (-0.5, 0.5))
        return Rect(left, top, max(1, right - left), max(1, bottom - top))

    @property
    def _extent(self) -> tuple[float, float, float, float]:
        return _board_extent(self.board)


@lru_cache(maxsize=16)
def _board_extent(board: Board) -> tuple[float, float, float, float]:
    """Return the outermost centres of a board: left, top, right, bottom, in widths of a space."""
    centres = [board.centre(space) for space in range(len(board.coordinates))]
    return (
        min(x for x, _ in centres),
        min(y for _, y in centres),
        max(x for x, _ in centres),
        max(y for _, y in centres),
    )


def draw_piece(canvas: Canvas, box: Rect, piece: Token) -> None:
    """Draw a piece in ``box``, a square."""
    side = owner_of(piece)
    draw_plate(canvas, box, side)
    if len(piece) > 2:
        _draw_stack(canvas, box, piece)
        return
    letter_colour, plate_colour = (SOUTH_TEXT_COLOUR, SOUTH_COLOUR) if side == 0 else (NORTH_TEXT_COLOUR, NORTH_COLOUR)
    icon_box = layout.centre(box, round(box.w * 0.74), round(box.h * 0.74))
    canvas.icon(icon_box, PIECE_ICONS[piece[0]], letter_colour)
    x, y = LETTER_CENTRES[piece[0]]
    height = round(box.h * LETTER_SIZES[piece[0]])
    rect = Rect(0, 0, 2 * height, 2 * height)
    rect.center = round(icon_box.x + x * icon_box.w), round(icon_box.y + y * icon_box.h)
    canvas.text(rect, piece[0], height, letter_colour if piece[0] == "S" else plate_colour, min_size=4, role="mark")


def draw_plate(canvas: Canvas, box: Rect, side: int) -> None:
    """Draw the plate of a piece of South's (0) or North's (1)."""
    if side == 0:
        canvas.icon(box, "circle", SOUTH_COLOUR)
        return
    box = box.inflate(box.w // 14, box.h // 14)
    canvas.icon(box, "square", NORTH_EDGE_COLOUR)
    canvas.icon(layout.inset(box, max(1, round(box.w * 0.05))), "square", NORTH_COLOUR)


def _draw_stack(canvas: Canvas, box: Rect, stack: Token) -> None:
    """Draw a stack's sheets at the left, their number at the right."""
    sheets = stack[1:]
    inner = layout.centre(box, round(box.w * 0.68), round(box.h * 0.60))
    tower, number = layout.columns(inner, [5, 4], max(1, box.w // 30))
    step = min(tower.h / len(sheets), box.h * 0.17)
    floor = tower.centery + step * len(sheets) / 2
    for count, owner in enumerate(sheets):
        top, below = round(floor - step * (count + 1)), round(floor - step * count)
        gap = 1 if below - top > 2 else 0
        bar = Rect(tower.x, top, tower.w, max(1, below - top - gap))
        _draw_sheet(canvas, bar, int(owner), owner_of(stack))
    colour = SOUTH_TEXT_COLOUR if owner_of(stack) == 0 else NORTH_TEXT_COLOUR
    canvas.text(number, str(len(sheets)), round(box.h * 0.5), colour, min_size=4, role="mark")


def _draw_sheet(canvas: Canvas, bar: Rect, owner: int, side: int) -> None:
    """Draw one sheet of a stack on the plate of ``side``, edged to stand out."""
    edge, thin = (
        (SOUTH_TEXT_COLOUR, (THIN_SHEET_COLOUR, NORTH_COLOUR))
        if side == 0
        else (NORTH_EDGE_COLOUR, (SOUTH_COLOUR, NORTH_EDGE_COLOUR))
    )
    bar = bar if owner == 0 else layout.centre(bar, max(1, round(bar.w * 0.6)), bar.h)
    if bar.h < 4:
        canvas.fill(thin[owner], bar)
        return
    canvas.fill(edge, bar)
    canvas.fill((SOUTH_COLOUR, NORTH_COLOUR)[owner], layout.inset(bar, 1))
