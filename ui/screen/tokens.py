"""The board game's pieces. Whose a piece is shows in its plate, round and light for South, square, dark and edged for
North; what it is, in its drawing and its letter. Of a stack every sheet is there, from bottom to top: South's a full
bar, North's a short one, hollow where there is room."""

from pygame import Rect

from ui.screen import layout
from ui.screen.board import Token, controls
from ui.screen.canvas import Canvas
from ui.screen.theme import Colour

SOUTH: Colour = (250, 232, 196)
NORTH: Colour = (20, 30, 58)
NORTH_EDGE: Colour = (120, 176, 255)
SOUTH_INK: Colour = (70, 44, 18)
NORTH_INK: Colour = (206, 226, 255)
SHADE: Colour = (8, 11, 16)
DRAWN = {"R": "boulder", "P": "sheet", "S": "blades", "F": "flag"}
"""What each kind of piece is drawn as."""
LETTERS = {"R": (0.5, 0.54), "P": (0.5, 0.62), "S": (0.5, 0.22), "F": (0.54, 0.37)}
"""Where the middle of its letter stands on its drawing, in shares of its side."""


def token(canvas: Canvas, box: Rect, piece: Token) -> None:
    """A piece in ``box``, a square."""
    side = controls(piece)
    plate(canvas, box, side)
    if len(piece) > 2:
        _stack(canvas, box, piece)
        return
    ink, ground = (SOUTH_INK, SOUTH) if side == 0 else (NORTH_INK, NORTH)
    drawing = layout.middle(box, round(box.w * 0.66), round(box.h * 0.66))
    canvas.icon(drawing, DRAWN[piece[0]], ink)
    x, y = LETTERS[piece[0]]
    high = round(box.h * (0.40 if piece[0] != "S" else 0.34))
    place = Rect(0, 0, high, high)
    place.center = round(drawing.x + x * drawing.w), round(drawing.y + y * drawing.h)
    canvas.text(place, piece[0], high, ink if piece[0] == "S" else ground, least=4)


def plate(canvas: Canvas, box: Rect, side: int) -> None:
    """What a piece of South's (0) or North's (1) stands on."""
    if side == 0:
        canvas.icon(box, "circle", SOUTH)
        return
    canvas.icon(box, "square", NORTH_EDGE)
    edge = max(1, round(box.w * 0.055))
    canvas.icon(layout.inside(box, edge), "square", NORTH)


def _stack(canvas: Canvas, box: Rect, stack: Token) -> None:
    """The sheets at the left, how many at the right."""
    sheets = stack[1:]
    inner = layout.middle(box, round(box.w * 0.74), round(box.h * 0.62))
    tower, number = layout.columns(inner, [5, 4], max(1, box.w // 40))
    canvas.surface.fill(SHADE, tower)
    room = layout.inside(tower, max(1, box.w // 22))
    step = min(room.h / len(sheets), box.h * 0.15)
    for count, owner in enumerate(sheets):
        top, below = room.bottom - round(step * (count + 1)), room.bottom - round(step * count)
        gap = 1 if below - top > 2 else 0
        _sheet(canvas, Rect(room.x, top, room.w, max(1, below - top - gap)), owner == "0")
    ink = SOUTH_INK if controls(stack) == 0 else NORTH_INK
    canvas.text(number, str(len(sheets)), round(box.h * 0.46), ink, least=4)


def _sheet(canvas: Canvas, bar: Rect, south: bool) -> None:
    if south:
        canvas.surface.fill(SOUTH, bar)
        return
    short = layout.middle(bar, max(1, round(bar.w * 0.62)), bar.h)
    canvas.surface.fill(NORTH_EDGE, short)
    if short.h >= 4:
        canvas.surface.fill(SHADE, layout.inside(short, 1))
