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


@dataclass(frozen=True, eq=False)
class Countdown(ImageView):
    """The countdown everybody throws on. ``words`` are all its words ("ROCK" … "SHOOT"), ``beat`` the index of the
    current one (-1 before the first), ``phase`` the share of the beat that has passed (0–1), ``beat_s`` the length of a
    beat in seconds (0: the countdown is paused), ``word_s`` that of each word's beat (0: unknown). ``rethrow_reason``
    is why the round is thrown again, ``preview`` a small live image of the table, ``facts`` what the round is about and
    what is at stake, ``throwing`` the seats that throw (none: everybody), ``seen`` those whose throw the box has seen.
    ``hint`` explains the first throw."""

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
    seen: tuple[Seat, ...] = ()
    word_s: float = 0.0

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
    """The box reads the hands. ``preview`` is a small image of the table; ``progress`` returns the share ``done``
    (0–1)."""

    players: tuple[Player, ...]
    preview: Pixels | None = None
    progress: Callable[[], float] | None = None
    done: float = 0.0

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
    """The box prepares ``title``, which takes a moment. ``shown_s`` is the time in seconds since that began; people
    read ``heading`` meanwhile."""

    title: str
    shown_s: float = 0.0
    heading: str = N("Get ready")

    @override
    def at_time(self, seconds: float) -> Self:
        return replace(self, shown_s=seconds)
