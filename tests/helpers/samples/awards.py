"""Samples of the awards of the evening: all given, with ties, and none."""

from messages import N, ngettext_lazy
from ui.charts.statistics import Award, AwardKind
from ui.screen.pages.awards import AwardsPage, evening_summary
from ui.screen.views import View


def samples() -> dict[str, View]:
    """Return the samples by name."""
    spread = N("half of the throws within {spread} ms", spread=18)
    streak = ngettext_lazy("{count} round won", "{count} rounds won in a row", 8)
    guess = N("{share} % of the throws guessed right", share=34)
    fair = ngettext_lazy("{count} round without a foul", "{count} rounds without a foul", 64)
    given = (
        Award(AwardKind.QUICKEST, ("Ann",), N("usually {median} ms after the cue", median=31)),
        Award(AwardKind.STEADIEST, ("Ann", "Bartholomew"), spread),
        Award(AwardKind.LONGEST_STREAK, ("Chidi",), streak),
        Award(AwardKind.BOLDEST_BET, ("Dolores",), N("bet {bet} of {points} points", bet=40, points=40)),
        Award(AwardKind.HARDEST_TO_GUESS, ("Bartholomew",), guess),
        Award(AwardKind.MOST_PREDICTABLE, (), N("nobody: no throws with a pattern")),
        Award(AwardKind.FAIREST, ("Ann", "Chidi", "Dolores", "Emil"), fair),
    )
    takes = (
        N("takes two players with {count} throws on time each", count=8),
        N("takes two players with {count} throws on time each", count=8),
        N("takes {count} rounds won in a row", count=3),
        N("takes {count} bets in RPS Redeux", count=5),
        N("takes two players with {count} throws each", count=30),
        N("takes a player with {count} throws", count=30),
        N("takes {count} rounds without a foul", count=10),
    )
    none = tuple(Award(kind, (), text) for kind, text in zip(AwardKind, takes, strict=True))
    return {
        "awards": AwardsPage(evening_summary(12, "19:05"), given),
        "awards-none": AwardsPage(evening_summary(1, "19:05"), none),
    }
