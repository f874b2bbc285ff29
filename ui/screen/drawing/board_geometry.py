"""The board game's position, moves and board layout for the screen. Nothing here draws."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from pygame import Rect

from rules.board.board import DIRECTIONS, Board, Side, Space
from rules.board.notation import NotationError, parse_move, parse_position
from rules.engine import AllowedValues, Choices, Json, Seat

Token = str
"""A piece: R, S or F with its owner's digit, or P with the owners of a stack's sheets from bottom to top."""


@dataclass(frozen=True)
class BoardMove:
    """A move to draw: ``notation`` as in the rules, from ``origin`` to its ``landing_spaces``. A stack moved as a whole
    lands on one space; a ``spread`` in a direction lands on one space a sheet, up to the board's edge."""

    notation: str
    origin: Space
    landing_spaces: tuple[Space, ...]
    spread: str | None = None


@dataclass(frozen=True)
class BoardPosition:
    """A position to draw. ``seats`` are those of South and North; ``last`` is the move that led to it."""

    notation: str
    board: Board
    pieces: Mapping[Space, Token]
    to_move: Side
    seats: tuple[Seat, Seat]
    last: BoardMove | None = None

    def is_own(self, space: Space | None) -> bool:
        """Return whether the side to move owns the piece on a space."""
        return space is not None and space in self.pieces and owner_of(self.pieces[space]) == self.to_move


def owner_of(token: Token) -> Side:
    """Return the side that owns a piece: in a stack, the owner of the top sheet."""
    return int(token[-1])


def position_from_facts(facts: Mapping[str, Json]) -> BoardPosition | None:
    """Return the "position" in the facts of a prompt or event, with the seats of "south" and "north" and the "move" or
    "last" that led to it; ``None`` where there is none, or it isn't valid on this board."""
    text, seats = facts.get("position"), (facts.get("south"), facts.get("north"))
    parsed = _parse_position(text) if isinstance(text, str) else None
    if parsed is None:
        return None
    board, pieces, to_move = parsed
    south, north = (seat if isinstance(seat, int) else side for side, seat in enumerate(seats, 1))
    move = facts.get("move", facts.get("last"))
    last = _parse_move(move, board, {}) if isinstance(move, str) else None
    return BoardPosition(str(text), board, pieces, to_move, (south, north), last)


@lru_cache(maxsize=16)
def _parse_position(text: str) -> tuple[Board, Mapping[Space, Token], Side] | None:
    try:
        position = parse_position(_without_lost_flags(text))
    except NotationError:
        return None
    board = position.tables.board
    return (
        board,
        {board.space_at[coordinate]: token for coordinate, token in position.tokens().items()},
        position.to_move,
    )


def _without_lost_flags(text: str) -> str:
    """Return the position without the flags lost earlier, which make no difference on the screen."""
    return text.partition(" lost=")[0]


def moves_from_options(position: BoardPosition, options: AllowedValues) -> tuple[BoardMove, ...]:
    """Return the moves that ``options`` list; none at all if any of them is no move on this board."""
    moves = (
        [_parse_move(value, position.board, position.pieces) for value in options.values]
        if isinstance(options, Choices)
        else []
    )
    legal = tuple(move for move in moves if move is not None)
    return legal if len(legal) == len(moves) else ()


def _parse_move(value: object, board: Board, pieces: Mapping[Space, Token]) -> BoardMove | None:
    try:
        move = parse_move(str(value), board)
    except NotationError:
        return None
    if not move.spread:
        return BoardMove(str(value), move.origin, (move.target,))
    direction = board.direction_to[move.origin][move.target]
    sheets = len(pieces.get(move.origin, "P0")) - 1
    return BoardMove(str(value), move.origin, board.rays[move.origin][direction][:sheets], tuple(DIRECTIONS)[direction])


@lru_cache(maxsize=512)
def removed_by_move(position: str, move: str) -> Mapping[str, int]:
    """Return what a legal move removes from the board: the number by kind and owner, as ``{"R0": 1, "P1": 3}``."""
    before = parse_position(_without_lost_flags(position))
    after = before.after_move(parse_move(move, before.tables.board))
    return _count_pieces(before.tokens().values()) - _count_pieces(after.tokens().values())


def _count_pieces(tokens: Iterable[Token]) -> Counter[str]:
    return Counter(token[0] + owner for token in tokens for owner in token[1:])


def move_costs(position: BoardPosition, move: BoardMove) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """Return the pieces a move costs, by kind ("R", "P", …): those of the side to move, and the opponent's."""
    own: dict[str, int] = {}
    others: dict[str, int] = {}
    for piece, count in removed_by_move(position.notation, move.notation).items():
        (own if owner_of(piece) == position.to_move else others)[piece[0]] = count
    return own, others


@dataclass(frozen=True)
class BoardLayout:
    """The places of a board's spaces in ``box``, as large as fits: pointy-topped hexagons in rows, South at the
    bottom."""

    board: Board
    box: Rect

    @cached_property
    def space_width(self) -> float:
        """The width of a space in pixels; it is 2/√3 of that row_height."""
        left, top, right, bottom = self._extent
        return max(1.0, min(self.box.w / (right - left + 1), self.box.h / (bottom - top + 2 / math.sqrt(3))))

    def enlarge(self, focus: Space, space_width: float) -> "BoardLayout":
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
        return BoardLayout(self.board, box.move(-round(shares[0] * overhang[0]), -round(shares[1] * overhang[1])))

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
