"""Samples of the calculator: empty, with the largest counts, and its keypad."""

from collections.abc import Mapping
from dataclasses import dataclass

from rules.throws import Throw
from ui.screen.core.page_stack import Page, first_page
from ui.screen.pages.calculator.view import Calculator, OpenKeypad, SetThrowCount
from ui.screen.pages.common.samples import press_all
from ui.screen.pages.common.view import SetOption
from ui.screen.pages.views import View


@dataclass(frozen=True)
class SampleBattles:
    """Battles of a sample round."""

    wins: int
    losses: int
    ties: int


@dataclass(frozen=True)
class SampleLine:
    """One throw of a sample round."""

    throw: Throw
    against: Mapping[Throw, str]
    per_player: SampleBattles
    combined: SampleBattles
    outcome: str | None


@dataclass(frozen=True)
class SampleRound:
    """A round like the calculator's, with numbers as long as they get."""

    by_throw: tuple[SampleLine, ...]
    total: SampleBattles
    players: int
    battles: int


def sample_round(counts: Mapping[Throw, int], inverted: bool, count: bool) -> SampleRound:
    """Stand in for the calculator, with numbers of the right length, not the right ones."""
    results = ("tie", "loss", "win")
    lines = tuple(
        SampleLine(
            throw,
            {other: results[(place - other_place) % 3] for other_place, other in enumerate(Throw)},
            SampleBattles(counts[throw], 2 * counts[throw], 0),
            SampleBattles(counts[throw] ** 2, 2 * counts[throw] ** 2, 0),
            results[place] if counts[throw] else None,
        )
        for place, throw in enumerate(Throw)
    )
    everybody = sum(counts.values())
    most = everybody**2 // 2
    return SampleRound(lines, SampleBattles(most, most, most), everybody, most)


def samples() -> dict[str, View | Page]:
    """Return the samples by name."""
    view = Calculator(sample_round)
    full = press_all(
        first_page(view), *(SetThrowCount(throw, view.max_count) for throw in Throw), SetOption("count", True)
    )
    keys = press_all(full, OpenKeypad(Throw.PAPER), SetThrowCount(Throw.PAPER, 949_062))
    return {"calculator": view, "calculator-full": full, "calculator-keys": keys}
