"""Setting up a match of a class: whose list, how many play, and who waits."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from messages import N, capitalise, join, ngettext_lazy
from rules.classroom import CLASS_RULES, with_class_options
from rules.markers import MAX_STUDENTS
from throwlock.list_pages import ask_with_list
from throwlock.table_setup.class_names import ClassListError, ClassLists
from ui.screen.core.display import Display
from ui.screen.drawing.theme import SEAT_MARKS
from ui.screen.pages.history import HistoryAnswer, HistoryLine, HistoryList
from ui.screen.pages.home import DEFAULT_CLASS_SIZE, ChosenGame, GameMenu
from ui.screen.pages.notice import Notice
from ui.screen.views import SET_UP_PATIENCE_S, Answer

MOST_WAITING_NAMED = 6
"""Of more students for whom a match has no seat, the page gives the number."""
WHICH_CLASS = N("Which class?")


def set_up_class(display: Display, journal: Path) -> tuple[Answer, tuple[str, ...]]:
    """Let people choose a class's list, if any is kept, and set up a match for it. Return their choice, None if they go
    back, and the students' names in the order of their cards; none without a list."""
    lists: Mapping[str, tuple[str, ...]] = {}
    try:
        lists = ClassLists(journal).read()
    except ClassListError as error:
        display.ask(Notice(WHICH_CLASS, capitalise(error.text)))
    while True:
        class_name = _choose_class(display, lists) if lists else ""
        if class_name is None:
            return None, ()
        names = lists.get(class_name, ())
        menu = GameMenu(
            (CLASS_RULES,),
            idle_timeout_s=SET_UP_PATIENCE_S,
            seat_limit=MAX_STUDENTS,
            can_go_back=True,
            usual_seats=len(names) or DEFAULT_CLASS_SIZE,
            class_name=class_name,
        )
        chosen = display.ask(menu)
        if chosen != "back" or not lists:
            break
    if isinstance(chosen, ChosenGame) and len(SEAT_MARKS) < chosen.seats < len(names):
        chosen = _ask_who_waits(display, chosen, names)
    if isinstance(chosen, ChosenGame):
        chosen = replace(chosen, options=with_class_options(chosen.options))
    return chosen, names


def _choose_class(display: Display, lists: Mapping[str, tuple[str, ...]]) -> str | None:
    """Let people choose one of ``lists``, or to play without names. Return the list's name, "" without one; None if
    they go back."""
    lines = tuple(
        HistoryLine(name, join(names, ", "), ngettext_lazy("{count} student", "{count} students", len(names)), number)
        for number, (name, names) in enumerate(lists.items())
    )
    answer, _ = ask_with_list(display, HistoryList(WHICH_CLASS, lines, (HistoryAnswer.BACK, HistoryAnswer.UNNAMED)))
    if isinstance(answer, int):
        return list(lists)[answer]
    return "" if answer == HistoryAnswer.UNNAMED else None


def _ask_who_waits(display: Display, chosen: ChosenGame, names: Sequence[str]) -> ChosenGame | None:
    """Say for whom of a class the match has no seat. Return it as people want it, None if they go back."""
    waiting = names[chosen.seats :]
    more = len(waiting) - MOST_WAITING_NAMED
    listed = [
        *waiting[:MOST_WAITING_NAMED],
        *([ngettext_lazy("and {count} more", "and {count} more", more)] if more > 0 else []),
    ]
    text = N(
        "{count} are on the list, {seats} play. Not in this match: {names}.",
        count=len(names),
        seats=chosen.seats,
        names=join(listed, ", "),
    )
    match display.ask(Notice(N("Not everybody plays"), text, ("all play", "they wait", "back"))):
        case "all play":
            return replace(chosen, seats=len(names))
        case "they wait":
            return chosen
    return None
