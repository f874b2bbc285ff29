"""The awards of the evening as plain data. Pure: no surface, no clock."""

from collections.abc import Sequence
from dataclasses import dataclass

from pygame import Rect

from messages import N, capitalise, join, ngettext_lazy
from ui.charts.statistics import Award, AwardKind
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.text import line_height
from ui.screen.drawing.theme import ACCENT, MUTED, PANEL
from ui.screen.drawing.widgets import draw_header
from ui.screen.views import Page, Reply

BACK, PLAYERS = "back", "players"


@dataclass(frozen=True)
class AwardsPage(Page):
    """The awards of an evening, with a ``summary`` of its matches. Answered with BACK or PLAYERS."""

    is_idle = True

    summary: str
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


@paints(AwardsPage)
def draw_awards(canvas: Canvas, page: AwardsPage) -> None:
    """Draw a card for each award: what for, who has it, and the figure, or what it takes."""
    theme = canvas.theme
    body = draw_header(canvas, canvas.page, AWARDS_TITLE, note=page.summary)
    body, foot = layout.split_bottom(body, theme.touch_size, theme.gap)
    across = 1 if theme.portrait else 2
    for cell, award in zip(layout.grid(body, len(page.awards), across, theme.units(1.2)), page.awards, strict=True):
        _draw_award(canvas, cell, award)
    back, players = layout.columns(foot, [1, 1], theme.gap)
    canvas.button(back, N("Back"), Reply(BACK), icon="back", leads_back=True)
    canvas.button(players, PLAYERS_LABEL, Reply(PLAYERS))


def _draw_award(canvas: Canvas, cell: Rect, award: Award) -> None:
    theme = canvas.theme
    canvas.panel(cell, PANEL)
    inner = layout.inset(cell, theme.units(1.2), theme.units(0.4))
    sign, inner = layout.split_left(inner, theme.units(8), theme.units(1.5))
    canvas.icon(sign, AWARD_ICONS[award.kind], ACCENT if award.names else MUTED)
    title, rest = layout.split_top(inner, line_height(theme.small), 0)
    canvas.text(title, AWARD_TITLES[award.kind], theme.small, MUTED, align="left")
    detail = capitalise(award.detail)
    if award.names:
        name, rest = layout.split_top(rest, rest.h // 2, 0)
        canvas.text(name, winners(award.names), theme.title, align="left", max_lines=2)
    canvas.text(rest, detail, theme.small, MUTED if not award.names else ACCENT, align="left", max_lines=2)
