"""The calculator of Battle rounds and the keypad for its counts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Self

from typing_extensions import override

from messages import N, capitalise
from rules.battle.calculator import RoundSummary, Tally, ThrowSummary
from rules.text import SHARED_TEXT, THROW_WORDS
from rules.throws import Outcome, Throw
from ui.i18n.language import format_number, t
from ui.screen.drawing.forms import Column, Either, Flip, Form, Grid, HandFlip, Row, lays_out
from ui.screen.drawing.nodes import GAP, TOUCH, Button, CardPanel, Icon, Space, Text, note
from ui.screen.drawing.theme import ACCENT, FOUL, LINE, MUTED, TEXT
from ui.screen.views import InteractiveView, Page, Reply
from ui.text import game_words, labels


@dataclass(frozen=True)
class Calculator(InteractiveView):
    """The calculator of a round of Battle. Answered with "home"."""

    is_idle = True

    calculate: Callable[[Mapping[Throw, int], bool, bool], RoundSummary]
    """Returns a round's results for how many players threw each throw, whether it is inverted, and whether it is a
    round of Count."""
    max_count: int = 94_906_266
    """The most players who may throw the same."""

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


def option_label(name: str, on: bool) -> str:
    """An option of the calculator, and whether it is on."""
    return f"{t(capitalise(OPTION_NAMES[name]))}: {t(SHARED_TEXT.words['on' if on else 'off'])}"


def result_against(result: Outcome, rival: Throw) -> str:
    """One throw's result against another."""
    return t(RESULTS_AGAINST[result], other=THROW_WORDS[rival])


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
    return ("+" if score > 0 else "−") + format_number(abs(score))


def round_outcome(outcome: Outcome | None) -> str:
    """The outcome of a round for the players of one throw."""
    return t(ROUND_OUTCOMES[outcome])


def totals_text(calculation: RoundSummary) -> str:
    """The totals of a round of Battle in a line."""
    total = calculation.total
    return t(
        "{players} players, {battles} battles: {won} won, {won} lost, {tied} tied; score {score}",
        players=format_number(calculation.players),
        battles=format_number(calculation.battles),
        won=format_number(total.wins),
        tied=format_number(total.ties),
        score=score_text(calculation.total_score),
    )


RESULT_ICONS = {Outcome.WON: ("good", TEXT), Outcome.LOST: ("foul", FOUL), Outcome.TIED: ("minus", MUTED)}
"""The icon of each result and its colour."""


@lays_out(CalculatorPage)
def lay_out_calculator(page: CalculatorPage) -> Column:
    """Return a card for each throw with its count, results and battles; above them the options, below the totals."""
    calculation = page.view.calculate(page.counts, page.options["inverted"], page.options["count"])
    switches = (
        Button(option_label(name, on), page.with_option(name, not on), "good" if on else "nothing", size="body")
        for name, on in page.options.items()
    )
    return Column(
        Row(Button(labels.DONE, Reply("home"), "back", size="body", leads_back=True), *switches, length=TOUCH),
        Flip(*(_throw_card(page, line) for line in calculation.by_throw), gap=0.8),
        note(totals_text(calculation), lines=5, align="centre"),
        gap=0.8,
    )


def _throw_card(page: CalculatorPage, line: ThrowSummary) -> CardPanel:
    throw, count = line.throw, page.counts[line.throw]
    fewer, more = (
        Button(
            label,
            page.with_count(throw, count + by),
            icon,
            icon_only=True,
            enabled=0 <= count + by <= page.view.max_count,
            repeats=True,
            share=3,
        )
        for label, icon, by in ((labels.FEWER, "minus", -1), (labels.MORE, "plus", 1))
    )
    number = Button(format_number(count), KeypadPage(page, throw), share=7)
    name = Text(game_words.value_text(throw), lines=1, align="left")
    colour = ACCENT if line.outcome is Outcome.WON else MUTED
    outcome = Text(round_outcome(line.outcome), "body", colour, lines=1, align="left")
    results = _results(line)
    landscape = Column(
        Row(Icon(throw, TEXT, length=6), name, replace(outcome, align="right"), gap=1.5, length=6),
        Row(fewer, number, more, gap=0.8, length=TOUCH),
        results,
        gap=0.8,
    )
    entry = Column(
        Row(Icon(throw, TEXT, length=14), Column(name, outcome, gap=1), gap=1.5, length=14),
        Space(),
        replace(number, length=TOUCH),
        Row(fewer, more, length=TOUCH),
        share=0.72,
    )
    portrait = Row(entry, results, gap=2 * GAP)
    return CardPanel(Either(landscape, portrait), across=1, down=0.2, edge=LINE)


def _results(line: ThrowSummary) -> Column:
    """Return a throw's result against the two others, the battles of each of its players, and of all together."""
    rivals = (
        Row(
            Icon(*RESULT_ICONS[result], side=3.6, length=4.6),
            note(result_against(result, rival), TEXT, lines=1),
            gap=0.8,
        )
        for rival, result in line.against.items()
        if rival is not line.throw
    )
    return Column(
        *rivals,
        _battles(per_player_heading(line.score), line.per_player),
        _battles(combined_heading(line.combined_score), line.combined),
        gap=0,
    )


def _battles(heading: str, battles: Tally) -> Column:
    rows = (
        Row(
            Text(name, "small", MUTED, lines=1, align="left", hugs=True),
            Text(format_number(number), "small", lines=1, align="right"),
            gap=1,
        )
        for name, number in zip(BATTLE_LABELS, (battles.wins, battles.losses, battles.ties), strict=True)
    )
    return Column(Text(heading, "small", MUTED, lines=1, align="left"), *rows, gap=0)


@lays_out(KeypadPage)
def lay_out_keypad(page: KeypadPage) -> Form:
    """Return a number, large, and the ten digits."""
    count, most = page.calculator.counts[page.throw], page.calculator.view.max_count

    def digit(number: int) -> Button:
        after = count * 10 + number
        return Button(str(number), page.with_count(after), enabled=after <= most, repeats=True)

    some = count > 0
    clear = Button(CLEAR_COUNT, page.with_count(0), size="body", enabled=some)
    erase = Button(ERASE_DIGIT, page.with_count(count // 10), "back", icon_only=True, enabled=some, repeats=True)
    done = Button(labels.DONE, page.calculator, main=True, leads_back=True, length=1.3 * TOUCH)
    shown = Column(Icon(page.throw, TEXT, share=3), Text(format_number(count), 14, lines=1, share=2), share=(42, 34))
    keys = Column(Grid([*map(digit, range(1, 10)), clear, digit(0), erase], 3), done, share=(54, 105))
    return Form(
        count_question(page.throw),
        HandFlip(shown, keys, gap=(2 * GAP, GAP)),
        note=t("up to {most}", most=format_number(most)),
    )
