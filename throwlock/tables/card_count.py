"""The count of printed cards in a match: whose hand, match pile or discards each card that was shown lies in. It
follows from the journal's events alone, and so is there again after a crash."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from rules.engine import Game, Play, Say, Seat
from rules.markers import PRINTED, Printed
from rules.redeux.table import IN_HAND
from throwlock.journal.journal import Event
from throwlock.match.corrections import course_in
from vision.cards.lock import CardCause
from vision.lock.verdict import Verdict

Marker = int
Table = int
"""The cards that are played together have a number: in RPS Redeux every pair has a box of its own."""


class Where(StrEnum):
    """Where a card lies."""

    HAND = "hand"
    PILE = "match pile"
    DISCARD = "discards"


@dataclass
class CardCount:
    """Where every card lies that was shown, by the table it is played at and its marker, and with whom. What was not
    shown yet may be anywhere. ``dealt`` are the tables whose hands are as they were dealt, 3 of each, so that a fourth
    of a kind is one too many. ``steps`` is all that happened to cards, in order: what was thrown by seat, and what the
    game said of it."""

    lies: dict[tuple[Table, Marker], tuple[Where, Seat]] = field(default_factory=dict)
    tables: dict[Seat, Table] = field(default_factory=dict)
    dealt: set[Table] = field(default_factory=set)
    shown: dict[Seat, set[Marker]] = field(default_factory=dict)
    steps: list[Mapping[Seat, Marker] | Say] = field(default_factory=list)
    _last: dict[Seat, Marker] = field(default_factory=dict)

    def table(self, seat: Seat) -> Table:
        """The cards that a seat plays with."""
        return self.tables.get(seat, 0)

    def thrown(self, cards: Mapping[Seat, Marker]) -> None:
        """These cards counted in a round: so they were in their players' hands."""
        self.steps.append(dict(cards))
        self._last |= cards
        for seat, marker in cards.items():
            self.lies[self.table(seat), marker] = (Where.HAND, seat)
            self.shown.setdefault(seat, set()).add(marker)

    def said(self, say: Say) -> None:
        """What a game said, as far as cards went somewhere by it."""
        self.steps.append(say)
        match say.kind:
            case "pairs":
                for table, pair in enumerate(_seats_of(say.facts["pairs"])):
                    self.tables |= dict.fromkeys(pair, table)
            case "hands":
                self._dealt_anew(_pair(say))
            case "pile":
                self._moved(_pair(say), Where.PILE)
            case "both draw":
                self._moved(_pair(say), Where.DISCARD)
            case "risk deck":
                self._shuffled(self.table(_pair(say)[0]))
            case "deal":
                self.lies.clear()
            case "turn":
                self._moved(tuple(self._last), Where.DISCARD)

    def wrong_with(self, seat: Seat, card: Printed) -> tuple[Verdict, CardCause | None] | None:
        """What is wrong with a card that a seat shows, if anything."""
        table = self.table(seat)
        where, whose = self.lies.get((table, card.marker), (None, 0))
        if where is Where.PILE:
            return Verdict.PLAYED, CardCause.PILE
        if where is Where.DISCARD:
            return Verdict.PLAYED, CardCause.DISCARD
        if where is Where.HAND and whose != seat:
            return Verdict.NOT_THEIRS, None
        alike = {marker for marker in self.shown.get(seat, set()) if PRINTED[marker].throw is card.throw}
        if table in self.dealt and len(alike | {card.marker}) > IN_HAND:
            return Verdict.TOO_MANY, None
        return None

    def lying(self, where: Where, table: Table = 0) -> tuple[Marker, ...]:
        """The cards that lie somewhere."""
        return tuple(marker for (at, marker), (there, _) in self.lies.items() if (at, there) == (table, where))

    def _dealt_anew(self, pair: Sequence[Seat]) -> None:
        """All cards are back in the box, and new hands are taken from it."""
        table = self.table(pair[0])
        self.lies = {key: lie for key, lie in self.lies.items() if key[0] != table}
        self.dealt.add(table)
        for seat in pair:
            self.shown[seat] = set()
            self._last.pop(seat, None)

    def _shuffled(self, table: Table) -> None:
        """The discards become the deck: from it anybody may draw any of them."""
        self.dealt.discard(table)
        self.lies = {key: lie for key, lie in self.lies.items() if key[0] != table or lie[0] is not Where.DISCARD}

    def _moved(self, seats: Sequence[Seat], where: Where) -> None:
        for seat in seats:
            if seat in self._last:
                self.lies[self.table(seat), self._last.pop(seat)] = (where, seat)


def count_cards(game: Game, events: Sequence[Event]) -> CardCount:
    """The count after ``events`` of a match of ``game``. What people corrected a reading to is no card that was
    read."""
    count, play = CardCount(), Play(game)
    read = {event.number: _read(event.body) for event in events}
    for say in play.said:
        count.said(say)
    for number, answers in course_in(events).items():
        cards = {
            seat: marker
            for seat, marker in read.get(number, {}).items()
            if marker in PRINTED and PRINTED[marker].throw == answers.get(seat)
        }
        said = play.answer(answers)
        if cards:
            count.thrown(cards)
        for say in said:
            count.said(say)
    return count


def has_count(game: Game) -> bool:
    """Whether a game says where its printed cards go; in any other, hands are whatever people hold."""
    return game.setup.options.get("cards") == "table" and game.setup.options.get("play_with", "cards") == "cards"


def _read(body: Mapping[str, Any]) -> dict[Seat, Marker]:
    """The cards that were read in a round, by seat."""
    seats = (body.get("judgement") or {}).get("seats", {})
    return {int(seat): one["card"] for seat, one in seats.items() if one.get("card") is not None}


def _pair(say: Say) -> tuple[Seat, ...]:
    """The pair something is said of."""
    return _seats_of([say.facts["pair"]])[0]


def _seats_of(pairs: Any) -> list[tuple[Seat, ...]]:
    return [tuple(int(seat) for seat in pair) for pair in pairs]
