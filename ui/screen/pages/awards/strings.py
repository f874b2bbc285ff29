"""The texts of the awards of the evening."""

from messages import N, ngettext_lazy
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


def evening_summary(matches: int, began: str) -> str:
    """Return how many matches an evening has had, and since when: a local time of day, or "" before the first."""
    count = ngettext_lazy("{count} match", "{count} matches", matches)
    return N("{matches} since {time}", matches=count, time=began) if began else count
