"""The calculator of Battle rounds and the keypad for its counts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Self

from pygame import Rect
from typing_extensions import override

from messages import N, capitalise
from rules.battle.calculator import RoundSummary, ThrowSummary
from rules.text import SHARED_TEXT, THROW_WORDS
from rules.throws import Outcome, Throw
from ui.i18n.language import t
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Alignment, Canvas, paints
from ui.screen.drawing.text import line_height
from ui.screen.drawing.theme import ACCENT, FOUL, LINE, MUTED, TEXT
from ui.screen.drawing.widgets import draw_card, draw_header, split_hand_side
from ui.screen.views import InteractiveView, Page, Reply
from ui.text import game_words, labels
from ui.text.labels import count_text


@dataclass(frozen=True)
class Calculator(InteractiveView):
    """The calculator of a round of Battle. ``calculate(counts, inverted, count)`` returns the round's results for how
    many players threw each throw, at most ``max_count`` each. Answered with "home"."""

    is_idle = True

    calculate: Callable[[Mapping[Throw, int], bool, bool], RoundSummary]
    max_count: int = 94_906_266

    @override
    def first_page(self) -> "CalculatorPage":
        """Nothing entered, every option off."""
        return CalculatorPage(self, dict.fromkeys(Throw, 0), dict.fromkeys(CALCULATOR_OPTIONS, False))


CALCULATOR_OPTIONS = ("inverted", "count")


@dataclass(frozen=True)
class CalculatorPage(Page):
    """The calculator: the count of each throw, and the options by name."""

    view: Calculator
    counts: Mapping[Throw, int]
    options: Mapping[str, bool]

    def with_count(self, throw: Throw, count: int) -> Self:
        """Return the page with how many threw ``throw``."""
        return replace(self, counts=MappingProxyType({**self.counts, throw: count}))

    def with_option(self, name: str, on: bool) -> Self:
        """Return the page with an option switched on or off."""
        return replace(self, options=MappingProxyType({**self.options, name: on}))


@dataclass(frozen=True)
class KeypadPage(Page):
    """The keypad for the count of ``throw``, over the calculator."""

    calculator: CalculatorPage
    throw: Throw

    def with_count(self, count: int) -> Self:
        """Return the page with another count."""
        return replace(self, calculator=self.calculator.with_count(self.throw, count))


CLEAR_COUNT = N("Clear")
ERASE_DIGIT = N("Erase a digit")
OPTION_NAMES = {"inverted": N("inverted"), "count": N("count", "an option of Battle")}
BATTLE_LABELS = (N("won", "battles"), N("lost", "battles"), N("tied", "battles"))
RESULTS_AGAINST = {
    Outcome.WON: N("beats {other}"),
    Outcome.LOST: N("loses to {other}"),
    Outcome.TIED: N("ties with {other}"),
}

ROUND_OUTCOMES = {Outcome.WON: N("WINS"), Outcome.LOST: N("loses"), Outcome.TIED: N("ties"), None: N("nobody")}


def count_question(throw: Throw) -> str:
    """The question above the calculator's keypad."""
    return t("How many threw {throw}?", throw=THROW_WORDS[throw])


def maximum_text(maximum: int) -> str:
    """The largest number allowed."""
    return t("up to {most}", most=count_text(maximum))


def option_label(name: str, on: bool) -> str:
    """An option of the calculator, and whether it is on."""
    return f"{t(capitalise(OPTION_NAMES[name]))}: {t(SHARED_TEXT.words['on' if on else 'off'])}"


def result_against(result: Outcome, other: Throw) -> str:
    """One throw's result against another."""
    return t(RESULTS_AGAINST[result], other=THROW_WORDS[other])


def per_player_heading(score: int | None) -> str:
    """The heading of the battles of each player with a throw, with what the round adds to their score."""
    return t("Score: {score} each", score=score_text(score))


def combined_heading(score: int) -> str:
    """The heading of the battles of all players with a throw, with what the round adds to their scores together."""
    return t("Score: {score} in all", score=score_text(score))


def score_text(score: int | None) -> str:
    """A change of the score with its sign: "+1", "0", "−1"; a dash for none."""
    if not score:
        return "–" if score is None else "0"
    return ("+" if score > 0 else "−") + count_text(abs(score))


def round_outcome(outcome: Outcome | None) -> str:
    """The outcome of a round for the players of one throw."""
    return t(ROUND_OUTCOMES[outcome])


def totals_text(calculation: RoundSummary) -> str:
    """The totals of a round of Battle in a line."""
    total = calculation.total
    return t(
        "{players} players, {battles} battles: {won} won, {won} lost, {tied} tied; score {score}",
        players=count_text(calculation.players),
        battles=count_text(calculation.battles),
        won=count_text(total.wins),
        tied=count_text(total.ties),
        score=score_text(calculation.total_score),
    )


RESULT_ICONS = {Outcome.WON: ("good", TEXT), Outcome.LOST: ("foul", FOUL), Outcome.TIED: ("minus", MUTED)}
"""The icon of each result and its colour."""


@paints(CalculatorPage)
def draw_calculator(canvas: Canvas, page: CalculatorPage) -> None:
    """Draw a card for each throw with its count, results and battles; above them the options, below the totals."""
    theme = canvas.theme
    calculation = page.view.calculate(page.counts, page.options["inverted"], page.options["count"])
    bar, body = layout.split_top(canvas.page, theme.touch_size, theme.units(0.8))
    back, *switches = layout.columns(bar, [1] * (1 + len(page.options)), theme.gap)
    canvas.button(back, labels.GAMES, Reply("home"), icon="back")
    for cell, (name, on) in zip(switches, page.options.items(), strict=True):
        label, after = option_label(name, on), page.with_option(name, not on)
        canvas.button(cell, label, after, icon="good" if on else "nothing")
    totals = totals_text(calculation)
    body, total = layout.split_bottom(body, max(theme.units(5), canvas.text_height(totals, body.w)), theme.units(0.8))
    canvas.text(total, totals, theme.small, MUTED, max_lines=5)
    cut = layout.rows if theme.portrait else layout.columns
    for cell, line in zip(
        cut(body, [1] * len(calculation.by_throw), theme.units(0.8)), calculation.by_throw, strict=True
    ):
        _draw_throw_card(canvas, cell, page, line)


def _draw_throw_card(canvas: Canvas, cell: Rect, page: CalculatorPage, line: ThrowSummary) -> None:
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
    icon_box, name = layout.split_left(title, title.h, theme.units(1.5))
    canvas.icon(icon_box, line.throw)
    name, outcome = (layout.rows if theme.portrait else layout.columns)(name, [1, 1], theme.gap)
    canvas.text(name, game_words.value_text(line.throw), theme.body, align="left")
    colour = ACCENT if line.outcome is Outcome.WON else MUTED
    align: Alignment = "left" if theme.portrait else "right"
    canvas.text(outcome, round_outcome(line.outcome), theme.body, colour, align=align)
    count = page.counts[line.throw]
    for rect, label, icon, changed in (
        (fewer, labels.FEWER, "minus", count - 1),
        (more, labels.MORE, "plus", count + 1),
    ):
        after, enabled = page.with_count(line.throw, changed), 0 <= changed <= page.view.max_count
        canvas.button(rect, label, after, icon=icon, icon_only=True, enabled=enabled, repeats=True)
    canvas.button(number, labels.count_text(count), KeypadPage(page, line.throw), size=theme.title)
    _draw_results(canvas, results, line)


def _draw_results(canvas: Canvas, box: Rect, line: ThrowSummary) -> None:
    """Draw a throw's result against the two others, the battles of each of its players, and of all together."""
    theme = canvas.theme
    height = line_height(theme.small)
    results, box = layout.split_top(box, 2 * height, 0)
    each, together = layout.rows(box, [1, 1], 0)
    others = [other for other in Throw if other is not line.throw]
    for cell, other in zip(layout.rows(results, [1, 1], 0), others, strict=True):
        icon_box, text = layout.split_left(cell, height, theme.units(0.8))
        canvas.icon(layout.inset(icon_box, height // 8), *RESULT_ICONS[line.against[other]])
        canvas.text(text, result_against(line.against[other], other), theme.small, align="left")
    for cell, title, battles in (
        (each, per_player_heading(line.score), line.per_player),
        (together, combined_heading(line.combined_score), line.combined),
    ):
        heading, *rows = layout.rows(cell, [1] * 4, 0)
        canvas.text(heading, title, theme.small, MUTED, align="left")
        numbers = (battles.wins, battles.losses, battles.ties)
        for row, name, number in zip(rows, BATTLE_LABELS, numbers, strict=True):
            width = canvas.text_width(name, theme.small, row.w // 2, row.h)
            label, figure = layout.split_left(row, width, theme.units(1))
            canvas.text(label, name, theme.small, MUTED, align="left")
            value = labels.count_text(number)
            canvas.text(figure, value, theme.small, align="right")


@paints(KeypadPage)
def draw_keypad(canvas: Canvas, page: KeypadPage) -> None:
    """Draw a number, large, and the ten digits."""
    theme = canvas.theme
    count, most = page.calculator.counts[page.throw], page.calculator.view.max_count
    body = draw_header(canvas, canvas.page, count_question(page.throw), note=maximum_text(most))
    if theme.portrait:
        number_box, body = layout.split_top(body, theme.units(34), theme.gap)
    else:
        number_box, body = split_hand_side(canvas, body, body.w - round(body.w * 0.42) - theme.gap * 2, theme.gap * 2)
    body, done = layout.split_bottom(body, round(theme.touch_size * 1.3), theme.gap)
    icon_box, number = layout.rows(number_box, [3, 2], theme.gap)
    canvas.icon(icon_box, page.throw)
    canvas.text(number, labels.count_text(count), theme.units(14))
    *digits, clear, zero, erase = layout.grid(body, 12, 3, theme.gap)
    for cell, digit in zip((*digits, zero), (1, 2, 3, 4, 5, 6, 7, 8, 9, 0), strict=True):
        after = count * 10 + digit
        enabled = after <= most
        canvas.button(cell, str(digit), page.with_count(after), size=theme.title, enabled=enabled, repeats=True)
    some, shorter = count > 0, page.with_count(count // 10)
    canvas.button(clear, CLEAR_COUNT, page.with_count(0), enabled=some)
    canvas.button(erase, ERASE_DIGIT, shorter, icon="back", icon_only=True, enabled=some, repeats=True)
    canvas.button(done, labels.DONE, page.calculator, main=True, size=theme.title, leads_back=True)
