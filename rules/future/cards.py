"""The cards of Future RPS: dealt by the box, which then knows every hand and tells each to its player alone, or
printed cards dealt by the players, which the box does not know until they are turned over."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from rules.deck import Cards, Deck, cards
from rules.engine import Ask, Choices, Json, Say, Seat
from rules.parallel import Part
from rules.throws import Throw, Thrown, shout

HAND = 6
"""Cards dealt to each player."""


def in_deck(players: int) -> int:
    """Cards of each kind in the deck: dealt out, 3 of all stay aside, unseen."""
    return 2 * players + 1


class CardsInHands(ABC):
    """Who holds what, and what lies face down on the table."""

    def __init__(self, seats: Sequence[Seat]) -> None:
        self.seats = seats

    @abstractmethod
    def deal(self) -> Part[None]:
        """Six cards to everybody."""

    @abstractmethod
    def show_hands(self) -> Part[None]:
        """Tell every player, and nobody else, what they hold."""

    @abstractmethod
    def put_down(self, seat: Seat, about: Mapping[str, Json]) -> Part[None]:
        """A card face down on the table. One that lay there before goes back to the hand."""

    @abstractmethod
    def may_change(self, seat: Seat) -> bool:
        """Whether a player who has a card on the table holds another to change it for."""

    @abstractmethod
    def discard(self, seat: Seat, about: Mapping[str, Json]) -> Part[None]:
        """A card out of the game, unseen."""

    @abstractmethod
    def turn_over(self, seats: Sequence[Seat], about: Mapping[str, Json]) -> Part[Thrown]:
        """What the cards on the table are, all at once."""

    @abstractmethod
    def clear_table(self) -> None:
        """The used cards are discarded."""


class DealtByTheBox(CardsInHands):
    """The box shuffles and deals, and a player chooses a card on the screen."""

    def __init__(self, seats: Sequence[Seat]) -> None:
        super().__init__(seats)
        self.hands: dict[Seat, Cards] = {seat: cards(0) for seat in seats}
        self.down: dict[Seat, Throw] = {}

    def deal(self) -> Part[None]:
        """Round the table, a card at a time."""
        deck = Deck(cards(in_deck(len(self.seats))))
        for _ in range(HAND):
            for seat in self.seats:
                card = yield from deck.draw(seat)
                self.hands[seat][card] += 1

    def show_hands(self) -> Part[None]:
        """See CardsInHands."""
        for seat, hand in self.hands.items():
            held: Json = {card.value: count for card, count in hand.items()}
            yield Say("hand", {"seat": seat, "cards": held}, only=seat)

    def put_down(self, seat: Seat, about: Mapping[str, Json]) -> Part[None]:
        """See CardsInHands."""
        card = yield from self._chosen("place", seat, about)
        if seat in self.down:
            self.hands[seat][self.down[seat]] += 1
        self.down[seat] = card

    def may_change(self, seat: Seat) -> bool:
        """See CardsInHands."""
        return any(self.hands[seat].values())

    def discard(self, seat: Seat, about: Mapping[str, Json]) -> Part[None]:
        """See CardsInHands."""
        yield from self._chosen("discard", seat, about)

    def turn_over(self, seats: Sequence[Seat], about: Mapping[str, Json]) -> Part[Thrown]:
        """See CardsInHands. The box knows them and asks nobody."""
        yield from ()
        return {seat: self.down[seat] for seat in seats}

    def clear_table(self) -> None:
        """See CardsInHands."""
        self.down.clear()

    def _chosen(self, kind: str, seat: Seat, about: Mapping[str, Json]) -> Part[Throw]:
        """A card that leaves the hand; which, only its owner knows."""
        held = Choices(tuple(card.value for card, count in self.hands[seat].items() if count))
        answers = yield Ask(kind, {seat: held}, secret=True, about=about)
        card = Throw(str(answers[seat]))
        self.hands[seat][card] -= 1
        return card


class DealtByThePlayers(CardsInHands):
    """Printed cards: the table says that one lies there, and at the reveal what it is. A blank card is no throw."""

    DOWN = Choices(("down",))
    """All that can be said of a card face down."""

    def __init__(self, seats: Sequence[Seat]) -> None:
        super().__init__(seats)
        self.held = dict.fromkeys(seats, HAND)
        self.down: set[Seat] = set()

    def deal(self) -> Part[None]:
        """Tell the players what to deal."""
        yield Say("deal", {"of each": in_deck(len(self.seats)), "hand": HAND})

    def show_hands(self) -> Part[None]:
        """Everybody sees their own."""
        yield from ()

    def put_down(self, seat: Seat, about: Mapping[str, Json]) -> Part[None]:
        """See CardsInHands."""
        yield Ask("place", {seat: self.DOWN}, about=about)
        if seat not in self.down:
            self.held[seat] -= 1
        self.down.add(seat)

    def may_change(self, seat: Seat) -> bool:
        """See CardsInHands."""
        return self.held[seat] > 0

    def discard(self, seat: Seat, about: Mapping[str, Json]) -> Part[None]:
        """See CardsInHands."""
        yield Ask("discard", {seat: self.DOWN}, about=about)
        self.held[seat] -= 1

    def turn_over(self, seats: Sequence[Seat], about: Mapping[str, Json]) -> Part[Thrown]:
        """See CardsInHands. Cards are turned over on a shout."""
        return (yield from shout(seats, about))

    def clear_table(self) -> None:
        """See CardsInHands."""
        self.down.clear()
