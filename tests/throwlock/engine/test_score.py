"""The interval of a score against published values and against the exact binomial distribution; Elo differences."""

import math

import pytest

from throwlock.engine.score import elo_difference, wilson_interval


@pytest.mark.parametrize(
    ("won", "trials", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),  # Newcombe, Statistics in Medicine 17 (1998), table I, method 3
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_intervals_are_those_of_a_published_table(won: int, trials: int, low: float, high: float) -> None:
    estimate = wilson_interval(won / trials, trials)
    assert (estimate.low, estimate.high) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))
    mirrored = wilson_interval(1 - won / trials, trials)
    assert (1 - mirrored.high, 1 - mirrored.low) == (pytest.approx(estimate.low), pytest.approx(estimate.high))


@pytest.mark.parametrize("trials", [20, 100, 400])
def test_intervals_hold_the_true_value_in_95_percent_of_matches(trials: int) -> None:
    """Computed, not drawn; on average over true values, for a single one may have a little less."""
    covered = []
    for value in (number / 50 for number in range(1, 50)):
        chances = [math.comb(trials, won) * value**won * (1 - value) ** (trials - won) for won in range(trials + 1)]
        held = [wilson_interval(won / trials, trials) for won in range(trials + 1)]
        covered.append(sum(c for c, one in zip(chances, held, strict=True) if one.low <= value <= one.high))
    assert sum(covered) / len(covered) == pytest.approx(0.95, abs=0.01) and min(covered) > 0.9


def test_no_trials_say_nothing() -> None:
    assert (wilson_interval(0.5, 0).low, wilson_interval(0.5, 0).high) == (0, 1)
    assert (wilson_interval(0, 3).low, wilson_interval(1, 3).high) == (0, 1)


def test_elo() -> None:
    assert elo_difference(10 / 11) == pytest.approx(400)
    assert elo_difference(0.64) == pytest.approx(-elo_difference(0.36)) == pytest.approx(99.95, abs=0.01)
    assert (elo_difference(0.5), elo_difference(0), elo_difference(1)) == (0, -math.inf, math.inf)
