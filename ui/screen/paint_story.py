"""Painters of what happened: something the game said, the end of a match, a notice."""

from pygame import Rect

from ui.screen import layout, paint_board, words, words_dispute
from ui.screen.board import setting
from ui.screen.canvas import Canvas
from ui.screen.entering import Reply
from ui.screen.pieces import board, dispute_button, hand_row, head
from ui.screen.theme import ACCENT, MUTED, TEXT
from ui.screen.views import DISPUTE, Ended, Notice, Told


def told(canvas: Canvas, view: Told) -> None:
    """What was said, the newest line largest, above the scoreboard; beside the board where it is about a position."""
    on = setting(view.say.facts)
    if on is not None:
        paint_board.told(canvas, view, on)
        return
    theme = canvas.theme
    if view.seconds_left is None:
        body = head(canvas, canvas.page, words.heading(view.say))
    else:
        bar, body = layout.top(canvas.page, theme.touch, theme.gap)
        head(canvas, dispute_button(canvas, bar), words.heading(view.say))
    lines = view.lines or words.told(view.say)
    upper, lower = layout.rows(body, [4, 5] if len(view.players) <= 4 and not theme.portrait else [1, 2], theme.gap)
    earlier = lines[-3:-1]
    for line in earlier:
        row, upper = layout.top(upper, theme.units(6.5), theme.units(0.5))
        canvas.text(row, line, theme.body, MUTED)
    canvas.text(upper, lines[-1], theme.big, TEXT, lines=3)
    board(canvas, lower, view.players)


def ended(canvas: Canvas, view: Ended) -> None:
    """The winner, the last scores, and what to do now."""
    theme = canvas.theme
    body, foot = layout.bottom(canvas.page, round(theme.touch * 1.5), theme.gap)
    sign, body = layout.top(body, theme.units(13 if not theme.portrait else 26), theme.gap)
    canvas.icon(sign, "crown" if view.result.winners else "nothing", ACCENT if view.result.winners else MUTED)
    told, body = layout.top(body, theme.units(14 if not theme.portrait else 24), theme.gap)
    canvas.text(told, view.sentence, theme.units(12), lines=2)
    more = words.outcome(view.result)
    if more:
        line, body = layout.top(body, theme.units(6), theme.gap)
        canvas.text(line, more, theme.body, MUTED)
    board(canvas, body, view.players, view.result.winners)
    *dispute, home, again = hand_row(canvas, foot, [1, 2, 2] if view.can_dispute else [1, 1], theme.gap)
    canvas.button(again, words.AGAIN, Reply("again"), main=True, size=theme.title)
    canvas.button(home, words.HOME, Reply("home"), size=theme.title)
    for cell in dispute:
        canvas.button(cell, words_dispute.DISPUTE, Reply(DISPUTE), size=theme.body)


def notice(canvas: Canvas, view: Notice) -> None:
    """What happened and how to mend it."""
    theme = canvas.theme
    columns = not theme.portrait or len(view.choices) == 1
    high = round(theme.touch * 1.5)
    count = max(1, len(view.choices))
    body, foot = layout.bottom(canvas.page, high if columns else high * count + theme.gap * (count - 1), theme.gap)
    sign, title, text = layout.rows(body, [3, 2, 5] if not theme.portrait else [3, 2, 4], theme.gap)
    side = min(sign.h, theme.units(22))
    canvas.icon(Rect(sign.x, sign.bottom - side, sign.w, side), "doubt", ACCENT)
    canvas.text(title, view.title, theme.big, lines=2)
    canvas.text(layout.inside(text, theme.units(3), 0), view.text, theme.units(5.4), MUTED, lines=8, at="left")
    cells = (
        hand_row(canvas, foot, [1] * count, theme.gap)[::-1] if columns else layout.rows(foot, [1] * count, theme.gap)
    )
    for number, (cell, name) in enumerate(zip(cells, view.choices, strict=False)):
        canvas.button(cell, words.choice(name), Reply(name), main=number == 0, size=theme.title)
