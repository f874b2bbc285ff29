"""The board and its set-up as one table, and the geometry of it: spaces, neighbours, straight lines.

RECONSTRUCTION NOTICE: the rule sheet's diagrams are lost. The board's shape, its size and the starting places below are
a reconstruction, not Greg Lam's originals. Nothing but this table depends on them: whoever has the real diagram, put it
here. Coordinates are axial, ``(q, r)``: q grows to the East, r to the South.
"""

from dataclasses import dataclass
from functools import cached_property
from math import sqrt

NOTICE = "Reconstruction: the rule sheet's diagrams are lost, so the board and its set-up are not Greg Lam's originals."
"""To be shown wherever the game is presented."""

Space = int
"""A space by its number: 0 is the westernmost of the northernmost row, and so on row by row."""
Coordinates = tuple[int, int]
Side = int
"""0 is South, who moves first; 1 is North."""
SIDES = ("South", "North")

DIRECTIONS = {"E": (1, 0), "NE": (1, -1), "NW": (0, -1), "W": (-1, 0), "SW": (-1, 1), "SE": (0, 1)}
"""The six directions by name, in the order every table of lines has them."""


@dataclass(frozen=True)
class Plan:
    """A board with its set-up, row by row from the North: r, the q of the row's westernmost space, and what stands on
    its spaces from there to the East. ``.`` is an empty space; R, S and F with the owner's digit a Rock, Scissors or
    Flag; P and its owners from bottom to top a stack of Papers."""

    name: str
    rows: tuple[tuple[int, int, str], ...]


RECONSTRUCTION = Plan(
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

PLANS = {plan.name: plan for plan in (RECONSTRUCTION,)}
"""The boards that can be played on, by name."""


class Board:
    """The geometry of a plan. Spaces are numbers; every table is indexed by them."""

    def __init__(self, plan: Plan) -> None:
        laid = {(west + i, r): token for r, west, row in plan.rows for i, token in enumerate(row.split())}
        self.name = plan.name
        self.coordinates: tuple[Coordinates, ...] = tuple(laid)
        """Where each space is."""
        self.number: dict[Coordinates, Space] = {where: space for space, where in enumerate(laid)}
        """The space at ``(q, r)``; spaces off the board are not in it."""
        self.set_up: dict[Space, str] = {self.number[where]: token for where, token in laid.items() if token != "."}
        """What stands where at the start, as tokens."""
        self.rays: tuple[tuple[tuple[Space, ...], ...], ...] = tuple(
            tuple(self._ray(where, step) for step in DIRECTIONS.values()) for where in self.coordinates
        )
        """The spaces that lie ahead of a space in each of the six directions, the nearest first. A line that leaves the
        board does not come back, so it stops at the first gap."""
        self.neighbours: tuple[tuple[Space, ...], ...] = tuple(
            tuple(ray[0] for ray in rays if ray) for rays in self.rays
        )
        """The spaces one step away."""
        self.heading: tuple[dict[Space, int], ...] = tuple(
            {there: direction for direction, ray in enumerate(rays) for there in ray} for rays in self.rays
        )
        """The direction, as an index, from a space to another on a straight line from it."""

    def _ray(self, where: Coordinates, step: Coordinates) -> tuple[Space, ...]:
        q, r = where[0] + step[0], where[1] + step[1]
        ray = []
        while (q, r) in self.number:
            ray.append(self.number[q, r])
            q, r = q + step[0], r + step[1]
        return tuple(ray)

    def beside(self, space: Space, direction: int) -> Space | None:
        """The next space in a direction (an index of DIRECTIONS); ``None`` at the edge."""
        ray = self.rays[space][direction]
        return ray[0] if ray else None

    def centre(self, space: Space) -> tuple[float, float]:
        """Where a space is drawn: x to the East and y to the South, neighbours 1 apart, (0, 0) at q = r = 0."""
        q, r = self.coordinates[space]
        return q + r / 2, r * sqrt(3) / 2

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The spaces' names for people: a letter for the row, a from South's back row, and the place in it from the
        West, from 1."""
        rows = sorted({r for _, r in self.coordinates}, reverse=True)
        west = {row: min(q for q, r in self.coordinates if r == row) for row in rows}
        return tuple(f"{chr(ord('a') + rows.index(r))}{q - west[r] + 1}" for q, r in self.coordinates)
