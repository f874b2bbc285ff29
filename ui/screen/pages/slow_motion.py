"""A round in slow motion, from its frames: which instant is shown when. Pure: no surface, no clock."""

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

from typing_extensions import override

from device.camera.frames import Pixels
from messages import N
from rules.engine import Seat
from rules.record.round import SeatView
from ui.i18n.language import t
from ui.screen.pages.common import Player
from ui.screen.pages.reveal import Reveal
from ui.screen.views import TimedView

SLOWDOWN_FACTOR = 8
"""How many times slower than the round it runs."""
LEAD_MS, TAIL_MS = 100.0, 40.0
"""What is shown before the first and after the last instant it stops at: a hand opens in 60 to 200 ms, and
is shown half way."""
STOP_S = 0.3
"""How long it stands still at each instant."""
LAST_FRAME_S = 0.3
"""How long the last frame stays if nobody touches anything."""
SAME_INSTANT_MS = 8.0
"""Hands that showed within this time, half a frame at 60 frames a second, share a stop."""


@dataclass(frozen=True)
class SlowMotion(TimedView):
    """A round in slow motion: every hand, with the time running along, standing still where a hand showed and at the
    lock. Answered with GO_ON_ANSWER, or nothing once it is over. Times are in ms after the first hand.

    Attributes:
        seats: As at the reveal.
        players: Those of the seats, in the same order.
        window_ms: The time of the lock.
        frame_times_ms: The times of the frames, at least one, in order.
        hand_image: Returns a seat's hand in a frame, by its index.
        moment_ms: The time that is shown.
        frame: The index of the frame that is shown.
        can_take_home: Whether people may take the clip of the round home: answered with TAKE_HOME_ANSWER.
    """

    seats: tuple[SeatView, ...]
    players: tuple[Player, ...]
    window_ms: float
    frame_times_ms: tuple[float, ...]
    hand_image: Callable[[Seat, int], Pixels]
    moment_ms: float = 0.0
    frame: int = 0
    can_take_home: bool = False

    @cached_property
    def stops_ms(self) -> tuple[float, ...]:
        """The instants it stands still at: where hands showed, and the lock."""
        stops: list[float] = []
        for at in sorted({self.window_ms, *(seat.timed_ms or 0.0 for seat in self.seats)}):
            if not stops or at - stops[-1] > SAME_INSTANT_MS:
                stops.append(at)
        return tuple(stops)

    @property
    def start_ms(self) -> float:
        """The time at which it begins."""
        return max(self.frame_times_ms[0], self.stops_ms[0] - LEAD_MS)

    @property
    def end_ms(self) -> float:
        """The time at which it ends."""
        return max(self.start_ms, min(self.frame_times_ms[-1], self.stops_ms[-1] + TAIL_MS))

    @property
    @override
    def animation_s(self) -> float:
        return (self.end_ms - self.start_ms) * SLOWDOWN_FACTOR / 1e3 + STOP_S * len(self.stops_ms)

    @override
    def at_time(self, seconds: float) -> Self:
        moment = self.moment_after(seconds)
        return replace(super().at_time(seconds), moment_ms=moment, frame=self._nearest_frame(moment))

    def moment_after(self, seconds: float) -> float:
        """Return the time that is shown ``seconds`` after the beginning."""
        at, left_ms = self.start_ms, max(0.0, seconds * 1e3)
        for stop in self.stops_ms:
            run_ms = max(0.0, (stop - at) * SLOWDOWN_FACTOR)
            if left_ms < run_ms:
                break
            at, left_ms = max(at, stop), max(0.0, left_ms - run_ms - STOP_S * 1e3)
        return min(self.end_ms, at + left_ms / SLOWDOWN_FACTOR)

    def as_part(self, seconds: float = math.inf) -> Self:
        """Return it as a part of another page, ``seconds`` after its beginning, or at its end."""
        return replace(self.at_time(min(seconds, self.animation_s)), shown_s=None, seconds_left=None)

    def at_lock(self) -> Self:
        """Return it with the frame of the lock alone, so that nothing moves."""
        frame, hand_image = self._nearest_frame(self.window_ms), self.hand_image
        times_ms = self.frame_times_ms[frame : frame + 1]
        return replace(self, frame_times_ms=times_ms, hand_image=lambda seat, _: hand_image(seat, frame), frame=0)

    def _nearest_frame(self, moment_ms: float) -> int:
        after = bisect_left(self.frame_times_ms, moment_ms)
        return min(
            range(max(0, after - 1), min(len(self.frame_times_ms), after + 1)),
            key=lambda frame: abs(self.frame_times_ms[frame] - moment_ms),
        )

    def has_passed(self, ms: float) -> bool:
        """Whether it is that time by now."""
        return ms <= self.moment_ms

    def has_shown(self, seat: SeatView) -> bool:
        """Whether a hand has shown by now."""
        return seat.timed_ms is not None and self.has_passed(seat.timed_ms)


def slow_motion_of(
    reveal: Reveal, frame_times_ms: Sequence[float], hand_image: Callable[[Seat, int], Pixels]
) -> SlowMotion | None:
    """Return the round of a reveal in slow motion, at its beginning; None without frames, or if no hand showed.

    Args:
        reveal: The reveal.
        frame_times_ms: The times of the frames in ms after the first hand, in order.
        hand_image: Returns a seat's hand in a frame, by its index.
    """
    if not frame_times_ms or all(seat.timed_ms is None for seat in reveal.seats):
        return None
    view = SlowMotion(reveal.seats, reveal.players, reveal.window_ms, tuple(frame_times_ms), hand_image)
    return replace(view.at_time(0.0), seconds_left=view.animation_s + LAST_FRAME_S)


SKIP = N("Skip")


def title() -> str:
    """The title: that this is slow motion, and how slow."""
    return t("Slow motion: {number} times slower", number=SLOWDOWN_FACTOR)
