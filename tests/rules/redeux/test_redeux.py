"""RPS Redeux beside its rule page: the page's examples, who plays whom, and a second reckoning of every score."""

import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.catalogue import find
from rules.engine import Ask, Choices, Game, IllegalAnswerError, Play, Say, Setup, Span, Value
from rules.redeux.match import paired
from rules.redeux.risk_rounds import at_goal, risk_rounds
from rules.redeux.table import ScoreCards
from rules.throws import BEATEN_BY

REDEUX = find("redeux")
Throws = dict[int, Value]

A_WINS_ROUND = {1: "rock", 2: "scissors"}
B_WINS_ROUND = {1: "rock", 2: "paper"}


def risk_rounds_from(points: tuple[int, int], **options: Value) -> tuple[ScoreCards, Iterator[Ask | Say]]:
    """The Risk Rounds of seats 1 and 2, begun with ``points``."""
    cards = ScoreCards(range(1, 3), games=1)
    for seat, start in zip((1, 2), points, strict=True):
        cards.score(seat, start)
    setup = Setup(2, REDEUX.set_up(2, options).setup.options)
    return cards, risk_rounds((1, 2), cards, setup)


def until_asked(script: Iterator[Ask | Say], answers: dict[int, Value] | None) -> tuple[list[Say], Ask]:
    """What the script says to ``answers``, and what it asks next. StopIteration at its end."""
    said = []
    step = next(script) if answers is None else script.send(answers)
    while isinstance(step, Say):
        said.append(step)
        step = next(script)
    return said, step


@pytest.mark.parametrize(
    ("before", "bets", "throws", "after"),
    [
        ((10, 5), (5, 0), ("rock", "scissors"), (20, 5)),
        ((10, 5), (5, 5), ("scissors", "rock"), (5, 15)),
        ((10, 5), (0, 5), ("paper", "rock"), (15, 0)),
        # beyond the page's table
        ((10, 5), (0, 0), ("paper", "rock"), (15, 5)),
        ((10, 5), (10, 0), ("paper", "scissors"), (0, 10)),
        ((0, 5), (0, 5), ("rock", "scissors"), (5, 0)),
        ((0, 0), (0, 0), ("rock", "scissors"), (5, 0)),
    ],
)
def test_the_page_s_table(
    before: tuple[int, int], bets: tuple[int, int], throws: tuple[str, str], after: tuple[int, int]
) -> None:
    cards, script = risk_rounds_from(before)
    _, ask = until_asked(script, None)
    asked_to_bet = [seat for seat, points in zip((1, 2), before, strict=True) if points >= 5]
    if asked_to_bet:
        assert ask.kind == "bet" and list(ask.seats) == asked_to_bet
        assert [ask.seats[seat] for seat in asked_to_bet] == [Span(0, before[seat - 1], 5) for seat in asked_to_bet]
        _, ask = until_asked(script, {seat: bets[seat - 1] for seat in asked_to_bet})
    assert ask.kind == "throw"
    assert ask.about["bets"] == {"1": bets[0], "2": bets[1]}
    said, _ = until_asked(script, {1: throws[0], 2: throws[1]})
    assert (cards.points[1], cards.points[2]) == after
    assert said[-1].facts["scores"] == {"1": after[0], "2": after[1]}


def test_the_page_s_tie_keeps_the_bets() -> None:
    cards, script = risk_rounds_from((10, 5))
    until_asked(script, None)
    until_asked(script, {1: 10, 2: 5})
    for tie in ("paper", "rock", "scissors"):
        said, ask = until_asked(script, {1: tie, 2: tie})
        assert [say.kind for say in said] == ["tie"]
        assert cards.points == {1: 10, 2: 5}
        assert ask.kind == "throw" and ask.about["bets"] == {"1": 10, "2": 5} and ask.about["again"] == [1, 2]
    until_asked(script, A_WINS_ROUND)
    assert cards.points == {1: 30, 2: 0}


def test_a_tie_asks_the_bets_again_where_the_house_says_so() -> None:
    _, script = risk_rounds_from((10, 5), tied_bets="ask")
    until_asked(script, None)
    until_asked(script, {1: 10, 2: 5})
    _, ask = until_asked(script, {1: "rock", 2: "rock"})
    assert ask.kind == "bet" and ask.seats == {1: Span(0, 10, 5), 2: Span(0, 5, 5)}
    _, ask = until_asked(script, {1: 0, 2: 0})
    assert ask.about["bets"] == {"1": 0, "2": 0}


def test_the_page_s_last_example_wins_at_once() -> None:
    cards, script = risk_rounds_from((95, 60))
    until_asked(script, None)
    until_asked(script, {1: 0, 2: 60})
    with pytest.raises(StopIteration) as end:
        until_asked(script, B_WINS_ROUND)
    assert end.value.value == 2 and cards.points == {1: 95, 2: 180}


@pytest.mark.parametrize(("points", "there"), [((100, 95), [1]), ((95, 95), []), ((100, 180), [1, 2]), ((0, 105), [2])])
def test_who_is_at_the_goal(points: tuple[int, int], there: list[int]) -> None:
    cards, _ = risk_rounds_from(points)
    assert at_goal((1, 2), cards, REDEUX.set_up(2).setup) == there


def test_two_at_the_goal_play_on_until_a_decisive_round() -> None:
    cards, script = risk_rounds_from((100, 130))
    said, ask = until_asked(script, None)
    assert [say.kind for say in said] == ["play on"] and ask.kind == "bet"
    until_asked(script, {1: 0, 2: 0})
    until_asked(script, {1: "rock", 2: "rock"})
    with pytest.raises(StopIteration) as end:
        until_asked(script, A_WINS_ROUND)
    assert end.value.value == 1, "who wins the decisive round wins, though the other has more points"
    assert cards.points == {1: 105, 2: 130}


def test_one_at_the_goal_when_the_risk_rounds_begin_has_won() -> None:
    _, script = risk_rounds_from((15, 0), goal=15)
    with pytest.raises(StopIteration) as end:
        until_asked(script, None)
    assert end.value.value == 1


@pytest.mark.parametrize("seats", range(2, 9))
def test_who_plays_whom(seats: int) -> None:
    everybody = range(1, seats + 1)
    sat_out = []
    for number in range(1, seats + 1):
        pairs, out = paired(everybody, number)
        assert [seat for pair in pairs for seat in pair] == [seat for seat in everybody if seat != out], "seat order"
        sat_out.append(out)
    if seats % 2:
        assert sat_out == [seats, *range(1, seats)], "in turn, and over n games each once"
    else:
        assert sat_out == [None] * seats


@pytest.mark.parametrize(("seats", "games"), [(2, 1), (3, 3), (4, 1), (5, 5), (7, 7), (8, 1)])
def test_how_many_games_a_match_has(seats: int, games: int) -> None:
    play = played(REDEUX.set_up(seats, {"risk": "never"}), seed=seats)
    said = [say.facts for say in play.said if say.kind == "pairs"]
    assert [facts["game"] for facts in said] == list(range(1, games + 1))
    assert {facts["games"] for facts in said} == {games}


def test_a_round_s_tie_holds_up_only_its_own_pair() -> None:
    play = Play(REDEUX.set_up(4, {"risk": "never"}))
    play.answer({1: "rock", 2: "rock", 3: "rock", 4: "scissors"})
    assert play.asked and set(play.asked.seats) == {1, 2, 3, 4}
    assert play.asked.about["round"] == {"1": 1, "2": 1, "3": 2, "4": 2} and play.asked.about["again"] == [1, 2]
    for _ in range(2):
        play.answer({1: "rock", 2: "rock", 3: "rock", 4: "scissors"})
    assert set(play.asked.seats) == {1, 2}, "the pair that has finished drops out"


@pytest.mark.parametrize(
    ("answers", "going_on"),
    [
        (("yes", "yes", "yes", "yes"), [[1, 2], [3, 4]]),
        (("yes", "no", "yes", "yes"), [[3, 4]]),
        (("yes", "yes", "no", "no"), [[1, 2]]),
        (("no", "yes", "yes", "no"), None),
    ],
)
def test_both_of_a_pair_must_want_the_risk_rounds(answers: tuple[str, ...], going_on: list[list[int]] | None) -> None:
    play = Play(REDEUX.set_up(4))
    for _ in range(3):
        play.answer({1: "rock", 2: "scissors", 3: "rock", 4: "paper"})
    assert play.asked and play.asked.kind == "risk" and not play.asked.sealed
    assert play.asked.seats == dict.fromkeys((1, 2, 3, 4), Choices(("yes", "no")))
    news = play.answer(dict(zip((1, 2, 3, 4), answers, strict=True)))
    if going_on is None:
        assert play.result and play.result.winners == (1, 4) and not news
    else:
        assert news[0].kind == "risk rounds" and news[0].facts["pairs"] == going_on
        assert play.asked.kind == "bet" and set(play.asked.seats) <= {seat for pair in going_on for seat in pair}


@pytest.mark.parametrize("bets", ["sealed", "open"])
def test_bets_are_sealed_unless_the_house_says_open_and_time_out_to_none(bets: str) -> None:
    play = Play(REDEUX.set_up(2, {"risk": "always", "bets": bets}))
    for throws in (A_WINS_ROUND, A_WINS_ROUND, B_WINS_ROUND):
        play.answer(throws)
    assert play.asked and play.asked.kind == "bet"
    assert (play.asked.sealed, play.asked.seconds) == (bets == "sealed", 20)
    news = play.answer({1: None, 2: 5})
    assert news[0].facts["bets"] == {"1": 0, "2": 5}
    with pytest.raises(IllegalAnswerError, match="to throw"):
        play.answer({1: 5, 2: 0})


# A second reckoning, which knows only what was asked and answered.


def legal(ask: Ask, dice: random.Random) -> dict[int, Value]:
    answers: dict[int, Value] = {}
    for seat, options in ask.seats.items():
        if isinstance(options, Span):
            answers[seat] = dice.randrange(0, options.stop + 1, 5)
        else:
            answers[seat] = dice.choice((*options.values, None)) if ask.no_answer else dice.choice(options.values)
    return answers


def played(game: Game, seed: int) -> Play:
    dice, play = random.Random(seed), Play(game)
    while play.asked:
        play.answer(legal(play.asked, dice))
    return play


def reckoned(throws: Throws, bets: dict[int, int], risk: bool, pair: tuple[int, int]) -> dict[int, int]:
    """What a pair's throws change on their score cards."""
    one, other = pair
    a, b = throws[one], throws[other]
    if a == b:
        return {}
    a_wins = b is None or (a is not None and BEATEN_BY[b] == a)
    winner, loser = pair if a_wins else (other, one)
    if not risk:
        return {winner: 5}
    won = 2 * bets.get(winner, 0) if bets.get(winner, 0) else 5
    return {winner: won, loser: -bets.get(loser, 0)}


@given(
    seats=st.integers(2, 8),
    goal=st.integers(1, 40).map(lambda n: 5 * n),
    tied=st.sampled_from(("stand", "ask")),
    risk=st.sampled_from(("ask", "always", "never")),
    seed=st.integers(0, 2**32),
)
@settings(deadline=None)
def test_every_score_agrees_with_a_second_reckoning(seats: int, goal: int, tied: str, risk: str, seed: int) -> None:
    play = Play(REDEUX.set_up(seats, {"goal": goal, "tied_bets": tied, "risk": risk}))
    dice = random.Random(seed)
    total, held, bets = dict.fromkeys(range(1, seats + 1), 0), dict.fromkeys(range(1, seats + 1), 0), {}
    games = 1
    while ask := play.asked:
        answers = legal(ask, dice)
        risky = ask.about.get("phase") == "risk rounds"
        if ask.kind == "bet":
            assert all(options == Span(0, held[seat], 5) for seat, options in ask.seats.items())
            assert all(held[seat] >= 5 for seat in ask.seats)
            bets |= {seat: int(bet or 0) for seat, bet in answers.items()}
        news = play.answer(answers)
        if ask.kind == "throw":
            playing = list(ask.seats)
            for pair in zip(playing[::2], playing[1::2], strict=True):
                change = reckoned(answers, bets, risky, pair)
                for seat, points in change.items():
                    held[seat] += points
                    total[seat] += points
                if change or tied == "ask":
                    bets |= dict.fromkeys(pair, 0)
            assert min(held.values()) >= 0
        scores = [say.facts["scores"] for say in news if say.kind == "score"]
        if scores:
            assert scores[-1] == {str(seat): points for seat, points in total.items()}
        if any(say.kind == "pairs" for say in news):
            games += 1
            held = dict.fromkeys(held, 0)
    assert play.result and dict(play.result.scores) == total
    assert games == (seats if seats % 2 else 1)
    if games > 1:
        assert set(play.result.winners) == {seat for seat in total if total[seat] == max(total.values())}
    else:
        assert len(play.result.winners) == seats // 2
        assert [(winner - 1) // 2 for winner in play.result.winners] == list(range(seats // 2)), "one of each pair"


@given(seed=st.integers(0, 2**32), seats=st.sampled_from((2, 4, 6, 8)))
@settings(deadline=None)
def test_a_primary_game_is_15_points_a_pair_and_the_piles_agree(seed: int, seats: int) -> None:
    play = played(REDEUX.set_up(seats, {"risk": "never"}), seed)
    assert play.result
    piles: dict[str, int] = {}
    for say in play.said:
        if say.kind == "pile":
            piles |= say.facts["cards"]
    for one in range(1, seats, 2):
        assert play.result.scores[one] + play.result.scores[one + 1] == 15
    assert piles == {str(seat): points // 5 * 2 for seat, points in play.result.scores.items()}
    assert set(play.result.winners) == {seat for seat, points in play.result.scores.items() if points >= 10}
