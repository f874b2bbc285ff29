"""Moves and positions in writing. What is written here is read here as the same again.

A space is ``q,r``. A move is ``FROM>TO``: ``-4,0>0,0``; a spread ``FROM*DIRECTION``: ``0,0*E``, with one of
E NE NW W SW SE. A position is one line, blank between its parts: each piece as ``TOKEN@q,r``, then ``to-move=0``
(South) or ``to-move=1`` (North), then, where flags were lost before, ``lost=SOUTH,NORTH``::

    R0@-4,0 S1@0,0 P011@2,-1 to-move=0 lost=0,1

A token is R, S or F with its owner's digit, or P with its sheets' owners from bottom to top; 0 is South, 1 North.
"""

import re

from errors import ThrowlockError
from rules.board.board import DIRECTIONS, SIDES, Board, Space
from rules.board.moves import Move, reach_on
from rules.board.pieces import Token
from rules.board.position import STANDARD, Position, Rulings, placed

FORM = 'the form is "R0@-4,0 S1@0,0 to-move=0"'
_SPACE = re.compile("(-?[0-9]{1,3}),(-?[0-9]{1,3})")
_TOKEN = re.compile("[RSF][01]|P[01]+")


class NotationError(ThrowlockError, ValueError):
    """A move or a position that can't be read. The message says which part and why."""


def write_space(space: Space, board: Board) -> str:
    """``q,r``."""
    q, r = board.coordinates[space]
    return f"{q},{r}"


def read_space(text: str, board: Board) -> Space:
    """The space at ``q,r``. Raises NotationError when it is not written so, or off the board."""
    written = _SPACE.fullmatch(text)
    if not written:
        raise NotationError(f"{_cut(text)} is no space: write q,r, like -4,0")
    where = int(written[1]), int(written[2])
    if where not in board.number:
        raise NotationError(f"{text} is off the board")
    return board.number[where]


def write_move(move: Move, board: Board) -> str:
    """``-4,0>0,0`` or ``0,0*E``."""
    origin = write_space(move.origin, board)
    if move.spread:
        return f"{origin}*{tuple(DIRECTIONS)[board.heading[move.origin][move.target]]}"
    return f"{origin}>{write_space(move.target, board)}"


def read_move(text: str, board: Board) -> Move:
    """The move written as ``text``, legal or not. Raises NotationError."""
    if ">" in text:
        origin, _, target = text.partition(">")
        return Move(read_space(origin, board), read_space(target, board))
    where, star, direction = text.partition("*")
    if not star or direction not in DIRECTIONS:
        raise NotationError(f"{_cut(text)} is no move: write FROM>TO, like -4,0>0,0, or FROM*DIRECTION, like 0,0*E")
    start = read_space(where, board)
    beside = board.beside(start, tuple(DIRECTIONS).index(direction))
    if beside is None:
        raise NotationError(f"{text} begins off the board")
    return Move(start, beside, spread=True)


def write_position(position: Position) -> str:
    """A position in one line."""
    parts = [f"{token}@{q},{r}" for (q, r), token in position.tokens().items()]
    parts.append(f"to-move={position.to_move}")
    if any(position.pieces.lost):
        parts.append("lost={},{}".format(*position.pieces.lost))
    return " ".join(parts)


def read_position(text: str, rulings: Rulings = STANDARD) -> Position:
    """The position written as ``text``. Raises NotationError when it is not written so, or can't be: a piece off the
    board, two on one space, more flags lost than there are."""
    parts = text.split()
    board = reach_on(rulings.board).board
    lost = _lost(parts.pop(), rulings) if parts and parts[-1].startswith("lost=") else (0, 0)
    turn = re.fullmatch("to-move=([01])", parts.pop() if parts else "")
    if not turn:
        raise NotationError(f"the position does not say whose turn it is, to-move=0 or to-move=1: {FORM}")
    tokens: dict[Space, Token] = {}
    for part in parts:
        token, at, where = part.partition("@")
        if not at or not _TOKEN.fullmatch(token):
            raise NotationError(f"{_cut(part)} is no piece: {FORM}")
        space = read_space(where, board)
        if space in tokens:
            raise NotationError(f"two pieces stand on {where}: {_cut(tokens[space])} and {_cut(token)}")
        tokens[space] = token
    position = placed(tokens, int(turn[1]), rulings)
    position.pieces.lost = lost
    position.pieces.loser = next((side for side in (0, 1) if lost[side] >= rulings.flags), None)
    return position


def _lost(part: str, rulings: Rulings) -> tuple[int, int]:
    """The flags lost, South's and North's."""
    written = re.fullmatch("lost=([0-9]),([0-9])", part)
    if not written:
        raise NotationError(f"{_cut(part)} does not say the flags lost: write lost=SOUTH,NORTH, like lost=0,1")
    lost = int(written[1]), int(written[2])
    for side in (0, 1):
        if lost[side] > rulings.flags:
            raise NotationError(f"{part}: {SIDES[side]} has lost the game with {rulings.flags}, and can lose no more")
    if min(lost) == rulings.flags:
        raise NotationError(f"{part}: the game ends when one side has lost {rulings.flags}")
    return lost


def _cut(text: str) -> str:
    """A part as a message quotes it, for it may be a megabyte."""
    return text if len(text) <= 30 else text[:30] + "…"
