"""The printed sheets: rendered to pixels and read back, measured in their vectors, and the command that makes them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pypdfium2 as pdfium
import pytest
from numpy.typing import NDArray
from pypdfium2 import raw

from rules.board.board import RECONSTRUCTION, Board
from rules.markers import (
    BLANKS,
    BOARD_MARKS_MM,
    CARD_MM,
    DECK_EACH,
    FUTURE_EACH,
    MAT_MM,
    PITCH_MM,
    SEATS,
    SIDE_MM,
    WAYS,
    Kind,
    of_kind,
)
from rules.throws import Throw
from throwlock.cli.main import run_command
from ui.i18n.language import LANGUAGES, MARKED, use
from ui.sheets.board import board
from ui.sheets.classes import class_cards
from ui.sheets.decks import deck, future
from ui.sheets.grid import Grid
from ui.sheets.mats import mats
from ui.sheets.paper import MADE, PAPERS, RULER_MM, Paper, Sheets, printable
from vision.cards.reader import Card, read_cards

DOTS = 150
"""Pixels to the inch that a sheet is rendered with."""
MM = DOTS / 25.4
NEAR_MM = 0.25
"""How far from where it is a corner may be read: 1.5 pixels."""
MADE_BY: dict[str, Callable[[Paper], Sheets]] = {
    "deck": deck,
    "future": future,
    "class": class_cards,
    "mats": mats,
    "board": board,
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Path]:
    """Every sheet on every paper."""
    where = tmp_path_factory.mktemp("sheets")
    made = {(what, paper): where / f"{what}-{paper}.pdf" for what in MADE_BY for paper in PAPERS}
    for (what, paper), path in made.items():
        MADE_BY[what](PAPERS[paper]).save(path)
    return made


def rendered(path: Path, dots: float = DOTS) -> Iterator[NDArray[np.uint8]]:
    """The pages, grey, one after the other."""
    document = pdfium.PdfDocument(path)
    for page in document:
        yield page.render(scale=dots / 72, grayscale=True).to_numpy().squeeze().copy()


def corner_mm(card: Card) -> tuple[float, float]:
    """Where a card's own upper left corner was read, in mm of the sheet."""
    x, y = (card.corners[0] + 0.5) / MM
    return float(x), float(y)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(
    ("what", "kind", "back"), [("deck", Kind.CARD, Kind.CARD_BACK), ("future", Kind.FUTURE, Kind.FUTURE_BACK)]
)
def test_every_card_is_read_off_its_sheet_and_its_back_lies_behind_it(
    files: dict[tuple[str, str], Path], what: str, kind: Kind, back: Kind, paper: str
) -> None:
    wide = PAPERS[paper].wide
    fronts: list[int] = []
    pages = list(rendered(files[what, paper]))
    for front, behind in zip(pages[::2], pages[1::2], strict=True):
        there, backs = read_cards(front), read_cards(behind)
        fronts += [card.printed.number for card in there if card.printed.kind is kind]
        assert len(there) == len(backs) and {card.printed.kind for card in backs} == {back}
        assert all(
            card.turns == 0 and abs(card.side / MM - SIDE_MM[card.printed.kind]) < 0.3 for card in (*there, *backs)
        )
        # Turned over its long edge, what was at x is at the paper's width less x; a back's middle is its card's.
        behind_mm = {(round(wide - card.centre[0] / MM, 0), round(card.centre[1] / MM - 18, 0)) for card in backs}
        assert behind_mm == {(round(card.centre[0] / MM, 0), round(card.centre[1] / MM, 0)) for card in there}
    assert sorted(fronts) == [card.number for card in of_kind(kind)]


def test_a_deck_has_as_many_of_each_as_the_rules_say() -> None:
    for throw in Throw:
        assert [card.throw for card in of_kind(Kind.CARD)].count(throw) == DECK_EACH == 24
        assert [card.throw for card in of_kind(Kind.FUTURE)].count(throw) == FUTURE_EACH == 13
    assert [card.throw for card in of_kind(Kind.FUTURE)].count(None) == BLANKS == 3


@pytest.mark.parametrize("paper", PAPERS)
def test_a_class_card_is_its_throw_whichever_way_it_is_held(files: dict[tuple[str, str], Path], paper: str) -> None:
    seen: list[tuple[int, int]] = []
    for page in rendered(files["class", paper], 40):
        for turned in range(4):
            cards = read_cards(np.ascontiguousarray(np.rot90(page, -turned)))
            seen += [(card.printed.number, card.turns) for card in cards]
            assert all(card.askew < 1 and card.printed.kind is Kind.CLASS for card in cards)
            assert {WAYS[card.turns] for card in cards} == {(*Throw, None)[turned]}
    assert sorted(seen) == [(number, way) for number in range(1, 64) for way in range(4)]


def test_a_mat_is_marked_at_its_corners_each_turned_towards_it(files: dict[tuple[str, str], Path]) -> None:
    left, top = (210 - MAT_MM[0]) / 2, (297 - MAT_MM[1]) / 2
    right, bottom = left + MAT_MM[0], top + MAT_MM[1]
    for seat, page in enumerate(rendered(files["mats", "a4"]), 1):
        cards = sorted(read_cards(page), key=lambda card: card.turns)
        assert [(card.printed.kind, card.printed.number, card.turns) for card in cards] == [
            (Kind.MAT, seat, turn) for turn in range(4)
        ]
        corners = [corner_mm(card) for card in cards]
        assert corners == [
            pytest.approx(corner, abs=NEAR_MM)
            for corner in ((left, top), (right, top), (right, bottom), (left, bottom))
        ]
    assert seat == SEATS


def test_the_board_is_whole_when_its_sheets_are_laid_over_each_other(files: dict[tuple[str, str], Path]) -> None:
    """Where each mark was read and which part its sheet is of says where the marks lie towards each other."""
    *pages, pieces = rendered(files["board", "a4"])
    assert len(pages) == 6
    step_x, step_y = 210 - 2 * 9 - 10, 297 - 2 * 9 - 10
    marks = {}
    for index, page in enumerate(pages):
        row, column = divmod(index, 3)
        for card in read_cards(page):
            assert card.turns == 0 and card.printed.kind is Kind.BOARD
            x, y = card.centre[0] / MM + column * step_x, card.centre[1] / MM + row * step_y
            marks[card.printed.number] = (x, y)
    first = marks[1]
    for number, (x, y) in marks.items():
        away = [there - here for there, here in zip(BOARD_MARKS_MM[number - 1], BOARD_MARKS_MM[0], strict=True)]
        assert (x - first[0], y - first[1]) == pytest.approx(away, abs=0.3)
    assert len(marks) == len(BOARD_MARKS_MM)
    assert sorted(card.printed.number for card in read_cards(pieces)) == [piece.number for piece in of_kind(Kind.PIECE)]


def test_the_pieces_are_those_of_the_set_up() -> None:
    laid = sorted(Board(RECONSTRUCTION).set_up.values())
    assert sorted(piece.token or "" for piece in of_kind(Kind.PIECE)) == laid


def test_two_sheets_of_the_board_show_the_same_in_the_strip_they_share(files: dict[tuple[str, str], Path]) -> None:
    pages = [page.astype(int) for page, _ in zip(rendered(files["board", "a4"], 254), range(2), strict=False)]
    # 10 pixels to the mm; the strip's own edges are left out: the line to cut at is on one sheet only.
    strips = [
        page[100:2860, begin : begin + 90]
        for page, begin in zip(pages, (10 * (210 - 9 - 10) + 5, 10 * 9 + 5), strict=True)
    ]
    for one, other in (strips, strips[::-1]):
        near = cv2.erode(other.astype(np.uint8), np.ones((7, 7), np.uint8))
        assert (one < 80).sum() > 5000 and (near[one < 80] < 160).mean() > 0.99


def rectangles(path: Path, page: int) -> list[tuple[float, float, float, float]]:
    """Left, top, width and height in mm of every path of a page, as its vectors say."""
    sheet = pdfium.PdfDocument(path)[page]
    high = sheet.get_height()
    found = []
    for thing in sheet.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH]):
        left, bottom, right, top = thing.get_bounds()
        found.append(tuple(25.4 / 72 * length for length in (left, high - top, right - left, top - bottom)))
    return found


@pytest.mark.parametrize("paper", PAPERS)
def test_sizes_are_true_to_a_tenth_of_a_millimetre(files: dict[tuple[str, str], Path], paper: str) -> None:
    document = pdfium.PdfDocument(files["deck", paper])
    size = [25.4 / 72 * length for length in document[0].get_size()]
    assert size == pytest.approx(PAPERS[paper], abs=0.1)
    found = rectangles(files["deck", paper], 0)
    markers = [box for box in found if box[2:] == pytest.approx((SIDE_MM[Kind.CARD],) * 2, abs=0.05)]
    assert len(markers) == 9
    lefts, tops = (sorted({round(box[axis], 1) for box in markers}) for axis in (0, 1))
    assert np.diff(lefts) == pytest.approx([CARD_MM[0]] * 2, abs=0.11)
    assert np.diff(tops) == pytest.approx([CARD_MM[1]] * 2, abs=0.11)
    assert any(box[3] == pytest.approx(RULER_MM, abs=0.4) and box[2] < 0.4 for box in found)


def test_spaces_of_the_board_are_as_far_apart_as_printed(files: dict[tuple[str, str], Path]) -> None:
    spaces = [box for box in rectangles(files["board", "a4"], 4) if box[2] > 40 and box[3] > 40]
    top = spaces[0][1]
    lefts = sorted(box[0] for box in spaces if abs(box[1] - top) < 1)
    assert len(lefts) > 3 and np.diff(lefts) == pytest.approx([PITCH_MM] * (len(lefts) - 1), abs=0.1)


def test_nothing_of_a_sheet_is_a_picture(files: dict[tuple[str, str], Path]) -> None:
    for path in files.values():
        for page in pdfium.PdfDocument(path):
            kinds = {thing.type for thing in page.get_objects()}
            assert kinds <= {raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_TEXT}


def test_cards_keep_within_what_printers_reach(files: dict[tuple[str, str], Path]) -> None:
    for (_, paper), path in files.items():
        for page in rendered(path, 50):
            ink = np.argwhere(page < 200) * 25.4 / 50
            assert ink.min() > 3.5 and (ink.max(0) < np.array(PAPERS[paper])[::-1] - 3).all()


@pytest.mark.parametrize("what", MADE_BY)
def test_the_same_sheet_is_the_same_bytes_each_time(
    files: dict[tuple[str, str], Path], what: str, tmp_path: Path
) -> None:
    MADE_BY[what](PAPERS["a4"]).save(tmp_path / "again.pdf")
    again = (tmp_path / "again.pdf").read_bytes()
    assert again == files[what, "a4"].read_bytes()
    assert f"D:{MADE:%Y%m%d}".encode() in again


def test_backs_are_in_the_columns_of_their_fronts_seen_from_behind() -> None:
    grid = Grid(PAPERS["letter"], 63, 88, columns=3, rows=3)
    for (x, y), (behind_x, behind_y) in zip(grid.places(7), grid.places(7, back=True), strict=True):
        assert grid.paper.wide - x - 63 == pytest.approx(behind_x) and y == behind_y


def words_of(path: Path, page: int = 0) -> str:
    """The text of a page."""
    return str(pdfium.PdfDocument(path)[page].get_textpage().get_text_bounded())


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    """Status, output and complaint of ``throwlock cards``."""
    status = run_command(["cards", *args])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_a_class_with_names_has_a_card_for_everybody(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = tmp_path / "names.txt"
    names.write_text("Zoë\n\n  Łukasz \nΜαρία\n", encoding="utf-8")
    out = tmp_path / "class.pdf"
    assert run(capsys, "class", "--out", str(out), "--names", str(names), "--paper", "letter")[0] == 0
    assert len(pdfium.PdfDocument(out)) == 2
    assert words_of(out).count("Zoë") == 4 and "2 · Łukasz" in words_of(out) and "3 · Μαρία" in words_of(out, 1)
    assert [
        card.printed.number
        for page in rendered(out, 60)
        for card in sorted(read_cards(page), key=lambda card: card.centre[1])
    ] == [1, 2, 3]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_face_has_the_letters_of_every_language(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    printed: list[str] = []
    monkeypatch.setattr(Sheets, "words", lambda sheets, text, *where: printed.append(text))
    monkeypatch.setattr(Sheets, "drawing", lambda *where: None)
    use(language)
    try:
        for make in MADE_BY.values():
            make(PAPERS["letter"])
    finally:
        use("en")
    assert len(printed) > 500 and all(map(printable, printed))


def test_a_name_in_other_letters_is_told_and_its_card_has_its_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = tmp_path / "names.txt"
    names.write_text("Ada\n李雷\n", encoding="utf-8")
    status, out, err = run(capsys, "class", "--out", str(tmp_path / "class.pdf"), "--names", str(names))
    assert status == 0 and not err and "李雷 (2)" in out and "Ada" not in out
    assert "1 · Ada" in words_of(tmp_path / "class.pdf") and "2 ·" not in words_of(tmp_path / "class.pdf")


def test_words_are_in_the_language_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for language, word in (("en", "Rock"), ("de", "Stein"), ("fr", "Pierre")):
        out = tmp_path / f"{language}.pdf"
        assert run(capsys, "deck", "--out", str(out), "--language", language)[0] == 0
        assert word in words_of(out)
    assert run(capsys, "class", "--out", str(out), "--students", "1")[0] == 0
    assert "paper" in words_of(out), "the language is the sheet's, and not kept"


def test_every_word_on_a_sheet_is_told_in_a_language(monkeypatch: pytest.MonkeyPatch) -> None:
    printed: list[str] = []
    monkeypatch.setattr(Sheets, "words", lambda sheets, text, *where: printed.append(text))
    monkeypatch.setattr(Sheets, "drawing", lambda *where: None)
    use(MARKED)
    try:
        for make in MADE_BY.values():
            make(PAPERS["a4"])
    finally:
        use("en")
    spaces = {*Board(RECONSTRUCTION).names, "Throwlock"}
    assert [text for text in printed if any(map(str.isalpha, text)) and "⟦" not in text and text not in spaces] == []
    assert len(printed) > 500


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["deck"], "--out"),
        (["tarot", "--out", "x.pdf"], "tarot"),
        (["deck", "--out", "x.pdf", "--paper", "a3"], "a3"),
        (["deck", "--out", "x.pdf", "--language", "it"], "it"),
        (["deck", "--out", "nowhere/x.pdf"], "nowhere"),
        (["deck", "--out", "."], "directory"),
        (["deck", "--out", "x.pdf", "--students", "3"], "go with class"),
        (["class", "--out", "x.pdf", "--students", "100"], "99"),
        (["class", "--out", "x.pdf", "--names", "missing.txt"], "missing.txt"),
        (["class", "--out", "x.pdf", "--names", "many.txt"], "120 names"),
        (["class", "--out", "x.pdf", "--names", "none.txt"], "0 names"),
        (["class", "--out", "x.pdf", "--names", "latin.txt"], "UTF-8"),
        (["class", "--out", "x.pdf", "--names", "one.txt", "--students", "3"], "not both"),
    ],
)
def test_wrong_arguments_are_told_in_one_line(
    args: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "many.txt").write_text("Ada\n" * 120)
    (tmp_path / "none.txt").write_text("\n \n")
    (tmp_path / "one.txt").write_text("Ada\n")
    (tmp_path / "latin.txt").write_bytes("Zoë\n".encode("latin-1"))
    status, out, err = run(capsys, *args)
    assert status == 2 and not out
    assert says in err and len(err.splitlines()) == 1
    assert not (tmp_path / "x.pdf").exists()
