"""Percentiles of what was measured."""

import statistics
from collections.abc import Sequence


def percentile(values: Sequence[float], percent: int) -> float:
    """Return what ``percent`` of the values (at least one) don't exceed, interpolated between two of them."""
    if len(values) == 1:
        return values[0]
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]
