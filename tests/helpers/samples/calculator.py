"""Samples of the calculator: empty, with the largest counts, and its keypad."""

from collections.abc import Mapping
from dataclasses import dataclass

from rules.throws import Outcome, Throw
from ui.screen.pages.calculator import Calculator, CalculatorPage, KeypadPage
from ui.screen.views import View


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
    against: Mapping[Throw, Outcome]
    per_player: SampleBattles
    combined: SampleBattles
    outcome: Outcome | None
    score: int | None
    combined_score: int


@dataclass(frozen=True)
class SampleRound:
    """A round like the calculator's, with numbers as long as they get."""

    by_throw: tuple[SampleLine, ...]
    total: SampleBattles
    players: int
    battles: int
    total_score: int


def sample_round(counts: Mapping[Throw, int], inverted: bool, count: bool) -> SampleRound:
    """Stand in for the calculator, with numbers of the right length, not the right ones."""
    results = (Outcome.TIED, Outcome.LOST, Outcome.WON)
    lines = tuple(
        SampleLine(
            throw,
            {other: results[(place - other_place) % 3] for other_place, other in enumerate(Throw)},
            SampleBattles(counts[throw], 2 * counts[throw], 0),
            SampleBattles(counts[throw] ** 2, 2 * counts[throw] ** 2, 0),
            results[place] if counts[throw] else None,
            1 if counts[throw] else None,
            counts[throw],
        )
        for place, throw in enumerate(Throw)
    )
    everybody = sum(counts.values())
    most = everybody**2 // 2
    return SampleRound(lines, SampleBattles(most, most, most), everybody, most, everybody)


def samples() -> dict[str, View]:
    """Return the samples by name."""
    view = Calculator(sample_round)  # type: ignore[arg-type]  # it has all that is drawn of a summary
    full = CalculatorPage(view, dict.fromkeys(Throw, view.max_count), {"inverted": False, "count": True})
    keys = KeypadPage(full, Throw.PAPER).with_count(949_062)
    return {"calculator": view, "calculator-full": full, "calculator-keys": keys}
