"""Painters of practising against the box: the seal of its throw before the count, and what was under it."""

from pygame import Rect

from rules.throws import Throw
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.theme import ACCENT, FOUL, LINE, MUTED, PANEL, TEXT
from ui.screen.drawing.widgets import hand_row, head
from ui.screen.pages import strings
from ui.screen.pages.ask.view import Reply
from ui.screen.pages.practice import strings as said
from ui.screen.pages.practice.view import STOP, THROW, Opened, Score, Sealed, by_hand, grouped

WIDEST = 2.6
"""The width of the widest group, as a share of its type's size: all are to be of one size."""


def sealed(canvas: Canvas, view: Sealed) -> None:
    """The seal, large enough to be read off or photographed, and the button that begins the count."""
    theme = canvas.theme
    body = _head(canvas, view.score)
    body, foot = layout.bottom(body, round(theme.touch * 1.5), theme.gap)
    _buttons(canvas, foot, said.COUNT)
    if view.said:
        line, body = layout.top(body, theme.units(16 if theme.portrait else 10), theme.gap)
        canvas.panel(line, PANEL)
        sign, told = layout.left(layout.inside(line, theme.units(2), theme.units(1)), theme.units(6), theme.gap)
        canvas.icon(sign, "foul", FOUL)
        canvas.text(told, view.said, theme.body, side="left", lines=3 if theme.portrait else 2)
    title, seal, why = layout.rows(body, [2, 5, 3], theme.gap)
    canvas.text(title, said.SEALED, theme.title, lines=2)
    _seal(canvas, seal, view.seal, 4 if theme.portrait else 8, theme.big)
    canvas.text(why, said.WHY, theme.body, MUTED, lines=5)


def opened(canvas: Canvas, view: Opened) -> None:
    """Both throws, what they come to, and everything that is needed to check the seal."""
    theme = canvas.theme
    body = _head(canvas, view.score)
    body, foot = layout.bottom(body, round(theme.touch * 1.3), theme.gap)
    _buttons(canvas, foot, said.NEXT)
    result, body = layout.top(body, theme.units(15 if theme.portrait else 10), theme.gap)
    canvas.text(result, view.result, theme.big, ACCENT, lines=2 if theme.portrait else 1)
    hands, check = layout.rows(body, [1, 1], theme.gap) if theme.portrait else layout.columns(body, [2, 3], theme.gap)
    yours, boxs = layout.columns(hands, [1, 1], theme.gap)
    inner, line = _hand(canvas, yours, said.YOU, view.yours)
    canvas.picture(layout.middle(inner, min(inner.size), min(inner.size)), view.crop, PANEL)
    if view.after_ms is not None:
        canvas.text(line, said.showed(view.after_ms), theme.small, MUTED, lines=2)
    inner, _ = _hand(canvas, boxs, said.BOX, view.boxs)
    canvas.icon(inner, str(view.boxs))
    _check(canvas, check, view)


def _head(canvas: Canvas, score: Score) -> Rect:
    """The head line with the score, and the fouls once there are any. Returns the page below it."""
    theme = canvas.theme
    told = " · ".join(part for part in (said.score(score), said.fouls(score)) if part)
    if not theme.portrait:
        return head(canvas, canvas.page, said.TITLE, aside=told)
    line, body = layout.top(head(canvas, canvas.page, said.TITLE), theme.units(7), theme.gap)
    canvas.text(line, told, theme.body, MUTED, side="left")
    return body


def _buttons(canvas: Canvas, foot: Rect, label: str) -> None:
    stop, go = hand_row(canvas, foot, [1, 2], canvas.theme.gap)
    canvas.button(stop, said.STOP, Reply(STOP), size=canvas.theme.title)
    canvas.button(go, label, Reply(THROW), size=canvas.theme.title, main=True)


def _seal(canvas: Canvas, box: Rect, seal: str, across: int, size: int) -> None:
    """A seal in groups, each at its own place."""
    theme = canvas.theme
    canvas.panel(box, PANEL, edge=LINE, width=theme.units(0.3))
    groups = grouped(seal)
    inner = layout.inside(box, theme.units(2), theme.units(1))
    cells = layout.grid(inner, len(groups), across, theme.units(2))
    size = min(size, round(cells[0].w / WIDEST), cells[0].h)
    for cell, group in zip(cells, groups, strict=True):
        canvas.text(cell, group, size, TEXT)


def _hand(canvas: Canvas, cell: Rect, who: str, throw: Throw) -> tuple[Rect, Rect]:
    """The card of one side: who it is, and its throw's word. Returns the place for the hand, and the line below it."""
    theme = canvas.theme
    canvas.panel(cell, PANEL)
    inner = layout.inside(cell, theme.units(2), theme.units(1.5))
    name, inner = layout.top(inner, theme.units(6), theme.gap)
    canvas.text(name, who, theme.body, MUTED)
    inner, line = layout.bottom(inner, theme.units(9), 0)
    inner, word = layout.bottom(inner, theme.units(8), theme.gap)
    canvas.text(word, strings.throw(throw), theme.title)
    return inner, line


def _check(canvas: Canvas, box: Rect, view: Opened) -> None:
    theme = canvas.theme
    canvas.panel(box, PANEL)
    inner = layout.inside(box, theme.units(2), theme.units(1.5))
    under, opening, shown, seal, check, command = layout.rows(inner, [2, 3, 2, 7, 2, 5], theme.units(0.6))
    canvas.text(under, said.UNDER, theme.small, MUTED, side="left")
    canvas.text(opening, view.opening, theme.body, side="left", lines=2)
    canvas.text(shown, said.SEAL, theme.small, MUTED, side="left")
    _seal(canvas, seal, view.seal, 8, theme.body)
    canvas.text(check, said.CHECK, theme.small, MUTED, side="left")
    canvas.text(command, by_hand(view.opening), theme.small, side="left", lines=3)
