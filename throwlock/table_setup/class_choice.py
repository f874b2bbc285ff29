"""Choosing a class by touch from the lists that are kept; apart from them, since the review pages need no screen."""

from collections.abc import Mapping

from messages import N, join, ngettext_lazy
from throwlock.list_pages import ask_with_list
from ui.screen.core.display import Display
from ui.screen.pages.history import HistoryAnswer, HistoryLine, HistoryList

WHICH_CLASS = N("Which class?")


def choose_class(display: Display, lists: Mapping[str, tuple[str, ...]]) -> tuple[str, ...] | None:
    """Let people choose one of ``lists``, or to play without names. Return the names; None if they go back."""
    lines = tuple(
        HistoryLine(name, join(names, ", "), ngettext_lazy("{count} student", "{count} students", len(names)), number)
        for number, (name, names) in enumerate(lists.items())
    )
    answer, _ = ask_with_list(display, HistoryList(WHICH_CLASS, lines, (HistoryAnswer.BACK, HistoryAnswer.UNNAMED)))
    if isinstance(answer, int):
        return list(lists.values())[answer]
    return () if answer == HistoryAnswer.UNNAMED else None
