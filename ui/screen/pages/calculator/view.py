"""The calculator of Battle rounds and the keypad for its counts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Protocol

from rules.throws import Throw
from ui.screen.pages.common.view import SetOption


class BattleCounts(Protocol):
    """Numbers of battles won, lost and tied, as ``rules.battle.calculator.Tally`` has them."""

    @property
    def wins(self) -> int:
        """Won."""

    @property
    def losses(self) -> int:
        """Lost."""

    @property
    def ties(self) -> int:
        """Tied."""


class ThrowResult(Protocol):
    """One throw's results in a round, as ``rules.battle.calculator.ThrowSummary`` has them."""

    @property
    def throw(self) -> Throw:
        """The throw."""

    @property
    def against(self) -> Mapping[Throw, str]:
        """Its result against every throw: "win", "loss" or "tie"."""

    @property
    def per_player(self) -> BattleCounts:
        """The battles of one player who threw it."""

    @property
    def combined(self) -> BattleCounts:
        """The battles of everybody who threw it."""

    @property
    def outcome(self) -> str | None:
        """The round's outcome for them; ``None`` where nobody threw it."""


class RoundCalculation(Protocol):
    """The results of a round, as ``rules.battle.calculator.RoundSummary`` has them."""

    @property
    def by_throw(self) -> Sequence[ThrowResult]:
        """The results of each throw."""

    @property
    def total(self) -> BattleCounts:
        """All battles, each counted once as won and once as lost, or once as tied."""

    @property
    def players(self) -> int:
        """The number of players."""

    @property
    def battles(self) -> int:
        """The number of pairs of players."""


@dataclass(frozen=True)
class Calculator:
    """The calculator of a round of Battle. ``calculate(counts, inverted, count)`` returns the round's results for how
    many players threw each throw, at most ``max_count`` each. Answered with "home"."""

    calculate: Callable[[Mapping[Throw, int], bool, bool], RoundCalculation]
    max_count: int = 94_906_266


CALCULATOR_OPTIONS = ("inverted", "count")


@dataclass(frozen=True)
class SetThrowCount:
    """Press: set how many threw ``throw``."""

    throw: Throw
    count: int


@dataclass(frozen=True)
class OpenKeypad:
    """Press: open the keypad for the count of ``throw``, or close it (``None``)."""

    throw: Throw | None


@dataclass(frozen=True)
class CalculatorPage:
    """The calculator: the count of each throw, and the options by name."""

    view: Calculator
    counts: Mapping[Throw, int]
    options: Mapping[str, bool]


@dataclass(frozen=True)
class KeypadPage:
    """The keypad for the count of ``throw``, over the calculator."""

    calculator: CalculatorPage
    throw: Throw


CalculatorPages = CalculatorPage | KeypadPage
CalculatorPress = SetThrowCount | OpenKeypad | SetOption


def calculator_page(view: Calculator) -> CalculatorPage:
    """Return the page the calculator opens with: nothing entered, every option off."""
    return CalculatorPage(view, dict.fromkeys(Throw, 0), dict.fromkeys(CALCULATOR_OPTIONS, False))


def next_calculator(page: CalculatorPages, press: object) -> CalculatorPages:
    """Return the page ``press`` leads to. A press without a meaning on ``page`` changes nothing."""
    calculator = page if isinstance(page, CalculatorPage) else page.calculator
    match press:
        case SetThrowCount(throw=throw, count=number) if 0 <= number <= calculator.view.max_count:
            calculator = replace(calculator, counts=MappingProxyType({**calculator.counts, throw: number}))
        case SetOption(name=name, value=bool() as on) if name in calculator.options:
            calculator = replace(calculator, options=MappingProxyType({**calculator.options, name: on}))
        case OpenKeypad(throw=throw):
            return calculator if throw is None else KeypadPage(calculator, throw)
    return calculator if isinstance(page, CalculatorPage) else replace(page, calculator=calculator)
