"""Perft: count the move sequences from a position, to compare two implementations of the rules."""

from collections.abc import Callable
from typing import NamedTuple

from rules.board.moves import Move
from rules.board.position import Key, Position

DRAWING_REPETITIONS = 3
"""EN4a: occurrences of a position that draw the game."""
FIRST_REPETITION_PLY = 8
"""The first ply at which a position can occur for the third time: no move can undo the opponent's, so equal positions
are at least four plies apart."""


class PerftCount(NamedTuple):
    """The counts of a search of the tree of games."""

    leaves: int
    """Sequences of exactly the depth asked for."""
    ended: int
    """Games that ended before."""


def perft(
    position: Position, depth: int, play_last_ply: bool = False, on_first_move: Callable[[], object] = lambda: None
) -> PerftCount:
    """Count the sequences of ``depth`` plies from ``position``; a pass is a ply.

    A game that is decided, or drawn because nobody can move or a position occurs for the third time, counts as ended.
    Positions before ``position`` are not taken into account, nor is the limit of quiet plies, which is far beyond any
    feasible depth. The last ply's moves are counted without playing them unless ``play_last_ply`` is set.
    ``on_first_move`` is called before each of the first moves is counted.
    """
    leaves = ended = 0
    todo: list[tuple[Position, int, tuple[Key, ...]]] = [(position, depth, ())]
    while todo:
        current, remaining, path = todo.pop()
        if depth > FIRST_REPETITION_PLY:
            path = (*path, current.key())
        if remaining == depth - 1:
            on_first_move()
        if remaining == 0:
            leaves += 1
        elif current.pieces.loser is not None or (path and path.count(path[-1]) == DRAWING_REPETITIONS):
            ended += 1
        elif remaining == 1 and not play_last_ply and (count := current.legal_move_count()):
            leaves += count
        elif following := next_positions(current):
            todo += [(next_position, remaining - 1, path) for next_position in following]
        else:
            ended += 1
    return PerftCount(leaves, ended)


def divide(
    position: Position, depth: int, on_first_move: Callable[[], object] = lambda: None
) -> dict[Move, PerftCount]:
    """Return ``perft`` of each first move, to find the move after which two implementations differ. Empty if there is
    no legal move. ``on_first_move`` is called after each. Raises ValueError for a depth below 1."""
    if depth < 1:
        raise ValueError("divide needs a depth of 1 or more")
    if position.loser() is not None:
        return {}
    counts = {}
    for move in position.legal_moves():
        counts[move] = perft(position.after_move(move), depth - 1)
        on_first_move()
    return counts


def next_positions(position: Position) -> list[Position]:
    """Return the positions one ply can lead to from a position not decided by flags: one for each move; after a pass if
    there is no move; none if the game is over."""
    if moves := position.legal_moves():
        return [position.after_move(move) for move in moves]
    if position.loser() is not None or position.is_dead():
        return []
    return [position.after_pass()]
