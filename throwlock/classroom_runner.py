"""A match of a class, before a real camera or a simulated room, in a window or on the terminal."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import click

from device.camera.base import Camera
from device.system.clock import Clock
from rules.markers import STUDENTS
from throwlock.cli.options import UsageError
from throwlock.journal.journal import Journal
from throwlock.launch_options import Wanted
from throwlock.match.answers import AtScreen
from throwlock.match.config import Billing
from throwlock.match.match import Match, Pace, take_up
from throwlock.match_runner import HOME
from throwlock.simulation.classroom import ClassPlayers
from throwlock.table_setup import sound as hearing
from throwlock.table_setup.cameras import open_camera
from throwlock.tables.cards import NoHands
from throwlock.tables.classroom import ClassStoppedError, ClassTable, RollWatch
from throwlock.tables.classroom_results import told_in_tables
from ui.screen.core.display import Display, Silent, unanswered
from ui.screen.core.page_stack import Asking
from ui.screen.pages.classroom.strings import missing, seen, thrown, troubles
from ui.screen.pages.classroom.view import Roll, RollCall
from ui.screen.pages.views import Answer, Ended, Reveal, Told, View
from ui.text import verdicts

NAMES = "class.txt"
"""A file of this name beside the journal has the students' names, one a line."""
PACE = Pace(30.0, 120.0)
"""How long a class's result stays if nobody touches "go on"."""
ROLL_NS = 10_000_000_000
"""Where nobody can be asked, cards are waited for so long."""
LOOK_NS = 250_000_000
"""Between two looks for cards there."""


class AtTheWall:
    """A display that nobody can touch: it tells what a class throws on the terminal, in tables."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._drawn: frozenset[int] = frozenset()

    def show(self, view: View) -> None:
        """See Display."""
        if isinstance(view, Told):
            for line in told_in_tables(view, self._drawn):
                self._tell(line)

    def ask(self, view: Asking) -> Answer:
        """See Display. Raises NoInputError for what needs an answer."""
        if isinstance(view, Reveal):
            self._tell(thrown(view))
            self._drawn = frozenset(seat.player.seat for seat in view.seats if seat.throw is None)
        elif isinstance(view, Told):
            self.show(view)
        else:
            unanswered(view)
        return None


def read_names(path: Path) -> tuple[str, ...]:
    """The names in a file, a student a line. Raises UsageError."""
    try:
        found = [line.strip() for line in path.read_text(encoding="utf-8-sig").splitlines()]
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not text in UTF-8: save it as such") from None
    names = tuple(name for name in found if name and name.isprintable())
    if len(names) > STUDENTS:
        raise UsageError(f"{path} has {len(names)} names: there are cards for {STUDENTS} students")
    return names


def with_names(billing: Billing, journal: Path) -> Billing:
    """The billing with the names of the class that are kept beside the journal, for whom it has none."""
    kept = journal.parent / NAMES
    if not kept.is_file() or any(
        name != verdicts.neutral(seat) for seat, name in enumerate(billing.names, 1)
    ):  # somebody has a name already
        return billing
    names = read_names(kept)[: len(billing.names)]
    return replace(billing, names=(*names, *billing.names[len(names) :]))


def play_class(wanted: Wanted, billing: Billing, display: Display, clock: Clock, keep_picture: bool = False) -> object:
    """Play one match of a class, the one that was cut off or a new one. Returns what people chose at the end."""
    if wanted.headless and isinstance(display, Silent):
        display = AtTheWall(click.echo)
    billing = with_names(billing, wanted.journal)
    seats = billing.game.setup.seats
    simulated = ClassPlayers(clock, seats, billing.seed) if billing.camera == "simulated" else None
    camera: Camera = simulated.camera if simulated else open_camera(billing.camera, clock, seats, billing.seed)
    camera.start()
    sound = hearing.opened(wanted.settings.sound, clock)
    try:
        if simulated:
            simulated.arrive()
        if wanted.headless:
            roll_in_lines(camera, clock, billing.names)
        if wanted.folder:
            wanted.folder.mkdir(parents=True, exist_ok=True)
        with Journal(wanted.journal) as journal:
            table = ClassTable(
                camera, (), NoHands(), display, clock, billing.house, simulated, sound=sound,
                people=wanted.people, keep_picture=keep_picture,
            )  # fmt: skip
            number = take_up(journal, billing, new=wanted.new)
            pace = Pace(0.0, 0.0) if wanted.headless else PACE
            tell = _Tells()
            match = Match(journal, number, table, AtScreen(display), tell, pace)
            tell.quiet = True  # the tables say it all
            return _ended(wanted, display, match)
    except ClassStoppedError:
        return HOME
    finally:
        camera.stop()
        sound.stop()


class _Tells:
    """Tells lines on the terminal until it is ``quiet``."""

    quiet = False

    def __call__(self, line: str) -> None:
        if not self.quiet:
            click.echo(line)


def _ended(wanted: Wanted, display: Display, match: Match) -> object:
    result = match.play()
    view = Ended(match.players(), result, verdicts.told_result(result, match.names))
    if not wanted.people:
        display.show(view)
        click.echo(view.sentence)
        return None
    return display.ask(view)


def roll_in_lines(camera: Camera, clock: Clock, names: tuple[str, ...]) -> Roll:
    """Call the roll where nobody can touch a screen: until everybody's card was seen, or for ten seconds."""
    watch = RollWatch(camera, range(1, len(names) + 1))
    until_ns = clock.now_ns() + ROLL_NS
    while len(watch.roll.seen) < len(names) and clock.now_ns() < until_ns:
        clock.wait_until(clock.now_ns() + LOOK_NS)
        watch.look()
    view = RollCall("", names, lambda: watch.roll, watch.roll)
    for line in (seen(view), missing(view), troubles(view)):
        if line:
            click.echo(line)
    return watch.roll
