"""View classes that several pages share."""

import math
from dataclasses import dataclass, field, replace
from typing import Self

from rules.engine import Prompt, Seat, Value
from ui.screen.core.animation import Animated
from ui.screen.pages.scoreboard.view import Facts

DISPUTE_ANSWER = "dispute"
"""The answer of people who want to see how the last rounds were judged."""


@dataclass(frozen=True)
class Player:
    """A player: seat, name, score so far (``None`` before there is one), number of fouls (``None`` where no hands are
    thrown), and further facts such as a bet, a streak or being out."""

    seat: Seat
    name: str
    score: int | None = None
    fouls: int | None = None
    facts: Facts = ()


@dataclass(frozen=True)
class Question:
    """A question to one seat, answered on the screen with a value the prompt allows. A sealed or secret one shows a
    hand-over page first and nothing of what others entered; one about a "position" shows the board. With
    ``can_go_back`` people may go back to everybody's page. ``hint`` explains a question asked for the first time."""

    players: tuple[Player, ...]
    prompt: Prompt
    seat: Seat
    seconds_left: float | None = None
    can_go_back: bool = False
    hint: str | None = None


@dataclass(frozen=True)
class TimedView(Animated):
    """A view that is shown for ``seconds_left`` or until people answer it, and is animated at first: ``shown_s`` is how
    many seconds ago it was shown (``None``: the animation is over)."""

    seconds_left: float | None = field(default=None, kw_only=True)
    shown_s: float | None = field(default=None, kw_only=True)

    def at_time(self, seconds: float) -> Self:
        """See Animated: in tenths of a second once the animation is over."""
        passed = seconds if seconds <= self.animation_s else math.ceil(seconds * 10) / 10
        left = None if self.seconds_left is None else max(0.0, self.seconds_left - passed)
        return replace(self, shown_s=passed, seconds_left=left)


@dataclass(frozen=True)
class ShowListPage:
    """Press: show page ``list_page`` (from 0) of a list that is longer than the screen."""

    list_page: int


@dataclass(frozen=True)
class SetOption:
    """Press: set an option of the game."""

    name: str
    value: Value
