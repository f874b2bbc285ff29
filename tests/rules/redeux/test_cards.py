"""RPS Redeux with cards: a second reckoning of every hand and deck, and what each seat is told of them."""

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.catalogue import find
from rules.deck import Deck, cards
from rules.engine import BOX, Ask, Choices, Game, IllegalAnswerError, Play, Say, Span, Value
from rules.parallel import Part, on_one_shout
from rules.redeux.risk_rounds import at_goal
from rules.redeux.table import ScoreCards
from rules.throws import Throw

REDEUX = find("redeux")
THROWS = ["rock", "paper", "scissors"]
DOWN = Choices(("down",))
FULL = Counter(dict.fromkeys(THROWS, 24))
"""The cards in the box."""


def with_cards(seats: int = 2, **options: Value) -> Game:
    return REDEUX.set_up(seats, {"play_with": "cards", **options})


def answered(ask: Ask, dice: random.Random, ties: float = 0.0) -> dict[int, Value]:
    """Legal answers by chance; throws often tie where ``ties`` is more than 0."""
    answers: dict[int, Value] = {}
    favourite = dice.choice(THROWS) if dice.random() < ties else None
    for seat, options in ask.seats.items():
        if isinstance(options, Span):
            answers[seat] = dice.randrange(options.start, options.stop + 1, options.step)
        else:
            answers[seat] = favourite if options.allows(favourite) else dice.choice(options.values)
        if ask.kind == "bet" and ties and dice.random() < 0.9:
            answers[seat] = 0
    return answers


def to_risk_rounds(**options: Value) -> Play:
    """Seat 1 wins all three rounds of the Primary game with rock."""
    play = Play(with_cards(2, risk="always", **options))
    for _ in range(3):
        play.answer({1: "down", 2: "down"})
        play.answer({1: "rock", 2: "scissors"})
    return play


def test_every_option_has_a_name_of_its_own_and_hands_are_the_default() -> None:
    names = [option.name for option in REDEUX.options]
    assert names == ["games", "play_with", "cards", "risk", "goal", "bets", "tied_bets"]
    setup = REDEUX.set_up(2).setup
    assert (setup.word("play_with"), setup.word("cards")) == ("hands", "box")


def test_a_card_goes_down_before_every_throw_and_bets_come_between() -> None:
    play = to_risk_rounds()
    assert play.asked and (play.asked.kind, play.asked.seats) == ("place", {1: DOWN, 2: DOWN})
    kinds = []
    for answers in ({1: "down", 2: "down"}, {1: 15}, {1: "rock", 2: "rock"}, {0: 0}, {0: 0}, {1: "down", 2: "down"}):
        kinds.append(play.asked.kind)
        play.answer(answers)
        assert play.asked
    assert [*kinds, play.asked.kind] == ["place", "bet", "throw", "draw", "draw", "place", "throw"]
    assert play.asked.about["bets"] == {"1": 15, "2": 0}, "the bets stand after a tie"


@pytest.mark.parametrize("wrong", ["rock", "paper", "face down", None, True, 0])
def test_down_is_all_that_a_placed_card_says(wrong: Value) -> None:
    play = Play(with_cards())
    with pytest.raises(IllegalAnswerError, match=r"may not answer .* to place: down"):
        play.answer({1: "down", 2: wrong})


def test_a_card_its_thrower_cannot_hold_is_refused() -> None:
    play = to_risk_rounds(tied_bets="ask")
    for rocks_used in range(3):
        play.answer({1: "down", 2: "down"})
        play.answer({1: 0})
        assert play.asked and "rock" in play.asked.seats[1].values, rocks_used  # type: ignore[union-attr]  # Choices
        play.answer({1: "rock", 2: "rock"})
        for _ in (1, 2):
            play.answer({BOX: 20})  # a paper: the first 18 places are the rocks
    play.answer({1: "down", 2: "down"})
    play.answer({1: 0})
    assert play.asked and play.asked.seats == dict.fromkeys((1, 2), Choices(("paper", "scissors")))
    with pytest.raises(IllegalAnswerError, match="seat 2 may not answer 'rock' to throw: paper or scissors"):
        play.answer({1: "paper", 2: "rock"})
    with pytest.raises(IllegalAnswerError, match="seat 1 may not answer nothing to throw"):
        play.answer({1: None, 2: "paper"})
    play.answer({1: "paper", 2: "paper"})


def test_what_a_player_holds_is_told_to_that_player_alone() -> None:
    play = to_risk_rounds()
    play.answer({1: "down", 2: "down"})
    play.answer({1: 0})
    assert play.asked and play.asked.kind == "throw" and play.asked.sealed and play.asked.secret
    assert play.asked.seen_from(1).seats == {1: Choices(tuple(THROWS)), 2: Choices(())}
    assert play.asked.seen_from(None).seats == {1: Choices(()), 2: Choices(())}
    play.answer({1: "rock", 2: "paper"})
    assert play.asked.kind == "draw" and play.asked.secret and play.asked.about == {"seat": 1}
    (one,) = play.answer({BOX: 0})
    assert one == Say("drawn", {"seat": 1, "card": "rock", "hand": {"rock": 3, "paper": 3, "scissors": 3}}, only=1)
    (other,) = play.answer({BOX: 52})
    assert other.facts["card"] == "scissors"
    assert [other.seen_from(seat) for seat in (1, 2, None)] == [False, True, False]


def test_each_pair_has_a_risk_deck_of_its_own_and_draws_come_one_by_one() -> None:
    play = Play(with_cards(4, risk="always"))
    for _ in range(3):
        play.answer(dict.fromkeys((1, 2, 3, 4), "down"))
        play.answer({1: "rock", 2: "scissors", 3: "rock", 4: "scissors"})
    assert [say.facts for say in play.said if say.kind == "risk deck"] == [
        {"pair": [1, 2], "cards": 54},
        {"pair": [3, 4], "cards": 54},
    ]
    play.answer(dict.fromkeys((1, 2, 3, 4), "down"))
    play.answer({1: 0, 3: 0})
    play.answer({1: "rock", 2: "rock", 3: "paper", 4: "scissors"})
    drawn = []
    while play.asked and play.asked.kind == "draw":
        drawn.append((play.asked.about["seat"], play.asked.seats[BOX]))
        play.answer({BOX: 0})
    assert drawn == [(1, Span(0, 53)), (2, Span(0, 52)), (3, Span(0, 53)), (4, Span(0, 52))]
    assert play.asked and play.asked.kind == "place" and set(play.asked.seats) == {1, 2, 3, 4}


# A second reckoning, which counts every card of a pair's box: in the hands, in the Risk deck, discarded, in the piles.


class Box:
    """A pair's 72 cards, sorted by where the news says they are."""

    def __init__(self, pair: tuple[int, int]) -> None:
        self.pair = pair
        self.hand = {seat: Counter(dict.fromkeys(THROWS, 3)) for seat in pair}
        self.rest = FULL - self.hand[pair[0]] - self.hand[pair[1]]
        self.away: Counter[str] = Counter()
        """In the match piles of the Primary game, on the discard pile in the Risk Rounds."""

    def thrown(self, throws: dict[int, Value], leave: bool) -> None:
        for seat in self.pair:
            assert self.hand[seat][str(throws[seat])] > 0, "a card its thrower did not hold"
            if leave:
                self.hand[seat][str(throws[seat])] -= 1
                self.away[str(throws[seat])] += 1

    def drawn(self, seat: int, place: int) -> str:
        deck = [throw for throw in THROWS for _ in range(self.rest[throw])]
        self.rest[deck[place]] -= 1
        self.hand[seat][deck[place]] += 1
        if len(deck) == 1:
            self.rest, self.away = self.away, Counter()
        return deck[place]

    def check(self) -> None:
        assert self.hand[self.pair[0]] + self.hand[self.pair[1]] + self.rest + self.away == FULL
        assert min([*self.rest.values(), *self.away.values(), 0]) >= 0


@given(
    seats=st.integers(2, 8),
    options=st.fixed_dictionaries(
        {
            "goal": st.sampled_from((5, 30, 100, 400)),
            "tied_bets": st.sampled_from(("stand", "ask")),
            "risk": st.sampled_from(("ask", "always", "never")),
            "games": st.integers(0, 2),
        }
    ),
    ties=st.sampled_from((0.0, 0.5, 0.9)),
    seed=st.integers(0, 2**32),
)
@settings(deadline=None, max_examples=60)
def test_every_card_is_where_a_second_reckoning_has_it(
    seats: int, options: dict[str, Value], ties: float, seed: int
) -> None:
    dice, play = random.Random(seed), Play(with_cards(seats, **options))
    boxes: dict[int, Box] = {}
    heard = 0
    while ask := play.asked:
        for say in play.said[heard:]:
            if say.kind == "hands":
                one, other = pair = _pair(say)
                boxes[one] = boxes[other] = Box(pair)
                assert say.facts["each"] == boxes[one].hand[one]
            if say.kind == "risk deck":
                assert boxes[_pair(say)[0]].rest.total() == say.facts["cards"]
        heard = len(play.said)
        risky = ask.about.get("phase") == "risk rounds"
        answers = answered(ask, dice, ties)
        if ask.kind == "draw":
            news = play.answer(answers)
            seat, place = int(str(ask.about["seat"])), int(answers[BOX] or 0)
            box = boxes[seat]
            assert ask.seats[BOX] == Span(0, box.rest.total() - 1)
            card = box.drawn(seat, place)
            told = next(say for say in news if say.kind == "drawn")
            assert (told.facts["card"], told.only) == (card, seat)
            assert {throw: count for throw, count in _hand(told).items() if count} == +box.hand[seat]
            reshuffled = [say for say in news if say.kind == "risk deck"]
            assert bool(reshuffled) == (box.rest.total() == 54)
        elif ask.kind == "throw":
            for seat, options_ in ask.seats.items():
                assert options_ == Choices(tuple(throw for throw in THROWS if boxes[seat].hand[seat][throw]))
                assert not risky or boxes[seat].hand[seat].total() == 9
            playing = list(ask.seats)
            for pair in zip(playing[::2], playing[1::2], strict=True):
                boxes[pair[0]].thrown(answers, leave=risky or answers[pair[0]] != answers[pair[1]])
            play.answer(answers)
        else:
            assert ask.kind != "place" or all(options_ == DOWN for options_ in ask.seats.values())
            play.answer(answers)
        for box in boxes.values():
            box.check()
    assert play.result


def _pair(say: Say) -> tuple[int, int]:
    pair: Any = say.facts["pair"]
    return pair[0], pair[1]


def _hand(say: Say) -> dict[str, int]:
    hand: Any = say.facts["hand"]
    return dict(hand)


@given(seed=st.integers(0, 2**32), seats=st.sampled_from((2, 4)))
@settings(deadline=None, max_examples=40)
def test_with_hands_or_cards_the_same_throws_and_bets_score_the_same(seed: int, seats: int) -> None:
    dice = random.Random(seed)
    with_both: dict[str, Value] = {"risk": "always", "goal": 60}
    cards_play, hands_play = Play(with_cards(seats, **with_both)), Play(REDEUX.set_up(seats, with_both))
    while ask := cards_play.asked:
        answers = answered(ask, dice)
        cards_play.answer(answers)
        if ask.kind not in ("place", "draw"):
            assert hands_play.asked and hands_play.asked.kind == ask.kind and hands_play.asked.about == ask.about
            hands_play.answer(answers)
    only_cards = ("hands", "risk deck", "drawn")
    assert [say for say in cards_play.said if say.kind not in only_cards] == hands_play.said
    assert cards_play.result == hands_play.result


def test_a_risk_deck_that_is_empty_is_made_anew_of_the_discards_at_once() -> None:
    play = to_risk_rounds()
    play.answer({1: "down", 2: "down"})
    play.answer({1: 0})
    throws = 0
    while True:
        throw = next(t for t in THROWS if all(options.allows(t) for options in play.asked.seats.values()))  # type: ignore[union-attr]  # asked
        play.answer({1: throw, 2: throw})
        throws += 1
        play.answer({BOX: 0})
        news = play.answer({BOX: 0})
        play.answer({1: "down", 2: "down"})
        if any(say.kind == "risk deck" for say in news):
            break
    assert throws == 27, "54 cards, two a throw"
    play.answer({1: "scissors", 2: "scissors"})
    assert play.asked and play.asked.seats == {BOX: Span(0, 53)}, "what is discarded now stays out of the new deck"


def test_nobody_draws_after_the_throw_that_wins_nor_takes_cards_where_nothing_is_to_play() -> None:
    play = to_risk_rounds(goal=30)
    play.answer({1: "down", 2: "down"})
    play.answer({1: 15})
    news = play.answer({1: "rock", 2: "scissors"})
    assert play.result and [say.kind for say in news] == ["won", "score", "pair won"]
    there = to_risk_rounds(goal=15)
    assert there.result and [say.kind for say in there.said[-2:]] == ["risk rounds", "pair won"]
    scores = ScoreCards(range(1, 3), games=1)
    scores.score(2, 15)
    assert at_goal((1, 2), scores, with_cards(goal=15).setup) == [2]


def test_an_empty_deck_cannot_be_drawn_from_and_a_card_put_back_can() -> None:
    deck = Deck(cards(0))
    with pytest.raises(ValueError, match="the deck is empty"):
        next(deck.draw(1))
    deck.put(Throw.PAPER)
    drawing = deck.draw(1)
    assert next(drawing) == Ask("draw", {BOX: Span(0, 0)}, secret=True, about={"seat": 1})
    with pytest.raises(StopIteration) as end:
        drawing.send({BOX: 0})
    assert end.value.value is Throw.PAPER and not len(deck)


def test_a_deck_gives_every_card_once() -> None:
    deck, given_out = Deck({Throw.ROCK: 2, Throw.SCISSORS: 3}), []
    for place in (4, 0, 2, 0, 0):
        drawing = deck.draw(1)
        next(drawing)
        with pytest.raises(StopIteration) as end:
            drawing.send({BOX: place})
        given_out.append(str(end.value.value))
    assert given_out == ["scissors", "rock", "scissors", "rock", "scissors"]


def test_what_is_left_to_chance_is_asked_alone_and_first() -> None:
    def side(seat: int, *kinds: str) -> Part[int]:
        for kind in kinds:
            yield Ask(kind, {BOX if kind == "draw" else seat: DOWN}, about={"seat": seat})
        return seat

    together = on_one_shout([side(1, "place", "throw"), side(2, "draw", "place", "throw"), side(3, "draw", "throw")])
    asked = []
    step: Any = next(together)
    with pytest.raises(StopIteration) as end:
        while True:
            asked.append((step.kind, list(step.seats), step.about["seat"]))
            step = together.send(dict.fromkeys(step.seats, "down"))
    assert [(kind, seats) for kind, seats, _ in asked] == [
        ("draw", [0]),
        ("draw", [0]),
        ("place", [1, 2]),
        ("throw", [1, 2, 3]),
    ]
    assert [seat for kind, _, seat in asked if kind == "draw"] == [2, 3]
    assert end.value.value == [1, 2, 3]


def test_cards_in_a_match_pile_have_left_the_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can run out of a throw in three rounds; a Primary game of four shows it."""
    monkeypatch.setattr("rules.redeux.match.ROUNDS", 4)
    play = to_risk_rounds()
    play.answer({1: "down", 2: "down"})
    assert play.asked and play.asked.seats == {1: Choices(("paper", "scissors")), 2: Choices(("rock", "paper"))}


# Printed cards: the second reckoning is a real deck, which the box does not see.


class RealCards:
    """Two players with real cards, who draw from a real deck; ``likes`` is the throw they save up and show."""

    def __init__(self, dice: random.Random, likes: str) -> None:
        self.dice, self.likes = dice, likes
        self.hands = {1: 3 * THROWS, 2: 3 * THROWS}
        self.deck = 18 * THROWS
        dice.shuffle(self.deck)
        self.discards: list[str] = []

    def show(self) -> dict[int, Value]:
        shown: dict[int, Value] = {}
        for seat, hand in self.hands.items():
            card = self.likes if self.likes in hand and self.dice.random() < 0.95 else self.dice.choice(hand)
            hand.remove(card)
            self.discards.append(card)
            shown[seat] = card
        return shown

    def draw(self) -> bool:
        """Whether the deck had to be made anew."""
        for hand in self.hands.values():
            hand.append(self.deck.pop())
        if self.deck:
            return False
        self.deck, self.discards = self.discards, []
        self.dice.shuffle(self.deck)
        return True


@given(seed=st.integers(0, 2**32), likes=st.sampled_from(THROWS))
@settings(deadline=None, max_examples=25)
def test_a_printed_card_that_is_really_held_is_never_refused(seed: int, likes: str) -> None:
    dice = random.Random(seed)
    play, table = to_risk_rounds(cards="table", goal=1000), RealCards(dice, likes)
    for throws in range(1, 200):
        while play.asked and play.asked.kind != "throw":
            play.answer(dict.fromkeys(play.asked.seats, 0 if play.asked.kind == "bet" else "down"))
        if play.result:
            return
        news = play.answer(table.show())
        if play.result:
            return
        anew = table.draw()
        said = [say.facts for say in news if say.kind == "both draw"]
        assert said == [{"pair": [1, 2], "left": 54 - 2 * (throws % 27 or 27)}]
        assert anew == any(say.kind == "risk deck" for say in news) == (throws % 27 == 0)
        assert not any(say.only for say in play.said) and not (play.asked and play.asked.secret), "nothing to hide"


def test_a_printed_card_of_which_all_lie_discarded_is_refused_until_one_can_be_drawn_again() -> None:
    play = to_risk_rounds(cards="table")
    play.answer({1: "down", 2: "down"})
    play.answer({1: 0})
    for throws in range(1, 28):
        assert play.asked and play.asked.kind == "throw"
        may_throw = Choices(("rock", "paper", "scissors") if throws <= 12 else ("paper", "scissors"))
        assert play.asked.seats == {1: may_throw, 2: may_throw}
        throw = "rock" if throws <= 12 else ("paper", "scissors")[throws % 2]
        play.answer({1: throw, 2: throw})
        play.answer({1: "down", 2: "down"})
    assert play.asked and play.asked.seats[1] == Choices(("paper", "scissors")), "shuffled in, but not drawn yet"
    play.answer({1: "paper", 2: "paper"})
    play.answer({1: "down", 2: "down"})
    assert play.asked.seats[1] == Choices(("rock", "paper", "scissors"))


def test_in_the_primary_game_the_box_knows_printed_cards_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rules.redeux.match.ROUNDS", 4)
    play = to_risk_rounds(cards="table")
    play.answer({1: "down", 2: "down"})
    assert play.asked and play.asked.seats == {1: Choices(("paper", "scissors")), 2: Choices(("rock", "paper"))}
