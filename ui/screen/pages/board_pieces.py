"""Draws the board game's pieces. The plate shows the owner: round and light for South, square, dark and edged for
North; the icon and its letter show the kind. A stack shows every sheet from bottom to top: South's as full bars,
North's as short ones, with an edge where there is room."""

from pygame import Rect

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
        canvas.surface.fill(thin[owner], bar)
        return
    canvas.surface.fill(edge, bar)
    canvas.surface.fill((SOUTH_COLOUR, NORTH_COLOUR)[owner], layout.inset(bar, 1))
