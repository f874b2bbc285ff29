"""Everything people can answer."""

from collections.abc import Mapping
from dataclasses import dataclass

from rules.engine import Seat, Value


class CompoundAnswer:
    """Base of the answers that are more than a value, such as a game with its options."""


Answer = CompoundAnswer | Value | Mapping[Seat, Value]
"""What a view is answered with."""


@dataclass(frozen=True)
class Reply:
    """Answers the view."""

    value: Answer
