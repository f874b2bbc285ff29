"""The awards of the evening as plain data. Pure: no surface, no clock."""

from collections.abc import Sequence
from dataclasses import dataclass

from messages import N, capitalise, join, ngettext_lazy
from ui.charts.statistics import Award, AwardKind
from ui.screen.drawing.forms import Column, Form, Grid, Row, lays_out
from ui.screen.drawing.nodes import TOUCH, Button, CardPanel, Icon, Text, note
from ui.screen.drawing.theme import ACCENT, MUTED
from ui.screen.views import Page, Reply

BACK, PLAYERS = "back", "players"


@dataclass(frozen=True)
class AwardsPage(Page):
    """The awards of an evening. Answered with BACK or PLAYERS."""

    is_idle = True

    summary: str
    """A sentence about the evening's matches."""
    awards: tuple[Award, ...]


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
PLAYERS_LABEL = N("Players")
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


AWARD_ICONS = {
    AwardKind.QUICKEST: "clock",
    AwardKind.STEADIEST: "level",
    AwardKind.LONGEST_STREAK: "flame",
    AwardKind.BOLDEST_BET: "coin",
    AwardKind.HARDEST_TO_GUESS: "swap",
    AwardKind.MOST_PREDICTABLE: "eye",
    AwardKind.FAIREST: "shield",
}


@lays_out(AwardsPage)
def lay_out_awards(page: AwardsPage) -> Form:
    """Return a card for each award: what for, who has it, and the figure, or what it takes."""
    return Form(
        AWARDS_TITLE,
        Grid([_award_card(award) for award in page.awards], (2, 1), gap=1.2),
        foot=(
            Button(N("Back"), Reply(BACK), "back", size="body", leads_back=True),
            Button(PLAYERS_LABEL, Reply(PLAYERS), size="body"),
        ),
        foot_length=TOUCH,
        note=page.summary,
    )


def _award_card(award: Award) -> CardPanel:
    names = Text(winners(award.names), "title", lines=2, align="left") if award.names else None
    detail = Text(capitalise(award.detail), "small", ACCENT if award.names else MUTED, lines=2, align="left")
    words = Column(note(AWARD_TITLES[award.kind], lines=1), names, detail, gap=0)
    icon = Icon(AWARD_ICONS[award.kind], ACCENT if award.names else MUTED, length=8)
    return CardPanel(Row(icon, words, gap=1.5), across=1.2, down=0.4)
