"""What a game's script yields, prompts and events, and returns, its result; with the words of the game."""

from collections.abc import Callable, Container, Generator, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, Self

from typing_extensions import override

from messages import N
from rules.engine.scoreboard import ShownFact
from rules.engine.values import (
    BOX,
    AllowedValues,
    Answers,
    Choices,
    Facts,
    FactValue,
    FactValues,
    IllegalAnswerError,
    Json,
    Names,
    Seat,
    Value,
    describe,
    fact_to_json,
    quote,
    seats_to_json,
)


class CardLedger:
    """Keeps where printed cards are. A game's events tell it, each in its ``move_cards``; a subclass overrides what it
    keeps."""

    def use_boxes(self, boxes: int) -> None:
        """The pairs take their cards from ``boxes`` boxes."""

    def make_pairs(self, pairs: Sequence[Sequence[Seat]]) -> None:
        """The seats of each pair play with a deck of their own."""

    def take_hands(self, pair: Sequence[Seat], each: int) -> None:
        """All cards of a pair go back to its deck, and both take ``each`` cards of every throw."""

    def deal(self, of_each: int, hand: int) -> None:
        """A deck with ``of_each`` cards of every throw is shuffled, and ``hand`` cards are dealt to everybody."""

    def keep_shown(self, seats: Sequence[Seat]) -> None:
        """The cards that ``seats`` have just shown go to a match pile."""

    def discard_shown(self, seats: Sequence[Seat]) -> None:
        """The cards that ``seats`` have just shown are discarded."""

    def draw(self, pair: Sequence[Seat]) -> None:
        """Each seat of a pair draws a card from its deck."""

    def shuffle(self, pair: Sequence[Seat]) -> None:
        """A pair's discards are shuffled into a new deck, the first time the cards that are in no hand."""


SentenceMaker = Callable[[Any, Names], str | Sequence[str]]
"""Returns the sentence or sentences about an event, which is of the class that the game yields for its kind."""
SummaryMaker = Callable[[Sequence[Any], Names], Sequence[str]]
"""Returns the sentences about several events of a kind."""


@dataclass(frozen=True)
class GameText:
    """The words of a game. What is not in it has the words all games share (``rules.text``), or its code name."""

    sentences: Mapping[str, str | SentenceMaker] = field(default_factory=dict)
    """What is said about each kind of event: a message, which ``rules.text.fill`` fills in, or a function."""
    summaries: Mapping[str, SummaryMaker] = field(default_factory=dict)
    """What a page that shows the throws says instead about several events of a kind, about the throws of several
    groups, such as pairs who play at the same time, or of more than two players."""
    headings: Mapping[str, str] = field(default_factory=dict)
    """The heading of each kind of event in a word or two."""
    headlines: Mapping[str, "Callable[[Prompt], str]"] = field(default_factory=dict)
    """The headline of each kind of prompt, if its phase and round don't make one: a function of the prompt."""
    questions: Mapping[str, "str | Callable[[Prompt], str]"] = field(default_factory=dict)
    """The question of each kind of prompt: a message, or a function of the prompt."""
    hints: Mapping[str, "str | Callable[[Prompt], str]"] = field(default_factory=dict)
    """What to know when a kind of prompt comes up for the first time, likewise."""
    words: Mapping[str, str] = field(default_factory=dict)
    """The words for other names in the game's code: options, their values, facts, phases, answers. Where a name means
    several things, "start.throw" is the value "throw" of the option "start", and "table.reset" the answer "reset" to
    the prompt "table"."""
    time_outs: Mapping[str, str] = field(default_factory=dict)
    """What it means, for each kind of prompt, when a player's time runs out: a clause after a colon."""
    consequences: Mapping[str, "Callable[[Prompt, Seat, Value], str]"] = field(default_factory=dict)
    """What an answer to each kind of prompt costs its seat, or can win it; "" for nothing worth saying."""
    result_reason: "Callable[[Result, Names], str] | None" = None
    """Returns why the game ended, a sentence after who has won; "" for nothing worth saying."""
    score_unit: str = "point"
    """What scores count: "point" or "chip"; "" if they only say who has won."""
    scoreboard: Mapping[str, ShownFact | None] = field(default_factory=dict)
    """The facts of events, prompts and results that the scoreboard shows, by name. "bet.chips" is the fact "chips" of
    the event or prompt "bet" only, "result.pot" one of the result; None there: it isn't shown."""


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
    own_facts: Mapping[Seat, FactValues] = field(default_factory=lambda: MappingProxyType({}), kw_only=True)
    """What a seat alone knows, such as its hand: also of seats that aren't asked. No line of the engine's has it."""
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
        """Return the prompt as ``seat`` (``None``: a spectator) may see it, without other seats' secret options and
        their own facts."""
        own_facts = {owner: facts for owner, facts in self.own_facts.items() if owner == seat}
        return self if own_facts == self.own_facts else replace(self, own_facts=own_facts)

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
        seats = {asked: options if asked == seat else Choices(()) for asked, options in self.seats.items()}
        return replace(super().visible_to(seat), seats=seats)


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

    def move_cards(self, ledger: CardLedger) -> None:
        """Tell ``ledger`` which printed cards move; with most events none does."""


def visible_events(events: Iterable[GameEvent], seat: Seat | None = None) -> tuple[GameEvent, ...]:
    """Return those of ``events`` that ``seat`` (``None``: a spectator, and so everybody) may see."""
    return tuple(event for event in events if event.is_visible_to(seat))


@dataclass(frozen=True)
class Result:
    """How a game ended."""

    winners: tuple[Seat, ...]
    """Empty in a draw."""
    scores: Mapping[Seat, int]
    details: FactValues = field(default_factory=lambda: MappingProxyType({}))
    """Facts of the particular game."""
    text: GameText = field(default=NO_TEXT, compare=False, repr=False)
    """The game's words, which ``Play`` sets."""

    def as_json(self) -> dict[str, Json]:
        """Return the line ``throwlock engine`` prints."""
        details = {name: fact_to_json(value) for name, value in self.details.items()}
        return {"result": {"winners": list(self.winners), "scores": seats_to_json(self.scores), **details}}


Script = Generator[Prompt | GameEvent, dict[Seat, Value], Result]
"""A running game: yields prompts and events, receives answers, returns the result."""
