"""An error or an event that people must know about."""

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import Self

from pygame import Rect
from typing_extensions import override

from messages import N
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.forms import Column, Either, Form, Grid, HandRow, lays_out
from ui.screen.drawing.nodes import GAP, TOUCH, Button, Drawing, Icon, Node, Text
from ui.screen.drawing.theme import ACCENT, MUTED
from ui.screen.drawing.widgets import draw_pause_button
from ui.screen.views import UNTIMED_PATIENCE_S, Page, Reply
from ui.text.game_words import code_word


@dataclass(frozen=True)
class Notice(Page):
    """An error or an event that people must know about: what happened and how to fix it. Answered with one of its
    choices, or with None when its time ran out."""

    title: str
    text: str
    choices: tuple[str, ...] = ("go on",)
    seconds_left: float | None = None
    """None: no limit."""
    is_idle: bool = False
    in_match: bool = False
    """Whether it is shown during a match, so that it has the pause button."""
    icon: str = "doubt"
    """The icon above the title."""

    @property
    @override
    def patience_s(self) -> float | None:
        return UNTIMED_PATIENCE_S if self.in_match and self.seconds_left is None else None

    @override
    def with_seconds_left(self, seconds: float) -> Self:
        """In whole seconds."""
        return replace(self, seconds_left=math.ceil(seconds))


MAX_NOTICE_CHOICES = 4
"""The most choices of a notice about an error; one with more is a question."""


@lays_out(Notice)
def lay_out_notice(view: Notice) -> Form:
    """Return what happened and how to fix it; or, with more than MAX_NOTICE_CHOICES choices, a question."""
    count, is_question = len(view.choices), len(view.choices) > MAX_NOTICE_CHOICES
    buttons = [
        Button(code_word(name), Reply(name), main=number == 0 and not is_question)
        for number, name in enumerate(view.choices)
    ]
    foot: Node = Either(HandRow(*buttons[::-1]), Column(*buttons))  # the likeliest where the hand is
    down = max(1, count)
    if is_question:
        foot, down = Grid(buttons, (count, -(-count // 2))), 2
    return Form(
        "",
        Drawing(partial(_draw_top, view=view), share=3),
        Text(view.title, "big", lines=2, role="shared", share=2),
        Text(view.text, 5.4, MUTED, lines=8, vertical_align="top", share=(5, 4)),
        foot=foot,
        foot_length=(1.5 * TOUCH, down * 1.5 * TOUCH + (down - 1) * GAP),
    )


def _draw_top(canvas: Canvas, box: Rect, view: Notice) -> None:
    """Draw the seconds left, or an icon, and in a match the button that pauses it."""
    if len(view.choices) <= MAX_NOTICE_CHOICES:
        side = min(box.h, canvas.theme.units(22))
        icon_box = Rect(box.x, box.bottom - side, box.w, side)
        if view.seconds_left is None:
            canvas.icon(icon_box, view.icon, ACCENT)
        else:
            canvas.text(icon_box, f"{view.seconds_left:.0f}", side, ACCENT)
    if view.in_match:
        draw_pause_button(canvas, canvas.page)


HERE_ANSWER, LEAVE_ANSWER = "go on", "stop"
NO_ANSWER = N("Nobody has touched anything for a while.")
NO_HAND = N("No hand was seen, twice in a row.")
"""Why it asks."""


@dataclass(frozen=True)
class Presence(Notice):
    """Asks whether anybody is there; the match is paused meanwhile. Answered with HERE_ANSWER or LEAVE_ANSWER, or with
    None when its time ran out."""

    title: str = N("Is anybody there?")
    text: str = ""
    """Why it asks."""
    choices: tuple[str, ...] = (HERE_ANSWER, LEAVE_ANSWER)


@lays_out(Presence, undrawn=("seconds_left",))
def lay_out_presence(view: Presence) -> Form:
    """Return the question, why it is asked, and its two answers. The time until it is given up is not shown."""
    paused = N("The match is paused. Nothing is played for you.")
    return Form(
        "",
        Icon("doubt", side=20, share=3),
        Text(view.title, 12, lines=2, role="shared", share=5),
        Text(view.text, "title", MUTED, lines=4, role="shared", share=8),
        Text(paused, "title", lines=4, role="shared", share=8),
        foot=(
            Button(N("Home: resume later"), Reply(LEAVE_ANSWER), leads_back=True, share=2),
            Button(N("We are here"), Reply(HERE_ANSWER), main=True, share=3),
        ),
        foot_length=1.6 * TOUCH,
    )
