"""The score of a match between two engines, with its interval, and what difference in Elo it means."""

import math
from dataclasses import dataclass

Z_95 = 1.959964
"""Quantile of the normal distribution for an interval of 95%."""


@dataclass(frozen=True)
class ScoreEstimate:
    """A share of the points, from 0 to 1, and its 95% interval."""

    share: float
    low: float
    high: float


def wilson_interval(share: float, trials: float) -> ScoreEstimate:
    """Return Wilson's score interval of ``share`` from a number of independent ``trials``.

    It stays within 0 and 1 and has a width after a clean sweep, where mean ± standard error has none. A trial that
    counts half, a draw, varies less than one that is won or lost, so with draws the interval is wider than it need be.
    Source: E. B. Wilson, Journal of the American Statistical Association 22 (1927), 209-212.
    """
    if not trials:
        return ScoreEstimate(share, 0.0, 1.0)
    z2 = Z_95**2 / trials
    middle = (share + z2 / 2) / (1 + z2)
    margin = Z_95 / (1 + z2) * math.sqrt(share * (1 - share) / trials + z2 / (4 * trials))
    low, high = middle - margin, middle + margin
    return ScoreEstimate(share, low if share > 0 else 0.0, high if share < 1 else 1.0)


def elo_difference(share: float) -> float:
    """Return by how many Elo points one who scores ``share`` is stronger; infinite at 0 and 1.

    The logistic curve that rating lists use: 400 points are odds of ten to one.
    """
    if share <= 0 or share >= 1:
        return math.inf if share >= 1 else -math.inf
    return 400 * math.log10(share / (1 - share))
