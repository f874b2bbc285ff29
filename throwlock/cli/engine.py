"""``throwlock engine``: a game on standard input and output, one JSON object per line, for bots, other user interfaces
and tests: what UCI is to a chess engine."""

import functools
import json
import random
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import BinaryIO, Literal, get_args

import click

from device.system.input_files import MAX_ENGINE_LINE_BYTES
from messages import shorten
from rules.engine import (
    BOX,
    Answers,
    Game,
    IllegalAnswerError,
    Json,
    Play,
    Prompt,
    Seat,
    Value,
    quote,
)
from throwlock.cli.options import UsageError, option_option, print_error, seats_option, set_up_game
from throwlock.match.random_answers import draw_answer

Chance = Literal["engine", "ask"]
"""Who draws what is left to chance: the engine, from its seed, or the caller."""

MAX_ERROR_LETTERS = 300
"""Of an error: one that lists the seats of a class would be as long as the question that follows it."""
GAME_ENDED = 0
INPUT_ENDED = 2
"""Exit statuses that ``run`` returns: the game ended, or the input ended before it."""


@click.command()
@click.argument("game")
@seats_option
@option_option
@click.option("--seed", default=0, show_default=True, type=int, help="Random seed for what the engine draws.")
@click.option(
    "--chance",
    type=click.Choice(get_args(Chance)),
    default="engine",
    show_default=True,
    help="Who draws what is left to chance: the engine, from its seed, or the caller.",
)
def engine(game: str, seats: int, options: tuple[str, ...], seed: int, chance: Chance) -> None:
    """Play a game on standard input and output, one JSON object per line."""
    if sys.stdin is None:
        raise UsageError("standard input is closed: the engine reads answers from it, one JSON object per line")
    write = functools.partial(print, flush=True)
    lines = read_lines(sys.stdin.buffer)
    sys.exit(run(set_up_game(game, seats, options), lines, write, seed, chance, print_error))


def read_lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of ``stream``. Raises UsageError at a line of more than ``MAX_ENGINE_LINE_BYTES``."""
    while line := stream.readline(MAX_ENGINE_LINE_BYTES + 1):
        if len(line) > MAX_ENGINE_LINE_BYTES:
            raise UsageError(f"the input has a line of more than {MAX_ENGINE_LINE_BYTES >> 20} MiB: {ANSWER_FORM}")
        yield line


def run(
    game: Game,
    lines_in: Iterable[str | bytes],
    write: Callable[[str], None],
    seed: int = 0,
    chance: Chance = "engine",
    print_error: Callable[[str], None] = lambda line: print(line, file=sys.stderr),
) -> int:
    """Play ``game`` with the caller::

        run(find_game("classic").set_up(2), sys.stdin.buffer, functools.partial(print, flush=True))

    Writes the game's events and prompts; each line read is answered with the events it caused, or with ``{"error"}``
    and the same prompt again. At the end of the game it writes ``{"result"}``.

    Args:
        game: The game to play.
        lines_in: The answers; bytes are decoded as UTF-8.
        write: Takes each line without its newline, and must add that and flush.
        seed: Random seed for what the engine draws.
        chance: Who draws what is left to chance.
        print_error: Takes one sentence if the input ends before the game.

    Returns:
        GAME_ENDED, or INPUT_ENDED if the input ended first.
    """
    rng = random.Random(seed)
    lines = iter(lines_in)
    play = Play(game)
    events = tuple(play.events)
    while True:
        for event in events:
            write(json.dumps(event.as_json()))
        if play.result:
            write(json.dumps(play.result.as_json()))
            return GAME_ENDED
        assert play.prompt is not None, "a game that has not ended asks something"
        answers = _ask(play.prompt, lines, write, rng if chance == "engine" else None)
        if answers is None:
            print_error(f"the input ended while {game.rules.name} waited for an answer to {play.prompt.kind}")
            return INPUT_ENDED
        events = play.answer(answers)


def _ask(
    prompt: Prompt, lines: Iterator[str | bytes], write: Callable[[str], None], rng: random.Random | None
) -> Answers | None:
    """Return answers that ``prompt`` allows: the box's drawn from ``rng`` (None: also from the caller), the others from
    the caller, asked until they are legal. None if the lines end first."""
    drawn: dict[Seat, Value] = {}
    if rng and BOX in prompt.seats:
        drawn[BOX] = draw_answer(prompt.seats[BOX], rng)
        prompt = replace(prompt, seats={seat: options for seat, options in prompt.seats.items() if seat != BOX})
    if not prompt.seats:
        return drawn
    question = json.dumps(prompt.as_json())
    write(question)
    for line in lines:
        try:
            return {**drawn, **prompt.check(read_answers(line))}
        except IllegalAnswerError as error:
            write(json.dumps({"error": shorten(str(error), MAX_ERROR_LETTERS)}))
            write(question)
    return None


ANSWER_FORM = 'the form is {"answers": {"1": VALUE, ...}}'


def read_answers(line: str | bytes) -> dict[Seat, Value]:
    """Parse the answers in a line, by seat; whether the prompt allows them is not checked.

    Raises:
        IllegalAnswerError: The line is not one JSON object with "answers" by seat.
    """
    message = _parse(line)
    if not isinstance(message, dict) or message.keys() != {"answers"} or not isinstance(message["answers"], dict):
        raise IllegalAnswerError(f"the line holds no answers: {ANSWER_FORM}")
    answers: dict[Seat, Value] = {}
    for name, value in message["answers"].items():
        if not _is_seat(name):
            raise IllegalAnswerError(f"{quote(name)} is no seat: {ANSWER_FORM}")
        if not isinstance(value, str | int | bool | None):
            raise IllegalAnswerError(
                f"seat {name} may not answer {_describe_type(value)}: "
                "a value is a word, a whole number, true, false or null"
            )
        answers[int(name)] = value
    return answers


def _parse(line: str | bytes) -> Json:
    """Parse the JSON value in a line. Raises IllegalAnswerError."""
    try:
        text = line.decode("utf-8") if isinstance(line, bytes) else line
        value: Json = json.loads(text, object_pairs_hook=_reject_duplicates)
    except IllegalAnswerError:
        raise
    except UnicodeDecodeError:
        raise IllegalAnswerError(f"the line is not UTF-8: {ANSWER_FORM}") from None
    except RecursionError:
        raise IllegalAnswerError(f"the line is nested too deeply: {ANSWER_FORM}") from None
    except ValueError as error:  # not JSON, or a number of thousands of digits
        why = error.msg if isinstance(error, json.JSONDecodeError) else "a number too long to read"
        raise IllegalAnswerError(f"the line is not JSON ({why}): {ANSWER_FORM}") from None
    return value


def _reject_duplicates(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    """Build an object and reject duplicate keys: of two answers for one seat, neither is the right one."""
    unique = dict(pairs)
    if len(unique) < len(pairs):
        raise IllegalAnswerError(f"an object has the same key twice: {ANSWER_FORM}")
    return unique


def _is_seat(name: str) -> bool:
    """Whether ``name`` is a seat's number as the engine writes it: no sign, blank or leading zero."""
    return name.isascii() and name.isdecimal() and len(name) <= 9 and str(int(name)) == name


def _describe_type(value: object) -> str:
    """Describe the type of a wrong value."""
    return {float: f"{value!r}, which is not written as a whole number", list: "a list", dict: "an object"}.get(
        type(value), "that"
    )
