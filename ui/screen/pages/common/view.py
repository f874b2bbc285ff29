"""What the views of several pages share."""

import math
from dataclasses import dataclass, field, replace
from typing import Self

from rules.engine import Prompt, Seat, Value
from ui.screen.core.animation import Animated
from ui.screen.pages.scoreboard.view import Facts

DISPUTE_ANSWER = "dispute"
"""What people answer who want to see how the last rounds were judged."""


@dataclass(frozen=True)
class Player:
    """Who sits in a seat, their points so far (``None`` before a game has any), how many fouls they made (``None``
    where no hands are thrown), and what else is so of them: their bet, their streak, that they are out."""

    seat: Seat
    name: str
    score: int | None = None
    fouls: int | None = None
    facts: Facts = ()


@dataclass(frozen=True)
class Question:
    """One seat's part of an ask, entered on the screen. Answered with a value the seat's options allow. A sealed or
    secret one shows a hand-over page first and nothing of what others entered. One about a "position" is shown as the
    board. ``seconds_left`` counts down where time is limited. With ``back`` people may go back to everybody's page.
    ``hint`` tells people what to do who never did it."""

    players: tuple[Player, ...]
    prompt: Prompt
    seat: Seat
    seconds_left: float | None = None
    can_go_back: bool = False
    hint: str | None = None


@dataclass(frozen=True)
class TimedView(Animated):
    """A view that is shown for ``seconds_left`` or until people answer it, and moves at first: ``shown_s`` is how many
    seconds ago it was shown (``None``: all has come to rest)."""

    seconds_left: float | None = field(default=None, kw_only=True)
    shown_s: float | None = field(default=None, kw_only=True)

    def at_time(self, seconds: float) -> Self:
        """See Moves: at rest, in tenths of a second."""
        passed = seconds if seconds <= self.animation_s else math.ceil(seconds * 10) / 10
        left = None if self.seconds_left is None else max(0.0, self.seconds_left - passed)
        return replace(self, shown_s=passed, seconds_left=left)


@dataclass(frozen=True)
class ShowListPage:
    """A press that turns to leaf ``leaf`` (from 0) of a list that is longer than the screen."""

    list_page: int


@dataclass(frozen=True)
class SetOption:
    """A press that sets an option of the game."""

    name: str
    value: Value
