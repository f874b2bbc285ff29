"""The countdown, the preparation before it and the reading of the hands after it."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

from typing_extensions import override

from device.camera.frames import Pixels
from messages import N
from rules.engine import Seat
from ui.screen.pages.common import Player
from ui.screen.pages.scoreboard import Facts
from ui.screen.views import ImageView, LiveView

GET_READY = N("Get ready")
"""What people read before the first word."""


@dataclass(frozen=True, eq=False)
class Countdown(ImageView):
    """The countdown everybody throws on."""

    players: tuple[Player, ...]
    title: str
    words: tuple[str, ...]
    """All words of the count ("ROCK" … "SHOOT")."""
    beat: int
    """The index of the current word; -1 before the first."""
    phase: float = 0.0
    """The share of the beat that has passed, 0–1."""
    rethrow_reason: str | None = None
    """Why the round is thrown again; None if it isn't."""
    beat_s: float = 0.0
    """The length of a beat; 0: the countdown is paused."""
    preview: Pixels | None = None
    """A small live image of the table."""
    facts: Facts = ()
    """What is at stake; the title says what the round is about."""
    throwing: tuple[Seat, ...] = ()
    """The seats that throw; none: everybody."""
    hint: str | None = None
    """Explains the first throw."""
    seen: tuple[Seat, ...] = ()
    """The seats whose throw the box has seen."""
    word_s: float = 0.0
    """The length of each word's beat; 0: unknown."""

    @property
    @override
    def animation_s(self) -> float:
        """To the next beat."""
        return (1.0 - self.phase) * self.beat_s

    @override
    def at_time(self, seconds: float) -> Self:
        return replace(self, phase=min(1.0, self.phase + seconds / self.beat_s)) if self.beat_s > 0 else self


@dataclass(frozen=True, eq=False)
class Judging(ImageView):
    """The box reads the hands."""

    players: tuple[Player, ...]
    preview: Pixels | None = None
    """A small image of the table."""
    progress: Callable[[], float] | None = None
    """Returns the share of the work that is done, 0–1."""
    done: float = 0.0
    """That share when the page was drawn."""

    @property
    @override
    def animation_s(self) -> float:
        """As long as it is shown."""
        return 0.0 if self.progress is None else math.inf

    @override
    def at_time(self, seconds: float) -> Self:
        del seconds
        return self if self.progress is None else replace(self, done=max(0.0, min(1.0, self.progress())))


@dataclass(frozen=True)
class Preparing(LiveView):
    """The box prepares something, which takes a moment."""

    title: str
    """What it prepares."""
    shown_s: float = 0.0
    """How many seconds ago it began."""
    heading: str = GET_READY
    """What people read meanwhile."""

    @override
    def at_time(self, seconds: float) -> Self:
        return replace(self, shown_s=seconds)
