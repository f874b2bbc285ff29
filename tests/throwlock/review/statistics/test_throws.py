"""Figures about a player's throws: by situation, streaks, reaction times; and who won a round."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.record.round import compare_throws
from rules.record.seat_entry import SeatEntry
from rules.throws import Outcome, Throw
from tests.helpers.seat_entries import make_entry
from throwlock.review.statistics.throws import (
    MIN_TIMED_THROWS,
    longest_win_streak,
    measure_reaction,
    measure_throws,
)
from ui.charts.statistics import ThrowChange

R, P, S = Throw
WON, LOST, TIED = Outcome
rounds = st.lists(
    st.builds(
        make_entry,
        match=st.integers(1, 3),
        throw=st.one_of(st.none(), st.sampled_from(Throw)),
        outcome=st.one_of(st.none(), st.sampled_from(Outcome)),
        is_hand=st.booleans(),
        on_time_ms=st.one_of(st.none(), st.floats(-100, 500)),
    ),
    max_size=40,
).map(lambda found: sorted(found, key=lambda one: one.match))


def test_throws_by_situation() -> None:
    found = measure_throws(
        [
            make_entry(match=1, throw=R, outcome=WON),
            make_entry(match=1, throw=R, outcome=LOST),  # after a win: the same
            make_entry(match=1, throw=P, outcome=WON),  # after a loss: what beats rock
            make_entry(match=1, throw=R, outcome=TIED),  # after a win: what paper beats
            make_entry(match=2, throw=S, outcome=WON),  # another match: after nothing
            make_entry(match=2, throw=None, outcome=LOST),
            make_entry(match=2, throw=P, outcome=WON),  # after a round without a throw
            make_entry(match=2, throw=P, outcome=WON, is_hand=False),  # a card is no free choice
            make_entry(match=2, throw=R, outcome=TIED),
        ]
    )
    won, lost, tied = (found.situations[outcome] for outcome in Outcome)
    assert (won.count, won.throws, won.changes) == (
        2,
        {R: 2, P: 0, S: 0},
        {ThrowChange.SAME: 1, ThrowChange.UP: 0, ThrowChange.DOWN: 1},
    )
    assert (lost.count, lost.throws[P], lost.changes[ThrowChange.UP]) == (1, 1, 1)
    assert tied.count == 0
    assert found.throws == {R: 4, P: 3, S: 1} and found.count == 8


@given(rounds)
def test_figures_agree_with_each_other(played: list[SeatEntry]) -> None:
    found = measure_throws(played)
    assert found.count == sum(one.throw is not None for one in played)
    for outcome, situation in found.situations.items():
        assert sum(situation.changes.values()) == situation.count <= sum(one.outcome is outcome for one in played)
    assert found.longest_win_streak <= sum(one.outcome is WON for one in played)
    hands = [one.throw for one in played if one.is_hand and one.throw]
    assert (found.longest_repeat is None) == (not hands)
    if found.longest_repeat is not None:
        throw, length = found.longest_repeat
        assert any(hands[start : start + length] == [throw] * length for start in range(len(hands)))
    assert (found.reaction is None) == (
        sum(one.is_hand and one.on_time_ms is not None for one in played) < MIN_TIMED_THROWS
    )


def test_a_streak_ends_with_a_loss_and_not_with_a_tie() -> None:
    assert longest_win_streak([WON, WON, LOST, WON, TIED, WON, None, WON, LOST]) == 3
    assert longest_win_streak([LOST, TIED]) == 0


def test_the_spread_of_reaction_times() -> None:
    found = measure_reaction([10, 20, 30, 40, 50, 60, 70, 80, 90])
    assert found is not None
    assert (found.count, found.first_quartile_ms, found.median_ms, found.third_quartile_ms) == (9, 30, 50, 70)
    assert found.spread_ms == 40
    assert measure_reaction([10.0] * (MIN_TIMED_THROWS - 1)) is None


@pytest.mark.parametrize(
    ("answers", "outcomes"),
    [
        ({1: "rock", 2: "scissors"}, {1: WON, 2: LOST}),
        ({1: "rock", 2: "rock"}, {1: TIED, 2: TIED}),
        ({1: "rock", 2: None}, {1: WON, 2: LOST}),
        ({1: None, 2: None}, {1: TIED, 2: TIED}),
        ({1: "rock", 2: "paper", 3: "paper"}, {1: LOST, 2: WON, 3: WON}),
        ({1: "rock", 2: "paper", 3: "scissors"}, {1: TIED, 2: TIED, 3: TIED}),
        ({1: "rock"}, {}),
        ({1: "a1-b2", 2: None}, {}),
    ],
)
def test_who_won_a_round(answers: dict[int, str | None], outcomes: dict[int, Outcome]) -> None:
    assert compare_throws(answers) == outcomes
