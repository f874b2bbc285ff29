"""The pages of past matches as plain data. Pure: no surface, no clock; a round itself is shown on a dispute's page."""

from dataclasses import dataclass

from rules.engine import Value
from ui.screen.pages.views import Page

LINES_PER_PAGE = 6
"""Lines on a page of a list, on every screen."""

EARLIER, LATER, BACK, HOME = "earlier", "later", "back", "home"

PLAYERS = "players"
"""The answer to past matches that leads to the list of players."""

STORY, MARK = "story", "mark"
"""The answers to a past round, other than to go to another page."""


@dataclass(frozen=True)
class HistoryLine:
    """One line of a list: ``title``, a ``note`` at its right and ``detail`` below. ``answer`` is what a touch on it
    answers; ``None`` where there is nothing more to see. Without a ``title`` it is a sentence."""

    title: str
    detail: str
    note: str = ""
    answer: Value = None


@dataclass(frozen=True)
class HistoryList(Page):
    """A page (from 0) of a list of past matches, of a match's rounds, or of sentences about a round, with a ``summary``
    above it, or ``empty_text`` where it has no lines. Answered with a line's answer, with LATER if it ``has_more``,
    with EARLIER from all pages but the first, or with one of ``tools``."""

    is_idle = True

    title: str
    lines: tuple[HistoryLine, ...]
    tools: tuple[str, ...]
    list_page: int = 0
    has_more: bool = False
    summary: str = ""
    empty_text: str = ""
