"""The awards of the evening as plain data. Pure: no surface, no clock."""

from dataclasses import dataclass

from ui.charts.statistics import Award
from ui.screen.pages.views import Page

BACK, PLAYERS = "back", "players"


@dataclass(frozen=True)
class AwardsPage(Page):
    """The awards of an evening, with a ``summary`` of its matches. Answered with BACK or PLAYERS."""

    is_idle = True

    summary: str
    awards: tuple[Award, ...]
