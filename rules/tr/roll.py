"""A roll of t|r as it is written, t|r-d: t throws, r rethrows, difficulty d. Read strictly, with what is wrong said in
words, and printed so that it reads the same."""

import re
from dataclasses import dataclass

from errors import ThrowlockError
from rules.engine import quoted

MOST = 999
"""The largest number in a roll: a match of that many throws fills an evening, and its exact chances take a second."""
FORM = "t|r-d, such as 3, 3|2, 3-1 or 3|2-2"


class IllegalRollError(ThrowlockError, ValueError):
    """What is written is no roll. The message says what is wrong and how a roll is written."""

    def __init__(self, why: str) -> None:
        super().__init__(f"{why}; a roll is written {FORM}")


@dataclass(frozen=True)
class Roll:
    """``throws`` initial throws (1 to MOST), at most ``rethrows`` more (0 to MOST), and the wins that ``difficulty``
    takes away (0 to MOST). Raises IllegalRollError for other numbers. ``str`` writes it as t|r-d, without what is 0."""

    throws: int
    rethrows: int = 0
    difficulty: int = 0

    def __post_init__(self) -> None:
        if self.throws == 0:
            raise IllegalRollError("it has no throws: at least 1 is thrown")
        for name, number in (("throws", self.throws), ("rethrows", self.rethrows), ("difficulty", self.difficulty)):
            if not 0 <= number <= MOST:
                raise IllegalRollError(f"{name} can't be {quoted(number)}: {MOST} at most, and not negative")

    @classmethod
    def read(cls, text: str) -> "Roll":
        """The roll written as ``text``; spaces may stand around its numbers. Raises IllegalRollError."""
        strange = re.search(r"[^0-9|\- ]", text)
        if strange:
            raise IllegalRollError(f"{quoted(strange[0])} has no place in it")
        for sign, what in (("|", "rethrows"), ("-", "difficulty")):
            if text.count(sign) > 1:
                raise IllegalRollError(f"{sign} stands in it {text.count(sign)} times, for one number of {what}")
        if "|" in text.partition("-")[2]:
            raise IllegalRollError("the difficulty stands before the rethrows")
        front, minus, difficulty = text.partition("-")
        throws, pipe, rethrows = front.partition("|")
        return cls(
            _number("throws", throws),
            _number("rethrows", rethrows, pipe) if pipe else 0,
            _number("difficulty", difficulty, minus) if minus else 0,
        )

    def __str__(self) -> str:
        rethrows = f"|{self.rethrows}" if self.rethrows else ""
        difficulty = f"-{self.difficulty}" if self.difficulty else ""
        return f"{self.throws}{rethrows}{difficulty}"


def _number(name: str, text: str, sign: str = "") -> int:
    """The number written for a part of the roll, which stands after ``sign``. Raises IllegalRollError."""
    digits = text.strip(" ")
    if not digits:
        raise IllegalRollError(
            f"nothing stands after {sign}, where {name} should" if sign else "the throws are missing"
        )
    if " " in digits:
        raise IllegalRollError(f"{quoted(digits)} is more than one number of {name}")
    if len(digits.lstrip("0")) > len(str(MOST)):
        raise IllegalRollError(f"{name} can't be {quoted(digits)}: {MOST} at most")
    return int(digits.lstrip("0") or 0)
