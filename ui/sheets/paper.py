"""PDF sheets with markers, icons, text and lines, drawn as vectors in millimetres from the sheet's upper left corner.
The same sheets are the same bytes every time.

::

    sheets = SheetDocument(PAPERS["a4"], "Deck of cards")
    sheets.add_page("Deck of cards, sheet 1 of 8", note="Print at 100 %.")
    sheets.marker(30, x=14, y=20, side=34)
    sheets.save(Path("deck.pdf"))
"""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import pygame

from device.system.output_files import atomic_write
from rules.markers import MARKER_SIDE_SQUARES, marker_squares
from ui.fonts import MAIN_FONT_FILE, SPACES, is_plain
from ui.i18n.language import current_language, t
from ui.icons import icon_svg
from ui.screen.drawing.text import capital_offset, render_line

Point = tuple[float, float]
Shade = int | tuple[int, int, int]
"""A colour: a grey from 0, black, to 255, or red, green and blue."""


class Paper(NamedTuple):
    """A sheet's width and height in mm, in portrait."""

    width: float
    height: float


PAPERS = {"a4": Paper(210.0, 297.0), "letter": Paper(215.9, 279.4)}
CREATION_DATE = datetime(2000, 1, 1, tzinfo=UTC)
"""The date in every file, so that equal sheets are equal byte by byte."""
BLACK, WHITE, GREY = 0, 255, 150
FONT_NAME = "main"
IMAGE_DPI = 600
"""Resolution of text in letters that the main font lacks. It is an image: the PDF library shapes no letters."""
POINT_MM = 25.4 / 72
CAPITAL_HEIGHT_EM = 0.729
"""Height of the font's capitals, in ems."""
RULER_LENGTH_MM = 100
RULER_MARGIN_MM = 6.5
"""Distance of the ruler from the left edge. Most printers print up to 4.2 mm from the edge."""
CROSS_MARGIN_MM = 6.0
"""Distance from the edges of the crosses that meet when a back lies right behind its front."""


class SheetDocument:
    """A PDF file of sheets. Everything is drawn on the last one."""

    def __init__(self, paper: Paper, title: str) -> None:
        from fpdf import FPDF, ViewerPreferences  # noqa: PLC0415
        from fpdf.enums import Duplex  # noqa: PLC0415

        self.paper = paper
        self._pdf = FPDF(unit="mm", format=(paper.width, paper.height))
        self._pdf.set_auto_page_break(False)
        self._pdf.set_margin(0)
        self._pdf.c_margin = 0
        self._pdf.set_creation_date(CREATION_DATE)
        self._pdf.set_title(title)
        self._pdf.set_lang(current_language())
        self._pdf.viewer_preferences = ViewerPreferences(print_scaling="None", duplex=Duplex.DUPLEX_FLIP_LONG_EDGE)
        self._pdf.add_font(FONT_NAME, fname=MAIN_FONT_FILE)

    def add_plain_page(self) -> None:
        """Begin a sheet with nothing on it: nothing is cut out, so that its size doesn't matter."""
        self._pdf.add_page()

    def add_page(self, title: str, note: str = "") -> None:
        """Begin a sheet, with a ruler at its left, crosses in its corners, and a title and note at its right."""
        self._pdf.add_page()
        self._draw_ruler()
        width, height = self.paper
        for x in (CROSS_MARGIN_MM, width - CROSS_MARGIN_MM):
            for y in (CROSS_MARGIN_MM, height - CROSS_MARGIN_MM):
                self.cross(x, y)
        with self.rotation(270, width - 5.5, height / 2):
            self.text(f"{title} · {note}" if note else title, width - 5.5, height / 2, 2.0, (height - 30), GREY // 2)

    @property
    def page_count(self) -> int:
        """The number of pages so far."""
        return int(self._pdf.pages_count)

    def save(self, path: Path) -> None:
        """Write the file. Raises OSError."""
        with atomic_write(path) as part:
            part.write_bytes(bytes(self._pdf.output()))

    def rect(self, x: float, y: float, width: float, height: float, colour: Shade = BLACK) -> None:
        """Draw a filled rectangle."""
        self._pdf.set_fill_color(*((colour,) if isinstance(colour, int) else colour))
        self._pdf.rect(x, y, width, height, style="F")

    def frame(self, x: float, y: float, width: float, height: float, line_width: float, colour: int = BLACK) -> None:
        """Draw the outline of a rectangle, with the line centred on its edges."""
        self._set_line(line_width, colour)
        self._pdf.rect(x, y, width, height, style="D")

    def line(self, begin: Point, end: Point, line_width: float = 0.15, colour: int = BLACK) -> None:
        """Draw a straight line."""
        self._set_line(line_width, colour)
        self._pdf.line(*begin, *end)

    def polygon(self, points: Sequence[Point], line_width: float = 0.3, colour: int = BLACK) -> None:
        """Draw the outline of a polygon."""
        self._set_line(line_width, colour)
        self._pdf.polygon(list(points), style="D")

    def cross(self, x: float, y: float, arm: float = 2.0) -> None:
        """Draw a cross of fine lines, each ``2 * arm`` long."""
        self.line((x - arm, y), (x + arm, y))
        self.line((x, y - arm), (x, y + arm))

    def marker(self, number: int, x: float, y: float, side: float, quarter_turns: int = 0) -> None:
        """Draw a marker with its upper left corner at (x, y), turned clockwise. White runs are drawn twice, by row and
        by column, so that no hairlines show between squares."""
        cell = side / MARKER_SIDE_SQUARES
        with self.rotation(90 * quarter_turns, x + side / 2, y + side / 2):
            self.rect(x, y, side, side)
            rows = marker_squares(number)
            for row, column, count in _white_runs(rows):
                self.rect(x + column * cell, y + row * cell, count * cell, cell, WHITE)
            for column, row, count in _white_runs(tuple(zip(*rows, strict=True))):
                if count > 1:
                    self.rect(x + column * cell, y + row * cell, cell, count * cell, WHITE)

    def icon(self, name: str, x: float, y: float, side: float, colour: int = BLACK) -> None:
        """Draw one of the screen's icons."""
        svg = icon_svg(name, f"rgb({colour}, {colour}, {colour})")
        self._pdf.image(BytesIO(svg.encode()), x, y, side, side)

    def text(
        self, text: str, x: float, y: float, height: float, max_width: float, colour: int = BLACK, *, left: bool = False
    ) -> None:
        """Draw a line of text centred at (x, y), or with its ``left`` end there, with capitals ``height`` mm high, or
        smaller to fit ``max_width`` mm."""
        text = text.translate(SPACES)
        if not text:
            return
        if not is_plain(text):
            self._text_image(text, x, y, height, max_width, colour, left=left)
            return
        self._pdf.set_font(FONT_NAME, size=height / CAPITAL_HEIGHT_EM / POINT_MM)
        width = self._pdf.get_string_width(text)
        if width > max_width:
            height *= max_width / width
            self._pdf.set_font(FONT_NAME, size=height / CAPITAL_HEIGHT_EM / POINT_MM)
            width = self._pdf.get_string_width(text)
        self._pdf.set_text_color(colour)
        self._pdf.text(x if left else x - width / 2, y + height / 2, text)

    def _text_image(
        self, text: str, x: float, y: float, height: float, max_width: float, colour: int, *, left: bool
    ) -> None:
        """Draw a line of text as an image, transparent where it has no ink."""
        from PIL import Image  # noqa: PLC0415 - only names in other scripts need it

        size, mm = round(height / CAPITAL_HEIGHT_EM / 25.4 * IMAGE_DPI), 25.4 / IMAGE_DPI
        line = render_line(text, size, (colour,) * 3)
        image = Image.frombytes("RGBA", line.get_size(), pygame.image.tobytes(line, "RGBA"))
        mm *= min(1.0, max_width / (image.width * mm))
        width, tall = image.width * mm, image.height * mm
        top = y - tall / 2 + capital_offset(size) * mm
        self._pdf.image(image, x if left else x - width / 2, top, width, tall)

    @contextmanager
    def rotation(self, degrees: float, x: float, y: float) -> Iterator[None]:
        """Turn what is drawn clockwise about (x, y)."""
        if degrees % 360 == 0:
            yield
            return
        with self._pdf.rotation(-degrees, x, y):
            yield

    @contextmanager
    def clip_rect(self, x: float, y: float, width: float, height: float) -> Iterator[None]:
        """Clip what is drawn to a rectangle."""
        with self._pdf.rect_clip(x, y, width, height):
            yield

    def _set_line(self, line_width: float, colour: int) -> None:
        self._pdf.set_line_width(line_width)
        self._pdf.set_draw_color(colour)

    def _draw_ruler(self) -> None:
        """Draw a ruler of 100 mm, to check against another whether the printer scaled the sheet."""
        top = (self.paper.height - RULER_LENGTH_MM) / 2
        self.line((RULER_MARGIN_MM, top), (RULER_MARGIN_MM, top + RULER_LENGTH_MM))
        for millimetre in range(RULER_LENGTH_MM + 1):
            tick = 2.0 if millimetre % 10 == 0 else 1.4 if millimetre % 5 == 0 else 0.8
            self.line((RULER_MARGIN_MM - tick, top + millimetre), (RULER_MARGIN_MM, top + millimetre), 0.1)
        with self.rotation(270, RULER_MARGIN_MM - 1, top - 16):
            self.text(
                t("{mm} mm: check with a ruler", mm=RULER_LENGTH_MM), RULER_MARGIN_MM - 1, top - 16, 1.8, 26, GREY // 2
            )


def _white_runs(rows: Sequence[Sequence[bool]]) -> Iterator[tuple[int, int, int]]:
    """Yield the runs of white squares: row, first column, length."""
    for number, row in enumerate(rows):
        begin = None
        for column, black in enumerate((*row, True)):
            if not black and begin is None:
                begin = column
            elif black and begin is not None:
                yield number, begin, column - begin
                begin = None


def hexagon(x: float, y: float, pitch: float) -> list[Point]:
    """Return the corners of a space of the board centred at (x, y), one of them at the top."""
    radius = pitch / math.sqrt(3)
    angles = [math.radians(60 * corner - 90) for corner in range(6)]
    return [(x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles]
