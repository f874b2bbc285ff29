"""Class cards: a student's card whose way up is the throw. The word at each edge is small: only who holds it reads
it."""

from collections.abc import Sequence

from rules.markers import SIDE_MM, STUDENTS, WAYS, Kind, Printed, of_kind
from ui.i18n.language import said, t
from ui.sheets.grid import Grid
from ui.sheets.paper import GREY, Paper, Sheets, printable
from ui.text.names import shape

CARD_MM = 130.0
"""Side of a class card."""
SMALL_MM = 2.0
"""Height of the capitals at its edges."""
SMALLEST = 63
"""Cards for a class where nobody says how many or who."""


def class_cards(paper: Paper, names: Sequence[str] = (), count: int = SMALLEST) -> Sheets:
    """A card for every name, or ``count`` cards with numbers only. A name that can't be printed is left out, its card
    has its number. Raises ValueError for more than there are markers."""
    wanted = len(names) or count
    if not 1 <= wanted <= STUDENTS:
        raise ValueError(f"class cards are for 1 to {STUDENTS} students, not {wanted}")
    sheets = Sheets(paper, t("Class cards"))
    grid = Grid(paper, CARD_MM, CARD_MM, columns=1, rows=2)
    cards = of_kind(Kind.CLASS)[:wanted]
    called = dict(zip(cards, names, strict=False))
    leaves = [cards[first : first + grid.room] for first in range(0, len(cards), grid.room)]
    for leaf, printed in enumerate(leaves, 1):
        title = t("{title}, sheet {leaf} of {all}", title=t("Class cards"), leaf=leaf, all=len(leaves))
        sheets.add(title, t("print at 100 %, on one side; the edge that is up is the throw"))
        for (x, y), card in zip(grid.places(len(printed)), printed, strict=True):
            _card(sheets, x, y, card, called.get(card, ""))
        grid.cut_marks(sheets)
    return sheets


def _card(sheets: Sheets, x: float, y: float, card: Printed, name: str) -> None:
    side = SIDE_MM[card.kind]
    middle = x + CARD_MM / 2, y + CARD_MM / 2
    sheets.marker(card.marker, middle[0] - side / 2, middle[1] - side / 2, side)
    whose = f"{card.number} · {name}" if name and printable(name) else str(card.number)
    for way, throw in enumerate(WAYS):
        # Turned clockwise by ``way`` quarters, the card has this edge up and its words upright.
        with sheets.turned(-90 * way, *middle):
            sheets.drawing(throw.value if throw else "nothing", middle[0] - 18, y + 2.2, 4.4, GREY // 2)
            sheets.words(said(shape(throw)), middle[0], y + 4.4, SMALL_MM, 26, GREY // 2)
            sheets.words(whose, x + CARD_MM - 25, y + 4.4, SMALL_MM, 38, GREY // 2)
