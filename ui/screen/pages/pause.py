"""The pause of a match."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Literal

from pygame import Rect
from typing_extensions import override

from messages import N
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.theme import ACCENT, MUTED
from ui.screen.drawing.widgets import hand_row
from ui.screen.pages.how_to_play import HOW_TO_PLAY
from ui.screen.views import Explain, Page, Press, Reply, explain_nothing

STOP_PRACTICE = N("Stop practising")


class PauseChoice(StrEnum):
    """What people choose at a pause; the values are the answers of its page."""

    GO_ON = "go on"
    UNDO = "undo"
    PHONES = "phones"
    RESTART = "start again"
    LEAVE = "leave"
    GIVE_UP = "give it up"
    PLAYERS = "players"
    END_GAME = "end the game"


@dataclass(frozen=True)
class PausePage(Page):
    """A match is paused. ``match`` names it ("": there is none, as in practice), ``note`` says what becomes of what
    was on the screen. Nothing of that is shown. Answered with a PauseChoice: UNDO only if people ``can_undo``, PLAYERS
    and END_GAME if players ``can_change`` and people ``can_end_game``, PHONES if phones ``can_join``. To leave and to
    start again are confirmed on the page ``confirms``; what has no match is left at once, with ``stop_label``.
    ``explain`` returns the page about how to play. ``in_tournament``: the match belongs to one."""

    match: str = ""
    note: str = ""
    can_undo: bool = False
    can_change: bool = False
    can_end_game: bool = False
    can_join: bool = False
    confirms: Literal["leave", "restart"] | None = None
    explain: Explain = field(default=explain_nothing, compare=False)
    stop_label: str = STOP_PRACTICE
    in_tournament: bool = False

    @property
    @override
    def key(self) -> object:
        return type(self), self.confirms


PAUSED = N("Paused")
GO_ON = N("Go on")
THROW_CANCELLED = N("This throw doesn’t count. You throw again when you go on.")
HANDED_OVER_AGAIN = N("The screen is handed over again when you go on.")
TIME_STOPPED = N("The clock has stopped.")
UNDO_LABEL = N("Undo the last answers")
PHONES_LABEL = N("Play with phones")
RESTART_LABEL = N("Start this match again")
PLAYERS_LABEL = N("Who comes or goes")
END_GAME_LABEL = N("End the game")
LEAVE_LABEL = N("Leave")
LEAVE_TITLE = N("Leave the match?")
LEAVE_TEXT = N("It is saved. You can go on with it from the home page, or give it up now.")
LEAVE_TOURNAMENT_TEXT = N(
    "It is saved. You can go on with it from the tournament, or give it up now: then it is played again from the "
    "beginning."
)
LEAVE_FOR_NOW = N("Leave for now")
GIVE_UP = N("Give it up")
RESTART_TITLE = N("Start again from the beginning?")
RESTART_TEXT = N("The match so far is given up, and the same players start a new one.")
START_AGAIN = N("Start again")
STOP_FILMING = N("Stop filming")
BACK = N("Back")


Button = tuple[str, Press, str]
"""A button's label, where it leads, and its icon."""


@paints(PausePage)
def draw_pause(canvas: Canvas, page: PausePage) -> None:
    """Draw what is paused and what people can do, or what they confirm."""
    if page.confirms is not None:
        _draw_confirmation(canvas, page)
        return
    theme = canvas.theme
    top, body = layout.split_top(canvas.page, theme.units(46 if theme.portrait else 31), theme.gap)
    if theme.portrait:
        icon_box, top = layout.split_top(top, theme.units(8), theme.gap)
        canvas.icon(icon_box, "pause", ACCENT)
    title, match = layout.split_top(top, theme.units(12), theme.units(0.6))
    canvas.text(title, PAUSED, theme.big, role="shared")
    match, note = layout.split_top(match, canvas.text_height(page.match, match.w, max_lines=2), theme.units(0.6))
    canvas.text(match, page.match, theme.small, MUTED, max_lines=2)
    canvas.text(note, page.note, theme.units(6), max_lines=2)
    leave: Button = (LEAVE_LABEL, replace(page, confirms="leave"), "back")
    if not page.match:
        leave = (page.stop_label, Reply(PauseChoice.LEAVE), "back")
    others: list[Button] = [leave]
    if page.match:
        others.insert(0, (RESTART_LABEL, replace(page, confirms="restart"), "again"))
    explanation = page.explain(page)
    if explanation is not None:
        others.insert(0, (HOW_TO_PLAY, explanation, "bubble"))
    if page.can_join:
        others.insert(0, (PHONES_LABEL, Reply(PauseChoice.PHONES), "phone"))
    if page.can_undo:
        others.insert(0, (UNDO_LABEL, Reply(PauseChoice.UNDO), "erase"))
    if page.can_end_game:
        others.insert(0, (END_GAME_LABEL, Reply(PauseChoice.END_GAME), "crown"))
    if page.can_change:
        others.insert(0, (PLAYERS_LABEL, Reply(PauseChoice.PLAYERS), "swap"))
    _draw_buttons(canvas, body, (GO_ON, Reply(PauseChoice.GO_ON), "forward"), others)


def _draw_confirmation(canvas: Canvas, page: PausePage) -> None:
    """Draw the question whether people want to leave, or to start again."""
    theme = canvas.theme
    top, body = layout.split_top(canvas.page, theme.units(46 if theme.portrait else 31), theme.gap)
    leaves = page.confirms == "leave"
    title, text = layout.rows(top, [2, 3], theme.gap)
    text_of_leaving = LEAVE_TOURNAMENT_TEXT if page.in_tournament else LEAVE_TEXT
    canvas.text(title, LEAVE_TITLE if leaves else RESTART_TITLE, theme.units(9), max_lines=2)
    canvas.text(
        text,
        text_of_leaving if leaves else RESTART_TEXT,
        theme.units(6),
        MUTED,
        max_lines=4,
        vertical_align="top",
    )
    back: Button = (BACK, replace(page, confirms=None), "back")
    if leaves:
        main: Button = (LEAVE_FOR_NOW, Reply(PauseChoice.LEAVE), "forward")
        _draw_buttons(canvas, body, main, [(GIVE_UP, Reply(PauseChoice.GIVE_UP), "flag"), back])
    else:
        _draw_buttons(canvas, body, (START_AGAIN, Reply(PauseChoice.RESTART), "again"), [back])


def _draw_buttons(canvas: Canvas, box: Rect, main: Button, others: Sequence[Button]) -> None:
    """Draw the buttons, more than two in landscape in two columns, the main one at the bottom, where the hand is. The
    last of an odd number is next to it, so that all rows are full."""
    theme = canvas.theme
    height = round(theme.touch_size * 1.4)
    box, rect = layout.split_bottom(box, height, theme.gap)
    across = 1 if theme.portrait or len(others) < 3 else 2
    beside = []
    if len(others) % across:
        *beside, rect = hand_row(canvas, rect, [1, 1], theme.gap)
    canvas.button(rect, main[0], main[1], main=True, size=theme.title, icon=main[2])
    down = len(others) // across
    rows = layout.split_bottom(box, down * round(height * 0.9) + (down - 1) * theme.gap, 0)[1]
    cells = [*layout.grid(rows, down * across, across, theme.gap), *beside]
    for cell, button in zip(cells, others, strict=True):
        _draw_button(canvas, cell, button, main)


def _draw_button(canvas: Canvas, cell: Rect, button: Button, main: Button) -> None:
    label, press, icon = button
    leads_back = icon == "back" and press != main[1]
    canvas.button(cell, label, press, size=canvas.theme.title, icon=icon, leads_back=leads_back)
