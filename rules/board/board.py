"""The board: its layout as one table, and its geometry (spaces, neighbours, straight lines).

RECONSTRUCTION NOTICE: the rule sheet's diagrams are lost. The shape and size of the board and the set-up below are a
reconstruction, not Greg Lam's originals. Nothing but this table depends on them, so the real diagram can replace it.

Coordinates are axial, ``(q, r)``: q grows to the East, r to the South.
"""

from dataclasses import dataclass
from functools import cached_property
from math import sqrt

from messages import N

RECONSTRUCTION_NOTICE = N(
    "Reconstruction: the rule sheet's diagrams are lost, so the board and its set-up are not Greg Lam's originals."
)
"""Shown wherever the game is presented."""

Space = int
"""The number of a space, counted from 0 row by row from the North and from West to East."""
Coordinates = tuple[int, int]
"""``(q, r)``."""
Side = int
"""0 is South, which moves first; 1 is North."""
SIDE_NAMES = ("South", "North")

DIRECTIONS = {"E": (1, 0), "NE": (1, -1), "NW": (0, -1), "W": (-1, 0), "SW": (-1, 1), "SE": (0, 1)}
"""The steps ``(q, r)`` of the six directions, in the order used by ``Board.rays``."""


@dataclass(frozen=True)
class BoardLayout:
    """A board with its set-up."""

    name: str
    rows: tuple[tuple[int, int, str], ...]
    """From the North: r, the q of the westernmost space, and the row's pieces. ``.`` is an empty space; R, S or F with
    the owner's digit is a Rock, Scissors or Flag; P with its sheets' owners from bottom to top is a stack of Papers."""


RECONSTRUCTED_LAYOUT = BoardLayout(
    "reconstruction",
    (
        (-6, +0, "          .  F1 .  R1 .  F1 .           "),
        (-5, -1, "        S1 R1 S1 .  .  S1 R1 S1         "),
        (-4, -2, "      P1 P1 P1 P1 P1 P1 P1 P1 P1        "),
        (-3, -3, "    .  .  .  .  .  .  .  .  .  .        "),
        (-2, -4, "  .  .  .  .  .  .  .  .  .  .  .       "),
        (-1, -5, ".  .  .  .  .  .  .  .  .  .  .  .      "),  # North's segment ends
        (+0, -6, ".  .  .  .  .  .  .  .  .  .  .  .      "),  # South's segment begins
        (+1, -6, "  .  .  .  .  .  .  .  .  .  .  .       "),
        (+2, -6, "    .  .  .  .  .  .  .  .  .  .        "),
        (+3, -6, "      P0 P0 P0 P0 P0 P0 P0 P0 P0        "),
        (+4, -6, "        S0 R0 S0 .  .  S0 R0 S0         "),
        (+5, -6, "          .  F0 .  R0 .  F0 .           "),
    ),
)

BOARD_LAYOUTS = {layout.name: layout for layout in (RECONSTRUCTED_LAYOUT,)}
"""Layouts by name."""


class Board:
    """The geometry of a layout. Spaces are numbers, and all tables are indexed by them."""

    def __init__(self, layout: BoardLayout) -> None:
        tokens = {(west + i, r): token for r, west, row in layout.rows for i, token in enumerate(row.split())}
        self.name = layout.name
        self.coordinates: tuple[Coordinates, ...] = tuple(tokens)
        """The coordinates of each space."""
        self.space_at: dict[Coordinates, Space] = {where: space for space, where in enumerate(tokens)}
        """The space at ``(q, r)``; only spaces on the board."""
        self.initial_pieces: dict[Space, str] = {
            self.space_at[where]: token for where, token in tokens.items() if token != "."
        }
        """The pieces of the set-up by space, as tokens."""
        self.rays: tuple[tuple[tuple[Space, ...], ...], ...] = tuple(
            tuple(self._ray(where, step) for step in DIRECTIONS.values()) for where in self.coordinates
        )
        """The spaces ahead of each space in each of the six directions, nearest first, as far as the edge."""
        self.neighbours: tuple[tuple[Space, ...], ...] = tuple(
            tuple(ray[0] for ray in rays if ray) for rays in self.rays
        )
        """The spaces next to each space."""
        self.direction_to: tuple[dict[Space, int], ...] = tuple(
            {target: direction for direction, ray in enumerate(rays) for target in ray} for rays in self.rays
        )
        """For each space, the direction (an index of DIRECTIONS) to every space in a straight line from it."""

    def _ray(self, where: Coordinates, step: Coordinates) -> tuple[Space, ...]:
        q, r = where[0] + step[0], where[1] + step[1]
        ray = []
        while (q, r) in self.space_at:
            ray.append(self.space_at[q, r])
            q, r = q + step[0], r + step[1]
        return tuple(ray)

    def neighbour(self, space: Space, direction: int) -> Space | None:
        """Return the next space in a direction (an index of DIRECTIONS), or ``None`` at the edge."""
        ray = self.rays[space][direction]
        return ray[0] if ray else None

    def centre(self, space: Space) -> tuple[float, float]:
        """Return where a space is drawn: x to the East, y to the South, neighbours 1 apart, (0, 0) at q = r = 0."""
        q, r = self.coordinates[space]
        return q + r / 2, r * sqrt(3) / 2

    @cached_property
    def space_names(self) -> tuple[str, ...]:
        """The name of each space, as a4: a letter for the row, from South's back row, and a number from the West."""
        rows = sorted({r for _, r in self.coordinates}, reverse=True)
        west = {row: min(q for q, r in self.coordinates if r == row) for row in rows}
        return tuple(f"{chr(ord('a') + rows.index(r))}{q - west[r] + 1}" for q, r in self.coordinates)
