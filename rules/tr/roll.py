"""A roll of t|r in writing, t|r-d: t throws, r rethrows, difficulty d."""

import re
from dataclasses import dataclass

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
                        "{name} can't be {number}: 0 to {highest} only",
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


def _parse_number(name: str, text: str, sign: str = "") -> int:
    """Return the number of a part of the roll, which follows ``sign``. Raises IllegalRollError."""
    digits = text.strip(" ")
    if not digits:
        raise IllegalRollError(
            N("no {name} after {sign}", name=name, sign=sign) if sign else N("the throws are missing")
        )
    if " " in digits:
        raise IllegalRollError(N("more than one number of {name}: {digits}", name=name, digits=quote(digits)))
    if len(digits.lstrip("0")) > len(str(MAX_ROLL_NUMBER)):
        raise IllegalRollError(
            N("{name} can't be {digits}: {highest} at most", name=name, digits=quote(digits), highest=MAX_ROLL_NUMBER)
        )
    return int(digits.lstrip("0") or 0)
