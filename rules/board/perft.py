"""Counting the move sequences from a position, which is how two programs' rules of a board game are compared."""

from typing import NamedTuple

from rules.board.moves import Move
from rules.board.position import Key, Position

REPEATED = 3
"""EN4a: the game is drawn when a position occurs this often."""
SOONEST = 8
"""The ply before which no position can do so. Of a move of each side neither undoes the other, so that equal positions
are four plies apart at least."""


class Count(NamedTuple):
    """``leaves``: the sequences of exactly as many plies as asked. ``ended``: the games that ended before."""

    leaves: int
    ended: int


def perft(position: Position, depth: int, one_by_one: bool = False) -> Count:
    """Count the sequences of ``depth`` plies from ``position``; a pass is a ply. A game that is decided, or drawn
    because nobody can move or a position occurs for the third time, is counted where it ends and not followed. Nothing
    is known of what was before ``position``; the limit of quiet plies, far beyond what can be counted, is left out.

    The last ply's moves are counted and not made, unless they are to be made ``one_by_one``.
    """
    leaves = ended = 0
    todo: list[tuple[Position, int, tuple[Key, ...]]] = [(position, depth, ())]
    while todo:
        at, left, path = todo.pop()
        if depth > SOONEST:
            path = (*path, at.key())
        if left == 0:
            leaves += 1
        elif at.pieces.loser is not None or (path and path.count(path[-1]) == REPEATED):
            ended += 1
        elif left == 1 and not one_by_one and (count := at.count()):
            leaves += count
        elif next_positions := followers(at):
            todo += [(next_position, left - 1, path) for next_position in next_positions]
        else:
            ended += 1
    return Count(leaves, ended)


def divide(position: Position, depth: int) -> dict[Move, Count]:
    """``perft`` for each first move on its own: where two programs differ, this says after which move. Nothing where
    there is no move to make. Raises ValueError for a depth below 1."""
    if depth < 1:
        raise ValueError("only the first of one or more plies can be told apart")
    if position.loser() is not None:
        return {}
    return {move: perft(position.after(move), depth - 1) for move in position.moves()}


def followers(position: Position) -> list[Position]:
    """What one ply can lead to from a position that is not decided by flags: one position for each move, the pass where
    there is none, and nothing where the game is over."""
    if moves := position.moves():
        return [position.after(move) for move in moves]
    if position.loser() is not None or position.is_dead():
        return []
    return [position.passed()]
