"""Samples of the calculator: empty, with the largest counts, and its keypad."""

from rules.battle.calculator import calculate_round
from rules.throws import Throw
from ui.screen.pages.calculator import Calculator, CalculatorPage, KeypadPage
from ui.screen.views import View


def samples() -> dict[str, View]:
    """Return the samples by name."""
    view = Calculator(calculate_round)
    full = CalculatorPage(view, dict.fromkeys(Throw, view.max_count), {"inverted": False, "count": True})
    keys = KeypadPage(full, Throw.PAPER).with_count(949_062)
    return {"calculator": view, "calculator-full": full, "calculator-keys": keys}
