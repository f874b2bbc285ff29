"""What a throw is and which beats which: the one rule all the games share."""

from enum import StrEnum


class Throw(StrEnum):
    """A throw, however it was shown (hand, card, button)."""

    ROCK = "rock"
    PAPER = "paper"
    SCISSORS = "scissors"

    def beats(self, other: "Throw | None") -> bool:
        """Whether this throw beats ``other``; any throw beats no throw (``None``)."""
        return other is None or BEATEN_BY[other] is self


BEATEN_BY = {Throw.ROCK: Throw.PAPER, Throw.PAPER: Throw.SCISSORS, Throw.SCISSORS: Throw.ROCK}
"""The throw that beats each throw."""
