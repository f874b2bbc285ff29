"""The score cards of RPS Redeux, and what a pair throws with: bare hands or cards."""

from collections.abc import Mapping

from typing_extensions import override

from rules.deck import CardCounts, Deck, cards_of_each
from rules.engine import (
    AllowedValues,
    Choices,
    FactValue,
    FactValues,
    Prompt,
    Seat,
    SecretPrompt,
    Setup,
    ThrowPrompt,
)
from rules.events import Pair
from rules.parallel import GameStep
from rules.redeux.events import BothDraw, CardDrawn, HandsTaken, RedeuxScores, RiskDeckShuffled
from rules.throws import Throw, ThrowsBySeat, ask_for_throws

ROUND_POINTS = 5
"""Points for a round won without a bet. Bets are multiples of it, so a player needs at least this many to bet."""
HAND_CARDS_PER_THROW = 3
"""Cards of each throw in a player's hand at the start: 9 in all."""
RISK_DECK_CARDS_PER_THROW = 18
"""Cards of each throw in the Risk deck: 54 in all, the box of 72 without the pair's 18 cards."""
BOX_CARDS_PER_THROW = 24
"""Cards of each throw in the box: "Deck of 72 cards: 24 Rock cards, 24 Paper cards, 24 Scissors cards." (redeux.txt,
Primary Game, Components)"""
PAIR_CARDS_PER_THROW = 6
"""Cards of each throw for a pair's Primary game: "Deck of 18 cards" (redeux.txt, Components per game)."""
PAIRS_PER_BOX = BOX_CARDS_PER_THROW // PAIR_CARDS_PER_THROW
"""Pairs that one box serves in the Primary game."""


class ScoreCards:
    """Every player's score card: the ``points`` of this game, which decide it, and the ``total`` of the match, which is
    the score."""

    def __init__(self, seats: range, games: int) -> None:
        self.points = dict.fromkeys(seats, 0)
        self.total = dict.fromkeys(seats, 0)
        self.games = games

    def new_game(self) -> None:
        """Set everybody's points of the game to 0."""
        self.points = dict.fromkeys(self.points, 0)

    def add_points(self, seat: Seat, points: int) -> None:
        """Add points won (or lost, if negative) to a player's card."""
        self.points[seat] += points
        self.total[seat] += points

    def score_event(self) -> RedeuxScores:
        """Return the score, in a match of several games with the points of this game."""
        return RedeuxScores(self.total, self.points if self.games > 1 else None)


class BareHands:
    """A pair that throws with its hands: there are no cards to take, place or draw, and no throw runs out."""

    def __init__(self, pair: Pair) -> None:
        self.pair = pair

    def take_cards(self) -> GameStep[None]:
        """Let both players take their cards for a game."""
        yield from ()

    def lay_out_risk_deck(self) -> GameStep[None]:
        """Shuffle the cards left in the box into the Risk deck."""
        yield from ()

    def opens_bets_before_shout(self, sealed: bool) -> bool:
        """Whether bets are opened before the throws are, sealed bets or open ones: only where nobody can choose a throw
        any more. Otherwise they are opened with the throws that decide the round."""
        return False

    def place(self, about: Mapping[str, FactValue]) -> GameStep[None]:
        """Let both players place a card face down."""
        yield from ()

    def own_facts(self) -> dict[Seat, FactValues]:
        """Return what each player alone knows: their cards."""
        return {}

    def shoot(self, about: Mapping[str, FactValue]) -> GameStep[ThrowsBySeat]:
        """Ask for both throws on the shout and return them."""
        return (yield from ask_for_throws(self.pair, about))

    def give_to_match_pile(self) -> None:
        """Move the cards just shown to the winner's match pile. (After a tie they return to the hands instead.)"""

    def discard_and_draw(self) -> GameStep[None]:
        """Discard the cards just shown and let each player draw one."""
        yield from ()


class BoxCards(BareHands):
    """A pair that throws with cards dealt by the box, chosen on the screen. Players can throw only cards they hold,
    nobody else learns which these are, and a card placed is always turned over: there is no "no throw".

    The rule sheet describes Risk Rounds for two players; if several pairs play them, each has its own Risk deck.
    """

    def __init__(self, pair: Pair) -> None:
        super().__init__(pair)
        self.hands: dict[Seat, CardCounts] = {}
        self.down: dict[Seat, Throw] = {}
        self.shown: dict[Seat, Throw] = {}
        self.risk_deck = Deck({})
        self.discards = cards_of_each(0)

    def take_cards(self) -> GameStep[None]:
        """Let both players take 3 cards of each throw."""
        self.hands = {seat: cards_of_each(HAND_CARDS_PER_THROW) for seat in self.pair}
        yield HandsTaken(self.pair, cards_of_each(HAND_CARDS_PER_THROW))

    def lay_out_risk_deck(self) -> GameStep[None]:
        """Shuffle 54 cards, 18 of each throw, into the Risk deck."""
        yield from self.shuffle(cards_of_each(RISK_DECK_CARDS_PER_THROW))

    def shuffle(self, cards: CardCounts) -> GameStep[None]:
        """Make a new Risk deck of these cards, with an empty discard pile."""
        self.risk_deck, self.discards = Deck(cards), cards_of_each(0)
        yield RiskDeckShuffled(self.pair, len(self.risk_deck))

    @override
    def opens_bets_before_shout(self, sealed: bool) -> bool:
        """Open bets, which follow the cards. Sealed ones stand sealed through a tie, so that nobody
        chooses the next card knowing them."""
        return not sealed

    def place(self, about: Mapping[str, FactValue]) -> GameStep[None]:
        """Ask both players which card they place face down, before the bets: "Once both players have placed their cards
        and decks face-down, players may choose to place a bet" (redeux.txt, Risk Rounds, How to Play)."""
        answers = yield SecretPrompt("place", self.playable_cards(), about, own_facts=self.own_facts())
        self.down = {seat: Throw(str(answers[seat])) for seat in self.pair}

    def shoot(self, about: Mapping[str, FactValue]) -> GameStep[ThrowsBySeat]:
        """Turn over both cards with those of the other pairs, and return them."""
        yield ThrowPrompt({}, about, own_facts=self.own_facts())
        self.shown, self.down = self.down, {}
        return {**self.shown}

    @override
    def own_facts(self) -> dict[Seat, FactValues]:
        """Return the cards in each hand, without the one that lies face down, and that one."""
        facts: dict[Seat, FactValues] = {}
        for seat, hand in self.hands.items():
            down = self.down.get(seat)
            held = {card.value: count - (card is down) for card, count in hand.items()}
            facts[seat] = {"cards in hand": held, "face down": None if down is None else down.value}
        return facts

    def playable_cards(self) -> dict[Seat, AllowedValues]:
        """Return the cards each player may hold."""
        return {seat: Choices(tuple(t.value for t in Throw if self.can_hold(seat, t))) for seat in self.pair}

    def can_hold(self, seat: Seat, card: Throw) -> bool:
        """Whether the player may hold such a card."""
        return self.hands[seat][card] > 0

    def give_to_match_pile(self) -> None:
        """Remove both cards from the hands."""
        for seat, throw in self.shown.items():
            self.hands[seat][throw] -= 1

    def discard_and_draw(self) -> GameStep[None]:
        """Discard and draw, so that both always hold 9 cards. An empty Risk deck is refilled from the discards at
        once."""
        for seat, throw in self.shown.items():
            self.hands[seat][throw] -= 1
            self.discards[throw] += 1
        for seat in self.pair:
            drawn = yield from self.risk_deck.draw(seat)
            self.hands[seat][drawn] += 1
            yield CardDrawn(seat, drawn, self.hands[seat], only=seat)
            if not len(self.risk_deck):
                yield from self.shuffle(self.discards)


class PrintedCards(BoxCards):
    """Printed cards, shuffled and drawn at the table, where the box can't see what is drawn. It knows which cards were
    shuffled into the Risk deck, and so how many of each the two hands can hold at most."""

    remaining = 0
    """Cards in the Risk deck."""

    @override
    def opens_bets_before_shout(self, sealed: bool) -> bool:
        """Open all bets: the cards lie on the table, and are turned over after them."""
        return True

    def place(self, about: Mapping[str, FactValue]) -> GameStep[None]:
        """Ask both players to place a card face down; which one it is, only the reveal shows."""
        yield Prompt("place", dict.fromkeys(self.pair, Choices(("down",))), about)

    def shoot(self, about: Mapping[str, FactValue]) -> GameStep[ThrowsBySeat]:
        """Ask for both cards as they are turned over: ones the players can hold."""
        answers = yield ThrowPrompt(self.playable_cards(), about)
        self.shown = {seat: Throw(str(answers[seat])) for seat in self.pair}
        return {**self.shown}

    def shuffle(self, cards: CardCounts) -> GameStep[None]:
        """Note what the players shuffle into the Risk deck."""
        self.shuffled_in = dict(cards)
        self.thrown_since_shuffle = cards_of_each(0)
        yield from super().shuffle(cards)
        self.remaining = len(self.risk_deck)

    @override
    def own_facts(self) -> dict[Seat, FactValues]:
        """Return nothing: the box doesn't know the cards."""
        return {}

    def can_hold(self, seat: Seat, card: Throw) -> bool:
        """Whether the player may hold such a card. In the Primary game nothing is drawn and the box knows every card.
        Afterwards the hands had the cards that were not shuffled in, may have drawn any that were, and have lost those
        thrown since."""
        if not self.remaining:
            return super().can_hold(seat, card)
        drawn = min(sum(self.shuffled_in.values()) - self.remaining, self.shuffled_in[card])
        return BOX_CARDS_PER_THROW - self.shuffled_in[card] + drawn > self.thrown_since_shuffle[card]

    def discard_and_draw(self) -> GameStep[None]:
        """Note the discards, and ask the players to draw."""
        for throw in self.shown.values():
            self.discards[throw] += 1
            self.thrown_since_shuffle[throw] += 1
        self.remaining -= len(self.pair)
        yield BothDraw(self.pair, self.remaining)
        if not self.remaining:
            yield from self.shuffle(self.discards)


def uses_printed_cards(setup: Setup) -> bool:
    """Whether printed cards are dealt at the table."""
    return setup.choice("play_with") == "cards" and setup.choice("cards") == "table"


def new_hands(pair: Pair, setup: Setup) -> BareHands:
    """Return what a pair throws with, by the options ``play_with`` and ``cards``."""
    if setup.choice("play_with") == "hands":
        return BareHands(pair)
    return PrintedCards(pair) if uses_printed_cards(setup) else BoxCards(pair)
