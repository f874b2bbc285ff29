"""Everything people can answer."""

from collections.abc import Mapping
from dataclasses import dataclass

from rules.engine import Seat, Value


class CompoundAnswer:
    """Base of the answers that are more than a value, such as a game with its options."""


Answer = CompoundAnswer | Value | Mapping[Seat, Value]
"""What a view is answered with."""


def answers_by_seat(answer: Answer) -> Mapping[Seat, Value]:
    """Return the answers of a question to several seats; none where it was answered as a whole, or not at all."""
    return answer if isinstance(answer, Mapping) else {}


@dataclass(frozen=True)
class Reply:
    """Answers the view."""

    value: Answer
