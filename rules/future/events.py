"""What Future RPS says."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from typing_extensions import override

from rules.engine import CardLedger, GameEvent, Seat
from rules.events import KnockedOut, Outcomes, Scores, Throws, ThrowsDecided, ThrowsShown, outcomes_of_winners


@dataclass(frozen=True)
class ChipScores(Scores):
    """Everybody's chips, and the pot."""

    pot: int


@dataclass(frozen=True)
class FirstThrow(KnockedOut):
    """Players drop out of the throw for the first turn."""

    kind = "first throw"


@dataclass(frozen=True)
class Deal(GameEvent):
    """Printed cards are to be dealt."""

    kind = "deal"
    of_each: int
    """Cards of each throw in the deck."""
    hand: int
    """Cards of each player."""

    @override
    def move_cards(self, ledger: CardLedger) -> None:
        ledger.deal(self.of_each, self.hand)


@dataclass(frozen=True)
class HandDealt(GameEvent):
    """A player's cards, seen by nobody else."""

    kind = "hand"
    seat: Seat
    cards: Mapping[str, int]


@dataclass(frozen=True)
class TurnBegins(GameEvent):
    """A turn begins."""

    kind = "turn"
    turn: int
    turns: int
    """The most turns of a game."""
    order: Sequence[Seat]
    """The seats in the order in which they act."""
    pot: int
    """Chips left in the pot."""

    @override
    def move_cards(self, ledger: CardLedger) -> None:
        ledger.discard_shown(self.order)


@dataclass(frozen=True)
class BlindPaid(GameEvent):
    """A player pays the blind."""

    kind = "blind"
    seat: Seat
    chips: int


@dataclass(frozen=True)
class BetPlaced(GameEvent):
    """A player bets chips."""

    kind = "bet"
    seat: Seat
    chips: int


@dataclass(frozen=True)
class Claimed(GameEvent):
    """A player has placed a card face down and claims what it is."""

    kind = "claim"
    seat: Seat
    claim: str
    changed: bool
    """Whether it replaces another card."""


@dataclass(frozen=True)
class Folded(GameEvent):
    """A player folds."""

    kind = "folded"
    seat: Seat


@dataclass(frozen=True)
class Called(GameEvent):
    """A player calls."""

    kind = "called"
    seat: Seat


@dataclass(frozen=True)
class PotTaken(GameEvent):
    """The one player who has not folded takes the pot, without showing the card."""

    kind = "pot taken"
    seat: Seat
    chips: int


@dataclass(frozen=True)
class Revealed(ThrowsShown):
    """All cards are turned over."""

    kind = "revealed"
    throws: Throws
    """The cards, in the order of the turn."""
    bluffs: Sequence[Seat]
    """Whose card is another than they claimed."""
    claims: Mapping[Seat, str]
    """All claims of the turn, those of players who folded too."""


@dataclass(frozen=True)
class PotWon(ThrowsDecided):
    """Players share the pot."""

    kind = "pot won"
    seats: Sequence[Seat]
    each: int
    """Each winner's chips."""
    stays: int
    """Chips that stay in the pot."""

    @override
    def outcomes_of(self, throwers: Iterable[Seat]) -> Outcomes:
        return outcomes_of_winners(self.seats, throwers)


@dataclass(frozen=True)
class NobodyWins(GameEvent):
    """The pot stays for the next turn."""

    kind = "nobody wins"
    pot: int
