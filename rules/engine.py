"""The engine every game runs on. A game is a generator that reads like its rule sheet: it *asks* the table
and *says* what happened, and never knows who answers. ``Play`` runs one; ``replay`` is a Play through a list."""

import re
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from errors import ThrowlockError

Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]
Seat = int
"""Seats of a game start at 1. Seat 0 is the box itself, which answers what is left to chance."""
BOX: Seat = 0
Value = str | int | bool | None
"""One seat's answer; ``None`` when its time ran out or it showed nothing."""
Answers = Mapping[Seat, Value]


def quoted(value: object, longest: int = 40) -> str:
    """``value`` as a message quotes it: cut short, for an answer may be a megabyte."""
    if value is None or isinstance(value, bool):
        return {None: "nothing", True: "true", False: "false"}[value]
    if isinstance(value, int) and value.bit_length() > 128:
        return "a huge number"
    text = repr(value[: longest + 1] if isinstance(value, str) else value)
    return text if len(text) <= longest + 2 else text[:longest] + "…"


class IllegalAnswerError(ThrowlockError, ValueError):
    """An answer the ask does not allow. The message names the seat, the answer and what is allowed."""


class IllegalSetupError(ThrowlockError, ValueError):
    """A game that cannot be set up so: seats, or an option's name or value. The message says what is allowed."""


def _kind(value: object) -> type:
    """The type of a value; a word of an enumeration is a word."""
    return str if isinstance(value, str) else type(value)


@dataclass(frozen=True)
class Choices:
    """The answers allowed, listed."""

    values: tuple[Value, ...]

    def allows(self, value: Value) -> bool:
        """Whether ``value`` is one of the listed answers (``True`` is not 1, but ``Throw.ROCK`` is "rock")."""
        return any(_kind(v) is _kind(value) and v == value for v in self.values)

    def as_json(self) -> Json:
        """The list of answers."""
        return list(self.values)


@dataclass(frozen=True)
class Span:
    """The whole numbers from ``start`` to ``stop``, both included, in steps of ``step``."""

    start: int
    stop: int
    step: int = 1

    def allows(self, value: Value) -> bool:
        """Whether ``value`` is a whole number on a step of the span."""
        return (
            isinstance(value, int)
            and not isinstance(value, bool)
            and self.start <= value <= self.stop
            and (value - self.start) % self.step == 0
        )

    def as_json(self) -> Json:
        """``{"from", "to", "step"}``."""
        return {"from": self.start, "to": self.stop, "step": self.step}


@dataclass(frozen=True)
class Form(Choices):
    """Words of a form, too many to list, beside the ``values``, which are all that somebody without keys can choose.
    ``form`` describes it; ``read`` reads a word, or raises ValueError with what is wrong with it."""

    form: str
    read: Callable[[str], object]

    def allows(self, value: Value) -> bool:
        """Whether ``value`` is listed or of the form."""
        return super().allows(value) or not self.fault(value)

    def fault(self, value: Value) -> str:
        """What is wrong with ``value``, and nothing where it is of the form."""
        if not isinstance(value, str):
            return self.form
        try:
            self.read(value)
        except ValueError as fault:
            return str(fault)
        return ""

    def as_json(self) -> Json:
        """``{"form"}``, in words."""
        return {"form": self.form}


Options = Choices | Span


def described(options: Options) -> str:
    """What may be answered, for people: "rock or paper or scissors", "0 to 10 in steps of 5"."""
    if isinstance(options, Span):
        step = f" in steps of {options.step}" if options.step != 1 else ""
        return f"{options.start} to {options.stop}{step}"
    listed = " or ".join({True: "yes", False: "no"}[v] if isinstance(v, bool) else str(v) for v in options.values)
    return f"{listed}, or {options.form}" if isinstance(options, Form) else listed


def _listed(seats: Mapping[Seat, Options]) -> str:
    """The seats asked, for people."""
    return ("seat " if len(seats) == 1 else "seats ") + ", ".join(map(str, seats))


@dataclass(frozen=True)
class Ask:
    """A question to the seats named in ``seats``, with what each may answer. ``sealed``: nobody sees an answer
    until all are in. ``secret``: what a seat may answer and what it answers stay its own (a card put face down), until
    the game itself says it. ``seconds``: time to answer, after which ``default`` stands; ``None`` for no limit.
    ``no_answer``: whether ``None`` (nothing shown in time) is an answer the game has a rule for."""

    kind: str
    seats: Mapping[Seat, Options]
    sealed: bool = False
    seconds: float | None = None
    default: Value = None
    no_answer: bool = False
    secret: bool = False
    about: Mapping[str, Json] = field(default_factory=lambda: MappingProxyType({}))

    def check(self, answers: Answers) -> dict[Seat, Value]:
        """The answers in full and as plain values, a time-out replaced by the default.

        Raises IllegalAnswerError when a seat asked is missing, a seat not asked answers, or a value is not allowed.
        """
        for seat in answers:
            if seat not in self.seats:
                raise IllegalAnswerError(f"seat {quoted(seat)} was not asked: {self.kind} is for {_listed(self.seats)}")
        full: dict[Seat, Value] = {}
        for seat, options in self.seats.items():
            if seat not in answers:
                raise IllegalAnswerError(f"seat {seat} has not answered: {self.kind} is for {_listed(self.seats)}")
            value = answers[seat]
            if value is None and self.seconds is not None:
                value = self.default
            if not ((value is None and (self.no_answer or self.seconds is not None)) or options.allows(value)):
                raise IllegalAnswerError(
                    f"seat {seat} may not answer {quoted(value)} to {self.kind}: {described(options)}"
                )
            full[seat] = str(value) if isinstance(value, str) else value
        return full

    def as_json(self) -> dict[str, Json]:
        """The line ``throwlock engine`` prints for it."""
        line: dict[str, Json] = {
            "ask": self.kind,
            "seats": {str(seat): options.as_json() for seat, options in self.seats.items()},
            "sealed": self.sealed or self.secret,
            "seconds": self.seconds,
        }
        if self.about:
            line["about"] = dict(self.about)
        return line

    def seen_from(self, seat: Seat | None) -> "Ask":
        """The ask as ``seat`` (``None``: somebody who only watches) may see it: of a secret one, only who is asked and
        the seat's own options."""
        if not self.secret:
            return self
        hidden = Choices(())
        return replace(
            self, seats={other: options if other == seat else hidden for other, options in self.seats.items()}
        )


@dataclass(frozen=True)
class Say:
    """Something that happened, told to everybody; with ``only``, to that seat alone (the cards it was dealt)."""

    kind: str
    facts: Mapping[str, Json]
    only: Seat | None = None

    def as_json(self) -> dict[str, Json]:
        """The line ``throwlock engine`` prints for it."""
        return {"say": self.kind, **({"only": self.only} if self.only is not None else {}), **self.facts}

    def seen_from(self, seat: Seat | None) -> bool:
        """Whether ``seat`` (``None``: somebody who only watches) is told."""
        return self.only is None or self.only == seat


@dataclass(frozen=True)
class Result:
    """How a game ended. ``winners`` is empty where nobody won."""

    winners: tuple[Seat, ...]
    scores: Mapping[Seat, int]
    more: Mapping[str, Json] = field(default_factory=lambda: MappingProxyType({}))

    def as_json(self) -> dict[str, Json]:
        """The line ``throwlock engine`` prints for it."""
        scores: dict[str, Json] = {str(seat): points for seat, points in self.scores.items()}
        return {"result": {"winners": list(self.winners), "scores": scores, **self.more}}


def said_scores(scores: Mapping[Seat, int], **more: Json) -> Say:
    """The ``score`` every game says after anything that changes points or chips."""
    return Say("score", {"scores": {str(seat): points for seat, points in scores.items()}, **more})


Script = Generator[Ask | Say, dict[Seat, Value], Result]


@dataclass(frozen=True)
class Option:
    """An option of a game: what it may be, what it is if nobody says, and a line that explains it."""

    name: str
    allowed: Options
    default: Value
    about: str

    def read(self, text: str) -> Value:
        """The value written as ``text``, as on a command line. Raises IllegalSetupError."""
        value: Value = text
        if isinstance(self.allowed, Span):
            value = int(text) if re.fullmatch("-?[0-9]{1,18}", text) else text
        elif self.allowed.values and isinstance(self.allowed.values[0], bool):
            value = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}.get(
                text.lower(), text
            )
        return self.check(value)

    def check(self, value: Value) -> Value:
        """``value`` itself. Raises IllegalSetupError when the option may not be that."""
        if not self.allowed.allows(value):
            why = self.allowed.fault(value) if isinstance(self.allowed, Form) else self.described()
            raise IllegalSetupError(f"option {self.name} can't be {quoted(value)}: {why}")
        return value

    def described(self) -> str:
        """What the option may be, for people."""
        return described(self.allowed)


@dataclass(frozen=True)
class Setup:
    """What a script is started with: how many seats, and every option's value by name."""

    seats: int
    options: Mapping[str, Value]

    def number(self, name: str) -> int:
        """The option ``name`` of a game that lists it as a Span."""
        return int(self.options[name] or 0)

    def word(self, name: str) -> str:
        """The option ``name`` of a game that lists it as Choices of words."""
        return str(self.options[name])


@dataclass(frozen=True)
class Rules:
    """A game as the box knows it. ``version`` changes whenever a rule does, so that an old journal is read by
    the rules it was played by."""

    name: str
    title: str
    version: int
    fewest: int
    most: int
    about: str
    options: tuple[Option, ...]
    script: Callable[[Setup], Script]

    @property
    def players(self) -> str:
        """How many it is for, in words: "2", "2 to 8"."""
        return f"{self.most:,}" if self.fewest == self.most else f"{self.fewest} to {self.most:,}"

    def set_up(self, seats: int, options: Mapping[str, Value] | None = None) -> "Game":
        """The game for ``seats`` players with ``options``, the others at their defaults. Raises IllegalSetupError."""
        if not self.fewest <= seats <= self.most:
            raise IllegalSetupError(f"{self.name} is for {self.players} players, not {seats}")
        known = {option.name: option for option in self.options}
        chosen = {option.name: option.default for option in self.options}
        for name, value in (options or {}).items():
            if name not in known:
                raise IllegalSetupError(
                    f"{self.name} has no option {quoted(name)}: it has {', '.join(known) or 'none'}"
                )
            chosen[name] = known[name].check(value)
        return Game(self, Setup(seats, MappingProxyType(chosen)))


@dataclass(frozen=True)
class Game:
    """A game set up for a number of seats and options: what ``replay`` runs."""

    rules: Rules
    setup: Setup


@dataclass(frozen=True)
class Position:
    """Where a game stands after some answers: what it said so far, what it asks now (``None`` at the end) and
    its result (``None`` until then)."""

    said: tuple[Say, ...]
    asked: Ask | None
    result: Result | None


class Play:
    """A game being played, one answer at a time::

        play = Play(rules.set_up(2))
        while play.asked:
            news = play.answer(answers_to(play.asked))

    ``said`` grows with the game; ``asked`` is the question now (``None`` at the end), ``result`` how it ended
    (``None`` until then). The same answers always give the same play.
    """

    def __init__(self, game: Game) -> None:
        self.said: list[Say] = []
        self.asked: Ask | None = None
        self.result: Result | None = None
        self._script = game.rules.script(game.setup)
        self._go_on(None)

    def answer(self, answers: Answers) -> tuple[Say, ...]:
        """Answer the question and return what the game said to that. A refused answer changes nothing.

        Raises IllegalAnswerError when the question does not allow it or the game has ended.
        """
        if self.asked is None:
            raise IllegalAnswerError("an answer after the end of the game")
        heard = len(self.said)
        self._go_on(self.asked.check(answers))
        return tuple(self.said[heard:])

    def position(self) -> Position:
        """Where the game stands."""
        return Position(tuple(self.said), self.asked, self.result)

    def _go_on(self, answers: dict[Seat, Value] | None) -> None:
        """Run the script to its next question or its end."""
        try:
            step = next(self._script) if answers is None else self._script.send(answers)
            while isinstance(step, Say):
                self.said.append(step)
                step = next(self._script)
            self.asked = step
        except StopIteration as end:
            self.asked, self.result = None, end.value


def replay(game: Game, answers: Iterable[Answers]) -> Position:
    """Run ``game`` from its start through ``answers`` and say where it stands. Pure: the same answers always give
    the same position.

    Raises IllegalAnswerError when an answer is not allowed, or when there are more answers than questions.
    """
    play = Play(game)
    for answer in answers:
        play.answer(answer)
    return play.position()


def visible(ask: Ask, answered: Answers, seat: Seat | None) -> dict[Seat, Value]:
    """What ``seat`` (``None``: somebody who only watches) may see of the answers to ``ask`` given so far. A sealed
    ask shows nobody another's answer until all are in, a secret one never. What the box answered (a shuffle) is never
    shown: what is public of it the game says."""
    given = {other: value for other, value in answered.items() if other != BOX}
    if not ask.secret and (not ask.sealed or ask.seats.keys() <= answered.keys()):
        return given
    return {other: value for other, value in given.items() if other == seat}
