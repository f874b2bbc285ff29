"""The board of the board game, on as many sheets as it needs, and its pieces. Neighbouring sheets overlap by a strip
with the same lines and crosses on both."""

from math import ceil

from rules.board.board import RECONSTRUCTED_LAYOUT, RECONSTRUCTION_NOTICE, SIDE_NAMES, Board
from rules.markers import (
    BOARD_MARKER_CENTRES_MM,
    BOARD_PITCH_MM,
    MARKER_SIDE_MM,
    MarkerKind,
    PrintedMarker,
    markers_of_kind,
)
from ui.i18n.language import t
from ui.screen.pages.board_position import PIECE_ICONS
from ui.sheets.grid import CardGrid
from ui.sheets.paper import BLACK, GREY, WHITE, Paper, SheetDocument, hexagon

PAGE_MARGIN_MM = 9.0
"""Margin of each sheet, without anything of the board."""
OVERLAP_MM = 10.0
BOARD_PADDING_MM = 4.0
"""White space around the whole board."""
PIECE_SIZE_MM = (26.0, 33.0)
"""Width and height of a piece: its corners lie inside a space."""
PLATE_HEIGHT_MM = 9.0
"""Height of the strip below its marker: white for South, black for North."""


def make_board(paper: Paper) -> SheetDocument:
    """Return the sheets of the board, followed by the pieces of both sides."""
    sheets = SheetDocument(paper, t("Board game"))
    board = Board(RECONSTRUCTED_LAYOUT)
    left, top, right, bottom = board_extent(board)
    width, height = paper.width - 2 * PAGE_MARGIN_MM, paper.height - 2 * PAGE_MARGIN_MM
    columns = ceil((right - left - OVERLAP_MM) / (width - OVERLAP_MM))
    rows = ceil((bottom - top - OVERLAP_MM) / (height - OVERLAP_MM))
    spare_x = columns * (width - OVERLAP_MM) + OVERLAP_MM - (right - left)
    spare_y = rows * (height - OVERLAP_MM) + OVERLAP_MM - (bottom - top)
    for row in range(rows):
        for column in range(columns):
            x = left - spare_x / 2 + column * (width - OVERLAP_MM)
            y = top - spare_y / 2 + row * (height - OVERLAP_MM)
            _draw_board_sheet(sheets, board, (row, column), (rows, columns), (x, y))
    _draw_pieces(sheets)
    return sheets


def board_extent(board: Board) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of a board in mm from the space q = 0, r = 0."""
    points = [point for space in range(len(board.coordinates)) for point in _space_corners(board, space)]
    half = MARKER_SIDE_MM[MarkerKind.BOARD] / 2
    points += [(x + offset, y + offset) for x, y in BOARD_MARKER_CENTRES_MM for offset in (-half, half)]
    xs, ys = zip(*points, strict=True)
    return (
        min(xs) - BOARD_PADDING_MM,
        min(ys) - BOARD_PADDING_MM,
        max(xs) + BOARD_PADDING_MM,
        max(ys) + BOARD_PADDING_MM,
    )


def _space_corners(board: Board, space: int) -> list[tuple[float, float]]:
    x, y = board.centre(space)
    return hexagon(x * BOARD_PITCH_MM, y * BOARD_PITCH_MM, BOARD_PITCH_MM)


def _draw_board_sheet(
    sheets: SheetDocument, board: Board, which: tuple[int, int], of: tuple[int, int], corner: tuple[float, float]
) -> None:
    """Draw one sheet of the board, at (row, column) ``which`` of (rows, columns) ``of``; ``corner`` is the place on the
    board, in mm, at the upper left corner of the sheet's drawing."""
    (row, column), (rows, columns) = which, of
    number = row * columns + column + 1
    sheets.add_page(
        t("Board, sheet {number} of {all}, row {row}, column {column}", number=number, all=rows * columns, row=row + 1,
          column=column + 1),
        t("print at 100 %; from one space to the next {mm} mm", mm=f"{BOARD_PITCH_MM:g}"),
    )  # fmt: skip
    off_x, off_y = PAGE_MARGIN_MM - corner[0], PAGE_MARGIN_MM - corner[1]
    width, height = sheets.paper.width - 2 * PAGE_MARGIN_MM, sheets.paper.height - 2 * PAGE_MARGIN_MM
    with sheets.clip_rect(PAGE_MARGIN_MM, PAGE_MARGIN_MM, width, height):
        for space in range(len(board.coordinates)):
            _draw_space(sheets, board, space, off_x, off_y)
        side = MARKER_SIDE_MM[MarkerKind.BOARD]
        for (x, y), mark in zip(BOARD_MARKER_CENTRES_MM, markers_of_kind(MarkerKind.BOARD), strict=True):
            sheets.marker(mark.marker, x + off_x - side / 2, y + off_y - side / 2, side)
    _draw_seams(sheets, which, of)
    if row == rows - 1:
        sheets.text(
            t(RECONSTRUCTION_NOTICE),
            sheets.paper.width / 2,
            sheets.paper.height - PAGE_MARGIN_MM - 4,
            1.8,
            width - 24,
            GREY // 2,
        )


def _draw_space(sheets: SheetDocument, board: Board, space: int, off_x: float, off_y: float) -> None:
    """Draw a space with its name and, small, the piece on it at the start."""
    x, y = (part * BOARD_PITCH_MM + off for part, off in zip(board.centre(space), (off_x, off_y), strict=True))
    if not (
        -BOARD_PITCH_MM < x < sheets.paper.width + BOARD_PITCH_MM
        and -BOARD_PITCH_MM < y < sheets.paper.height + BOARD_PITCH_MM
    ):
        return
    sheets.polygon(hexagon(x, y, BOARD_PITCH_MM), 0.4)
    sheets.text(board.space_names[space], x, y + 19, 2.0, 12, GREY // 2)
    token = board.initial_pieces.get(space)
    if token:
        sheets.icon(PIECE_ICONS[token[0]], x - 4, y - 4, 8, GREY)


def _draw_seams(sheets: SheetDocument, which: tuple[int, int], of: tuple[int, int]) -> None:
    """Draw the line to cut at where the sheet lies over the one before, and crosses that meet in every shared strip."""
    (row, column), (rows, columns) = which, of
    width, height = sheets.paper
    for axis, index, last, length in ((0, column, columns - 1, width), (1, row, rows - 1, height)):
        across = (height, width)[axis]
        for shared, begin in ((index > 0, PAGE_MARGIN_MM), (index < last, length - PAGE_MARGIN_MM - OVERLAP_MM)):
            if not shared:
                continue
            for share in (0.25, 0.75):
                centre = (begin + OVERLAP_MM / 2, PAGE_MARGIN_MM + share * (across - 2 * PAGE_MARGIN_MM))
                sheets.cross(*(centre if axis == 0 else centre[::-1]))
    if column:
        sheets.line((PAGE_MARGIN_MM, PAGE_MARGIN_MM), (PAGE_MARGIN_MM, height - PAGE_MARGIN_MM), 0.1)
    if row:
        sheets.line((PAGE_MARGIN_MM, PAGE_MARGIN_MM), (width - PAGE_MARGIN_MM, PAGE_MARGIN_MM), 0.1)


def _draw_pieces(sheets: SheetDocument) -> None:
    grid = CardGrid(sheets.paper, *PIECE_SIZE_MM, columns=6, rows=6)
    pieces = markers_of_kind(MarkerKind.PIECE)
    sheets.add_page(t("Pieces of the board game"), t("print at 100 %, on card; cut out"))
    for (x, y), piece in zip(grid.card_corners(len(pieces)), pieces, strict=True):
        _draw_piece(sheets, x, y, piece)
    grid.draw_cut_marks(sheets)


def _draw_piece(sheets: SheetDocument, x: float, y: float, piece: PrintedMarker) -> None:
    """Draw a piece's marker and below it its kind and side: South's dark on white, North's white on black."""
    token = piece.token or ""
    width, height = PIECE_SIZE_MM
    side = MARKER_SIDE_MM[piece.kind]
    sheets.marker(piece.marker, x + (width - side) / 2, y + 3, side)
    owner = int(token[1])
    colour = WHITE if owner else BLACK
    low = y + height - PLATE_HEIGHT_MM
    if owner:
        sheets.rect(x, low, width, PLATE_HEIGHT_MM)
    else:
        sheets.line((x + 2, low), (x + width - 2, low), 0.3)
    sheets.icon(PIECE_ICONS[token[0]], x + 2.2, low + 1.4, 6.2, colour)
    sheets.text(t(SIDE_NAMES[owner]), x + 16.4, low + PLATE_HEIGHT_MM / 2, 2.6, 14, colour)
