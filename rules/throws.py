"""What a throw is, which beats which, and how a table is asked for one: what all the games share."""

from collections.abc import Generator, Iterable, Mapping
from enum import StrEnum

from rules.engine import Ask, Choices, Json, Say, Seat, Value


class Throw(StrEnum):
    """A throw, however it was shown (hand, card, button)."""

    ROCK = "rock"
    PAPER = "paper"
    SCISSORS = "scissors"

    def beats(self, other: "Throw | None") -> bool:
        """Whether this throw beats ``other``; any throw beats no throw (``None``)."""
        return other is None or BEATEN_BY[other] is self


BEATEN_BY = {Throw.ROCK: Throw.PAPER, Throw.PAPER: Throw.SCISSORS, Throw.SCISSORS: Throw.ROCK}
"""The throw that beats each throw."""

THROWS = Choices(tuple(throw.value for throw in Throw))
"""The answers to an ask for a throw."""

Thrown = dict[Seat, Throw | None]
"""Everybody's throw at one reveal; ``None`` is no throw, which loses to any throw and ties with no throw. It is
answered where a seat showed nothing and the house lets that count (a foul that forfeits the round)."""


def shout(seats: Iterable[Seat], about: Mapping[str, Json]) -> Generator[Ask | Say, dict[Seat, Value], Thrown]:
    """Rock, paper, scissors, shoot: ask ``seats`` to throw and give everybody's throw."""
    answers = yield Ask("throw", dict.fromkeys(seats, THROWS), sealed=True, no_answer=True, about=about)
    return {seat: None if value is None else Throw(str(value)) for seat, value in answers.items()}


def decided(thrown: Thrown) -> tuple[Seat, Seat] | None:
    """The winner and the loser of two players' throws; ``None`` for a tie."""
    (one, ones), (other, others) = thrown.items()
    if ones is others:
        return None
    return (one, other) if ones is not None and ones.beats(others) else (other, one)


def as_said(thrown: Thrown) -> Json:
    """The throws as a Say tells them: ``{"1": "rock", "2": null}``."""
    return {str(seat): None if throw is None else throw.value for seat, throw in thrown.items()}
