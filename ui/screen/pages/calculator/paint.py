"""Painters of the calculator: the counts of each throw with the results of a round of Battle, and the keypad for a
count of up to eight digits."""

from pygame import Rect

from rules.throws import Throw
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Alignment, Canvas, paints
from ui.screen.drawing.text import line_height
from ui.screen.drawing.theme import ACCENT, FOUL, LINE, MUTED, TEXT
from ui.screen.drawing.widgets import draw_card, draw_header, split_hand_side
from ui.screen.pages.answers import Reply
from ui.screen.pages.calculator import strings
from ui.screen.pages.calculator.view import CalculatorPage, KeypadPage, ThrowResult
from ui.screen.pages.common import game_words
from ui.screen.pages.common import strings as common_strings

RESULT_ICONS = {"win": ("good", TEXT), "loss": ("foul", FOUL), "tie": ("minus", MUTED)}
"""The icon of each result and its colour."""


@paints(CalculatorPage)
def draw_calculator(canvas: Canvas, page: CalculatorPage) -> None:
    """Draw a card for each throw with its count, results and battles; above them the options, below the totals."""
    theme = canvas.theme
    calculation = page.view.calculate(page.counts, page.options["inverted"], page.options["count"])
    bar, body = layout.split_top(canvas.page, theme.touch_size, theme.units(0.8))
    back, *switches = layout.columns(bar, [1] * (1 + len(page.options)), theme.gap)
    canvas.button(back, common_strings.GAMES, Reply("home"), icon="back")
    for cell, (name, on) in zip(switches, page.options.items(), strict=True):
        label, after = strings.option_label(name, on), page.with_option(name, not on)
        canvas.button(cell, label, after, icon="good" if on else "nothing")
    totals = strings.totals_text(calculation)
    body, total = layout.split_bottom(body, max(theme.units(5), canvas.text_height(totals, body.w)), theme.units(0.8))
    canvas.text(total, totals, theme.small, MUTED, max_lines=5)
    cut = layout.rows if theme.portrait else layout.columns
    for cell, line in zip(
        cut(body, [1] * len(calculation.by_throw), theme.units(0.8)), calculation.by_throw, strict=True
    ):
        _draw_throw_card(canvas, cell, page, line)


def _draw_throw_card(canvas: Canvas, cell: Rect, page: CalculatorPage, line: ThrowResult) -> None:
    theme = canvas.theme
    inner = draw_card(canvas, cell, 1, 0.2, edge=LINE)
    if theme.portrait:
        entry, results = layout.split_left(inner, round(inner.w * 0.42), theme.gap * 2)
        title, buttons = layout.split_bottom(entry, 2 * theme.touch_size + theme.gap, theme.units(0.8))
        title.height = min(title.h, theme.units(14))
        number, pair = layout.rows(buttons, [1, 1], theme.gap)
        fewer, more = layout.columns(pair, [1, 1], theme.gap)
    else:
        entry, results = layout.split_top(inner, theme.units(6) + theme.touch_size, theme.units(0.8))
        title, buttons = layout.split_bottom(entry, theme.touch_size, theme.units(0.8))
        fewer, number, more = layout.columns(buttons, [3, 7, 3], theme.units(0.8))
    sign, name = layout.split_left(title, title.h, theme.units(1.5))
    canvas.icon(sign, line.throw)
    name, outcome = (layout.rows if theme.portrait else layout.columns)(name, [1, 1], theme.gap)
    canvas.text(name, game_words.value_text(line.throw), theme.body, align="left")
    colour = ACCENT if line.outcome == "win" else MUTED
    align: Alignment = "left" if theme.portrait else "right"
    canvas.text(outcome, strings.round_outcome(line.outcome), theme.body, colour, align=align)
    count = page.counts[line.throw]
    for place, label, icon, changed in (
        (fewer, common_strings.FEWER, "minus", count - 1),
        (more, common_strings.MORE, "plus", count + 1),
    ):
        after, enabled = page.with_count(line.throw, changed), 0 <= changed <= page.view.max_count
        canvas.button(place, label, after, icon=icon, icon_only=True, enabled=enabled, repeats=True)
    canvas.button(number, common_strings.count_text(count), KeypadPage(page, line.throw), size=theme.title)
    _draw_results(canvas, results, line)


def _draw_results(canvas: Canvas, box: Rect, line: ThrowResult) -> None:
    """Draw a throw's result against the two others, the battles of each of its players, and of all together."""
    theme = canvas.theme
    height = line_height(theme.small)
    results, box = layout.split_top(box, 2 * height, 0)
    each, together = layout.rows(box, [1, 1], 0)
    others = [other for other in Throw if other is not line.throw]
    for cell, other in zip(layout.rows(results, [1, 1], 0), others, strict=True):
        sign, text = layout.split_left(cell, height, theme.units(0.8))
        canvas.icon(layout.inset(sign, height // 8), *RESULT_ICONS[line.against[other]])
        canvas.text(text, strings.result_against(line.against[other], other), theme.small, align="left")
    for cell, title, battles in (
        (each, strings.per_player_heading(line.score), line.per_player),
        (together, strings.combined_heading(line.combined_score), line.combined),
    ):
        heading, *rows = layout.rows(cell, [1] * 4, 0)
        canvas.text(heading, title, theme.small, MUTED, align="left")
        numbers = (battles.wins, battles.losses, battles.ties)
        for row, name, number in zip(rows, strings.BATTLE_LABELS, numbers, strict=True):
            width = canvas.text_width(name, theme.small, row.w // 2, row.h)
            label, figure = layout.split_left(row, width, theme.units(1))
            canvas.text(label, name, theme.small, MUTED, align="left")
            value = common_strings.count_text(number)
            canvas.text(figure, value, theme.small, align="right")


@paints(KeypadPage)
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
    *digits, clear, zero, erase = layout.grid(body, 12, 3, theme.gap)
    for cell, digit in zip((*digits, zero), (1, 2, 3, 4, 5, 6, 7, 8, 9, 0), strict=True):
        after = count * 10 + digit
        enabled = after <= most
        canvas.button(cell, str(digit), page.with_count(after), size=theme.title, enabled=enabled, repeats=True)
    some, shorter = count > 0, page.with_count(count // 10)
    canvas.button(clear, strings.CLEAR_COUNT, page.with_count(0), enabled=some)
    canvas.button(erase, strings.ERASE_DIGIT, shorter, icon="back", icon_only=True, enabled=some, repeats=True)
    canvas.button(done, common_strings.DONE, page.calculator, main=True, size=theme.title, leads_back=True)
