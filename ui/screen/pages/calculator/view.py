"""The calculator of Battle rounds and the keypad for its counts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Protocol, Self

from rules.throws import Throw
from ui.screen.pages.views import InteractiveView, Page


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

    @property
    def score(self) -> int | None:
        """What the round adds to the score of each of them; ``None`` where nobody threw it."""

    @property
    def combined_score(self) -> int:
        """What the round adds to their scores together."""


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

    @property
    def total_score(self) -> int:
        """What the round adds to all scores together."""


@dataclass(frozen=True)
class Calculator(InteractiveView):
    """The calculator of a round of Battle. ``calculate(counts, inverted, count)`` returns the round's results for how
    many players threw each throw, at most ``max_count`` each. Answered with "home"."""

    is_idle = True

    calculate: Callable[[Mapping[Throw, int], bool, bool], RoundCalculation]
    max_count: int = 94_906_266

    def first_page(self) -> "CalculatorPage":
        """See InteractiveView: nothing entered, every option off."""
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
