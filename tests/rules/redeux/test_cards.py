"""RPS Redeux with cards: an independent count of every hand and deck, and what each seat may see of them."""

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.catalogue import find_game
from rules.deck import Deck, cards_of_each
from rules.engine import (
    BOX,
    Choices,
    Game,
    GameEvent,
    IllegalAnswerError,
    IllegalSetupError,
    IntRange,
    Play,
    Prompt,
    SecretPrompt,
    Value,
)
from rules.parallel import GameStep, run_in_parallel
from rules.redeux.events import CardDrawn
from rules.redeux.risk_rounds import seats_at_goal
from rules.redeux.table import ScoreCards
from rules.throws import Throw
from ui.text.verdicts import event_sentences

REDEUX = find_game("redeux")
THROWS = ["rock", "paper", "scissors"]
DOWN = Choices(("down",))
FULL = Counter(dict.fromkeys(THROWS, 24))
"""The cards in the box."""


def with_cards(seats: int = 2, **options: Value) -> Game:
    return REDEUX.set_up(seats, {"play_with": "cards", "tied_bets": "stand", **options})


def random_answers(prompt: Prompt, dice: random.Random, ties: float = 0.0) -> dict[int, Value]:
    """Return random legal answers; throws often tie if ``ties`` is more than 0."""
    answers: dict[int, Value] = {}
    favourite = dice.choice(THROWS) if dice.random() < ties else None
    for seat, options in prompt.seats.items():
        if isinstance(options, IntRange):
            answers[seat] = dice.randrange(options.start, options.stop + 1, options.step)
        else:
            answers[seat] = favourite if options.allows(favourite) else dice.choice(options.values)
        if prompt.kind == "bet" and ties and dice.random() < 0.9:
            answers[seat] = 0
    return answers


def to_risk_rounds(**options: Value) -> Play:
    """Play until the Risk Rounds; seat 1 wins all three rounds of the Primary game with rock."""
    play = Play(with_cards(2, risk="always", **options))
    for _ in range(3):
        if options.get("cards") == "table":
            play.answer({1: "down", 2: "down"})
        play.answer({1: "rock", 2: "scissors"})
    return play


def test_options_and_their_defaults() -> None:
    names = [option.name for option in REDEUX.options]
    assert names == ["games", "play_with", "cards", "boxes", "risk", "goal", "starting_points", "bets", "tied_bets"]
    setup = REDEUX.set_up(2).setup
    assert (setup.choice("play_with"), setup.choice("cards")) == ("hands", "box")


def test_cards_are_chosen_then_bets_made_then_both_opened() -> None:
    play = to_risk_rounds()
    kinds, events = [], []
    for answers in ({1: "rock", 2: "rock"}, {1: 15}, {0: 0}, {0: 0}, {1: "rock", 2: "scissors"}):
        assert play.prompt
        kinds.append(play.prompt.kind)
        events.append([event.kind for event in play.answer(answers)])
    assert kinds == ["place", "bet", "draw", "draw", "place"], "the cards lie down before the bets"
    assert events[:2] == [[], ["tie"]], "the bets stand, sealed: nobody chooses the next card knowing them"
    assert events[-1] == ["bets", "won", "score"]
    opened, won = (next(event for event in play.events[-3:] if event.kind == kind) for kind in ("bets", "won"))
    assert opened.facts["bets"] == {"1": 15, "2": 0} and won.facts["points"] == 30


def test_open_bets_follow_the_cards() -> None:
    play = to_risk_rounds(bets="open")
    play.answer({1: "rock", 2: "rock"})
    assert play.prompt and play.prompt.kind == "bet" and not play.prompt.is_private
    assert [event.kind for event in play.answer({1: 15})] == ["bets", "tie"]


def test_printed_cards_are_laid_then_bets_opened_then_the_cards_turned() -> None:
    play = to_risk_rounds(cards="table")
    kinds = []
    for answers in ({1: "down", 2: "down"}, {1: 15}, {1: "rock", 2: "rock"}, {1: "down", 2: "down"}):
        assert play.prompt
        kinds.append(play.prompt.kind)
        said = play.answer(answers)
        if kinds[-1] == "bet":
            assert [event.facts["bets"] for event in said] == [{"1": 15, "2": 0}]
    assert [*kinds, play.prompt and play.prompt.kind] == ["place", "bet", "throw", "place", "throw"]
    assert play.prompt and play.prompt.about["bets"] == {1: 15, 2: 0}, "the bets stand after a tie"


@pytest.mark.parametrize("wrong", ["rock", "paper", "face down", None, True, 0])
def test_only_down_answers_a_placed_card(wrong: Value) -> None:
    play = Play(with_cards(cards="table"))
    with pytest.raises(IllegalAnswerError, match=r"may not answer .* to place: down"):
        play.answer({1: "down", 2: wrong})


def test_cards_a_player_cannot_hold_are_refused() -> None:
    play = to_risk_rounds(tied_bets="ask")
    for rocks_used in range(3):
        assert play.prompt and "rock" in play.prompt.seats[1].values, rocks_used  # Choices
        play.answer({1: "rock", 2: "rock"})
        play.answer({1: 0})
        for _ in (1, 2):
            play.answer({BOX: 20})  # a paper: the first 18 places are the rocks
    assert play.prompt and play.prompt.seats == dict.fromkeys((1, 2), Choices(("paper", "scissors")))
    with pytest.raises(IllegalAnswerError, match="seat 2 may not answer 'rock' to place: paper or scissors"):
        play.answer({1: "paper", 2: "rock"})
    with pytest.raises(IllegalAnswerError, match="seat 1 may not answer nothing to place"):
        play.answer({1: None, 2: "paper"})
    play.answer({1: "paper", 2: "paper"})


def test_hands_are_visible_to_their_players_alone() -> None:
    play = to_risk_rounds()
    assert play.prompt and play.prompt.kind == "place" and play.prompt.is_secret
    assert play.prompt.visible_to(1).seats == {1: Choices(tuple(THROWS)), 2: Choices(())}
    assert play.prompt.visible_to(None).seats == {1: Choices(()), 2: Choices(())}
    play.answer({1: "rock", 2: "paper"})
    play.answer({1: 0})
    assert play.prompt.kind == "draw" and play.prompt.is_secret and play.prompt.about == {"seat": 1}
    (one,) = play.answer({BOX: 0})
    assert one == CardDrawn(1, Throw.ROCK, cards_of_each(3), only=1)
    (other,) = play.answer({BOX: 52})
    assert other.facts["card"] == "scissors"
    assert [other.is_visible_to(seat) for seat in (1, 2, None)] == [False, True, False]


def test_each_pair_has_its_own_risk_deck() -> None:
    play = Play(with_cards(4, risk="always"))
    for _ in range(3):
        play.answer({1: "rock", 2: "scissors", 3: "rock", 4: "scissors"})
    assert [event.facts for event in play.events if event.kind == "risk deck"] == [
        {"pair": [1, 2], "cards": 54},
        {"pair": [3, 4], "cards": 54},
    ]
    play.answer({1: "rock", 2: "rock", 3: "paper", 4: "scissors"})
    play.answer({1: 0, 3: 0})
    drawn = []
    while play.prompt and play.prompt.kind == "draw":
        drawn.append((play.prompt.about["seat"], play.prompt.seats[BOX]))
        play.answer({BOX: 0})
    assert drawn == [(1, IntRange(0, 53)), (2, IntRange(0, 52)), (3, IntRange(0, 53)), (4, IntRange(0, 52))]
    assert play.prompt and play.prompt.kind == "place" and set(play.prompt.seats) == {1, 2, 3, 4}


def test_all_pairs_turn_their_cards_over_together() -> None:
    play = Play(with_cards(4, risk="always"))
    for _ in range(3):
        play.answer({1: "rock", 2: "scissors", 3: "rock", 4: "scissors"})
    play.answer({1: "rock", 2: "scissors", 3: "rock", 4: "rock"})
    play.answer({1: 15, 3: 15})
    while play.prompt and play.prompt.kind == "draw":
        play.answer({BOX: 0})
    assert play.prompt and list(play.prompt.seats) == [1, 2, 3, 4]
    said = play.answer({1: "rock", 2: "rock", 3: "rock", 4: "scissors"})
    assert not said and play.prompt.kind == "bet" and list(play.prompt.seats) == [1], "a tie: seat 3's bet stands"
    said = play.answer({1: 0})
    assert [event.facts["pair"] for event in said if event.kind in ("tie", "won")] == [[1, 2], [3, 4]]


# An independent count of a pair's cards: in the hands, in the Risk deck, discarded, in the piles


class CountedCards:
    """A pair's 72 cards, by where they are according to the events."""

    def __init__(self, pair: tuple[int, int]) -> None:
        self.pair = pair
        self.hand = {seat: Counter(dict.fromkeys(THROWS, 3)) for seat in pair}
        self.rest = FULL - self.hand[pair[0]] - self.hand[pair[1]]
        self.away: Counter[str] = Counter()
        """The match piles in the Primary game, the discard pile in the Risk Rounds."""

    def throw(self, throws: dict[int, Value], leave: bool) -> None:
        for seat in self.pair:
            assert self.hand[seat][str(throws[seat])] > 0, "a card its thrower did not hold"
            if leave:
                self.hand[seat][str(throws[seat])] -= 1
                self.away[str(throws[seat])] += 1

    def draw_card(self, seat: int, place: int) -> str:
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
def test_every_card_is_where_an_independent_count_has_it(
    seats: int, options: dict[str, Value], ties: float, seed: int
) -> None:
    dice, play = random.Random(seed), Play(with_cards(seats, **options))
    boxes: dict[int, CountedCards] = {}
    down: dict[int, Value] = {}
    event_count = 0
    while prompt := play.prompt:
        for event in play.events[event_count:]:
            if event.kind == "hands":
                one, other = pair = _pair(event)
                boxes[one] = boxes[other] = CountedCards(pair)
                assert event.facts["each"] == boxes[one].hand[one]
            if event.kind == "risk deck":
                assert boxes[_pair(event)[0]].rest.total() == event.facts["cards"]
        event_count = len(play.events)
        risky = prompt.about.get("phase") == "risk rounds"
        answers = random_answers(prompt, dice, ties)
        if prompt.kind == "draw":
            events = play.answer(answers)
            seat, place = int(str(prompt.about["seat"])), int(answers[BOX] or 0)
            box = boxes[seat]
            assert prompt.seats[BOX] == IntRange(0, box.rest.total() - 1)
            card = box.draw_card(seat, place)
            drawn_event = next(event for event in events if event.kind == "drawn")
            assert (drawn_event.facts["card"], drawn_event.only) == (card, seat)
            assert {throw: count for throw, count in _hand(drawn_event).items() if count} == +box.hand[seat]
            reshuffled = [event for event in events if event.kind == "risk deck"]
            assert bool(reshuffled) == (box.rest.total() == 54)
        else:
            if prompt.kind == "place":
                for seat, options_ in prompt.seats.items():
                    assert options_ == Choices(tuple(throw for throw in THROWS if boxes[seat].hand[seat][throw]))
                    assert not risky or boxes[seat].hand[seat].total() == 9
                down |= answers
            for event in play.answer(answers):
                if event.kind in ("tie", "won"):
                    assert event.facts["throws"] == {str(seat): down[seat] for seat in _pair(event)}
                    boxes[_pair(event)[0]].throw(down, leave=risky or event.kind == "won")
        for box in boxes.values():
            box.check()
    assert play.result


def _pair(event: GameEvent) -> tuple[int, int]:
    pair: Any = event.facts["pair"]
    return pair[0], pair[1]


def _hand(event: GameEvent) -> dict[str, int]:
    hand: Any = event.facts["hand"]
    return dict(hand)


@given(seed=st.integers(0, 2**32), seats=st.sampled_from((2, 4)))
@settings(deadline=None, max_examples=40)
def test_hands_and_cards_score_the_same(seed: int, seats: int) -> None:
    dice = random.Random(seed)
    with_both: dict[str, Value] = {"risk": "always", "goal": 60, "tied_bets": "stand"}
    cards_play, hands_play = Play(with_cards(seats, **with_both)), Play(REDEUX.set_up(seats, with_both))
    down: dict[int, Value] = {}
    while prompt := cards_play.prompt:
        answers = random_answers(prompt, dice)
        cards_play.answer(answers)
        if prompt.kind == "place":
            down |= answers
        elif prompt.kind == "bet":
            assert hands_play.prompt and hands_play.prompt.kind == "bet" and hands_play.prompt.about == prompt.about
            hands_play.answer(answers)
        if down and not (cards_play.prompt and cards_play.prompt.kind == "bet"):  # the cards were turned over
            assert hands_play.prompt and hands_play.prompt.kind == "throw"
            hands_play.answer({seat: down.pop(seat) for seat in hands_play.prompt.seats})
    only_cards = ("hands", "risk deck", "drawn")
    assert [event for event in cards_play.events if event.kind not in only_cards] == hands_play.events
    assert cards_play.result == hands_play.result


def test_empty_risk_deck_is_refilled_from_the_discards_at_once() -> None:
    play = to_risk_rounds()
    throws = 0
    while True:
        throw = next(t for t in THROWS if all(options.allows(t) for options in play.prompt.seats.values()))  # asked
        play.answer({1: throw, 2: throw})
        throws += 1
        if throws == 1:
            play.answer({1: 0})  # it stands after every tie
        play.answer({BOX: 0})
        events = play.answer({BOX: 0})
        if any(event.kind == "risk deck" for event in events):
            break
    assert throws == 27, "54 cards, two a throw"
    play.answer({1: "scissors", 2: "scissors"})
    assert play.prompt and play.prompt.seats == {BOX: IntRange(0, 53)}, (
        "what is discarded now stays out of the new deck"
    )


def test_when_nobody_draws() -> None:
    play = to_risk_rounds(goal=30)
    play.answer({1: "rock", 2: "scissors"})
    events = play.answer({1: 15})
    assert play.result and [event.kind for event in events] == ["bets", "won", "score", "pair won"]
    at_goal = to_risk_rounds(goal=15)
    assert at_goal.result and [event.kind for event in at_goal.events[-2:]] == ["risk rounds", "pair won"]
    scores = ScoreCards(range(1, 3), games=1)
    scores.add_points(2, 15)
    assert seats_at_goal((1, 2), scores, with_cards(goal=15).setup) == [2]


def test_the_last_card_is_drawn_and_then_the_deck_is_empty() -> None:
    deck = Deck({Throw.PAPER: 1})
    drawing = deck.draw(1)
    assert next(drawing) == SecretPrompt("draw", {BOX: IntRange(0, 0)}, about={"seat": 1})
    with pytest.raises(StopIteration) as end:
        drawing.send({BOX: 0})
    assert end.value.value is Throw.PAPER and not len(deck)
    with pytest.raises(ValueError, match="the deck is empty"):
        next(deck.draw(1))


def test_deck_deals_every_card_once() -> None:
    deck, given_out = Deck({Throw.ROCK: 2, Throw.SCISSORS: 3}), []
    for place in (4, 0, 2, 0, 0):
        drawing = deck.draw(1)
        next(drawing)
        with pytest.raises(StopIteration) as end:
            drawing.send({BOX: place})
        given_out.append(str(end.value.value))
    assert given_out == ["scissors", "rock", "scissors", "rock", "scissors"]


def test_parallel_prompts_to_the_box_come_first_one_at_a_time() -> None:
    def side(seat: int, *kinds: str) -> GameStep[int]:
        for kind in kinds:
            yield Prompt(kind, {BOX if kind == "draw" else seat: DOWN}, about={"seat": seat})
        return seat

    together = run_in_parallel([side(1, "place", "throw"), side(2, "draw", "place", "throw"), side(3, "draw", "throw")])
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
    """Nobody can run out of a throw in three rounds, so this Primary game has four."""
    monkeypatch.setattr("rules.redeux.match.PRIMARY_ROUNDS", 4)
    play = to_risk_rounds()
    assert play.prompt and play.prompt.seats == {1: Choices(("paper", "scissors")), 2: Choices(("rock", "paper"))}


# Printed cards, compared with a real deck, which the box does not see


class RealCards:
    """Two players drawing from a real deck; ``likes`` is the throw they save up and show."""

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
        """Draw a card each; return whether the deck had to be refilled."""
        for hand in self.hands.values():
            hand.append(self.deck.pop())
        if self.deck:
            return False
        self.deck, self.discards = self.discards, []
        self.dice.shuffle(self.deck)
        return True


@given(seed=st.integers(0, 2**32), likes=st.sampled_from(THROWS))
@settings(deadline=None, max_examples=25)
def test_printed_cards_really_held_are_never_refused(seed: int, likes: str) -> None:
    dice = random.Random(seed)
    play, table = to_risk_rounds(cards="table", goal=1000), RealCards(dice, likes)
    for throws in range(1, 200):
        while play.prompt and play.prompt.kind != "throw":
            play.answer(dict.fromkeys(play.prompt.seats, 0 if play.prompt.kind == "bet" else "down"))
        if play.result:
            return
        events = play.answer(table.show())
        if play.result:
            return
        anew = table.draw()
        draws = [event.facts for event in events if event.kind == "both draw"]
        assert draws == [{"pair": [1, 2], "left": 54 - 2 * (throws % 27 or 27)}]
        assert anew == any(event.kind == "risk deck" for event in events) == (throws % 27 == 0)
        assert not any(event.only for event in play.events) and not (play.prompt and play.prompt.is_secret), (
            "nothing to hide"
        )


def test_printed_cards_all_discarded_are_refused_until_one_can_be_drawn() -> None:
    play = to_risk_rounds(cards="table")
    play.answer({1: "down", 2: "down"})
    play.answer({1: 0})
    for throws in range(1, 28):
        assert play.prompt and play.prompt.kind == "throw"
        may_throw = Choices(("rock", "paper", "scissors") if throws <= 12 else ("paper", "scissors"))
        assert play.prompt.seats == {1: may_throw, 2: may_throw}
        throw = "rock" if throws <= 12 else ("paper", "scissors")[throws % 2]
        play.answer({1: throw, 2: throw})
        play.answer({1: "down", 2: "down"})
    assert play.prompt and play.prompt.seats[1] == Choices(("paper", "scissors")), "shuffled in, but not drawn yet"
    play.answer({1: "paper", 2: "paper"})
    play.answer({1: "down", 2: "down"})
    assert play.prompt.seats[1] == Choices(("rock", "paper", "scissors"))


def test_box_knows_printed_cards_in_the_primary_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rules.redeux.match.PRIMARY_ROUNDS", 4)
    play = to_risk_rounds(cards="table")
    play.answer({1: "down", 2: "down"})
    assert play.prompt and play.prompt.seats == {1: Choices(("paper", "scissors")), 2: Choices(("rock", "paper"))}


# Boxes of printed cards


@pytest.mark.parametrize(("seats", "boxes"), [(2, 1), (3, 1), (4, 2), (5, 2), (7, 3), (8, 4)])
def test_risk_rounds_with_printed_cards_need_a_box_for_each_pair(seats: int, boxes: int) -> None:
    for risk in ("ask", "always"):
        with_cards(seats, cards="table", boxes=boxes, risk=risk)
        if boxes > 1:
            with pytest.raises(IllegalSetupError, match=f"{boxes} pairs need {boxes} boxes, not {boxes - 1}"):
                with_cards(seats, cards="table", boxes=boxes - 1, risk=risk)
    with_cards(seats, cards="table", risk="never")
    with_cards(seats)
    REDEUX.set_up(seats)


def test_boxes_of_printed_cards_are_told_before_the_match() -> None:
    first = Play(with_cards(8, cards="table", risk="never")).events[0]
    assert (first.kind, first.facts) == ("boxes", {"boxes": 1, "cards": 72, "of each": 18})
    assert event_sentences(first, {}) == ("Printed cards: 1 box of 72; each pair takes 18.",)
    first = Play(with_cards(4, cards="table", boxes=2)).events[0]
    assert event_sentences(first, {}) == (
        "Printed cards: 2 boxes of 72; each pair takes 18.",
        "In Risk Rounds a pair also needs the other 54 cards of its box.",
    )
    assert Play(with_cards(4)).events[0].kind == Play(REDEUX.set_up(4)).events[0].kind == "pairs"


# Who knows which bet


@given(
    seats=st.integers(2, 8),
    options=st.fixed_dictionaries(
        {
            "play_with": st.sampled_from(("hands", "cards")),
            "cards": st.sampled_from(("box", "table")),
            "bets": st.sampled_from(("sealed", "open")),
            "tied_bets": st.sampled_from(("stand", "ask")),
            "goal": st.sampled_from((30, 100)),
        }
    ),
    ties=st.sampled_from((0.0, 0.5)),
    seed=st.integers(0, 2**32),
)
@settings(deadline=None, max_examples=60)
def test_nobody_knows_a_bet_while_they_can_choose_a_throw(
    seats: int, options: dict[str, Value], ties: float, seed: int
) -> None:
    dice, play = random.Random(seed), Play(REDEUX.set_up(seats, {"risk": "always", "boxes": 4, **options}))
    cards = options["play_with"] == "cards"
    stand_known = cards and (options["cards"] == "table" or options["bets"] == "open")
    """Whether the bets of a tie are known when it is thrown again, as the rule page has it."""
    chooses_at = "place" if cards else "throw"
    known: set[int] = set()
    """Seats whose bets in the round being played are known."""
    event_count = 0
    while prompt := play.prompt:
        for event in play.events[event_count:]:
            if event.kind == "bets":
                known |= set(_pair(event))
            if event.kind == "won" or (event.kind == "tie" and (options["tied_bets"] == "ask" or stand_known)):
                known -= set(_pair(event))
        event_count = len(play.events)
        if prompt.kind == chooses_at:
            assert not known & set(prompt.seats)
            assert "bets" not in prompt.about
        answers = random_answers(prompt, dice, ties)
        if prompt.kind == "bet":
            assert prompt.is_private or (options["bets"] == "open" and cards)
            if prompt.opened_by:
                for seat in prompt.seats:
                    assert prompt.visible_answers(answers, seat) == {seat: answers[seat]}
        play.answer(answers)
    assert play.result
