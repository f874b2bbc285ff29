"""The other side of the engine's protocol: a caller of the host, and bots that answer for it."""

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

from rules.engine import Game
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
