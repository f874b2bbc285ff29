"""The source of a match's rounds, put together from what the session has open."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import click

from device.camera.base import Camera, CameraError
from device.camera.clip import ClipCamera
from device.simulated.table.camera import SimulatedTable
from device.sound.base import Sound
from device.system.clock import Clock
from messages import N
from rules.board.match import board_variant
from rules.board.moves import Move
from rules.board.notation import parse_move
from rules.board.position import Position, starting_position
from rules.engine import Prompt, Seat
from throwlock.house_rules import ThrowWith
from throwlock.launch_options import LaunchOptions
from throwlock.match.match import MatchError
from throwlock.replay.config import MatchConfig
from throwlock.simulation.board_player import SimulatedBoardPlayer, board_camera
from throwlock.simulation.card_players import SimulatedCardPlayers, card_camera
from throwlock.simulation.classroom import SimulatedClass
from throwlock.simulation.players import SimulatedPlayers
from throwlock.table_setup.cameras import CameraKind, open_camera
from throwlock.tables.answers import ScreenAnswers, TerminalAnswers, TimedAnswers, read_terminal_line
from throwlock.tables.board import MOVES_BY_CAMERA, MOVES_BY_SCREEN, BoardTable, people_want_board
from throwlock.tables.cards import CardTable, throws_hands, uses_cards
from throwlock.tables.classroom import ClassTable
from throwlock.tables.hands import ClipTable, HandTable
from throwlock.tables.source import AnswerSource, PlayTable, RoundSource, ThrowListener
from ui.screen.core.display import Display
from ui.screen.drawing.theme import SEAT_MARKS
from vision.lock.judge import JUDGE_NICE_LEVEL, Judge
from vision.zones import Zone

CHEAT_THROW_INDEX = 1
"""The throw of a simulated match (from 0) in which one player waits to see the other's hand."""
LATER_CHEAT_THROW_INDEX = 5
"""The same where people answer: a game of RPS Redeux is then past its first bet, which a void round would delay."""
DEMO_BET_TIMEOUT_S = 6.0
"""Seconds in which people may place the demo's bets before the simulated players do."""


@dataclass(frozen=True)
class SimulatedTablePlayers:
    """The players of a simulated camera."""

    listener: ThrowListener
    """Who acts when something is due."""
    answers: SimulatedPlayers | None = None
    """Who answers; None: nobody can."""


@dataclass(frozen=True)
class TableSetup:
    """What a source is put together from."""

    options: LaunchOptions
    config: MatchConfig
    camera: Camera | None
    """None where nothing is watched."""
    zones: tuple[Zone, ...]
    display: Display
    clock: Clock
    sound: Sound
    judge: Judge | None
    """None where no hands are watched."""
    players: SimulatedTablePlayers | None = None
    against_box: bool = False


def is_class(options: LaunchOptions, config: MatchConfig) -> bool:
    """Whether a match is a class's: asked for, or of more players than fit at a table."""
    return config.camera != CameraKind.NONE and (options.in_class or config.game.setup.seats > len(SEAT_MARKS))


def open_camera_and_players(
    options: LaunchOptions,
    config: MatchConfig,
    clock: Clock,
    announce: Callable[[str], None],
    cheat_throw: int | None = CHEAT_THROW_INDEX,
) -> tuple[Camera | None, SimulatedTablePlayers | None]:
    """Return the camera of a match, not started, and its players if it is simulated. ``announce`` takes a line for each
    scenario that they act out. Raises CameraError, and MatchError for a scenario they can't act out."""
    seats, with_cards = config.game.setup.seats, uses_cards(config.game, config.house_rules.throw_with)
    if config.camera == CameraKind.NONE:
        return None, None
    if config.camera != CameraKind.SIMULATED:
        if with_cards and CameraKind.of(config.camera) is CameraKind.CLIP:
            raise CameraError(N("a clip can’t be played with cards: use a camera, or throw with hands"))
        camera = open_camera(config.camera, clock, seats, config.seed)
        if isinstance(camera, ClipCamera) and camera.speed_note is not None:
            announce(camera.speed_note)
        return camera, None
    if is_class(options, config):
        students = SimulatedClass(clock, seats, config.seed)
        students.arrive()
        return students.camera, SimulatedTablePlayers(students)
    try:
        if with_cards:
            cards = card_camera(clock, config.seed)
            card_players = SimulatedCardPlayers(config.seed, cards, config.game, config.scenarios, announce)
            return cards, SimulatedTablePlayers(card_players, card_players)
        table = SimulatedTable(clock, max(2, seats), config.seed)
        players = SimulatedPlayers(config.seed, table, cheat_throw, config.scenarios, announce)
        return table, SimulatedTablePlayers(players, players)
    except ValueError as error:
        raise MatchError(N("the match can’t be resumed: {why}", why=str(error))) from error


def with_cards_if_simulated(config: MatchConfig) -> MatchConfig:
    """Throw with cards throughout at a simulated camera if the game uses printed cards: that camera shows no hands."""
    if config.camera != CameraKind.SIMULATED or not uses_cards(config.game, config.house_rules.throw_with):
        return config
    return replace(config, house_rules=config.house_rules.model_copy(update={"throw_with": ThrowWith.CARDS}))


def judges_hands(options: LaunchOptions, config: MatchConfig) -> bool:
    """Return whether a camera reads the hands of a match: not if all throws are cards, or entered."""
    by_hand = throws_hands(config.game, config.house_rules.throw_with)
    return config.camera != CameraKind.NONE and by_hand and not is_class(options, config)


def hand_judge(options: LaunchOptions, config: MatchConfig) -> Judge | None:
    """Return the judge of a match's hands; None if no camera reads them. Raises ModelError."""
    if not judges_hands(options, config):
        return None
    return Judge(config.game.setup.seats, 0 if options.headless else JUDGE_NICE_LEVEL)


def open_source(setup: TableSetup) -> RoundSource:
    """Return the source of a match's rounds: the camera reads what it can, and people, or simulated players, answer the
    rest. Raises CameraError and PeopleLeftError."""
    answers = open_answers(setup)
    return RoundSource(answers, tuple(_open_tables(setup, answers)))


def _open_tables(setup: TableSetup, answers: AnswerSource) -> Iterator[PlayTable]:
    """Yield the tables of a match. The first that plays a prompt is asked."""
    config, options, camera = setup.config, setup.options, setup.camera
    if camera is None:
        return
    listener = setup.players.listener if setup.players else ThrowListener()
    show_preview = not options.headless
    if is_class(options, config):
        yield ClassTable(
            camera=camera, display=setup.display, clock=setup.clock, house_rules=config.house_rules, listener=listener,
            sound=setup.sound, people_answer=options.people_answer, keep_whole_image=options.keep_whole_image,
        )  # fmt: skip
        return
    if uses_cards(config.game, config.house_rules.throw_with):
        yield CardTable(
            camera=camera, zones=setup.zones, display=setup.display, clock=setup.clock, house_rules=config.house_rules,
            listener=listener, show_preview=show_preview, sound=setup.sound, game=config.game,
            people_answer=options.people_answer,
        )  # fmt: skip
    if setup.judge and isinstance(camera, ClipCamera):
        yield ClipTable(
            camera=camera, zones=setup.zones, display=setup.display, clock=setup.clock, house_rules=config.house_rules,
            listener=listener, show_preview=show_preview, sound=setup.sound, judge=setup.judge,
        )  # fmt: skip
    elif setup.judge:
        yield HandTable(
            camera=camera, zones=setup.zones, display=setup.display, clock=setup.clock, house_rules=config.house_rules,
            listener=listener, show_preview=show_preview, sound=setup.sound, judge=setup.judge,
            against_box=setup.against_box,
        )  # fmt: skip
    if config.game.rules.has_board and (board := open_board_table(setup, camera, answers)) is not None:
        yield board


def open_answers(setup: TableSetup) -> AnswerSource:
    """Return who answers what no camera reads."""
    simulated = setup.players.answers if setup.players else None
    if simulated and not setup.options.people_answer:
        return simulated
    if simulated and setup.options.demo:
        return TimedAnswers(setup.display, simulated.choose, DEMO_BET_TIMEOUT_S)
    if setup.options.people_answer or setup.players:
        return ScreenAnswers(setup.display)
    return TerminalAnswers(read_terminal_line, click.echo)


def open_board_table(setup: TableSetup, camera: Camera, answers: AnswerSource) -> BoardTable | None:
    """Return the table that reads the moves of a board match from the printed board, None if they are entered. At a
    simulated table, a simulated player moves the pieces. Raises CameraError and PeopleLeftError."""
    moves_by, config, live = setup.options.board, setup.config, not setup.options.headless
    if moves_by == MOVES_BY_SCREEN or (setup.players and moves_by != MOVES_BY_CAMERA):
        return None
    board_setup = config.game.setup
    if not setup.players:
        if moves_by is None and not (live and people_want_board(camera, setup.display)):
            return None
        return BoardTable(camera, setup.clock, setup.display, answers, board_setup, click.echo, live)
    over, players = board_camera(setup.clock, config.seed), SimulatedPlayers(config.seed)

    def choose(before: Position, prompt: Prompt, seat: Seat, key: int) -> Move:
        return parse_move(str(players.choose(prompt, seat, key)), before.tables.board)

    over.start()
    board = starting_position(board_variant(board_setup)).tables.board
    mover = SimulatedBoardPlayer(over, setup.clock, board, choose, config.seed)
    return BoardTable(over, setup.clock, setup.display, answers, board_setup, click.echo, live, mover.begin_turn)
