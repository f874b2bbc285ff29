"""The engine that runs every game.

A game is a generator (a ``Script``) that reads like its rule sheet: it yields a ``Prompt`` when players must answer and
a ``GameEvent`` when something happened, and never learns who answers: a camera, a button, a bot or a journal.
``Play`` runs a game one answer at a time; ``replay`` runs it through a list of answers.
"""

import re
from collections.abc import Callable, Container, Generator, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Self

from typing_extensions import override

from errors import ThrowlockError
from messages import N
from rules.scoreboard import ShownFact

if TYPE_CHECKING:
    from rules.explanation import ExplanationPage

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
SentenceMaker = Callable[[Any, Names], str | Sequence[str]]
"""Returns the sentence or sentences about an event, which is of the class that the game yields for its kind."""
SummaryMaker = Callable[[Sequence[Any], Names], Sequence[str]]
"""Returns the sentences about several events of a kind."""


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

    def as_json(self) -> Json:
        """Return ``{"from", "to", "step"}``."""
        return {"from": self.start, "to": self.stop, "step": self.step}


@dataclass(frozen=True)
class FormattedText(Choices):
    """Text in a given format, or one of ``values`` (all that can be chosen without a keyboard).

    ``format_hint`` describes the format; ``parse`` raises ValueError, saying what is wrong, for any other text.
    """

    format_hint: str
    parse: Callable[[str], object]

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
    """The kinds of card in a hand, with ``counts`` of how many of each it holds: 0 of a kind that can't be chosen."""

    counts: Mapping[str, int] = field(compare=False)


AllowedValues = Choices | IntRange


def describe(allowed: AllowedValues) -> str:
    """Return the allowed values in words: "rock or paper or scissors", "0 to 10 in steps of 5"."""
    if isinstance(allowed, IntRange):
        step = f" in steps of {allowed.step}" if allowed.step != 1 else ""
        return f"{allowed.start} to {allowed.stop}{step}"
    listed = " or ".join({True: "yes", False: "no"}[v] if isinstance(v, bool) else str(v) for v in allowed.values)
    return f"{listed}, or {allowed.format_hint}" if isinstance(allowed, FormattedText) else listed


@dataclass(frozen=True)
class GameText:
    """The words of a game. What is not in it has the words all games share (``rules.text``), or its code name.

    Attributes:
        sentences: What is said about each kind of event: a message, which ``rules.text.fill`` fills in, or a function.
        summaries: What a page that shows the throws says instead about several events of a kind, about the throws of
            several groups, such as pairs who play at the same time, or of more than two players.
        headings: The heading of each kind of event in a word or two.
        headlines: The headline of each kind of prompt, if its phase and round don't make one: a function of the prompt.
        questions: The question of each kind of prompt: a message, or a function of the prompt.
        hints: What to know when a kind of prompt comes up for the first time, likewise.
        words: The words for other names in the game's code: options, their values, facts, phases, answers. Where a name
            means several things, "start.throw" is the value "throw" of the option "start", and "table.reset" the answer
            "reset" to the prompt "table".
        time_outs: What it means, for each kind of prompt, when a player's time runs out: a clause after a colon.
        score_unit: What scores count: "point" or "chip"; "" if they only say who has won.
        scoreboard: The facts of events, prompts and results that the scoreboard shows, by name. "bet.chips" is the fact
            "chips" of the event or prompt "bet" only, "result.pot" one of the result; None there: it isn't shown.
    """

    sentences: Mapping[str, str | SentenceMaker] = field(default_factory=dict)
    summaries: Mapping[str, SummaryMaker] = field(default_factory=dict)
    headings: Mapping[str, str] = field(default_factory=dict)
    headlines: Mapping[str, "Callable[[Prompt], str]"] = field(default_factory=dict)
    questions: Mapping[str, "str | Callable[[Prompt], str]"] = field(default_factory=dict)
    hints: Mapping[str, "str | Callable[[Prompt], str]"] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    time_outs: Mapping[str, str] = field(default_factory=dict)
    score_unit: str = "point"
    scoreboard: Mapping[str, ShownFact | None] = field(default_factory=dict)


NO_TEXT = GameText()
"""The text of a game without words of its own."""


@dataclass(frozen=True)
class TimeLimit:
    """How long a seat has for an answer."""

    seconds: float
    default: Value = None
    """The answer of a seat whose time ran out."""


@dataclass(frozen=True)
class Prompt:
    """A question to one or more seats. Everybody sees an answer at once, unless the prompt is of a kind that hides it:
    ``SealedPrompt``, ``ThrowPrompt`` or ``SecretPrompt``."""

    kind: str
    """What is asked for, such as "throw" or "bet"."""
    seats: Mapping[Seat, AllowedValues]
    """The seats asked, with the values each may answer."""
    about: FactValues = field(default_factory=lambda: MappingProxyType({}))
    """Facts players should know when they answer."""
    time_limit: TimeLimit | None = field(default=None, kw_only=True)
    text: GameText = field(default=NO_TEXT, compare=False, repr=False, kw_only=True)
    """The words of the game that asks; set by ``Play``."""

    is_optional: ClassVar[bool] = False
    """Whether seats may be left out of the answers."""
    is_private: ClassVar[bool] = False
    """Whether nobody sees another seat's answer before all are in, if at all."""
    is_secret: ClassVar[bool] = False
    """Whether nobody sees another seat's options, nor its answer when all are in."""

    @property
    def opened_by(self) -> str | None:
        """The kind of the event that opens the answers to everybody: all, or those of the seats that the event has in a
        fact of the same name. None if they are open when all are in, "" if no event tells them whole."""
        return None

    @property
    def seconds(self) -> float | None:
        """The time to answer; None for no limit."""
        return self.time_limit.seconds if self.time_limit else None

    @property
    def default(self) -> Value:
        """The answer of a seat whose time ran out."""
        return self.time_limit.default if self.time_limit else None

    @property
    def allows_no_answer(self) -> bool:
        """Whether ``None`` is an answer that the game has a rule for."""
        return self.time_limit is not None

    def check(self, answers: Answers) -> dict[Seat, Value]:
        """Return the answers as plain values, with ``default`` for seats whose time ran out.

        Raises:
            IllegalAnswerError: A seat is missing, was not asked, or gave a value that is not allowed.
        """
        for seat in answers:
            if seat not in self.seats:
                raise self._refusal(N("seat {seat} was not asked: {kind} is for {seats}"), quote(seat))
        full: dict[Seat, Value] = {}
        for seat, options in self.seats.items():
            if seat not in answers and self.is_optional:
                continue
            if seat not in answers:
                raise self._refusal(N("seat {seat} has not answered: {kind} is for {seats}"), seat)
            value = self.default if answers[seat] is None else answers[seat]
            if not ((value is None and self.allows_no_answer) or options.allows(value)):
                message = N("seat {seat} may not answer {value} to {kind}: {allowed}")
                raise self._refusal(message, seat, value=quote(value), allowed=describe(options))
            full[seat] = str(value) if isinstance(value, str) else value
        return full

    def _refusal(self, message: str, seat: object, **fields: str) -> IllegalAnswerError:
        seats = ("seat " if len(self.seats) == 1 else "seats ") + ", ".join(map(str, self.seats))
        return IllegalAnswerError(N(message, seat=seat, kind=self.kind, seats=seats, **fields))

    def as_json(self) -> dict[str, Json]:
        """Return the line ``throwlock record`` prints, and ``throwlock engine`` with more keys."""
        line: dict[str, Json] = {
            "ask": self.kind,
            "seats": seats_to_json({seat: options.as_json() for seat, options in self.seats.items()}),
            "sealed": self.is_private,
            "seconds": self.seconds,
        }
        if self.is_optional:
            line["optional"] = True
        if self.about:
            line["about"] = {name: fact_to_json(value) for name, value in self.about.items()}
        return line

    def to_seats(self, seats: Container[Seat]) -> Self:
        """Return the prompt to those of its seats alone that are in ``seats``."""
        return replace(self, seats={seat: options for seat, options in self.seats.items() if seat in seats})

    def to_players(self) -> Self:
        """Return the prompt without the box, which draws its own answer."""
        return self.to_seats(self.seats.keys() - {BOX})

    def visible_to(self, seat: Seat | None) -> Self:
        """Return the prompt as ``seat`` (``None``: a spectator) may see it, without other seats' secret options."""
        return self

    def visible_answers(self, answers: Answers, seat: Seat | None) -> dict[Seat, Value]:
        """Return those of the ``answers`` given so far that ``seat`` (``None``: a spectator) may see.

        A seat always sees its own. What the box answered is never shown: the game yields an event for what is public
        of it.
        """
        is_open = self.opened_by is None and (not self.is_private or self.seats.keys() <= answers.keys())
        return {asked: value for asked, value in answers.items() if asked != BOX and (is_open or asked == seat)}


class OptionalPrompt(Prompt):
    """A question that people are asked when they want to be: seats for which nothing changes may be left out of the
    answers."""

    is_optional = True


@dataclass(frozen=True)
class SealedPrompt(Prompt):
    """A question of whose answers nobody sees another's until all are in; and none until an event of the kind
    ``opened_by``, unless that is None."""

    opened_by: str | None = field(default=None, kw_only=True)

    is_private = True


@dataclass(frozen=True)
class ThrowPrompt(SealedPrompt):
    """The question for a throw on the shout, by hand or by card. Without seats it asks nobody, and waits for the throw
    of others (``rules.parallel``)."""

    kind: str = field(default="throw", init=False)
    may_be_missing: bool = field(default=False, kw_only=True)
    """Whether the game has a rule for a seat that shows nothing."""

    @property
    @override
    def allows_no_answer(self) -> bool:
        return self.may_be_missing or super().allows_no_answer


@dataclass(frozen=True)
class SecretPrompt(Prompt):
    """A question of which nobody else sees a seat's options or answer, such as a card placed face down, until an event
    of the kind ``opened_by``."""

    opened_by: str = field(default="", kw_only=True)

    is_private = True
    is_secret = True

    @override
    def visible_to(self, seat: Seat | None) -> Self:
        hidden = Choices(())
        return replace(
            self, seats={asked: options if asked == seat else hidden for asked, options in self.seats.items()}
        )


def ask_box(allowed: AllowedValues, about: FactValues, *, opened_by: str = "") -> SecretPrompt:
    """Return the prompt for a draw by the box, at random, which an event of the kind ``opened_by`` tells everybody."""
    return SecretPrompt("draw", {BOX: allowed}, about, opened_by=opened_by)


@dataclass(frozen=True)
class FactGroup:
    """Several facts that go together: each field is one. Those of a field of this type are written beside the others.

    A field's name is the fact's, with blanks for underscores; a fact that has the field's default is left out.
    """

    def __post_init__(self) -> None:
        # a game goes on changing its lists and mappings, while what it said stays
        for fact in fields(self):
            value = getattr(self, fact.name, None)
            if isinstance(value, dict | list):
                object.__setattr__(self, fact.name, dict(value) if isinstance(value, dict) else tuple(value))

    @cached_property
    def values(self) -> FactValues:
        """The facts by name."""
        values: dict[str, FactValue] = {}
        for fact in fields(self):
            value = getattr(self, fact.name)
            if fact.name in _ENVELOPE or (fact.default is not MISSING and value == fact.default):
                continue
            values |= value.values if isinstance(value, FactGroup) else {fact.name.replace("_", " "): value}
        return values

    @cached_property
    def facts(self) -> Facts:
        """The facts by name as journals, exports and ``throwlock engine`` write them."""
        return {name: fact_to_json(value) for name, value in self.values.items()}


_ENVELOPE = ("kind", "only", "text")
"""Fields of every event that are none of its facts."""


@dataclass(frozen=True)
class GameEvent(FactGroup):
    """Something that happened in the game. Each kind is a class, whose further fields are its facts: those all games
    share are in ``rules.events``, a game's own beside the game."""

    kind: str = field(init=False)
    """The kind in a word or two, a class attribute of each class."""
    only: Seat | None = field(default=None, kw_only=True)
    """The one seat that may see the event, such as the cards it was dealt; None if everybody may."""
    text: GameText = field(default=NO_TEXT, compare=False, repr=False, kw_only=True)
    """The words of the game; set by ``Play``."""

    def as_json(self) -> dict[str, Json]:
        """Return the line ``throwlock engine`` prints."""
        return {"say": self.kind, **({"only": self.only} if self.only is not None else {}), **self.facts}

    def is_visible_to(self, seat: Seat | None) -> bool:
        """Whether ``seat`` (``None``: a spectator) may see the event."""
        return self.only is None or self.only == seat


@dataclass(frozen=True)
class Result:
    """How a game ended: the winners (none in a draw), final scores, and ``details`` of the particular game. ``Play``
    sets ``text``, the game's words."""

    winners: tuple[Seat, ...]
    scores: Mapping[Seat, int]
    details: FactValues = field(default_factory=lambda: MappingProxyType({}))
    text: GameText = field(default=NO_TEXT, compare=False, repr=False)

    def as_json(self) -> dict[str, Json]:
        """Return the line ``throwlock engine`` prints."""
        details = {name: fact_to_json(value) for name, value in self.details.items()}
        return {"result": {"winners": list(self.winners), "scores": seats_to_json(self.scores), **details}}


Script = Generator[Prompt | GameEvent, dict[Seat, Value], Result]
"""A running game: yields prompts and events, receives answers, returns the result."""


@dataclass(frozen=True)
class Option:
    """An option of a game."""

    name: str
    allowed: AllowedValues
    default: Value
    description: str

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
                N("option {name} can't be {value}: {reason}", name=self.name, value=quote(value), reason=reason)
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


def allow_any_setup(setup: Setup) -> None:
    """The ``Rules.check`` of a game that can be played with every combination of its options."""


def explain_nothing(game: "Game") -> "Sequence[ExplanationPage]":
    """The ``Rules.how_to_play`` of a game that isn't explained on the screen."""
    return ()


@dataclass(frozen=True)
class Rules:
    """A game: its rules, its words, and samples of it. ``version`` changes whenever a rule does; journals record it.
    ``check`` raises IllegalSetupError for options that can't be played together, or by so many players.
    ``game_seconds``, how long a game takes, and ``min_age``, in years, are as the game's source gives them; None if it
    doesn't. ``how_to_play`` returns the pages that explain the game as it is set up (docs/adding-a-game.md)."""

    name: str
    title: str
    version: int
    min_players: int
    max_players: int
    description: str
    options: tuple[Option, ...]
    script: Callable[[Setup], Script]
    text: GameText = field(default=NO_TEXT, compare=False, repr=False)
    samples: tuple[SampleMatch, ...] = field(default=(SampleMatch(),), compare=False, repr=False)
    check: Callable[[Setup], None] = field(default=allow_any_setup, compare=False, repr=False)
    game_seconds: int | None = None
    min_age: int | None = None
    how_to_play: "Callable[[Game], Sequence[ExplanationPage]]" = field(
        default=explain_nothing, compare=False, repr=False
    )
    says_outcomes: bool = field(default=False, compare=False, repr=False)
    """Whether only its events say who won a throw, since its options change what beats what."""

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


@dataclass(frozen=True)
class GameState:
    """A game after some answers: its events so far, the current prompt (``None`` at the end), the result."""

    events: tuple[GameEvent, ...]
    prompt: Prompt | None
    result: Result | None


class Play:
    """A game being played, one answer at a time::

        play = Play(rules.set_up(2))
        while play.prompt:
            new_events = play.answer(choose_answers(play.prompt))

    ``events`` grows with the game; ``prompt`` is the current question (``None`` at the end); ``result`` is ``None``
    until the end. The same answers always give the same play.
    """

    def __init__(self, game: Game) -> None:
        self.events: list[GameEvent] = []
        self.prompt: Prompt | None = None
        self.result: Result | None = None
        self._script = game.rules.script(game.setup)
        self._text = game.rules.text
        self._advance(None)

    def answer(self, answers: Answers) -> tuple[GameEvent, ...]:
        """Answer the prompt and return the events that follow. A refused answer changes nothing.

        Raises:
            IllegalAnswerError: The prompt does not allow the answers, or the game has ended.
        """
        if self.prompt is None:
            raise IllegalAnswerError(N("an answer after the end of the game"))
        event_count = len(self.events)
        self._advance(self.prompt.check(answers))
        return tuple(self.events[event_count:])

    def state(self) -> GameState:
        """Return a snapshot of the game."""
        return GameState(tuple(self.events), self.prompt, self.result)

    def _advance(self, answers: dict[Seat, Value] | None) -> None:
        """Run the script to its next prompt or its end."""
        try:
            step = next(self._script) if answers is None else self._script.send(answers)
            while isinstance(step, GameEvent):
                self.events.append(replace(step, text=self._text))
                step = next(self._script)
            self.prompt = replace(step, text=self._text)
        except StopIteration as end:
            self.prompt, self.result = None, replace(end.value, text=self._text)


def replay(game: Game, answers: Iterable[Answers]) -> GameState:
    """Run ``game`` from its start through ``answers`` and return its state.

    Raises:
        IllegalAnswerError: An answer is not allowed, or there are more answers than prompts.
    """
    play = Play(game)
    for answer in answers:
        play.answer(answer)
    return play.state()
