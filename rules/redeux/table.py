"""What lies before a pair in RPS Redeux: the score cards, and what it throws with, which is bare hands or the cards of
the box."""

from collections.abc import Mapping

from rules.deck import Cards, Deck, cards
from rules.engine import Ask, Choices, Json, Say, Seat, Setup, said_scores
from rules.parallel import Part
from rules.throws import Throw, Thrown, as_said, shout

Pair = tuple[Seat, Seat]

POINTS = 5
"""Points for a round won without a bet; bets are multiples of it, and one needs as many to bet at all."""
IN_HAND = 3
"""Cards of each throw in a player's hand at the start: 9 in all, of the pair's 18."""
IN_RISK_DECK = 18
"""Cards of each throw in the Risk deck: 54 in all, the box of 72 without the pair's 18."""
IN_BOX = 24
"""Cards of each throw in the box."""


class ScoreCards:
    """Every player's score card: ``points`` of this game, with which Risk Rounds begin and end, and the total of
    all the match's games, which is what is said as the score."""

    def __init__(self, seats: range, games: int) -> None:
        self.points = dict.fromkeys(seats, 0)
        self.total = dict.fromkeys(seats, 0)
        self.games = games

    def new_game(self) -> None:
        """Everybody takes a new card."""
        self.points = dict.fromkeys(self.points, 0)

    def score(self, seat: Seat, points: int) -> None:
        """Write points won (or, negative, lost) on a player's card."""
        self.points[seat] += points
        self.total[seat] += points

    def said(self) -> Say:
        """The score; in a match of several games with the points of this game beside it."""
        return said_scores(self.total, **({"points": by_seat(self.points)} if self.games > 1 else {}))


class BareHands:
    """A pair that throws with its hands: there is nothing to take, put down or draw, and no throw runs out."""

    def __init__(self, pair: Pair) -> None:
        self.pair = pair

    def take_hands(self) -> Part[None]:
        """Both players take their cards for a game."""
        yield from ()

    def lay_out_risk_deck(self) -> Part[None]:
        """The cards left in the box are shuffled and put between the players."""
        yield from ()

    def place(self, about: Mapping[str, Json]) -> Part[None]:
        """Both players put a card face down."""
        yield from ()

    def shoot(self, about: Mapping[str, Json]) -> Part[Thrown]:
        """Rock, paper, scissors, shoot: both throws at once."""
        return (yield from shout(self.pair, about))

    def give_to_match_pile(self) -> None:
        """The cards just shown leave the hands for the winner's match pile. After a tie they don't: they are back in
        the hands."""

    def discard_and_draw(self) -> Part[None]:
        """The cards just shown are discarded, and each player draws one."""
        yield from ()


class BoxCards(BareHands):
    """A pair that throws with cards, for which the box draws. What is shown must be a card its player holds, and what a
    player holds is told to nobody else. A card that is down is turned over: with cards, nobody can show no throw.

    The sheet writes the Risk Rounds for two players; where several pairs play them, each has a Risk deck of its own.
    """

    known_to_all = False
    """Whether what a player can hold follows from what everybody has seen."""

    def __init__(self, pair: Pair) -> None:
        super().__init__(pair)
        self.hands: dict[Seat, Cards] = {}
        self.shown: dict[Seat, Throw] = {}
        self.risk_deck = Deck({})
        self.discards = cards(0)

    def take_hands(self) -> Part[None]:
        """From each of the three piles both players take 3 cards."""
        self.hands = {seat: cards(IN_HAND) for seat in self.pair}
        yield Say("hands", {"pair": list(self.pair), "each": counted(cards(IN_HAND))})

    def lay_out_risk_deck(self) -> Part[None]:
        """54 cards, 18 of each."""
        yield from self.shuffle(cards(IN_RISK_DECK))

    def shuffle(self, of: Cards) -> Part[None]:
        """Cards become the Risk deck; what is discarded from now on stays out of it."""
        self.risk_deck, self.discards = Deck(of), cards(0)
        yield Say("risk deck", {"pair": list(self.pair), "cards": len(self.risk_deck)})

    def place(self, about: Mapping[str, Json]) -> Part[None]:
        """Which card it is shows when it is turned over."""
        yield Ask("place", dict.fromkeys(self.pair, Choices(("down",))), about=about)

    def shoot(self, about: Mapping[str, Json]) -> Part[Thrown]:
        """Both players turn their card over: one of those they can hold."""
        held = {seat: Choices(tuple(t.value for t in Throw if self.can_hold(seat, t))) for seat in self.pair}
        answers = yield Ask("throw", held, sealed=True, secret=not self.known_to_all, about=about)
        self.shown = {seat: Throw(str(answers[seat])) for seat in self.pair}
        return {**self.shown}

    def can_hold(self, seat: Seat, card: Throw) -> bool:
        """Whether a player has such a card."""
        return self.hands[seat][card] > 0

    def give_to_match_pile(self) -> None:
        """The winner takes both cards."""
        for seat, throw in self.shown.items():
            self.hands[seat][throw] -= 1

    def discard_and_draw(self) -> Part[None]:
        """So both always hold 9. As soon as the Risk deck is empty, the discards are shuffled into a new one."""
        for seat, throw in self.shown.items():
            self.hands[seat][throw] -= 1
            self.discards[throw] += 1
        for seat in self.pair:
            drawn = yield from self.risk_deck.draw(seat)
            self.hands[seat][drawn] += 1
            yield Say("drawn", {"seat": seat, "card": drawn.value, "hand": counted(self.hands[seat])}, only=seat)
            if not len(self.risk_deck):
                yield from self.shuffle(self.discards)


class PrintedCards(BoxCards):
    """Printed cards, whose Risk deck is shuffled and drawn from at the table: what is drawn, the box can't see. It
    knows what is in the deck as it is shuffled, and so how many of a card the two hands can hold at most."""

    known_to_all = True
    left = 0
    """Cards in the Risk deck."""

    def shuffle(self, of: Cards) -> Part[None]:
        """The players do it."""
        self.in_deck = dict(of)
        self.thrown_since = cards(0)
        yield from super().shuffle(of)
        self.left = len(self.risk_deck)

    def can_hold(self, seat: Seat, card: Throw) -> bool:
        """In the Primary game nothing is drawn, and the box knows every card. Afterwards: what was not in the deck when
        it was shuffled was in the hands, what was drawn since may be any of the deck's, what was thrown is gone."""
        if not self.left:
            return super().can_hold(seat, card)
        drawn = min(sum(self.in_deck.values()) - self.left, self.in_deck[card])
        return IN_BOX - self.in_deck[card] + drawn > self.thrown_since[card]

    def discard_and_draw(self) -> Part[None]:
        """The players do it."""
        for throw in self.shown.values():
            self.discards[throw] += 1
            self.thrown_since[throw] += 1
        self.left -= len(self.pair)
        yield Say("both draw", {"pair": list(self.pair), "left": self.left})
        if not self.left:
            yield from self.shuffle(self.discards)


def hands_of(pair: Pair, house: Setup) -> BareHands:
    """What a pair throws with, as the house plays it."""
    if house.word("play_with") == "hands":
        return BareHands(pair)
    return BoxCards(pair) if house.word("cards") == "box" else PrintedCards(pair)


def said_of(kind: str, pair: Pair, number: int, thrown: Thrown, **more: Json) -> Say:
    """What a pair's throws in a round came to."""
    return Say(kind, {"pair": list(pair), "round": number, "throws": as_said(thrown), **more})


def by_seat(facts: Mapping[Seat, int]) -> dict[str, Json]:
    """Facts by seat as a Say tells them."""
    return {str(seat): fact for seat, fact in facts.items()}


def for_both(pair: Pair, fact: int) -> dict[str, Json]:
    """A fact that holds for both players of a pair."""
    return by_seat(dict.fromkeys(pair, fact))


def counted(held: Cards) -> dict[str, Json]:
    """How many of each card, as a Say tells it."""
    return {throw.value: count for throw, count in held.items()}
