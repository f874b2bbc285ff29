"""A table without a screen at which rounds can be disputed all the same: on the terminal, where everything is told."""

import re
from collections.abc import Callable

from rules.engine import Value
from ui.screen.core.display import unanswered
from ui.screen.core.page_stack import Asking
from ui.screen.pages.dispute import strings as dispute_strings
from ui.screen.pages.views import DISPUTE, Answer, Corrected, Disputing, Notice, Reveal, View

ASKED = "Enter: go on. dispute: look at it again. "
HOW = "SEAT READING (such as: 2 paper, or 2 nothing), void, earlier, later, or Enter: the verdict stands. "
NOTHING = "nothing"
"""How a reading of no throw is typed."""


class AtTerminal:
    """A display that shows nothing and asks after every reveal whether it is disputed. ``ask_line`` prompts and returns
    what was typed, ``tell`` takes a line."""

    def __init__(self, ask_line: Callable[[str], str], tell: Callable[[str], None]) -> None:
        self._ask_line = ask_line
        self._tell = tell

    def show(self, view: View) -> None:
        """See Display. Does nothing: the match tells all of it on the terminal."""

    def ask(self, view: Asking) -> Answer:
        """See Display. Raises NoInputError for what is answered elsewhere."""
        if isinstance(view, Reveal):
            return DISPUTE if self._typed(ASKED) == DISPUTE else None
        if isinstance(view, Disputing):
            return self._dispute(view)
        if isinstance(view, Notice):
            return self._notice(view)
        unanswered(view)
        return None

    def _notice(self, view: Notice) -> str:
        if len(view.choices) == 1:  # the match tells what there is nothing to choose about
            return view.choices[0]
        self._tell(f"{view.title} {view.text}")
        typed = ""
        while typed not in view.choices:
            typed = self._typed(f"{' or '.join(view.choices)}? ")
        return typed

    def _dispute(self, view: Disputing) -> Answer:
        """What everybody agrees on: asked until it is something, and confirmed."""
        self._tell(f"{view.title}: {view.sentence}")
        for seat in view.seats:
            self._tell(f"  {seat.player.seat} {seat.player.name}: {dispute_strings.shown(view, seat)}")
        ways = {"": "stands", **({"earlier": "earlier"} if view.earlier else {})}
        ways |= {"later": "later"} if view.later else {}
        while True:
            typed = self._typed(HOW)
            if typed in ways:
                return ways[typed]
            agreed = read_correction(view, typed)
            if agreed is None:
                self._tell("That can't be read, or can't be thrown here.")
            elif self._typed(f"{dispute_strings.agreed_on(view, agreed)} {dispute_strings.ASKED} (yes) ") == "yes":
                return agreed

    def _typed(self, prompt: str) -> str:
        return self._ask_line(prompt).strip().lower()


def read_correction(view: Disputing, typed: str) -> Corrected | None:
    """The correction typed as "2 paper" or "void"; None for anything else, or what the round does not allow."""
    if typed == "void":
        return None if view.void else Corrected(None)
    words = re.fullmatch(r"([1-9][0-9]?)\s+([a-z]+)", typed)
    if words is None:
        return None
    seat = next((one for one in view.seats if one.player.seat == int(words[1])), None)
    to: Value = None if words[2] == NOTHING else words[2]
    return Corrected(seat.player.seat, to) if seat is not None and to in seat.choices else None
