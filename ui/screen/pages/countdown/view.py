"""The count, the wait before it and the look at the hands after it."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

from device.camera.frames import Pixels
from rules.engine import Seat
from ui.screen.core.animation import Animated
from ui.screen.pages.common.view import Player
from ui.screen.pages.scoreboard.view import Facts


@dataclass(frozen=True)
class Countdown(Animated):
    """The count everybody throws on. ``words`` are all of them ("ROCK" … "SHOOT"), ``beat`` the one spoken now (-1
    before the first), ``phase`` how much of it has passed (0–1). ``again`` says why a round is thrown again.
    ``seconds`` is the length of a beat, so that a window can go on by itself from ``phase`` to the next beat (0: it
    stands still). ``preview`` is a small live picture of the table. ``facts`` are what the round is about and what is
    at stake, ``throwing`` who is to throw (nobody: everybody). ``hint`` tells people what to do who never did it."""

    players: tuple[Player, ...]
    title: str
    words: tuple[str, ...]
    beat: int
    phase: float = 0.0
    rethrow_reason: str | None = None
    beat_s: float = 0.0
    preview: Pixels | None = None
    facts: Facts = ()
    throwing: tuple[Seat, ...] = ()
    hint: str | None = None

    @property
    def animation_s(self) -> float:
        """See Moves: to the next beat."""
        return (1.0 - self.phase) * self.beat_s

    def at_time(self, seconds: float) -> Self:
        """See Moves."""
        return replace(self, phase=min(1.0, self.phase + seconds / self.beat_s)) if self.beat_s > 0 else self


@dataclass(frozen=True)
class Judging(Animated):
    """The hands have been thrown and the box is looking at them. ``preview`` is a small picture of the table;
    ``progress`` tells at once how much of it is ``done`` (0–1)."""

    players: tuple[Player, ...]
    preview: Pixels | None = None
    progress: Callable[[], float] | None = None
    done: float = 0.0

    @property
    def animation_s(self) -> float:
        """See Moves: as long as it is shown."""
        return 0.0 if self.progress is None else math.inf

    def at_time(self, seconds: float) -> Self:
        """See Moves."""
        del seconds
        return self if self.progress is None else replace(self, done=max(0.0, min(1.0, self.progress())))


@dataclass(frozen=True)
class Preparing(Animated):
    """The box gets ready, which takes a moment: ``title`` is what for. ``shown_s`` is how many seconds ago that
    began."""

    title: str
    shown_s: float = 0.0

    @property
    def animation_s(self) -> float:
        """See Moves: as long as it is shown."""
        return math.inf

    def at_time(self, seconds: float) -> Self:
        """See Moves."""
        return replace(self, shown_s=seconds)
