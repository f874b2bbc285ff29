"""Simulated players: the same seed always plays the same, nobody asks for what is not allowed, and one is caught."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.simulated.table.table import SimulatedTable
from device.system.clock import JumpingClock
from rules.engine import Ask, Choices, Span
from rules.throws import BEATEN_BY
from throwlock.simulation.players import SimulatedPlayers
from throwlock.simulation.scripted_fouls import LATE_MS, SHOWN, disturbance, read_shown
from throwlock.tables.hands import GET_READY_NS
from ui.screen.pages.views import Player

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
    assert plans[4].after_ms == plans[1].after_ms + LATE_MS


@given(seeds, st.integers(0, 30))
def test_without_a_cheat_everybody_is_honest(seed: int, number: int) -> None:
    for plan in SimulatedPlayers(seed).plans((1, 2, 3), number).values():
        assert abs(plan.after_ms) <= 60
        assert not (plan.then or plan.hidden or plan.half_open)


def test_what_is_shown_comes_one_after_the_other_and_then_all_are_honest() -> None:
    shows = tuple(SHOWN)
    players = SimulatedPlayers(5, cheats_at=1, shows=shows)
    assert [players.shown(number) for number in range(len(shows) + 3)] == [None, *shows, None, None]
    honest = SimulatedPlayers(5)
    differ = [number for number in range(40) if players.plans((1, 2), number) != honest.plans((1, 2), number)]
    assert [players.shown(number) for number in differ] == ["late", "early", "changed", "half-open", "hidden"]
    late, early, changed, half_open, hidden = (players.plans((1, 2), number)[2] for number in differ)
    assert late.after_ms > 250
    assert early.after_ms < -250
    assert changed.then is BEATEN_BY[changed.throw]
    assert half_open.half_open
    assert hidden.hidden


@pytest.mark.parametrize("kind", SHOWN)
@pytest.mark.parametrize("beat_ms", [300, 2000])
def test_each_can_be_shown_and_is_over_before_the_next_count(kind: str, beat_ms: int) -> None:
    clock = JumpingClock()
    table = SimulatedTable(clock, 3, cloth="plain")
    told: list[str] = []
    players = SimulatedPlayers(1, table, shows=(kind,), announce=told.append)
    for _ in range(3):
        cue_ns = clock.now_ns() + GET_READY_NS + 3 * beat_ms * 1_000_000
        players.throw_at((1, 3), cue_ns, beat_ms * 1_000_000)
        clock.wait_until(cue_ns + 3_000_000_000)
    assert told == [f"Shown, as asked for ({kind}): {SHOWN[kind]}."]
    wrong = disturbance(kind, (1, 3), cue_ns, beat_ms * 1_000_000, 1)
    assert len(table.disturbances) == (wrong is not None)
    if wrong is not None:
        assert wrong.kind == kind.replace("-", " ")
        assert wrong.ends_ns < cue_ns + 2_500_000_000


def test_kinds_are_read_in_words() -> None:
    assert read_shown(["late", "gap"]) == ("late", "gap")
    assert read_shown(["all"]) == tuple(SHOWN)
    with pytest.raises(
        ValueError, match="no 'sneeze' to show: there are late, early, changed, half-open, hidden, two-hands"
    ):
        read_shown(["late", "sneeze"])
