"""The cards of Future RPS: dealt by the box, which shows each player their own hand, or printed cards dealt by the
players, unknown to the box until they are turned over."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from rules.deck import CardCounts, Deck, cards_of_each
from rules.engine import Choices, GameEvent, Json, Prompt, Seat
from rules.parallel import GameStep
from rules.throws import Throw, ThrowsBySeat, ask_for_throws

HAND_SIZE = 6
"""Cards dealt to each player."""


def deck_cards_per_kind(players: int) -> int:
    """Return the number of cards of each kind in the deck: enough that 3 are left after dealing, unseen."""
    return 2 * players + 1


class FutureCards(ABC):
    """The players' hands and the cards face down on the table."""

    def __init__(self, seats: Sequence[Seat]) -> None:
        self.seats = seats

    @abstractmethod
    def deal(self) -> GameStep[None]:
        """Deal six cards to everybody."""

    @abstractmethod
    def show_hands(self) -> GameStep[None]:
        """Show every player their own hand, and nobody else's."""

    @abstractmethod
    def put_down(self, seat: Seat, about: Mapping[str, Json]) -> GameStep[None]:
        """Ask ``seat`` to place a card face down. One placed before goes back to the hand."""

    @abstractmethod
    def can_change(self, seat: Seat) -> bool:
        """Whether a player with a card on the table holds another to change it for."""

    @abstractmethod
    def discard(self, seat: Seat, about: Mapping[str, Json]) -> GameStep[None]:
        """Ask ``seat`` to discard a card, unseen."""

    @abstractmethod
    def turn_over(self, seats: Sequence[Seat], about: Mapping[str, Json]) -> GameStep[ThrowsBySeat]:
        """Turn over the cards of ``seats``, all at once, and return them."""

    @abstractmethod
    def clear_table(self) -> None:
        """Discard the cards on the table."""


class BoxDealtCards(FutureCards):
    """Cards shuffled and dealt by the box; players choose theirs on the screen."""

    def __init__(self, seats: Sequence[Seat]) -> None:
        super().__init__(seats)
        self.hands: dict[Seat, CardCounts] = {seat: cards_of_each(0) for seat in seats}
        self.down: dict[Seat, Throw] = {}

    def deal(self) -> GameStep[None]:
        """Deal round the table, a card at a time."""
        deck = Deck(cards_of_each(deck_cards_per_kind(len(self.seats))))
        for _ in range(HAND_SIZE):
            for seat in self.seats:
                card = yield from deck.draw(seat)
                self.hands[seat][card] += 1

    def show_hands(self) -> GameStep[None]:
        """See FutureCards."""
        for seat, hand in self.hands.items():
            held: Json = {card.value: count for card, count in hand.items()}
            yield GameEvent("hand", {"seat": seat, "cards": held}, only=seat)

    def put_down(self, seat: Seat, about: Mapping[str, Json]) -> GameStep[None]:
        """See FutureCards."""
        card = yield from self._choose_card("place", seat, about)
        if seat in self.down:
            self.hands[seat][self.down[seat]] += 1
        self.down[seat] = card

    def can_change(self, seat: Seat) -> bool:
        """See FutureCards."""
        return any(self.hands[seat].values())

    def discard(self, seat: Seat, about: Mapping[str, Json]) -> GameStep[None]:
        """See FutureCards."""
        yield from self._choose_card("discard", seat, about)

    def turn_over(self, seats: Sequence[Seat], about: Mapping[str, Json]) -> GameStep[ThrowsBySeat]:
        """See FutureCards. The box knows the cards and asks nobody."""
        yield from ()
        return {seat: self.down[seat] for seat in seats}

    def clear_table(self) -> None:
        """See FutureCards."""
        self.down.clear()

    def _choose_card(self, kind: str, seat: Seat, about: Mapping[str, Json]) -> GameStep[Throw]:
        """Ask ``seat`` in secret for a card and take it from the hand."""
        held = Choices(tuple(card.value for card, count in self.hands[seat].items() if count))
        answers = yield Prompt(kind, {seat: held}, secret=True, about=about)
        card = Throw(str(answers[seat]))
        self.hands[seat][card] -= 1
        return card


class PlayerDealtCards(FutureCards):
    """Printed cards: the table reports that a card has been placed, and which it is at the reveal. A blank card is no
    throw."""

    FACE_DOWN = Choices(("down",))
    """The only answer about a card face down."""

    def __init__(self, seats: Sequence[Seat]) -> None:
        super().__init__(seats)
        self.held = dict.fromkeys(seats, HAND_SIZE)
        self.down: set[Seat] = set()

    def deal(self) -> GameStep[None]:
        """Tell the players which cards to deal."""
        yield GameEvent("deal", {"of each": deck_cards_per_kind(len(self.seats)), "hand": HAND_SIZE})

    def show_hands(self) -> GameStep[None]:
        """Do nothing: the players hold their cards."""
        yield from ()

    def put_down(self, seat: Seat, about: Mapping[str, Json]) -> GameStep[None]:
        """See FutureCards."""
        yield Prompt("place", {seat: self.FACE_DOWN}, about=about)
        if seat not in self.down:
            self.held[seat] -= 1
        self.down.add(seat)

    def can_change(self, seat: Seat) -> bool:
        """See FutureCards."""
        return self.held[seat] > 0

    def discard(self, seat: Seat, about: Mapping[str, Json]) -> GameStep[None]:
        """See FutureCards."""
        yield Prompt("discard", {seat: self.FACE_DOWN}, about=about)
        self.held[seat] -= 1

    def turn_over(self, seats: Sequence[Seat], about: Mapping[str, Json]) -> GameStep[ThrowsBySeat]:
        """See FutureCards. Cards are turned over on the shout."""
        return (yield from ask_for_throws(seats, about))

    def clear_table(self) -> None:
        """See FutureCards."""
        self.down.clear()
