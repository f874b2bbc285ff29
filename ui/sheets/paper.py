"""Paper and what is drawn on it: markers, hands, words and lines, all of them as vectors in millimetres from the
sheet's upper left corner. A sheet is the same bytes every time it is made.

::

    sheets = Sheets(PAPERS["a4"], "Deck of cards")
    sheets.add("Deck of cards, sheet 1 of 8", note="Print at 100 %.")
    sheets.marker(30, x=14, y=20, side=34)
    sheets.save(Path("deck.pdf"))
"""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pygame

from rules.markers import MARKER_SIDE, squares
from ui.i18n.language import spoken, t
from ui.screen.drawing.icons import DRAWINGS, Pen, Point

if TYPE_CHECKING:  # a box that plays draws no sheets, and is ready sooner without
    from fpdf import FPDF


class Paper(NamedTuple):
    """A sheet's width and height in mm, upright."""

    wide: float
    high: float


PAPERS = {"a4": Paper(210.0, 297.0), "letter": Paper(215.9, 279.4)}
MADE = datetime(2000, 1, 1, tzinfo=UTC)
"""The date in every file, so that two that are equal are equal byte by byte."""
BLACK, WHITE, GREY = 0, 255, 150
FACE = "free"
FACE_FILE = Path(pygame.__file__).with_name(pygame.font.get_default_font())
"""The face of all words: FreeSans Bold, which pygame carries, with Latin, Greek and Cyrillic letters."""
SPACES = {0xA0: " ", 0x202F: " "}
"""Spaces that keep words together, which the face lacks: nothing on a sheet is broken into lines."""
POINT_MM = 25.4 / 72
CAPITAL = 0.729
"""Height of a capital of that face, in ems."""
RULER_MM = 100
EDGE_MM = 6.5
"""How far from the paper's left edge the ruler is. Most printers reach what is 4.2 mm from the edge."""
CROSS_MM = 6.0
"""How far from the paper's edges the crosses are that meet when a back lies right behind its front."""


@cache
def _letters() -> frozenset[int]:
    """The characters of the face."""
    from fontTools.ttLib import TTFont  # noqa: PLC0415

    with TTFont(FACE_FILE) as face:
        return frozenset(face.getBestCmap())


def printable(text: str) -> bool:
    """Whether the face has all letters of ``text``."""
    return all(ord(letter) in _letters() for letter in text.translate(SPACES))


class Sheets:
    """A file of sheets, on the last of which is drawn."""

    def __init__(self, paper: Paper, title: str) -> None:
        from fpdf import FPDF, ViewerPreferences  # noqa: PLC0415
        from fpdf.enums import Duplex  # noqa: PLC0415

        self.paper = paper
        self._pdf = FPDF(unit="mm", format=(paper.wide, paper.high))
        self._pdf.set_auto_page_break(False)
        self._pdf.set_margin(0)
        self._pdf.c_margin = 0
        self._pdf.set_creation_date(MADE)
        self._pdf.set_title(title)
        self._pdf.set_lang(spoken())
        self._pdf.viewer_preferences = ViewerPreferences(print_scaling="None", duplex=Duplex.DUPLEX_FLIP_LONG_EDGE)
        self._pdf.add_font(FACE, fname=FACE_FILE)

    def add(self, title: str, note: str = "") -> None:
        """Begin a sheet: with a ruler at its left, crosses at its corners, its title and a note at its right."""
        self._pdf.add_page()
        self._ruler()
        wide, high = self.paper
        for x in (CROSS_MM, wide - CROSS_MM):
            for y in (CROSS_MM, high - CROSS_MM):
                self.cross(x, y)
        with self.turned(270, wide - 5.5, high / 2):
            self.words(f"{title} · {note}" if note else title, wide - 5.5, high / 2, 2.0, (high - 30), GREY // 2)

    @property
    def pages(self) -> int:
        """How many sides there are so far."""
        return int(self._pdf.pages_count)

    def save(self, path: Path) -> None:
        """Write the file. Raises OSError."""
        path.write_bytes(bytes(self._pdf.output()))

    def rect(self, x: float, y: float, wide: float, high: float, ink: int = BLACK) -> None:
        """A filled rectangle."""
        self._pdf.set_fill_color(ink)
        self._pdf.rect(x, y, wide, high, style="F")

    def frame(self, x: float, y: float, wide: float, high: float, line: float, ink: int = BLACK) -> None:
        """A rectangle's line, half of it on either side."""
        self._lined(line, ink)
        self._pdf.rect(x, y, wide, high, style="D")

    def line(self, begin: Point, end: Point, line: float = 0.15, ink: int = BLACK) -> None:
        """A straight line."""
        self._lined(line, ink)
        self._pdf.line(*begin, *end)

    def outline(self, points: Sequence[Point], line: float = 0.3, ink: int = BLACK) -> None:
        """A polygon's line."""
        self._lined(line, ink)
        self._pdf.polygon(list(points), style="D")

    def cross(self, x: float, y: float, arm: float = 2.0) -> None:
        """A cross of fine lines."""
        self.line((x - arm, y), (x + arm, y))
        self.line((x, y - arm), (x, y + arm))

    def marker(self, number: int, x: float, y: float, side: float, turn: int = 0) -> None:
        """A marker with its upper left corner at (x, y), turned clockwise by so many quarter turns. White runs that
        touch are drawn over each other, row by row and column by column: no hairlines between squares."""
        cell = side / MARKER_SIDE
        with self.turned(90 * turn, x + side / 2, y + side / 2):
            self.rect(x, y, side, side)
            rows = squares(number)
            for row, column, count in _runs(rows):
                self.rect(x + column * cell, y + row * cell, count * cell, cell, WHITE)
            for column, row, count in _runs(tuple(zip(*rows, strict=True))):
                if count > 1:
                    self.rect(x + column * cell, y + row * cell, cell, count * cell, WHITE)

    def drawing(self, name: str, x: float, y: float, side: float, ink: int = BLACK, ground: int = WHITE) -> None:
        """One of the screen's drawings; what it rubs out is ``ground``."""
        DRAWINGS[name](_SheetPen(self._pdf, x, y, side, ink, ground))

    def words(self, text: str, x: float, y: float, high: float, room: float, ink: int = BLACK) -> None:
        """Words in one line with their middle at (x, y), capitals ``high`` mm, smaller if they take more than ``room``
        mm."""
        text = text.translate(SPACES)
        if not text:
            return
        self._pdf.set_font(FACE, size=high / CAPITAL / POINT_MM)
        took = self._pdf.get_string_width(text)
        if took > room:
            high *= room / took
            self._pdf.set_font(FACE, size=high / CAPITAL / POINT_MM)
            took = self._pdf.get_string_width(text)
        self._pdf.set_text_color(ink)
        self._pdf.text(x - took / 2, y + high / 2, text)

    @contextmanager
    def turned(self, degrees: float, x: float, y: float) -> Iterator[None]:
        """Draw turned clockwise about (x, y)."""
        if degrees % 360 == 0:
            yield
            return
        with self._pdf.rotation(-degrees, x, y):
            yield

    @contextmanager
    def within(self, x: float, y: float, wide: float, high: float) -> Iterator[None]:
        """Draw only what lies within a rectangle."""
        with self._pdf.rect_clip(x, y, wide, high):
            yield

    def _lined(self, line: float, ink: int) -> None:
        self._pdf.set_line_width(line)
        self._pdf.set_draw_color(ink)

    def _ruler(self) -> None:
        """A ruler of 100 mm: who lays another beside it sees whether the printer scaled the sheet."""
        top = (self.paper.high - RULER_MM) / 2
        self.line((EDGE_MM, top), (EDGE_MM, top + RULER_MM))
        for millimetre in range(RULER_MM + 1):
            tick = 2.0 if millimetre % 10 == 0 else 1.4 if millimetre % 5 == 0 else 0.8
            self.line((EDGE_MM - tick, top + millimetre), (EDGE_MM, top + millimetre), 0.1)
        with self.turned(270, EDGE_MM - 1, top - 16):
            self.words(t("{mm} mm: measure it", mm=RULER_MM), EDGE_MM - 1, top - 16, 1.8, 26, GREY // 2)


class _SheetPen(Pen):
    """The screen's pen, drawing with a PDF's vectors instead of pixels."""

    def __init__(self, pdf: "FPDF", x: float, y: float, side: float, ink: int, ground: int) -> None:
        self._pdf = pdf
        self._at = (x, y)
        self._mm = side
        self._inks = (ink, ground)
        self.rub(False)

    def rub(self, on: bool = True) -> None:
        """See Pen: what is rubbed out is drawn in the ground's colour."""
        self._tone = self._inks[on]

    def disc(self, at: Point, radius: float) -> None:
        """See Pen."""
        self._pdf.set_fill_color(self._tone)
        self._pdf.circle(*self._placed(at), radius * self._mm, style="F")

    def ring(self, at: Point, radius: float, width: float) -> None:
        """See Pen."""
        self._pdf.set_line_width(width * self._mm)
        self._pdf.set_draw_color(self._tone)
        self._pdf.circle(*self._placed(at), (radius - width / 2) * self._mm, style="D")

    def polygon(self, points: Sequence[Point]) -> None:
        """See Pen."""
        self._pdf.set_fill_color(self._tone)
        self._pdf.polygon([self._placed(point) for point in points], style="F")

    def _placed(self, at: Point) -> Point:
        return self._at[0] + at[0] * self._mm, self._at[1] + at[1] * self._mm


def _runs(rows: Sequence[Sequence[bool]]) -> Iterator[tuple[int, int, int]]:
    """The runs of white squares in each row: the row, where it begins, how many."""
    for number, row in enumerate(rows):
        begin = None
        for place, black in enumerate((*row, True)):
            if not black and begin is None:
                begin = place
            elif black and begin is not None:
                yield number, begin, place - begin
                begin = None


def hexagon(x: float, y: float, pitch: float) -> list[Point]:
    """The corners of a space of the board with its middle at (x, y), one of them at the top."""
    radius = pitch / math.sqrt(3)
    angles = [math.radians(60 * corner - 90) for corner in range(6)]
    return [(x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles]
