"""Numbers and words of ``throwlock odds``, in its table and its chart."""

from fractions import Fraction

from rules.tr.odds import Odds
from rules.tr.roll import Roll


def degrees_of(outcome: str, chances: Odds) -> dict[int, Fraction]:
    """Return the odds of the degrees of ``outcome``: "failure" or "success"; other outcomes have none."""
    wanted = {"failure": False, "success": True}.get(outcome)
    return {degree: chance for degree, chance in chances.degrees.items() if (degree >= 0) is wanted}


def roll_in_words(roll: Roll) -> str:
    """Spell out a roll's three numbers."""
    throws = "1 throw" if roll.throws == 1 else f"{roll.throws} throws"
    rethrows = "1 rethrow" if roll.rethrows == 1 else f"{roll.rethrows or 'no'} rethrows"
    return f"{throws}, {rethrows}, difficulty {roll.difficulty}"


def as_fraction(chance: Fraction) -> str:
    """Format a chance exactly: "7/27", "0/1"."""
    return f"{chance.numerator}/{chance.denominator}"


def as_percent(chance: Fraction) -> str:
    """Format a chance to a hundredth of a percent; only an impossible one is 0 %, and only a certain one 100 %."""
    hundred = float(100 * chance)
    if chance in (0, 1):
        return f"{hundred:.0f} %"
    if hundred < 0.01:
        return "< 0.01 %"
    return "> 99.99 %" if hundred >= 99.995 else f"{hundred:.2f} %"
