"""The calculator of Battle rounds and the keys of its counts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Protocol

from rules.throws import Throw
from ui.screen.pages.common.view import SetOption


class BattleCounts(Protocol):
    """So many battles won, lost and tied, as ``rules.battle.calculator.Tally`` has them."""

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
    """What came of one move, as ``rules.battle.calculator.ThrowSummary`` has it. Its result ("win", "loss", "tie") ``against``
    every move, the battles of ``each`` player who threw it and of ``all`` of them, and the round's ``outcome`` for them
    (``None`` where nobody threw it)."""

    @property
    def throw(self) -> Throw:
        """The move."""

    @property
    def against(self) -> Mapping[Throw, str]:
        """Its result against every move."""

    @property
    def per_player(self) -> BattleCounts:
        """The battles of one player who threw it."""

    @property
    def combined(self) -> BattleCounts:
        """The battles of everybody who threw it."""

    @property
    def outcome(self) -> str | None:
        """How the round ends for them."""


class RoundCalculation(Protocol):
    """All there is to say about a round, as ``rules.battle.calculator.RoundSummary`` has it."""

    @property
    def by_throw(self) -> Sequence[ThrowResult]:
        """A line a move."""

    @property
    def total(self) -> BattleCounts:
        """All battles, each counted once as won and once as lost, or once as tied."""

    @property
    def players(self) -> int:
        """How many players there are."""

    @property
    def battles(self) -> int:
        """How many pairs of them."""


@dataclass(frozen=True)
class Calculator:
    """The calculator. ``reckon(counts, inverted, count)`` gives what a round comes to in which so many threw what, up
    to ``most`` each; ``rules.battle.calculator.calculate_round`` does. Answered with "home"."""

    calculate: Callable[[Mapping[Throw, int], bool, bool], RoundCalculation]
    max_count: int = 94_906_266


CALCULATOR_OPTIONS = ("inverted", "count")


@dataclass(frozen=True)
class SetThrowCount:
    """A press that says how many threw ``move``."""

    throw: Throw
    count: int


@dataclass(frozen=True)
class OpenKeypad:
    """A press that opens the keys to enter how many threw ``move``, or is done with them (``None``)."""

    throw: Throw | None


@dataclass(frozen=True)
class CalculatorPage:
    """The calculator: how many threw what, and its options by name."""

    view: Calculator
    counts: Mapping[Throw, int]
    options: Mapping[str, bool]


@dataclass(frozen=True)
class KeypadPage:
    """The keys on which is entered how many threw ``move``, over the calculator's ``page``."""

    calculator: CalculatorPage
    throw: Throw


CalculatorPages = CalculatorPage | KeypadPage
CalculatorPress = SetThrowCount | OpenKeypad | SetOption


def calculator_page(view: Calculator) -> CalculatorPage:
    """The page the calculator opens with: nothing entered, every option off."""
    return CalculatorPage(view, dict.fromkeys(Throw, 0), dict.fromkeys(CALCULATOR_OPTIONS, False))


def next_calculator(page: CalculatorPages, press: object) -> CalculatorPages:
    """The page ``press`` leads to; one that means nothing on ``page`` leaves it as it is."""
    calculator = page if isinstance(page, CalculatorPage) else page.calculator
    match press:
        case SetThrowCount(throw=move, count=number) if 0 <= number <= calculator.view.max_count:
            calculator = replace(calculator, counts=MappingProxyType({**calculator.counts, move: number}))
        case SetOption(name=name, value=bool() as on) if name in calculator.options:
            calculator = replace(calculator, options=MappingProxyType({**calculator.options, name: on}))
        case OpenKeypad(throw=move):
            return calculator if move is None else KeypadPage(calculator, move)
    return calculator if isinstance(page, CalculatorPage) else replace(page, calculator=calculator)
