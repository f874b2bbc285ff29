"""Who won, lost or tied, and which throw beat which, by what games say."""

import random

import pytest

from rules.battle.events import RoundPlayed, SecondLook
from rules.catalogue import GAMES
from rules.engine import Choices, GameEvent, Play
from rules.events import KnockedOut, Scores, Tie, Won
from rules.future.events import PotWon, Revealed
from rules.record.round import beaten_pairs, game_outcomes
from rules.throws import Outcome, Throw
from rules.tr.events import Thrown

ROCK_AND_PAPER = {1: Throw.ROCK, 2: Throw.PAPER}
SECOND_WINS = {1: Outcome.LOST, 2: Outcome.WON}


@pytest.mark.parametrize(
    ("event", "outcomes"),
    [
        (Won(2, ROCK_AND_PAPER), SECOND_WINS),
        (Tie({1: Throw.ROCK, 2: Throw.ROCK}), {1: Outcome.TIED, 2: Outcome.TIED}),
        (KnockedOut([1], [2], ROCK_AND_PAPER), SECOND_WINS),
        (Thrown("throws", 1, 3, Outcome.LOST, ROCK_AND_PAPER), SECOND_WINS),
        (SecondLook([3], ROCK_AND_PAPER), {}),
        (Scores({1: 1}), {}),
    ],
)
def test_outcomes_follow_from_one_event(event: GameEvent, outcomes: dict[int, Outcome]) -> None:
    assert game_outcomes([event]) == outcomes
    assert beaten_pairs([event]) == (((Throw.PAPER, Throw.ROCK),) if Outcome.WON in outcomes.values() else ())


def test_the_pot_follows_from_the_throws_revealed_before() -> None:
    revealed = Revealed({1: Throw.ROCK, 2: Throw.PAPER, 3: Throw.ROCK}, (), {})
    won = PotWon([2], 9, 0)
    assert game_outcomes([revealed, won]) == {1: Outcome.LOST, 2: Outcome.WON, 3: Outcome.LOST}
    assert beaten_pairs([revealed, won]) == ((Throw.PAPER, Throw.ROCK),)
    assert game_outcomes([revealed]) == {}


def test_beaten_pairs_follow_the_table_of_a_round() -> None:
    throws = {1: Throw.ROCK, 2: Throw.PAPER, 3: Throw.PAPER}
    table = {"rock-paper": "rock", "paper-scissors": "tie", "scissors-rock": "scissors"}
    outcomes = {1: Outcome.WON, 2: Outcome.LOST, 3: Outcome.LOST}
    event = RoundPlayed(1, ["inverted"], throws, {}, table, {}, {}, {}, outcomes)
    assert game_outcomes([event]) == outcomes
    assert beaten_pairs([event]) == ((Throw.ROCK, Throw.PAPER),), "inverted, and only for throws that were thrown"


@pytest.mark.parametrize("name", GAMES)
def test_no_throw_beats_itself(name: str) -> None:
    rules, rng = GAMES[name], random.Random(1)
    play = Play(rules.set_up(min(5, rules.max_players)))
    for _ in range(80):
        if play.prompt is None:
            break
        choices = {
            seat: allowed.values if isinstance(allowed, Choices) else range(allowed.start, allowed.stop, allowed.step)
            for seat, allowed in play.prompt.seats.items()
        }
        events = play.answer({seat: rng.choice(values) if values else 0 for seat, values in choices.items()})
        for event in events:
            outcomes = game_outcomes([event])
            assert all(winner is not loser for winner, loser in beaten_pairs([event]))
            assert (Outcome.WON in outcomes.values()) == (Outcome.LOST in outcomes.values())
