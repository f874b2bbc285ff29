"""The texts of the pages of past matches."""

from ui.i18n.language import N, render
from ui.screen.pages.history.view import HistoryLine

TOOL_LABELS = {
    "back": N("Back"),
    "home": N("Games"),
    "marked": N("To review"),
    "all": N("All matches"),
}
RESULT = N("Result")
NEXT_MARK_LABELS = {None: N("Flag for review"), "to review": N("Mark as reviewed"), "reviewed": N("Remove the flag")}
"""The label of the button that changes a round's mark, by the mark it has."""

MARK_NAMES = {"to review": N("to review"), "reviewed": N("reviewed")}
"""The marks a round can have."""
EARLIER_ROUND, LATER_ROUND = N("The round before"), N("The round after")


def mark_name(name: str) -> str:
    """A mark of a round."""
    return render(MARK_NAMES.get(name, name))


def line_label(line: HistoryLine) -> str:
    """The label of a list's line: its title and note."""
    return f"{render(line.title)} {render(line.note)}"
