"""The board's layout on the screen. Nothing here draws."""

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

from pygame import Rect

from rules.board.board import Board, Space


@dataclass(frozen=True)
class BoardGeometry:
    """The places of a board's spaces in ``box``, as large as fits: pointy-topped hexagons in rows, South at the
    bottom."""

    board: Board
    box: Rect

    @cached_property
    def space_width(self) -> float:
        """The width of a space in pixels; it is 2/√3 of that row_height."""
        left, top, right, bottom = self._extent
        return max(1.0, min(self.box.w / (right - left + 1), self.box.h / (bottom - top + 2 / math.sqrt(3))))

    def enlarge(self, focus: Space, space_width: float) -> "BoardGeometry":
        """Return the layout with spaces at least ``space_width`` pixels wide, larger than ``box`` and moved so that
        ``focus`` and the spaces around it are in the box."""
        left, top, right, bottom = self._extent
        x, y = self.board.centre(focus)
        width, height = (right - left + 1) * space_width, (bottom - top + 2 / math.sqrt(3)) * space_width
        # The outer quarters of the board show its edge, so that the neighbours of every space are in the box too.
        across, down = (x - left) / max(right - left, 1e-9), (y - top) / max(bottom - top, 1e-9)
        shares = [max(0.0, min(1.0, 2 * share - 0.5)) for share in (across, down)]
        box = Rect(self.box.topleft, (math.ceil(max(width, self.box.w)), math.ceil(max(height, self.box.h))))
        overhang = box.w - self.box.w, box.h - self.box.h
        return BoardGeometry(self.board, box.move(-round(shares[0] * overhang[0]), -round(shares[1] * overhang[1])))

    def centre(self, space: Space) -> tuple[float, float]:
        """Return the centre of a space in pixels."""
        left, top, right, bottom = self._extent
        x, y = self.board.centre(space)
        return (
            self.box.x + self.box.w / 2 + (x - (left + right) / 2) * self.space_width,
            self.box.y + self.box.h / 2 + (y - (top + bottom) / 2) * self.space_width,
        )

    def square_at(self, space: Space, share: float = 1.0) -> Rect:
        """Return a square around the centre of a space, ``share`` of the space wide."""
        x, y = self.centre(space)
        side = max(1, round(self.space_width * share))
        return Rect(round(x - side / 2), round(y - side / 2), side, side)

    def touch_rect(self, space: Space) -> Rect:
        """Return where a touch means the space: as wide as the space, as high as rows are apart. No two overlap."""
        x, y = self.centre(space)
        row_height = self.space_width * math.sqrt(3) / 2
        # Rounded first to six decimals, so that neighbours round their common edge alike.
        left, right = (math.floor(round(x + half * self.space_width, 6)) for half in (-0.5, 0.5))
        top, bottom = (math.floor(round(y + half * row_height, 6)) for half in (-0.5, 0.5))
        return Rect(left, top, max(1, right - left), max(1, bottom - top))

    @property
    def _extent(self) -> tuple[float, float, float, float]:
        return _board_extent(self.board)


@lru_cache(maxsize=16)
def _board_extent(board: Board) -> tuple[float, float, float, float]:
    """Return the outermost centres of a board: left, top, right, bottom, in widths of a space."""
    centres = [board.centre(space) for space in range(len(board.coordinates))]
    return (
        min(x for x, _ in centres),
        min(y for _, y in centres),
        max(x for x, _ in centres),
        max(y for _, y in centres),
    )
