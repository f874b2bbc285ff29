"""Values, seats and facts: what players answer, what a game says of them, and how both are written."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from errors import ThrowlockError

Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]
Seat = int
"""A player's place at the table, from 1; 0 is ``BOX``."""
BOX: Seat = 0
"""The box itself, which answers whatever is random: a shuffle, a draw."""
STOP_ANSWER = "stop"
"""The answer to an optional prompt with which people end a game that would go on."""
Value = str | int | bool | None
"""One seat's answer; ``None`` when its time ran out or it showed nothing."""
Answers = Mapping[Seat, Value]
"""The answers to one prompt, by seat."""
Facts = Mapping[str, Json]
"""The facts of an event or a prompt by name, as they are written: seats are text."""
FactValue = (
    None | bool | int | float | str | Sequence["FactValue"] | Mapping[Seat, "FactValue"] | Mapping[str, "FactValue"]
)
"""A fact as games and screens have it: by seat, ``{1: 10, 2: 5}``, or by name."""
FactValues = Mapping[str, FactValue]
"""The facts of an event or a prompt by name."""
Names = Mapping[Seat, str]
"""The players' names."""


def fact_to_json(value: FactValue) -> Json:
    """Return a fact as it is written: seats as text, a throw as its word."""
    if isinstance(value, Mapping):
        return {str(key): fact_to_json(part) for key, part in value.items()}
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Sequence):
        return [fact_to_json(part) for part in value]
    return value


def values_by_seat(fact: Json) -> dict[Seat, Json]:
    """Return the values by seat of a fact that is written as JSON; {} if its names are not all numbers."""
    if isinstance(fact, Mapping) and all(name.isdecimal() for name in fact):
        return {int(name): value for name, value in fact.items()}
    return {}


def by_seat(value: FactValue) -> dict[Seat, int]:
    """Return a fact that is a number for each seat; {} for any other."""
    if not isinstance(value, Mapping):
        return {}
    return {seat: number for seat, number in value.items() if isinstance(seat, int) and isinstance(number, int)}


def seats_to_json(facts: Mapping[Seat, FactValue]) -> dict[str, Json]:
    """Return facts by seat as they are written: ``{"1": 10, "2": 5}``."""
    return {str(seat): fact_to_json(fact) for seat, fact in facts.items()}


def quote(value: object, max_length: int = 40) -> str:
    """Return ``value`` as error messages quote it, cut to ``max_length`` characters."""
    if value is None or isinstance(value, bool):
        return {None: "nothing", True: "true", False: "false"}[value]
    if isinstance(value, int) and value.bit_length() > 128:
        return "a huge number"
    text = repr(value[: max_length + 1] if isinstance(value, str) else value)
    return text if len(text) <= max_length + 2 else text[:max_length] + "…"


class IllegalAnswerError(ThrowlockError, ValueError):
    """An answer the prompt does not allow. The message names the seat, the answer and what is allowed."""


class IllegalSetupError(ThrowlockError, ValueError):
    """A game can't be set up with this number of players or this option. The message says what is allowed."""


def _value_type(value: object) -> type:
    """Return the type used to compare values: ``str`` for string enums too, and ``bool`` is not ``int``."""
    return str if isinstance(value, str) else type(value)


@dataclass(frozen=True)
class Choices:
    """A list of allowed values."""

    values: tuple[Value, ...]

    def allows(self, value: Value) -> bool:
        """Whether ``value`` is listed (``True`` is not 1, but ``Throw.ROCK`` is "rock")."""
        return any(_value_type(v) is _value_type(value) and v == value for v in self.values)

    def draw(self, rng: Random) -> Value:
        """Draw one of the values, each equally likely."""
        return self.values[rng.randrange(len(self.values))]

    def as_json(self) -> Json:
        """Return the values as a list."""
        return list(self.values)


@dataclass(frozen=True)
class IntRange:
    """The integers from ``start`` to ``stop`` (inclusive) in steps of ``step``."""

    start: int
    stop: int
    step: int = 1

    def allows(self, value: Value) -> bool:
        """Whether ``value`` is an integer on one of the steps."""
        return (
            isinstance(value, int)
            and not isinstance(value, bool)
            and self.start <= value <= self.stop
            and (value - self.start) % self.step == 0
        )

    def draw(self, rng: Random) -> int:
        """Draw one of the integers, each equally likely."""
        return rng.randrange(self.start, self.stop + 1, self.step)

    def as_json(self) -> Json:
        """Return ``{"from", "to", "step"}``."""
        return {"from": self.start, "to": self.stop, "step": self.step}


@dataclass(frozen=True)
class FormattedText(Choices):
    """Text in a given format, or one of ``values`` (all that can be chosen without a keyboard)."""

    format_hint: str
    """Describes the format."""
    parse: Callable[[str], object]
    """Raises ValueError, saying what is wrong, for a text of another format."""

    def allows(self, value: Value) -> bool:
        """Whether ``value`` is listed or has the right format."""
        return super().allows(value) or not self.error_for(value)

    def error_for(self, value: Value) -> str:
        """Return what is wrong with ``value``, or an empty string if its format is right."""
        if not isinstance(value, str):
            return self.format_hint
        try:
            self.parse(value)
        except ValueError as error:
            return str(error)
        return ""

    def as_json(self) -> Json:
        """Return ``{"form": format_hint}``."""
        return {"form": self.format_hint}


@dataclass(frozen=True)
class CardChoices(Choices):
    """The kinds of card in a hand."""

    counts: Mapping[str, int] = field(compare=False)
    """How many of each kind the hand holds: 0 of a kind that can't be chosen."""


@dataclass(frozen=True)
class ChoicesAndMore(Choices):
    """Values, and more that a player may answer instead, such as resigning: no list of answers and no draw has them."""

    more: tuple[str, ...]

    def allows(self, value: Value) -> bool:
        """Whether ``value`` is one of either."""
        return super().allows(value) or value in self.more


AllowedValues = Choices | IntRange


def typed_text(value: Value) -> str:
    """Return a value as people type it."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def describe(allowed: AllowedValues) -> str:
    """Return the allowed values in words: "rock or paper or scissors", "0 to 10 in steps of 5"."""
    if isinstance(allowed, IntRange):
        step = f" in steps of {allowed.step}" if allowed.step != 1 else ""
        return f"{allowed.start} to {allowed.stop}{step}"
    listed = " or ".join(map(typed_text, allowed.values))
    return f"{listed}, or {allowed.format_hint}" if isinstance(allowed, FormattedText) else listed
