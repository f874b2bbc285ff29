"""``throwlock engine``: a game on lines of JSON, its bad input, its chance and its end."""

import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.system.input_files import MAX_ENGINE_LINE_BYTES
from rules.catalogue import GAMES, find_game
from rules.engine import (
    BOX,
    Choices,
    Game,
    IllegalAnswerError,
    IntRange,
    Prompt,
    Result,
    Rules,
    Script,
    Setup,
    score_event,
)
from throwlock.cli.engine import GAME_ENDED, INPUT_ENDED, MAX_ERROR_LETTERS, read_answers, read_lines, run
from throwlock.cli.options import UsageError
from throwlock.match.random_answers import draw_answer

Line = dict[str, Any]


class Caller:
    """The other side of the protocol: reads what the engine writes and answers each question with ``bot``."""

    def __init__(self, bot: Callable[[Line], str | bytes | None]) -> None:
        self.bot = bot
        self.heard: list[Line] = []
        self.complaints: list[str] = []

    def play(self, game: Game, seed: int = 0, chance: Any = "engine") -> int:
        return run(game, self._lines(), self._receive, seed, chance, self.complaints.append)

    def _receive(self, line: str) -> None:
        assert "\n" not in line
        self.heard.append(json.loads(line))

    def _lines(self) -> Iterator[str | bytes]:
        while (line := self.bot(self.heard[-1])) is not None:
            yield line

    def lines_of(self, kind: str) -> list[Any]:
        return [line[kind] for line in self.heard if kind in line]


def random_bot(seed: int) -> Callable[[Line], str]:
    """Legal answers, made from nothing but the question."""
    dice = random.Random(seed)

    def answer(question: Line) -> str:
        answers = {}
        for seat, options in question["seats"].items():
            if isinstance(options, list):
                answers[seat] = dice.choice(options)
            else:
                answers[seat] = dice.randrange(options["from"], options["to"] + 1, options["step"])
        return json.dumps({"answers": answers}) + "\n"

    return answer


def bot_from_list(lines: list[str | bytes]) -> Callable[[Line], str | bytes | None]:
    """A caller that sends these lines, whatever it hears, and hangs up."""
    left = iter(lines)
    return lambda _: next(left, None)


@given(name=st.sampled_from(sorted(GAMES)), more=st.integers(0, 6), seed=st.integers(0, 2**32))
@settings(deadline=None)
def test_game_ends_and_repeats_with_the_same_seed(name: str, more: int, seed: int) -> None:
    rules = find_game(name)
    game = rules.set_up(min(rules.min_players + more, rules.max_players))
    first, second = Caller(random_bot(seed)), Caller(random_bot(seed))
    assert first.play(game) == second.play(game) == GAME_ENDED
    assert first.heard == second.heard and not first.complaints
    assert list(first.heard[-1]) == ["result"]
    result = first.heard[-1]["result"]
    assert result.keys() >= {"winners", "scores"}
    scores = [line["scores"] for line in first.heard if line.get("say") == "score"]
    assert result["scores"] == (scores[-1] if scores else dict.fromkeys(result["scores"], 0))
    for line in first.heard[:-1]:
        assert line.keys() <= {"ask", "seats", "sealed", "seconds", "about", "optional"} or "say" in line


def test_lines_match_the_documented_format() -> None:
    caller = Caller(
        bot_from_list(['{"answers": {"1": "rock", "2": null}}\n', b'{"answers":{"1":"rock","2":"scissors"}}'])
    )
    assert caller.play(find_game("classic").set_up(2)) == GAME_ENDED
    throws = ["rock", "paper", "scissors"]
    question = {"ask": "throw", "seats": {"1": throws, "2": throws}, "sealed": True, "seconds": None}
    assert caller.heard == [
        {**question, "about": {"round": 1, "best_of": 3}},
        {"say": "won", "seat": 1, "throws": {"1": "rock", "2": None}},
        {"say": "score", "scores": {"1": 1, "2": 0}},
        {**question, "about": {"round": 2, "best_of": 3}},
        {"say": "won", "seat": 1, "throws": {"1": "rock", "2": "scissors"}},
        {"say": "score", "scores": {"1": 2, "2": 0}},
        {"result": {"winners": [1], "scores": {"1": 2, "2": 0}}},
    ]


BAD = [
    "",
    "\n",
    "hello",
    "{",
    "[]",
    "null",
    "5",
    '"answers"',
    "{}",
    '{"answer": {"1": "rock", "2": "rock"}}',
    '{"answers": {"1": "rock", "2": "rock"}, "say": "hi"}',
    '{"answers": ["rock", "rock"]}',
    '{"answers": null}',
    '{"answers": {}}',
    '{"answers": {"1": "rock"}}',
    '{"answers": {"1": "rock", "3": "rock"}}',
    '{"answers": {"1": "rock", "2": "rock", "3": "rock"}}',
    '{"answers": {"1": "rock", "2": "rock", "0": "rock"}}',
    '{"answers": {"1": "rock", "02": "rock"}}',
    '{"answers": {"1": "rock", " 2": "rock"}}',
    '{"answers": {"1": "rock", "-2": "rock"}}',
    '{"answers": {"1": "rock", "\\u0662": "rock"}}',
    '{"answers": {"1": "rock", "two": "rock"}}',
    '{"answers": {"1": "rock", "1": "rock", "2": "rock"}}',
    '{"answers": {"1": "rock", "2": "lizard"}}',
    '{"answers": {"1": "rock", "2": "Rock"}}',
    '{"answers": {"1": "rock", "2": 1}}',
    '{"answers": {"1": "rock", "2": true}}',
    '{"answers": {"1": "rock", "2": 0.5}}',
    '{"answers": {"1": "rock", "2": 1e999}}',
    '{"answers": {"1": "rock", "2": NaN}}',
    '{"answers": {"1": "rock", "2": -Infinity}}',
    '{"answers": {"1": "rock", "2": ["rock"]}}',
    '{"answers": {"1": "rock", "2": {"rock": 1}}}',
    '{"answers": {"1": "rock", "2": "\\ud800"}}',
    '{"answers": {"1": "rock", "2": ' + "9" * 5_000 + "}}",
    '{"answers": {"1": "rock", "2": ' + "9" * 4_000 + "}}",
    '{"answers": {"1": "rock", "2": "' + "a" * 1_000_000 + '"}}',
    '{"answers": {"1": "rock", "' + "2" * 1_000_000 + '": "rock"}}',
    "[" * 200_000,
    '{"answers":' * 100_000,
    "x" * 1_000_000,
    b"\xff\xfe\x00",
    b'{"answers": {"1": "rock", "2": "\xff"}}',
    b"\x00",
]


@pytest.mark.parametrize("line", BAD, ids=lambda line: repr(line[:50]))
def test_a_wrong_answer_gets_an_error_and_the_same_question(line: str | bytes) -> None:
    caller = Caller(bot_from_list([line, '{"answers": {"1": "rock", "2": "scissors"}}']))
    assert caller.play(find_game("classic").set_up(2, {"best_of": 1})) == GAME_ENDED
    question, error, again, *rest = caller.heard
    assert list(error) == ["error"] and 10 < len(error["error"]) < 250 and "\n" not in error["error"]
    assert question == again and question["ask"] == "throw"
    assert [next(iter(line)) for line in rest] == ["say", "say", "result"]


def test_an_error_that_lists_a_class_is_cut() -> None:
    caller = Caller(bot_from_list(['{"answers": {"9999": "rock"}}']))
    assert caller.play(find_game("battle").set_up(2_000)) == INPUT_ENDED
    (error,) = caller.lines_of("error")
    assert error.startswith("seat 9999 was not asked") and len(error) <= MAX_ERROR_LETTERS + 2


@pytest.mark.parametrize("bet", ["7", "15", "-5", "5.0", "true", '"5"', "1e1", "[5]", "1" + "0" * 100, "NaN"])
def test_a_wrong_bet_is_refused(bet: str) -> None:
    throws = ['{"answers": {"1": "rock", "2": "scissors"}}'] * 2 + ['{"answers": {"1": "rock", "2": "paper"}}']
    caller = Caller(
        bot_from_list(
            [*throws, f'{{"answers": {{"1": {bet}, "2": 0}}}}', '{"answers": {"1": 10, "2": null}}', throws[0]]
        )
    )
    assert caller.play(find_game("redeux").set_up(2, {"risk": "always"})) == INPUT_ENDED
    at = [place for place, line in enumerate(caller.heard) if "error" in line]
    assert len(at) == 1
    question = caller.heard[at[0] - 1]
    assert question["seats"] == {"1": {"from": 0, "to": 10, "step": 5}, "2": {"from": 0, "to": 5, "step": 5}}
    assert (question["sealed"], question["seconds"]) == (True, 20)
    assert caller.heard[at[0] + 1] == question
    assert caller.heard[at[0] + 2]["ask"] == "throw", "the bet stays sealed until all have thrown"
    assert caller.heard[at[0] + 3] == {"say": "bets", "pair": [1, 2], "bets": {"1": 10, "2": 0}}


@given(st.one_of(st.text(), st.binary(), st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists)))
@settings(deadline=None)
def test_any_line_is_at_most_an_error(line: Any) -> None:
    text = line if isinstance(line, str | bytes) else json.dumps({"answers": {"1": line}})
    try:
        answers = read_answers(text)
    except IllegalAnswerError as fault:
        assert "\n" not in str(fault)
    else:
        assert answers == {1: line}


def test_end_of_input_returns_another_status_than_end_of_game() -> None:
    caller = Caller(bot_from_list(['{"answers": {"1": "rock", "2": "scissors"}}', "junk"]))
    assert caller.play(find_game("classic").set_up(2)) == INPUT_ENDED
    assert caller.complaints == ["the input ended while classic waited for an answer to throw"]
    assert "result" not in caller.heard[-1]


def test_a_line_is_read_up_to_a_limit() -> None:
    longest = b"x" * (MAX_ENGINE_LINE_BYTES - 1) + b"\n"
    assert list(read_lines(BytesIO(longest + b"a\n\nb"))) == [longest, b"a\n", b"\n", b"b"]
    lines = read_lines(BytesIO(b"a\nx" + longest))
    assert next(lines) == b"a\n"
    with pytest.raises(UsageError, match="the input has a line of more than 4 MiB"):
        next(lines)


def test_input_without_an_end_ends_the_engine() -> None:
    engine = [Path(sys.executable).parent / "throwlock", "engine", "classic"]
    with Path("/dev/zero").open("rb") as zeros:
        done = subprocess.run(engine, stdin=zeros, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and done.stdout.count("\n") == 1 == done.stderr.count("\n")
    assert "more than 4 MiB" in done.stderr


def test_broken_pipe_is_passed_on() -> None:
    def broken_write(line: str) -> None:
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        run(find_game("classic").set_up(2), [], broken_write)


def test_long_match_starts_its_script_once() -> None:
    starts = []

    def counting_script(setup: Setup) -> Script:
        starts.append(setup)
        return find_game("classic").script(setup)

    game = Game(replace(find_game("classic"), script=counting_script), find_game("classic").set_up(2).setup)
    answers = ['{"answers": {"1": "rock", "2": "rock"}}'] * 5_000
    caller = Caller(bot_from_list([*answers]))
    assert caller.play(game) == INPUT_ENDED
    assert len(caller.lines_of("ask")) == 5_001
    assert len(starts) == 1, "a replay from the start for every answer would take n² time"


# Chance: a game of the tests' own, for none of the catalogue has any yet.


def coins(setup: Setup) -> Script:
    """Ten draws by the box, then a question to both with a card turned up beside it."""
    drawn = 0
    for _ in range(10):
        answers = yield Prompt("draw", {BOX: IntRange(0, 9)})
        drawn = drawn * 10 + int(answers[BOX] or 0)
    answers = yield Prompt("call", {BOX: Choices(("heads", "tails")), 1: Choices(("heads", "tails"))}, sealed=True)
    scores = {1: int(answers[1] == answers[BOX]), 2: 0}
    yield score_event(scores, drawn=drawn)
    return Result((1,) if scores[1] else (), scores)


COINS = Rules("coins", "Coins", 1, 2, 2, "chance", (), coins).set_up(2)


def draws_with_seed(seed: int) -> Line:
    caller = Caller(bot_from_list(['{"answers": {"1": "heads"}}']))
    assert caller.play(COINS, seed) == GAME_ENDED
    assert caller.heard[0] == {"ask": "call", "seats": {"1": ["heads", "tails"]}, "sealed": True, "seconds": None}
    return caller.heard[1]


def test_engine_draws_from_its_seed() -> None:
    assert draws_with_seed(1) == draws_with_seed(1)
    assert len({draws_with_seed(seed)["drawn"] for seed in range(20)}) == 20


def test_wrong_answer_does_not_redraw() -> None:
    caller = Caller(
        bot_from_list(['{"answers": {"1": "edge"}}', '{"answers": {"0": "heads"}}', '{"answers": {"1": "heads"}}'])
    )
    caller.play(COINS, seed=3)
    assert len(caller.lines_of("error")) == 2
    assert caller.heard[-2] == draws_with_seed(3)


def test_caller_draws_with_chance_ask() -> None:
    draws = [f'{{"answers": {{"0": {digit}}}}}' for digit in (3, 1, 4, 1, 5, 9, 2, 6, 5, 3)]
    caller = Caller(bot_from_list([*draws, '{"answers": {"1": "tails", "0": "tails"}}']))
    assert caller.play(COINS, chance="ask") == GAME_ENDED
    assert caller.heard[0]["seats"] == {"0": {"from": 0, "to": 9, "step": 1}}
    assert caller.heard[-2:] == [
        {"say": "score", "scores": {"1": 1, "2": 0}, "drawn": 3141592653},
        {"result": {"winners": [1], "scores": {"1": 1, "2": 0}}},
    ]


def test_every_allowed_value_can_be_drawn() -> None:
    dice = random.Random(0)
    for options in (IntRange(5, 25, 5), Choices(("a", "b", "c"))):
        drawn = {draw_answer(options, dice) for _ in range(200)}
        assert drawn == set(options.values if isinstance(options, Choices) else range(5, 26, 5))
