"""RPS Redeux: the examples of the rule page, the pairs, and an independent count of every score."""

import random
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.catalogue import find_game
from rules.engine import (
    Choices,
    Game,
    GameEvent,
    IllegalAnswerError,
    IllegalSetupError,
    IntRange,
    Play,
    Prompt,
    Setup,
    Value,
)
from rules.events import Scores
from rules.parallel import GameStep
from rules.redeux.events import PairTie, RiskRoundsBegin, RoundWon
from rules.redeux.match import pair_up
from rules.redeux.risk_rounds import play_risk_rounds, seats_at_goal
from rules.redeux.table import ScoreCards
from rules.throws import BEATEN_BY, Throw

REDEUX = find_game("redeux")
Throws = dict[int, Value]

A_WINS_ROUND: dict[int, Value] = {1: "rock", 2: "scissors"}
B_WINS_ROUND: dict[int, Value] = {1: "rock", 2: "paper"}


def risk_rounds_from(points: tuple[int, int], **options: Value) -> tuple[ScoreCards, GameStep[int]]:
    """Start the Risk Rounds of seats 1 and 2 with these points."""
    cards = ScoreCards(range(1, 3), games=1)
    for seat, start in zip((1, 2), points, strict=True):
        cards.add_points(seat, start)
    setup = Setup(2, REDEUX.set_up(2, {"tied_bets": "stand", **options}).setup.options)
    return cards, play_risk_rounds((1, 2), cards, setup)


def run_to_prompt(script: GameStep[int], answers: dict[int, Value] | None) -> tuple[list[GameEvent], Prompt]:
    """Return the events after ``answers`` and the next prompt. Raises StopIteration at the end of the script."""
    events = []
    step = next(script) if answers is None else script.send(answers)
    while isinstance(step, GameEvent):
        events.append(step)
        step = next(script)
    return events, step


@pytest.mark.parametrize(
    ("before", "bets", "throws", "after"),
    [
        ((10, 5), (5, 0), ("rock", "scissors"), (20, 5)),
        ((10, 5), (5, 5), ("scissors", "rock"), (5, 15)),
        ((10, 5), (0, 5), ("paper", "rock"), (15, 0)),
        # not in the page's table
        ((10, 5), (0, 0), ("paper", "rock"), (15, 5)),
        ((10, 5), (10, 0), ("paper", "scissors"), (0, 10)),
        ((0, 5), (0, 5), ("rock", "scissors"), (5, 0)),
        ((0, 0), (0, 0), ("rock", "scissors"), (5, 0)),
    ],
)
def test_scores_of_the_rule_page_table(
    before: tuple[int, int], bets: tuple[int, int], throws: tuple[str, str], after: tuple[int, int]
) -> None:
    cards, script = risk_rounds_from(before)
    _, prompt = run_to_prompt(script, None)
    asked_to_bet = [seat for seat, points in zip((1, 2), before, strict=True) if points >= 5]
    if asked_to_bet:
        assert prompt.kind == "bet" and list(prompt.seats) == asked_to_bet
        assert [prompt.seats[seat] for seat in asked_to_bet] == [
            IntRange(0, before[seat - 1], 5) for seat in asked_to_bet
        ]
        _, prompt = run_to_prompt(script, {seat: bets[seat - 1] for seat in asked_to_bet})
    assert prompt.kind == "throw" and "bets" not in prompt.about
    assert prompt.about["round"] == {1: 1, 2: 1} and prompt.about["phase"] == "risk rounds"
    assert prompt.about["goal"] == 100 and prompt.about["points"] == {1: before[0], 2: before[1]}
    events, _ = run_to_prompt(script, {1: throws[0], 2: throws[1]})
    opened = [event.facts["bets"] for event in events if event.kind == "bets"]
    assert opened == ([{"1": bets[0], "2": bets[1]}] if asked_to_bet else [])
    assert (cards.points[1], cards.points[2]) == after
    assert events[-1].facts["scores"] == {"1": after[0], "2": after[1]}


def test_no_pair_throws_before_the_other_has_bet() -> None:
    play = Play(REDEUX.set_up(4, {"risk": "always", "tied_bets": "stand"}))
    for _ in range(3):
        play.answer({1: "rock", 2: "scissors", 3: "rock", 4: "scissors"})
    assert play.prompt and play.prompt.kind == "bet" and list(play.prompt.seats) == [1, 3]
    play.answer({1: 0, 3: 0})
    play.answer({1: "rock", 2: "rock", 3: "rock", 4: "scissors"})
    assert play.prompt.kind == "bet" and list(play.prompt.seats) == [3], "a tie: the first pair's bets stand"
    play.answer({3: 0})
    assert play.prompt.kind == "throw" and list(play.prompt.seats) == [1, 2, 3, 4]


def test_one_prompt_describes_the_ties_of_all_pairs() -> None:
    play = Play(REDEUX.set_up(4, {"risk": "never"}))
    play.answer({1: "rock", 2: "rock", 3: "paper", 4: "paper"})
    assert play.prompt and play.prompt.about["again"] == [1, 2, 3, 4]
    assert play.prompt.about["round"] == dict.fromkeys((1, 2, 3, 4), 1)
    assert play.prompt.about["phase"] == "primary game" and play.prompt.about["rounds"] == 3
    play.answer({1: "rock", 2: "paper", 3: "paper", 4: "paper"})
    assert play.prompt.about["again"] == [3, 4]
    assert play.prompt.about["round"] == {1: 2, 2: 2, 3: 1, 4: 1}


def test_tie_keeps_the_bets() -> None:
    cards, script = risk_rounds_from((10, 5))
    run_to_prompt(script, None)
    run_to_prompt(script, {1: 10, 2: 5})
    for tie in ("paper", "rock", "scissors"):
        events, prompt = run_to_prompt(script, {1: tie, 2: tie})
        assert [event.kind for event in events] == ["tie"]
        assert cards.points == {1: 10, 2: 5}
        assert prompt.kind == "throw" and "bets" not in prompt.about and prompt.about["again"] == [1, 2]
    events, _ = run_to_prompt(script, A_WINS_ROUND)
    assert events[0].facts["bets"] == {"1": 10, "2": 5}
    assert cards.points == {1: 30, 2: 0}


def test_tied_bets_option_asks_for_new_bets() -> None:
    _, script = risk_rounds_from((10, 5), tied_bets="ask")
    run_to_prompt(script, None)
    run_to_prompt(script, {1: 10, 2: 5})
    events, prompt = run_to_prompt(script, {1: "rock", 2: "rock"})
    assert [event.kind for event in events] == ["bets", "tie"] and events[0].facts["bets"] == {"1": 10, "2": 5}
    assert prompt.kind == "bet" and prompt.seats == {1: IntRange(0, 10, 5), 2: IntRange(0, 5, 5)}
    run_to_prompt(script, {1: 0, 2: 0})
    events, _ = run_to_prompt(script, A_WINS_ROUND)
    assert events[0].facts["bets"] == {"1": 0, "2": 0}


def test_reaching_the_goal_wins_at_once() -> None:
    cards, script = risk_rounds_from((95, 60))
    run_to_prompt(script, None)
    run_to_prompt(script, {1: 0, 2: 60})
    with pytest.raises(StopIteration) as end:
        run_to_prompt(script, B_WINS_ROUND)
    assert end.value.value == 2 and cards.points == {1: 95, 2: 180}


@pytest.mark.parametrize(
    ("points", "expected"), [((100, 95), [1]), ((95, 95), []), ((100, 180), [1, 2]), ((0, 105), [2])]
)
def test_seats_at_goal(points: tuple[int, int], expected: list[int]) -> None:
    cards, _ = risk_rounds_from(points)
    assert seats_at_goal((1, 2), cards, REDEUX.set_up(2).setup) == expected


def test_two_at_the_goal_play_on_until_a_decisive_round() -> None:
    cards, script = risk_rounds_from((100, 130))
    events, prompt = run_to_prompt(script, None)
    assert [event.kind for event in events] == ["play on"] and prompt.kind == "bet"
    run_to_prompt(script, {1: 0, 2: 0})
    run_to_prompt(script, {1: "rock", 2: "rock"})
    with pytest.raises(StopIteration) as end:
        run_to_prompt(script, A_WINS_ROUND)
    assert end.value.value == 1, "the winner of the decisive round wins, though the other has more points"
    assert cards.points == {1: 105, 2: 130}


def test_player_at_the_goal_before_the_risk_rounds_has_won() -> None:
    _, script = risk_rounds_from((15, 0), goal=15)
    with pytest.raises(StopIteration) as end:
        run_to_prompt(script, None)
    assert end.value.value == 1


@pytest.mark.parametrize("seats", range(2, 9))
def test_pairs_and_who_sits_out(seats: int) -> None:
    everybody = range(1, seats + 1)
    sat_out = []
    for number in range(1, seats + 1):
        pairs, out = pair_up(everybody, number)
        assert [seat for pair in pairs for seat in pair] == [seat for seat in everybody if seat != out], "seat order"
        sat_out.append(out)
    if seats % 2:
        assert sat_out == [seats, *range(1, seats)], "in turn, and over n games each once"
    else:
        assert sat_out == [None] * seats


@pytest.mark.parametrize(("seats", "games"), [(2, 1), (3, 3), (4, 1), (5, 5), (7, 7), (8, 1)])
def test_number_of_games_per_match(seats: int, games: int) -> None:
    play = play_random(REDEUX.set_up(seats, {"risk": "never"}), seed=seats)
    events = [event.facts for event in play.events if event.kind == "pairs"]
    assert [facts["game"] for facts in events] == list(range(1, games + 1))
    assert {facts["games"] for facts in events} == {games}


def test_tie_delays_only_its_own_pair() -> None:
    play = Play(REDEUX.set_up(4, {"risk": "never"}))
    play.answer({1: "rock", 2: "rock", 3: "rock", 4: "scissors"})
    assert play.prompt and set(play.prompt.seats) == {1, 2, 3, 4}
    assert play.prompt.about["round"] == {1: 1, 2: 1, 3: 2, 4: 2} and play.prompt.about["again"] == [1, 2]
    for _ in range(2):
        play.answer({1: "rock", 2: "rock", 3: "rock", 4: "scissors"})
    assert set(play.prompt.seats) == {1, 2}, "the pair that has finished drops out"


@pytest.mark.parametrize(
    ("answers", "going_on"),
    [
        (("yes", "yes", "yes", "yes"), [[1, 2], [3, 4]]),
        (("yes", "no", "yes", "yes"), [[3, 4]]),
        (("yes", "yes", "no", "no"), [[1, 2]]),
        (("no", "yes", "yes", "no"), None),
    ],
)
def test_both_players_of_a_pair_must_agree_to_risk_rounds(
    answers: tuple[str, ...], going_on: list[list[int]] | None
) -> None:
    play = Play(REDEUX.set_up(4))
    for _ in range(3):
        play.answer({1: "rock", 2: "scissors", 3: "rock", 4: "paper"})
    assert play.prompt and play.prompt.kind == "risk" and not play.prompt.is_private
    assert play.prompt.seats == dict.fromkeys((1, 2, 3, 4), Choices(("yes", "no")))
    events = play.answer(dict(zip((1, 2, 3, 4), answers, strict=True)))
    if going_on is None:
        assert play.result and play.result.winners == (1, 4) and not events
    else:
        assert events[0].kind == "risk rounds" and events[0].facts["pairs"] == going_on
        assert play.prompt.kind == "bet" and set(play.prompt.seats) <= {seat for pair in going_on for seat in pair}


@pytest.mark.parametrize("bets", ["sealed", "open"])
def test_hand_bets_are_sealed_and_time_out(bets: str) -> None:
    play = Play(REDEUX.set_up(2, {"risk": "always", "bets": bets}))
    for throws in (A_WINS_ROUND, A_WINS_ROUND, B_WINS_ROUND):
        play.answer(throws)
    assert play.prompt and play.prompt.kind == "bet"
    assert (play.prompt.is_private, play.prompt.opened_by, play.prompt.seconds) == (True, "bets", 20)
    assert play.answer({1: None, 2: 5}) == ()
    with pytest.raises(IllegalAnswerError, match="to throw"):
        play.answer({1: 5, 2: 0})
    events = play.answer(B_WINS_ROUND)
    assert [event.kind for event in events] == ["bets", "won", "score"]
    assert events[0].facts["bets"] == {"1": 0, "2": 5}


# An independent count from prompts and answers alone


def random_answers(prompt: Prompt, dice: random.Random) -> dict[int, Value]:
    answers: dict[int, Value] = {}
    for seat, options in prompt.seats.items():
        if isinstance(options, IntRange):
            answers[seat] = dice.randrange(0, options.stop + 1, 5)
        else:
            answers[seat] = (
                dice.choice((*options.values, None)) if prompt.allows_no_answer else dice.choice(options.values)
            )
    return answers


def play_random(game: Game, seed: int) -> Play:
    dice, play = random.Random(seed), Play(game)
    while play.prompt:
        play.answer(random_answers(play.prompt, dice))
    return play


def score_changes(throws: Throws, bets: dict[int, int], risk: bool, pair: tuple[int, int]) -> dict[int, int]:
    """Return the points a pair's throws add to their score cards."""
    one, other = pair
    a, b = throws[one], throws[other]
    if a == b:
        return {}
    a_wins = b is None or (a is not None and BEATEN_BY[Throw(str(b))] == a)
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
def test_scores_agree_with_an_independent_count(seats: int, goal: int, tied: str, risk: str, seed: int) -> None:
    play = Play(REDEUX.set_up(seats, {"goal": goal, "tied_bets": tied, "risk": risk}))
    dice = random.Random(seed)
    total, held = dict.fromkeys(range(1, seats + 1), 0), dict.fromkeys(range(1, seats + 1), 0)
    bets: dict[int, int] = {}
    games = 1
    while prompt := play.prompt:
        answers = random_answers(prompt, dice)
        risky = prompt.about.get("phase") == "risk rounds"
        if prompt.kind == "bet":
            assert all(options == IntRange(0, held[seat], 5) for seat, options in prompt.seats.items())
            assert all(held[seat] >= 5 for seat in prompt.seats)
            bets |= {seat: int(bet or 0) for seat, bet in answers.items()}
        events = play.answer(answers)
        if prompt.kind == "throw":
            playing = list(prompt.seats)
            for pair in zip(playing[::2], playing[1::2], strict=True):
                change = score_changes(answers, bets, risky, pair)
                for seat, points in change.items():
                    held[seat] += points
                    total[seat] += points
                if change or tied == "ask":
                    bets |= dict.fromkeys(pair, 0)
            assert min(held.values()) >= 0
        scores = [event.facts["scores"] for event in events if event.kind == "score"]
        if scores:
            assert scores[-1] == {str(seat): points for seat, points in total.items()}
        if any(event.kind == "pairs" for event in events):
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
def test_primary_game_gives_each_pair_15_points_and_the_piles_agree(seed: int, seats: int) -> None:
    play = play_random(REDEUX.set_up(seats, {"risk": "never"}), seed)
    assert play.result
    piles: dict[str, object] = {}
    for event in play.events:
        if event.kind == "pile":
            cards = event.facts["cards"]
            assert isinstance(cards, Mapping)
            piles |= cards
    for one in range(1, seats, 2):
        assert play.result.scores[one] + play.result.scores[one + 1] == 15
    assert piles == {str(seat): points // 5 * 2 for seat, points in play.result.scores.items()}
    assert set(play.result.winners) == {seat for seat, points in play.result.scores.items() if points >= 10}


def test_a_tied_risk_round_is_done_again_with_new_bets() -> None:
    """ "Re-do the round" (redeux.txt, Risk Rounds): by default its bets are made anew too."""
    play = Play(REDEUX.set_up(2, {"risk": "always"}))
    for _ in range(3):
        play.answer({1: "rock", 2: "scissors"})
    assert play.prompt is not None and play.prompt.kind == "bet"
    play.answer({1: 10})
    tie = next(event for event in play.answer({1: "rock", 2: "rock"}) if isinstance(event, PairTie))
    assert tie.bets == "ask" and play.prompt is not None and play.prompt.kind == "bet"
    play.answer({1: 5})
    play.answer({1: "rock", 2: "scissors"})
    assert [event.scores for event in play.events if isinstance(event, Scores)][-1] == {1: 25, 2: 0}


@pytest.mark.parametrize("play_with", ["hands", "cards"])
def test_starting_points_lead_straight_to_the_bets(play_with: str) -> None:
    play = Play(REDEUX.set_up(4, {"starting_points": 20, "goal": 40, "play_with": play_with}))
    begun = next(event for event in play.events if isinstance(event, RiskRoundsBegin))
    assert (begun.pairs, begun.starting_points) == (((1, 2), (3, 4)), 20)
    scores = [event.scores for event in play.events if isinstance(event, Scores)]
    assert scores == [dict.fromkeys(range(1, 5), 20)]
    while play.prompt is not None and play.prompt.kind != "bet":
        play.answer({seat: allowed_value(play.prompt, seat) for seat in play.prompt.seats})
    assert play.prompt is not None and play.prompt.seats == dict.fromkeys(range(1, 5), IntRange(0, 20, 5))
    kinds = {event.kind for event in play.events}
    assert "won" not in kinds and "pair won" not in kinds


def test_starting_points_are_given_for_every_game_once() -> None:
    play = play_random(REDEUX.set_up(3, {"starting_points": 10, "goal": 20}), seed=5)
    begun = [event for event in play.events if isinstance(event, RiskRoundsBegin)]
    assert [event.pairs for event in begun] == [((1, 2),), ((2, 3),), ((1, 3),)]
    won = sum(event.points - (event.lost or 0) for event in play.events if isinstance(event, RoundWon))
    assert play.result and sum(play.result.scores.values()) == 3 * 2 * 10 + won


@pytest.mark.parametrize("options", [{"risk": "never"}, {"goal": 20}, {"goal": 15}])
def test_starting_points_without_a_risk_round_is_refused(options: dict[str, Value]) -> None:
    assert REDEUX.set_up(2, {"starting_points": 15, "goal": 20})
    with pytest.raises(IllegalSetupError):
        REDEUX.set_up(2, {"starting_points": 20, **options})


def allowed_value(prompt: Prompt, seat: int) -> Value:
    allowed = prompt.seats[seat]
    return allowed.values[0] if isinstance(allowed, Choices) else 0
