"""A game alone on standard input and output, one JSON object a line: for bots, other screens and tests. It is to a
game of this box what UCI is to a chess program."""

import json
import random
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Literal

from rules.engine import (
    BOX,
    Answers,
    Ask,
    Game,
    IllegalAnswerError,
    Json,
    Play,
    Seat,
    Value,
    quoted,
)
from throwlock.match.random_answers import draw

Chance = Literal["engine", "ask"]
"""Who answers what is left to chance: the engine itself from its seed, or the caller."""

ENDED = 0
HUNG_UP = 2
"""The statuses ``run`` returns: the game was played to its end, or the input ended before it."""


def run(
    game: Game,
    lines_in: Iterable[str | bytes],
    write: Callable[[str], None],
    seed: int = 0,
    chance: Chance = "engine",
    complain: Callable[[str], None] = lambda line: print(line, file=sys.stderr),
) -> int:
    """Play ``game`` with the caller::

        run(find("classic").set_up(2), sys.stdin.buffer, functools.partial(print, flush=True))

    ``write`` is given each line without its end, and must end and flush it. Lines as bytes are read as UTF-8. It
    writes what the game says and asks; every line that comes in gets an answer: what the game says to it, or
    ``{"error"}`` and the same question again. At the end it writes ``{"result"}`` and returns ENDED. If the lines
    end before, it hands ``complain`` one sentence and returns HUNG_UP. What ``write`` raises is passed on.
    """
    dice = random.Random(seed)
    lines = iter(lines_in)
    play = Play(game)
    news = tuple(play.said)
    while True:
        for said in news:
            write(json.dumps(said.as_json()))
        if play.result:
            write(json.dumps(play.result.as_json()))
            return ENDED
        assert play.asked is not None, "a game that has not ended asks something"
        answers = _answered(play.asked, lines, write, dice if chance == "engine" else None)
        if answers is None:
            complain(f"the input ended while {game.rules.name} waited for an answer to {play.asked.kind}")
            return HUNG_UP
        news = play.answer(answers)


def _answered(
    ask: Ask, lines: Iterator[str | bytes], write: Callable[[str], None], dice: random.Random | None
) -> Answers | None:
    """Answers the ask allows: what is left to chance from ``dice`` (``None``: from the caller), the rest from the
    caller, asked until it is right. ``None`` where the lines end before."""
    drawn: dict[Seat, Value] = {}
    if dice and BOX in ask.seats:
        drawn[BOX] = draw(ask.seats[BOX], dice)
        ask = replace(ask, seats={seat: options for seat, options in ask.seats.items() if seat != BOX})
    if not ask.seats:
        return drawn
    question = json.dumps(ask.as_json())
    write(question)
    for line in lines:
        try:
            return {**drawn, **ask.check(read_answers(line))}
        except IllegalAnswerError as fault:
            write(json.dumps({"error": str(fault)}))
            write(question)
    return None


FORM = 'the form is {"answers": {"1": VALUE, ...}}'


def read_answers(line: str | bytes) -> dict[Seat, Value]:
    """The answers a line holds, by seat. Whether the ask allows them is the ask's to check.

    Raises IllegalAnswerError when the line is anything but one JSON object with "answers" by seat.
    """
    message = _parsed(line)
    if not isinstance(message, dict) or message.keys() != {"answers"} or not isinstance(message["answers"], dict):
        raise IllegalAnswerError(f"the line holds no answers: {FORM}")
    answers: dict[Seat, Value] = {}
    for name, value in message["answers"].items():
        if not _is_seat(name):
            raise IllegalAnswerError(f"{quoted(name)} is no seat: {FORM}")
        if not isinstance(value, str | int | bool | None):
            raise IllegalAnswerError(
                f"seat {name} may not answer {_sort(value)}: a value is a word, a whole number, true, false or null"
            )
        answers[int(name)] = value
    return answers


def _parsed(line: str | bytes) -> Json:
    """The JSON value in a line. Raises IllegalAnswerError."""
    try:
        text = line.decode("utf-8") if isinstance(line, bytes) else line
        value: Json = json.loads(text, object_pairs_hook=_no_twins)
    except IllegalAnswerError:
        raise
    except UnicodeDecodeError:
        raise IllegalAnswerError(f"the line is not UTF-8: {FORM}") from None
    except RecursionError:
        raise IllegalAnswerError(f"the line is nested too deeply: {FORM}") from None
    except ValueError as fault:  # not JSON, or a number of thousands of digits
        why = fault.msg if isinstance(fault, json.JSONDecodeError) else "a number too long to read"
        raise IllegalAnswerError(f"the line is not JSON ({why}): {FORM}") from None
    return value


def _no_twins(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    """An object whose names differ: of two answers for one seat, neither is the right one."""
    named = dict(pairs)
    if len(named) < len(pairs):
        raise IllegalAnswerError(f"a name stands twice in one object: {FORM}")
    return named


def _is_seat(name: str) -> bool:
    """Whether ``name`` is a seat's number as the engine writes it: no sign, no blank, no leading nought."""
    return name.isascii() and name.isdecimal() and len(name) <= 9 and str(int(name)) == name


def _sort(value: object) -> str:
    """What sort of value it is, for people."""
    return {float: f"{value!r}, which is not written as a whole number", list: "a list", dict: "an object"}.get(
        type(value), "that"
    )
