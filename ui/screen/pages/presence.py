"""The question whether anybody is there. Pure: no surface, no clock."""

from dataclasses import dataclass

from messages import N
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.theme import ACCENT, MUTED
from ui.screen.drawing.widgets import hand_row
from ui.screen.pages.notice import Notice
from ui.screen.views import Reply

HERE_ANSWER, LEAVE_ANSWER = "go on", "stop"


@dataclass(frozen=True)
class Presence(Notice):
    """Asks whether anybody is there; the match is paused meanwhile. ``text`` says why it asks. Answered with
    HERE_ANSWER or LEAVE_ANSWER, or with None when its ``seconds_left`` ran out."""

    title: str = N("Is anybody there?")
    text: str = ""
    choices: tuple[str, ...] = (HERE_ANSWER, LEAVE_ANSWER)


@paints(Presence)
def draw_presence(canvas: Canvas, view: Presence) -> None:
    """Draw the question, why it is asked, and its two answers. The time until it is given up is not shown."""
    theme = canvas.theme
    canvas.ignore_fields("seconds_left")
    body, foot = layout.split_bottom(canvas.page, round(theme.touch_size * 1.6), theme.gap)
    sign, title, text, paused = layout.rows(body, [3, 5, 8, 8], theme.gap)
    side = min(sign.h, theme.units(20))
    canvas.icon(layout.centre(sign, side, side), "doubt", ACCENT)
    canvas.text(title, view.title, theme.units(12), max_lines=2, role="shared")
    canvas.text(text, view.text, theme.title, MUTED, max_lines=4, role="shared")
    canvas.text(paused, N("The match is paused. Nothing is played for you."), theme.title, max_lines=4, role="shared")
    leave, here = hand_row(canvas, foot, [2, 3], theme.gap)
    canvas.button(leave, N("Home: resume later"), Reply(LEAVE_ANSWER), size=theme.title, leads_back=True)
    canvas.button(here, N("We are here"), Reply(HERE_ANSWER), main=True, size=theme.title)
