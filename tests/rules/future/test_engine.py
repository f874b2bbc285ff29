"""``throwlock engine future`` over a pipe, played by a program that gets only kinds and options."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.helpers.waiting import LIMIT_S

Line = dict[str, Any]
MEGABYTE = 2**20


class Engine:
    """The engine in its own process."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        self.lines: list[Line] = []

    def read(self) -> Line:
        """Return the next prompt, error or result; all lines up to it are kept in ``lines``."""
        assert self.process.stdout
        while True:
            text = self.process.stdout.readline()
            assert text, "the engine stopped"
            self.lines.append(json.loads(text))
            if self.lines[-1].keys() & {"ask", "result", "error"}:
                return self.lines[-1]

    def send(self, line: str) -> None:
        """Send a line."""
        assert self.process.stdin
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def play(self, bot: Callable[[str, int, Any], Any]) -> Line:
        """Play to the end and return the result; ``bot`` gets the kind, the seat and its options."""
        while "result" not in (line := self.read()):
            assert "error" not in line, line
            answers = {seat: bot(line["ask"], int(seat), options) for seat, options in line["seats"].items()}
            self.send(json.dumps({"answers": answers}))
        self.send(json.dumps({"quit": True}))
        assert self.process.wait(timeout=LIMIT_S) == 0
        result: Line = line["result"]
        return result


@contextmanager
def engine(*arguments: str) -> Iterator[Engine]:
    """Run ``throwlock engine future`` with these arguments."""
    command = [sys.executable, "-c", "from throwlock.cli.main import main; main()", "engine", "future", *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, encoding="utf-8") as process:
        try:
            yield Engine(process)
        finally:
            process.kill()


def bold_bot(kind: str, seat: int, options: Any) -> Any:
    """Raise by one chip whenever possible, claim scissors for every card, and let seat 2 win Classic."""
    match kind:
        case "throw":
            return "rock" if seat == 2 else "scissors"
        case "act":
            return next(word for word in ("raise", "bet", "call", "fold") if word in options)
        case "claim":
            return "scissors"
    return options[0] if isinstance(options, list) else options["from"]


@pytest.mark.parametrize("arguments", [("--seats", "2"), ("--seats", "6", "--option", "direction=left")])
def test_game_over_a_pipe_conserves_chips(arguments: tuple[str, ...]) -> None:
    with engine(*arguments, "--seed", "3") as first, engine(*arguments, "--seed", "3") as second:
        result = first.play(bold_bot)
        assert second.play(bold_bot) == result
        assert first.lines == second.lines
    seats = int(arguments[1])
    scores = [line for line in first.lines if line.get("say") == "score"]
    assert all(sum(line["scores"].values()) + line["pot"] == 10 * seats for line in scores)
    most = max(result["scores"].values())
    assert result["winners"] == [int(seat) for seat, chips in result["scores"].items() if chips == most]
    assert result["scores"] == scores[-1]["scores"] and result["pot"] == scores[-1]["pot"]
    assert [line["sealed"] for line in first.lines if line.get("ask") in ("place", "discard")].count(False) == 0
    turn = next(line for line in first.lines if line.get("say") == "turn")
    assert turn["order"] == ([2, 1] if seats == 2 else [2, 1, 6, 5, 4, 3])


def test_a_caller_may_draw_the_cards() -> None:
    def draws(kind: str, seat: int, options: Any) -> Any:
        assert (seat == 0) == (kind == "draw")
        return options["to"] if kind == "draw" else bold_bot(kind, seat, options)

    with engine("--seats", "2", "--chance", "ask") as caller:
        caller.play(draws)
    assert len([line for line in caller.lines if line.get("ask") == "draw"]) == 12
    hands = [line["cards"] for line in caller.lines if line.get("say") == "hand"][:2]
    assert hands[0] == {"rock": 1, "paper": 2, "scissors": 3}, "from the top: 5 scissors, 5 papers and 2 of 5 rocks"


BAD = [
    "",
    "hello",
    "[]",
    '{"answers": {}}',
    '{"answers": {"3": "rock"}}',
    '{"answers": {"1": "rock", "2": "rock"}}',
    '{"answers": {"2": "lizard"}}',
    '{"answers": {"2": ["rock"]}}',
    '{"answers": {"2": null}}',
    '{"answers": {"2": true}}',
    '{"answers": {"2": NaN}}',
    '{"answers": {"2": -1}}',
    '{"answers": {"2": 11}}',
    '{"answers": {"2": 1.5}}',
    '{"answers": {"2": "' + "x" * MEGABYTE + '"}}',
    '{"answers": {"2": ' + "9" * MEGABYTE + "}}",
]


def test_invalid_answers_get_an_error_and_the_same_prompt() -> None:
    with engine("--seats", "2") as caller:
        beginner, other = 2, 1
        acts = {"throw": {"1": "scissors", "2": "rock"}, "place": None, "claim": "paper", "act": "bet", "bet": 7}
        tried: list[str] = []
        while len(tried) < 5:
            question = caller.read()
            kind, seats = question["ask"], question["seats"]
            tried.append(kind)
            (seat, options), *_ = seats.items()
            for bad in BAD if kind != "throw" else ():
                caller.send(bad.replace('"2"', f'"{seat}"').replace('"1"', f'"{3 - int(seat)}"'))
                error, again = caller.read(), caller.read()
                assert error.keys() == {"error"} and len(error["error"]) < 300
                assert again == question
            value = acts[kind] if acts[kind] is not None else options[0]
            caller.send(json.dumps({"answers": value if kind == "throw" else {seat: value}}))
        assert tried == ["throw", "place", "claim", "act", "bet"]
        assert caller.read()["ask"] == "place"
        assert [line for line in caller.lines if line.get("say") == "bet"] == [
            {"say": "bet", "seat": other, "chips": 7}
        ]
        assert [line["seat"] for line in caller.lines if line.get("say") == "claim"] == [beginner]
