"""View classes that several pages share."""

import math
from dataclasses import dataclass, field, replace
from typing import Self

from rules.engine import Seat
from ui.screen.pages.scoreboard.view import Fact, Facts
from ui.screen.pages.views import Page

DISPUTE_ANSWER = "dispute"
"""The answer of people who want to see how the last rounds were judged."""
SLOW_MOTION_ANSWER = "slow motion"
"""The answer of people who want to see a round in slow motion."""
TAKE_HOME_ANSWER = "take home"
"""The answer of people who want the clip of a round on their phone."""
GO_ON_ANSWER, SWITCH_ON_ANSWER = "go on", "on"
"""The answers of people who go on as it is, or switch the network on."""
UNDO_ANSWER = "undo"
"""The answer of people who take back the last answers."""


@dataclass(frozen=True)
class Player:
    """A player: seat, name, score so far (``None`` before there is one), number of fouls (``None`` where no hands are
    thrown), and further facts such as a bet, a streak or being out."""

    seat: Seat
    name: str
    score: int | None = None
    fouls: int | None = None
    facts: Facts = ()
    role: Fact | None = None
    """The player's role in a game in which not all have the same, such as the game master's."""


@dataclass(frozen=True)
class TimedView(Page):
    """A view that is shown for ``seconds_left`` or until people answer it, and is animated at first: ``shown_s`` is how
    many seconds ago it was shown (``None``: the animation is over)."""

    seconds_left: float | None = field(default=None, kw_only=True)
    shown_s: float | None = field(default=None, kw_only=True)

    def at_time(self, seconds: float) -> Self:
        """See View: in tenths of a second once the animation is over."""
        passed = seconds if seconds <= self.animation_s else math.ceil(seconds * 10) / 10
        left = None if self.seconds_left is None else max(0.0, self.seconds_left - passed)
        return replace(self, shown_s=passed, seconds_left=left)
