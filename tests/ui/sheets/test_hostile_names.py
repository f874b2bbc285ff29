"""Names that somebody made up to break a sheet are printed on their own lines, and everything else stays as it was."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pypdfium2 as pdfium
import pytest

from messages import is_printable
from rules.tournaments.fixture import Format, TournamentSetup
from rules.tournaments.tournament import Tournament
from ui.sheets.cards import make_class_cards
from ui.sheets.paper import PAPERS, SheetDocument
from ui.sheets.tournament import make_tournament
from ui.text.names import MAX_NAME_LENGTH, printed_name
from ui.text.tournaments import summarise
from vision.cards.reader import read_cards

HOSTILE_NAMES = {
    "NUL": "Ada\0Ben",
    "newline": "Ada\r\nBen\n\n\nCy",
    "line separator": "Ada\u2028Ben\u2029Cy\x85Dora",
    "tab": "\tAda\t\tBen",
    "terminal": "\x1b[2J\x1b[31mAda\x07",
    "right to left": "Ada \u202enioj\u202c",
    "isolate": "\u2067Ada\u2069\u2066",
    "nothing to be seen": "\u200b\u200d\u2060\ufeff",
    "half a character": "\ud800Ada\udfff",
    "no character": "\uffff\U0010ffff\ue000",
    "letters": "W" * 10_000,
    "words": "Ada " * 2_500,
    "Arabic": "\u0645" * 10_000,
    "accents": "Z" + "\u0301" * 10_000,
    "emoji": "👩‍👩‍👧‍👦" * 2_000,
    "HTML": "<script>alert(1)</script>&amp;<b>",
    "PDF": ") Tj ET Q \\( endstream endobj %%EOF",
    "braces": "{name} %s {0}",
    "path": "../../etc/passwd",
    "formula": '=HYPERLINK("http://example.org")',
}
OTHERS = ("Dora", "Emil", "Fay")


def class_cards(names: Sequence[str]) -> SheetDocument:
    return make_class_cards(PAPERS["a4"], names)


def tournament(tournament_format: Format) -> Callable[[Sequence[str]], SheetDocument]:
    """Return what makes the sheets of a finished tournament, whose title is the first player's name."""

    def make(names: Sequence[str]) -> SheetDocument:
        state = Tournament(TournamentSetup(tournament_format))
        for _ in names:
            state.enter()
        while state.ready:
            state.end(state.ready[0].id, (min(state.ready[0].present),))
        return make_tournament(PAPERS["a4"], summarise(state, "Classic", names, names[0]))

    return make


SHEETS: dict[str, Callable[[Sequence[str]], SheetDocument]] = {
    "class cards": class_cards,
    "bracket": tournament(Format.KNOCKOUT),
    "tables and matches": tournament(Format.SWISS),
}
"""The sheets with names of people; the others have none."""


@pytest.mark.parametrize("sheet", SHEETS)
def test_hostile_names_leave_the_sheets_as_they_are(sheet: str, tmp_path: Path) -> None:
    names = (*HOSTILE_NAMES.values(), *OTHERS)
    documents = []
    for number, players in enumerate((names, [f"Player {number}" for number in range(len(names))])):
        SHEETS[sheet](players).save(tmp_path / f"{number}.pdf")
        documents.append(pdfium.PdfDocument(tmp_path / f"{number}.pdf"))
    hostile, ordinary = documents
    assert len(hostile) == len(ordinary)
    text = "".join(page.get_textpage().get_text_range() for page in hostile)
    assert all(name in text for name in (*OTHERS, HOSTILE_NAMES["HTML"], HOSTILE_NAMES["formula"]))
    for page in hostile:
        width, height = page.get_size()
        for drawn in page.get_objects():
            left, bottom, right, top = drawn.get_bounds()
            assert -1 < left <= right < width + 1 and -1 < bottom <= top < height + 1


def test_cards_are_read_whatever_the_names_on_them_are(tmp_path: Path) -> None:
    class_cards(tuple(HOSTILE_NAMES.values())).save(tmp_path / "class.pdf")
    pages = [page.render(scale=1, grayscale=True) for page in pdfium.PdfDocument(tmp_path / "class.pdf")]
    read = [card.printed.number for page in pages for card in read_cards(page.to_numpy().squeeze().copy())]
    assert sorted(read) == list(range(1, len(HOSTILE_NAMES) + 1))


def test_a_long_name_does_not_push_another_off_its_line() -> None:
    printed: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SheetDocument, "text", lambda sheets, line, *args, **more: printed.append(line))
        tournament(Format.SWISS)((HOSTILE_NAMES["words"], "Dora"))
    assert any(line.startswith("Ada") and line.endswith("Dora") and len(line) < 2 * MAX_NAME_LENGTH for line in printed)


def test_a_printed_name_is_printable_and_not_endless() -> None:
    names = {what: printed_name(name) for what, name in HOSTILE_NAMES.items()}
    assert all(is_printable(name) and len(name) <= MAX_NAME_LENGTH + 1 for name in names.values())
    assert (names["NUL"], names["newline"], names["right to left"]) == ("AdaBen", "Ada Ben Cy", "Ada nioj")
    assert names["HTML"] == HOSTILE_NAMES["HTML"]
    assert names["letters"] == "W" * MAX_NAME_LENGTH + "…"
