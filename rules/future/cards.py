"""The cards of Future RPS: dealt by the box, which shows each player their own hand, or printed cards dealt by the
players, unknown to the box until they are turned over."""

from collections.abc import Mapping, Sequence

from typing_extensions import override

from rules.deck import Deck, cards_of_each
from rules.engine import CardChoices, Choices, FactValue, FactValues, Prompt, Seat, SecretPrompt
from rules.future.events import Deal, HandDealt
from rules.parallel import GameStep
from rules.throws import Throw, ThrowsBySeat, ask_for_throws

HAND_SIZE = 6
"""Cards dealt to each player."""


def deck_cards_per_kind(players: int) -> int:
    """Return the number of cards of each kind in the deck: enough that 3 are left after dealing, unseen."""
    return 2 * players + 1


class BoxDealtCards:
    """The players' hands and the cards face down on the table, shuffled and dealt by the box; players choose theirs on
    the screen."""

    card_prompt: type[Prompt] = SecretPrompt
    """The prompt for a card: nobody else may see which ones a player can choose."""

    def __init__(self, seats: Sequence[Seat]) -> None:
        self.seats = seats
        self.hands: dict[Seat, dict[str, int]] = {seat: {card.value: 0 for card in Throw} for seat in seats}
        self.down: dict[Seat, str] = {}

    def deal(self) -> GameStep[None]:
        """Deal six cards to everybody, round the table, a card at a time."""
        deck = Deck(cards_of_each(deck_cards_per_kind(len(self.seats))))
        for _ in range(HAND_SIZE):
            for seat in self.seats:
                card = yield from deck.draw(seat)
                self.hands[seat][card] += 1

    def show_hands(self) -> GameStep[None]:
        """Show every player their own hand, and nobody else's."""
        for seat, hand in self.hands.items():
            yield HandDealt(seat, hand, only=seat)

    def own_facts(self) -> dict[Seat, FactValues]:
        """Return each player's own cards: those in the hand, and the one on the table."""
        return {
            seat: {"cards in hand": {**hand}, "face down": self.down.get(seat)} for seat, hand in self.hands.items()
        }

    def put_down(self, seat: Seat, about: Mapping[str, FactValue]) -> GameStep[None]:
        """Ask ``seat`` to place a card face down. One placed before goes back to the hand."""
        card = yield from self._choose_card("place", seat, about)
        if seat in self.down:
            self.hands[seat][self.down[seat]] += 1
        self.down[seat] = card

    def can_change(self, seat: Seat) -> bool:
        """Whether a player with a card on the table holds another to change it for."""
        return any(self.hands[seat].values())

    def discard(self, seat: Seat, about: Mapping[str, FactValue]) -> GameStep[None]:
        """Ask ``seat`` to discard a card, unseen."""
        yield from self._choose_card("discard", seat, about)

    def turn_over(self, seats: Sequence[Seat], about: Mapping[str, FactValue]) -> GameStep[ThrowsBySeat]:
        """Turn over the cards of ``seats``, all at once, and return them. The box asks nobody."""
        yield from ()
        return {seat: Throw(self.down[seat]) for seat in seats}

    def clear_table(self) -> None:
        """Discard the cards on the table."""
        self.down.clear()

    def _choose_card(self, kind: str, seat: Seat, about: Mapping[str, FactValue]) -> GameStep[str]:
        answers = yield self.card_prompt(kind, {seat: self._choices(seat)}, about, own_facts=self.own_facts())
        card = str(answers[seat])
        self.hands[seat][card] -= 1
        return card

    def _choices(self, seat: Seat) -> Choices:
        return CardChoices(tuple(card for card, count in self.hands[seat].items() if count), {**self.hands[seat]})


class PlayerDealtCards(BoxDealtCards):
    """Printed cards: the table reports that a card has been placed, and which it is at the reveal. A blank card is no
    throw. Until then all cards are alike: "down"."""

    card_prompt = Prompt

    def deal(self) -> GameStep[None]:
        """Tell the players which cards to deal."""
        self.hands = {seat: {"down": HAND_SIZE} for seat in self.seats}
        yield Deal(deck_cards_per_kind(len(self.seats)), HAND_SIZE)

    def show_hands(self) -> GameStep[None]:
        """Do nothing: the players hold their cards."""
        yield from ()

    @override
    def own_facts(self) -> dict[Seat, FactValues]:
        """Return nothing: the box doesn't know the cards."""
        return {}

    def turn_over(self, seats: Sequence[Seat], about: Mapping[str, FactValue]) -> GameStep[ThrowsBySeat]:
        """Ask for the cards, which are turned over on the shout."""
        return (yield from ask_for_throws(seats, about))

    def _choices(self, seat: Seat) -> Choices:
        return Choices(("down",))
