"""A class without a screen: each round as tables on the terminal, and attendance."""

from collections.abc import Callable

import click
from typing_extensions import override

from device.camera.base import Camera
from device.system.clock import Clock
from throwlock.tables.classroom import AttendanceScanner
from throwlock.tables.classroom_results import round_lines
from ui.screen.core.display import Display, require_no_answer
from ui.screen.pages.classroom import Attendance, RollCall, missing_text, problems_text, seen_text, thrown_text
from ui.screen.pages.message import GameMessage
from ui.screen.pages.reveal import Reveal
from ui.screen.views import Answer, InteractiveView, View

ATTENDANCE_TIMEOUT_NS = 10_000_000_000
"""How long the box waits for cards if nobody can be asked."""
ATTENDANCE_INTERVAL_NS = 100_000_000
"""Time between two scans for cards then."""


class ClassroomDisplay(Display):
    """A display for a class without a screen: prints each round as tables on the terminal."""

    def __init__(self, announce: Callable[[str], None]) -> None:
        self._announce = announce
        self._drawn: frozenset[int] = frozenset()

    @override
    def show(self, view: View) -> None:
        if isinstance(view, GameMessage):
            for line in round_lines(view, self._drawn):
                self._announce(line)

    @override
    def ask(self, view: InteractiveView) -> Answer:
        """Announce what the page says. Raises NoInputError for a view that needs an answer."""
        if isinstance(view, Reveal):
            self._announce(thrown_text(view))
            self._drawn = frozenset(seat.seat for seat in view.seats if seat.last_throw is None)
        elif isinstance(view, GameMessage):
            self.show(view)
        else:
            require_no_answer(view)
        return None


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
