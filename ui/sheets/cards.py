"""Sheets of cards: seat mats, the deck of 72 cards and the cards of Future RPS, and class cards."""

from collections.abc import Sequence

from messages import capitalise
from rules.markers import (
    CARD_FRONT_MARKER_TOP_MM,
    CARD_SIZE_MM,
    MARKER_SIDE_MM,
    MAT_SIZE_MM,
    MAX_SEATS,
    MAX_STUDENTS,
    THROW_BY_QUARTER_TURNS,
    MarkerKind,
    PrintedMarker,
    markers_of_kind,
)
from rules.text import throw_word
from ui.fonts import missing_letters
from ui.i18n.language import render, t
from ui.screen.drawing.theme import SEAT_MARKS, seat_mark
from ui.sheets.grid import CardGrid
from ui.sheets.paper import GREY, WHITE, Paper, SheetDocument
from ui.text.names import printed_name


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


CARD_MM = 134.0
"""Side of a class card."""
BAND_MM = 4.5
"""Width of the coloured band. A marker needs a white margin one of its squares wide, 12.5 mm, and 12.5 mm are left."""
WORD_MM, LABEL_MM = 3.3, 2.6
"""Height of the capitals of the words, as large as 13 pt, and of number and name."""
NAME_FIELD_MM = 58.0
"""Width of the white field with the name."""
DEFAULT_CARD_COUNT = 63
"""Number of cards without names or a number of students."""


def make_class_cards(paper: Paper, names: Sequence[str] = (), count: int = DEFAULT_CARD_COUNT) -> SheetDocument:
    """Return a card for every name, or ``count`` cards with numbers and a field for the name. A name that can't be
    printed is left out, as on a card without one. Raises ValueError for more cards than there are markers."""
    card_count = len(names) or count
    if not 1 <= card_count <= MAX_STUDENTS:
        raise ValueError(f"class cards are for 1 to {MAX_STUDENTS} students, not {card_count}")
    sheets = SheetDocument(paper, t("Class cards"))
    grid = CardGrid(paper, CARD_MM, CARD_MM, columns=1, rows=2)
    cards = markers_of_kind(MarkerKind.CLASS)[:card_count]
    name_of = dict(zip(cards, map(printed_name, names), strict=False))
    sheets_of_cards = [cards[first : first + grid.capacity] for first in range(0, len(cards), grid.capacity)]
    for number, printed in enumerate(sheets_of_cards, 1):
        title = t("{title}, sheet {number} of {all}", title=t("Class cards"), number=number, all=len(sheets_of_cards))
        sheets.add_page(title, t("print at 100 %, single-sided; the top edge is the throw"))
        for (x, y), card in zip(grid.card_corners(len(printed)), printed, strict=True):
            _draw_card(sheets, x, y, card, name_of.get(card, ""))
        grid.draw_cut_marks(sheets)
    return sheets


def _draw_card(sheets: SheetDocument, x: float, y: float, card: PrintedMarker, name: str) -> None:
    side, mark = MARKER_SIDE_MM[card.kind], seat_mark(card.number)
    middle = x + CARD_MM / 2, y + CARD_MM / 2
    sheets.rect(x, y, CARD_MM, CARD_MM, mark.colour)
    sheets.rect(x + BAND_MM, y + BAND_MM, CARD_MM - 2 * BAND_MM, CARD_MM - 2 * BAND_MM, WHITE)
    sheets.marker(card.marker, middle[0] - side / 2, middle[1] - side / 2, side)
    line, field = y + BAND_MM / 2, x + CARD_MM - BAND_MM - 1 - NAME_FIELD_MM
    for quarter_turns, throw in enumerate(THROW_BY_QUARTER_TURNS):
        # Turned clockwise by ``quarter_turns``, the card has this edge up and its words upright.
        with sheets.rotation(-90 * quarter_turns, *middle):
            sheets.icon(mark.shape, x + BAND_MM + 1, line - 1.7, 3.4)
            sheets.text(str(card.number), x + BAND_MM + 8, line, LABEL_MM, 6)
            sheets.icon(throw.value if throw else "nothing", x + BAND_MM + 14, line - 1.9, 3.8)
            sheets.text(render(throw_word(throw)).upper(), x + BAND_MM + 38, line, WORD_MM, 38)
            sheets.rect(field, y + 0.4, NAME_FIELD_MM, BAND_MM - 0.4, WHITE)
            if name and not missing_letters(name):
                sheets.text(name, field + NAME_FIELD_MM / 2, line + 0.2, LABEL_MM, NAME_FIELD_MM - 2)
            else:
                sheets.text(t("Name"), field + 6, line + 0.2, 1.8, 10, GREY // 2)
