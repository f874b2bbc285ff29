"""The texts of the awards of the evening."""

from collections.abc import Sequence

from messages import N, join, ngettext_lazy
from ui.charts.statistics import AwardKind

AWARDS_TITLE = N("Awards of the evening")
AWARD_TITLES = {
    AwardKind.QUICKEST: N("The quickest hand"),
    AwardKind.STEADIEST: N("The steadiest hand"),
    AwardKind.LONGEST_STREAK: N("The longest streak"),
    AwardKind.BOLDEST_BET: N("The boldest bet"),
    AwardKind.HARDEST_TO_GUESS: N("The hardest to guess"),
    AwardKind.MOST_PREDICTABLE: N("The most predictable"),
    AwardKind.FAIREST: N("The fairest"),
}
PLAYERS = N("Players")
MAX_NAMED_WINNERS = 4
"""More players who share an award are counted: their names have no room."""


def evening_summary(matches: int, began: str) -> str:
    """Return how many matches an evening has had, and since when: a local time of day, or "" before the first."""
    count = ngettext_lazy("{count} match", "{count} matches", matches)
    return N("{matches} since {time}", matches=count, time=began) if began else count


def winners(names: Sequence[str]) -> str:
    """Return who shares an award."""
    if len(names) > MAX_NAMED_WINNERS:
        return ngettext_lazy("{count} player", "{count} players", len(names))
    return join(names, ", ")
