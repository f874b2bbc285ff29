"""Marking when a filmed hand showed its throw, as plain data: a stepper through the frames, the marks, and undo."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Literal, Self

from device.camera.frames import Pixels
from rules.engine import Seat
from rules.throws import Throw
from ui.screen.pages.answers import CompoundAnswer, Reply
from ui.screen.pages.views import ImageView, InteractiveView, Page

PLAYING_SPEED = 0.25
"""The speed at which a clip is played, of the real one: slow enough to see a hand open."""
STEPS = (-5, -1, 1, 5)
"""By how many frames the buttons step."""


class Mark(StrEnum):
    """What people mark: the first frame in which the shape begins to form, the first in which it is complete, and the
    last in which it is held. A rock is marked only from when the fist has come to rest."""

    ONSET = "onset"
    SETTLED = "settled"
    HELD = "held"


@dataclass(frozen=True)
class LabelAnswer(CompoundAnswer):
    """The answer to a HandToLabel: "marked" with the throw that is seen (None: none of the three) and its marks,
    "unsure", or "skip", "previous" or "stop" with nothing changed."""

    action: Literal["marked", "unsure", "skip", "previous", "stop"]
    throw: Throw | None = None
    marks: Mapping[Mark, int] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class HandToLabel(ImageView, InteractiveView):
    """A filmed hand. ``times_ms`` are the exposures of its frames in ms after the cue; ``image(frame)`` returns one.
    ``throw`` and ``marks`` are what was agreed, or marked before; ``first_frame`` is shown first. Answered with a
    LabelAnswer: "previous" only with ``has_previous``."""

    title: str
    seat: Seat
    times_ms: tuple[float, ...]
    image: Callable[[int], Pixels]
    throw: Throw | None
    first_frame: int = 0
    marks: Mapping[Mark, int] = field(default_factory=dict)
    has_previous: bool = False

    def first_page(self) -> "LabelPage":
        """See InteractiveView."""
        return LabelPage(self, self.first_frame, self.throw, self.marks)


@dataclass(frozen=True)
class LabelPage(Page):
    """A frame of the hand, what it throws, and the marks so far. ``earlier`` is the page before the last mark or
    choice, to undo it. While it is ``playing``, ``played_s`` has passed since it began at ``played_from``."""

    view: HandToLabel
    frame: int
    throw: Throw | None
    marks: Mapping[Mark, int] = field(default_factory=dict)
    earlier: "LabelPage | None" = None
    playing: bool = False
    played_from: int = 0
    played_s: float = 0.0

    @property
    def animation_s(self) -> float:
        """See View."""
        return math.inf if self.playing else 0.0

    @property
    def wanted_marks(self) -> tuple[Mark, ...]:
        """The marks that the throw needs, in the order of time."""
        if self.throw is None:
            return ()
        return (Mark.SETTLED, Mark.HELD) if self.throw is Throw.ROCK else tuple(Mark)

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left to mark."""
        return all(mark in self.marks for mark in self.wanted_marks)

    @property
    def next_mark(self) -> Mark | None:
        """The first mark that is missing."""
        return next((mark for mark in self.wanted_marks if mark not in self.marks), None)

    def can_step(self, by: int) -> bool:
        """Return whether there is any frame to step to."""
        return 0 <= self.frame + (1 if by > 0 else -1) < len(self.view.times_ms)

    def with_frame(self, frame: int) -> Self:
        """Return the page at another frame, or the nearest there is; it stops playing."""
        return replace(self, frame=max(0, min(frame, len(self.view.times_ms) - 1)), playing=False)

    def play(self) -> Self:
        """Return the page playing on from its frame; at the end, from the beginning."""
        start = 0 if self.frame >= len(self.view.times_ms) - 1 else self.frame
        return replace(self, frame=start, playing=True, played_from=start, played_s=0.0)

    def pass_time(self, seconds: float, quiet_s: float) -> Self:
        """See Page: a clip that plays goes on, and stops at its last frame."""
        if not self.playing:
            return self
        times, played_s = self.view.times_ms, self.played_s + seconds
        now_ms = times[self.played_from] + played_s * 1000 * PLAYING_SPEED
        frame = max(number for number, at in enumerate(times) if at <= now_ms or number == self.played_from)
        return replace(self, frame=frame, played_s=played_s, playing=frame < len(times) - 1)

    def with_mark(self, mark: Mark) -> Self:
        """Return the page with a mark at its frame. Marks that would be out of order with it are removed."""
        order = list(Mark)
        kept = {
            other: at
            for other, at in self.marks.items()
            if (at <= self.frame if order.index(other) < order.index(mark) else at >= self.frame)
        }
        return replace(self, marks={**kept, mark: self.frame}, earlier=self._as_earlier(), playing=False)

    def with_next_throw(self) -> Self:
        """Return the page with another throw seen: each of the three in turn, then none of them."""
        seen = (*Throw, None)
        throw = seen[(seen.index(self.throw) + 1) % len(seen)]
        return replace(self, throw=throw, earlier=self._as_earlier(), playing=False)

    def undo(self) -> "LabelPage":
        """Return the page without the last mark or choice, at the same frame."""
        return self if self.earlier is None else replace(self.earlier, frame=self.frame)

    def finish(self) -> Reply | None:
        """Return the reply with the marks; None while some are missing."""
        if not self.is_complete:
            return None
        return Reply(LabelAnswer("marked", self.throw, {mark: self.marks[mark] for mark in self.wanted_marks}))

    def _as_earlier(self) -> "LabelPage":
        return replace(self, playing=False)
