"""How predictable somebody's throws are: their entropy, and how often simple predictors guess them.

Each predictor guesses every throw but the first from those before it. If a player throws at random, each guess is
right with a chance of one in three whatever the past, so the hits of any predictor follow a binomial distribution.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rules.throws import BEATEN_BY, Outcome, Throw
from ui.charts.statistics import Predictability, Predictor

MIN_PREDICTED_THROWS = 30
"""With fewer throws nothing is said: only 17 hits of 29 or more could be told from chance."""
ERROR_RATE = 0.05
"""Of the intervals: 95 % confidence."""
CHI_SQUARE_2 = -2 * math.log(ERROR_RATE)
"""The 95 % quantile of the chi-square distribution with two degrees of freedom."""
GRID_STEPS = 300
"""Of each probability in the region of an entropy's interval; a multiple of three, so that chance is on the grid."""


def measure_predictability(
    throws: Sequence[Throw], outcomes: Sequence[Outcome | None] | None = None
) -> Predictability | None:
    """Return how predictable a player's ``throws`` are, in order; ``outcomes`` are those of their rounds, None where
    one is unknown. None with fewer than ``MIN_PREDICTED_THROWS``.

    Of the predictors, the one with most hits counts, the simplest of equals. Its interval is Clopper's and Pearson's
    (Biometrika 26, 1934) with the error rate divided by the number of predictors (Bonferroni): it stays honest although
    the best was picked. Somebody who throws at random is so called predictable in at most 2.5 % of cases.
    """
    if len(throws) < MIN_PREDICTED_THROWS:
        return None
    hits = {predictor: count_hits(predictor, throws, outcomes) for predictor in Predictor}
    best, guesses = max(Predictor, key=lambda predictor: hits[predictor]), len(throws) - 1
    low, high = binomial_interval(hits[best], guesses, ERROR_RATE / len(Predictor))
    counts = [throws.count(throw) for throw in Throw]
    return Predictability(
        len(throws), entropy_bits(counts), *entropy_interval(counts), best, hits[best], guesses, low, high
    )


def count_hits(predictor: Predictor, throws: Sequence[Throw], outcomes: Sequence[Outcome | None] | None = None) -> int:
    """Return how many of the throws after the first a predictor guesses."""
    return sum(
        guess is throw for guess, throw in zip(guess_throws(predictor, throws, outcomes), throws[1:], strict=True)
    )


def guess_throws(
    predictor: Predictor, throws: Sequence[Throw], outcomes: Sequence[Outcome | None] | None = None
) -> Iterator[Throw]:
    """Yield a predictor's guess of each throw after the first, made from the throws and outcomes before it."""
    order = {Predictor.AFTER_ONE: 1, Predictor.AFTER_TWO: 2}.get(predictor, 0)
    seen = [_Followers() for _ in range(order + 1)]
    for index, throw in enumerate(throws[:-1]):
        for length, followers in enumerate(seen):
            if index >= length:
                followers.add(tuple(throws[index - length : index]), throw, index)
        if predictor is Predictor.LAST_THROW:
            yield throw
        elif predictor is Predictor.WIN_STAY:
            yield _win_stay_guess(throw, outcomes[index] if outcomes else None)
        else:
            contexts = (tuple(throws[index + 1 - length : index + 1]) for length in range(order, -1, -1))
            guesses = (
                followers.most_frequent(context) for followers, context in zip(reversed(seen), contexts, strict=True)
            )
            yield next(guess for guess in guesses if guess is not None)


def _win_stay_guess(throw: Throw, outcome: Outcome | None) -> Throw:
    """Return the throw after a win: the same; after a loss or a tie: the one that would have won."""
    if outcome is Outcome.LOST:
        return BEATEN_BY[BEATEN_BY[throw]]
    return BEATEN_BY[throw] if outcome is Outcome.TIED else throw


@dataclass
class _Followers:
    """How often each throw followed the same throws, and when last."""

    counts: dict[tuple[Throw, ...], dict[Throw, tuple[int, int]]] = field(default_factory=dict)

    def add(self, context: tuple[Throw, ...], throw: Throw, index: int) -> None:
        of_context = self.counts.setdefault(context, {})
        of_context[throw] = of_context.get(throw, (0, 0))[0] + 1, index

    def most_frequent(self, context: tuple[Throw, ...]) -> Throw | None:
        """Return the most frequent follower, the latest of equals; None if ``context`` is new."""
        of_context = self.counts.get(context)
        return max(of_context, key=of_context.__getitem__) if of_context else None


def entropy_bits(counts: Sequence[int]) -> float:
    """Return the entropy of throws counted by kind, in bits, 0 to log2 3: Shannon's with the correction of its bias by
    Miller (Note on the bias of information estimates, 1955), known as Miller and Madow's."""
    total, kinds = sum(counts), sum(count > 0 for count in counts)
    corrected = _plain_entropy_bits(np.array(counts) / total) + (kinds - 1) / (2 * total * math.log(2))
    return min(corrected, math.log2(len(Throw)))


def _plain_entropy_bits(shares: NDArray[np.float64]) -> float:
    some = shares[shares > 0]
    return float(-(some * np.log2(some)).sum())


def entropy_interval(counts: Sequence[int]) -> tuple[float, float]:
    """Return the 95 % interval of the entropy in bits: from the least to the most of all distributions that a
    likelihood-ratio test (Wilks, 1938) does not reject. It is computed on a grid of distributions."""
    observed = np.array(counts, float)
    logs, entropies = _distributions()
    best = float(observed @ np.log(observed / observed.sum(), where=observed > 0, out=np.zeros(len(observed))))
    lowest = best - CHI_SQUARE_2 / 2
    accepted = entropies[(observed * np.where(observed > 0, logs, 0)).sum(axis=1) >= lowest]
    own = _plain_entropy_bits(observed / observed.sum())
    return min(own, float(accepted.min(initial=own))), max(own, float(accepted.max(initial=own)))


@lru_cache(maxsize=1)
def _distributions() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the logarithms of all distributions on the grid, shape (n, 3), and their entropies in bits, shape (n,)."""
    rock, paper = (axis.ravel() for axis in np.indices((GRID_STEPS + 1, GRID_STEPS + 1)))
    counts = np.stack([rock, paper, GRID_STEPS - rock - paper], axis=1)
    shares = counts[counts[:, 2] >= 0] / GRID_STEPS
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(shares)
        terms = np.where(shares > 0, shares * logs, 0.0)
    return logs, -terms.sum(axis=1) / math.log(2)


def binomial_interval(hits: int, trials: int, error_rate: float) -> tuple[float, float]:
    """Return Clopper's and Pearson's interval of a probability."""
    return _lower_limit(hits, trials, error_rate / 2), 1 - _lower_limit(trials - hits, trials, error_rate / 2)


def _lower_limit(hits: int, trials: int, error_rate: float) -> float:
    """Return the probability with which at least ``hits`` hits have the chance ``error_rate``."""
    if hits == 0:
        return 0.0
    low, high = 0.0, hits / trials
    for _ in range(40):  # halved until 1e-12
        middle = (low + high) / 2
        low, high = (middle, high) if chance_of_hits(hits, trials, middle) < error_rate else (low, middle)
    return low


def chance_of_hits(hits: int, trials: int, probability: float) -> float:
    """Return the chance of at least ``hits`` hits in ``trials``; the probability of one is above 0 and below 1."""
    counts, log_ways = _log_combinations(hits, trials)
    logs = log_ways + counts * math.log(probability) + (trials - counts) * math.log1p(-probability)
    return float(np.exp(logs).sum())


@lru_cache(maxsize=4)
def _log_combinations(hits: int, trials: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the counts from ``hits`` to ``trials``, and the logarithm of the number of ways to have so many hits."""
    whole, counts = math.lgamma(trials + 1), range(hits, trials + 1)
    logs = [whole - math.lgamma(count + 1) - math.lgamma(trials - count + 1) for count in counts]
    return np.array(counts, float), np.array(logs)
