"""The chips of Future RPS: ten for each player, and the pot. None is ever made or lost."""

from collections.abc import Sequence

from rules.engine import Seat
from rules.future.events import ChipScores

STARTING_CHIPS = 10
"""Chips of each player at the start; the box of 60 is enough for six."""


class Chips:
    """The chips ``held`` by each seat, and the ``pot``."""

    def __init__(self, seats: Sequence[Seat]) -> None:
        self.held = dict.fromkeys(seats, STARTING_CHIPS)
        self.pot = 0

    def bet(self, seat: Seat, chips: int) -> None:
        """Move a player's chips into the pot. Raises ValueError if the player has fewer."""
        if not 0 < chips <= self.held[seat]:
            raise ValueError(f"seat {seat} can't bet {chips} of {self.held[seat]} chips")
        self.held[seat] -= chips
        self.pot += chips

    def share(self, seats: Sequence[Seat]) -> int:
        """Share the pot equally among ``seats`` and return each one's chips. The remainder stays in the pot."""
        each, self.pot = divmod(self.pot, len(seats))
        for seat in seats:
            self.held[seat] += each
        return each

    def score_event(self) -> ChipScores:
        """Return everybody's chips and the pot, as the score."""
        return ChipScores(self.held, self.pot)
