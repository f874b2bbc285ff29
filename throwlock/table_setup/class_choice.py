"""Choosing a class by touch from the lists that are kept; apart from them, since the review pages need no screen."""

from collections.abc import Mapping

from messages import N, join, ngettext_lazy
from throwlock.list_pages import ask_with_list
from ui.screen.core.display import Display
from ui.screen.pages import history as history_page
from ui.screen.pages.history import HistoryLine, HistoryList

WHICH_CLASS = N("Which class?")
UNNAMED = "unnamed"
"""The answer of a class that plays without names."""


def choose_class(display: Display, lists: Mapping[str, tuple[str, ...]]) -> tuple[str, ...] | None:
    """Let people choose one of ``lists``, or to play without names. Return the names; None if they go back."""
    lines = tuple(
        HistoryLine(name, join(names, ", "), ngettext_lazy("{count} student", "{count} students", len(names)), number)
        for number, (name, names) in enumerate(lists.items())
    )
    answer, _ = ask_with_list(display, HistoryList(WHICH_CLASS, lines, (history_page.BACK, UNNAMED)))
    if isinstance(answer, int):
        return list(lists.values())[answer]
    return () if answer == UNNAMED else None
