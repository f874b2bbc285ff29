"""Simulated players: the same seed always plays the same, nobody asks for what is not allowed, and one is caught."""

from hypothesis import given
from hypothesis import strategies as st

from referee.players import SimulatedPlayers
from rules.script import Ask, Choices, Span
from rules.throws import BEATEN_BY
from ui.screen.views import Player

BET = Ask("bet", {1: Span(0, 40, 5), 2: Choices(("yes", "no"))})
PLAYERS = (Player(1, "Ada"), Player(2, "Bo"))
seeds = st.integers(0, 10_000)


@given(seeds, st.integers(0, 50))
def test_the_same_seed_plays_the_same(seed: int, number: int) -> None:
    one, two = SimulatedPlayers(seed, cheats_at=3), SimulatedPlayers(seed, cheats_at=3)
    two.throws = 17  # a match that was cut off and goes on
    assert one.plans((1, 2), number) == two.plans((1, 2), number)
    assert one.answer(BET, PLAYERS, number) == two.answer(BET, PLAYERS, number)


@given(seeds, st.integers(0, 50))
def test_a_seats_plan_is_its_own(seed: int, number: int) -> None:
    players = SimulatedPlayers(seed)
    assert players.plans((1, 2, 3), number)[2] == players.plans((2, 4), number)[2]


def test_seeds_and_throws_differ() -> None:
    plans = {repr(SimulatedPlayers(seed).plans((1, 2), number)) for seed in range(5) for number in range(5)}
    assert len(plans) == 25


@given(seeds, st.integers(0, 50))
def test_answers_are_allowed(seed: int, key: int) -> None:
    answers = SimulatedPlayers(seed).answer(BET, PLAYERS, key)
    assert BET.check(answers) == answers


@given(seeds)
def test_the_cheat_waits_and_shows_what_beats_the_first(seed: int) -> None:
    plans = SimulatedPlayers(seed, cheats_at=2).plans((1, 4), 2)
    assert plans[4].throw is BEATEN_BY[plans[1].throw]
    assert plans[4].after_ms == plans[1].after_ms + SimulatedPlayers.LATE_MS


@given(seeds, st.integers(0, 30))
def test_without_a_cheat_everybody_is_honest(seed: int, number: int) -> None:
    for plan in SimulatedPlayers(seed).plans((1, 2, 3), number).values():
        assert abs(plan.after_ms) <= 60
        assert not (plan.then or plan.hidden or plan.half_open)
