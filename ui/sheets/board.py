"""The board game's board on as many sheets as it needs, and its pieces. Sheets overlap by a strip on which both carry
the same lines and crosses."""

from math import ceil

from rules.board.board import NOTICE, RECONSTRUCTION, SIDES, Board
from rules.markers import BOARD_MARKS_MM, PITCH_MM, SIDE_MM, Kind, Printed, of_kind
from ui.i18n.language import t
from ui.screen.drawing.board_pieces import DRAWN
from ui.sheets.grid import Grid
from ui.sheets.paper import BLACK, GREY, WHITE, Paper, Sheets, hexagon

MARGIN_MM = 9.0
"""Of each sheet's paper, on which nothing of the board is."""
OVERLAP_MM = 10.0
ROOM_MM = 4.0
"""White round the whole board."""
PIECE_MM = (26.0, 33.0)
"""Width and height of a piece: it fits in a space with its corners inside."""
PLATE_MM = 9.0
"""Height of the strip below its marker: white for South, black for North."""


def board(paper: Paper) -> Sheets:
    """The board and, after it, the pieces of both sides."""
    sheets = Sheets(paper, t("Board game"))
    plan = Board(RECONSTRUCTION)
    left, top, right, bottom = extent(plan)
    wide, high = paper.wide - 2 * MARGIN_MM, paper.high - 2 * MARGIN_MM
    columns = ceil((right - left - OVERLAP_MM) / (wide - OVERLAP_MM))
    rows = ceil((bottom - top - OVERLAP_MM) / (high - OVERLAP_MM))
    spare_x = columns * (wide - OVERLAP_MM) + OVERLAP_MM - (right - left)
    spare_y = rows * (high - OVERLAP_MM) + OVERLAP_MM - (bottom - top)
    for row in range(rows):
        for column in range(columns):
            x = left - spare_x / 2 + column * (wide - OVERLAP_MM)
            y = top - spare_y / 2 + row * (high - OVERLAP_MM)
            _part(sheets, plan, (row, column), (rows, columns), (x, y))
    _pieces(sheets)
    return sheets


def extent(plan: Board) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of the board in mm from the space q = 0, r = 0."""
    points = [point for space in range(len(plan.coordinates)) for point in _space(plan, space)]
    half = SIDE_MM[Kind.BOARD] / 2
    points += [(x + away, y + away) for x, y in BOARD_MARKS_MM for away in (-half, half)]
    across, down = zip(*points, strict=True)
    return min(across) - ROOM_MM, min(down) - ROOM_MM, max(across) + ROOM_MM, max(down) + ROOM_MM


def _space(plan: Board, space: int) -> list[tuple[float, float]]:
    x, y = plan.centre(space)
    return hexagon(x * PITCH_MM, y * PITCH_MM, PITCH_MM)


def _part(
    sheets: Sheets, plan: Board, which: tuple[int, int], of: tuple[int, int], corner: tuple[float, float]
) -> None:
    """One sheet of the board: ``corner`` is what of it lies in the upper left corner of the sheet's drawing."""
    (row, column), (rows, columns) = which, of
    number = row * columns + column + 1
    sheets.add(
        t("Board, sheet {leaf} of {all}, row {row}, column {column}", leaf=number, all=rows * columns, row=row + 1,
          column=column + 1),
        t("print at 100 %; from one space to the next {mm} mm", mm=f"{PITCH_MM:g}"),
    )  # fmt: skip
    off_x, off_y = MARGIN_MM - corner[0], MARGIN_MM - corner[1]
    wide, high = sheets.paper.wide - 2 * MARGIN_MM, sheets.paper.high - 2 * MARGIN_MM
    with sheets.within(MARGIN_MM, MARGIN_MM, wide, high):
        for space in range(len(plan.coordinates)):
            _draw_space(sheets, plan, space, off_x, off_y)
        side = SIDE_MM[Kind.BOARD]
        for (x, y), mark in zip(BOARD_MARKS_MM, of_kind(Kind.BOARD), strict=True):
            sheets.marker(mark.marker, x + off_x - side / 2, y + off_y - side / 2, side)
    _seams(sheets, which, of)
    if row == rows - 1:
        sheets.words(t(NOTICE), sheets.paper.wide / 2, sheets.paper.high - MARGIN_MM - 4, 1.8, wide - 24, GREY // 2)


def _draw_space(sheets: Sheets, plan: Board, space: int, off_x: float, off_y: float) -> None:
    """A space with its name, and small in it what stands there at the start."""
    x, y = (part * PITCH_MM + off for part, off in zip(plan.centre(space), (off_x, off_y), strict=True))
    if not (-PITCH_MM < x < sheets.paper.wide + PITCH_MM and -PITCH_MM < y < sheets.paper.high + PITCH_MM):
        return
    sheets.outline(hexagon(x, y, PITCH_MM), 0.4)
    sheets.words(plan.names[space], x, y + 19, 2.0, 12, GREY // 2)
    token = plan.set_up.get(space)
    if token:
        sheets.drawing(DRAWN[token[0]], x - 4, y - 4, 8, GREY)


def _seams(sheets: Sheets, which: tuple[int, int], of: tuple[int, int]) -> None:
    """Where the sheet lies over the one before it, the line to cut at; in every strip that two share, crosses that
    meet."""
    (row, column), (rows, columns) = which, of
    wide, high = sheets.paper
    for axis, place, last, length in ((0, column, columns - 1, wide), (1, row, rows - 1, high)):
        across = (high, wide)[axis]
        for shared, begin in ((place > 0, MARGIN_MM), (place < last, length - MARGIN_MM - OVERLAP_MM)):
            if not shared:
                continue
            for share in (0.25, 0.75):
                spot = (begin + OVERLAP_MM / 2, MARGIN_MM + share * (across - 2 * MARGIN_MM))
                sheets.cross(*(spot if axis == 0 else spot[::-1]))
    if column:
        sheets.line((MARGIN_MM, MARGIN_MM), (MARGIN_MM, high - MARGIN_MM), 0.1)
    if row:
        sheets.line((MARGIN_MM, MARGIN_MM), (wide - MARGIN_MM, MARGIN_MM), 0.1)


def _pieces(sheets: Sheets) -> None:
    grid = Grid(sheets.paper, *PIECE_MM, columns=6, rows=6)
    pieces = of_kind(Kind.PIECE)
    sheets.add(t("Pieces of the board game"), t("print at 100 %, on card; cut out"))
    for (x, y), piece in zip(grid.places(len(pieces)), pieces, strict=True):
        _piece(sheets, x, y, piece)
    grid.cut_marks(sheets)


def _piece(sheets: Sheets, x: float, y: float, piece: Printed) -> None:
    """The marker, below it what it is and whose: South's dark on white, North's white on black."""
    token = piece.token or ""
    wide, high = PIECE_MM
    side = SIDE_MM[piece.kind]
    sheets.marker(piece.marker, x + (wide - side) / 2, y + 3, side)
    owner = int(token[1])
    ink, ground = ((BLACK, WHITE), (WHITE, BLACK))[owner]
    low = y + high - PLATE_MM
    if owner:
        sheets.rect(x, low, wide, PLATE_MM)
    else:
        sheets.line((x + 2, low), (x + wide - 2, low), 0.3)
    sheets.drawing(DRAWN[token[0]], x + 2.2, low + 1.4, 6.2, ink, ground)
    sheets.words(t(SIDES[owner]), x + 16.4, low + PLATE_MM / 2, 2.6, 14, ink)
