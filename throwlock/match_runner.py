"""Runs one match: opens what it needs, plays it and shows the result."""

import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import click

from device.camera.base import Camera, CameraError
from device.camera.clip import ClipCamera
from device.simulated.printed.camera import PrintedCamera
from device.simulated.table.camera import SimulatedTable
from device.system.clock import Clock
from throwlock.classroom_runner import run_class_match
from throwlock.journal.journal import Journal, JournalError, JournalReader
from throwlock.launch_options import LaunchOptions
from throwlock.match.answers import AnswerSource, PeopleOrSimulated, ScreenAnswers, TerminalAnswers
from throwlock.match.config import MatchConfig
from throwlock.match.house_rules import ThrowWith
from throwlock.match.match import Match, MatchError, Pace, resume_or_begin, unfinished_match
from throwlock.next_step import NextStep
from throwlock.simulation.card_players import SimulatedCardPlayers, card_camera
from throwlock.simulation.players import SimulatedPlayers
from throwlock.table_setup.cameras import NO_CAMERA, open_camera
from throwlock.table_setup.sound import open_sound
from throwlock.table_setup.zone_setup import zones_for_match
from throwlock.table_setup.zone_store import load_zones
from throwlock.tables.board_answers import board_answer_source
from throwlock.tables.cards import CardTable, hand_judge_for, uses_cards
from throwlock.tables.clip import ClipTable
from throwlock.tables.hands import Table
from throwlock.tables.no_camera import NoCameraTable
from ui.screen.core.display import Display, NoInputError
from ui.screen.drawing.theme import SEAT_MARKS
from ui.screen.pages.common.view import DISPUTE_ANSWER
from ui.screen.pages.result.view import MatchResult
from ui.text import verdicts
from vision.lock.judge import JUDGE_NICE_LEVEL, Judge
from vision.zones import Zone, default_zones

AssignSeats = Callable[[MatchConfig, Sequence[Zone]], MatchConfig | None]
"""Asks people who sits where, given the zones of all seats; None if they go back."""
RunMatch = Callable[[LaunchOptions, MatchConfig, AssignSeats | None], object]
"""Plays one match and returns what people chose at its end; HOME if they went back from assigning seats."""

CHEAT_THROW_INDEX = 1
"""The throw of a simulated match (from 0) in which one player waits to see the other's hand."""
DEMO_BET_TIMEOUT_S = 6.0
"""Seconds in which people may place the demo's bets before the simulated players do."""
DEMO_RESULT_S = 15.0
"""Seconds the demo's result stays on the screen if nobody touches it."""


def _create_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise JournalError(f"{folder.absolute()} can't be created ({error.strerror}): give --journal") from error


def run_match(
    options: LaunchOptions,
    config: MatchConfig,
    open_display: Callable[[], Display],
    clock: Clock,
    assign_seats: AssignSeats | None = None,
) -> object:
    """Play one match, the unfinished one or a new one, and return what people chose at its end.

    Everything that may be missing is opened before the screens and the journal, so an error leaves nothing written.
    ``assign_seats`` is called before a new match.
    """
    if not options.is_new_journal() and not options.new:
        with JournalReader(options.journal) as reader:
            unfinished = unfinished_match(reader, config)
        if unfinished:
            config, assign_seats = replace(unfinished, camera=config.camera), None
    seats = config.game.setup.seats
    if config.camera == NO_CAMERA:
        seated = assign_seats(config, default_zones(seats)) if assign_seats else config
        return NextStep.HOME if seated is None else _run_without_camera(options, seated, open_display(), clock)
    if seats > len(SEAT_MARKS):
        return run_class_match(options, config, open_display(), clock)
    config = _with_cards_if_simulated(config)
    camera = _open_camera(config, clock)
    camera.start()
    sound = open_sound(options.settings.sound, clock)
    try:
        zoning = load_zones(camera, config.camera, seats, options.zones)
        for zone in zoning.zones:
            zone.box(camera.size)
        with hand_judge_for(config.game, config.house_rules, 0 if options.headless else JUDGE_NICE_LEVEL) as judge:
            if options.folder_to_create:
                _create_folder(options.folder_to_create)
            display = open_display()
            options.alerts.show(display)
            if zoning.error:
                click.echo(zoning.error)
            if assign_seats:
                seated = assign_seats(config, zoning.zones)
                if seated is None:
                    return NextStep.HOME
                config = seated
            zones = zoning.zones
            if not options.headless:
                zones = zones_for_match(display, camera, config.camera, clock, zoning, config.names)
            with Journal(options.journal) as journal:
                table, answer_source = _set_up_table(options, config, camera, display, clock, judge)
                answer_source = board_answer_source(
                    options.board, config, camera, clock, display, answer_source, click.echo, live=not options.headless
                )
                table.zones, table.sound = zones, sound
                number = resume_or_begin(journal, config, new=options.new)
                with closing(table):
                    match = Match(journal, number, table, answer_source, click.echo, _pace_for(options))
                    return play_to_end(options, display, match)
    finally:
        camera.stop()
        sound.stop()


def _run_without_camera(options: LaunchOptions, config: MatchConfig, display: Display, clock: Clock) -> object:
    """Run a match without a camera: players enter their throws as they enter any other answer."""
    if options.folder_to_create:
        _create_folder(options.folder_to_create)
    screen = options.people_answer
    answer_source = ScreenAnswers(display) if screen else TerminalAnswers(read_terminal_line, click.echo)
    sound = open_sound(options.settings.sound, clock)
    try:
        with Journal(options.journal) as journal:
            number = resume_or_begin(journal, config, new=options.new)
            table = NoCameraTable(display, clock, config.house_rules, sound)
            match = Match(journal, number, table, answer_source, click.echo, _pace_for(options))
            return play_to_end(options, display, match)
    finally:
        sound.stop()


def _set_up_table(
    options: LaunchOptions, config: MatchConfig, camera: Camera, display: Display, clock: Clock, judge: Judge
) -> tuple[Table, AnswerSource]:
    """Return the table and the source of its answers."""
    live = not options.headless
    if isinstance(camera, ClipCamera):
        table: Table = ClipTable(camera, (), judge, display, clock, config.house_rules, show_preview=live)
    elif uses_cards(config.game, config.house_rules.throw_with):
        game, people = config.game, options.people_answer
        table = CardTable(
            camera, (), judge, display, clock, config.house_rules, show_preview=live, game=game, people_answer=people
        )
    else:
        table = Table(camera, (), judge, display, clock, config.house_rules, show_preview=live)
    answer_source: AnswerSource = ScreenAnswers(display)
    if isinstance(camera, SimulatedTable | PrintedCamera):
        try:
            simulated = _simulated_players(config, camera)
        except ValueError as error:
            raise MatchError(f"{options.journal}: its match can't be resumed: {error}") from error
        table.throw_listener = simulated
        if not options.people_answer:
            answer_source = simulated
        elif options.demo:
            answer_source = PeopleOrSimulated(display, simulated, DEMO_BET_TIMEOUT_S)
    elif not options.people_answer:
        answer_source = TerminalAnswers(read_terminal_line, click.echo)
    return table, answer_source


def _simulated_players(config: MatchConfig, camera: SimulatedTable | PrintedCamera) -> SimulatedPlayers:
    """Return the players of a simulated camera. Raises ValueError for a scenario they can't act out."""
    if isinstance(camera, PrintedCamera):
        return SimulatedCardPlayers(config.seed, camera, config.game, config.scenarios, click.echo)
    return SimulatedPlayers(config.seed, camera, CHEAT_THROW_INDEX, config.scenarios, click.echo)


def _with_cards_if_simulated(config: MatchConfig) -> MatchConfig:
    """Throw with cards throughout at a simulated camera if the game uses printed cards: that camera shows no hands."""
    if config.camera != "simulated" or not uses_cards(config.game, config.house_rules.throw_with):
        return config
    return replace(config, house_rules=config.house_rules.model_copy(update={"throw_with": ThrowWith.CARDS}))


def _open_camera(config: MatchConfig, clock: Clock) -> Camera:
    """Return the camera of a match, not started. Raises CameraError."""
    if uses_cards(config.game, config.house_rules.throw_with):
        if config.camera == "simulated":
            return card_camera(clock, config.seed)
        if config.camera.startswith("clip:"):
            raise CameraError("a clip can't be played with cards: use a camera, or throw with hands")
    return open_camera(config.camera, clock, config.game.setup.seats, config.seed)


def read_terminal_line(prompt: str) -> str:
    """Prompt for a line on the terminal. Raises NoInputError if there is no more input."""
    click.echo(prompt, nl=False)
    line = sys.stdin.readline()
    if not line:
        raise NoInputError(
            "no input on the terminal: the match is saved; start again with the same journal to resume it"
        )
    return line


def _pace_for(options: LaunchOptions) -> Pace:
    return Pace(0.0, 0.0) if options.headless and options.camera.startswith("clip") else Pace()


def play_to_end(options: LaunchOptions, display: Display, match: Match) -> object:
    """Play a match to its end, show the result and return what people choose next. They may dispute the last rounds;
    the match then resumes if a correction changed it."""
    while True:
        result = match.play()
        view = MatchResult(match.players(), result, verdicts.result_sentence(result, match.names))
        if not options.people_answer:
            display.show(view)
            return None
        seconds = DEMO_RESULT_S if options.demo else None
        chosen = display.ask(replace(view, seconds_left=seconds, can_dispute=match.can_dispute))
        if chosen != DISPUTE_ANSWER:
            return chosen
        match.dispute()


def runner_on(display: Display, clock: Clock) -> RunMatch:
    """Return what plays a match on ``display``."""
    return lambda options, config, assign_seats: run_match(options, config, lambda: display, clock, assign_seats)
