"""An error or an event that people must know about."""

import math
from dataclasses import dataclass, replace
from typing import Self

from pygame import Rect
from typing_extensions import override

from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.theme import ACCENT, MUTED
from ui.screen.drawing.widgets import draw_pause_button, hand_row
from ui.screen.views import UNTIMED_PATIENCE_S, Page, Reply
from ui.text.game_words import code_word


@dataclass(frozen=True)
class Notice(Page):
    """An error or an event that people must know about: what happened and how to fix it. Answered with one of
    ``choices``, or with None when its ``seconds_left``, if it has a limit, ran out. A notice ``in_match`` has the pause
    button."""

    title: str
    text: str
    choices: tuple[str, ...] = ("go on",)
    seconds_left: float | None = None
    is_idle: bool = False
    in_match: bool = False

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


@paints(Notice)
def draw_notice(canvas: Canvas, view: Notice) -> None:
    """Draw what happened and how to fix it; or, with more than MAX_NOTICE_CHOICES choices, a question."""
    theme = canvas.theme
    count = max(1, len(view.choices))
    question = count > MAX_NOTICE_CHOICES
    across = 1 if theme.portrait and count > 1 else count
    if question and theme.portrait:
        across = -(-count // 2)
    height, down = round(theme.touch_size * 1.5), -(-count // across)
    body, foot = layout.split_bottom(canvas.page, height * down + theme.gap * (down - 1), theme.gap)
    sign, title, text = layout.rows(body, [3, 2, 5] if not theme.portrait else [3, 2, 4], theme.gap)
    if not question:
        side = min(sign.h, theme.units(22))
        place = Rect(sign.x, sign.bottom - side, sign.w, side)
        if view.seconds_left is None:
            canvas.icon(place, "doubt", ACCENT)
        else:
            canvas.text(place, f"{view.seconds_left:.0f}", side, ACCENT)
    if view.in_match:
        draw_pause_button(canvas, body)
    canvas.text(title, view.title, theme.big, max_lines=2, role="shared")
    canvas.text(
        layout.inset(text, theme.units(3), 0), view.text, theme.units(5.4), MUTED, max_lines=8, vertical_align="top"
    )
    cells = layout.grid(foot, count, across, theme.gap)
    if not question and across > 1:
        cells = hand_row(canvas, foot, [1] * count, theme.gap)[::-1]  # the likeliest where the hand is
    for number, (cell, name) in enumerate(zip(cells, view.choices, strict=False)):
        main = number == 0 and not question
        canvas.button(cell, code_word(name), Reply(name), main=main, size=theme.title)
