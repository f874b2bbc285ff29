"""Seat mats: a marker at each corner of a seat's zone and the seat's shape in it."""

from rules.markers import MAT_MM, SEATS, SIDE_MM, Kind, of_kind
from ui.i18n.language import t
from ui.screen.drawing.theme import MARKS
from ui.sheets.paper import GREY, Paper, Sheets


def mats(paper: Paper) -> Sheets:
    """A mat for each seat."""
    sheets = Sheets(paper, t("Seat mats"))
    wide, high = MAT_MM
    left, top = (paper.wide - wide) / 2, (paper.high - high) / 2
    side = SIDE_MM[Kind.MAT]
    corners = (
        (left, top),
        (left + wide - side, top),
        (left + wide - side, top + high - side),
        (left, top + high - side),
    )
    for mat in of_kind(Kind.MAT)[:SEATS]:
        sheets.add(
            t("Mat of seat {seat}", seat=mat.number), t("print at 100 %; throw and lay cards between the markers")
        )
        for turn, (x, y) in enumerate(corners):
            sheets.marker(mat.marker, x, y, side, turn)
        gap = side + 6
        for x in (left, left + wide):
            sheets.line((x, top + gap), (x, top + high - gap), 0.6, GREY)
        for y in (top, top + high):
            sheets.line((left + gap, y), (left + wide - gap, y), 0.6, GREY)
        middle = left + wide / 2
        sheets.drawing(MARKS[mat.number - 1].shape, middle - 9, top + high - 34, 18)
        sheets.words(t("Seat {seat}", seat=mat.number), middle, top + high - 9, 4.0, wide - 2 * gap)
    return sheets
