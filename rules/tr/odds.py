"""The exact odds of a t|r roll. Every throw wins, ties or loses with probability 1/3, so every chance is a number of
equally likely outcomes over a power of three."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from rules.tr.roll import Roll


@dataclass(frozen=True)
class Odds:
    """The probabilities of a botch, of failing without a win, and of each possible degree from the lowest. They add up
    to 1."""

    botch: Fraction
    failed: Fraction
    degrees: Mapping[int, Fraction]

    @property
    def failure(self) -> Fraction:
        """The probability of a degree below 0."""
        return sum((chance for degree, chance in self.degrees.items() if degree < 0), Fraction(0))

    @property
    def success(self) -> Fraction:
        """The probability of a degree of 0 or more."""
        return sum((chance for degree, chance in self.degrees.items() if degree >= 0), Fraction(0))

    def outcomes(self) -> dict[str, Fraction]:
        """Return the probabilities of the four outcomes by name."""
        return {"botch": self.botch, "failed": self.failed, "failure": self.failure, "success": self.success}


def compute_odds(roll: Roll) -> Odds:
    """Return the exact odds of ``roll``."""
    throw_sequences = 3**roll.throws
    all_sequences = 3 ** (roll.throws + roll.rethrows)
    ways = count_ways_to_win(roll)
    return Odds(
        botch=Fraction(2**roll.throws - 1, throw_sequences),  # ties and losses only, but not ties only
        failed=Fraction(1, throw_sequences),
        degrees={
            wins - roll.difficulty: Fraction(ways[wins], all_sequences)
            for wins in range(1, roll.throws + min(roll.throws, roll.rethrows) + 1)
        },
    )


def count_ways_to_win(roll: Roll) -> list[int]:
    """Return in how many of the 3^(throws + rethrows) sequences a roll has 0, 1, 2 … wins. A rethrow that is not earned
    counts as all three outcomes, which change nothing.

    ``w`` wins among the throws occur in comb(t, w) × 2^(t − w) ways and earn m = min(w, r) rethrows, each of which adds
    nothing in two ways and a win in one. With x for a win, the result is the polynomial sum of
    ways(w) × x^w × (2 + x)^m × 3^(r − m), built from the most rethrows down so that each step multiplies by (2 + x).
    """
    throws, rethrows = roll.throws, min(roll.throws, roll.rethrows)
    total = [0] * (throws + rethrows + 1)
    for wins in range(throws, rethrows - 1, -1):
        total[wins] = comb(throws, wins) << (throws - wins)
    unearned = 1
    for wins in range(rethrows - 1, -1, -1):
        for count in range(len(total) - 1, 0, -1):
            total[count] = 2 * total[count] + total[count - 1]
        total[0] *= 2
        unearned *= 3
        total[wins] += unearned * (comb(throws, wins) << (throws - wins))
    never_earned = 3 ** (roll.rethrows - rethrows)
    return [never_earned * ways for ways in total]
