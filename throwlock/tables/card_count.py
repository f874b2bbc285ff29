"""The card count of a match: in whose hand, match pile or discards each shown card lies. It is derived from the
journal alone, so it survives a crash."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from typing_extensions import override

from rules.engine import CardLedger, GameEvent, Seat, Value
from rules.markers import PRINTED_MARKERS, PrintedMarker
from rules.record.judgement import SeatRecord, Verdict
from rules.record.match import StepView
from rules.record.round import RoundView
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
class CardCount(CardLedger):
    """Where each shown card lies, and with whom; a card not shown yet may be anywhere."""

    places: dict[tuple[TableNumber, Marker], tuple[CardPile, Seat]] = field(default_factory=dict)
    """By table number and marker."""
    tables: dict[Seat, TableNumber] = field(default_factory=dict)
    """The table number of each seat; 0 where it has none."""
    dealt: dict[TableNumber, int] = field(default_factory=dict)
    """How many cards of each throw every hand was dealt, of the tables whose hands are still as dealt."""
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
        event.move_cards(self)

    @override
    def use_boxes(self, boxes: int) -> None:
        self.one_box = boxes == 1

    @override
    def make_pairs(self, pairs: Sequence[Sequence[Seat]]) -> None:
        for table, pair in enumerate(pairs):
            self.tables |= dict.fromkeys(pair, 0 if self.one_box else table)

    @override
    def take_hands(self, pair: Sequence[Seat], each: int) -> None:
        table = self.table(pair[0])
        self.places = {key: place for key, place in self.places.items() if key[0] != table}
        self.dealt[table] = each
        for seat in pair:
            self.shown_markers[seat] = set()
            self._last.pop(seat, None)

    @override
    def deal(self, of_each: int, hand: int) -> None:
        self.places.clear()

    @override
    def keep_shown(self, seats: Sequence[Seat]) -> None:
        self._move(seats, CardPile.PILE)

    @override
    def discard_shown(self, seats: Sequence[Seat]) -> None:
        self._move(seats, CardPile.DISCARD)

    @override
    def shuffle(self, pair: Sequence[Seat]) -> None:
        table = self.table(pair[0])
        self.dealt.pop(table, None)  # anybody may draw any of the discards now
        self.places = {
            key: place for key, place in self.places.items() if key[0] != table or place[0] is not CardPile.DISCARD
        }

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
        if table in self.dealt and len(alike | {card.marker}) > self.dealt[table]:
            return Verdict.TOO_MANY, None
        return None

    def cards_in(self, where: CardPile, table: TableNumber = 0) -> tuple[Marker, ...]:
        """Return the cards that lie at a place."""
        return tuple(marker for (at, marker), (pile, _) in self.places.items() if (at, pile) == (table, where))

    def _move(self, seats: Sequence[Seat], where: CardPile) -> None:
        for seat in seats:
            if seat in self._last:
                self.places[self.table(seat), self._last.pop(seat)] = (where, seat)


def count_cards(steps: Sequence[StepView | RoundView]) -> CardCount:
    """Return the card count after the ``steps`` of a match, as the referee sees them. A reading that people corrected
    is not a card."""
    count = CardCount()
    for step in steps:
        if isinstance(step, RoundView) and not step.is_void:
            records = step.judgement.seats.items()
            count.record_throw({seat: _card_read(record, step.answers.get(seat)) for seat, record in records})
        for event in step.events:
            count.record_event(event)
    return count


def _card_read(seat: SeatRecord, answer: Value) -> Marker | None:
    """Return the card that was read of a seat in a round, None if there was none or if it is not what counts."""
    card = None if seat.card is None else PRINTED_MARKERS.get(seat.card)
    return card.marker if card is not None and card.throw == answer else None
