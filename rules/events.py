"""What games say that all of them share. What only one game says is in the ``events`` module beside it; a game from
outside may have classes of its own too, or say ``Other``."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from typing_extensions import override

from rules.engine import CardLedger, Facts, FactValues, GameEvent, Seat, values_by_seat
from rules.throws import Outcome, Throw

Throws = Mapping[Seat, Throw | None]
"""Throws by seat; None is no throw."""


Outcomes = Mapping[Seat, Outcome]
"""Who won, lost or tied; without seats whose throws have no outcome yet."""
Pair = tuple[Seat, Seat]
"""Two who play each other."""


class ThrowsDecided(GameEvent):
    """An event that says what became of throws: its own or, if it shows none, those shown last."""

    def outcomes_of(self, throwers: Iterable[Seat]) -> Outcomes:
        """Return the outcomes of the seats that showed the throws; none while they are not decided."""
        return {}


class ThrowsShown(ThrowsDecided):
    """An event that shows throws."""

    throws: Throws


def outcomes_of_winners(winners: Container[Seat], throwers: Iterable[Seat]) -> Outcomes:
    """Return the outcomes of seats of which some have won, and the others lost."""
    return {seat: Outcome.WON if seat in winners else Outcome.LOST for seat in throwers}


class ThrowsWon(ThrowsShown):
    """An event that shows throws, of which one has won."""

    seat: Seat
    """The winner."""

    @override
    def outcomes_of(self, throwers: Iterable[Seat]) -> Outcomes:
        return outcomes_of_winners((self.seat,), throwers)


@dataclass(frozen=True)
class Scores(GameEvent):
    """The score, which every game says after points or chips have changed."""

    kind = "score"
    scores: Mapping[Seat, int]
    """Everybody's points, or chips."""


@dataclass(frozen=True)
class Won(ThrowsWon):
    """A round is won."""

    kind = "won"
    seat: Seat
    """The winner."""
    throws: Throws


@dataclass(frozen=True)
class Tie(ThrowsShown):
    """A throw has decided nothing, and is thrown again."""

    kind = "tie"
    throws: Throws

    @override
    def outcomes_of(self, throwers: Iterable[Seat]) -> Outcomes:
        return dict.fromkeys(throwers, Outcome.TIED)


@dataclass(frozen=True)
class KnockedOut(ThrowsShown):
    """Players drop out."""

    kind = "out"
    seats: Sequence[Seat]
    """Those who drop out."""
    left: Sequence[Seat]
    """Those who are left."""
    throws: Throws

    @override
    def outcomes_of(self, throwers: Iterable[Seat]) -> Outcomes:
        return outcomes_of_winners(self.left, throwers)


@dataclass(frozen=True)
class Pairs(GameEvent):
    """Who plays whom in a game."""

    kind = "pairs"
    game: int
    """The game, from 1."""
    games: int
    """Games of the match."""
    pairs: Sequence[Pair]

    @override
    def move_cards(self, ledger: CardLedger) -> None:
        ledger.make_pairs(self.pairs)


@dataclass(frozen=True)
class BetsOpened(GameEvent):
    """Everybody learns a pair's bets."""

    kind = "bets"
    pair: Pair
    bets: Mapping[Seat, int]


@dataclass(frozen=True)
class Other(GameEvent):
    """An event of a game from outside, without a class of its own."""

    kind: str
    facts: Facts = field()
    """The facts as JSON: those by seat as ``{"1": 10, "2": 5}``."""

    @property
    def values(self) -> FactValues:
        """The facts by name, with seats as numbers."""
        return {name: values_by_seat(fact) or fact for name, fact in self.facts.items()}
