"""Throws, which beats which, and the prompt for one: shared by all games."""

from collections.abc import Generator, Iterable, Mapping
from enum import StrEnum

from rules.engine import Choices, FactValue, GameEvent, Prompt, Seat, ThrowPrompt, Value


class Throw(StrEnum):
    """A throw, shown with a hand, a card or a button."""

    ROCK = "rock"
    PAPER = "paper"
    SCISSORS = "scissors"

    def beats(self, other: "Throw | None") -> bool:
        """Whether this throw beats ``other``; any throw beats no throw (``None``)."""
        return other is None or BEATEN_BY[other] is self


BEATEN_BY = {Throw.ROCK: Throw.PAPER, Throw.PAPER: Throw.SCISSORS, Throw.SCISSORS: Throw.ROCK}
"""The throw that beats each throw."""


class Outcome(StrEnum):
    """How a battle or a round ended for a seat."""

    WON = "won"
    LOST = "lost"
    TIED = "tied"

    @property
    def result(self) -> str:
        """The word of Battle's events and of ``throwlock calculate``: "win", "loss" or "tie"."""
        return {Outcome.WON: "win", Outcome.LOST: "loss", Outcome.TIED: "tie"}[self]

    @classmethod
    def from_result(cls, word: object) -> "Outcome | None":
        """Return the outcome of such a word; None for any other value."""
        return next((outcome for outcome in cls if outcome.result == word), None)


THROW_CHOICES = Choices(tuple(throw.value for throw in Throw))
"""The answers allowed to a prompt for a throw."""

WINDOW_MS = 150
"""From the first hand to the lock, unless the house rules say otherwise. Nobody can see a throw, choose an answer and
form it in less: simple visual reaction takes about 230 ms, a choice among two 370 ms or more."""

ThrowsBySeat = dict[Seat, Throw | None]
"""Everybody's throw in one reveal. ``None`` is no throw: it loses to any throw and ties with no throw. A seat has it
when it showed nothing and the foul rule lets that count (a foul that forfeits the round)."""


def to_throw(value: Value) -> Throw | None:
    """Return an answer or reading as a throw; None for no throw."""
    return None if value is None else Throw(str(value))


def ask_for_throws(
    seats: Iterable[Seat], about: Mapping[str, FactValue]
) -> Generator[Prompt | GameEvent, dict[Seat, Value], ThrowsBySeat]:
    """Ask ``seats`` to throw on the shout and return everybody's throw."""
    answers = yield ThrowPrompt(dict.fromkeys(seats, THROW_CHOICES), about, may_be_missing=True)
    return {seat: to_throw(value) for seat, value in answers.items()}


def winner_and_loser(throws: ThrowsBySeat) -> tuple[Seat, Seat] | None:
    """Return the winner and the loser of two players' throws, or ``None`` for a tie."""
    (first, first_throw), (second, second_throw) = throws.items()
    if first_throw is second_throw:
        return None
    first_wins = first_throw is not None and first_throw.beats(second_throw)
    return (first, second) if first_wins else (second, first)
