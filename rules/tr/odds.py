"""The exact chances of a roll of t|r. Every throw wins, ties or loses with one third each, so every chance is a whole
number of equally likely ways over a power of three."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from rules.tr.roll import Roll


@dataclass(frozen=True)
class Odds:
    """The chance of every end a roll can have: ``botch``, ``failed``, and each degree that can come about, from the
    lowest. Together they are 1."""

    botch: Fraction
    failed: Fraction
    degrees: Mapping[int, Fraction]

    @property
    def failure(self) -> Fraction:
        """The chance of a degree below 0."""
        return sum((chance for degree, chance in self.degrees.items() if degree < 0), Fraction(0))

    @property
    def success(self) -> Fraction:
        """The chance of a degree of 0 or more."""
        return sum((chance for degree, chance in self.degrees.items() if degree >= 0), Fraction(0))

    def outcomes(self) -> dict[str, Fraction]:
        """The four outcomes by name; exactly one of them comes about."""
        return {"botch": self.botch, "failed": self.failed, "failure": self.failure, "success": self.success}


def odds(roll: Roll) -> Odds:
    """The chances of ``roll``."""
    initial = 3**roll.throws
    everything = 3 ** (roll.throws + roll.rethrows)
    ways = ways_to_win(roll)
    return Odds(
        botch=Fraction(2**roll.throws - 1, initial),  # ties and losses only, but not ties only
        failed=Fraction(1, initial),
        degrees={
            wins - roll.difficulty: Fraction(ways[wins], everything)
            for wins in range(1, roll.throws + min(roll.throws, roll.rethrows) + 1)
        },
    )


def ways_to_win(roll: Roll) -> list[int]:
    """In how many ways a roll comes to 0, 1, 2 … wins, out of 3 to the power of throws and rethrows together: a
    rethrow that is not earned counts as its three ways, which change nothing.

    ``w`` wins among the throws come about in comb(t, w) × 2^(t − w) ways and earn m = min(w, r) rethrows, each of
    which adds nothing in two ways and a win in one: with x for a win, the sum of ways(w) × x^w × (2 + x)^m × 3^(r − m)
    is wanted. It is built from the most rethrows down, so that each step is one more factor of (2 + x).
    """
    throws, rethrows = roll.throws, min(roll.throws, roll.rethrows)
    total = [0] * (throws + rethrows + 1)
    for wins in range(throws, rethrows - 1, -1):
        total[wins] = comb(throws, wins) << (throws - wins)
    spare = 1
    for wins in range(rethrows - 1, -1, -1):
        for count in range(len(total) - 1, 0, -1):
            total[count] = 2 * total[count] + total[count - 1]
        total[0] *= 2
        spare *= 3
        total[wins] += spare * (comb(throws, wins) << (throws - wins))
    never_earned = 3 ** (roll.rethrows - rethrows)
    return [never_earned * ways for ways in total]
