"""The deck of 72 and the cards of Future RPS, nine to a sheet, each sheet followed by its backs."""

from collections.abc import Sequence

from rules.markers import CARD_MM, FRONT_TOP_MM, SIDE_MM, Kind, Printed, of_kind
from ui.i18n.language import capital, said, t
from ui.sheets.grid import Grid
from ui.sheets.paper import Paper, Sheets
from ui.text.names import shape

WIDE, HIGH = CARD_MM
CORNER_MM = 6.0
"""Side of the small drawings in two corners, by which a card in a fan is known."""
INSET_MM = 2.6
"""From a card's edge to its corner drawings, and to the frame on its back."""


def deck(paper: Paper) -> Sheets:
    """24 rocks, papers and scissors each."""
    return _cards(paper, Kind.CARD, Kind.CARD_BACK, t("Deck of cards"))


def future(paper: Paper) -> Sheets:
    """13 of each and three blank ones."""
    return _cards(paper, Kind.FUTURE, Kind.FUTURE_BACK, t("Future RPS"))


def _cards(paper: Paper, kind: Kind, back: Kind, title: str) -> Sheets:
    sheets = Sheets(paper, title)
    grid = Grid(paper, WIDE, HIGH, columns=3, rows=3)
    cards = of_kind(kind)
    leaves = [cards[first : first + grid.room] for first in range(0, len(cards), grid.room)]
    for leaf, printed in enumerate(leaves, 1):
        where = t("{title}, sheet {leaf} of {all}", title=title, leaf=leaf, all=len(leaves))
        note = t("print at 100 %, on both sides, turned over the long edge; held to the light, the crosses meet")
        sheets.add(t("{where}, front", where=where), note)
        _fronts(sheets, grid, printed)
        sheets.add(t("{where}, back", where=where), note)
        for x, y in grid.places(len(printed), back=True):
            _back(sheets, x, y, of_kind(back)[0])
        grid.cut_marks(sheets)
    return sheets


def _fronts(sheets: Sheets, grid: Grid, cards: Sequence[Printed]) -> None:
    for (x, y), card in zip(grid.places(len(cards)), cards, strict=True):
        _front(sheets, x, y, card)
    grid.cut_marks(sheets)


def _front(sheets: Sheets, x: float, y: float, card: Printed) -> None:
    """Above the marker, below it the hand and its word; two corners are the same upside down."""
    side = SIDE_MM[card.kind]
    middle = x + WIDE / 2
    sheets.marker(card.marker, middle - side / 2, y + FRONT_TOP_MM, side)
    word = t("blank") if card.throw is None else said(shape(card.throw))
    if card.throw is not None:
        sheets.drawing(card.throw.value, middle - 12, y + 47, 24)
        for turn in (0, 180):
            with sheets.turned(turn, middle, y + HIGH / 2):
                sheets.drawing(card.throw.value, x + INSET_MM, y + INSET_MM, CORNER_MM)
    sheets.words(capital(word), middle, y + 78, 4.6, WIDE - 2 * (INSET_MM + CORNER_MM) - 4)
    sheets.words(str(card.number), x + 6, y + HIGH - 4, 1.8, 8)
    if card.kind is Kind.FUTURE:
        sheets.words(t("Future RPS"), middle, y + HIGH - 3.6, 1.8, 30)


def _back(sheets: Sheets, x: float, y: float, back: Printed) -> None:
    """A marker within a frame: one thick line for the deck, two thin ones for Future RPS."""
    side = SIDE_MM[back.kind]
    if back.kind is Kind.CARD_BACK:
        sheets.frame(x + 4, y + 4, WIDE - 8, HIGH - 8, 1.6)
        word = "Throwlock"
    else:
        sheets.frame(x + 3.4, y + 3.4, WIDE - 6.8, HIGH - 6.8, 0.5)
        sheets.frame(x + 4.8, y + 4.8, WIDE - 9.6, HIGH - 9.6, 0.5)
        word = t("Future RPS")
    sheets.marker(back.marker, x + (WIDE - side) / 2, y + (HIGH - side) / 2, side)
    for turn in (0, 180):
        with sheets.turned(turn, x + WIDE / 2, y + HIGH / 2):
            sheets.words(word, x + WIDE / 2, y + 12, 3.6, WIDE - 16)
