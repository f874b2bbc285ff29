"""Where each piece may go from each space, given what stands in its way. That depends on a few spaces near it, so it is
worked out once for each pattern of those and remembered.

Sets of spaces are masks: whole numbers with bit n for space n. The ids (RO1, PA2, …) are those of the rules.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Generic, NamedTuple, TypeVar

from rules.board.board import PLANS, Board, Space

Mask = int
T = TypeVar("T")


class Move(NamedTuple):
    """A move: a piece or a whole stack from ``origin`` to ``target``; or, with ``spread``, a stack laid out sheet by
    sheet along the line that begins with ``target``, the space beside it."""

    origin: Space
    target: Space
    spread: bool = False


Moves = tuple[Move, ...]


def mask_of(spaces: Iterable[Space]) -> Mask:
    """The mask of some spaces."""
    mask = 0
    for space in spaces:
        mask |= 1 << space
    return mask


def spaces_in(mask: Mask) -> Iterator[Space]:
    """The spaces of a mask, in order."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


class Remembered(dict[Mask, T], Generic[T]):
    """Answers by the part of a mask they depend on, each worked out when it is first looked up::

    moves = lines[occupied & lines.depends_on]
    """

    def __init__(self, depends_on: Mask, work_out: Callable[[Mask], T]) -> None:
        super().__init__()
        self.depends_on = depends_on
        self._work_out = work_out

    def __missing__(self, mask: Mask) -> T:
        self[mask] = answer = self._work_out(mask)
        return answer


class Reach:
    """What can be reached on a board, as tables by space."""

    def __init__(self, board: Board) -> None:
        spaces = range(len(board.coordinates))
        self.board = board
        self.near: tuple[Mask, ...] = tuple(mask_of(board.neighbours[space]) for space in spaces)
        """The spaces beside a space."""
        self.sheet: tuple[Moves, ...] = tuple(
            tuple(Move(space, there) for there in board.neighbours[space]) for space in spaces
        )
        """A single sheet's moves: one step, whatever stands there (PA2)."""
        self.rock: tuple[tuple[Remembered[Moves], ...], ...] = tuple(self._rock(space) for space in spaces)
        """A Rock's moves in each of the three lines through its space, by the spaces occupied."""
        self.scissors: tuple[Remembered[Mask], ...] = tuple(self._scissors(space) for space in spaces)
        """The spaces a Scissors gets to by SC1, whatever stands on the last, by the spaces it may not pass."""
        self.to: tuple[Remembered[Moves], ...] = tuple(self._to(space) for space in spaces)
        """The moves from a space to the spaces of a mask."""
        self.beside: Remembered[Mask] = Remembered(-1, self._beside)
        """The spaces beside any space of a mask."""
        self._stacks: dict[tuple[Space, int], Remembered[Moves]] = {}

    def stack(self, space: Space, height: int) -> Remembered[Moves]:
        """The moves of a stack of two sheets or more, by the spaces that hold Scissors."""
        if (space, height) not in self._stacks:
            self._stacks[space, height] = self._stack(space, height)
        return self._stacks[space, height]

    def _rock(self, space: Space) -> tuple[Remembered[Moves], ...]:
        """RO1 and RO2: over empty spaces as far as the first that is not, or to the edge."""

        def line(rays: tuple[tuple[Space, ...], ...]) -> Remembered[Moves]:
            def moves(occupied: Mask) -> Moves:
                return tuple(Move(space, there) for ray in rays for there in as_far_as(ray, occupied))

            # What stands on the last space of a ray makes no difference: nothing lies behind it.
            return Remembered(mask_of(there for ray in rays for there in ray[:-1]), moves)

        east, north_east, north_west, west, south_west, south_east = self.board.rays[space]
        return line((east, west)), line((north_east, south_west)), line((north_west, south_east))

    def _scissors(self, space: Space) -> Remembered[Mask]:
        """SC1: one to three spaces straight on, or two with a turn between, passing only what ``closed`` leaves open;
        never back to where it started."""
        rays = [ray for ray in self.board.rays[space] if ray]

        def reached(closed: Mask) -> Mask:
            ends = self.near[space]
            for ray in rays:
                way = as_far_as(ray[:3], closed)
                ends |= mask_of(way)
                if not closed >> ray[0] & 1:
                    ends |= self.near[ray[0]]
            return ends & ~(1 << space)

        return Remembered(mask_of(there for ray in rays for there in ray[:2]), reached)

    def _stack(self, space: Space, height: int) -> Remembered[Moves]:
        """PA2, PA3 and PA8: as a clump one to ``height`` spaces, over anything but Scissors, and no further than the
        edge. PA4, PA6 and PA7: spread, where the first space is on the board and holds no Scissors."""
        rays = [ray[:height] for ray in self.board.rays[space] if ray]

        def moves(scissors: Mask) -> Moves:
            clumps = [Move(space, there) for ray in rays for there in as_far_as(ray, scissors)]
            spreads = [Move(space, ray[0], spread=True) for ray in rays if not scissors >> ray[0] & 1]
            return (*clumps, *spreads)

        return Remembered(mask_of(there for ray in rays for there in ray), moves)

    def _to(self, space: Space) -> Remembered[Moves]:
        return Remembered(-1, lambda targets: tuple(Move(space, there) for there in spaces_in(targets)))

    def _beside(self, mask: Mask) -> Mask:
        beside = 0
        for space in spaces_in(mask):
            beside |= self.near[space]
        return beside


def as_far_as(ray: tuple[Space, ...], closed: Mask) -> tuple[Space, ...]:
    """The spaces of a ray up to and with the first that is closed."""
    for steps, there in enumerate(ray, 1):
        if closed >> there & 1:
            return ray[:steps]
    return ray


@cache
def reach_on(name: str) -> Reach:
    """The tables of the board called ``name``. Raises KeyError."""
    return Reach(Board(PLANS[name]))
