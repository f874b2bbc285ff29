"""The board game's pieces. Whose a piece is shows in its plate, round and light for South, square, dark and edged for
North; what it is, in its drawing and its letter. Of a stack every sheet is there, from bottom to top: South's a full
bar, North's a short one, hollow where there is room."""

from pygame import Rect

from ui.screen.drawing import layout
from ui.screen.drawing.board_geometry import Token, controls
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.theme import Colour

SOUTH: Colour = (250, 232, 196)
NORTH: Colour = (20, 30, 58)
NORTH_EDGE: Colour = (120, 176, 255)
SOUTH_INK: Colour = (70, 44, 18)
NORTH_INK: Colour = (206, 226, 255)
THIN: Colour = (150, 116, 74)
"""A sheet of South's too thin for an edge, on South's plate."""
DRAWN = {"R": "boulder", "P": "sheet", "S": "blades", "F": "flag"}
"""What each kind of piece is drawn as."""
LETTERS = {"R": (0.5, 0.52), "P": (0.5, 0.60), "S": (0.5, 0.16), "F": (0.50, 0.36)}
"""Where the middle of its letter stands on its drawing, in shares of its side."""

SIZES = {"R": 0.50, "P": 0.46, "S": 0.36, "F": 0.38}
"""How large its letter is, in shares of the piece."""


def token(canvas: Canvas, box: Rect, piece: Token) -> None:
    """A piece in ``box``, a square."""
    side = controls(piece)
    plate(canvas, box, side)
    if len(piece) > 2:
        _stack(canvas, box, piece)
        return
    ink, ground = (SOUTH_INK, SOUTH) if side == 0 else (NORTH_INK, NORTH)
    drawing = layout.middle(box, round(box.w * 0.74), round(box.h * 0.74))
    canvas.icon(drawing, DRAWN[piece[0]], ink)
    x, y = LETTERS[piece[0]]
    high = round(box.h * SIZES[piece[0]])
    place = Rect(0, 0, 2 * high, 2 * high)
    place.center = round(drawing.x + x * drawing.w), round(drawing.y + y * drawing.h)
    canvas.text(place, piece[0], high, ink if piece[0] == "S" else ground, least=4)


def plate(canvas: Canvas, box: Rect, side: int) -> None:
    """What a piece of South's (0) or North's (1) stands on."""
    if side == 0:
        canvas.icon(box, "circle", SOUTH)
        return
    box = box.inflate(box.w // 14, box.h // 14)
    canvas.icon(box, "square", NORTH_EDGE)
    canvas.icon(layout.inside(box, max(1, round(box.w * 0.05))), "square", NORTH)


def _stack(canvas: Canvas, box: Rect, stack: Token) -> None:
    """The sheets at the left, how many at the right."""
    sheets = stack[1:]
    inner = layout.middle(box, round(box.w * 0.68), round(box.h * 0.60))
    tower, number = layout.columns(inner, [5, 4], max(1, box.w // 30))
    step = min(tower.h / len(sheets), box.h * 0.17)
    floor = tower.centery + step * len(sheets) / 2
    for count, owner in enumerate(sheets):
        top, below = round(floor - step * (count + 1)), round(floor - step * count)
        gap = 1 if below - top > 2 else 0
        bar = Rect(tower.x, top, tower.w, max(1, below - top - gap))
        _sheet(canvas, bar, int(owner), controls(stack))
    ink = SOUTH_INK if controls(stack) == 0 else NORTH_INK
    canvas.text(number, str(len(sheets)), round(box.h * 0.5), ink, least=4)


def _sheet(canvas: Canvas, bar: Rect, owner: int, plate_of: int) -> None:
    """One sheet of a stack, edged so that it stands off from the plate it lies on."""
    edge, thin = (SOUTH_INK, (THIN, NORTH)) if plate_of == 0 else (NORTH_EDGE, (SOUTH, NORTH_EDGE))
    bar = bar if owner == 0 else layout.middle(bar, max(1, round(bar.w * 0.6)), bar.h)
    if bar.h < 4:
        canvas.surface.fill(thin[owner], bar)
        return
    canvas.surface.fill(edge, bar)
    canvas.surface.fill((SOUTH, NORTH)[owner], layout.inside(bar, 1))
