"""Painters of the calculator: the counts of each throw with the results of a round of Battle, and the keypad for a
count of up to eight digits."""

from pygame import Rect

from rules.throws import Throw
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas
from ui.screen.drawing.theme import ACCENT, FOUL, LINE, MUTED, PANEL, TEXT
from ui.screen.drawing.widgets import draw_header, split_hand_side
from ui.screen.pages.answers import Reply
from ui.screen.pages.calculator import strings
from ui.screen.pages.calculator.view import (
    BattleCounts,
    CalculatorPage,
    KeypadPage,
    OpenKeypad,
    SetThrowCount,
    ThrowResult,
)
from ui.screen.pages.common import game_words
from ui.screen.pages.common import strings as common_strings
from ui.screen.pages.common.view import SetOption

RESULT_ICONS = {"win": ("good", TEXT), "loss": ("foul", FOUL), "tie": ("minus", MUTED)}
"""The icon of each result and its colour."""


def draw_calculator(canvas: Canvas, page: CalculatorPage) -> None:
    """Draw a card for each throw with its count, results and battles; above them the options, below the totals."""
    theme = canvas.theme
    calculation = page.view.calculate(page.counts, page.options["inverted"], page.options["count"])
    bar, body = layout.split_top(canvas.page, round(theme.touch_size * 1.02), theme.gap)
    _draw_options(canvas, bar, page)
    body, total = layout.split_bottom(body, theme.units(7.5 if not theme.portrait else 12), theme.gap)
    canvas.text(
        total,
        strings.totals_text(calculation),
        theme.small if not theme.portrait else theme.body,
        MUTED,
        min_size=theme.units(2),
        max_lines=3,
    )
    cut = layout.rows if theme.portrait else layout.columns
    for cell, line in zip(cut(body, [1] * len(calculation.by_throw), theme.gap), calculation.by_throw, strict=True):
        _draw_throw_card(canvas, cell, page, line)


def _draw_options(canvas: Canvas, bar: Rect, page: CalculatorPage) -> None:
    theme = canvas.theme
    back, *switches = layout.columns(bar, [1] * (1 + len(page.options)), theme.gap)
    canvas.button(back, common_strings.GAMES, Reply("home"), icon="back")
    for cell, (name, on) in zip(switches, page.options.items(), strict=True):
        canvas.button(cell, strings.option_label(name, on), SetOption(name, not on), icon="good" if on else "nothing")


def _draw_throw_card(canvas: Canvas, cell: Rect, page: CalculatorPage, line: ThrowResult) -> None:
    theme = canvas.theme
    canvas.panel(cell, PANEL, edge=LINE, width=theme.units(0.3))
    inner = layout.inset(cell, theme.units(1.6), theme.units(1.4))
    if theme.portrait:
        entry, results = layout.split_left(inner, round(inner.w * 0.42), theme.gap * 2)
    else:
        entry, results = layout.split_top(inner, theme.units(8) + theme.touch_size, theme.gap)
    height = 2 * theme.touch_size + theme.gap if theme.portrait else theme.touch_size
    title, buttons = layout.split_bottom(entry, height, theme.units(0.8))
    if theme.portrait:
        title = layout.split_top(title, min(title.h, theme.units(14)), 0)[0]
    sign, name = layout.split_left(title, title.h, theme.units(1.5))
    canvas.icon(sign, line.throw)
    name, outcome = (layout.rows if theme.portrait else layout.columns)(name, [1, 1], theme.gap)
    canvas.text(name, game_words.value_text(line.throw), theme.body, align="left")
    colour = ACCENT if line.outcome == "win" else MUTED
    canvas.text(
        outcome, strings.round_outcome(line.outcome), theme.body, colour, align="left" if theme.portrait else "right"
    )
    count = page.counts[line.throw]
    if theme.portrait:
        number, pair = layout.rows(buttons, [1, 1], theme.gap)
        fewer, more = layout.columns(pair, [1, 1], theme.gap)
    else:
        fewer, number, more = layout.columns(buttons, [3, 7, 3], theme.units(0.8))
    least, most = count > 0, count < page.view.max_count
    canvas.button(
        fewer, common_strings.FEWER, SetThrowCount(line.throw, count - 1), icon="minus", icon_only=True, enabled=least
    )
    canvas.button(number, common_strings.count_text(count), OpenKeypad(line.throw), size=theme.title)
    canvas.button(
        more, common_strings.MORE, SetThrowCount(line.throw, count + 1), icon="plus", icon_only=True, enabled=most
    )
    _draw_results(canvas, results, line)


def _draw_results(canvas: Canvas, box: Rect, line: ThrowResult) -> None:
    """Draw a throw's result against the two others, the battles of each of its players, and of all together."""
    theme = canvas.theme
    results, each, together = layout.rows(box, [2, 4, 4], theme.units(1))
    others = [other for other in Throw if other is not line.throw]
    for row, other in zip(layout.rows(results, [1, 1], 0), others, strict=True):
        icon, colour = RESULT_ICONS[line.against[other]]
        sign, text = layout.split_left(row, row.h, theme.units(1.2))
        canvas.icon(layout.inset(sign, max(1, sign.h // 8)), icon, colour)
        canvas.text(text, strings.result_against(line.against[other], other), theme.small, align="left")
    _draw_battles(canvas, each, strings.PER_PLAYER, line.per_player)
    _draw_battles(canvas, together, strings.COMBINED, line.combined)


def _draw_battles(canvas: Canvas, box: Rect, title: str, battles: BattleCounts) -> None:
    theme = canvas.theme
    names = (title, *strings.BATTLE_LABELS)
    numbers = ("", *map(common_strings.count_text, (battles.wins, battles.losses, battles.ties)))
    for row, name, number in zip(layout.rows(box, [1] * 4, 0), names, numbers, strict=True):
        label, figure = layout.split_left(row, round(row.w * 0.26), theme.units(1)) if number else (row, row)
        canvas.text(label, name, theme.small, MUTED, align="left", min_size=theme.units(2.4))
        if number:
            canvas.text(figure, number, theme.small, align="right", min_size=theme.units(2.4))


def draw_keypad(canvas: Canvas, page: KeypadPage) -> None:
    """Draw a number, large, and the ten digits."""
    theme = canvas.theme
    count, most = page.calculator.counts[page.throw], page.calculator.view.max_count
    body = draw_header(canvas, canvas.page, strings.count_question(page.throw), note=strings.maximum_text(most))
    if theme.portrait:
        number_box, body = layout.split_top(body, theme.units(34), theme.gap)
    else:
        number_box, body = split_hand_side(canvas, body, body.w - round(body.w * 0.42) - theme.gap * 2, theme.gap * 2)
    body, done = layout.split_bottom(body, round(theme.touch_size * 1.3), theme.gap)
    sign, number = layout.rows(number_box, [3, 2], theme.gap)
    canvas.icon(sign, page.throw)
    canvas.text(number, common_strings.count_text(count), theme.units(14))
    cells = layout.grid(body, 12, 3, theme.gap)
    for cell, digit in zip([*cells[:9], cells[10]], (1, 2, 3, 4, 5, 6, 7, 8, 9, 0), strict=True):
        after = count * 10 + digit
        canvas.button(cell, str(digit), SetThrowCount(page.throw, after), size=theme.title, enabled=after <= most)
    canvas.button(cells[9], strings.CLEAR_COUNT, SetThrowCount(page.throw, 0), enabled=count > 0)
    canvas.button(
        cells[11],
        strings.ERASE_DIGIT,
        SetThrowCount(page.throw, count // 10),
        icon="back",
        icon_only=True,
        enabled=count > 0,
    )
    canvas.button(done, common_strings.DONE, OpenKeypad(None), main=True, size=theme.title)
