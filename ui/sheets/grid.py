"""A grid of cards on a sheet, with cut marks, and their backs in the right places."""

from collections.abc import Iterator
from typing import NamedTuple

from ui.sheets.paper import Paper, SheetDocument

CUT_MARK_LENGTH_MM = 2.6
"""Length of a cut mark."""
CUT_MARK_GAP_MM = 0.6
"""Distance of a cut mark from the cards."""
UNPRINTABLE_MM = 4.3
"""Distance from the edge within which many printers don't print."""


class CardGrid(NamedTuple):
    """Cards edge to edge, centred on the paper."""

    paper: Paper
    card_width: float
    """In mm."""
    card_height: float
    """In mm."""
    columns: int
    rows: int

    @property
    def capacity(self) -> int:
        """How many cards fit on a sheet."""
        return self.columns * self.rows

    @property
    def left(self) -> float:
        """The x of the first column in mm."""
        return (self.paper.width - self.columns * self.card_width) / 2

    @property
    def top(self) -> float:
        """The y of the first row in mm."""
        return (self.paper.height - self.rows * self.card_height) / 2

    def card_corners(self, count: int, back: bool = False) -> Iterator[tuple[float, float]]:
        """Yield the upper left corners of the first ``count`` cards in mm, row by row from the left; for their backs
        from the right, as a sheet turned over its long edge has its columns reversed."""
        for index in range(count):
            row, column = divmod(index, self.columns)
            column = self.columns - 1 - column if back else column
            yield self.left + column * self.card_width, self.top + row * self.card_height

    def draw_cut_marks(self, sheets: SheetDocument) -> None:
        """Draw the cut marks at all four sides."""
        length = min(CUT_MARK_LENGTH_MM, self.top - CUT_MARK_GAP_MM - UNPRINTABLE_MM)
        right, bottom = self.paper.width - self.left, self.paper.height - self.top
        for column in range(self.columns + 1):
            x = self.left + column * self.card_width
            sheets.line((x, self.top - CUT_MARK_GAP_MM), (x, self.top - CUT_MARK_GAP_MM - length))
            sheets.line((x, bottom + CUT_MARK_GAP_MM), (x, bottom + CUT_MARK_GAP_MM + length))
        for row in range(self.rows + 1):
            y = self.top + row * self.card_height
            sheets.line((self.left - CUT_MARK_GAP_MM, y), (self.left - CUT_MARK_GAP_MM - CUT_MARK_LENGTH_MM, y))
            sheets.line((right + CUT_MARK_GAP_MM, y), (right + CUT_MARK_GAP_MM + CUT_MARK_LENGTH_MM, y))
