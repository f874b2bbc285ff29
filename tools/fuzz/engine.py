"""Fuzzes ``throwlock engine``. An input is text: the set-up as JSON, then a line for each command. ``+SEED`` is a
legal answer drawn from the seed (once the game has ended, an undo), ``~SEED`` the same with some bytes changed; any
other line is sent as it is."""

import itertools
import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rules.catalogue import GAMES
from rules.engine import Game, IllegalSetupError, typed_text
from throwlock.cli.options import set_up_game
from throwlock.engine.host import GAME_ENDED, INPUT_ENDED, EngineHost
from throwlock.engine.messages import (
    MESSAGES,
    Ask,
    Chance,
    ErrorMessage,
    NewGameMessage,
    ResultMessage,
    Say,
    StoppedMessage,
)
from throwlock.engine.players import BuiltInPlayer
from tools.fuzz.target import FindingError, MutateBytes, Target, check_message, mutate_bytes, require

MAX_LINES = 300
"""Lines that are sent to the engine."""
MAX_SEATS = 1000
ODD_LINES = (
    *('{"answers": {"1": null}}', '{"answers": {"1": true, "2": false}}', '{"answers": {"1": 5, "2": 10}}', "{}"),
    *('{"answers": {"1": "rock", "2": "paper"}}', '{"answers": {"1": 1e999}}', '{"answers": {"1": "\\ud800"}}'),
    *('{"undo": 1}', '{"undo": 3}', '{"undo": 10000}', '{"history": true}', '{"position": []}', '{"quit": true}'),
    *('{"new": "future"}', '{"new": "board", "seed": 4}', '{"new": "tr", "seats": 2, "options": {"throws": 1}}'),
    *('{"position": [{"1": "rock", "2": "paper"}]}', '{"position": [{"1": "rock", "2": "paper"}, {"1": null}]}'),
    *('{"answers": {"0": 1}}', '{"answers": {"1": -5}}', '{"answers": {"1": 1' + "0" * 40 + "}}", "[" * 2000, '""'),
)  # fmt: skip
WORD = re.compile(rb"[A-Za-z_]+|-?[0-9]+")


class Caller:
    """Sends the lines of an input to the engine, and checks what comes back."""

    def __init__(self, lines: list[bytes]) -> None:
        self._lines = lines
        self.events: list[str] = []
        self.sent: list[bytes] = []
        """Lines that were not refused."""
        self._question = ""
        self._was_refused = False
        self._seats: tuple[int, ...] = ()

    def send(self) -> Iterator[bytes]:
        """Yield the lines to the engine."""
        for line in self._lines:
            data = _expand(line, json.loads(self._question) if self._question else None)
            self.sent.append(data)
            yield data

    def receive(self, line: str) -> None:
        """Take a line of the engine."""
        fields = json.loads(line)
        names = [*MESSAGES.keys() & fields.keys()] if isinstance(fields, dict) else []
        require("\n" not in line and len(names) == 1, f"not one message on one line: {line[:200]}")
        message = MESSAGES[names[0]].model_validate_json(line)
        if self._was_refused:
            require(line == self._question, "another question after a line that was refused")
            self._was_refused = False
            return
        if isinstance(message, ErrorMessage):
            check_message(message.error)
            self.sent.pop()
            self._was_refused = bool(self._question)
            return
        self.events.append(line)
        if isinstance(message, NewGameMessage):
            self._seats, self._question = message.your_seats, ""
        elif isinstance(message, Say):
            require(message.only is None or message.only in self._seats, f"another seat's event: {line[:200]}")
        elif isinstance(message, Ask):
            self._question = line
        elif isinstance(message, ResultMessage | StoppedMessage):
            self._question = ""

    def play(self, start: "Start") -> int:
        """Play the lines; return the engine's exit status."""
        complaints: list[str] = []
        seeds = itertools.count()
        host = EngineHost(self.receive, start.players, 10, complaints.append, lambda: next(seeds))
        status = host.run(self.send(), start.game, start.seed, start.chance)
        for line in complaints:
            check_message(line)
        has_quit = bool(self.sent) and b'"quit"' in self.sent[-1]
        require(status == INPUT_ENDED if self._question and not has_quit else status == GAME_ENDED, f"status {status}")
        require(len(complaints) == (status == INPUT_ENDED), "a game that ended and complained, or the opposite")
        return status


@dataclass(frozen=True)
class Start:
    """The first line of an input."""

    game: Game
    seed: int
    chance: Chance
    players: dict[int, str]


def _expand(line: bytes, question: dict[str, Any] | None) -> bytes:
    """Return the line to send, an answer to ``question``, or undo at a game's end, where the line only names a seed."""
    if not re.fullmatch(rb"[+~][0-9]{1,9}", line):
        return line
    rng = random.Random(int(line[1:]))
    if question:
        command: dict[str, Any] = {
            "answers": {seat: _draw_answer(allowed, rng) for seat, allowed in question["seats"].items()}
        }
    else:
        command = {"undo": rng.randrange(1, 6)}
    data = json.dumps(command).encode()
    return data if line[:1] == b"+" else mutate_bytes(data, rng)


def _draw_answer(allowed: Any, rng: random.Random) -> Any:
    if isinstance(allowed, list):
        return rng.choice(allowed)
    return rng.randrange(allowed["from"], allowed["to"] + 1, allowed["step"])


def seeds() -> Iterator[bytes]:
    """Yield whole matches of every game and sample, with wrong lines among them."""
    for rules in GAMES.values():
        for seed, sample in enumerate((*rules.samples, *rules.samples)):
            options = [f"{name}={typed_text(value)}" for name, value in sample.options.items()]
            chance = "engine" if seed < len(rules.samples) else "ask"
            start = {"game": rules.name, "seats": sample.seats, "options": options, "seed": seed, "chance": chance}
            start["players"] = {"2": ("random", "first")[seed % 2]} if seed % 3 == 2 and chance == "engine" else {}
            lines = [f"{'~' if number % 9 == 8 else '+'}{number}" for number in range(60)]
            yield "\n".join([json.dumps(start), *lines]).encode()


def mutate(data: bytes, rng: random.Random, mutate_bytes: MutateBytes) -> bytes:
    """Change the set-up or some of the lines; now and then any bytes."""
    lines = data.split(b"\n")
    for _ in range(rng.choice((1, 1, 2, 4))):
        at = rng.randrange(len(lines))
        if at == 0 or rng.random() < 0.15:
            lines[0] = _mutate_start(lines[0], rng, mutate_bytes)
            continue
        match rng.randrange(6):
            case 0:
                lines[at] = mutate_bytes(lines[at])
            case 1:
                lines.insert(at, rng.choice(ODD_LINES).encode())
            case 2:
                lines[at:at] = lines[rng.randrange(1, len(lines)) :][: rng.randrange(1, 20)]
            case 3:
                del lines[at : at + rng.randrange(1, 10)]
            case _:
                lines[at] = b"%c%d" % (rng.choice(b"++~"), rng.randrange(10**6))
    return b"\n".join(lines)


def _mutate_start(line: bytes, rng: random.Random, mutate_bytes: MutateBytes) -> bytes:
    """Change the set-up: another game, other options, seats or seed."""
    try:
        start = json.loads(line)
        rules = rng.choice(list(GAMES.values())) if rng.random() < 0.1 else GAMES[start["game"]]
        start["game"] = rules.name
        match rng.randrange(5):
            case 4:
                start["players"] = {str(rng.randrange(1, 4)): rng.choice(("random", "first")) for _ in range(2)}
            case 0:
                most = min(rules.max_players, rng.choice((8, 8, 8, 40, MAX_SEATS)))
                start["seats"] = rng.randrange(rules.min_players - 1, most + 2)
            case 1:
                start["seed"], start["chance"] = rng.randrange(10**6), rng.choice(("engine", "ask"))
            case 2 if rules.options:
                option = rng.choice(rules.options)
                value = rng.choice(WORD.findall(json.dumps(option.allowed.as_json()).encode()) or [b"1"]).decode()
                start["options"] = [*start["options"], f"{option.name}={value}"][-6:]
            case _:
                start["options"] = start["options"][1:]
        return json.dumps(start).encode()
    except (ValueError, TypeError, KeyError, RecursionError):
        return mutate_bytes(line)


def check(data: bytes) -> None:
    """Play an input. Every line is answered with messages of the protocol, a refused one with an error and the same
    question, and changes nothing: the accepted lines alone make the same match. No event of another seat is sent."""
    first, *lines = data.split(b"\n")
    try:
        fields = json.loads(first)
        name, seats, seed, chance = fields["game"], fields["seats"], fields["seed"], fields["chance"]
        options = [str(one) for one in fields["options"]]
        players = {int(seat): str(player) for seat, player in fields["players"].items()}
    except (ValueError, TypeError, KeyError, RecursionError, AttributeError):
        return
    if not (isinstance(name, str) and type(seats) is int and type(seed) is int and chance in ("engine", "ask")):
        return
    if not {*players.values()} <= {*BuiltInPlayer.NAMES} or min(players, default=1) < 1:
        return  # any other command would be run
    try:
        start = Start(set_up_game(name, min(seats, MAX_SEATS), options), seed, chance, players)
    except IllegalSetupError as error:
        check_message(error)
        return
    caller = Caller(lines[:MAX_LINES])
    try:
        status = caller.play(start)
    except IllegalSetupError as error:  # a program at a seat that is not there, or at a game whose caller draws
        check_message(error)
        return
    again = Caller(caller.sent)
    if again.play(start) != status or again.events != caller.events:
        raise FindingError("a refused line changed the match")


TARGET = Target("engine", seeds, mutate, check, max_bytes=8_000, max_cpu_s=10)
