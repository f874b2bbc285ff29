"""Choosing a class by touch from the lists that are kept; apart from them, since the review pages need no screen."""

from collections.abc import Mapping

from messages import N, join, ngettext_lazy
from ui.screen.core.display import Display
from ui.screen.pages.history import view as history_view
from ui.screen.pages.history.view import LINES_PER_PAGE, HistoryLine, HistoryList

WHICH_CLASS = N("Which class?")
UNNAMED = "unnamed"
"""The answer of a class that plays without names."""


def choose_class(display: Display, lists: Mapping[str, tuple[str, ...]]) -> tuple[str, ...] | None:
    """Let people choose one of ``lists``, or to play without names. Return the names; None if they go back."""
    lines = [
        HistoryLine(name, join(names, ", "), ngettext_lazy("{count} student", "{count} students", len(names)), number)
        for number, (name, names) in enumerate(lists.items())
    ]
    first = 0
    while True:
        shown = tuple(lines[first : first + LINES_PER_PAGE])
        has_more = first + LINES_PER_PAGE < len(lines)
        match display.ask(
            HistoryList(WHICH_CLASS, shown, (history_view.BACK, UNNAMED), first // LINES_PER_PAGE, has_more)
        ):
            case history_view.LATER:
                first += LINES_PER_PAGE
            case history_view.EARLIER:
                first -= LINES_PER_PAGE
            case int() as number:
                return list(lists.values())[number]
            case answer:
                return () if answer == UNNAMED else None
