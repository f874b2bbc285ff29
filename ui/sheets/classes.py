"""Class cards: the edge that is up is the student's throw. Around the marker and its white margin is a band in the
colour of the seat. Each edge has the seat's shape and number, its throw as a word that only the student is near enough
to read, and the name or a field for it: from afar all edges look the same, so that nobody sees how a card is held."""

from collections.abc import Sequence

from rules.markers import (
    MARKER_SIDE_MM,
    MAX_STUDENTS,
    THROW_BY_QUARTER_TURNS,
    MarkerKind,
    PrintedMarker,
    markers_of_kind,
)
from rules.text import throw_word
from ui.i18n.language import render, t
from ui.screen.drawing.theme import seat_mark
from ui.sheets.grid import CardGrid
from ui.sheets.paper import GREY, WHITE, Paper, SheetDocument, is_printable

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
    name_of = dict(zip(cards, names, strict=False))
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
            if name and is_printable(name):
                sheets.text(name, field + NAME_FIELD_MM / 2, line + 0.2, LABEL_MM, NAME_FIELD_MM - 2)
            else:
                sheets.text(t("Name"), field + 6, line + 0.2, 1.8, 10, GREY // 2)
