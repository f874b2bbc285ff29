"""Who answers in place of a caller: programs that speak the engine's protocol, each over pipes of its own, and two
players that are built in. No wait for a program is without a limit."""

import contextlib
import os
import random
import selectors
import shlex
import signal
import subprocess
import time
from collections.abc import Iterable, Mapping, Sequence

from errors import ThrowlockError
from messages import shorten
from rules.engine import Answers, Choices, IllegalAnswerError, Prompt, Seat, Value
from throwlock.engine.game import ask_message
from throwlock.engine.messages import (
    AnswersCommand,
    CommandError,
    ErrorMessage,
    Message,
    StoppedMessage,
    encode,
    hello,
    parse_command,
)

MAX_LINE_BYTES = 64 * 2**10
"""Bytes of a line that a program writes: answers of a thousand seats take less than 20 KiB."""
CLOSE_SECONDS = 1.0
"""Time a program has to end once its input has ended."""
MAX_REASON_LETTERS = 200
MAX_QUESTIONS = 10_000
"""A game between programs that is not over after so many questions is stopped: two that always throw the same tie for
ever. The longest of 300 random matches took 7,362 (Redeux with cards, five games to 1000 points)."""


class PlayerError(ThrowlockError):
    """A player can't play on. The message says what happened: "it ended with exit status 1". An answer that is not
    allowed may tell a secret; ``public_reason`` does not."""

    def __init__(self, message: str, public_reason: str | None = None) -> None:
        super().__init__(message)
        self.public_reason = public_reason or message


class BuiltInPlayer:
    """Answers without a program: ``random`` draws among its answers, ``first`` takes the first (rock, or the least).

    Where a seat may be left out, as in Battle before a round, ``random`` takes the first, which changes nothing, but
    for a share ``CHANGE_RATE``: somebody who leaves or stops ends the game.
    """

    NAMES = ("random", "first")
    CHANGE_RATE = 0.02

    def __init__(self, command: str, seats: Iterable[Seat], seed: int | str) -> None:
        self.command = command
        self.seats = frozenset(seats)
        self._rng = random.Random(seed)

    def send(self, message: Message) -> None:
        """It needs to know nothing but the question."""

    def choose(self, prompt: Prompt) -> Answers:
        """Return its answers to a prompt to its seats alone."""
        stays = prompt.is_optional and self._rng.random() >= self.CHANGE_RATE
        if self.command == "random" and not stays:
            return {seat: allowed.draw(self._rng) for seat, allowed in prompt.seats.items()}
        return {
            seat: allowed.values[0] if isinstance(allowed, Choices) else allowed.start
            for seat, allowed in prompt.seats.items()
        }

    def close(self) -> None:
        """Nothing is open."""


class Program:
    """A program with a pipe to it and one from it. What goes to it is queued, and sent while answers are awaited."""

    def __init__(self, command: str, seats: Iterable[Seat]) -> None:
        """Start ``command``, split as a shell splits it. Raises PlayerError."""
        self.command = command
        self.seats = frozenset(seats)
        self._outgoing = bytearray()
        self._incoming = bytearray()
        try:
            self._process = subprocess.Popen(
                shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, start_new_session=True
            )  # in a session of its own: Ctrl-C is for the arena alone, and its children end with it
        except (OSError, ValueError, IndexError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise PlayerError(
                f"{shorten(command)} can't be started: {reason}; built in are {' and '.join(BuiltInPlayer.NAMES)}"
            ) from None
        assert self._process.stdin and self._process.stdout
        self.input, self.output = self._process.stdin, self._process.stdout
        for pipe in (self.input, self.output):
            os.set_blocking(pipe.fileno(), False)
        self.send(hello())

    def send(self, message: Message) -> None:
        """Queue a message."""
        self._outgoing += encode(message).encode() + b"\n"

    @property
    def has_output(self) -> bool:
        """Whether something waits to be written."""
        return bool(self._outgoing) and not self.input.closed

    def write_some(self) -> None:
        """Write what the pipe takes now. To a program that closed its input nothing more is written."""
        try:
            del self._outgoing[: os.write(self.input.fileno(), self._outgoing[: 2**16])]
        except BlockingIOError:
            pass
        except OSError:
            self._outgoing.clear()

    def read_line(self) -> bytes | None:
        """Read what is there and return its line, or None if it is not whole yet. Raises PlayerError."""
        try:
            data = os.read(self.output.fileno(), 2**16)
        except BlockingIOError:
            return None
        if not data:
            raise PlayerError(self._describe_end())
        self._incoming += data
        line, newline, rest = bytes(self._incoming).partition(b"\n")
        if len(line) > MAX_LINE_BYTES:
            raise PlayerError(f"it wrote a line of more than {MAX_LINE_BYTES >> 10} KiB")
        if not newline:
            return None
        if rest:
            raise PlayerError("it wrote more than one line to one question")
        self._incoming.clear()
        return line

    def check_silence(self) -> None:
        """Raise PlayerError if the program has written what nobody asked for."""
        with contextlib.suppress(BlockingIOError):
            self._incoming += os.read(self.output.fileno(), 2**16)
        if self._incoming:
            raise PlayerError("it wrote a line before it was asked")

    def _describe_end(self) -> str:
        try:
            status = self._process.wait(CLOSE_SECONDS)
        except subprocess.TimeoutExpired:
            return "it closed its output"
        if status < 0:
            return f"it was ended by {signal.Signals(-status).name}"
        return f"it ended with exit status {status}"

    def close(self) -> None:
        """Send what is queued, end the input, and end the program, by force if it does not in time."""
        if self.input.closed:
            return
        deadline = time.monotonic() + CLOSE_SECONDS
        with selectors.DefaultSelector() as selector:
            selector.register(self.input, selectors.EVENT_WRITE)
            while self.has_output and selector.select(max(0.0, deadline - time.monotonic())):
                self.write_some()
        self.input.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(CLOSE_SECONDS)
        self.kill()

    def kill(self) -> None:
        """End the program and all that it started, at once."""
        with contextlib.suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):  # one that may not be killed
            self._process.wait(CLOSE_SECONDS)
        self.input.close()
        self.output.close()


Player = Program | BuiltInPlayer


def start_player(command: str, seats: Iterable[Seat], seed: int | str) -> Player:
    """Start the built-in player or the program that ``command`` names. Raises PlayerError."""
    if command in BuiltInPlayer.NAMES:
        return BuiltInPlayer(command, seats, seed)
    return Program(command, seats)


def stopped_message(faults: Mapping[Player, PlayerError]) -> StoppedMessage:
    """Return the message that a game is over because of ``faults``, or without any because it is too long."""
    seats = tuple(sorted(seat for player in faults for seat in player.seats))
    reasons = [f"{shorten(player.command)}: {fault.public_reason}" for player, fault in faults.items()]
    return StoppedMessage(stopped="; ".join(reasons) or "the game is too long", seats=seats)


def ask_players(
    players: Sequence[Player], prompt: Prompt, time_limit_s: float
) -> tuple[dict[Seat, Value], dict[Player, PlayerError]]:
    """Ask the players whose seats ``prompt`` is to, all at once.

    Returns:
        The answers by seat, and what happened to those who gave none that is allowed.
    """
    answers: dict[Seat, Value] = {}
    faults: dict[Player, PlayerError] = {}
    asked: list[Program] = []
    for player in players:
        part = prompt.to_seats(player.seats)
        if part.seats and isinstance(player, BuiltInPlayer):
            answers |= player.choose(part)
        elif part.seats and isinstance(player, Program):
            try:
                player.check_silence()
            except PlayerError as error:
                faults[player] = error
                continue
            player.send(ask_message(prompt, player.seats))
            asked.append(player)
    lines, faults_in_time = _read_lines(asked, time_limit_s)
    late = PlayerError(f"it gave no answer to {prompt.kind} within {time_limit_s:g} s")
    faults |= faults_in_time | {player: late for player in asked if player not in lines | faults_in_time}
    for player, line in lines.items():
        try:
            command = parse_command(line)
            if not isinstance(command, AnswersCommand):
                raise CommandError("a program may only answer")
            answers |= prompt.to_seats(player.seats).check(command.answers)
        except (CommandError, IllegalAnswerError) as error:
            reason = shorten(str(error), MAX_REASON_LETTERS)
            faults[player] = PlayerError(reason, "it gave an answer that is not allowed")
            player.send(ErrorMessage(error=reason))
    return answers, faults


def _read_lines(
    asked: Sequence[Program], time_limit_s: float
) -> tuple[dict[Program, bytes], dict[Player, PlayerError]]:
    """Read one line of each program, and write what is queued for them meanwhile. Return the lines and the faults; late
    programs are in neither."""
    lines: dict[Program, bytes] = {}
    faults: dict[Player, PlayerError] = {}
    deadline = time.monotonic() + time_limit_s
    with selectors.DefaultSelector() as selector:
        for program in asked:
            selector.register(program.input, selectors.EVENT_WRITE, program)
            selector.register(program.output, selectors.EVENT_READ, program)
        while len(lines) + len(faults) < len(asked) and (left := deadline - time.monotonic()) > 0:
            for key, mask in selector.select(left):
                program = key.data
                if mask & selectors.EVENT_WRITE:
                    program.write_some()
                    if not program.has_output:
                        selector.unregister(key.fileobj)
                    continue
                try:
                    if (line := program.read_line()) is not None:
                        lines[program] = line
                        selector.unregister(key.fileobj)
                except PlayerError as error:
                    faults[program] = error
                    selector.unregister(key.fileobj)
    return lines, faults
