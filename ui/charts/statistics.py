"""Figures about a player's throws as plain data, shown by the screen and the pages: docs/statistics.md defines them."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from rules.throws import Outcome, Throw

CHANCE = 1 / 3
"""The hit rate of any predictor of throws chosen at random."""


class ThrowChange(StrEnum):
    """A throw compared with the player's throw before it."""

    SAME = "same"
    UP = "up"
    """The throw that beats the one before."""
    DOWN = "down"
    """The throw that the one before beats."""


class Predictor(StrEnum):
    """A simple way to guess somebody's next throw, the simplest first."""

    FREQUENCY = "frequency"
    LAST_THROW = "last throw"
    WIN_STAY = "win-stay, lose-shift"
    AFTER_ONE = "after one throw"
    AFTER_TWO = "after two throws"


@dataclass(frozen=True)
class Predictability:
    """How well the best predictor guessed a player's throws, and the entropy of these. Intervals are of 95 %."""

    throws: int
    """The throws whose entropy is given."""
    entropy_bits: float
    entropy_low_bits: float
    """The lower end of the entropy's interval."""
    entropy_high_bits: float
    """The upper end of the entropy's interval."""
    predictor: Predictor
    """The best of all predictors."""
    hits: int
    """The guesses that were right."""
    guesses: int
    low: float
    """The lower end of the interval of the hit rate, corrected for picking the best."""
    high: float
    """The upper end of that interval."""

    @property
    def hit_rate(self) -> float:
        """The share of hits."""
        return self.hits / self.guesses

    @property
    def is_predictable(self) -> bool:
        """Whether the interval lies above chance."""
        return self.low > CHANCE


@dataclass(frozen=True)
class ReactionTimes:
    """Quartiles of when hands showed that were on time, in ms after the cue."""

    count: int
    """How many hands."""
    first_quartile_ms: float
    median_ms: float
    third_quartile_ms: float

    @property
    def spread_ms(self) -> float:
        """The interquartile range."""
        return self.third_quartile_ms - self.first_quartile_ms


@dataclass(frozen=True)
class SituationThrows:
    """What a player threw after a round with a certain outcome."""

    throws: Mapping[Throw, int]
    changes: Mapping[ThrowChange, int]

    @property
    def count(self) -> int:
        """The number of throws."""
        return sum(self.throws.values())


@dataclass(frozen=True)
class ThrowStatistics:
    """Figures about a player's throws that counted."""

    throws: Mapping[Throw, int]
    situations: Mapping[Outcome, SituationThrows]
    """By the outcome of the round before, in the same match."""
    predictability: Predictability | None
    """None with too few throws."""
    reaction: ReactionTimes | None
    """None with too few throws."""
    longest_win_streak: int
    """The most rounds won in a row, ties aside."""
    longest_repeat: tuple[Throw, int] | None
    """The throw shown most often in a row, and how often; None without throws."""

    @property
    def count(self) -> int:
        """The number of throws."""
        return sum(self.throws.values())


class AwardKind(StrEnum):
    """What an award of the evening is for, in the order they are shown."""

    QUICKEST = "quickest"
    STEADIEST = "steadiest"
    LONGEST_STREAK = "longest streak"
    BOLDEST_BET = "boldest bet"
    HARDEST_TO_GUESS = "hardest to guess"
    MOST_PREDICTABLE = "most predictable"
    FAIREST = "fairest"


@dataclass(frozen=True)
class Award:
    """An award of the evening."""

    kind: AwardKind
    names: tuple[str, ...]
    """Whoever has it, several if they are equal; nobody if it is not given."""
    detail: str
    """The figure it is for or, if it is not given, what it takes."""


@dataclass(frozen=True)
class Evening:
    """The matches played since the last long break."""

    matches: int
    """How many."""
    began_at: str
    """When the first began, ISO 8601 in UTC; "" without any."""
    awards: tuple[Award, ...]
