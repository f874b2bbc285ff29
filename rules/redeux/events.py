"""What RPS Redeux says."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from typing_extensions import override

from rules.deck import CardCounts
from rules.engine import CardLedger, GameEvent, Seat
from rules.events import Outcomes, Pair, Scores, Throws, ThrowsShown, ThrowsWon
from rules.throws import Outcome, Throw


@dataclass(frozen=True)
class RedeuxScores(Scores):
    """Everybody's points of the match."""

    points: Mapping[Seat, int] | None = None
    """Everybody's points of this game, in a match of several."""


@dataclass(frozen=True)
class Boxes(GameEvent):
    """The boxes of printed cards that are used."""

    kind = "boxes"
    boxes: int
    cards: int
    """Cards in a box."""
    of_each: int
    """Cards that each pair takes from it."""
    left: int | None = None
    """Cards that it needs besides in Risk Rounds, if they may be played."""

    @override
    def move_cards(self, ledger: CardLedger) -> None:
        ledger.use_boxes(self.boxes)


@dataclass(frozen=True)
class SitsOut(GameEvent):
    """A player sits a game out."""

    kind = "sits out"
    game: int
    seat: Seat


@dataclass(frozen=True)
class RiskRoundsBegin(GameEvent):
    """Pairs begin to play Risk Rounds."""

    kind = "risk rounds"
    pairs: Sequence[Pair]
    goal: int
    """Points that win them."""
    starting_points: int | None = None
    """Points that everybody begins with, where no Primary game was played."""


@dataclass(frozen=True)
class PairTie(ThrowsShown):
    """A pair ties and throws again."""

    kind = "tie"
    pair: Pair
    round: int
    throws: Throws
    bets: str | None = None
    """What becomes of the bets in a Risk Round: "stand" or "ask"."""

    @override
    def outcomes_of(self, throwers: Iterable[Seat]) -> Outcomes:
        return dict.fromkeys(throwers, Outcome.TIED)


@dataclass(frozen=True)
class RoundWon(ThrowsWon):
    """A player of a pair wins a round."""

    kind = "won"
    pair: Pair
    round: int
    throws: Throws
    seat: Seat
    """The winner."""
    points: int
    """Points won."""
    lost: int | None = None
    """Points that the other player loses in a Risk Round."""


@dataclass(frozen=True)
class MatchPiles(GameEvent):
    """The cards won by both players of a pair."""

    kind = "pile"
    pair: Pair
    cards: Mapping[Seat, int]

    @override
    def move_cards(self, ledger: CardLedger) -> None:
        ledger.keep_shown(self.pair)


@dataclass(frozen=True)
class PairWon(GameEvent):
    """A pair has a winner."""

    kind = "pair won"
    pair: Pair
    seat: Seat
    """The winner."""
    phase: str
    """What is won: "primary game" or "risk rounds"."""


@dataclass(frozen=True)
class PlayOn(GameEvent):
    """Both players of a pair have reached the goal before the Risk Rounds."""

    kind = "play on"
    pair: Pair


@dataclass(frozen=True)
class HandsTaken(GameEvent):
    """Both players of a pair take their cards."""

    kind = "hands"
    pair: Pair
    each: CardCounts
    """Each one's cards."""

    @override
    def move_cards(self, ledger: CardLedger) -> None:
        ledger.take_hands(self.pair, max(self.each.values()))


@dataclass(frozen=True)
class RiskDeckShuffled(GameEvent):
    """A pair's Risk deck is shuffled."""

    kind = "risk deck"
    pair: Pair
    cards: int

    @override
    def move_cards(self, ledger: CardLedger) -> None:
        ledger.shuffle(self.pair)


@dataclass(frozen=True)
class CardDrawn(GameEvent):
    """A player draws a card, seen by nobody else."""

    kind = "drawn"
    seat: Seat
    card: Throw
    hand: CardCounts
    """The player's cards, with the one drawn."""


@dataclass(frozen=True)
class BothDraw(GameEvent):
    """Both players of a pair draw a printed card."""

    kind = "both draw"
    pair: Pair
    left: int
    """Cards left in the Risk deck."""

    @override
    def move_cards(self, ledger: CardLedger) -> None:
        ledger.discard_shown(self.pair)
        ledger.draw(self.pair)
