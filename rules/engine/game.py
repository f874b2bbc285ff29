"""A game: its rules with their options, and the game as it is set up."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from messages import N
from rules.engine.explanation import ExplanationPage
from rules.engine.script import NO_TEXT, GameText, Script
from rules.engine.values import AllowedValues, FormattedText, IllegalSetupError, IntRange, Value, describe, quote


@dataclass(frozen=True)
class Option:
    """An option of a game."""

    name: str
    allowed: AllowedValues
    default: Value
    description: str
    most_players: int | None = None
    """With more players it changes nothing; None: it matters for any number."""

    def parse(self, text: str) -> Value:
        """Return the value of ``text`` as typed on the command line. Raises IllegalSetupError if it is not allowed."""
        value: Value = text
        if isinstance(self.allowed, IntRange):
            value = int(text) if re.fullmatch("-?[0-9]{1,18}", text) else text
        elif self.allowed.values and isinstance(self.allowed.values[0], bool):
            value = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}.get(
                text.lower(), text
            )
        return self.check(value)

    def check(self, value: Value) -> Value:
        """Return ``value``. Raises IllegalSetupError if it is not allowed."""
        if not self.allowed.allows(value):
            reason = (
                self.allowed.error_for(value) if isinstance(self.allowed, FormattedText) else describe(self.allowed)
            )
            raise IllegalSetupError(
                N("option {name} can’t be {value}: {reason}", name=self.name, value=quote(value), reason=reason)
            )
        return value


@dataclass(frozen=True)
class Setup:
    """What a script is started with: the number of seats and every option's value by name."""

    seats: int
    options: Mapping[str, Value]

    def number(self, name: str) -> int:
        """Return the integer option ``name``."""
        return int(self.options[name] or 0)

    def choice(self, name: str) -> str:
        """Return the text option ``name``."""
        return str(self.options[name])


@dataclass(frozen=True)
class SampleMatch:
    """The number of players and the options of a match short enough for a demonstration or a test."""

    seats: int = 2
    options: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class Variation:
    """A way to play a game that its source doesn't have, started from its set-up in one touch."""

    title: str
    options: Mapping[str, Value]
    """What differs from the options that people have chosen."""


def allow_any_setup(setup: Setup) -> None:
    """The ``Rules.check`` of a game that can be played with every combination of its options."""


def use_no_printed_cards(setup: Setup) -> bool:
    """The ``Rules.uses_printed_cards`` of a game without cards of its own."""
    return False


def explain_nothing(game: "Game") -> Sequence[ExplanationPage]:
    """The ``Rules.how_to_play`` of a game that isn't explained on the screen."""
    return ()


@dataclass(frozen=True)
class Rules:
    """A game: its rules, its words, and samples of it."""

    name: str
    title: str
    version: int
    """Changes whenever a rule does; journals record it."""
    min_players: int
    max_players: int
    description: str
    options: tuple[Option, ...]
    script: Callable[[Setup], Script]
    text: GameText = field(default=NO_TEXT, compare=False, repr=False)
    samples: tuple[SampleMatch, ...] = field(default=(SampleMatch(),), compare=False, repr=False)
    demos: tuple[SampleMatch, ...] = field(default=(), compare=False, repr=False)
    """What ``throwlock demo`` plays of it: one with hands, and one with printed cards; by default its samples."""
    check: Callable[[Setup], None] = field(default=allow_any_setup, compare=False, repr=False)
    """Raises IllegalSetupError for options that can't be played together, or by so many players."""
    game_seconds: int | None = None
    """How long a game takes, as its source gives it; None if it doesn't."""
    min_age: int | None = None
    """The age in years from which it is played, likewise."""
    how_to_play: "Callable[[Game], Sequence[ExplanationPage]]" = field(
        default=explain_nothing, compare=False, repr=False
    )
    """Returns the pages that explain the game as it is set up (docs/adding-a-game.md)."""
    printed_cards: str = field(default="card", compare=False, repr=False)
    """The faces of the printed cards that it is played with, where it is: a ``MarkerKind``."""
    uses_printed_cards: Callable[[Setup], bool] = field(default=use_no_printed_cards, compare=False, repr=False)
    """Whether it is played with printed cards, whose way its events tell (``GameEvent.move_cards``)."""
    bare_hand_phases: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """The phases (a fact of the prompt) whose throws are made with hands even then."""
    picture: tuple[str, ...] = field(default=("rock", "paper", "scissors"), compare=False, repr=False)
    """The icons (files in ``ui/icons``) that stand for it where a game is chosen: three or four."""
    says_outcomes: bool = field(default=False, compare=False, repr=False)
    """Whether only its events say who won a throw, since its options change what beats what."""
    variation: Variation | None = field(default=None, compare=False, repr=False)
    opens_bets: bool = field(default=False, compare=False, repr=False)
    """Whether its players bet in secret, and then open their bets (``BetsOpened``)."""
    winning_score: Callable[[Setup], int] | None = field(default=None, compare=False, repr=False)
    """Returns the score that wins, where points are rounds won, which children see as stars; None: they are not."""
    has_board: bool = field(default=False, compare=False, repr=False)
    """Whether pieces are moved on a board, which can be printed; nobody wins a single round."""

    @property
    def player_range(self) -> str:
        """The number of players in words: "2", "2 to 8"."""
        return (
            f"{self.max_players:,}"
            if self.min_players == self.max_players
            else f"{self.min_players} to {self.max_players:,}"
        )

    def set_up(self, seats: int, options: Mapping[str, Value] | None = None) -> "Game":
        """Return the game for ``seats`` players; options not in ``options`` have their defaults.

        Raises:
            IllegalSetupError: The number of players, an option's name or its value is not allowed, or the options can't
                be played together.
        """
        if not self.min_players <= seats <= self.max_players:
            raise IllegalSetupError(
                N(
                    "{name} is for {allowed} players, not {seats}",
                    name=self.name,
                    allowed=self.player_range,
                    seats=seats,
                )
            )
        known = {option.name: option for option in self.options}
        chosen = {option.name: option.default for option in self.options}
        for name, value in (options or {}).items():
            if name not in known:
                raise IllegalSetupError(
                    N(
                        "{game} has no option {name}: it has {known}",
                        game=self.name,
                        name=quote(name),
                        known=", ".join(known) or N("none", "options"),
                    )
                )
            chosen[name] = known[name].check(value)
        setup = Setup(seats, MappingProxyType(chosen))
        self.check(setup)
        return Game(self, setup)


@dataclass(frozen=True)
class Game:
    """A game set up with its number of seats and options, ready to be played."""

    rules: Rules
    setup: Setup

    @property
    def uses_printed_cards(self) -> bool:
        """Whether it is played with printed cards, whose way its events tell."""
        return self.rules.uses_printed_cards(self.setup)
