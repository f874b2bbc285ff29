"""What t|r says."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from typing_extensions import override

from rules.engine import Facts, GameEvent, Seat
from rules.events import Outcomes, Throws, ThrowsShown
from rules.throws import Outcome


@dataclass(frozen=True)
class RollBegins(GameEvent):
    """A roll begins."""

    kind = "roll"
    roll: str
    """The roll as it is written, such as "3|2-2"."""
    throws: int
    """The player's throws."""
    rethrows: int
    """The most extra throws."""
    difficulty: int
    """Wins needed to succeed."""
    roles: Mapping[Seat, str]
    """What each seat is: the player or the game master."""


@dataclass(frozen=True)
class Thrown(ThrowsShown):
    """A throw of a roll."""

    kind = "thrown"
    phase: str
    """The phase: "throws" or "rethrows"."""
    throw: int
    """The throw of the phase, from 1."""
    of: int
    """Throws of the phase."""
    outcome: Outcome
    """How it ended for the player."""
    throws: Throws

    @override
    def outcomes_of(self, throwers: Iterable[Seat]) -> Outcomes:
        player, master = throwers
        opposite = {Outcome.WON: Outcome.LOST, Outcome.LOST: Outcome.WON, Outcome.TIED: Outcome.TIED}
        return {player: self.outcome, master: opposite[self.outcome]}

    @cached_property
    @override
    def facts(self) -> Facts:
        return {**super().facts, "outcome": "lose" if self.outcome is Outcome.LOST else self.outcome.result}


@dataclass(frozen=True)
class RethrowsEarned(GameEvent):
    """The player's wins earn rethrows."""

    kind = "rethrows"
    wins: int
    rethrows: int


@dataclass(frozen=True)
class Rolled(GameEvent):
    """A roll has ended."""

    kind = "rolled"
    roll: str
    wins: int
    """The player's wins."""
    outcome: str
    """The end: "botch", "failed", "failure" or "success"."""
    degree: int | None
    """Wins beyond the difficulty; None without any win."""
