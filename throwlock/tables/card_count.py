"""The card count of a match: in whose hand, match pile or discards each shown card lies. It is derived from the
journal alone, so it survives a crash."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from rules.engine import Game, GameEvent, Seat, Value
from rules.events import Pairs
from rules.future.events import Deal, TurnBegins
from rules.markers import PRINTED_MARKERS, PrintedMarker
from rules.record.judgement import SeatRecord, Verdict
from rules.record.match import StepView
from rules.record.round import RoundView
from rules.redeux.events import BothDraw, HandsTaken, MatchPiles, RiskDeckShuffled
from rules.redeux.table import HAND_CARDS_PER_THROW
from vision.cards.lock import CardCause

Marker = int
TableNumber = int
"""The number of a set of cards that are played together: in RPS Redeux those of a pair, or with one box of all."""


class CardPile(StrEnum):
    """Where a card lies."""

    HAND = "hand"
    PILE = "match pile"
    DISCARD = "discards"


@dataclass
class CardCount:
    """Where each shown card lies, and with whom; a card not shown yet may be anywhere."""

    places: dict[tuple[TableNumber, Marker], tuple[CardPile, Seat]] = field(default_factory=dict)
    """By table number and marker."""
    tables: dict[Seat, TableNumber] = field(default_factory=dict)
    """The table number of each seat; 0 where it has none."""
    dealt: set[TableNumber] = field(default_factory=set)
    """Tables whose hands are as dealt, 3 of each throw, so a fourth of a kind is one too many."""
    shown_markers: dict[Seat, set[Marker]] = field(default_factory=dict)
    steps: list[Mapping[Seat, Marker | None] | GameEvent] = field(default_factory=list)
    """Everything that happened to cards, in order: throws by seat (None: the card is unknown), and the game's
    events."""
    one_box: bool = False
    """Whether all pairs play with the cards of one box, so a card can't be at two."""
    _last: dict[Seat, Marker] = field(default_factory=dict)

    def table(self, seat: Seat) -> TableNumber:
        """Return the table number of a seat."""
        return self.tables.get(seat, 0)

    def record_throw(self, cards: Mapping[Seat, Marker | None]) -> None:
        """Record the cards of a round that counts: they were in their players' hands. None is a card that was not
        read."""
        self.steps.append(dict(cards))
        for seat, marker in cards.items():
            self._last.pop(seat, None)
            if marker is not None:
                self._last[seat] = marker
                self.places[self.table(seat), marker] = (CardPile.HAND, seat)
                self.shown_markers.setdefault(seat, set()).add(marker)

    def record_event(self, event: GameEvent) -> None:
        """Record a game event that moves cards."""
        self.steps.append(event)
        match event:
            case Pairs(pairs=pairs):
                for table, pair in enumerate(pairs):
                    self.tables |= dict.fromkeys(pair, 0 if self.one_box else table)
            case HandsTaken(pair=pair):
                self._reset(pair)
            case MatchPiles(pair=pair):
                self._move(pair, CardPile.PILE)
            case BothDraw(pair=pair):
                self._move(pair, CardPile.DISCARD)
            case RiskDeckShuffled(pair=pair):
                self._shuffle(self.table(pair[0]))
            case Deal():
                self.places.clear()
            case TurnBegins():
                self._move(tuple(self._last), CardPile.DISCARD)

    def violation(self, seat: Seat, card: PrintedMarker) -> tuple[Verdict, CardCause | None] | None:
        """Return the foul of a seat that shows ``card``, or None if it may hold it."""
        table = self.table(seat)
        where, whose = self.places.get((table, card.marker), (None, 0))
        if where is CardPile.PILE:
            return Verdict.PLAYED, CardCause.PILE
        if where is CardPile.DISCARD:
            return Verdict.PLAYED, CardCause.DISCARD
        if where is CardPile.HAND and whose != seat:
            return Verdict.NOT_THEIRS, None
        alike = {
            marker for marker in self.shown_markers.get(seat, set()) if PRINTED_MARKERS[marker].throw is card.throw
        }
        if table in self.dealt and len(alike | {card.marker}) > HAND_CARDS_PER_THROW:
            return Verdict.TOO_MANY, None
        return None

    def cards_in(self, where: CardPile, table: TableNumber = 0) -> tuple[Marker, ...]:
        """Return the cards that lie at a place."""
        return tuple(marker for (at, marker), (pile, _) in self.places.items() if (at, pile) == (table, where))

    def _reset(self, pair: Sequence[Seat]) -> None:
        """Return all cards of a pair to its deck; new hands are dealt from it."""
        table = self.table(pair[0])
        self.places = {key: place for key, place in self.places.items() if key[0] != table}
        self.dealt.add(table)
        for seat in pair:
            self.shown_markers[seat] = set()
            self._last.pop(seat, None)

    def _shuffle(self, table: TableNumber) -> None:
        """Shuffle the discards into the deck, from which anybody may draw any of them."""
        self.dealt.discard(table)
        self.places = {
            key: place for key, place in self.places.items() if key[0] != table or place[0] is not CardPile.DISCARD
        }

    def _move(self, seats: Sequence[Seat], where: CardPile) -> None:
        for seat in seats:
            if seat in self._last:
                self.places[self.table(seat), self._last.pop(seat)] = (where, seat)


def count_cards(game: Game, steps: Sequence[StepView | RoundView]) -> CardCount:
    """Return the card count after the ``steps`` of a match, as the referee sees them. A reading that people corrected
    is not a card."""
    count = CardCount(one_box=tracks_cards(game) and game.setup.options.get("boxes") == 1)
    for step in steps:
        if isinstance(step, RoundView) and not step.is_void:
            records = step.judgement.seats.items()
            count.record_throw({seat: _card_read(record, step.answers.get(seat)) for seat, record in records})
        for event in step.events:
            count.record_event(event)
    return count


def tracks_cards(game: Game) -> bool:
    """Whether a game tracks its printed cards; in any other, hands are whatever people hold."""
    return game.setup.options.get("cards") == "table" and game.setup.options.get("play_with", "cards") == "cards"


def _card_read(seat: SeatRecord, answer: Value) -> Marker | None:
    """Return the card that was read of a seat in a round, None if there was none or if it is not what counts."""
    card = None if seat.card is None else PRINTED_MARKERS.get(seat.card)
    return card.marker if card is not None and card.throw == answer else None
