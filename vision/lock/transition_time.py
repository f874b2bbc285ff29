"""When a hand showed its throw: the middle of its opening from fist to shape. For a rock see
``vision.lock.landing_time``."""

from collections.abc import Iterable, Sequence

import numpy as np

from rules.throws import Throw
from vision.lock.inference import Beliefs, Instant, Vector, looked_for
from vision.lock.segments import Run
from vision.lock.zone_view import Seen, Sight

MS = 1_000_000
OPENING_MS, UNUSUAL = 120.0, 0.3
"""What an opening usually takes from fist to shape, and the standard deviation of the logarithm of that: 80–150 ms
rendered, 100–200 ms on real clips."""
LENGTHS_MS = OPENING_MS * np.array([0.6, 0.75, 0.9, 1.0, 1.15, 1.35, 1.6, 1.9])
LATER = 0.003
"""How much likelier an opening is for each ms that it is later, as a logarithm: hands are lost to the blur of their
motion, so just before they are found again."""
OPENED, SEEN_OPENED = (0.0, 0.27, 0.42, 0.525, 0.645, 0.8, 0.91, 1.0), (0.0, 0.0, 0.06, 0.26, 0.58, 0.86, 0.99, 1.0)
"""How far a hand has opened, and the share of its fingers' length seen then: fingertips come out from under the palm
last. Medians of rendered hands."""
LEAD = 0.2
"""The share of an exposure by which a look runs ahead of its middle: of a blurred fingertip the model takes the end
that is furthest out. A regression over rendered openings with exposures of 2–16 ms."""
NOISE = 0.1
"""Standard deviation of a share while a hand opens."""
REACH_MS, GRID_MS = 60.0, 2.0
"""How far beyond the looks between which a hand opened its opening may lie, and the steps it is looked for in."""
LOOKS, ENOUGH_MS, FLOOR_MS = 8, 2.5, 2.0
"""Looks that an opening's time may cost; the uncertainty that is good enough; and what stays uncertain however many
looks there are, since every hand opens its own way."""
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
        self._opens = now is not Throw.ROCK and HELD_OUT[was] < HELD_OUT[now]
        usual = self._now * FIST_REACH if self._opens else self._now / FIST_REACH
        since = sight.times[run.first] - FIST_NS
        near = [i for i in before.frames if sight.times[i] >= since] if before and before.throw else []
        self._was = self._level(near) or usual
        if self._opens:
            self._was = min(self._was, 0.6 * self._now)  # a fist misread in mid-swing
        self._lengths = self._lengths_of(near, run.frames[:8]) if self._opens else None

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

    def when(self, index: int) -> int:
        """The time, in ns, at which the fingers were as frame ``index`` shows them."""
        points = [k + joint for k in self._knuckles for joint in range(4)]
        lead = LEAD * self._sight.frames[index].exposure_ns if self._opens else 0.0
        return self._sight.when(index, points) + round(lead)

    def expected(self, phase: Vector) -> Vector:
        """The share that should be seen at a phase of the turning, 0 at its begin to 1 at its end. Hands move with
        least jerk, as reaching hands do."""
        t = phase.clip(0, 1)
        turned_by = t**3 * (10 - 15 * t + 6 * t**2)
        if self._opens:
            return np.asarray(np.interp(turned_by, OPENED, SEEN_OPENED))
        return np.asarray(1 - np.interp(1 - turned_by, OPENED, SEEN_OPENED))


def turned(sight: Sight, turning: Turning, run: Run, looked: Sequence[int]) -> Instant:
    """The middle of the turning into ``run``: of an opening, or of a change. ``looked`` are the frames of the coarse
    pass. It takes up to LOOKS further looks, whatever the frame rate."""
    low, high = _bracket(turning, run, looked)
    origin_ns = int(sight.times[high])
    times = (sight.times - origin_ns) / MS
    since, until = times[low] - REACH_MS, times[high] + REACH_MS
    grid = np.meshgrid(np.arange(since, until, GRID_MS), LENGTHS_MS)
    middles, lengths = grid[0].ravel(), grid[1].ravel()
    beliefs = Beliefs(
        middles,
        lambda at_ms: turning.expected((at_ms[:, None] - middles) / lengths + 0.5),
        NOISE,
        LATER * middles - (np.log(lengths / OPENING_MS) / UNUSUAL) ** 2 / 2,
        still=middles + lengths / 2,
    )

    def look(index: int) -> tuple[float, float] | None:
        share = turning.at(index)
        return None if share is None else ((turning.when(index) - origin_ns) / MS, float(np.clip(share, -0.1, 1.1)))

    looked_for(beliefs, sight.looked_at(), times, (since, until), look, LOOKS, ENOUGH_MS)
    return beliefs.instant(origin_ns, FLOOR_MS)


def _bracket(turning: Turning, run: Run, looked: Sequence[int]) -> tuple[int, int]:
    """The looks between which the turning lies: from the last that surely showed the throw before, if there was one, or
    else from the last in which the hand had not turned; to the first of the run in which it had. A look that reads as
    the run's throw by chance, in the blur of a swing, may come long before that."""
    high = next((i for i in run.frames if (turning.at(i) or 0.0) >= 0.5), run.first)
    if turning.before is not None and turning.before.throw is not None:
        return turning.before.last, high
    for low in reversed([i for i in looked if i < high]):
        if (turning.at(low) or 0.0) < 0.5:
            return low, high
        high = low
    return max(high - 1, 0), high
