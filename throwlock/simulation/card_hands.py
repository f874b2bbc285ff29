"""What simulated players hold of the printed cards: dealt by chance from a seed, and carried on by what the count says
happened to the cards, so that a match that was cut off goes on with the same hands."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from rules.engine import Game, Say, Seat
from rules.markers import DECK_EACH, FUTURE_EACH, Kind, Printed, of_kind
from rules.redeux.table import IN_HAND
from rules.throws import Throw
from throwlock.tables.card_count import CardCount


class CardHands:
    """The hands after all that the count knows. In a game that says nothing of cards every seat has nine of its own."""

    def __init__(self, seed: int, game: Game, count: CardCount) -> None:
        self._chance = np.random.default_rng([seed, 11])
        self.kind = Kind.FUTURE if game.rules.name == "future" else Kind.CARD
        self.hands: dict[Seat, list[Printed]] = {seat: _own(self.kind, seat) for seat in range(1, game.setup.seats + 1)}
        self._deck: dict[Seat, list[Printed]] = {}
        self._discards: dict[Seat, list[Printed]] = {}
        self._last: dict[Seat, Printed] = {}
        for step in count.steps:
            if isinstance(step, Say):
                self._said(step)
            else:
                self._last |= {seat: _card(self.kind, marker) for seat, marker in step.items()}

    def _said(self, say: Say) -> None:
        match say.kind:
            case "hands":
                self._dealt(_pair(say))
            case "pile":
                self._leave(_pair(say))
            case "both draw":
                table = _pair(say)[0]
                self._discards.setdefault(table, []).extend(self._leave(_pair(say)))
                for seat in _pair(say):
                    self.hands[seat].append(self._deck[table].pop())
            case "risk deck":
                self._shuffled(_pair(say)[0])
            case "deal":
                self._dealt_out(say)
            case "turn":
                self._leave(tuple(self._last))

    def _dealt(self, pair: Sequence[Seat]) -> None:
        self._deck[pair[0]], self._discards[pair[0]] = [], []
        for place, seat in enumerate(pair):
            self.hands[seat] = _some(place * IN_HAND, IN_HAND)
            self._last.pop(seat, None)

    def _shuffled(self, table: Seat) -> None:
        """At first what is left in the box, afterwards the discards; a pair's table is called by its first seat."""
        cards = self._discards.get(table) or _some(2 * IN_HAND, DECK_EACH - 2 * IN_HAND)
        self._deck[table] = [cards[place] for place in self._chance.permutation(len(cards))]
        self._discards[table] = []

    def _dealt_out(self, say: Say) -> None:
        each, hand = _number(say.facts["of each"]), _number(say.facts["hand"])
        cards = [card for card in of_kind(self.kind) if card.throw and (card.number - 1) % 13 < each]
        order = self._chance.permutation(len(cards))
        for place, seat in enumerate(self.hands):
            self.hands[seat] = [cards[int(index)] for index in order[place * hand : (place + 1) * hand]]

    def _leave(self, seats: Sequence[Seat]) -> list[Printed]:
        """The cards just shown leave the hands."""
        left = []
        for seat in seats:
            card = self._last.pop(seat, None)
            if card is not None:
                left.append(card)
                self.hands[seat] = [other for other in self.hands[seat] if other is not card]
        return left


def _own(kind: Kind, seat: Seat) -> list[Printed]:
    """What a seat throws with before cards are dealt: 3 of each of the deck, 2 of the smaller one of Future RPS."""
    each = IN_HAND if kind is Kind.CARD else FUTURE_EACH // 6
    return _some((seat - 1) * each, each, kind)


def _some(first: int, count: int, kind: Kind = Kind.CARD) -> list[Printed]:
    """So many cards of each throw, from a place (from 0) on."""
    cards = [card for card in of_kind(kind) if card.throw is not None]
    each = len(cards) // len(Throw)
    return [cards[throw * each + place] for throw in range(len(Throw)) for place in range(first, first + count)]


def _card(kind: Kind, marker: int) -> Printed:
    return next(card for card in of_kind(kind) if card.marker == marker)


def _pair(say: Say) -> tuple[Seat, ...]:
    pair: Any = say.facts["pair"]
    return tuple(int(seat) for seat in pair)


def _number(fact: Any) -> int:
    return int(fact)
