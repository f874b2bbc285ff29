"""The deck of 72 cards and the cards of Future RPS, nine to a sheet, each sheet followed by its backs."""

from collections.abc import Sequence

from messages import capitalise
from rules.markers import (
    CARD_FRONT_MARKER_TOP_MM,
    CARD_SIZE_MM,
    MARKER_SIDE_MM,
    MarkerKind,
    PrintedMarker,
    markers_of_kind,
)
from rules.text import throw_word
from ui.i18n.language import render, t
from ui.sheets.grid import CardGrid
from ui.sheets.paper import Paper, SheetDocument

CARD_WIDTH_MM, CARD_HEIGHT_MM = CARD_SIZE_MM
CORNER_ICON_MM = 6.0
"""Side of the small icons in two corners, which identify a card in a fanned hand."""
CORNER_INSET_MM = 2.6
"""From a card's edge to its corner icons."""


def make_deck(paper: Paper) -> SheetDocument:
    """Return the deck: 24 each of rock, paper and scissors."""
    return _make_cards(paper, MarkerKind.CARD, MarkerKind.CARD_BACK, t("Deck of cards"))


def make_future_deck(paper: Paper) -> SheetDocument:
    """Return the cards of Future RPS: 13 of each throw and three blank ones."""
    return _make_cards(paper, MarkerKind.FUTURE, MarkerKind.FUTURE_BACK, t("Future RPS"))


def _make_cards(paper: Paper, kind: MarkerKind, back: MarkerKind, title: str) -> SheetDocument:
    sheets = SheetDocument(paper, title)
    grid = CardGrid(paper, CARD_WIDTH_MM, CARD_HEIGHT_MM, columns=3, rows=3)
    cards = markers_of_kind(kind)
    sheets_of_cards = [cards[first : first + grid.capacity] for first in range(0, len(cards), grid.capacity)]
    for number, printed in enumerate(sheets_of_cards, 1):
        where = t("{title}, sheet {number} of {all}", title=title, number=number, all=len(sheets_of_cards))
        note = t("print at 100 %, double-sided, flipped on the long edge; against the light, the crosses must meet")
        sheets.add_page(t("{where}, front", where=where), note)
        _draw_fronts(sheets, grid, printed)
        sheets.add_page(t("{where}, back", where=where), note)
        for x, y in grid.card_corners(len(printed), back=True):
            _draw_back(sheets, x, y, markers_of_kind(back)[0])
        grid.draw_cut_marks(sheets)
    return sheets


def _draw_fronts(sheets: SheetDocument, grid: CardGrid, cards: Sequence[PrintedMarker]) -> None:
    for (x, y), card in zip(grid.card_corners(len(cards)), cards, strict=True):
        _draw_front(sheets, x, y, card)
    grid.draw_cut_marks(sheets)


def _draw_front(sheets: SheetDocument, x: float, y: float, card: PrintedMarker) -> None:
    """Draw the marker above the hand and its word, and icons in two corners, one of them upside down."""
    side = MARKER_SIDE_MM[card.kind]
    middle = x + CARD_WIDTH_MM / 2
    sheets.marker(card.marker, middle - side / 2, y + CARD_FRONT_MARKER_TOP_MM, side)
    word = t("blank") if card.throw is None else render(throw_word(card.throw))
    if card.throw is not None:
        sheets.icon(card.throw.value, middle - 12, y + 47, 24)
        for turn in (0, 180):
            with sheets.rotation(turn, middle, y + CARD_HEIGHT_MM / 2):
                sheets.icon(card.throw.value, x + CORNER_INSET_MM, y + CORNER_INSET_MM, CORNER_ICON_MM)
    sheets.text(capitalise(word), middle, y + 78, 4.6, CARD_WIDTH_MM - 2 * (CORNER_INSET_MM + CORNER_ICON_MM) - 4)
    sheets.text(str(card.number), x + 6, y + CARD_HEIGHT_MM - 4, 1.8, 8)
    if card.kind is MarkerKind.FUTURE:
        sheets.text(t("Future RPS"), middle, y + CARD_HEIGHT_MM - 3.6, 1.8, 30)


def _draw_back(sheets: SheetDocument, x: float, y: float, back: PrintedMarker) -> None:
    """Draw the marker in a frame: one thick line for the deck, two thin ones for Future RPS."""
    side = MARKER_SIDE_MM[back.kind]
    if back.kind is MarkerKind.CARD_BACK:
        sheets.frame(x + 4, y + 4, CARD_WIDTH_MM - 8, CARD_HEIGHT_MM - 8, 1.6)
        word = "Throwlock"
    else:
        sheets.frame(x + 3.4, y + 3.4, CARD_WIDTH_MM - 6.8, CARD_HEIGHT_MM - 6.8, 0.5)
        sheets.frame(x + 4.8, y + 4.8, CARD_WIDTH_MM - 9.6, CARD_HEIGHT_MM - 9.6, 0.5)
        word = t("Future RPS")
    sheets.marker(back.marker, x + (CARD_WIDTH_MM - side) / 2, y + (CARD_HEIGHT_MM - side) / 2, side)
    for turn in (0, 180):
        with sheets.rotation(turn, x + CARD_WIDTH_MM / 2, y + CARD_HEIGHT_MM / 2):
            sheets.text(word, x + CARD_WIDTH_MM / 2, y + 12, 3.6, CARD_WIDTH_MM - 16)
