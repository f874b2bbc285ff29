"""The moves of each kind of piece from each space, in tables.

A piece's moves depend only on what stands on a few spaces near it, so they are computed once for each pattern of those
and remembered. Sets of spaces are masks: integers with bit n set for space n. The ids RO1, PA2 … are those of the
rules.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Generic, NamedTuple, TypeVar

from rules.board.board import BOARD_LAYOUTS, Board, Space

Mask = int
T = TypeVar("T")


class Move(NamedTuple):
    """A move of a piece or a whole stack."""

    origin: Space
    target: Space
    """Where it goes; with ``spread``, a neighbour of ``origin``."""
    spread: bool = False
    """Whether the stack's sheets are laid out along the line that begins at ``target``."""


Moves = tuple[Move, ...]


def mask_of(spaces: Iterable[Space]) -> Mask:
    """Return the mask of some spaces."""
    mask = 0
    for space in spaces:
        mask |= 1 << space
    return mask


def spaces_in(mask: Mask) -> Iterator[Space]:
    """Yield the spaces of a mask in order."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


class MemoTable(dict[Mask, T], Generic[T]):
    """Values of a function of the spaces in ``depends_on``, each computed when it is first looked up::

    moves = table[occupied & table.depends_on]
    """

    def __init__(self, depends_on: Mask, compute: Callable[[Mask], T]) -> None:
        super().__init__()
        self.depends_on = depends_on
        self._compute = compute

    def __missing__(self, mask: Mask) -> T:
        self[mask] = value = self._compute(mask)
        return value


class MoveTables:
    """The moves on a board, in tables by space."""

    def __init__(self, board: Board) -> None:
        spaces = range(len(board.coordinates))
        self.board = board
        self.adjacent: tuple[Mask, ...] = tuple(mask_of(board.neighbours[space]) for space in spaces)
        """The spaces next to a space."""
        self.sheet_moves: tuple[Moves, ...] = tuple(
            tuple(Move(space, target) for target in board.neighbours[space]) for space in spaces
        )
        """The moves of a single sheet: one step, whatever stands there (PA2)."""
        self.rock_moves: tuple[tuple[MemoTable[Moves], ...], ...] = tuple(self._rock_table(space) for space in spaces)
        """The moves of a Rock along each of the three lines through its space, by the occupied spaces."""
        self.scissors_ends: tuple[MemoTable[Mask], ...] = tuple(self._scissors_table(space) for space in spaces)
        """The spaces that Scissors can reach by SC1, whatever stands on the last, by the spaces they can't pass."""
        self.moves_to: tuple[MemoTable[Moves], ...] = tuple(self._moves_to_table(space) for space in spaces)
        """The moves from a space to the spaces of a mask."""
        self.adjacent_to_any: MemoTable[Mask] = MemoTable(-1, self._adjacent_to_any)
        """The spaces next to any space of a mask."""
        self._stack_moves: dict[tuple[Space, int], MemoTable[Moves]] = {}

    def stack_moves(self, space: Space, height: int) -> MemoTable[Moves]:
        """Return the moves of a stack of two sheets or more, by the spaces that hold Scissors."""
        if (space, height) not in self._stack_moves:
            self._stack_moves[space, height] = self._stack_table(space, height)
        return self._stack_moves[space, height]

    def _rock_table(self, space: Space) -> tuple[MemoTable[Moves], ...]:
        """RO1 and RO2: over empty spaces to the first that is occupied, or to the edge."""

        def line(rays: tuple[tuple[Space, ...], ...]) -> MemoTable[Moves]:
            def moves(occupied: Mask) -> Moves:
                return tuple(Move(space, target) for ray in rays for target in spaces_until(ray, occupied))

            # What stands on the last space of a ray makes no difference: nothing lies behind it.
            return MemoTable(mask_of(passed for ray in rays for passed in ray[:-1]), moves)

        east, north_east, north_west, west, south_west, south_east = self.board.rays[space]
        return line((east, west)), line((north_east, south_west)), line((north_west, south_east))

    def _scissors_table(self, space: Space) -> MemoTable[Mask]:
        """SC1: one to three spaces straight on, or two with a turn between, not passing a ``blocked`` space and never
        ending where they started."""
        rays = [ray for ray in self.board.rays[space] if ray]

        def ends(blocked: Mask) -> Mask:
            reached = self.adjacent[space]
            for ray in rays:
                reached |= mask_of(spaces_until(ray[:3], blocked))
                if not blocked >> ray[0] & 1:
                    reached |= self.adjacent[ray[0]]
            return reached & ~(1 << space)

        return MemoTable(mask_of(passed for ray in rays for passed in ray[:2]), ends)

    def _stack_table(self, space: Space, height: int) -> MemoTable[Moves]:
        """PA2, PA3 and PA8: as a clump one to ``height`` spaces, over anything but Scissors, no further than the edge.
        PA4, PA6 and PA7: spread, if the first space is on the board and holds no Scissors."""
        rays = [ray[:height] for ray in self.board.rays[space] if ray]

        def moves(scissors: Mask) -> Moves:
            clumps = [Move(space, target) for ray in rays for target in spaces_until(ray, scissors)]
            spreads = [Move(space, ray[0], spread=True) for ray in rays if not scissors >> ray[0] & 1]
            return (*clumps, *spreads)

        return MemoTable(mask_of(target for ray in rays for target in ray), moves)

    def _moves_to_table(self, space: Space) -> MemoTable[Moves]:
        return MemoTable(-1, lambda targets: tuple(Move(space, target) for target in spaces_in(targets)))

    def _adjacent_to_any(self, mask: Mask) -> Mask:
        adjacent = 0
        for space in spaces_in(mask):
            adjacent |= self.adjacent[space]
        return adjacent


def spaces_until(ray: tuple[Space, ...], blocked: Mask) -> tuple[Space, ...]:
    """Return the spaces of a ray up to and including the first that is blocked."""
    for length, space in enumerate(ray, 1):
        if blocked >> space & 1:
            return ray[:length]
    return ray


@cache
def move_tables(layout: str) -> MoveTables:
    """Return the tables of the board with this layout. Raises KeyError if there is none of that name."""
    return MoveTables(Board(BOARD_LAYOUTS[layout]))
