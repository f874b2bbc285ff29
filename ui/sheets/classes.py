"""Class cards: the edge that is up is the student's throw. The words at the edges are small, so that only the student
can read them."""

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
from ui.sheets.grid import CardGrid
from ui.sheets.paper import GREY, Paper, SheetDocument, is_printable

CARD_MM = 130.0
"""Side of a class card."""
EDGE_TEXT_MM = 2.0
"""Height of the capitals at the card's edges."""
DEFAULT_CARD_COUNT = 63
"""Number of cards without names or a number of students."""


def make_class_cards(paper: Paper, names: Sequence[str] = (), count: int = DEFAULT_CARD_COUNT) -> SheetDocument:
    """Return a card for every name, or ``count`` cards with numbers only. A name that can't be printed is left out; its
    card has only a number. Raises ValueError for more cards than there are markers."""
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
    side = MARKER_SIDE_MM[card.kind]
    middle = x + CARD_MM / 2, y + CARD_MM / 2
    sheets.marker(card.marker, middle[0] - side / 2, middle[1] - side / 2, side)
    label = f"{card.number} · {name}" if name and is_printable(name) else str(card.number)
    for quarter_turns, throw in enumerate(THROW_BY_QUARTER_TURNS):
        # Turned clockwise by ``quarter_turns``, the card has this edge up and its words upright.
        with sheets.rotation(-90 * quarter_turns, *middle):
            sheets.icon(throw.value if throw else "nothing", middle[0] - 18, y + 2.2, 4.4, GREY // 2)
            sheets.text(render(throw_word(throw)), middle[0], y + 4.4, EDGE_TEXT_MM, 26, GREY // 2)
            sheets.text(label, x + CARD_MM - 25, y + 4.4, EDGE_TEXT_MM, 38, GREY // 2)
