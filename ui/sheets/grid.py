"""Cards side by side on a sheet, with the marks to cut them at and their backs behind them."""

from collections.abc import Iterator
from typing import NamedTuple

from ui.sheets.paper import Paper, Sheets

CUT_MM = 2.6
"""How long a cut mark is."""
OFF_MM = 0.6
"""How far it stands off the cards."""


class Grid(NamedTuple):
    """Cards ``wide`` × ``high`` mm edge to edge in the middle of the paper."""

    paper: Paper
    wide: float
    high: float
    columns: int
    rows: int

    @property
    def room(self) -> int:
        """How many fit."""
        return self.columns * self.rows

    @property
    def left(self) -> float:
        """Where the first column begins."""
        return (self.paper.wide - self.columns * self.wide) / 2

    @property
    def top(self) -> float:
        """Where the first row begins."""
        return (self.paper.high - self.rows * self.high) / 2

    def places(self, count: int, back: bool = False) -> Iterator[tuple[float, float]]:
        """The upper left corners of the first ``count`` cards, row by row from the left; of their backs, from the
        right: a sheet that is turned over its long edge has its columns the other way round."""
        for index in range(count):
            row, column = divmod(index, self.columns)
            column = self.columns - 1 - column if back else column
            yield self.left + column * self.wide, self.top + row * self.high

    def cut_marks(self, sheets: Sheets) -> None:
        """The marks at all four sides."""
        right, bottom = self.paper.wide - self.left, self.paper.high - self.top
        for column in range(self.columns + 1):
            x = self.left + column * self.wide
            sheets.line((x, self.top - OFF_MM), (x, self.top - OFF_MM - CUT_MM))
            sheets.line((x, bottom + OFF_MM), (x, bottom + OFF_MM + CUT_MM))
        for row in range(self.rows + 1):
            y = self.top + row * self.high
            sheets.line((self.left - OFF_MM, y), (self.left - OFF_MM - CUT_MM, y))
            sheets.line((right + OFF_MM, y), (right + OFF_MM + CUT_MM, y))
