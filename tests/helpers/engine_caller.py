"""The other side of the engine's protocol: a caller of the host, and bots that answer for it."""

import json
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from rules.engine import BOX, Answers, Game, Play
from throwlock.engine.host import EngineHost

Line = dict[str, Any]


class Caller:
    """The other side of the protocol: reads what the engine writes and answers each question with ``bot``."""

    def __init__(self, bot: Callable[[Line], str | bytes | None]) -> None:
        self.bot = bot
        self.heard: list[Line] = []
        self.complaints: list[str] = []
        self.new: Line = {}

    def play(self, game: Game | None, seed: int | None = 0, chance: Any = "engine", players: Any = ()) -> int:
        """Play with the caller. ``heard`` is then what the engine wrote after its greeting and the new game."""
        engine = EngineHost(self._receive, dict(players), 10, self.complaints.append)
        status = engine.run(self._lines(), game, seed, chance)
        hello = self.heard.pop(0)
        assert hello["hello"] == "throwlock" and hello["protocol"] == 1
        if game:
            self.new = self.heard.pop(0)
            assert self.new["new"] == game.rules.name
        return status

    def _receive(self, line: str) -> None:
        assert "\n" not in line
        self.heard.append(json.loads(line))

    def _lines(self) -> Iterator[str | bytes]:
        while (line := self.bot(self.heard[-1])) is not None:
            yield line

    def lines_of(self, kind: str) -> list[Any]:
        return [line[kind] for line in self.heard if kind in line]


def random_bot(seed: int) -> Callable[[Line], str | None]:
    """Legal answers, made from nothing but the question."""
    dice = random.Random(seed)

    def answer(question: Line) -> str | None:
        if "ask" not in question:
            return None
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


def play_lines(*lines: str, game: Game | None = None, seed: int | None = 0, chance: Any = "engine") -> Caller:
    caller = Caller(bot_from_list([*lines]))
    caller.play(game, seed, chance)
    return caller


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
BAD_COMMANDS = {
    '{"undo": 0}': "undo can't be read: 'undo': it is less than 1",
    '{"undo": 1}': "the game has 0 answers to take back, not 1",
    '{"undo": true}': "undo can't be read: 'undo': a whole number is needed",
    '{"undo": 1, "answers": {}}': "the line holds no command",
    '{"quit": false}': "quit can't be read: 'quit': true is needed",
    '{"history": null}': "history can't be read: 'history': true is needed",
    '{"position": [{"1": "rock"}]}': "seat 2 has not answered: throw is for seats 1, 2",
    '{"position": [["rock"]]}': "the answers are not by seat",
    '{"position": {"1": "rock"}}': "position can't be read: 'position': a list is needed",
    '{"new": "clasic"}': "no game is called 'clasic': did you mean classic?",
    '{"new": "classic", "seats": 1}': "classic is for 2 to 8 players, not 1",
    '{"new": "classic", "seats": 2.0}': "new can't be read: 'seats': a whole number is needed",
    '{"new": "classic", "options": {"best_of": 2}}': "option best_of can’t be 2",
    '{"new": "classic", "options": {"best_of": "3"}}': "option best_of can’t be '3'",
    '{"new": "classic", "options": {"x": 2}}': "classic has no option 'x'",
    '{"new": "classic", "seed": -1}': "new can't be read: 'seed': it is less than 0",
    '{"new": "classic", "chance": "dice"}': "new can't be read: 'chance': 'engine' or 'ask' is needed",
    '{"new": "classic", "sets": 2}': "new can't be read: 'sets': there is no such key",
}

BOT = Path(__file__).parent / "recording_bot.py"


def recording_bot(record: Path, seed: int) -> str:
    return f"{sys.executable} {BOT} {record} {seed}"


def answers_with_draws(game: Game, seed: int, answers: list[Answers]) -> list[Answers]:
    """Every answer of a game, the box's too, drawn from the seed as docs/engine.md says."""
    rng, play, left = random.Random(seed), Play(game), iter(answers)
    full: list[Answers] = []
    while play.prompt:
        drawn = {BOX: play.prompt.seats[BOX].draw(rng)} if BOX in play.prompt.seats else {}
        full.append({**drawn, **(next(left) if play.prompt.seats.keys() - drawn.keys() else {})})
        play.answer(full[-1])
    return full
