"""Painters of the calculator: how many threw what and what a round of Battle then comes to, and the keys to enter a
count of up to eight digits."""

from pygame import Rect

from rules.throws import Throw
from ui.screen.core.page_stack import CalculatorPage, Count, Keys, KeysPage, Set
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.theme import ACCENT, FOUL, LINE, MUTED, PANEL, TEXT
from ui.screen.drawing.widgets import hand_side, head
from ui.screen.pages import strings
from ui.screen.pages.ask.view import Reply
from ui.screen.pages.views import Battles, Line

RESULTS = {"win": ("good", TEXT), "loss": ("foul", FOUL), "tie": ("minus", MUTED)}
"""The sign of each result and its colour."""


def calculator(canvas: Canvas, page: CalculatorPage) -> None:
    """A card a move: how many threw it, whom it beats, its battles; above the options, below the totals."""
    theme = canvas.theme
    reckoned = page.view.reckon(page.counts, page.options["inverted"], page.options["count"])
    bar, body = layout.top(canvas.page, round(theme.touch * 1.02), theme.gap)
    _bar(canvas, bar, page)
    body, total = layout.bottom(body, theme.units(7.5 if not theme.portrait else 12), theme.gap)
    canvas.text(
        total,
        strings.totals(reckoned),
        theme.small if not theme.portrait else theme.body,
        MUTED,
        least=theme.units(2),
        lines=3,
    )
    cut = layout.rows if theme.portrait else layout.columns
    for cell, line in zip(cut(body, [1] * len(reckoned.lines), theme.gap), reckoned.lines, strict=True):
        _card(canvas, cell, page, line)


def _bar(canvas: Canvas, bar: Rect, page: CalculatorPage) -> None:
    theme = canvas.theme
    back, *switches = layout.columns(bar, [1] * (1 + len(page.options)), theme.gap)
    canvas.button(back, strings.BACK, Reply("home"), drawing="back")
    for cell, (name, on) in zip(switches, page.options.items(), strict=True):
        canvas.button(cell, strings.switch(name, on), Set(name, not on), drawing="good" if on else "nothing")


def _card(canvas: Canvas, cell: Rect, page: CalculatorPage, line: Line) -> None:
    theme = canvas.theme
    canvas.panel(cell, PANEL, edge=LINE, width=theme.units(0.3))
    inner = layout.inside(cell, theme.units(1.6), theme.units(1.4))
    if theme.portrait:
        entry, told = layout.left(inner, round(inner.w * 0.42), theme.gap * 2)
    else:
        entry, told = layout.top(inner, theme.units(8) + theme.touch, theme.gap)
    high = 2 * theme.touch + theme.gap if theme.portrait else theme.touch
    title, buttons = layout.bottom(entry, high, theme.units(0.8))
    if theme.portrait:
        title = layout.top(title, min(title.h, theme.units(14)), 0)[0]
    sign, name = layout.left(title, title.h, theme.units(1.5))
    canvas.icon(sign, line.move)
    name, outcome = (layout.rows if theme.portrait else layout.columns)(name, [1, 1], theme.gap)
    canvas.text(name, strings.value(line.move), theme.body, side="left")
    colour = ACCENT if line.outcome == "win" else MUTED
    canvas.text(
        outcome, strings.round_ends(line.outcome), theme.body, colour, side="left" if theme.portrait else "right"
    )
    count = page.counts[line.move]
    if theme.portrait:
        number, pair = layout.rows(buttons, [1, 1], theme.gap)
        fewer, more = layout.columns(pair, [1, 1], theme.gap)
    else:
        fewer, number, more = layout.columns(buttons, [3, 7, 3], theme.units(0.8))
    least, most = count > 0, count < page.view.most
    canvas.button(fewer, strings.FEWER, Count(line.move, count - 1), drawing="minus", bare=True, able=least)
    canvas.button(number, strings.number(count), Keys(line.move), size=theme.title)
    canvas.button(more, strings.MORE, Count(line.move, count + 1), drawing="plus", bare=True, able=most)
    _told(canvas, told, line)


def _told(canvas: Canvas, box: Rect, line: Line) -> None:
    """Its result against the two other moves, the battles of each player, and of all together."""
    theme = canvas.theme
    results, each, together = layout.rows(box, [2, 4, 4], theme.units(1))
    others = [other for other in Throw if other is not line.move]
    for row, other in zip(layout.rows(results, [1, 1], 0), others, strict=True):
        drawing, colour = RESULTS[line.against[other]]
        sign, text = layout.left(row, row.h, theme.units(1.2))
        canvas.icon(layout.inside(sign, max(1, sign.h // 8)), drawing, colour)
        canvas.text(text, strings.against(line.against[other], other), theme.small, side="left")
    _battles(canvas, each, strings.EACH, line.each)
    _battles(canvas, together, strings.TOGETHER, line.all)


def _battles(canvas: Canvas, box: Rect, title: str, battles: Battles) -> None:
    theme = canvas.theme
    names = (title, *strings.BATTLES)
    numbers = ("", *map(strings.number, (battles.wins, battles.losses, battles.ties)))
    for row, name, number in zip(layout.rows(box, [1] * 4, 0), names, numbers, strict=True):
        label, figure = layout.left(row, round(row.w * 0.26), theme.units(1)) if number else (row, row)
        canvas.text(label, name, theme.small, MUTED, side="left", least=theme.units(2.4))
        if number:
            canvas.text(figure, number, theme.small, side="right", least=theme.units(2.4))


def keys(canvas: Canvas, page: KeysPage) -> None:
    """A number, large, and the ten digits."""
    theme = canvas.theme
    count, most = page.page.counts[page.move], page.page.view.most
    body = head(canvas, canvas.page, strings.how_many_threw(page.move), aside=strings.up_to(most))
    if theme.portrait:
        shown, body = layout.top(body, theme.units(34), theme.gap)
    else:
        shown, body = hand_side(canvas, body, body.w - round(body.w * 0.42) - theme.gap * 2, theme.gap * 2)
    body, done = layout.bottom(body, round(theme.touch * 1.3), theme.gap)
    sign, number = layout.rows(shown, [3, 2], theme.gap)
    canvas.icon(sign, page.move)
    canvas.text(number, strings.number(count), theme.units(14))
    cells = layout.grid(body, 12, 3, theme.gap)
    for cell, digit in zip([*cells[:9], cells[10]], (1, 2, 3, 4, 5, 6, 7, 8, 9, 0), strict=True):
        after = count * 10 + digit
        canvas.button(cell, str(digit), Count(page.move, after), size=theme.title, able=after <= most)
    canvas.button(cells[9], strings.CLEAR, Count(page.move, 0), able=count > 0)
    canvas.button(cells[11], strings.ERASE, Count(page.move, count // 10), drawing="back", bare=True, able=count > 0)
    canvas.button(done, strings.DONE, Keys(None), main=True, size=theme.title)
