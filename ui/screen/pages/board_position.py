"""The board game's position and moves as views have them."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from messages import N
from rules.board.board import DIRECTIONS, Board, Side, Space
from rules.board.notation import NotationError, parse_move, parse_position
from rules.engine import AllowedValues, Choices, FactValues, Seat
from ui.i18n.language import t

Token = str
"""A piece: R, S or F with its owner's digit, or P with the owners of a stack's sheets from bottom to top."""

PIECE_ICONS = {"R": "boulder", "P": "sheet", "S": "blades", "F": "flag"}
"""The icon of each kind of piece."""

PIECE_KINDS = {
    "R": (N("Rock"), N("Rocks")),
    "P": (N("Paper"), N("Papers")),
    "S": (N("Scissors"), N("Scissors", "several")),
    "F": (N("Flag"), N("Flags")),
}
"""The names of the board's pieces: singular and plural."""


@dataclass(frozen=True)
class BoardMove:
    """A move to draw."""

    notation: str
    """As in the rules."""
    origin: Space
    landing_spaces: tuple[Space, ...]
    """One for a stack moved as a whole; for a spread, one a sheet, up to the board's edge."""
    spread: str | None = None
    """The direction of a spread; None for any other move."""


@dataclass(frozen=True)
class BoardPosition:
    """A position to draw."""

    notation: str
    board: Board
    pieces: Mapping[Space, Token]
    to_move: Side
    seats: tuple[Seat, Seat]
    """Those of South and North."""
    last: BoardMove | None = None
    """The move that led to it; None at the start."""

    def is_own(self, space: Space | None) -> bool:
        """Return whether the side to move owns the piece on a space."""
        return space is not None and space in self.pieces and owner_of(self.pieces[space]) == self.to_move

    def move_of(self, value: object) -> BoardMove | None:
        """Return the move of a piece here that ``value`` is in writing; None if it is none."""
        move = _parse_move(value, self.board, self.pieces)
        return move if move is not None and move.origin in self.pieces else None


def owner_of(token: Token) -> Side:
    """Return the side that owns a piece: in a stack, the owner of the top sheet."""
    return int(token[-1])


def piece_name(token: Token) -> str:
    """A piece of the board."""
    return t(PIECE_KINDS[token[0]][0]) if len(token) == 2 else t("Stack of {count}", count=len(token) - 1)


def move_text(position: BoardPosition, move: BoardMove) -> str:
    """A move of a piece, or of a stack that is spread."""
    names, piece = position.board.space_names, position.pieces[move.origin]
    here, there = names[move.origin], names[move.landing_spaces[-1]]
    if move.spread:
        return t("Spread {here} to {there}", here=here, there=there)
    return t("{piece} {here} to {there}", piece=piece_name(piece), here=here, there=there)


def position_from_facts(facts: FactValues) -> BoardPosition | None:
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
