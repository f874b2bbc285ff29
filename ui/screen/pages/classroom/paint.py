"""Painters of a room full of players, to be read from its back: who is there, everybody's throw, and what a round or a
match came to, a cell for each player in the order of their numbers."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pygame import Rect

from rules.engine import Seat
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.text import fit, line_height
from ui.screen.drawing.theme import ACCENT, BACKGROUND, FOUL, LINE, MUTED, PANEL, TEXT, Colour
from ui.screen.drawing.widgets import hand_row, hand_side, head
from ui.screen.pages import strings
from ui.screen.pages.ask.view import Reply
from ui.screen.pages.classroom import strings as classroom_strings
from ui.screen.pages.classroom.view import (
    GO_ON,
    HOME,
    LEVEL,
    LOSING,
    SHOUT,
    WINNING,
    MoveLine,
    RollCall,
    Stand,
    moves_of,
    stand_of,
)
from ui.screen.pages.standing.view import joined, of_say
from ui.screen.pages.views import Disputing, Ended, Player, Reveal, Told

ENDS: Mapping[str | None, tuple[str, Colour]] = {
    WINNING: ("crown", ACCENT),
    LEVEL: ("level", MUTED),
    LOSING: ("minus", MUTED),
}
"""The sign of each way a round ends for somebody, and its colour."""

STREAK = 3
"""From this streak on, won or lost, it stands beside the score: it has a bonus."""
INLINE = 2.4
"""A cell this many times as wide as high has its figure beside its number."""


@dataclass(frozen=True)
class Cell:
    """What the grid says of one player: number and name, up to two drawings with their colours, a figure. ``strong``
    has an edge, ``flat`` no ground."""

    seat: Seat
    name: str
    signs: tuple[tuple[str, Colour], ...] = ()
    figure: str = ""
    strong: bool = False
    flat: bool = False


def roll_call(canvas: Canvas, view: RollCall) -> None:
    """Everybody's number, ticked off once their card has been seen, how many those are, and who is missing in words."""
    theme = canvas.theme
    body, foot = layout.bottom(canvas.page, round(theme.touch * 1.4), theme.gap)
    count = classroom_strings.seen(view)
    line, body = layout.top(body, theme.units(11), theme.gap)
    wide = canvas.width(count, theme.big, line.w * 3 // 5, line.h)
    rest, spot = layout.right(line, wide, theme.gap)
    canvas.text(spot, count, theme.big, ACCENT if not view.missing else TEXT, side="right")
    told = view.again or classroom_strings.HOLD_UP
    canvas.text(rest, told, theme.body, FOUL if view.again else MUTED, side="left", lines=3)
    body, below = layout.bottom(body, theme.units(11 if not theme.portrait else 16), theme.gap)
    cells = [
        Cell(
            seat,
            name,
            (("good", TEXT),) if seat in view.roll.seen else (("eye", MUTED),),
            strong=seat not in view.roll.seen,
            flat=seat not in view.roll.seen,
        )
        for seat, name in enumerate(view.players, 1)
    ]
    grid(canvas, body, cells)
    trouble = classroom_strings.troubles(view)
    if trouble:
        below, spot = layout.bottom(below, below.h // 3, theme.units(0.5))
        canvas.text(spot, trouble, theme.body, FOUL, side="left", least=theme.units(2.4))
    canvas.text(
        below, classroom_strings.missing(view), theme.title, MUTED if view.missing else ACCENT, side="left", lines=3,
        least=theme.units(2.4),
    )  # fmt: skip
    leave, shout = hand_row(canvas, foot, [1, 2], theme.gap)
    canvas.button(leave, classroom_strings.HOME, Reply(HOME), drawing="back")
    canvas.button(shout, classroom_strings.SHOUT, Reply(SHOUT), main=True, size=theme.title, drawing="burst")


def reveal(canvas: Canvas, view: Reveal) -> None:
    """Everybody's throw; where there is none, a sign of doubt."""
    theme = canvas.theme
    bar, body = layout.top(canvas.page, theme.units(13 if not theme.portrait else 20), theme.gap)
    canvas.text(
        _forward(canvas, bar, view.seconds_left),
        classroom_strings.thrown(view),
        theme.title,
        lines=4,
        least=theme.units(2.2),
    )
    canvas.unseen("shown_s", "seconds_left")
    cells = [
        Cell(
            seat.player.seat,
            seat.player.name,
            ((str(seat.throw), TEXT) if seat.throw else ("doubt", FOUL), *_end(seat.outcome)),
            strong=seat.throw is None,
            flat=seat.throw is None,
        )
        for seat in view.seats
    ]
    grid(canvas, body, cells)


def looked_back(canvas: Canvas, box: Rect, view: Disputing) -> None:
    """Everybody's throw in a past round."""
    cells = []
    for seat in view.seats:
        there = isinstance(seat.reading, str)
        sign = (str(seat.reading), TEXT) if there else ("doubt", FOUL)
        cells.append(Cell(seat.player.seat, seat.player.name, (sign,), strong=not there, flat=not there))
    grid(canvas, box, cells)


def told(canvas: Canvas, view: Told) -> None:
    """What was said, and how things stand with everybody; of a round also its moves table."""
    theme = canvas.theme
    canvas.unseen("shown_s", "seconds_left")
    news = of_say(view.say)
    facts = joined(view.facts, news.table)
    stands = [stand_of(joined(player.facts, news.of(player.seat))) for player in view.players]
    bar, body = layout.top(canvas.page, theme.touch, theme.gap)
    title = (
        classroom_strings.round_of(view.say.facts["round"]) if view.say.kind == "round" else strings.heading(view.say)
    )
    head(canvas, _forward(canvas, bar, view.seconds_left), title)
    lines = moves_of(stands, facts)
    if lines:
        if theme.portrait:
            table, body = layout.top(body, theme.units(36), theme.gap)
        else:
            table, body = layout.left(body, round(body.w * 0.31), theme.gap)
        moves_table(canvas, table, lines)
    elif (text := _short(view)) is not None:
        spot, body = layout.top(body, theme.units(12), theme.gap)
        canvas.text(spot, text, theme.title, lines=2, least=theme.units(2.4))
    grid(canvas, body, [_stood(player, stand) for player, stand in zip(view.players, stands, strict=True)])


def _short(view: Told) -> str | None:
    """The first of the sentences, unless it names half the room."""
    return next((line for line in view.lines if len(line) <= 100), None)


def _stood(player: Player, stand: Stand) -> Cell:
    thrown = ((stand.throw.value, TEXT),) if stand.throw else ()
    figure = "" if player.score is None else classroom_strings.signed(player.score)
    if abs(stand.streak) >= STREAK:
        figure += f" ×{classroom_strings.number(stand.streak)}"
    won, out = stand.outcome == WINNING, stand.health == 0
    return Cell(player.seat, player.name, (*thrown, *_end(stand.outcome)), figure, won, out)


def _end(outcome: str | None) -> tuple[tuple[str, Colour], ...]:
    return (ENDS[outcome],) if outcome in ENDS else ()


def ended(canvas: Canvas, view: Ended, places: Mapping[Seat, int]) -> None:
    """The winners, everybody with their place in the order they came in, and what to do now."""
    theme = canvas.theme
    body, foot = layout.bottom(canvas.page, round(theme.touch * 1.4), theme.gap)
    top, body = layout.top(body, theme.units(13), theme.gap)
    sign, text = layout.left(top, theme.units(13), theme.gap)
    canvas.unseen("shown_s", "seconds_left")
    canvas.icon(sign, "crown" if view.result.winners else "nothing", ACCENT)
    sentence, best = view.sentence, view.result.winners
    if len(best) > 4:
        sentence = classroom_strings.winners(len(best), view.result.scores[best[0]])
    canvas.text(text, sentence, theme.title, lines=3, least=theme.units(2.4))
    players = sorted(view.players, key=lambda player: (places[player.seat], player.seat))
    cells = [
        Cell(
            player.seat,
            player.name,
            (("crown", ACCENT),) if player.seat in best else (),
            "" if player.score is None else classroom_strings.signed(player.score),
            player.seat in best,
        )
        for player in players
    ]
    named = any(classroom_strings.own_name(player.seat, player.name) for player in players)
    grid(canvas, body, cells, shape=1.7 if named else 2.8)
    home, again = hand_row(canvas, foot, [1, 1], theme.gap)
    canvas.button(home, strings.HOME, Reply("home"), drawing="back")
    canvas.button(again, strings.AGAIN, Reply("again"), main=True, size=theme.title)


def _forward(canvas: Canvas, bar: Rect, seconds_left: float | None) -> Rect:
    """The button that goes on, at the hand's end of ``bar``, where people are waited for. Returns the rest of that."""
    if seconds_left is None:
        return bar
    theme = canvas.theme
    rest, spot = hand_side(canvas, bar, theme.units(30), theme.gap * 2)
    spot.height = theme.touch
    canvas.button(spot, classroom_strings.GO_ON, Reply(GO_ON), main=True, drawing="forward")
    return rest


def moves_table(canvas: Canvas, box: Rect, lines: Sequence[MoveLine]) -> None:
    """A card a move: how many threw it, what it beats, and how many of its players won, came out level and lost."""
    theme = canvas.theme
    cut = layout.columns if theme.portrait else layout.rows
    for cell, line in zip(cut(box, [1] * len(lines), theme.gap), lines, strict=True):
        canvas.panel(cell, PANEL)
        inner = layout.inside(cell, theme.units(1.4), theme.units(1.2))
        upper, lower = layout.rows(inner, [3, 2], theme.units(0.6))
        if theme.portrait:
            sign, count = layout.columns(upper, [1, 1], theme.units(1))
            beats, ends = layout.rows(lower, [1, 1], theme.units(0.4))
        else:
            sign, count, beats = layout.columns(upper, [4, 4, 5], theme.units(1))
            ends = lower
        canvas.icon(sign, line.move)
        canvas.text(count, str(line.count), theme.units(12))
        _beaten(canvas, beats, line)
        for spot, end in zip(layout.columns(ends, [1, 1, 1], theme.units(0.6)), (WINNING, LEVEL, LOSING), strict=True):
            drawing, colour = ENDS[end]
            shape, number = layout.columns(spot, [2, 3], theme.units(0.6))
            canvas.icon(layout.middle(shape, theme.units(4.4), theme.units(4.4)), drawing, colour)
            canvas.text(number, str(line.ends[end]), theme.title, colour if end == WINNING else TEXT, side="left")


def _beaten(canvas: Canvas, box: Rect, line: MoveLine) -> None:
    """An arrow to what a move beats; a sign where it beats none."""
    theme = canvas.theme
    high = min(box.h, theme.units(5.5))
    if not line.beats:
        canvas.icon(layout.middle(box, high, high), "nothing", MUTED)
        return
    row = layout.middle(box, min(box.w, high * (1 + len(line.beats))), high)
    arrow, *others = layout.columns(row, [1] * (1 + len(line.beats)), 2)
    canvas.icon(arrow, "beats", ACCENT)
    for spot, other in zip(others, line.beats, strict=True):
        canvas.icon(spot, other, MUTED)


def across(wide: int, high: int, count: int, shape: float) -> int:
    """Cells to a row of a box, so that they are as large as can be and about ``shape`` times as wide as high."""

    def size(columns: int) -> float:
        return min(wide / columns / shape, high / math.ceil(count / columns))

    return max(range(1, count + 1), key=size)


def grid(canvas: Canvas, box: Rect, cells: Sequence[Cell], shape: float = 1.7) -> None:
    """A cell for everybody, about ``shape`` times as wide as high. Names stand in it only where all of them fit."""
    gap = canvas.theme.units(0.7)
    places = _places(box, len(cells), across(box.w, box.h, len(cells), shape), gap)
    inner = _within(canvas, places[0])
    high = inner.h * 3 // 10
    names = [classroom_strings.own_name(cell.seat, cell.name) for cell in cells]
    size, least = canvas.theme.body, canvas.theme.units(2.2)
    named = any(names) and high >= line_height(least) and all(
        fit(name, inner.w, high, size, least, 1).whole for name in names if name
    )  # fmt: skip
    for place, cell in zip(places, cells, strict=True):
        _cell(canvas, place, cell, high if named else 0)


def _places(box: Rect, count: int, columns: int, gap: int) -> list[Rect]:
    """Places row by row, the last row from the left: numbers stand below one another."""
    down = -(-count // columns)
    rows = layout.rows(box, [1] * down, gap)
    return [place for row in rows for place in layout.columns(row, [1] * columns, gap)][:count]


def _within(canvas: Canvas, place: Rect) -> Rect:
    return layout.inside(place, canvas.theme.units(0.8), canvas.theme.units(0.6))


def _cell(canvas: Canvas, place: Rect, cell: Cell, name_high: int) -> None:
    """Number and drawings side by side; below them the name and the figure, where they are."""
    theme = canvas.theme
    ground = BACKGROUND if cell.flat else PANEL
    canvas.panel(place, ground, edge=ACCENT if cell.strong else LINE, width=theme.units(0.6 if cell.strong else 0.2))
    inner = _within(canvas, place)
    name = classroom_strings.own_name(cell.seat, cell.name)
    if name_high:
        inner, spot = layout.bottom(inner, name_high, 0)
        if name:
            canvas.text(spot, name, theme.body, MUTED, least=theme.units(2.2))
    upper = inner
    if cell.figure:
        inline = inner.w >= INLINE * inner.h and len(cell.signs) < 2
        upper, spot = layout.columns(inner, [1, 1], theme.gap) if inline else layout.rows(inner, [1, 1], 1)
        colour = ACCENT if cell.strong else TEXT
        canvas.text(
            spot, cell.figure, theme.units(9), colour, side="right" if inline else "centre", least=theme.units(2.2)
        )
    count = len(cell.signs)
    side = min(upper.h, upper.w // (count + 2) if count else upper.h)
    number, signs = layout.right(upper, side * count + max(0, count - 1), theme.units(0.5)) if count else (upper, upper)
    canvas.text(number, str(cell.seat), theme.units(12), MUTED if count else TEXT, least=theme.units(2.2))
    for spot, (drawing, colour) in zip(layout.columns(signs, [1] * count, 1) if count else (), cell.signs, strict=True):
        canvas.icon(layout.middle(spot, round(side * 0.9), round(side * 0.9)), drawing, colour)
