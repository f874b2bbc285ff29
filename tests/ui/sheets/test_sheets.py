"""The printed sheets, rendered to pixels and read back, and measured in their vectors; the command that makes them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pypdfium2 as pdfium
import pytest
from numpy.typing import NDArray
from pypdfium2 import raw

from rules.board.board import RECONSTRUCTED_LAYOUT, Board
from rules.markers import (
    BLANK_FUTURE_CARDS,
    BOARD_MARKER_CENTRES_MM,
    BOARD_PITCH_MM,
    CARD_SIZE_MM,
    DECK_CARDS_PER_THROW,
    FUTURE_CARDS_PER_THROW,
    MARKER_SIDE_MM,
    MARKER_SIDE_SQUARES,
    MAT_SIZE_MM,
    MAX_SEATS,
    THROW_BY_QUARTER_TURNS,
    MarkerKind,
    markers_of_kind,
)
from rules.throws import Throw
from throwlock.cli.main import run_command
from ui.fonts import is_plain, missing_letters
from ui.i18n.language import LANGUAGES, PSEUDO_LANGUAGE, set_language
from ui.screen.drawing.theme import seat_mark
from ui.sheets.board import make_board
from ui.sheets.cards import CARD_MM, make_class_cards, make_deck, make_future_deck, make_mats
from ui.sheets.grid import CardGrid
from ui.sheets.paper import CREATION_DATE, PAPERS, RULER_LENGTH_MM, Paper, SheetDocument
from vision.cards.reader import Card, read_cards

RENDER_DPI = 150
PIXELS_PER_MM = RENDER_DPI / 25.4
CORNER_TOLERANCE_MM = 0.25
"""1.5 pixels."""
MAKERS: dict[str, Callable[[Paper], SheetDocument]] = {
    "deck": make_deck,
    "future": make_future_deck,
    "class": make_class_cards,
    "mats": make_mats,
    "board": make_board,
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Path]:
    """Return the path of each PDF by sheet and paper."""
    folder = tmp_path_factory.mktemp("sheets")
    paths = {(what, paper): folder / f"{what}-{paper}.pdf" for what in MAKERS for paper in PAPERS}
    for (what, paper), path in paths.items():
        MAKERS[what](PAPERS[paper]).save(path)
    return paths


def rendered(path: Path, dpi: float = RENDER_DPI) -> Iterator[NDArray[np.uint8]]:
    """Yield the pages in grey."""
    document = pdfium.PdfDocument(path)
    for page in document:
        yield page.render(scale=dpi / 72, grayscale=True).to_numpy().squeeze().copy()


def corner_mm(card: Card) -> tuple[float, float]:
    """Return where a card's upper left corner was read, in mm on the sheet."""
    x, y = (card.corners[0] + 0.5) / PIXELS_PER_MM
    return float(x), float(y)


@pytest.mark.slow
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(
    ("what", "kind", "back"),
    [("deck", MarkerKind.CARD, MarkerKind.CARD_BACK), ("future", MarkerKind.FUTURE, MarkerKind.FUTURE_BACK)],
)
def test_every_card_is_readable_and_its_back_lies_behind_it(
    files: dict[tuple[str, str], Path], what: str, kind: MarkerKind, back: MarkerKind, paper: str
) -> None:
    width = PAPERS[paper].width
    fronts: list[int] = []
    pages = list(rendered(files[what, paper]))
    for front, behind in zip(pages[::2], pages[1::2], strict=True):
        cards, backs = read_cards(front), read_cards(behind)
        fronts += [card.printed.number for card in cards if card.printed.kind is kind]
        assert len(cards) == len(backs) and {card.printed.kind for card in backs} == {back}
        assert all(
            card.quarter_turns == 0 and abs(card.side_px / PIXELS_PER_MM - MARKER_SIDE_MM[card.printed.kind]) < 0.3
            for card in (*cards, *backs)
        )
        # Turned over its long edge, what was at x is at the paper's width less x; a back's middle is its card's.
        behind_mm = {
            (round(width - card.centre[0] / PIXELS_PER_MM, 0), round(card.centre[1] / PIXELS_PER_MM - 18, 0))
            for card in backs
        }
        assert behind_mm == {
            (round(card.centre[0] / PIXELS_PER_MM, 0), round(card.centre[1] / PIXELS_PER_MM, 0)) for card in cards
        }
    assert sorted(fronts) == [card.number for card in markers_of_kind(kind)]


def test_decks_have_the_numbers_of_cards_in_the_rules() -> None:
    for throw in Throw:
        assert [card.throw for card in markers_of_kind(MarkerKind.CARD)].count(throw) == DECK_CARDS_PER_THROW == 24
        assert [card.throw for card in markers_of_kind(MarkerKind.FUTURE)].count(throw) == FUTURE_CARDS_PER_THROW == 13
    assert [card.throw for card in markers_of_kind(MarkerKind.FUTURE)].count(None) == BLANK_FUTURE_CARDS == 3


@pytest.mark.parametrize("paper", PAPERS)
def test_the_upper_edge_of_a_class_card_is_its_throw(files: dict[tuple[str, str], Path], paper: str) -> None:
    seen: list[tuple[int, int]] = []
    for page in rendered(files["class", paper], 40):
        for turned in range(4):
            cards = read_cards(np.ascontiguousarray(np.rot90(page, -turned)))
            seen += [(card.printed.number, card.quarter_turns) for card in cards]
            assert all(card.skew_deg < 1 and card.printed.kind is MarkerKind.CLASS for card in cards)
            assert {THROW_BY_QUARTER_TURNS[card.quarter_turns] for card in cards} == {(*Throw, None)[turned]}
    assert sorted(seen) == [(number, way) for number in range(1, 64) for way in range(4)]


def test_class_card_has_its_seats_colour(files: dict[tuple[str, str], Path]) -> None:
    square = MARKER_SIDE_MM[MarkerKind.CLASS] / MARKER_SIDE_SQUARES
    page = pdfium.PdfDocument(files["class", "a4"])[0].render(scale=RENDER_DPI / 72).to_numpy()[..., 2::-1]
    for row, seat in enumerate((1, 2)):
        left, top = (210 - CARD_MM) / 2, (297 - 2 * CARD_MM) / 2 + row * CARD_MM

        def around(distance_mm: float, left: float = left, top: float = top) -> np.ndarray:
            """The colours of the four lines at a distance from the card's edges."""
            near, far = distance_mm, CARD_MM - distance_mm
            steps = np.linspace(near, far, 400)
            edges = [(steps, near + 0 * steps), (steps, far + 0 * steps), (near + 0 * steps, steps)]
            edges.append((far + 0 * steps, steps))
            x, y = (np.concatenate(one) for one in zip(*edges, strict=True))
            found = page[((top + y) * PIXELS_PER_MM).astype(int), ((left + x) * PIXELS_PER_MM).astype(int)]
            return np.asarray(found)

        margin = (CARD_MM - MARKER_SIDE_MM[MarkerKind.CLASS]) / 2
        assert all((around(margin - distance) == 255).all() for distance in np.linspace(0.5, square - 0.5, 8))
        coloured = (np.abs(around(0.7).astype(int) - seat_mark(seat).colour) < 3).all(axis=1)
        for edge in np.split(coloured, 4):
            assert 0.4 < edge.mean() < 0.75, "each edge the same: coloured but for the name"


def test_a_mat_has_a_marker_at_each_corner_with_its_turn(files: dict[tuple[str, str], Path]) -> None:
    left, top = (210 - MAT_SIZE_MM[0]) / 2, (297 - MAT_SIZE_MM[1]) / 2
    right, bottom = left + MAT_SIZE_MM[0], top + MAT_SIZE_MM[1]
    for seat, page in enumerate(rendered(files["mats", "a4"]), 1):
        cards = sorted(read_cards(page), key=lambda card: card.quarter_turns)
        assert [(card.printed.kind, card.printed.number, card.quarter_turns) for card in cards] == [
            (MarkerKind.MAT, seat, turn) for turn in range(4)
        ]
        corners = [corner_mm(card) for card in cards]
        assert corners == [
            pytest.approx(corner, abs=CORNER_TOLERANCE_MM)
            for corner in ((left, top), (right, top), (right, bottom), (left, bottom))
        ]
    assert seat == MAX_SEATS


def test_the_sheets_of_the_board_fit_together(files: dict[tuple[str, str], Path]) -> None:
    *pages, pieces = rendered(files["board", "a4"])
    assert len(pages) == 6
    step_x, step_y = 210 - 2 * 9 - 10, 297 - 2 * 9 - 10
    marks = {}
    for index, page in enumerate(pages):
        row, column = divmod(index, 3)
        for card in read_cards(page):
            assert card.quarter_turns == 0 and card.printed.kind is MarkerKind.BOARD
            x, y = card.centre[0] / PIXELS_PER_MM + column * step_x, card.centre[1] / PIXELS_PER_MM + row * step_y
            marks[card.printed.number] = (x, y)
    first = marks[1]
    for number, (x, y) in marks.items():
        offset = [
            end - start
            for end, start in zip(BOARD_MARKER_CENTRES_MM[number - 1], BOARD_MARKER_CENTRES_MM[0], strict=True)
        ]
        assert (x - first[0], y - first[1]) == pytest.approx(offset, abs=0.3)
    assert len(marks) == len(BOARD_MARKER_CENTRES_MM)
    assert sorted(card.printed.number for card in read_cards(pieces)) == [
        piece.number for piece in markers_of_kind(MarkerKind.PIECE)
    ]


def test_the_pieces_are_those_of_the_start_position() -> None:
    initial = sorted(Board(RECONSTRUCTED_LAYOUT).initial_pieces.values())
    assert sorted(piece.token or "" for piece in markers_of_kind(MarkerKind.PIECE)) == initial


def test_two_sheets_of_the_board_are_equal_in_their_shared_strip(files: dict[tuple[str, str], Path]) -> None:
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
    """Return left, top, width and height in mm of every path of a page."""
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
    markers = [box for box in found if box[2:] == pytest.approx((MARKER_SIDE_MM[MarkerKind.CARD],) * 2, abs=0.05)]
    assert len(markers) == 9
    lefts, tops = (sorted({round(box[axis], 1) for box in markers}) for axis in (0, 1))
    assert np.diff(lefts) == pytest.approx([CARD_SIZE_MM[0]] * 2, abs=0.11)
    assert np.diff(tops) == pytest.approx([CARD_SIZE_MM[1]] * 2, abs=0.11)
    assert any(box[3] == pytest.approx(RULER_LENGTH_MM, abs=0.4) and box[2] < 0.4 for box in found)


def test_the_spaces_of_the_board_have_the_printed_distance(files: dict[tuple[str, str], Path]) -> None:
    spaces = [box for box in rectangles(files["board", "a4"], 4) if box[2] > 40 and box[3] > 40]
    top = spaces[0][1]
    lefts = sorted(box[0] for box in spaces if abs(box[1] - top) < 1)
    assert len(lefts) > 3 and np.diff(lefts) == pytest.approx([BOARD_PITCH_MM] * (len(lefts) - 1), abs=0.1)


def test_sheets_contain_only_vectors_and_text(files: dict[tuple[str, str], Path]) -> None:
    for path in files.values():
        for page in pdfium.PdfDocument(path):
            kinds = {thing.type for thing in page.get_objects()}
            assert kinds <= {raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_TEXT}


def test_everything_is_within_the_printable_area(files: dict[tuple[str, str], Path]) -> None:
    for (_, paper), path in files.items():
        for page in rendered(path, 50):
            ink = np.argwhere(page < 200) * 25.4 / 50
            assert ink.min() > 3.5 and (ink.max(0) < np.array(PAPERS[paper])[::-1] - 3).all()


@pytest.mark.parametrize("what", MAKERS)
def test_the_same_sheet_is_the_same_bytes_each_time(
    files: dict[tuple[str, str], Path], what: str, tmp_path: Path
) -> None:
    MAKERS[what](PAPERS["a4"]).save(tmp_path / "again.pdf")
    again = (tmp_path / "again.pdf").read_bytes()
    assert again == files[what, "a4"].read_bytes()
    assert f"D:{CREATION_DATE:%Y%m%d}".encode() in again


def test_backs_mirror_the_columns_of_their_fronts() -> None:
    grid = CardGrid(PAPERS["letter"], 63, 88, columns=3, rows=3)
    for (x, y), (behind_x, behind_y) in zip(grid.card_corners(7), grid.card_corners(7, back=True), strict=True):
        assert grid.paper.width - x - 63 == pytest.approx(behind_x) and y == behind_y


def page_text(path: Path, page: int = 0) -> str:
    """Return the text of a page."""
    return str(pdfium.PdfDocument(path)[page].get_textpage().get_text_bounded())


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    """Run ``throwlock cards``. Return its status, output and errors."""
    status = run_command(["cards", *args])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_the_default_file_is_named_after_the_sheets(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(capsys, "board") == (0, "board.pdf: 7 A4 pages\n", "")
    assert len(pdfium.PdfDocument("board.pdf")) == 7
    status, _, error = run(capsys, "board")
    assert status == 2 and "board.pdf exists already" in error


def test_a_class_with_names_has_a_card_for_everybody(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = tmp_path / "names.txt"
    names.write_text("Zoë\n\n  Łukasz \nΜαρία\n", encoding="utf-8")
    out = tmp_path / "class.pdf"
    assert run(capsys, "class", "--out", str(out), "--names", str(names), "--paper", "letter")[0] == 0
    assert len(pdfium.PdfDocument(out)) == 2
    assert [page_text(out).count(name) for name in ("Zoë", "Łukasz", "Name")] == [4, 4, 0]
    assert "Μαρία" in page_text(out, 1)
    assert [
        card.printed.number
        for page in rendered(out, 60)
        for card in sorted(read_cards(page), key=lambda card: card.centre[1])
    ] == [1, 2, 3]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_font_has_the_letters_of_every_language(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    printed: list[str] = []
    monkeypatch.setattr(SheetDocument, "text", lambda sheets, text, *args: printed.append(text))
    monkeypatch.setattr(SheetDocument, "icon", lambda *args: None)
    set_language(language)
    for make in MAKERS.values():
        make(PAPERS["letter"])
    set_language("en")
    assert len(printed) > 500 and all(map(is_plain, printed))


def test_a_name_in_another_script_is_printed(tmp_path: Path) -> None:
    if missing_letters("李雷"):
        pytest.skip("this machine lacks Debian's fonts-noto-cjk")
    pages: list[NDArray[np.uint8]] = []
    for name in ("李雷", "韩梅"):
        sheets = SheetDocument(PAPERS["a4"], "Names")
        sheets.add_plain_page()
        sheets.text(name, 105, 148, 8, 80)
        sheets.save(tmp_path / "names.pdf")
        pages += rendered(tmp_path / "names.pdf")
    ink = [np.argwhere(page < 128) / PIXELS_PER_MM for page in pages]
    assert pages[0].shape == pages[1].shape and (pages[0] != pages[1]).any(), "each has its own letters"
    for points in ink:
        assert points.mean(axis=0) == pytest.approx((148, 105), abs=1.5) and np.ptp(points[:, 0]) == pytest.approx(
            10, abs=2
        )


HOSTILE_NAMES = (
    ") Tj ET Q /JavaScript (app.alert(1)) ",
    "(((\\\\)",
    "<</S/URI/URI(https://evil.example)>>",
    "endstream endobj %%EOF",
    "{nb} {{7*7}} %s",
    "A" * 40,
    "\u202eevil\u202c",
    "a\u0300\u0301\u0302" * 10,
    "👩‍👩‍👧‍👦",
    "=HYPERLINK(1)",
)
"""Names that mean something to a PDF, a template, a spreadsheet, or to whatever lays letters out."""


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_a_hostile_name_is_a_text_on_the_sheet_and_nothing_else(tmp_path: Path, name: str) -> None:
    plain, hostile = (tmp_path / f"{which}.pdf" for which in ("plain", "hostile"))
    for path, text in ((plain, "Ada"), (hostile, name)):
        sheets = SheetDocument(PAPERS["a4"], "Names")
        sheets.add_plain_page()
        sheets.text(text, 105, 148, 8, 80)
        sheets.save(path)
    assert len(pdfium.PdfDocument(hostile)) == len(pdfium.PdfDocument(plain)) == 1
    for words in (b"/JavaScript", b"/URI", b"/Launch", b"/OpenAction", b"/EmbeddedFile", b"/Annots"):
        assert hostile.read_bytes().count(words) == plain.read_bytes().count(words), words
    (page,) = rendered(hostile, 60)
    ink = np.argwhere(page.min(axis=-1) < 128 if page.ndim == 3 else page < 128) * 25.4 / 60
    assert not ink.size or (np.abs(ink[:, 1] - 105) <= 42).all(), "it is not wider than its field"


def test_name_without_font_leaves_a_field(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = tmp_path / "names.txt"
    names.write_text("Ada\n\U00030000雷\n", encoding="utf-8")
    status, out, err = run(capsys, "class", "--out", str(tmp_path / "class.pdf"), "--names", str(names))
    assert status == 0 and not err and "\U00030000雷 (2)" in out and "Ada" not in out
    text = page_text(tmp_path / "class.pdf")
    assert (text.count("Ada"), text.count("Name")) == (4, 4), "the second card has a field for the name"


def test_sheets_are_in_the_given_language(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for language, word in (("en", "Rock"), ("de", "Stein"), ("fr", "Pierre")):
        out = tmp_path / f"{language}.pdf"
        assert run(capsys, "deck", "--out", str(out), "--language", language)[0] == 0
        assert word in page_text(out)
    assert run(capsys, "class", "--out", str(out), "--students", "1")[0] == 0
    assert "PAPER" in page_text(out), "the language applies to one sheet only"


def test_all_text_on_a_sheet_is_translated(monkeypatch: pytest.MonkeyPatch) -> None:
    printed: list[str] = []
    monkeypatch.setattr(SheetDocument, "text", lambda sheets, text, *args: printed.append(text))
    monkeypatch.setattr(SheetDocument, "icon", lambda *args: None)
    set_language(PSEUDO_LANGUAGE)
    for make in MAKERS.values():
        make(PAPERS["a4"])
    set_language("en")
    spaces = {*Board(RECONSTRUCTED_LAYOUT).space_names, "Throwlock"}
    assert [text for text in printed if any(map(str.isalpha, text)) and "⟦" not in text and text not in spaces] == []
    assert len(printed) > 500


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["tarot", "--out", "x.pdf"], "tarot"),
        (["deck", "--out", "x.pdf", "--paper", "a3"], "a3"),
        (["deck", "--out", "x.pdf", "--language", "it"], "it"),
        (["deck", "--out", "nowhere/x.pdf"], "nowhere"),
        (["deck", "--out", "."], ". is a folder"),
        (["deck", "--out", "x.pdf", "--students", "3"], "go with class"),
        (["class", "--out", "x.pdf", "--students", "100"], "99"),
        (["class", "--out", "x.pdf", "--names", "missing.txt"], "missing.txt"),
        (["class", "--out", "x.pdf", "--names", "many.txt"], "120 names"),
        (["class", "--out", "x.pdf", "--names", "none.txt"], "0 names"),
        (["class", "--out", "x.pdf", "--names", "zeros.txt"], "UTF-8"),
        (["class", "--out", "x.pdf", "--names", "one.txt", "--students", "3"], "one of --names, --class"),
    ],
)
def test_wrong_arguments_are_reported_in_one_line(
    args: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "many.txt").write_text("Ada\n" * 120)
    (tmp_path / "none.txt").write_text("\n \n")
    (tmp_path / "one.txt").write_text("Ada\n")
    (tmp_path / "zeros.txt").write_bytes(b"Ada\0\0\0Ben\n\0\xff")
    status, out, err = run(capsys, *args)
    assert status == 2 and not out
    assert message in err and len(err.splitlines()) == 1
    assert not (tmp_path / "x.pdf").exists()
