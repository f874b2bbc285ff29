"""Simulated players: the same seed always plays the same, nobody asks for what is not allowed, and one is caught."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.simulated.table.camera import SimulatedTable
from device.system.clock import SimulatedClock
from rules.engine import Choices, IntRange, Prompt
from rules.throws import BEATEN_BY
from throwlock.simulation.players import SimulatedPlayers
from throwlock.simulation.scripted_fouls import LATE_BY_MS, SCENARIOS, parse_scenarios, plan_disturbance
from throwlock.tables.camera_table import GET_READY_NS
from ui.screen.pages.common import Player

BET = Prompt("bet", {1: IntRange(0, 40, 5), 2: Choices(("yes", "no"))})
PLAYERS = (Player(1, "Ada"), Player(2, "Bo"))
seeds = st.integers(0, 10_000)


@given(seeds, st.integers(0, 50))
def test_same_seed_same_plans(seed: int, number: int) -> None:
    one, two = SimulatedPlayers(seed, cheat_throw=3), SimulatedPlayers(seed, cheat_throw=3)
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
    plans = SimulatedPlayers(seed, cheat_throw=2).plans((1, 4), 2)
    assert plans[4].throw is BEATEN_BY[plans[1].throw]
    assert plans[4].after_ms == plans[1].after_ms + LATE_BY_MS


@given(seeds, st.integers(0, 30))
def test_without_a_cheat_everybody_is_honest(seed: int, number: int) -> None:
    for plan in SimulatedPlayers(seed).plans((1, 2, 3), number).values():
        assert abs(plan.after_ms) <= 60
        assert not (plan.changes_to or plan.hidden or plan.half_open)


def test_scenarios_come_in_order_and_then_all_are_honest() -> None:
    shows = tuple(SCENARIOS)
    players = SimulatedPlayers(5, cheat_throw=1, scenarios=shows)
    assert [players.scenario_at(number) for number in range(len(shows) + 3)] == [None, *shows, None, None]
    honest = SimulatedPlayers(5)
    differ = [number for number in range(40) if players.plans((1, 2), number) != honest.plans((1, 2), number)]
    assert [players.scenario_at(number) for number in differ] == ["late", "early", "changed", "half-open", "hidden"]
    late, early, changed, half_open, hidden = (players.plans((1, 2), number)[2] for number in differ)
    assert late.after_ms > 250
    assert early.after_ms < -250
    assert changed.changes_to is BEATEN_BY[changed.throw]
    assert half_open.half_open
    assert hidden.hidden


@pytest.mark.parametrize("kind", SCENARIOS)
@pytest.mark.parametrize("beat_ms", [300, 2000])
def test_each_scenario_is_over_before_the_next_count(kind: str, beat_ms: int) -> None:
    clock = SimulatedClock()
    table = SimulatedTable(clock, 3, cloth="plain")
    lines: list[str] = []
    players = SimulatedPlayers(1, table, scenarios=(kind,), announce=lines.append)
    for number in range(3):
        cue_ns = clock.now_ns() + GET_READY_NS + 3 * beat_ms * 1_000_000
        players.on_count((1, 3), cue_ns, beat_ms * 1_000_000, number)
        clock.wait_until(cue_ns + 3_000_000_000)
    assert lines == [f"Scenario {kind}: {SCENARIOS[kind]}."]
    wrong = plan_disturbance(kind, (1, 3), cue_ns, beat_ms * 1_000_000, 1)
    assert len(table.disturbances) == (wrong is not None)
    if wrong is not None:
        assert wrong.kind == kind.replace("-", " ")
        assert wrong.end_ns < cue_ns + 2_500_000_000


def test_scenario_names_are_parsed() -> None:
    assert parse_scenarios(["late", "gap"]) == ("late", "gap")
    assert parse_scenarios(["all"]) == tuple(SCENARIOS)
    with pytest.raises(
        ValueError, match="no scenario 'sneeze': choose from late, early, changed, half-open, hidden, two-hands"
    ):
        parse_scenarios(["late", "sneeze"])
