"""The printed cards in the simulated players' hands: dealt from a seed and replayed from the card count, so a resumed
match goes on with the same hands."""

from collections.abc import Sequence

import numpy as np

from rules.engine import Game, GameEvent, Seat
from rules.future.events import Deal, TurnBegins
from rules.markers import DECK_CARDS_PER_THROW, FUTURE_CARDS_PER_THROW, MarkerKind, PrintedMarker, markers_of_kind
from rules.redeux.events import BothDraw, HandsTaken, MatchPiles, RiskDeckShuffled
from rules.redeux.table import HAND_CARDS_PER_THROW
from rules.throws import Throw
from throwlock.tables.card_count import CardCount


class CardHands:
    """The hands after all steps of a card count. In a game that does not track cards, each seat has nine of its own."""

    def __init__(self, seed: int, game: Game, count: CardCount) -> None:
        self._rng = np.random.default_rng([seed, 11])
        self.kind = MarkerKind.FUTURE if game.rules.name == "future" else MarkerKind.CARD
        self.hands: dict[Seat, list[PrintedMarker]] = {
            seat: _starting_hand(self.kind, seat) for seat in range(1, game.setup.seats + 1)
        }
        self._deck: dict[Seat, list[PrintedMarker]] = {}
        self._discards: dict[Seat, list[PrintedMarker]] = {}
        self._last: dict[Seat, PrintedMarker] = {}
        for step in count.steps:
            if isinstance(step, GameEvent):
                self._apply(step)
            else:
                for seat, marker in step.items():
                    self._last.pop(seat, None)
                    if marker is not None:
                        self._last[seat] = _card(self.kind, marker)

    def _apply(self, event: GameEvent) -> None:
        match event:
            case HandsTaken(pair=pair):
                self._deal_pair(pair)
            case MatchPiles(pair=pair):
                self._discard_shown(pair)
            case BothDraw(pair=pair):
                self._discards.setdefault(pair[0], []).extend(self._discard_shown(pair))
                for seat in pair:
                    self.hands[seat].append(self._deck[pair[0]].pop())
            case RiskDeckShuffled(pair=pair):
                self._shuffle(pair)
            case Deal():
                self._deal_all(event)
            case TurnBegins():
                self._discard_shown(tuple(self._last))

    def _deal_pair(self, pair: Sequence[Seat]) -> None:
        self._deck[pair[0]], self._discards[pair[0]] = [], []
        for seat in pair:
            self.hands[seat] = _starting_hand(self.kind, seat)  # no card twice, so one box serves all pairs
            self._last.pop(seat, None)

    def _shuffle(self, pair: Sequence[Seat]) -> None:
        """Shuffle the draw pile of a pair: at first the rest of the box, later the discards."""
        table, held = pair[0], {card.marker for seat in pair for card in self.hands[seat]}
        cards = self._discards.get(table) or [
            card for card in _cards_of_each(0, DECK_CARDS_PER_THROW) if card.marker not in held
        ]
        self._deck[table] = [cards[place] for place in self._rng.permutation(len(cards))]
        self._discards[table] = []

    def _deal_all(self, deal: Deal) -> None:
        cards = [card for card in markers_of_kind(self.kind) if card.throw and (card.number - 1) % 13 < deal.of_each]
        order = self._rng.permutation(len(cards))
        for place, seat in enumerate(self.hands):
            self.hands[seat] = [cards[int(index)] for index in order[place * deal.hand : (place + 1) * deal.hand]]

    def _discard_shown(self, seats: Sequence[Seat]) -> list[PrintedMarker]:
        """Remove the cards just shown from the hands and return them."""
        left = [self._last.pop(seat) for seat in seats if seat in self._last]
        for seat in seats:
            self.hands[seat] = [card for card in self.hands[seat] if card not in left]
        return left


def _starting_hand(kind: MarkerKind, seat: Seat) -> list[PrintedMarker]:
    """Return a seat's cards before any are dealt: 3 of each throw from the deck, 2 from the smaller one of Future
    RPS."""
    each = HAND_CARDS_PER_THROW if kind is MarkerKind.CARD else FUTURE_CARDS_PER_THROW // 6
    return _cards_of_each((seat - 1) * each, each, kind)


def _cards_of_each(first: int, count: int, kind: MarkerKind = MarkerKind.CARD) -> list[PrintedMarker]:
    """Return ``count`` cards of each throw, starting at index ``first``."""
    cards = [card for card in markers_of_kind(kind) if card.throw is not None]
    each = len(cards) // len(Throw)
    return [cards[throw * each + place] for throw in range(len(Throw)) for place in range(first, first + count)]


def _card(kind: MarkerKind, marker: int) -> PrintedMarker:
    return next(card for card in markers_of_kind(kind) if card.marker == marker)
