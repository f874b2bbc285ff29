"""The chips of Future RPS: ten for each player, and the pot. None is ever made or lost."""

from collections.abc import Sequence

from rules.engine import Say, Seat, said_scores

EACH = 10
"""Chips a player starts with; the box of 60 is enough for six."""


class Chips:
    """Everybody's chips, ``held`` by seat, and the ``pot``."""

    def __init__(self, seats: Sequence[Seat]) -> None:
        self.held = dict.fromkeys(seats, EACH)
        self.pot = 0

    def bet(self, seat: Seat, chips: int) -> None:
        """Move a player's chips into the pot. Raises ValueError when the player has not so many."""
        if not 0 < chips <= self.held[seat]:
            raise ValueError(f"seat {seat} can't bet {chips} of {self.held[seat]} chips")
        self.held[seat] -= chips
        self.pot += chips

    def share(self, seats: Sequence[Seat]) -> int:
        """Give ``seats`` the pot in equal parts, and say how many each got; what can't be shared stays in the pot."""
        each, self.pot = divmod(self.pot, len(seats))
        for seat in seats:
            self.held[seat] += each
        return each

    def said(self) -> Say:
        """Everybody's chips and the pot, as the score."""
        return said_scores(self.held, pot=self.pot)
