"""Painter of an ask that several seats answer together: the question, everybody's panel, the time, who is waited for.
Of a private answer it draws only whether it is in."""

from pygame import Rect

from rules.engine import Seat, Value
from rules.throws import Throw
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.countdown_ring import countdown
from ui.screen.drawing.theme import ACCENT, LINE, MUTED, PANEL, RAISED, TEXT
from ui.screen.drawing.widgets import hint_line
from ui.screen.pages import strings
from ui.screen.pages.ask import group_strings
from ui.screen.pages.ask.group_view import GatherPage, Visit
from ui.screen.pages.ask.view import BoardPage
from ui.screen.pages.views import Player

SIGNS = {"asked": "aim", "entering": "pencil", "in": "good"}
"""The drawing beside each state's word."""


def gather(canvas: Canvas, page: GatherPage) -> None:
    """Everybody's page."""
    theme = canvas.theme
    top, body = layout.top(canvas.page, theme.units(16 if not theme.portrait else 22), theme.gap)
    _question(canvas, top, page)
    body = hint_line(canvas, body, page.view.hint)
    body, foot = layout.bottom(body, theme.units(20 if not theme.portrait else 28), theme.gap)
    _foot(canvas, foot, page)
    seats = sorted(page.view.ask.seats)
    count = len(seats)
    names = {player.seat: player for player in page.view.players}
    for cell, seat in zip(layout.grid(body, count, _across(count, theme.portrait), theme.gap), seats, strict=True):
        _seat(canvas, cell, page, names.get(seat, Player(seat, strings.seat(seat))))


def _across(count: int, portrait: bool) -> int:
    """How many panels stand side by side."""
    if portrait:
        return 1 if count <= 3 else 2
    return count if count <= 4 else -(-count // 2)


def _question(canvas: Canvas, box: Rect, page: GatherPage) -> None:
    """What is asked and about what, and the time that is left."""
    theme = canvas.theme
    ask = page.view.ask
    if page.view.seconds_left is not None:
        box, clock = layout.right(box, theme.units(16), theme.gap * 2)
        whole = ask.seconds or page.view.seconds_left

        def timer(canvas: Canvas, page: GatherPage) -> None:
            countdown(canvas, clock, page.view.seconds_left or 0.0, whole)

        canvas.moving(clock, ("seconds_left",), timer)
    about = strings.about(ask.about)
    if about:
        line, box = layout.top(box, theme.units(5), theme.units(0.5))
        canvas.text(line, about, theme.body, MUTED, side="left")
    canvas.text(box, strings.prompt(ask), theme.units(8.5), side="left", lines=2)


def _foot(canvas: Canvas, box: Rect, page: GatherPage) -> None:
    theme = canvas.theme
    waits, how, rule = layout.rows(box, [6, 7, 7] if not theme.portrait else [6, 10, 10], 0)
    canvas.text(waits, group_strings.waits(page), theme.body, side="left")
    canvas.text(how, group_strings.by_buttons(page), theme.small, MUTED, side="left", lines=2)
    canvas.text(rule, group_strings.blind(page), theme.small, MUTED, side="left", lines=2)


def _seat(canvas: Canvas, cell: Rect, page: GatherPage, player: Player) -> None:
    """One seat: whose it is, what they have where that is open, and how far they are."""
    theme = canvas.theme
    state = page.state(player.seat)
    waiting = state != "in"
    edge = theme.units(0.8 if waiting else 0.3)
    canvas.panel(cell, RAISED if waiting else PANEL, edge=ACCENT if waiting else LINE, width=edge)
    if waiting:
        canvas.target(cell, Visit(player.seat), player.name)
    inner = layout.inside(cell, theme.units(2), theme.units(1.4))
    name, inner = layout.top(inner, theme.units(7), theme.units(0.5))
    shape, name = layout.left(name, min(name.h, theme.title), theme.units(1.2))
    canvas.seat(shape, player.seat)
    canvas.text(name, player.name, theme.title, side="left", least=theme.units(2.4))
    inner, line = layout.bottom(inner, theme.units(6), theme.units(0.5))
    if player.score is not None:
        line, points = layout.right(line, canvas.width(str(player.score), theme.title, line.w // 4, line.h), theme.gap)
        canvas.text(points, str(player.score), theme.title, MUTED, side="right")
    note = page.notes.get(player.seat) if waiting else None
    if note is not None:  # what a camera lacks: there is no draft
        canvas.text(inner, note, theme.title, lines=3, least=theme.units(2.4))
        return
    shown = None if page.view.private else _shown(page, player.seat)
    if shown is not None:
        _value(canvas, inner, page, shown, in_already=not waiting)
    else:
        side = min(inner.h, theme.units(14))
        canvas.icon(layout.middle(inner, side, side), SIGNS[state], MUTED if waiting else TEXT)
    if shown is not None and state != "asked":
        sign, line = layout.left(line, line.h, theme.units(1.2))
        canvas.icon(sign, SIGNS[state], MUTED if waiting else TEXT)
    canvas.text(line, group_strings.STATES[state], theme.body, side="left", least=theme.units(2.4))


def _shown(page: GatherPage, seat: Seat) -> Value:
    """What a seat has put in, or has so far."""
    if seat in page.given:
        return page.given[seat]
    draft = page.drafts[seat]
    if isinstance(draft, BoardPage):
        return draft.move.notation if draft.move else None
    return draft.value


def _value(canvas: Canvas, box: Rect, page: GatherPage, value: Value, *, in_already: bool) -> None:
    ink = TEXT if in_already else MUTED
    told = strings.answer(page.view.ask, value)
    if value in list(Throw):
        sign, box = layout.rows(box, [3, 2], 0)
        canvas.icon(sign, str(value), ink)
    canvas.text(box, told, canvas.theme.big, ink, lines=2)
