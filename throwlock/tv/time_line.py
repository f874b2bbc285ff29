"""The time line of a round on a second screen, from the first hand to the lock, and how time runs along it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from rules.engine import Seat
from ui.screen.pages.slow_motion import SLOWDOWN_FACTOR, STOP_S, SlowMotion

WIDTH, HEIGHT = 1500, 205
"""Of the drawing, in tenths of a hundredth of the screen's height."""
PHOTO_FINISH_MS = 1300.0
"""How long the time of a reveal takes to pass."""
MIN_LABEL_GAP = 0.14
"""Times closer than this share of the width have one label."""

Course = Sequence[tuple[float, float]]
"""How time runs: (ms since it began, ms after the first hand), between which it runs evenly."""


@dataclass(frozen=True)
class LineMark:
    """When a hand showed."""

    seat: Seat
    x: float
    label: str
    """The time; "" where another one is too near."""
    after_first_ms: float


@dataclass(frozen=True)
class TvTimeLine:
    """A drawing of the times of a round."""

    lock_x: float
    marks: tuple[LineMark, ...]
    course: tuple[tuple[float, float], ...]
    """How the present moves: (ms since it began, x); empty where the round is over."""


def time_line(times: Sequence[tuple[Seat, float | None, str]], window_ms: float, course: Course = ()) -> TvTimeLine:
    """Draw the times of the seats, each with its label, and the lock; the present runs along by ``course``."""
    shown = sorted([(at_ms, seat, label) for seat, at_ms, label in times if at_ms is not None])
    low = min([0.0, *(at_ms for at_ms, _, _ in shown)])
    high = max([window_ms * 1.15, *(at_ms for at_ms, _, _ in shown)]) + 1

    def x(at_ms: float) -> float:
        return round(WIDTH * (max(low, min(high, at_ms)) - low) / (high - low), 1)

    marks: list[LineMark] = []
    for at_ms, seat, label in shown:
        is_clear = all(abs(mark.x - x(at_ms)) > MIN_LABEL_GAP * WIDTH for mark in marks if mark.label)
        marks.append(LineMark(seat, x(at_ms), label if is_clear else "", at_ms))
    return TvTimeLine(x(window_ms), tuple(marks), tuple((passed_ms, x(at_ms)) for passed_ms, at_ms in course))


def photo_finish_course(times: Sequence[tuple[Seat, float | None, str]], window_ms: float) -> Course:
    """Return how time passes at a reveal: evenly, over the whole line."""
    shown = [at_ms for _, at_ms, _ in times if at_ms is not None]
    return (0.0, min([0.0, *shown])), (PHOTO_FINISH_MS, max([window_ms * 1.15, *shown]) + 1)


def slow_motion_course(view: SlowMotion) -> Course:
    """Return ``SlowMotion.moment_after`` as the points between which it is linear."""
    passed_ms, at_ms = 0.0, view.start_ms
    course = [(passed_ms, at_ms)]
    for stop_ms in view.stops_ms:
        passed_ms += max(0.0, (stop_ms - at_ms) * SLOWDOWN_FACTOR)
        at_ms = max(at_ms, stop_ms)
        course += [(passed_ms, at_ms), (passed_ms := passed_ms + STOP_S * 1e3, at_ms)]
    course.append((passed_ms + max(0.0, view.end_ms - at_ms) * SLOWDOWN_FACTOR, max(at_ms, view.end_ms)))
    return tuple((passed_ms, min(at_ms, view.end_ms)) for passed_ms, at_ms in course)


def passed_at(course: Course, moment_ms: float) -> float:
    """Return the ms since the course began at which it reaches a moment, or its end."""
    for (since_ms, from_ms), (until_ms, to_ms) in pairwise(course):
        if moment_ms <= to_ms:
            share = (moment_ms - from_ms) / (to_ms - from_ms) if to_ms > from_ms else 0.0
            return since_ms + max(0.0, share) * (until_ms - since_ms)
    return course[-1][0] if course else 0.0
