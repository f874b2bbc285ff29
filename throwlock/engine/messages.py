"""The messages of the engine's protocol: one JSON object per line, each a model here; docs/engine.md describes them."""

import functools
import json
from collections.abc import Mapping
from importlib.metadata import version
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal, NoReturn, get_args

from pydantic import BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import PydanticCustomError
from pydantic_core.core_schema import DictSchema
from typing_extensions import override

from errors import ThrowlockError
from rules.catalogue import GAMES
from rules.engine import Json, quote
from rules.record.event import Answer, Record
from throwlock.journal.events import AnsweringSeat, ResultRecord

PROTOCOL: Final = 1
"""Version of the protocol: a bot written for it keeps working as long as it does not change."""
MAX_SEED = 2**53 - 1
"""Largest seed that is drawn: every JSON reader has integers up to it."""
COMMAND_FORM = 'write {"answers": {"1": VALUE, ...}}, or new, position, history, undo or quit'

Chance = Literal["engine", "ask"]
"""Who draws what is left to chance: the engine, from its seed, or the caller."""
Seed = Annotated[int, Field(ge=0)]
Seat = Annotated[int, Field(ge=1, le=1_000_000)]


def _read_answers(answers: object) -> object:
    """Check answers by seat as they were read from JSON; whether the prompt allows them is not checked."""
    if not isinstance(answers, dict):
        raise ValueError(f"the answers are not by seat: {COMMAND_FORM}")
    read: dict[int, object] = {}
    for name, value in answers.items():
        if not _is_seat(name):
            raise ValueError(f"{quote(name)} is no seat: {COMMAND_FORM}")
        read[int(name)] = _check_value(value, f"seat {name} may not answer")
    return read


def _read_options(options: object) -> object:
    """Check the types of options that were read from JSON; what is no object is refused later."""
    if isinstance(options, dict):
        return {name: _check_value(value, f"option {quote(name)} may not be") for name, value in options.items()}
    return options


def _check_value(value: object, refusal: str) -> object:
    if not isinstance(value, str | int | bool | None):
        raise ValueError(f"{refusal} {_describe_type(value)}: a value is a word, a whole number, true, false or null")
    return value


def _check_true(value: object) -> object:
    """Check that a value is true and not the number 1, which Python takes for the same."""
    if value is not True:
        raise PydanticCustomError("literal_error", "not true", {"expected": "true"})
    return value


def _is_seat(name: str) -> bool:
    """Whether ``name`` is a seat's number as the engine writes it: no sign, blank or leading zero."""
    return name.isascii() and name.isdecimal() and len(name) <= 6 and str(int(name)) == name


def _describe_type(value: object) -> str:
    return {float: f"{value!r}, which is not written as a whole number", list: "a list", dict: "an object"}.get(
        type(value), "that"
    )


True_ = Annotated[Literal[True], BeforeValidator(_check_true)]
AnswersBySeat = Annotated[dict[AnsweringSeat, Answer], BeforeValidator(_read_answers)]


class Range(Record):
    """The whole numbers from ``from`` to ``to``, both included, in steps of ``step``."""

    model_config = ConfigDict(validate_by_name=True, serialize_by_alias=True)
    first: Annotated[int, Field(alias="from")]
    last: Annotated[int, Field(alias="to")]
    step: Annotated[int, Field(ge=1)]


class TextForm(Record):
    """Any text in a format; no game of the box asks for one."""

    form: Annotated[str, Field(description="the format in words")]


Allowed = tuple[Answer, ...] | Range | TextForm
"""What a seat may answer: one of a list, a number of a range, or text in a format."""


# What the engine writes


class HelloMessage(Record):
    """The first line the engine writes."""

    hello: Annotated[Literal["throwlock"], Field(description="who writes")]
    version: Annotated[str, Field(description="Throwlock's version")]
    protocol: Annotated[Literal[1], Field(description="the version of these messages")]
    games: Annotated[tuple[str, ...], Field(description="the games that can be played")]


class NewGameMessage(Record):
    """A game is set up. Everything before it is over: it also comes first after `position` and `undo`, and everything
    that happened in the game so far follows it once more."""

    new: Annotated[str, Field(description="the game's name")]
    rules_version: Annotated[int, Field(description="changes whenever a rule of the game does")]
    seats: Annotated[Seat, Field(description="the number of players")]
    your_seats: Annotated[tuple[Seat, ...], Field(description="the seats you answer for")]
    options: Annotated[dict[str, Answer], Field(description="every option of the game")]
    chance: Annotated[Chance, Field(description="who draws: the engine from the seed, or you, who are asked")]
    seed: Annotated[
        Seed | None, Field(description="what the engine draws from; null if you may not know it, since others play")
    ]


class Say(Record):
    """Something happened in the game; its facts are further keys, which differ for each kind of event."""

    model_config = ConfigDict(extra="allow")
    say: Annotated[str, Field(description="the kind of event")]
    only: Annotated[Seat | None, Field(description="the seat that alone may see it; no other seat gets the line")] = (
        None
    )


class Ask(Record):
    """A question, which you answer with `answers` for each of its `seats`."""

    ask: Annotated[str, Field(description="what is asked for")]
    seats: Annotated[
        dict[AnsweringSeat, Allowed],
        Field(description="what each of your seats that are asked may answer; seat 0 draws"),
    ]
    others: Annotated[
        dict[Seat, Allowed | None],
        Field(description="what the other seats that are asked may answer; null where that is secret"),
    ] = Field(default_factory=dict)
    sealed: Annotated[bool, Field(description="whether nobody sees an answer before all are in")]
    secret: Annotated[bool, Field(description="whether nobody but a seat sees what it may answer, and answers")]
    seconds: Annotated[
        float | int | None, Field(description="the time people have to answer; the engine itself does not count it")
    ]
    optional: Annotated[
        bool, Field(description="whether seats for which nothing changes may be left out of the answers")
    ] = False
    null: Annotated[bool, Field(description="whether null is an answer")]
    default: Annotated[
        Answer,
        Field(description="what null counts as; null: no answer, for which the game has a rule. Only if null is one"),
    ] = None
    about: Annotated[dict[str, Any], Field(description="facts players should know when they answer")] = Field(
        default_factory=dict
    )


class AnswersMessage(Record):
    """All have answered: the answers that you may see; for null, what it counts as. Not sent if there are none."""

    answers: Annotated[dict[Seat, Answer], Field(description="by seat; the box's draws are never among them")]
    hidden: Annotated[tuple[Seat, ...], Field(description="the seats whose answers you may not see")] = ()


class ResultMessage(Record):
    """The game has ended."""

    result: Annotated[
        ResultRecord,
        Field(description="the winners' seats (none: a draw), the scores by seat, and what else the game has"),
    ]
    seed: Annotated[Seed | None, Field(description="the game's seed, if it was withheld until now")] = None


class StoppedMessage(Record):
    """The game has ended without a result."""

    stopped: Annotated[str, Field(description="why, in words")]
    seats: Annotated[
        tuple[Seat, ...], Field(description="the seats whose program can't play on; none if it is too long")
    ]


class HistoryMessage(Record):
    """The answers to each question so far, as the command `position` takes them."""

    history: Annotated[tuple[dict[AnsweringSeat, Answer], ...], Field(description="by question, then by seat")]


class ErrorMessage(Record):
    """The last line was refused and changed nothing. The open question follows once more."""

    error: Annotated[str, Field(description="what is wrong, in one line")]


Message = (
    HelloMessage
    | NewGameMessage
    | Say
    | Ask
    | AnswersMessage
    | ResultMessage
    | StoppedMessage
    | HistoryMessage
    | ErrorMessage
)  # fmt: skip
"""What the engine writes."""


# What the engine reads


class AnswersCommand(Record):
    """Answer the open question."""

    answers: Annotated[AnswersBySeat, Field(description="the answer of every seat in `seats`, unless it is `optional`")]


class NewCommand(Record):
    """Begin a game; one that is being played is given up."""

    new: Annotated[str, Field(description="the game's name")]
    seats: Annotated[int, Field(description="the number of players")] = 2
    options: Annotated[
        dict[str, Answer],
        BeforeValidator(_read_options),
        Field(description="options that differ from their defaults"),
    ] = Field(default_factory=dict)
    seed: Annotated[Seed | None, Field(description="what the engine draws from; null: a seed drawn at random")] = None
    chance: Annotated[Chance, Field(description="who draws: the engine, or you, who are asked")] = "engine"


class PositionCommand(Record):
    """Play the current game anew from its start, with the same seed, up to where these answers lead."""

    position: Annotated[tuple[AnswersBySeat, ...], Field(description="the answers to each question in turn")]


class HistoryCommand(Record):
    """Ask for the answers so far."""

    history: Annotated[True_, Field(description="always true")]


class UndoCommand(Record):
    """Take back the answers to the last questions, also after the result. The engine draws the same again."""

    undo: Annotated[int, Field(ge=1, description="how many questions")]


class QuitCommand(Record):
    """End the engine, at any time. So does the end of its input."""

    quit: Annotated[True_, Field(description="always true")]


Command = AnswersCommand | NewCommand | PositionCommand | HistoryCommand | UndoCommand | QuitCommand
"""What the engine reads."""
COMMANDS: Mapping[str, type[Command]] = MappingProxyType(
    {next(iter(command.model_fields)): command for command in get_args(Command)}
)
MESSAGES: Mapping[str, type[Message]] = MappingProxyType(
    {next(iter(message.model_fields)): message for message in get_args(Message)}
)
"""The models by the key that names them. No other message has it, and no event of a game has it as a fact."""


PROBLEMS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("int_type", "int_from_float"), "a whole number is needed"),
        **dict.fromkeys(("dict_type", "model_type"), "an object is needed"),
        "string_type": "text is needed",
        "tuple_type": "a list is needed",
        "literal_error": "{expected} is needed",
        "greater_than_equal": "it is less than {ge}",
        "less_than_equal": "it is more than {le}",
        "extra_forbidden": "there is no such key",
        "missing": "it is missing",
        "json_invalid": "it has half of a letter of two",
    }
)
"""What is wrong with a value, by pydantic's type of error, in the words of docs/engine.md."""


class CommandError(ThrowlockError, ValueError):
    """A line that is no command. The message says why, in one line."""


def encode(message: Message | Command) -> str:
    """Return a message as its line, without the newline and without what was not set."""
    return json.dumps(message.model_dump(mode="json", exclude_unset=True))


@functools.cache
def hello() -> HelloMessage:
    """Return the engine's first message."""
    return HelloMessage(hello="throwlock", version=version("throwlock"), protocol=PROTOCOL, games=tuple(GAMES))


def parse_command(line: str | bytes) -> Command:
    """Parse a line that the engine reads; bytes are decoded as UTF-8. Raises CommandError."""
    fields = _parse(line)
    names = COMMANDS.keys() & fields.keys() if isinstance(fields, dict) else ()
    if len(names) != 1:
        raise CommandError(f"the line holds no command: {COMMAND_FORM}")
    (name,) = names
    try:
        return COMMANDS[name].model_validate_json(json.dumps(fields))
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        if problem["type"] == "value_error":
            raise CommandError(str(problem["ctx"]["error"])) from None
        location = " ".join(quote(part) if isinstance(part, str) else f"#{part + 1}" for part in problem["loc"][:2])
        why = PROBLEMS.get(problem["type"], "it fits nothing").format(**problem.get("ctx", {}))
        raise CommandError(": ".join(filter(None, (f"{name} can't be read", location, why)))) from None


def _parse(line: str | bytes) -> Json:
    """Parse the JSON value in a line. Raises CommandError."""
    try:
        text = line.decode("utf-8") if isinstance(line, bytes) else line
        value: Json = json.loads(text, object_pairs_hook=_reject_duplicates, parse_constant=_reject_constant)
    except CommandError:
        raise
    except UnicodeDecodeError:
        raise CommandError(f"the line is not UTF-8: {COMMAND_FORM}") from None
    except RecursionError:
        raise CommandError(f"the line is nested too deeply: {COMMAND_FORM}") from None
    except ValueError as error:  # not JSON, or a number of thousands of digits
        why = error.msg if isinstance(error, json.JSONDecodeError) else "a number too long to read"
        raise CommandError(f"the line is not JSON ({why}): {COMMAND_FORM}") from None
    return value


def _reject_constant(name: str) -> NoReturn:
    """Reject NaN and infinities, which Python reads and JSON has not."""
    raise CommandError(f"the line is not JSON ({name} is no number of JSON): {COMMAND_FORM}")


def _reject_duplicates(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    """Build an object and reject duplicate keys: of two answers for one seat, neither is the right one."""
    unique = dict(pairs)
    if len(unique) < len(pairs):
        raise CommandError(f"an object has the same key twice: {COMMAND_FORM}")
    return unique


class _SeatKeysSchema(GenerateJsonSchema):
    """JSON Schema in which the keys of what is by seat are seats, as ``_is_seat`` has them."""

    @override
    def dict_schema(self, schema: DictSchema) -> JsonSchemaValue:
        described = super().dict_schema(schema)
        keys = schema.get("keys_schema", {})
        if keys.get("type") == "int":
            described["propertyNames"] = {
                "pattern": "^(0|[1-9][0-9]{0,5})$" if keys.get("ge") == 0 else "^[1-9][0-9]{0,5}$"
            }
        return described


def schema() -> dict[str, Any]:
    """Return the messages of both directions as JSON Schema 2020-12."""
    written: TypeAdapter[Any] = TypeAdapter(Message)
    read: TypeAdapter[Any] = TypeAdapter(Command)
    _, schemas = TypeAdapter.json_schemas(
        [("written", "serialization", written), ("read", "validation", read)],
        ref_template="#/$defs/{model}",
        schema_generator=_SeatKeysSchema,
    )
    definitions = schemas["$defs"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A line of the Throwlock engine's protocol, version {PROTOCOL}",
        "anyOf": [{"$ref": "#/$defs/written"}, {"$ref": "#/$defs/read"}],
        "$defs": {
            "written": {"description": "what the engine writes", "anyOf": _references(MESSAGES)},
            "read": {"description": "what the engine reads", "anyOf": _references(COMMANDS)},
            **definitions,
        },
    }


def _references(models: Mapping[str, type[Record]]) -> list[dict[str, str]]:
    return [{"$ref": f"#/$defs/{model.__name__}"} for model in models.values()]
