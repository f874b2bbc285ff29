"""How predictable throws are: exact for random throwers, certain for a cycle, the same under other names."""

import math
import random
from collections import Counter
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.throws import BEATEN_BY, Outcome, Throw
from throwlock.review.statistics.predictability import (
    MIN_PREDICTED_THROWS,
    binomial_interval,
    chance_of_hits,
    count_hits,
    entropy_bits,
    entropy_interval,
    guess_throws,
    measure_predictability,
)
from ui.charts.statistics import CHANCE, Predictor

R, P, S = Throw
MAX_BITS = math.log2(3)
RANDOM_OUTCOMES = (
    Outcome.LOST,
    Outcome.TIED,
    Outcome.WON,
    Outcome.LOST,
    None,
    Outcome.TIED,
    Outcome.WON,
)
throw_lists = st.lists(st.sampled_from(Throw), min_size=MIN_PREDICTED_THROWS, max_size=60)


@pytest.mark.parametrize("predictor", Predictor)
def test_random_hits_are_binomial(predictor: Predictor) -> None:
    length = 7  # every sequence of so many throws is as likely as any other
    found = Counter(count_hits(predictor, throws, RANDOM_OUTCOMES) for throws in product(Throw, repeat=length))
    expected = {hits: math.comb(length - 1, hits) * 2 ** (length - 1 - hits) * 3 for hits in range(length)}
    assert found == expected


@pytest.mark.slow
def test_random_throwers_are_rarely_called_predictable() -> None:
    rng, players = random.Random(5), 1000
    found = [measure_predictability(rng.choices(list(Throw), k=40)) for _ in range(players)]
    called = sum(one is not None and one.is_predictable for one in found)
    assert 0 < called <= 0.025 * players


@given(st.permutations(list(Throw)), st.integers(MIN_PREDICTED_THROWS, 90))
def test_a_strict_cycle_is_found_with_certainty(cycle: list[Throw], length: int) -> None:
    found = measure_predictability([cycle[place % 3] for place in range(length)])
    assert found is not None and found.is_predictable
    assert found.predictor is Predictor.AFTER_ONE and found.hits == found.guesses - 3  # each throw is new once
    assert found.entropy_bits > 1.5  # all three as often as each other: entropy does not see it


def test_each_habit_is_found_by_its_predictor() -> None:
    rng = random.Random(3)
    outcomes = rng.choices(list(Outcome), k=80)
    shifter = [R]
    for outcome in outcomes[:-1]:
        last = shifter[-1]
        better = {
            Outcome.WON: last,
            Outcome.TIED: BEATEN_BY[last],
            Outcome.LOST: BEATEN_BY[BEATEN_BY[last]],
        }
        shifter.append(better[outcome])
    mostly_rock = rng.choices(list(Throw), [8, 1, 1], k=80)
    clinging = [throw for throw in rng.choices(list(Throw), k=16) for _ in range(5)]
    in_sixes = [(R, R, P, P, S, S)[place % 6] for place in range(80)]
    for throws, predictor in (
        (shifter, Predictor.WIN_STAY),
        (mostly_rock, Predictor.FREQUENCY),
        (clinging, Predictor.LAST_THROW),
        (in_sixes, Predictor.AFTER_TWO),
    ):
        found = measure_predictability(throws, outcomes)
        assert found is not None and found.predictor is predictor and found.is_predictable, predictor
    found = measure_predictability(shifter, outcomes)
    assert found is not None and found.hits == found.guesses == 79


def test_a_guess_uses_only_the_past() -> None:
    throws = [R, P, R, R, S, R, P, S, S]
    for predictor in Predictor:
        whole = list(guess_throws(predictor, throws, [Outcome.TIED] * 9))
        assert len(whole) == 8
        for end in range(2, 9):
            assert list(guess_throws(predictor, throws[:end], [Outcome.TIED] * end)) == whole[: end - 1]
    assert list(guess_throws(Predictor.FREQUENCY, [R, P, P, R, S], None)) == [R, P, P, R]  # of equals the latest


@given(throw_lists, st.sampled_from(list(permutations(Throw))))
def test_other_names_for_the_throws_change_nothing(throws: list[Throw], names: tuple[Throw, ...]) -> None:
    renamed = [dict(zip(Throw, names, strict=True))[throw] for throw in throws]
    for predictor in Predictor:
        assert count_hits(predictor, throws) == count_hits(predictor, renamed)
    mine, other = measure_predictability(throws), measure_predictability(renamed)
    assert mine is not None and other is not None
    assert mine.entropy_bits == pytest.approx(other.entropy_bits)
    assert (mine.entropy_low_bits, mine.entropy_high_bits) == pytest.approx(
        (other.entropy_low_bits, other.entropy_high_bits)
    )


@given(throw_lists)
def test_figures_are_in_order(throws: list[Throw]) -> None:
    found = measure_predictability(throws)
    assert found is not None
    assert 0 <= found.low <= found.hit_rate <= found.high <= 1
    assert 0 <= found.entropy_low_bits <= found.entropy_high_bits <= MAX_BITS + 1e-9
    assert found.entropy_bits <= MAX_BITS
    assert found.hits == max(count_hits(predictor, throws) for predictor in Predictor)


def test_too_few_throws_say_nothing() -> None:
    assert measure_predictability([R] * (MIN_PREDICTED_THROWS - 1)) is None
    found = measure_predictability([R] * MIN_PREDICTED_THROWS)
    assert found is not None and found.predictor is Predictor.FREQUENCY and found.hits == MIN_PREDICTED_THROWS - 1


def test_entropy_with_its_correction() -> None:
    assert entropy_bits([50, 0, 0]) == 0.0
    assert entropy_bits([30, 30, 0]) == pytest.approx(1 + 1 / (2 * 60 * math.log(2)))
    assert entropy_bits([30, 30, 30]) == MAX_BITS  # never more than there is
    rng = np.random.default_rng(1)
    samples = rng.multinomial(30, [0.6, 0.3, 0.1], 3000)
    truth = -(0.6 * math.log2(0.6) + 0.3 * math.log2(0.3) + 0.1 * math.log2(0.1))
    bias = np.mean([entropy_bits(one.tolist()) for one in samples]) - truth
    assert abs(bias) < 0.01  # without the correction it is -0.05


@pytest.mark.parametrize("truth", [(1 / 3, 1 / 3, 1 / 3), (0.6, 0.3, 0.1), (0.9, 0.1, 0.0)])
def test_the_interval_of_the_entropy_holds_the_truth_in_95_percent(truth: tuple[float, ...]) -> None:
    bits = -sum(p * math.log2(p) for p in truth if p)
    rng = np.random.default_rng(2)
    covered = 0
    for counts in rng.multinomial(60, truth, 200):
        low, high = entropy_interval(counts.tolist())
        covered += low - 1e-9 <= bits <= high + 1e-9
    assert covered >= 188


def test_the_binomial_interval() -> None:
    # Of 10 trials with 3 hits, at 95 %: 0.0667 to 0.6525 in Clopper's and Pearson's tables
    assert binomial_interval(3, 10, 0.05) == pytest.approx((0.0667, 0.6525), abs=1e-4)
    assert binomial_interval(0, 10, 0.05) == pytest.approx((0.0, 0.3085), abs=1e-4)
    assert binomial_interval(10, 10, 0.05) == pytest.approx((0.6915, 1.0), abs=1e-4)
    assert chance_of_hits(2, 3, CHANCE) == pytest.approx(7 / 27)
    low, high = binomial_interval(2000, 5000, 0.01)
    assert low == pytest.approx(0.3822, abs=1e-3) and high == pytest.approx(0.4181, abs=1e-3)
