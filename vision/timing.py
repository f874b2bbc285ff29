"""When a hand showed its throw: the middle of its opening, or for a rock the end of its last swing, found by bisection
between two looks of the coarse pass."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from rules.throws import Throw
from vision.runs import Run
from vision.sight import Seen, Sight

OPENING_NS = 120_000_000
"""What an opening usually takes from fist to shape: 80–150 ms rendered, 100–200 ms on real clips."""
FIST_REACH = 0.35
"""Length of a curled finger from knuckle to tip as seen, as a share of the same finger held out, where no fist of
this hand was seen."""
FIST_NS = 500_000_000
"""How long before an opening a fist is looked for to compare with."""
BIAS_NS = 6_000_000
"""How much later than the middle of an opening the fingers are seen half way out: 6 ± 3 ms rendered at 60 fps."""
LANDING_NS = 36_000_000
"""How long before the end of a swing a fist comes within STILL of where it rests; measured on rendered rocks."""
STILL = 0.12
"""A rock has landed when less than this share of its last swing is left."""
DRIFT = 0.12
"""Lengths of the hand that a resting fist may drift between two coarse looks."""
STEP_NS = 50_000_000
"""Between the looks that follow a fist."""
FAST = 0.35
"""A step belongs to a swing from this share of the fastest step on; what comes after is recoil or drift."""
SLOW = 0.6
"""Lengths of the hand a second below which nothing was a swing (noise of the landmarks: 0.4)."""
BLURRED = 15.0
"""Lengths of the hand a second given to a hand that is not found for 100 ms between places where it is: on real clips
at 30 fps hands are lost to motion blur from about there."""
SWING_NS = 450_000_000
"""The longest last swing that is looked for."""


@dataclass(frozen=True)
class Instant:
    """A time found, and how far off it may be, in ns."""

    when_ns: int
    plus_minus_ns: int


HELD_OUT = {
    Throw.ROCK: frozenset[int](),
    Throw.PAPER: frozenset({5, 9, 13, 17}),
    Throw.SCISSORS: frozenset({5, 9}),
}
"""The fingers a throw holds out, by their knuckles among the landmarks."""


def _reach(seen: Seen, knuckles: Iterable[int]) -> float:
    """Mean length in pixels of fingers, knuckle to tip. In pixels, not in lengths of the hand: the hand model takes a
    half-open hand for one further away sooner than for one that is curled."""
    points = seen.hand.landmarks
    return float(np.mean([np.linalg.norm(points[k + 3] - points[k]) for k in knuckles]))


class Turning:
    """How far a hand has turned from one shape into the one that ``run`` keeps, 0 to 1, by the fingers in which the two
    differ. ``before`` is the run before; without one the hand was a fist."""

    def __init__(self, sight: Sight, run: Run, before: Run | None = None) -> None:
        was = before.throw if before and before.throw else Throw.ROCK
        now = run.throw or Throw.ROCK
        self.before = before
        self._sight = sight
        self._knuckles = sorted(HELD_OUT[was] ^ HELD_OUT[now]) or sorted(HELD_OUT[Throw.PAPER])
        self._now = self._level(run.frames[:8]) or 1.0
        opens = now is not Throw.ROCK and HELD_OUT[was] < HELD_OUT[now]
        usual = self._now * FIST_REACH if opens else self._now / FIST_REACH
        since = sight.times[run.first] - FIST_NS
        near = [i for i in before.frames if sight.times[i] >= since] if before and before.throw else []
        self._was = self._level(near) or usual
        if opens:
            self._was = min(self._was, 0.6 * self._now)  # a fist misread in mid-swing

    def _level(self, frames: Iterable[int]) -> float | None:
        reaches = [_reach(seen, self._knuckles) for i in frames if (seen := self._sight(i))]
        return float(np.median(reaches)) if reaches else None

    def at(self, index: int) -> float | None:
        """The share in frame ``index``, or None where no hand is found."""
        seen = self._sight(index)
        if seen is None or self._now == self._was:
            return None
        return (_reach(seen, self._knuckles) - self._was) / (self._now - self._was)


def turned(sight: Sight, turning: Turning, run: Run, looked: Sequence[int]) -> Instant:
    """The middle of the turning into ``run``: of an opening, or of a change. ``looked`` are the frames of the coarse
    pass. Its constant part of BIAS_NS is taken off."""
    low, high = _bracket(turning, run, looked)
    low, high = _halved(turning, low, high)
    share_high = turning.at(high)
    share_low = turning.at(low) if low < high else None
    frame_ns = _frame_ns(sight)
    at_low, at_high = int(sight.times[low]), int(sight.times[high])
    if share_high is None:
        return Instant(at_high - BIAS_NS, OPENING_NS // 2)
    if share_low is not None and share_low < 0.5 <= share_high and at_high - at_low <= 2.5 * frame_ns:
        part = (0.5 - share_low) / (share_high - share_low)
        return Instant(at_low + int(part * (at_high - at_low)) - BIAS_NS, max(frame_ns // 4, 2_000_000))
    guess = at_high - _since_middle(share_high)
    if share_low is not None:
        guess = max(guess, at_low)
    return Instant(guess - BIAS_NS, OPENING_NS // 3)


def _bracket(turning: Turning, run: Run, looked: Sequence[int]) -> tuple[int, int]:
    """The looks between which the turning lies: from the last that surely showed the shape before, if there was one, or
    else from the last in which the hand had not turned."""
    high = run.first
    if turning.before is not None:
        return turning.before.last, high
    for low in reversed([i for i in looked if i < run.first]):
        if (turning.at(low) or 0.0) < 0.5:
            return low, high
        high = low
    return max(high - 1, 0), high


def _halved(turning: Turning, low: int, high: int) -> tuple[int, int]:
    """Bisect to the last frame less than half turned and the first at least half turned, as near as hands are found."""
    while high - low > 1:
        middle = (low + high) // 2
        between = sorted(range(low + 1, high), key=lambda i: (abs(i - middle), -i))
        found = next((i for i in between if turning.at(i) is not None), None)
        if found is None:
            break
        if (turning.at(found) or 0.0) >= 0.5:
            high = found
        else:
            low = found
    return low, high


def _since_middle(share: float) -> int:
    """How long ago the middle of an opening was at which ``share`` is open: the smoothest movement of OPENING_NS (least
    jerk, as reaching hands move)."""
    steps = np.linspace(0, 1, 101)
    shares = steps**3 * (10 - 15 * steps + 6 * steps**2)
    return int((np.interp(share, shares[:96], steps[:96]) - 0.5) * OPENING_NS)


def _frame_ns(sight: Sight) -> int:
    return int(np.median(np.diff(sight.times))) if len(sight.times) > 1 else OPENING_NS


@dataclass(frozen=True)
class Swing:
    """The last fast step of a fist: it ends between frames ``before`` and ``after``. ``blurred``: it was too fast to be
    found before that."""

    before: int
    after: int
    blurred: bool


def landed(sight: Sight, near: int) -> Instant | None:
    """When the fist that rests in frame ``near`` came to rest: the end of its last swing. None where it was at rest all
    the time looked at, or is not found."""
    swing = _last_swing(sight, near)
    if swing is None:
        return None
    if swing.blurred:
        first = _first_found(sight, swing.before, swing.after)
        return Instant(int(sight.times[first]) - _frame_ns(sight) // 2, _frame_ns(sight))
    step = _step(sight)
    after = [
        place for i in range(swing.after, min(near, swing.after + 3 * step) + 1, step) if (place := _place(sight, i))
    ]
    rest = _Place(*np.median(np.array(after), axis=0))
    start = sight.nearest(int(sight.times[swing.before]) - SWING_NS // 2)
    far = max(place.off(rest) for i in range(swing.before, start - 1, -step) if (place := _place(sight, i)))
    return _crossed(sight, rest, STILL * far, swing.before, min(near, swing.after + step))


class _Place(NamedTuple):
    """Where the palm is and how large, in pixels of the frame."""

    x: float
    y: float
    spread: float

    def off(self, other: "_Place") -> float:
        """How far it is from another place, in lengths of the hand there (a hand is about 2.5 spreads long)."""
        return float(np.linalg.norm(np.subtract(self, other))) / (2.5 * other.spread)


def _place(sight: Sight, index: int) -> _Place | None:
    seen = sight(index)
    if seen is None:
        return None
    points = seen.hand.landmarks[[0, 1, 5, 9, 13, 17]]  # the palm: fingers twitch
    middle = points.mean(0)
    return _Place(float(middle[0]), float(middle[1]), float(np.linalg.norm(points - middle, axis=1).mean()))


def _step(sight: Sight) -> int:
    return max(1, round(STEP_NS / _frame_ns(sight)))


def _last_swing(sight: Sight, near: int) -> Swing | None:
    """Walk back from ``near`` to the last step that was fast beside the fastest."""
    first = sight.nearest(int(sight.times[near]) - 2 * SWING_NS)
    trace = [(i, _place(sight, i)) for i in range(near, first - 1, -_step(sight))]
    found = [(i, place) for i, place in trace if place is not None]
    swings: list[tuple[float, Swing]] = []
    for (after, there), (before, here) in pairwise(found):
        seconds = float(sight.times[after] - sight.times[before]) / 1e9
        blurred = sum(place is None and before < i < after for i, place in trace) > 1
        speed = BLURRED if blurred else here.off(there) / seconds
        swings.append((speed, Swing(before, after, blurred)))
    lost = [i for i, place in trace if place is None and found and i < found[-1][0]]
    if len(lost) > 1:
        swings.append((BLURRED, Swing(lost[0], found[-1][0], True)))
    fastest = max((speed for speed, _ in swings), default=0.0)
    if fastest < SLOW:
        return None
    return next(swing for speed, swing in swings if speed >= FAST * fastest)


def _first_found(sight: Sight, before: int, after: int) -> int:
    """The frame from which on, back from ``after``, the hand is found."""
    while after - 1 > before and sight(after - 1) is not None:
        after -= 1
    return after


def _crossed(sight: Sight, rest: _Place, limit: float, low: int, high: int) -> Instant:
    """When the hand came within ``limit`` lengths of itself of where it rests, between frames ``low`` and ``high``."""

    def off(index: int) -> float | None:
        place = _place(sight, index)
        return None if place is None else place.off(rest)

    while high - low > 1:
        middle = (low + high) // 2
        between = sorted(range(low + 1, high), key=lambda i: (abs(i - middle), -i))
        found = next((i for i in between if off(i) is not None), None)
        if found is None:
            break
        if (off(found) or 0.0) <= limit:
            high = found
        else:
            low = found
    before, after = off(low), off(high)
    start, gap = int(sight.times[low]), int(sight.times[high] - sight.times[low])
    part = 1.0
    if before is not None and after is not None and before > limit >= after:
        part = (before - limit) / (before - after)
    return Instant(start + int(part * gap) + LANDING_NS, max(_frame_ns(sight) // 2, gap // 2))


def settled_from(sight: Sight, run: Run) -> int:
    """The first frame of the rest that ends ``run``: later, the hand hardly moves from one coarse look to the next."""
    settled = run.last
    for earlier in reversed(run.frames[:-1]):
        one, two = _place(sight, earlier), _place(sight, settled)
        if one is None or two is None or one.off(two) > DRIFT:
            break
        settled = earlier
    return settled
