"""Displays for a table without a screen: rounds can be disputed on the terminal; a class sees each round as tables, and
who is there."""

import re
from collections.abc import Callable

import click
from typing_extensions import override

from device.camera.base import Camera
from device.system.clock import Clock
from rules.engine import Value
from throwlock.tables.classroom import AttendanceScanner
from throwlock.tables.classroom_results import round_lines
from ui.screen.core.display import Display, require_no_answer
from ui.screen.pages import dispute as dispute_page
from ui.screen.pages.classroom import Attendance, RollCall, missing_text, problems_text, seen_text, thrown_text
from ui.screen.pages.common import DISPUTE_ANSWER
from ui.screen.pages.dispute import AgreedCorrection, DisputedRound
from ui.screen.pages.message import GameMessage
from ui.screen.pages.notice import Notice
from ui.screen.pages.reveal import Reveal
from ui.screen.views import Answer, InteractiveView, View

REVEAL_PROMPT = "Enter to continue, or: dispute. "
DISPUTE_PROMPT = "SEAT READING (2 paper, 2 nothing), void, earlier, later, or Enter to keep the verdict. "
NO_THROW_WORD = "nothing"
"""The word to type for a reading of no throw."""

ATTENDANCE_TIMEOUT_NS = 10_000_000_000
"""How long the box waits for cards if nobody can be asked."""

ATTENDANCE_INTERVAL_NS = 100_000_000
"""Time between two scans for cards then."""


class TerminalDisplay(Display):
    """Shows nothing and asks after every reveal whether it is disputed. ``ask_line`` prompts for a line and returns it;
    ``announce`` prints a line."""

    def __init__(self, ask_line: Callable[[str], str], announce: Callable[[str], None]) -> None:
        self._ask_line = ask_line
        self._announce = announce

    @override
    def show(self, view: View) -> None:
        """Do nothing: the match prints everything on the terminal."""

    @override
    def ask(self, view: InteractiveView) -> Answer:
        """Ask for a line. Raises NoInputError for a view that can't be answered here."""
        if isinstance(view, Reveal):
            return DISPUTE_ANSWER if self._read_line(REVEAL_PROMPT) == DISPUTE_ANSWER else None
        if isinstance(view, DisputedRound):
            return self._dispute(view)
        if isinstance(view, Notice):
            return self._notice(view)
        require_no_answer(view)
        return None

    def _notice(self, view: Notice) -> str:
        if len(view.choices) == 1:  # the match prints notices without a choice
            return view.choices[0]
        self._announce(f"{view.title} {view.text}")
        typed = ""
        while typed not in view.choices:
            typed = self._read_line(f"{' or '.join(view.choices)}? ")
        return typed

    def _dispute(self, view: DisputedRound) -> Answer:
        """Ask until everybody agrees on a correction or the verdict, and confirm it."""
        self._announce(f"{view.title}: {view.sentence}")
        for seat in view.seats:
            self._announce(f"  {seat.seat} {view.name(seat)}: {dispute_page.reading_and_time(view, seat)}")
        choices = {"": "stands"}
        choices |= {"earlier": "earlier"} if view.has_earlier else {}
        choices |= {"later": "later"} if view.has_later else {}
        while True:
            typed = self._read_line(DISPUTE_PROMPT)
            if typed in choices:
                return choices[typed]
            agreed = read_correction(view, typed)
            if agreed is None:
                self._announce("That is not a correction, or not possible here.")
            elif (
                self._read_line(
                    f"{dispute_page.correction_text(view, agreed)} {dispute_page.AGREEMENT_QUESTION} (yes) "
                )
                == "yes"
            ):
                return agreed

    def _read_line(self, prompt: str) -> str:
        return self._ask_line(prompt).strip().lower()


def read_correction(view: DisputedRound, typed: str) -> AgreedCorrection | None:
    """Parse a correction such as "2 paper" or "void"; None if it is something else or the round does not allow it."""
    if typed == "void":
        return None if view.is_void else AgreedCorrection(None)
    words = re.fullmatch(r"([1-9][0-9]?)\s+([a-z]+)", typed)
    if words is None:
        return None
    seat = int(words[1])
    to: Value = None if words[2] == NO_THROW_WORD else words[2]
    return AgreedCorrection(seat, to) if to in view.choices.get(seat, ()) else None


class ClassroomDisplay(Display):
    """A display for a class without a screen: prints each round as tables on the terminal."""

    def __init__(self, announce: Callable[[str], None]) -> None:
        self._announce = announce

    @override
    def show(self, view: View) -> None:
        if isinstance(view, GameMessage):
            for line in round_lines(view):
                self._announce(line)

    @override
    def ask(self, view: InteractiveView) -> Answer:
        """Announce what the page says. Raises NoInputError for a view that needs an answer."""
        if isinstance(view, Reveal):
            self._announce(thrown_text(view))
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
