"""Seat mats: a marker at each corner of a seat's zone, and the seat's shape."""

from rules.markers import MARKER_SIDE_MM, MAT_SIZE_MM, MAX_SEATS, MarkerKind, markers_of_kind
from ui.i18n.language import t
from ui.screen.drawing.theme import SEAT_MARKS
from ui.sheets.paper import GREY, Paper, SheetDocument


def make_mats(paper: Paper) -> SheetDocument:
    """Return a mat for each seat."""
    sheets = SheetDocument(paper, t("Seat mats"))
    width, height = MAT_SIZE_MM
    left, top = (paper.width - width) / 2, (paper.height - height) / 2
    side = MARKER_SIDE_MM[MarkerKind.MAT]
    corners = (
        (left, top),
        (left + width - side, top),
        (left + width - side, top + height - side),
        (left, top + height - side),
    )
    for mat in markers_of_kind(MarkerKind.MAT)[:MAX_SEATS]:
        sheets.add_page(
            t("Mat of seat {seat}", seat=mat.number), t("print at 100 %; throw and lay cards between the markers")
        )
        for turn, (x, y) in enumerate(corners):
            sheets.marker(mat.marker, x, y, side, turn)
        gap = side + 6
        for x in (left, left + width):
            sheets.line((x, top + gap), (x, top + height - gap), 0.6, GREY)
        for y in (top, top + height):
            sheets.line((left + gap, y), (left + width - gap, y), 0.6, GREY)
        middle = left + width / 2
        sheets.icon(SEAT_MARKS[mat.number - 1].shape, middle - 9, top + height - 34, 18)
        sheets.text(t("Seat {seat}", seat=mat.number), middle, top + height - 9, 4.0, width - 2 * gap)
    return sheets
