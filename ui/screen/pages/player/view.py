"""A player's figures as plain data. Pure: no surface, no clock."""

from dataclasses import dataclass
from enum import StrEnum

from ui.charts.statistics import ThrowStatistics
from ui.screen.pages.views import ListPage

BACK = "back"


class PlayerTab(StrEnum):
    """What a player's page shows."""

    THROWS = "throws"
    HABITS = "habits"
    OPPONENTS = "opponents"


@dataclass(frozen=True)
class Opponent:
    """Another player: finished matches together, and rounds of matches between only the two."""

    name: str
    won: int
    lost: int
    rounds_won: int
    rounds_lost: int
    rounds_tied: int


@dataclass(frozen=True)
class PlayerFigures(ListPage):
    """A player's page, with its ``record`` of matches and fouls in a line. Answered with BACK."""

    is_idle = True

    name: str
    record: str
    statistics: ThrowStatistics
    opponents: tuple[Opponent, ...]
    tab: PlayerTab = PlayerTab.THROWS

    @property
    def key(self) -> object:
        """See Page: each tab is a page of its own."""
        return type(self), self.tab
