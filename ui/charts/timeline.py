"""When the hands of a round showed, on a time scale: what every timeline shows, whether the screen draws it or a page.
Positions are fractions of the width; times are in ms after whatever the timeline calls 0."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from rules.engine import Seat

TICK_STEPS_MS = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
"""Round steps of a time axis."""


@dataclass(frozen=True)
class TimeScale:
    """A piecewise linear time scale from left to right."""

    knots: tuple[tuple[float, float], ...]
    """Pairs of a time in ms and a fraction of the width, both increasing."""

    def fraction(self, ms: float) -> float:
        """Return a time's position: 0 at the left end, 1 at the right, extrapolated beyond."""
        (a_ms, a), (b_ms, b) = self.knots[0], self.knots[-1]
        for (since, start), (until, end) in pairwise(self.knots):
            (a_ms, a), (b_ms, b) = (since, start), (until, end)
            if ms <= until:
                break
        return a + (ms - a_ms) / (b_ms - a_ms) * (b - a)

    def clamp(self, ms: float) -> float:
        """Return a time's position, or that of the nearer end of the knots."""
        return min(self.knots[-1][1], max(self.knots[0][1], self.fraction(ms)))

    def contains(self, ms: float) -> bool:
        """Return whether a time is within the scale."""
        return 0 <= self.fraction(ms) <= 1

    def ticks(self, max_ticks: float) -> list[float]:
        """Return the round times between the first and the last knot, in at most ``max_ticks`` steps."""
        low, high = self.knots[0][0], self.knots[-1][0]
        step = next((step for step in TICK_STEPS_MS if (high - low) / step <= max_ticks), TICK_STEPS_MS[-1])
        return [float(at * step) for at in range(-int(-low // step), int(high // step) + 1)]


def linear_scale(low_ms: float, high_ms: float, left: float = 0.0, right: float = 1.0) -> TimeScale:
    """Return the scale on which ``low_ms`` is at the fraction ``left`` of the width and ``high_ms`` at ``right``."""
    return TimeScale(((low_ms, left), (high_ms, right)))


def strip_scale(times_ms: Sequence[float]) -> TimeScale | None:
    """Return the time scale of a strip of equally wide images taken at ``times_ms``, each at its image's centre. None
    with fewer than two times."""
    rising = sorted(set(times_ms))
    if len(rising) < 2:
        return None
    half = 0.5 / len(rising)
    start = (rising[0] - (rising[1] - rising[0]) / 2, 0.0)
    end = (rising[-1] + (rising[-1] - rising[-2]) / 2, 1.0)
    return TimeScale((start, *((at, n / len(rising) + half) for n, at in enumerate(rising)), end))


@dataclass(frozen=True)
class SeatTime:
    """When a seat showed."""

    seat: Seat
    ms: float | None
    """None: never."""
    uncertainty_ms: float = 0.0
    """How far off that time may be."""
    judged: bool = True
    """Whether the box judged it."""


@dataclass(frozen=True)
class ReferenceLine:
    """A time that the others are compared with."""

    kind: Literal["first", "lock"]
    """The first hand (or the cue, if no hand showed), or the lock."""
    ms: float
    label: str = ""
    """Empty: none."""


@dataclass(frozen=True)
class TimeLine:
    """A round on a time scale."""

    scale: TimeScale
    seats: tuple[SeatTime, ...]
    lines: tuple[ReferenceLine, ...]
