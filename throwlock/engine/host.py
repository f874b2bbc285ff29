"""``throwlock engine``: one caller that sets up games, takes moves back and answers, and programs at other seats."""

import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from messages import shorten
from rules.catalogue import find_game
from rules.engine import BOX, Answers, Game, IllegalAnswerError, IllegalSetupError, Prompt, Seat, Value
from throwlock.engine.game import EngineGame, ask_message
from throwlock.engine.messages import (
    MAX_SEED,
    AnswersCommand,
    Chance,
    Command,
    CommandError,
    ErrorMessage,
    HistoryCommand,
    HistoryMessage,
    Message,
    NewCommand,
    PositionCommand,
    QuitCommand,
    ResultMessage,
    UndoCommand,
    encode,
    hello,
    parse_command,
)
from throwlock.engine.players import MAX_QUESTIONS, Player, PlayerError, ask_players, start_player, stopped_message
from throwlock.journal.events import record_result

MAX_ERROR_LETTERS = 300
"""Of an error: one that lists the seats of a class would be as long as the question that follows it."""
GAME_ENDED = 0
INPUT_ENDED = 2
"""Exit statuses: the caller quit, or the input ended after the game or before any; the input ended in a game."""


def draw_seed() -> int:
    """Return a random seed that every JSON reader can hold."""
    return secrets.randbelow(MAX_SEED + 1)


@dataclass
class EngineHost:
    """Plays games with a caller, who writes and reads lines, and with programs at some seats."""

    write: Callable[[str], None]
    """Takes each line to the caller without its newline, and must add that and flush."""
    commands: Mapping[Seat, str] = field(default_factory=dict)
    """What plays at which seat: a program's command, or a built-in player's name."""
    time_limit_s: float = 10.0
    """How long a program may take for an answer."""
    print_error: Callable[[str], None] = print
    """Takes one sentence if the input ends before the game."""
    draw_seed: Callable[[], int] = draw_seed
    """Returns the seed of a game for which none was given."""
    _game: EngineGame | None = None
    _players: list[Player] = field(default_factory=list)
    _sent: int = 0
    """Entries of the game's log that everybody has been sent."""
    _prompt: Prompt | None = None
    """What the caller is asked; None if nothing."""
    _players_answers: dict[Seat, Value] = field(default_factory=dict)
    _is_stopped: bool = False

    def run(
        self, lines: Iterable[str | bytes], game: Game | None = None, seed: int | None = None, chance: Chance = "engine"
    ) -> int:
        """Play with the caller::

            EngineHost(functools.partial(print, flush=True)).run(sys.stdin.buffer, find_game("classic").set_up(2))

        Each line read is answered: with what it led to, or with an error and the open question again.

        Args:
            lines: The commands; bytes are decoded as UTF-8.
            game: The first game; None waits for the command ``new``.
            seed: What the engine draws from in the first game; None draws a seed.
            chance: Who draws in the first game.

        Returns:
            GAME_ENDED or INPUT_ENDED.

        Raises:
            PlayerError: A program can't be started.
            IllegalSetupError: A program is at a seat that the first game has not, or the caller would draw for it.
        """
        try:
            self._send_caller(hello())
            if game:
                self._begin(game, seed, chance)
            for line in lines:
                try:
                    command = parse_command(line)
                    if isinstance(command, QuitCommand):
                        return GAME_ENDED
                    self._obey(command)
                except (CommandError, IllegalAnswerError, IllegalSetupError) as error:
                    self._send_caller(ErrorMessage(error=shorten(str(error), MAX_ERROR_LETTERS)))
                    self._ask_caller()
            if self._prompt is None:
                return GAME_ENDED
            assert self._game
            name = self._game.game.rules.name
            self.print_error(f"the input ended while {name} waited for an answer to {self._prompt.kind}")
            return INPUT_ENDED
        finally:
            self._close_players()

    def _obey(self, command: Command) -> None:
        """Do what the caller says. Raises IllegalAnswerError, CommandError or IllegalSetupError."""
        if isinstance(command, NewCommand):
            game = find_game(command.new).set_up(command.seats, command.options)
            self._begin(game, command.seed, command.chance)
            return
        if self._game is None:
            raise CommandError('there is no game: begin one with {"new": "classic"}')
        match command:
            case AnswersCommand(answers=answers):
                self._answer(self._game, answers)
            case PositionCommand() | HistoryCommand() if self.commands:
                raise CommandError("programs play too, and their answers are secret: no position is set or shown")
            case PositionCommand(position=position):
                self._take_back(self._game, position)
            case HistoryCommand():
                self._send_caller(HistoryMessage(history=tuple(dict(given) for given in self._game.answers)))
                self._ask_caller()
            case UndoCommand(undo=count):
                answers_so_far = self._game.answers
                if count > len(answers_so_far):
                    raise CommandError(f"the game has {len(answers_so_far)} answers to take back, not {count}")
                self._take_back(self._game, answers_so_far[: len(answers_so_far) - count])

    def _begin(self, game: Game, seed: int | None, chance: Chance) -> None:
        """Begin a game. Raises IllegalSetupError or PlayerError."""
        seats = game.setup.seats
        if missing := [seat for seat in self.commands if seat > seats]:
            raise IllegalSetupError(f"a program plays at seat {missing[0]}, but the game has {seats} seats")
        if self.commands and chance == "ask":
            raise IllegalSetupError("who draws knows what is dealt: with programs the engine draws")
        self._play(EngineGame(game, self.draw_seed() if seed is None else seed, chance))

    def _take_back(self, game: EngineGame, answers: Iterable[Answers]) -> None:
        """Play the game anew through other answers. Raises IllegalAnswerError or CommandError."""
        if self.commands and self._has_ended:
            raise CommandError("the game has ended and its seed is known: programs play too, so nothing is taken back")
        self._play(EngineGame(game.game, game.seed, game.chance, answers))

    @property
    def _has_ended(self) -> bool:
        return self._is_stopped or bool(self._game and self._game.result)

    @property
    def _own_seats(self) -> frozenset[Seat]:
        """The seats the caller answers for, with the box's if it draws."""
        assert self._game
        seats = range(BOX if self._game.chance == "ask" else 1, self._game.game.setup.seats + 1)
        return frozenset(seats) - self.commands.keys()

    def _play(self, game: EngineGame) -> None:
        """Tell everybody of a game, and go on in it. Raises PlayerError."""
        if self._is_stopped:
            self._close_players()
        if not self._players:
            self._players = [
                start_player(command, [seat], f"{game.seed}:{seat}") for seat, command in self.commands.items()
            ]
        self._game, self._sent, self._is_stopped = game, 0, False
        self._send_caller(game.describe(self._own_seats, seed_is_public=not self.commands))
        for player in self._players:
            player.send(game.describe(player.seats, seed_is_public=False))
        self._advance(game)

    def _answer(self, game: EngineGame, answers: Answers) -> None:
        """Take the caller's answers. Raises IllegalAnswerError."""
        if self._prompt is None:
            raise IllegalAnswerError("the game has ended: take answers back with undo, or begin another with new")
        game.answer(self._prompt.check(answers) | self._players_answers)
        self._advance(game)

    def _advance(self, game: EngineGame) -> None:
        """Send what is new, and go on to the caller's next question or the end."""
        self._prompt = None
        self._send_log(game)
        while prompt := game.prompt:
            own = prompt.to_seats(self._own_seats)
            if own.seats:
                self._prompt = own
                self._ask_caller()
            self._players_answers, faults = ask_players(self._players, prompt, self.time_limit_s)
            if faults:
                self._stop(faults)
                return
            if own.seats:
                return
            if len(game.answers) >= MAX_QUESTIONS:
                self._stop({})
                return
            game.answer(self._players_answers)
            self._send_log(game)
        assert game.result
        end = ResultMessage(result=record_result(game.result))
        self._send_caller(ResultMessage(result=end.result, seed=game.seed) if self.commands else end)
        for player in self._players:
            player.send(end)

    def _stop(self, faults: Mapping[Player, PlayerError]) -> None:
        """End the game without a result; programs that can't play on are ended."""
        self._prompt, self._is_stopped = None, True
        message = stopped_message(faults)
        self._send_caller(message)
        for player in self._players:
            if player in faults:
                player.close()
            else:
                player.send(message)

    def _send_log(self, game: EngineGame) -> None:
        """Send everybody what they may see of what is new."""
        for message in game.messages_for(self._own_seats, self._sent):
            self._send_caller(message)
        for player in self._players:
            for message in game.messages_for(player.seats, self._sent):
                player.send(message)
        self._sent = len(game.log)

    def _send_caller(self, message: Message) -> None:
        self.write(encode(message))

    def _ask_caller(self) -> None:
        """Put the open question, if there is one."""
        if self._game and self._game.prompt and self._prompt:
            self._send_caller(ask_message(self._game.prompt, self._own_seats))

    def _close_players(self) -> None:
        for player in self._players:
            player.close()
        self._players = []


def parse_seat_commands(texts: Iterable[str]) -> dict[Seat, str]:
    """Parse seats with their commands, written N=COMMAND. Raises PlayerError."""
    commands: dict[Seat, str] = {}
    for text in texts:
        number, _, command = text.partition("=")
        if not (number.isascii() and number.isdecimal() and 1 <= len(number) <= 6 and int(number) and command.strip()):
            raise PlayerError(f"--seat {shorten(text)}: write it N=COMMAND, such as --seat 2=random")
        if int(number) in commands:
            raise PlayerError(f"--seat: seat {int(number)} is named twice")
        commands[int(number)] = command
    return commands
