"""Samples of the calculator: nothing entered, as much as there can be, and its keys."""

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
    """One move of a sample round."""

    throw: Throw
    against: Mapping[Throw, str]
    per_player: SampleBattles
    combined: SampleBattles
    outcome: str | None


@dataclass(frozen=True)
class SampleRound:
    """A round like those the calculator reckons, its numbers as long as they get."""

    by_throw: tuple[SampleLine, ...]
    total: SampleBattles
    players: int
    battles: int


def sample_round(counts: Mapping[Throw, int], inverted: bool, count: bool) -> SampleRound:
    """Stands for the calculator: numbers of the right length, not the right ones."""
    results = ("tie", "loss", "win")
    lines = tuple(
        SampleLine(
            move,
            {other: results[(place - other_place) % 3] for other_place, other in enumerate(Throw)},
            SampleBattles(counts[move], 2 * counts[move], 0),
            SampleBattles(counts[move] ** 2, 2 * counts[move] ** 2, 0),
            results[place] if counts[move] else None,
        )
        for place, move in enumerate(Throw)
    )
    everybody = sum(counts.values())
    most = everybody**2 // 2
    return SampleRound(lines, SampleBattles(most, most, most), everybody, most)


def samples() -> dict[str, View | Page]:
    """Return the samples by name."""
    view = Calculator(sample_round)
    full = press_all(
        first_page(view), *(SetThrowCount(move, view.max_count) for move in Throw), SetOption("count", True)
    )
    keys = press_all(full, OpenKeypad(Throw.PAPER), SetThrowCount(Throw.PAPER, 949_062))
    return {"calculator": view, "calculator-full": full, "calculator-keys": keys}
