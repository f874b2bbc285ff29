"""Runs a match of a class, at a real or a simulated camera, in a window or on the terminal."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import click

from device.camera.base import Camera
from device.system.clock import Clock
from errors import ThrowlockError
from rules.markers import MAX_STUDENTS
from throwlock.journal.journal import Journal
from throwlock.launch_options import LaunchOptions
from throwlock.match.answers import ScreenAnswers
from throwlock.match.config import MatchConfig
from throwlock.match.match import Match, Pace, resume_or_begin
from throwlock.next_step import NextStep
from throwlock.simulation.classroom import SimulatedClass
from throwlock.table_setup.cameras import open_camera
from throwlock.table_setup.sound import open_sound
from throwlock.tables.cards import NullHandJudge
from throwlock.tables.classroom import AttendanceScanner, ClassStoppedError, ClassTable
from throwlock.tables.classroom_results import round_lines
from ui.screen.core.display import Display, NullDisplay, require_no_answer
from ui.screen.core.page_stack import InteractiveView
from ui.screen.pages.answers import Answer
from ui.screen.pages.classroom.strings import missing_text, problems_text, seen_text, thrown_text
from ui.screen.pages.classroom.view import Attendance, RollCall
from ui.screen.pages.message.view import GameMessage
from ui.screen.pages.result.view import MatchResult
from ui.screen.pages.reveal.view import Reveal
from ui.screen.pages.views import View
from ui.text import verdicts

NAMES_FILE = "class.txt"
"""A file of this name next to the journal has the students' names, one per line."""
CLASS_PACE = Pace(30.0, 120.0)
"""How long a class's result is shown if nobody touches "go on"."""
ATTENDANCE_TIMEOUT_NS = 10_000_000_000
"""How long the box waits for cards if nobody can be asked."""
ATTENDANCE_INTERVAL_NS = 250_000_000
"""Time between two scans for cards then."""


class ClassroomDisplay:
    """A display for a class without a screen: prints each round as tables on the terminal."""

    def __init__(self, announce: Callable[[str], None]) -> None:
        self._announce = announce
        self._drawn: frozenset[int] = frozenset()

    def show(self, view: View) -> None:
        """See Display."""
        if isinstance(view, GameMessage):
            for line in round_lines(view, self._drawn):
                self._announce(line)

    def ask(self, view: InteractiveView) -> Answer:
        """See Display. Raises NoInputError for a view that needs an answer."""
        if isinstance(view, Reveal):
            self._announce(thrown_text(view))
            self._drawn = frozenset(seat.player.seat for seat in view.seats if seat.throw is None)
        elif isinstance(view, GameMessage):
            self.show(view)
        else:
            require_no_answer(view)
        return None


class NamesFileError(ThrowlockError):
    """A file of students' names that can't be used. The message says why in one line."""


def read_names(path: Path) -> tuple[str, ...]:
    """Read students' names from a file, one per line. Raises NamesFileError."""
    try:
        found = [line.strip() for line in path.read_text(encoding="utf-8-sig").splitlines()]
    except UnicodeDecodeError:
        raise NamesFileError(f"{path} is not UTF-8 text: save it as UTF-8") from None
    names = tuple(name for name in found if name and name.isprintable())
    if len(names) > MAX_STUDENTS:
        raise NamesFileError(f"{path} has {len(names)} names: there are cards for {MAX_STUDENTS} students")
    return names


def with_class_names(config: MatchConfig, journal: Path) -> MatchConfig:
    """Take the students' names from the file next to the journal, unless somebody has a name already."""
    path = journal.parent / NAMES_FILE
    named = any(name != verdicts.default_name(seat) for seat, name in enumerate(config.names, 1))
    if named or not path.is_file():
        return config
    names = read_names(path)[: len(config.names)]
    return replace(config, names=(*names, *config.names[len(names) :]))


def run_class_match(
    options: LaunchOptions, config: MatchConfig, display: Display, clock: Clock, keep_whole_image: bool = False
) -> object:
    """Play one match of a class, the unfinished one or a new one, and return what people chose at its end."""
    if options.headless and isinstance(display, NullDisplay):
        display = ClassroomDisplay(click.echo)
    config = with_class_names(config, options.journal)
    seats = config.game.setup.seats
    simulated = SimulatedClass(clock, seats, config.seed) if config.camera == "simulated" else None
    camera: Camera = simulated.camera if simulated else open_camera(config.camera, clock, seats, config.seed)
    camera.start()
    sound = open_sound(options.settings.sound, clock)
    try:
        if simulated:
            simulated.arrive()
        if options.headless:
            print_attendance(camera, clock, config.names)
        if options.folder_to_create:
            options.folder_to_create.mkdir(parents=True, exist_ok=True)
        with Journal(options.journal) as journal:
            table = ClassTable(
                camera, (), NullHandJudge(), display, clock, config.house_rules, simulated, sound=sound,
                people_answer=options.people_answer, keep_whole_image=keep_whole_image,
            )  # fmt: skip
            number = resume_or_begin(journal, config, new=options.new)
            pace = Pace(0.0, 0.0) if options.headless else CLASS_PACE
            echo = _MutableEcho()
            match = Match(journal, number, table, ScreenAnswers(display), echo, pace)
            echo.quiet = True  # the tables show everything
            return _play_to_end(options, display, match)
    except ClassStoppedError:
        return NextStep.HOME
    finally:
        camera.stop()
        sound.stop()


class _MutableEcho:
    """Prints lines on the terminal unless it is ``quiet``."""

    quiet = False

    def __call__(self, line: str) -> None:
        if not self.quiet:
            click.echo(line)


def _play_to_end(options: LaunchOptions, display: Display, match: Match) -> object:
    result = match.play()
    view = MatchResult(match.players(), result, verdicts.result_sentence(result, match.names))
    if not options.people_answer:
        display.show(view)
        click.echo(view.sentence)
        return None
    return display.ask(view)


def print_attendance(camera: Camera, clock: Clock, names: tuple[str, ...]) -> Attendance:
    """Take attendance without a screen, until every card was seen or the time is up, and print it."""
    scanner = AttendanceScanner(camera, range(1, len(names) + 1))
    until_ns = clock.now_ns() + ATTENDANCE_TIMEOUT_NS
    while len(scanner.attendance.seen) < len(names) and clock.now_ns() < until_ns:
        clock.wait_until(clock.now_ns() + ATTENDANCE_INTERVAL_NS)
        scanner.scan()
    view = RollCall("", names, lambda: scanner.attendance, scanner.attendance)
    for line in (seen_text(view), missing_text(view), problems_text(view)):
        if line:
            click.echo(line)
    return scanner.attendance
