"""When a hand showed its throw: the middle of its opening, or for a rock the end of its last swing, found by bisection
between two looks of the coarse pass."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rules.throws import Throw
from vision.runs import Run
from vision.sight import Seen, Sight

OPENING_NS = 120_000_000
"""What an opening usually takes from fist to shape: 80–150 ms rendered, 100–200 ms on real clips."""
FIT_NS, FIT_STEP_NS = 100_000_000, 25_000_000
"""How far around an opening looks are taken to time it by, and how far apart."""
HUBER = 0.1
"""Up to this error of a share it counts by its square (noise), beyond by its size (misread)."""
UNUSUAL, LATER = 0.3, 0.0005
"""What it costs an explanation that the opening was longer or shorter than usual (times the log of that, squared), and
what it gains for each ms that it is later."""
APART = 0.8
"""A fist is at most this share of the open hand's length, or the length tells nothing of the opening."""
AT_ODDS = 0.5
"""How far the share by the hand's length may lie from that by its fingers: in a misread, blurred hand the fingers are
those of a fist on a hand as long as an open one."""
UNLIKE = 0.35
"""A hand less than this turned that reads as turned, or the other way round, is misread."""
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
FAST = 0.5
"""A step belongs to a swing from this share of the fastest step on; what comes after is recoil or drift."""
MOVED = 0.2
"""Lengths of the hand below which no way was a swing: rendered swings seen from above are 0.36 and longer, the noise of
a fist that rests 0.06 at most."""
SLOW = 0.6
"""Lengths of the hand a second below which nothing was a swing (noise of the landmarks: 0.4)."""
BLURRED = 15.0
"""Lengths of the hand a second given at least to a hand that is not found for 100 ms between places where it is: on
real clips at 30 fps hands are lost to motion blur from about there. It was no slower than any that was found."""
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
        self._shapes = was, now
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
        self._lengths = self._lengths_of(near, run.frames[:8]) if opens else None

    def _lengths_of(self, before: Iterable[int], after: Iterable[int]) -> tuple[float, float] | None:
        """The length of the whole hand before and after an opening, if both are known and tell the two apart."""
        lengths = [[seen.length for i in frames if (seen := self._sight(i))] for frames in (before, after)]
        if not all(lengths):
            return None
        was, now = (float(np.median(some)) for some in lengths)
        return (was, now) if was < APART * now else None

    def _level(self, frames: Iterable[int]) -> float | None:
        reaches = [_reach(seen, self._knuckles) for i in frames if (seen := self._sight(i))]
        return float(np.median(reaches)) if reaches else None

    def at(self, index: int) -> float | None:
        """The share in frame ``index``; None where no hand is found, or where its fingers, its length and its shape
        contradict each other, as they do in the blur of a swing."""
        seen = self._sight(index)
        if seen is None or self._now == self._was:
            return None
        share = (_reach(seen, self._knuckles) - self._was) / (self._now - self._was)
        if self._lengths is not None:
            short, long = self._lengths
            if abs((seen.length - short) / (long - short) - share) > AT_ODDS:
                return None
        was, now = self._shapes
        contrary = (was if share > 1 - UNLIKE else now) if not UNLIKE <= share <= 1 - UNLIKE else None
        return None if contrary and seen.reading.throw is contrary else share

    def surely(self, index: int) -> bool | None:
        """Whether frame ``index`` reads as the shape now (True) or as the one before (False); None if as neither."""
        seen = self._sight(index)
        was, now = self._shapes
        return {was: False, now: True}.get(seen.reading.throw) if seen and seen.reading.throw else None


def turned(sight: Sight, turning: Turning, run: Run, looked: Sequence[int]) -> Instant:
    """The middle of the turning into ``run``: of an opening, or of a change. ``looked`` are the frames of the coarse
    pass. Bisection finds where; the looks around it are then explained together, since any one of them may be misread.
    The constant part of the error, BIAS_NS, is taken off."""
    low, high = _halved(turning, *_bracket(turning, run, looked))
    around = (int(sight.times[low]) + int(sight.times[high])) // 2 if turning.at(low) is not None else None
    if around is None or sight.times[high] - sight.times[low] > 2 * FIT_NS:
        around = int(sight.times[high])
    step = max(1, round(FIT_STEP_NS / _frame_ns(sight)))
    near = sight.nearest(around)
    places = range(near % step, len(sight.times), step)
    frames = sorted(i for i in {low, high, *places} if abs(int(sight.times[i]) - around) <= FIT_NS)
    shares = [(int(sight.times[i]), share) for i in frames if (share := turning.at(i)) is not None]
    if not shares:
        return Instant(int(sight.times[high]) - BIAS_NS, OPENING_NS // 2)
    middle_ns, gap_ns = _fitted(np.array([when for when, _ in shares]), np.array([share for _, share in shares]))
    return Instant(middle_ns - BIAS_NS, max(gap_ns // 4, 2_000_000))


def _fitted(times: NDArray[np.int64], shares: NDArray[np.float64]) -> tuple[int, int]:
    """The middle of the opening that explains ``shares`` best, and the gap between looks in which it lies. An opening
    is the smoothest movement there is (least jerk, as reaching hands move); a misread share counts no more than its
    size, and where the looks leave it open the opening took OPENING_NS, and was late: hands are lost to the blur of
    their motion, so just before they are found again."""
    ms = (times - times[0]) / 1e6
    middles = np.arange(ms[0] - 60.0, ms[-1] + 60.0, 1.0)
    lengths = OPENING_NS / 1e6 * np.array([0.6, 0.75, 0.9, 1.0, 1.15, 1.35, 1.6, 1.9])
    steps = ((ms[:, None, None] - middles[:, None]) / lengths + 0.5).clip(0, 1)
    expected = steps**3 * (10 - 15 * steps + 6 * steps**2)
    off = np.abs(expected - shares.clip(-0.2, 1.2)[:, None, None])
    loss = np.where(off < HUBER, off**2 / (2 * HUBER), off - HUBER / 2).sum(0)
    loss = loss + UNUSUAL * np.log(lengths / (OPENING_NS / 1e6)) ** 2 - LATER * middles[:, None]
    best = np.unravel_index(loss.argmin(), loss.shape)[0]
    after = int(np.searchsorted(ms, middles[best]))
    inside = 0 < after < len(ms)
    gap = ms[after] - ms[after - 1] if inside else OPENING_NS / 1e6
    return int(times[0]) + int(middles[best] * 1e6), int(gap * 1e6)


def _bracket(turning: Turning, run: Run, looked: Sequence[int]) -> tuple[int, int]:
    """The looks between which the turning lies: from the last that surely showed the throw before, if there was one, or
    else from the last in which the hand had not turned."""
    high = run.first
    if turning.before is not None and turning.before.throw is not None:
        return turning.before.last, high
    for low in reversed([i for i in looked if i < run.first]):
        if (turning.at(low) or 0.0) < 0.5:
            return low, high
        high = low
    return max(high - 1, 0), high


def _halved(turning: Turning, low: int, high: int) -> tuple[int, int]:
    """Bisect to the last frame less than half turned and the first at least half turned, as near as hands are found."""

    def is_turned(index: int) -> bool:
        surely = turning.surely(index)
        return (turning.at(index) or 0.0) >= 0.5 if surely is None else surely

    while high - low > 1:
        middle = (low + high) // 2
        between = sorted(range(low + 1, high), key=lambda i: (abs(i - middle), -i))
        found = next((i for i in between if turning.at(i) is not None), None)
        if found is None:
            break
        if is_turned(found):
            high = found
        else:
            low = found
    return low, high


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
    if far < MOVED:
        return None
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
        lost = sum(place is None and before < i < after for i, place in trace)
        blurred = lost > 1 and here.off(there) > MOVED
        swings.append((here.off(there) / seconds, Swing(before, after, blurred)))
    unseen = [i for i, place in trace if place is None and found and i < found[-1][0]]
    if len(unseen) > 1:
        swings.append((0.0, Swing(unseen[0], found[-1][0], True)))
    seen_fastest = max((speed for speed, _ in swings), default=0.0)
    blur = max(BLURRED, seen_fastest)
    speeds = [(blur if swing.blurred else speed, swing) for speed, swing in swings]
    fastest = max((speed for speed, _ in speeds), default=0.0)
    if fastest < SLOW:
        return None
    return next(swing for speed, swing in speeds if speed >= FAST * fastest)


def _first_found(sight: Sight, before: int, after: int) -> int:
    """The frame from which on, back from ``after``, the hand is found, if need be by looking harder."""
    while after - 1 > before and sight.harder(after - 1) is not None:
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
