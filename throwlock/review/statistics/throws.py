"""Figures about one player's throws: by kind, by situation, streaks, reaction times."""

import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise

from rules.record.seat_entry import SeatEntry
from rules.throws import BEATEN_BY, Outcome, Throw
from throwlock.review.statistics.predictability import measure_predictability
from ui.charts.statistics import ReactionTimes, SituationThrows, ThrowChange, ThrowStatistics

MIN_TIMED_THROWS = 8
"""Fewest throws for quartiles of reaction times."""


def measure_throws(rounds: Sequence[SeatEntry]) -> ThrowStatistics:
    """Return the figures about a player's rounds, in the order they were played.

    Cards are counted, but not taken for a free choice: who has no rock left in hand can't throw one.
    """
    hands = [(entry.throw, entry.outcome) for entry in rounds if entry.is_hand and entry.throw is not None]
    thrown = [throw for throw, _ in hands]
    times_ms = [entry.on_time_ms for entry in rounds if entry.is_hand and entry.on_time_ms is not None]
    return ThrowStatistics(
        throws=_count_throws(entry.throw for entry in rounds if entry.throw is not None),
        situations={outcome: _measure_situation(rounds, outcome) for outcome in Outcome},
        predictability=measure_predictability(thrown, [outcome for _, outcome in hands]),
        reaction=measure_reaction(times_ms),
        longest_win_streak=longest_win_streak(entry.outcome for entry in rounds),
        longest_repeat=_longest_repeat(thrown),
    )


def measure_reaction(times_ms: Sequence[float]) -> ReactionTimes | None:
    """Return the quartiles of times in ms after the cue; None with fewer than ``MIN_TIMED_THROWS``."""
    if len(times_ms) < MIN_TIMED_THROWS:
        return None
    return ReactionTimes(len(times_ms), *statistics.quantiles(times_ms, n=4, method="inclusive"))


def longest_win_streak(outcomes: Iterable[Outcome | None]) -> int:
    """Return the most rounds won in a row. Ties, which these games throw again, neither count nor end it."""
    decided = [outcome for outcome in outcomes if outcome in (Outcome.WON, Outcome.LOST)]
    return max((len(list(run)) for outcome, run in groupby(decided) if outcome is Outcome.WON), default=0)


def _longest_repeat(throws: Iterable[Throw]) -> tuple[Throw, int] | None:
    """Return the throw with the longest run, the earliest of equals, and its length."""
    return max(((throw, len(list(run))) for throw, run in groupby(throws)), key=lambda run: run[1], default=None)


def _measure_situation(rounds: Sequence[SeatEntry], outcome: Outcome) -> SituationThrows:
    pairs = list(_throws_after(rounds, outcome))
    changes = Counter(_change(before, after) for before, after in pairs)
    return SituationThrows(
        _count_throws(after for _, after in pairs), {change: changes[change] for change in ThrowChange}
    )


def _throws_after(rounds: Sequence[SeatEntry], outcome: Outcome) -> Iterator[tuple[Throw, Throw]]:
    """Yield the throw in each round with ``outcome`` and the one in the next round of the same match, by hand."""
    for before, after in pairwise(rounds):
        free = before.is_hand and after.is_hand
        if free and before.match == after.match and before.outcome is outcome and before.throw and after.throw:
            yield before.throw, after.throw


def _change(before: Throw, after: Throw) -> ThrowChange:
    if before is after:
        return ThrowChange.SAME
    return ThrowChange.UP if after is BEATEN_BY[before] else ThrowChange.DOWN


def _count_throws(throws: Iterable[Throw]) -> dict[Throw, int]:
    counts = Counter(throws)
    return {throw: counts[throw] for throw in Throw}
