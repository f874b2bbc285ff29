"""Future RPS: laps, pot, cards and the end of the game; printed cards; an independent count of whole games."""

import random
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.engine import (
    BOX,
    Answers,
    CardChoices,
    Choices,
    Game,
    GameEvent,
    IllegalAnswerError,
    IllegalSetupError,
    IntRange,
    Play,
    Prompt,
    Value,
)
from rules.future.match import FUTURE, Chips, acting_order, winning_seats
from rules.throws import Throw
from tests.helpers.future_table import FutureTable
from ui.text.verdicts import event_sentences, headline

PAIR = ["rrppss", "rrppss"]
THREE = ["rrppss"] * 3
TURN = ["place 1 rock", "claim 1 rock", "act 2 bet", "bet 2 1", "place 2 rock", "claim 2 rock"]


def test_before_the_first_turn_everybody_has_ten_chips_and_six_cards() -> None:
    table = FutureTable(4, ["rrppss"] * 4, beginner=3)
    assert table.draws == 4 * 6
    assert table.play.events[0].as_json() == {"say": "score", "scores": dict.fromkeys("1234", 10), "pot": 0}
    turn = next(event for event in table.play.events if event.kind == "turn")
    assert turn.facts == {"turn": 1, "turns": 6, "order": [3, 4, 1, 2], "pot": 0}
    assert table.score == ({"1": 10, "2": 9, "3": 10, "4": 10}, 1), "the beginner's left neighbour has paid the blind"
    hands = [event for event in table.play.events if event.kind == "hand"]
    assert [event.only for event in hands] == [1, 2, 3, 4]
    assert {str(event.facts["cards"]) for event in hands} == {"{'rock': 2, 'paper': 2, 'scissors': 2}"}


@pytest.mark.parametrize("seats", range(2, 7))
def test_the_deck_has_three_cards_more_than_are_dealt(seats: int) -> None:
    play, left = Play(FUTURE.set_up(seats)), []
    play.answer({seat: "rock" if seat == 1 else "scissors" for seat in range(1, seats + 1)})
    while play.prompt and play.prompt.kind == "draw":
        span = play.prompt.seats[BOX]
        assert isinstance(span, IntRange) and play.prompt.is_secret
        left.append(span.stop + 1)
        play.answer({BOX: 0})
    assert left == list(range(3 * (2 * seats + 1), 3, -1))


def test_classic_round_chooses_the_beginner_without_score_events() -> None:
    play = Play(FUTURE.set_up(3))
    for throws, kind in (("rrr", "tie"), ("rps", "tie"), ("rpp", "first throw"), ("pp", "tie"), ("ps", "first throw")):
        assert play.prompt and play.prompt.kind == "throw"
        words = [{"r": "rock", "p": "paper", "s": "scissors"}[letter] for letter in throws]
        events = play.answer(dict(zip(play.prompt.seats, words, strict=True)))
        assert [event.kind for event in events] == [kind]
    assert play.prompt and play.prompt.kind == "draw"
    assert [event.facts["scores"] for event in play.events if event.kind == "score"] == [{"1": 10, "2": 10, "3": 10}]


def test_action_passes_to_the_right_or_to_the_left() -> None:
    assert acting_order(range(1, 5), 3, "right") == [3, 4, 1, 2]
    assert acting_order(range(1, 5), 3, "left") == [3, 2, 1, 4]
    table = FutureTable(3, THREE, direction="left")
    assert table.score[0] == {"1": 10, "2": 10, "3": 9}, "the left neighbour pays the blind either way"
    table.act("place 1 rock", "claim 1 rock", "act 3 fold", "discard 3 rock", "act 2 fold", "discard 2 rock")
    assert table.score[0] == {"1": 10, "2": 10, "3": 9}, "seat 1 won the blind and pays the next, as seat 2's left one"
    table.act("place 2 rock", "claim 2 rock", "act 1 fold", "discard 1 rock", "act 3 fold", "discard 3 rock")


def test_prompts_name_the_lap() -> None:
    """The first lap is 1, each later lap counts on when everybody still in has acted."""
    table = FutureTable(2, PAIR)
    laps = []
    for line in (*TURN, "act 1 raise", "bet 1 1", "place 1 paper", "claim 1 paper", "act 2 call", "act 1 call"):
        prompt = table.play.prompt
        assert prompt is not None
        laps.append(prompt.about["lap"])
        table.act(line)
    assert laps == [1] * 6 + [2] * 5 + [3]


def test_a_player_who_holds_no_other_printed_card_can_only_call() -> None:
    """In the sixth turn both players have laid their last card: nothing is left to change it for."""
    play = Play(FUTURE.set_up(2, {"cards": "table"}))
    actions: dict[int, list[tuple[Value, ...]]] = {}
    while play.prompt is not None:
        kind, seats = play.prompt.kind, play.prompt.seats
        if kind == "act" and play.prompt.about["lap"] != 1:
            (choices,) = seats.values()
            assert isinstance(choices, Choices)
            actions.setdefault(int(str(play.prompt.about["turn"])), []).append(choices.values)
        reply: dict[str, Value] = {"act": "bet", "bet": 1, "place": "down", "claim": "rock"}
        if kind == "throw":
            begun = any(event.kind == "turn" for event in play.events)
            play.answer({1: "rock", 2: "rock" if begun else "scissors"})
        elif kind == "act" and play.prompt.about["lap"] != 1:
            play.answer(dict.fromkeys(seats, "call"))
        else:
            play.answer(dict.fromkeys(seats, reply[kind]))
    assert sorted(actions) == list(range(1, 7))
    assert all(("raise", "call") in actions[turn] for turn in range(1, 6))
    assert set(actions[6]) == {("call",)}


def test_all_but_one_fold_and_the_last_takes_the_pot_without_showing() -> None:
    table = FutureTable(3, THREE)
    events = table.act("place 1 rock", "claim 1 paper", "act 2 fold", "discard 2 rock", "act 3 fold", "discard 3 paper")
    assert [event.kind for event in events[:5]] == ["claim", "folded", "folded", "pot taken", "score"]
    assert events[3].facts == {"seat": 1, "chips": 1}
    assert "revealed" not in {event.kind for event in table.play.events}
    assert table.score == ({"1": 10, "2": 10, "3": 9}, 1), "the blind of turn two, from seat 1"


def test_each_turn_costs_a_card_played_or_folded() -> None:
    table = FutureTable(2, ["rrrppp", "ssspps"])
    table.act("place 1 rock", "claim 1 rock", "act 2 fold", "discard 2 scissors")
    hands = {event.only: event.facts["cards"] for event in table.play.events if event.kind == "hand"}
    assert hands == {1: {"rock": 2, "paper": 3, "scissors": 0}, 2: {"rock": 0, "paper": 2, "scissors": 3}}


def test_a_player_places_only_what_they_hold() -> None:
    table = FutureTable(2, ["rrrppp", "ssspps"])
    assert table.allowed(1) == ["rock", "paper"]
    with pytest.raises(IllegalAnswerError, match="seat 1 may not answer 'scissors' to place"):
        table.play.answer({1: "scissors"})


def test_changed_card_returns_to_the_hand() -> None:
    table = FutureTable(2, ["rppppp", "rrrsss"])
    table.act(*TURN)
    assert table.allowed(1) == ["raise", "call"]
    table.act("act 1 raise", "bet 1 2")
    assert table.allowed(1) == ["paper"], "the only rock lies on the table"
    events = table.act("place 1 paper", "claim 1 scissors")
    assert events[-1].facts == {"seat": 1, "claim": "scissors", "changed": True}
    table.act("act 2 call", "act 1 raise", "bet 1 1")
    assert table.allowed(1) == ["rock", "paper"], "the rock came back, one of the papers lies on the table"
    table.act("place 1 rock", "claim 1 rock", "act 2 call", "act 1 call")
    hand = [event.facts["cards"] for event in table.play.events if event.kind == "hand" and event.only == 1][-1]
    assert hand == {"rock": 0, "paper": 5, "scissors": 0}


def test_the_lap_goes_on_until_all_have_called_since_the_last_change() -> None:
    table = FutureTable(3, THREE)
    table.act(*TURN, "act 3 bet", "bet 3 1", "place 3 paper", "claim 3 rock")
    table.act("act 1 call", "act 2 call", "act 3 raise", "bet 3 1", "place 3 rock", "claim 3 paper")
    events = table.act("act 1 call", "act 2 raise", "bet 2 1", "place 2 scissors", "claim 2 paper", "act 3 call")
    assert "revealed" not in {event.kind for event in events}
    events = table.act("act 1 call", "act 2 call")
    assert [event.kind for event in events[:3]] == ["called", "called", "revealed"]
    revealed = events[2].facts
    assert revealed["throws"] == {"1": "rock", "2": "scissors", "3": "rock"}
    assert revealed["claims"] == {"1": "rock", "2": "paper", "3": "paper"}


def sentences(events: list[GameEvent], kind: str) -> list[str]:
    """Return what is said about the events of a kind."""
    names = {1: "Ada", 2: "Ben", 3: "Cy"}
    return [str(line) for event in events if event.kind == kind for line in event_sentences(event, names)]


def test_a_bluff_is_named_and_cards_shown_in_order() -> None:
    table = FutureTable(3, THREE, beginner=2)
    table.act("place 2 rock", "claim 2 rock", "act 3 bet", "bet 3 1", "place 3 rock", "claim 3 paper", "act 1 bet")
    table.act("bet 1 1", "place 1 scissors", "claim 1 rock", "act 2 call", "act 3 call")
    events = table.act("act 1 call")
    revealed = next(event for event in events if event.kind == "revealed")
    assert list(revealed.facts["throws"]) == ["2", "3", "1"]  # type: ignore[arg-type]
    assert revealed.facts["bluffs"] == [3, 1]
    assert sentences(events, "revealed") == [
        "Ben played rock, as claimed.",
        "Cy bluffed: claimed paper, played rock.",
        "Ada bluffed: claimed rock, played scissors.",
    ]


def test_a_card_that_does_not_count_is_no_bluff() -> None:
    play = Play(FUTURE.set_up(2, {"cards": "table"}))
    play.answer({1: "rock", 2: "scissors"})
    for answer in ("down", "rock"):
        play.answer({1: answer})
    for value in ("bet", 1, "down", "paper"):
        play.answer({2: value})
    play.answer({1: "call"})
    play.answer({2: "call"})
    events = list(play.answer({1: None, 2: "rock"}))
    assert next(event.facts["bluffs"] for event in events if event.kind == "revealed") == [2]
    assert sentences(events, "revealed")[0] == "Ada claimed rock and shows no card that counts."


def test_the_throw_for_who_goes_first_has_its_own_words() -> None:
    play = Play(FUTURE.set_up(3))
    assert play.prompt and headline(play.prompt, "Future RPS") == "Who goes first"
    events = list(play.answer({1: "rock", 2: "rock", 3: "scissors"}))
    assert sentences(events, "first throw") == ["Ada and Ben throw again (Ada rock, Ben rock, Cy scissors)."]
    assert sentences(list(play.answer({1: "paper", 2: "rock"})), "first throw") == [
        "Ada goes first (Ada paper, Ben rock)."
    ]


def test_card_prompt_is_secret() -> None:
    table = FutureTable(2, ["rrrppp", "ssspps"])
    prompt = table.play.prompt
    assert prompt is not None
    held = prompt.seats[1]
    assert isinstance(held, CardChoices) and held.counts == {"rock": 3, "paper": 3, "scissors": 0}
    for viewer in (None, 2):
        seen = prompt.visible_to(viewer)
        assert seen.seats == {1: Choices(())}
        assert "rock" not in repr(replace(seen, own_facts={})) and seen.own_facts.keys() <= {viewer}


def test_folded_players_are_not_asked_again_and_show_nothing() -> None:
    table = FutureTable(3, THREE)
    table.act("place 1 rock", "claim 1 rock", "act 2 fold", "discard 2 paper")
    events = table.act("act 3 bet", "bet 3 1", "place 3 paper", "claim 3 rock", "act 1 call", "act 3 call")
    revealed = next(event for event in events if event.kind == "revealed")
    assert revealed.facts["throws"] == {"1": "rock", "3": "paper"}


def test_winners_share_the_pot_and_an_odd_chip_stays() -> None:
    table = FutureTable(3, THREE)
    table.act(*TURN, "act 3 bet", "bet 3 3", "place 3 scissors", "claim 3 rock")
    events = table.act("act 1 call", "act 2 call", "act 3 call")
    won = next(event for event in events if event.kind == "pot won")
    assert won.facts == {"seats": [1, 2], "each": 2, "stays": 1}
    assert table.score == ({"1": 11, "2": 11, "3": 6}, 2), "the odd chip, and the blind of seat 1"


@pytest.mark.parametrize("cards", [("rock", "rock", "rock"), ("rock", "paper", "scissors")])
def test_with_one_kind_or_three_nobody_wins_and_the_pot_stays(cards: tuple[str, str, str]) -> None:
    table = FutureTable(3, THREE)
    table.act(f"place 1 {cards[0]}", "claim 1 rock", "act 2 bet", "bet 2 2", f"place 2 {cards[1]}", "claim 2 rock")
    table.act("act 3 bet", "bet 3 3", f"place 3 {cards[2]}", "claim 3 rock", "act 1 call", "act 2 call")
    events = table.act("act 3 call")
    assert next(event for event in events if event.kind == "nobody wins").facts == {"pot": 6}
    assert next(event for event in events if event.kind == "turn").facts["pot"] == 6
    assert table.score == ({"1": 9, "2": 8, "3": 6}, 7)


def test_player_whose_last_chip_was_the_blind_can_only_fold() -> None:
    table = FutureTable(2, PAIR)
    table.act("place 1 rock", "claim 1 rock", "act 2 bet", "bet 2 8", "place 2 scissors", "claim 2 rock")
    table.act("act 1 call", "act 2 call")
    assert table.score == ({"1": 18, "2": 1}, 1), "turn two: seat 2 begins, seat 1 paid the blind"
    table.act("place 2 rock", "claim 2 rock", "act 1 bet", "bet 1 1", "place 1 rock", "claim 1 rock")
    table.act("act 2 call", "act 1 call")
    assert table.score == ({"1": 17, "2": 0}, 3), "turn three: seat 2 paid the blind with its last chip"
    table.act("place 1 paper", "claim 1 rock")
    assert table.allowed(2) == ["fold"]
    for act in ("bet", "call"):
        with pytest.raises(IllegalAnswerError):
            table.play.answer({2: act})
    table.act("act 2 fold", "discard 2 rock")
    assert table.play.result and table.play.result.as_json() == {
        "result": {"winners": [1], "scores": {"1": 20, "2": 0}, "draw": False, "pot": 0}
    }


def test_without_chips_only_call() -> None:
    table = FutureTable(2, PAIR)
    table.act("place 1 paper", "claim 1 rock", "act 2 bet", "bet 2 9", "place 2 rock", "claim 2 rock")
    table.act("act 1 raise", "bet 1 1", "place 1 paper", "claim 1 rock")
    assert table.allowed(2) == ["call"]
    table.act("act 2 call", "act 1 call")
    assert table.play.result
    assert (table.play.result.winners, table.play.result.scores) == ((1,), {1: 20, 2: 0})


def test_game_goes_on_if_the_last_chips_are_won_back() -> None:
    table = FutureTable(2, PAIR)
    table.act("place 1 rock", "claim 1 rock", "act 2 bet", "bet 2 9", "place 2 paper", "claim 2 rock")
    table.act("act 1 call", "act 2 call")
    assert table.play.result is None and table.score == ({"1": 9, "2": 10}, 1)


def test_everybody_without_chips_is_a_draw_and_the_pot_goes_to_nobody() -> None:
    table = FutureTable(2, PAIR)
    table.act("place 1 paper", "claim 1 rock", "act 2 bet", "bet 2 9", "place 2 rock", "claim 2 rock")
    table.act("act 1 raise", "bet 1 10", "place 1 rock", "claim 1 rock", "act 2 call", "act 1 call")
    assert table.play.result and table.play.result.as_json() == {
        "result": {"winners": [1, 2], "scores": {"1": 0, "2": 0}, "draw": True, "pot": 20}
    }


def test_the_sixth_turn_has_no_change_and_ends_the_game() -> None:
    table = FutureTable(2, PAIR)
    for number, card in enumerate(("rock", "rock", "paper", "paper", "scissors", "scissors"), 1):
        first, second = (1, 2) if number % 2 else (2, 1)
        table.act(f"place {first} {card}", f"claim {first} rock", f"act {second} bet", f"bet {second} 1")
        table.act(f"place {second} {card}", f"claim {second} rock")
        assert table.allowed(first) == (["raise", "call"] if number < 6 else ["call"])
        table.act(f"act {first} call", f"act {second} call")
    assert table.play.result and table.play.result.as_json() == {
        "result": {"winners": [1, 2], "scores": {"1": 4, "2": 4}, "draw": True, "pot": 12}
    }


def test_later_beginners_are_right_neighbours() -> None:
    table = FutureTable(3, THREE, beginner=2)
    for cards in ("rock", "rock", "paper", "paper"):
        order = acting_order([1, 2, 3], {1: 2, 2: 3, 3: 1, 4: 2}[_turn(table)], "right")
        table.act(f"place {order[0]} {cards}", f"claim {order[0]} rock")
        for seat in order[1:]:
            table.act(f"act {seat} fold", f"discard {seat} {cards}")
    orders = [event.facts["order"] for event in table.play.events if event.kind == "turn"]
    assert orders == [[2, 3, 1], [3, 1, 2], [1, 2, 3], [2, 3, 1], [3, 1, 2]]


def _turn(table: FutureTable) -> Any:
    return [event.facts["turn"] for event in table.play.events if event.kind == "turn"][-1]


@pytest.mark.parametrize(
    ("act", "wrong"),
    [
        (0, ["lizard", "blank", None, 1, True, ""]),
        (1, ["lizard", "none", None, 0, False, "Rock"]),
        (2, ["raise", "call", "check", None, 0]),
        (3, [0, -1, 10, 1.0, "1", True, None, 10**30, float("nan")]),
        (4, ["lizard", None, 0]),
        (5, ["lizard", None, 0]),
        (6, ["bet", "fold", None, 0]),
    ],
)
def test_illegal_answers_are_refused_and_change_nothing(act: int, wrong: list[Value]) -> None:
    table = FutureTable(2, PAIR)
    table.act(*TURN[:act])
    before = table.play.state()
    assert before.prompt
    (seat,) = before.prompt.seats
    refused: list[Answers] = [{seat: value} for value in wrong]
    for answers in [*refused, {}, {3 - seat: "rock"}, {1: "rock", 2: "rock"}, {9: "rock"}]:
        with pytest.raises(IllegalAnswerError):
            table.play.answer(answers)
        assert table.play.state() == before


def test_only_two_to_six_play() -> None:
    for seats in (0, 1, 7, 8):
        with pytest.raises(IllegalSetupError, match="future is for 2 to 6 players"):
            FUTURE.set_up(seats)


@pytest.mark.parametrize("shown", list(product([*Throw, None], repeat=3)))
def test_the_winning_kind(shown: tuple[Throw | None, ...]) -> None:
    """Compare with the rule: of two kinds the winning one; no throw loses to any."""
    usual = {frozenset("rp"): "p", frozenset("ps"): "s", frozenset("sr"): "r"}
    kinds = frozenset(throw[0] for throw in shown if throw)
    best = usual.get(kinds, next(iter(kinds)) if len(kinds) == 1 and None in shown else "")
    expected = [seat for seat, throw in enumerate(shown, 1) if throw and throw[0] == best]
    assert winning_seats(dict(enumerate(shown, 1))) == expected


def test_chips_are_neither_made_nor_lost() -> None:
    chips = Chips([1, 2])
    for wrong in (0, -1, 11):
        with pytest.raises(ValueError, match=f"seat 1 can't bet {wrong} of 10 chips"):
            chips.bet(1, wrong)
    chips.bet(1, 3)
    assert (chips.share([1, 2]), chips.held, chips.pot) == (1, {1: 8, 2: 11}, 1)


# Printed cards


def play_printed(*acts: Value) -> Play:
    """Play the first turn of two players with printed cards up to the reveal."""
    play = Play(FUTURE.set_up(2, {"cards": "table"}))
    events = play.answer({1: "rock", 2: "scissors"})
    assert events[1].as_json() == {"say": "deal", "of each": 5, "hand": 6}
    answers: list[Value] = ["down", "rock", "bet", 4, "down", "rock", *acts, "call", "call"]
    for answer in answers:
        assert play.prompt
        play.answer(dict.fromkeys(play.prompt.seats, answer))
    return play


@pytest.mark.parametrize(
    ("throws", "chips"),
    [
        (("rock", "paper"), {"1": 9, "2": 10}),  # the last score has the next blind, which seat 1 pays
        (("rock", None), {"1": 14, "2": 5}),
        ((None, None), {"1": 9, "2": 5}),
        (("rock", "rock"), {"1": 9, "2": 5}),
    ],
)
def test_printed_cards_are_read_at_the_reveal(throws: tuple[Value, Value], chips: dict[str, int]) -> None:
    play = play_printed()
    assert play.prompt and play.prompt.kind == "throw" and play.prompt.is_private and play.prompt.allows_no_answer
    events = play.answer(dict(enumerate(throws, 1)))
    assert events[0].facts["throws"] == {"1": throws[0], "2": throws[1]}
    assert [event.facts["scores"] for event in events if event.kind == "score"][-1] == chips


def test_changed_printed_card_counts_once() -> None:
    play = play_printed("raise", 1, "down", "paper")
    for _ in range(5):
        play.answer({1: "rock", 2: "rock"})
        while play.prompt and play.prompt.kind != "throw":
            ((seat, options),) = play.prompt.seats.items()
            play.answer({seat: options.values[-1] if isinstance(options, Choices) else options.start})
    assert play.prompt and play.prompt.about["turn"] == 6
    play.answer({1: "rock", 2: "rock"})
    assert play.result and play.result.details["pot"] == 20 - sum(play.result.scores.values())


# Whole games, counted independently


def random_answers(prompt: Prompt, dice: random.Random) -> dict[int, Value]:
    """Return random legal answers; low bets are more likely, so that games last."""
    answers: dict[int, Value] = {}
    for seat, options in prompt.seats.items():
        if isinstance(options, Choices):
            answers[seat] = None if prompt.allows_no_answer and dice.random() < 0.1 else dice.choice(options.values)
        else:
            most = (
                min(options.stop, options.start + 2) if prompt.kind == "bet" and dice.random() < 0.8 else options.stop
            )
            answers[seat] = dice.randint(options.start, most)
    return answers


def play_recorded(game: Game, seed: int) -> tuple[Play, list[tuple[str, int, Value]]]:
    """Play random answers to the end; return the game and the answers as (kind, seat, value)."""
    dice, play, answers_given = random.Random(seed), Play(game), []
    while play.prompt:
        kind, answers = play.prompt.kind, random_answers(play.prompt, dice)
        answers_given += [(kind, seat, value) for seat, value in answers.items()]
        play.answer(answers)
    return play, answers_given


def expected_chips(seats: int, answers_given: list[tuple[str, int, Value]]) -> tuple[list[int], int]:
    """Return everybody's chips and the pot at the end, from the answers alone."""
    stacks, pot = [0] + [10] * seats, 0
    turns: list[list[tuple[str, int, Value]]] = []
    for kind, seat, value in answers_given:
        if kind in ("throw", "draw"):
            continue
        if kind == "place" and (not turns or _over(turns[-1], seats)):
            turns.append([])
        turns[-1].append((kind, seat, value))
    for number, turn in enumerate(turns):
        beginner = turn[0][1]
        assert beginner == (turns[0][0][1] - 1 + number) % seats + 1, "to the right, whichever way action passes"
        blind = (beginner - 2) % seats + 1
        assert turn[0][0] == "place" and min(stacks[1:]) > 0
        stacks[blind] -= 1
        pot += 1
        for _, seat, chips in (act for act in turn if act[0] == "bet"):
            stacks[seat] -= int(chips or 0)
            pot += int(chips or 0)
        cards = {seat: str(card)[0] for kind, seat, card in turn if kind == "place"}
        order = {"rp": "p", "pr": "p", "ps": "s", "sp": "s", "sr": "r", "rs": "r"}
        best = order.get("".join(sorted(set(cards.values()))), "-")
        takers = list(cards) if len(cards) == 1 else [seat for seat, card in cards.items() if card == best]
        for seat in takers:
            stacks[seat] += pot // len(takers)
        pot = pot % len(takers) if takers else pot
    assert len(turns) == 6 or 0 in stacks[1:]
    return stacks[1:], pot


def _over(turn: list[tuple[str, int, Value]], seats: int) -> bool:
    """Whether all but one have folded, or all others have called in succession."""
    folded = {seat for kind, seat, _ in turn if kind == "discard"}
    words = [word for kind, _, word in turn if kind == "act"]
    still = seats - len(folded)
    return still == 1 or words[-still:] == ["call"] * still


@given(st.integers(2, 6), st.sampled_from(["right", "left"]), st.integers(0, 2**32))
@settings(deadline=None, max_examples=150)
def test_whole_games_agree_with_an_independent_count(seats: int, direction: str, seed: int) -> None:
    play, answers_given = play_recorded(FUTURE.set_up(seats, {"direction": direction}), seed)
    stacks, pot = expected_chips(seats, answers_given)
    assert play.result
    assert play.result.scores == dict(enumerate(stacks, 1))
    assert play.result.winners == tuple(seat for seat, chips in enumerate(stacks, 1) if chips == max(stacks))
    assert play.result.details == {"draw": stacks.count(max(stacks)) > 1, "pot": pot}


@given(st.integers(2, 6), st.sampled_from(["box", "table"]), st.integers(0, 2**32))
@settings(deadline=None)
def test_chips_are_conserved_and_never_negative(seats: int, cards: str, seed: int) -> None:
    play, _ = play_recorded(FUTURE.set_up(seats, {"cards": cards}), seed)
    scores = [event.as_json() for event in play.events if event.kind == "score"]
    for score in scores:
        stacks, pot = score["scores"], score["pot"]
        assert isinstance(stacks, dict) and isinstance(pot, int)
        assert sum(stacks.values()) + pot == 10 * seats
        assert min(stacks.values()) >= 0 <= pot
    assert len([event for event in play.events if event.kind == "turn"]) <= 6


@given(st.integers(2, 6), st.integers(0, 2**32))
@settings(deadline=None)
def test_only_dealt_cards_are_played(seats: int, seed: int) -> None:
    """Follow all hands from the draws and the cards played in each turn."""
    dice, play = random.Random(seed), Play(FUTURE.set_up(seats))
    pile = ["rock"] * (2 * seats + 1) + ["paper"] * (2 * seats + 1) + ["scissors"] * (2 * seats + 1)
    hands: dict[int, list[str]] = {seat: [] for seat in range(1, seats + 1)}
    down: dict[int, str] = {}
    turn = 0
    while prompt := play.prompt:
        if turn != (turn := len([event for event in play.events if event.kind == "turn"])):
            down.clear()
            assert {len(hand) for hand in hands.values()} == {7 - turn}
        answers = random_answers(prompt, dice)
        if prompt.kind == "draw":
            hands[int(str(prompt.about["seat"]))].append(pile.pop(int(answers[BOX] or 0)))
        if prompt.kind in ("place", "discard"):
            ((seat, card),) = answers.items()
            assert prompt.is_secret and prompt.seats[seat].as_json() == _kinds(hands[seat])
            hands[seat].remove(str(card))
            if prompt.kind == "place":
                hands[seat] += [down[seat]] if seat in down else []
                down[seat] = str(card)
        for event in play.answer(answers):
            if event.kind == "revealed":
                shown: Any = event.facts["throws"]
                assert len(shown) > 1 and shown == {seat: down[int(seat)] for seat in shown}
    assert len(pile) == 3, "three cards stay aside, unseen"


def _kinds(hand: list[str]) -> list[str]:
    return [kind for kind in ("rock", "paper", "scissors") if kind in hand]


@pytest.mark.parametrize(
    ("cards", "secret", "kinds"), [("box", True, {"rock", "paper", "scissors"}), ("table", False, {"down"})]
)
def test_only_cards_the_box_knows_are_chosen_in_secret(cards: str, secret: bool, kinds: set[str]) -> None:
    play = Play(FUTURE.set_up(2, {"cards": cards}))
    play.answer({1: "rock", 2: "scissors"})
    while play.prompt and play.prompt.kind == "draw":
        play.answer({0: 0})
    assert play.prompt and play.prompt.kind == "place" and play.prompt.is_secret is secret
    allowed = play.prompt.seats[1]
    assert isinstance(allowed, Choices) and set(map(str, allowed.values)) <= kinds
