"""Asking people with a list that takes several pages of the touchscreen."""

from dataclasses import replace

from ui.screen.core.display import Display
from ui.screen.pages.history import LINES_PER_PAGE, HistoryAnswer, HistoryList
from ui.screen.views import Answer


def ask_with_list(display: Display, view: HistoryList, number: int = 0) -> tuple[Answer, int]:
    """Show a list, of which ``view`` has all lines, from its page ``number`` (from 0) on. Return what people answer,
    and on which page. Raises WindowClosedError."""
    while True:
        first, after = number * LINES_PER_PAGE, (number + 1) * LINES_PER_PAGE
        part = replace(view, lines=view.lines[first:after], list_page=number, has_more=len(view.lines) > after)
        answer = display.ask(part)
        if answer not in (HistoryAnswer.EARLIER, HistoryAnswer.LATER):
            return answer, number
        number += 1 if answer == HistoryAnswer.LATER else -1
