"""Painters of what happened: something the game said, the end of a match, a notice."""

import math
from collections.abc import Sequence
from dataclasses import replace

from pygame import Rect

from rules.engine import Seat
from ui.i18n.language import row
from ui.screen.drawing import layout
from ui.screen.drawing.board_geometry import setting
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.theme import ACCENT, MARKS, MUTED
from ui.screen.drawing.widgets import dispute_button, hand_row, head, timer
from ui.screen.pages import strings
from ui.screen.pages.ask.view import Reply
from ui.screen.pages.board import paint as board_paint
from ui.screen.pages.classroom import paint as classroom_paint
from ui.screen.pages.dispute import strings as dispute_strings
from ui.screen.pages.standing.paint import standing, table
from ui.screen.pages.standing.view import joined, of_result, of_say
from ui.screen.pages.views import DISPUTE, Ended, Notice, Player, Told

WAYS = 4
"""A notice has no more ways to mend what it says."""
RISE_S = 0.5
"""How long the winner's crown takes to its place."""


def told(canvas: Canvas, view: Told) -> None:
    """What was said, above how things stand with everybody; beside the board where it is about a position."""
    on = setting(view.say.facts)
    if on is not None:
        board_paint.told(canvas, view, on)
        return
    if len(view.players) > len(MARKS):
        classroom_paint.told(canvas, view)
        return
    theme = canvas.theme
    title = strings.heading(replace(view.say, kind="score") if view.known else view.say)
    if view.seconds_left is None:
        body = head(canvas, canvas.page, title)
    else:
        bar, body = layout.top(canvas.page, theme.touch, theme.gap)
        bar = timer(canvas, dispute_button(canvas, bar), view)
        head(canvas, bar, title)
    canvas.unseen("shown_s")
    news = of_say(view.say)
    body = table(canvas, body, joined(view.facts, news.table))
    players = [replace(player, facts=joined(player.facts, news.of(player.seat))) for player in view.players]
    if view.known:
        standing(canvas, body, players)
        return
    lines = view.lines or strings.told(view.say)
    upper, lower = layout.rows(body, [2, 3] if theme.portrait else [4, 5 + min(4, _most(players))], theme.gap)
    canvas.text(upper, row(lines, "\n"), theme.big if len(lines) == 1 else theme.title, lines=2 * len(lines) + 2)
    standing(canvas, lower, players)


def _most(players: Sequence[Player]) -> int:
    """How much is so of the player of whom most is."""
    return max(len(player.facts) for player in players)


def ended(canvas: Canvas, view: Ended) -> None:
    """The winner, everybody in the order they came in, and what to do now."""
    if len(view.players) > len(MARKS):
        classroom_paint.ended(canvas, view, ranked(view.players, view.result.winners))
        return
    theme = canvas.theme
    body, foot = layout.bottom(canvas.page, round(theme.touch * 1.5), theme.gap)
    top, body = layout.top(body, theme.units(14 if not theme.portrait else 40), theme.gap)
    top = timer(canvas, top, view) if not theme.portrait else top
    sign, told = (
        layout.left(top, theme.units(16), theme.gap)
        if not theme.portrait
        else layout.top(top, theme.units(18), theme.gap)
    )
    _crown(canvas, sign, view)
    canvas.text(told, view.sentence, theme.units(10), lines=2)
    more = of_result(view.result)
    body = table(canvas, body, more.table)
    if theme.portrait:
        body, clock = layout.bottom(body, theme.touch if view.seconds_left is not None else 0, theme.gap)
        timer(canvas, layout.middle(clock, clock.h, clock.h), view)
    players = [replace(player, facts=more.of(player.seat)) for player in view.players]
    places = ranked(players, view.result.winners)
    players.sort(key=lambda player: places[player.seat])
    standing(canvas, body, players, view.result.winners, places)
    *dispute, home, again = hand_row(canvas, foot, [1, 2, 2] if view.can_dispute else [1, 1], theme.gap)
    canvas.button(again, strings.AGAIN, Reply("again"), main=True, size=theme.title)
    canvas.button(home, strings.HOME, Reply("home"), size=theme.title)
    for cell in dispute:
        canvas.button(cell, dispute_strings.DISPUTE, Reply(DISPUTE), size=theme.body)


def ranked(players: Sequence[Player], winners: Sequence[Seat]) -> dict[Seat, int]:
    """Everybody's place: winners first, then by points; who is level shares a place."""
    standing = {player.seat: (player.seat in winners, player.score or 0) for player in players}
    return {seat: 1 + sum(other > mine for other in standing.values()) for seat, mine in standing.items()}


def _crown(canvas: Canvas, box: Rect, view: Ended) -> None:
    """The winner's crown, which comes from small to large and a little over; or a sign that nobody has won."""
    name, colour = ("crown", ACCENT) if view.result.winners else ("nothing", MUTED)
    side = min(box.size)

    def draw(canvas: Canvas, now: Ended) -> None:
        passed = 1.0 if now.shown_s is None else min(1.0, now.shown_s / RISE_S)
        grown = round(side * (0.88 * (1 - (1 - passed) ** 3) + 0.3 * passed * math.sin(math.pi * passed)))
        if grown > 2:
            canvas.icon(layout.middle(box, grown, grown), name, colour)

    canvas.moving(box, ("shown_s",), draw)


def notice(canvas: Canvas, view: Notice) -> None:
    """What happened and how to mend it; or, with more choices than there are ways to mend, a question."""
    theme = canvas.theme
    count = max(1, len(view.choices))
    question = count > WAYS
    across = 1 if theme.portrait and count > 1 else count
    if question and theme.portrait:
        across = -(-count // 2)
    high, down = round(theme.touch * 1.5), -(-count // across)
    body, foot = layout.bottom(canvas.page, high * down + theme.gap * (down - 1), theme.gap)
    sign, title, text = layout.rows(body, [3, 2, 5] if not theme.portrait else [3, 2, 4], theme.gap)
    if not question:
        side = min(sign.h, theme.units(22))
        canvas.icon(Rect(sign.x, sign.bottom - side, sign.w, side), "doubt", ACCENT)
    canvas.text(title, view.title, theme.big, lines=2)
    canvas.text(layout.inside(text, theme.units(3), 0), view.text, theme.units(5.4), MUTED, lines=8, at="left")
    cells = layout.grid(foot, count, across, theme.gap)
    if not question and across > 1:
        cells = hand_row(canvas, foot, [1] * count, theme.gap)[::-1]  # the likeliest where the hand is
    for number, (cell, name) in enumerate(zip(cells, view.choices, strict=False)):
        main = number == 0 and not question
        canvas.button(cell, strings.choice(name), Reply(name), main=main, size=theme.title)
