"""Painter of the awards of the evening."""

from pygame import Rect

from messages import N, capitalise
from ui.charts.statistics import Award, AwardKind
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.text import line_height
from ui.screen.drawing.theme import ACCENT, MUTED, PANEL
from ui.screen.drawing.widgets import draw_header
from ui.screen.pages.answers import Reply
from ui.screen.pages.awards import strings
from ui.screen.pages.awards.view import BACK, PLAYERS, AwardsPage

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
    body = draw_header(canvas, canvas.page, strings.AWARDS_TITLE, note=page.summary)
    body, foot = layout.split_bottom(body, theme.touch_size, theme.gap)
    across = 1 if theme.portrait else 2
    for cell, award in zip(layout.grid(body, len(page.awards), across, theme.units(1.2)), page.awards, strict=True):
        _draw_award(canvas, cell, award)
    back, players = layout.columns(foot, [1, 1], theme.gap)
    canvas.button(back, N("Back"), Reply(BACK), icon="back", leads_back=True)
    canvas.button(players, strings.PLAYERS, Reply(PLAYERS))


def _draw_award(canvas: Canvas, cell: Rect, award: Award) -> None:
    theme = canvas.theme
    canvas.panel(cell, PANEL)
    inner = layout.inset(cell, theme.units(1.2), theme.units(0.4))
    sign, inner = layout.split_left(inner, theme.units(8), theme.units(1.5))
    canvas.icon(sign, AWARD_ICONS[award.kind], ACCENT if award.names else MUTED)
    title, rest = layout.split_top(inner, line_height(theme.small), 0)
    canvas.text(title, strings.AWARD_TITLES[award.kind], theme.small, MUTED, align="left")
    detail = capitalise(award.detail)
    if award.names:
        name, rest = layout.split_top(rest, rest.h // 2, 0)
        canvas.text(name, strings.winners(award.names), theme.title, align="left", max_lines=2)
    canvas.text(rest, detail, theme.small, MUTED if not award.names else ACCENT, align="left", max_lines=2)
