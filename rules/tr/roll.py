"""A roll of t|r in writing, t|r-d: t throws, r rethrows, difficulty d; and its exact odds. Every throw wins, ties or
loses with probability 1/3, so every chance is a number of equally likely outcomes over a power of three."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from errors import ThrowlockError
from messages import N
from rules.engine import quote

MAX_ROLL_NUMBER = 999
"""The largest number in a roll: a match of 999 throws takes hours, and computing its exact odds a second."""
ROLL_FORMAT = "t|r-d, such as 3, 3|2, 3-1 or 3|2-2"


class IllegalRollError(ThrowlockError, ValueError):
    """Text or numbers that are not a roll. The message says what is wrong and how to write a roll."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"{reason}; write a roll as {ROLL_FORMAT}")


@dataclass(frozen=True)
class Roll:
    """A roll; ``str`` writes it as t|r-d, leaving out parts that are 0.

    Raises:
        IllegalRollError: A number is out of range.
    """

    throws: int
    """Initial throws, 1 to ``MAX_ROLL_NUMBER``."""
    rethrows: int = 0
    """The most extra throws, 0 to ``MAX_ROLL_NUMBER``."""
    difficulty: int = 0
    """Wins subtracted from the result, 0 to ``MAX_ROLL_NUMBER``."""

    def __post_init__(self) -> None:
        if self.throws == 0:
            raise IllegalRollError(N("a roll has at least 1 throw"))
        for name, number in (("throws", self.throws), ("rethrows", self.rethrows), ("difficulty", self.difficulty)):
            if not 0 <= number <= MAX_ROLL_NUMBER:
                raise IllegalRollError(
                    N(
                        "{name} can’t be {number}: 0 to {highest} only",
                        name=name,
                        number=quote(number),
                        highest=MAX_ROLL_NUMBER,
                    )
                )

    @classmethod
    def parse(cls, text: str) -> "Roll":
        """Return the roll written as ``text``; spaces around its numbers are ignored. Raises IllegalRollError."""
        unexpected = re.search(r"[^0-9|\- ]", text)
        if unexpected:
            raise IllegalRollError(N("unexpected character {character}", character=quote(unexpected[0])))
        for sign in "|-":
            if text.count(sign) > 1:
                raise IllegalRollError(N("{sign} appears {count} times", sign=sign, count=text.count(sign)))
        if "|" in text.partition("-")[2]:
            raise IllegalRollError(N("the difficulty comes before the rethrows"))
        front, minus, difficulty = text.partition("-")
        throws, pipe, rethrows = front.partition("|")
        return cls(
            _parse_number("throws", throws),
            _parse_number("rethrows", rethrows, pipe) if pipe else 0,
            _parse_number("difficulty", difficulty, minus) if minus else 0,
        )

    def __str__(self) -> str:
        rethrows = f"|{self.rethrows}" if self.rethrows else ""
        difficulty = f"-{self.difficulty}" if self.difficulty else ""
        return f"{self.throws}{rethrows}{difficulty}"


def _parse_number(name: str, text: str, symbol: str = "") -> int:
    """Return the number of a part of the roll, which follows ``symbol``. Raises IllegalRollError."""
    digits = text.strip(" ")
    if not digits:
        raise IllegalRollError(
            N("no {name} after {sign}", name=name, sign=symbol) if symbol else N("the throws are missing")
        )
    if " " in digits:
        raise IllegalRollError(N("more than one number of {name}: {digits}", name=name, digits=quote(digits)))
    if len(digits.lstrip("0")) > len(str(MAX_ROLL_NUMBER)):
        raise IllegalRollError(
            N("{name} can’t be {digits}: {highest} at most", name=name, digits=quote(digits), highest=MAX_ROLL_NUMBER)
        )
    return int(digits.lstrip("0") or 0)


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
