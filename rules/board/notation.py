"""The text notation of moves and positions. Formatting and parsing are inverse.

A space is ``q,r``. A move is ``FROM>TO``: ``-4,0>0,0``; a spread ``FROM*DIRECTION``: ``0,0*E``, with one of
E NE NW W SW SE. A position is one line of parts separated by spaces: each piece as ``TOKEN@q,r``, then ``to-move=0``
(South) or ``to-move=1`` (North), then, if flags have been lost, ``lost=SOUTH,NORTH``::

    R0@-4,0 S1@0,0 P011@2,-1 to-move=0 lost=0,1

A token is R, S or F with its owner's digit, or P with its sheets' owners from bottom to top; 0 is South, 1 North.
"""

import re

from errors import ThrowlockError
from messages import N, shorten
from rules.board.board import DIRECTIONS, SIDE_NAMES, Board, Space
from rules.board.moves import Move, move_tables
from rules.board.pieces import Token
from rules.board.position import STANDARD_VARIANT, BoardVariant, Position, position_from_tokens

POSITION_FORMAT = 'the form is "R0@-4,0 S1@0,0 to-move=0"'
_SPACE_PATTERN = re.compile("(-?[0-9]{1,3}),(-?[0-9]{1,3})")
_TOKEN_PATTERN = re.compile("[RSF][01]|P[01]+")


class NotationError(ThrowlockError, ValueError):
    """Text that is not a valid space, move or position. The message says which part and why."""


def format_space(space: Space, board: Board) -> str:
    """Return ``q,r``."""
    q, r = board.coordinates[space]
    return f"{q},{r}"


def parse_space(text: str, board: Board) -> Space:
    """Return the space written ``q,r``. Raises NotationError if it is malformed or off the board."""
    match = _SPACE_PATTERN.fullmatch(text)
    if not match:
        raise NotationError(N("{text} is not a space: write q,r, such as -4,0", text=shorten(text)))
    coordinates = int(match[1]), int(match[2])
    if coordinates not in board.space_at:
        raise NotationError(N("{text} is off the board", text=text))
    return board.space_at[coordinates]


def format_move(move: Move, board: Board) -> str:
    """Return ``-4,0>0,0`` or ``0,0*E``."""
    origin = format_space(move.origin, board)
    if move.spread:
        return f"{origin}*{tuple(DIRECTIONS)[board.direction_to[move.origin][move.target]]}"
    return f"{origin}>{format_space(move.target, board)}"


def parse_move(text: str, board: Board) -> Move:
    """Return the move written as ``text``, legal or not. Raises NotationError."""
    if ">" in text:
        origin, _, target = text.partition(">")
        return Move(parse_space(origin, board), parse_space(target, board))
    origin_text, star, direction = text.partition("*")
    if not star or direction not in DIRECTIONS:
        raise NotationError(
            N(
                "{text} is not a move: write FROM>TO, such as -4,0>0,0, or FROM*DIRECTION, such as 0,0*E",
                text=shorten(text),
            )
        )
    start = parse_space(origin_text, board)
    target_space = board.neighbour(start, tuple(DIRECTIONS).index(direction))
    if target_space is None:
        raise NotationError(N("{text} leaves the board at once", text=text))
    return Move(start, target_space, spread=True)


def format_position(position: Position) -> str:
    """Return a position as one line."""
    parts = [f"{token}@{q},{r}" for (q, r), token in position.tokens().items()]
    parts.append(f"to-move={position.to_move}")
    if any(position.pieces.flags_lost):
        parts.append("lost={},{}".format(*position.pieces.flags_lost))
    return " ".join(parts)


def parse_position(text: str, variant: BoardVariant = STANDARD_VARIANT) -> Position:
    """Return the position written as ``text``.

    Raises:
        NotationError: It is malformed or impossible: a piece off the board, two on one space, too many flags lost.
    """
    parts = text.split()
    board = move_tables(variant.layout).board
    lost = _parse_lost_flags(parts.pop(), variant) if parts and parts[-1].startswith("lost=") else (0, 0)
    to_move = re.fullmatch("to-move=([01])", parts.pop() if parts else "")
    if not to_move:
        raise NotationError(N("to-move=0 or to-move=1 is missing at the end: {format}", format=POSITION_FORMAT))
    tokens: dict[Space, Token] = {}
    for part in parts:
        token, at, space_text = part.partition("@")
        if not at or not _TOKEN_PATTERN.fullmatch(token):
            raise NotationError(N("{part} is not a piece: {format}", part=shorten(part), format=POSITION_FORMAT))
        space = parse_space(space_text, board)
        if space in tokens:
            raise NotationError(
                N(
                    "two pieces on {space_text}: {one} and {two}",
                    space_text=space_text,
                    one=shorten(tokens[space]),
                    two=shorten(token),
                )
            )
        tokens[space] = token
    position = position_from_tokens(tokens, int(to_move[1]), variant)
    position.pieces.flags_lost = lost
    position.pieces.loser = next((side for side in (0, 1) if lost[side] >= variant.flags), None)
    return position


def _parse_lost_flags(part: str, variant: BoardVariant) -> tuple[int, int]:
    match = re.fullmatch("lost=([0-9]),([0-9])", part)
    if not match:
        raise NotationError(N("{part} is not valid: write lost=SOUTH,NORTH, such as lost=0,1", part=shorten(part)))
    lost = int(match[1]), int(match[2])
    for side in (0, 1):
        if lost[side] > variant.flags:
            raise NotationError(
                N(
                    "{part}: {side} can’t lose more than {flags}, which ends the game",
                    part=part,
                    side=SIDE_NAMES[side],
                    flags=variant.flags,
                )
            )
    if min(lost) == variant.flags:
        raise NotationError(
            N("{part}: both sides can’t have lost {flags}: the game would be over", part=part, flags=variant.flags)
        )
    return lost
