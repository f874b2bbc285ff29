"""When a fist came down: the end of its last swing, which is when a rock is shown; and from where on a fist rests."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from vision.lock.inference import Beliefs, Instant, Vector, looked_for
from vision.lock.segments import Run
from vision.lock.zone_view import Sight

MS = 1_000_000
PALM = (0, 1, 5, 9, 13, 17)
"""The landmarks a fist is followed by: fingers twitch."""
STEP_NS, CLOSER_NS = 100_000_000, 50_000_000
"""Between the looks that follow a fist back, and between those around its last swing."""
DRIFT = 0.12
"""Lengths of the hand that a resting fist may drift between two coarse looks."""
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
FALLS_MS = np.array([195.0, 210.0, 225.0])
"""How long a fist may take to come down."""
HEIGHTS = np.array([0.96, 1.0, 1.04, 1.08, 1.13, 1.2, 1.3])
"""From how far it may come, in the furthest it was seen from where it rests."""
ARCS = np.array([0.1, 0.4, 0.7])
"""The share of the way down that is the arc about the elbow, by which a fist moves on with the square of its height;
the rest is the height itself, which a camera above sees as a way outwards."""
NOISE = 0.02
"""Standard deviation of where a fist is seen, in lengths of the hand."""
GRID_MS, BEYOND_MS = 2.0, 130.0
"""The steps a landing is looked for in, and how long after the step that it ends in it may lie."""
SETTLES_NS = 40_000_000, 250_000_000
"""From when to when after the last fast step a fist shows where it rests."""
LOOKS, ENOUGH_MS, FLOOR_MS = 6, 3.0, 3.0
"""Looks that a landing's time may cost once its swing is known; the uncertainty that is good enough; and what stays
uncertain however many looks there are."""


@dataclass(frozen=True)
class Swing:
    """The last fast step of a fist: it ends between frames ``before`` and ``after``. ``blurred``: it was too fast to be
    found before that."""

    before: int
    after: int
    blurred: bool


class Place(NamedTuple):
    """Where the palm is and how large, in pixels of the frame."""

    x: float
    y: float
    spread: float

    def off(self, other: "Place") -> float:
        """How far it is from another place, in lengths of the hand there (a hand is about 2.5 spreads long)."""
        return float(np.linalg.norm(np.subtract(self, other))) / (2.5 * other.spread)


def landed(sight: Sight, near: int) -> Instant | None:
    """When the fist that rests in frame ``near`` came to rest: the end of its last swing. None where it was at rest all
    the time looked at, or is not found. It takes a look every STEP_NS where there was none yet, and about ten more."""
    since = int(sight.times[near]) - 2 * SWING_NS
    frames = _steps(sight, near, since, STEP_NS)
    swing = _last_swing(sight, frames)
    if swing is None:
        return None
    if any(sight(i) is None for i in frames if sight.times[i] >= sight.times[swing.before] - STEP_NS):
        closer = _steps(sight, swing.after, int(sight.times[swing.before]) - STEP_NS, CLOSER_NS)
        swing = _last_swing(sight, sorted({*frames, *closer})) or swing
    if swing.blurred:
        first = _first_found(sight, swing.before, swing.after)
        return Instant(int(sight.times[first]) - _frame_ns(sight) // 2, _frame_ns(sight))
    return _fallen(sight, swing, near)


def settled_from(sight: Sight, run: Run) -> int:
    """The first frame of the rest that ends ``run``: later, the hand hardly moves from one coarse look to the next."""
    settled = run.last
    for earlier in reversed(run.frames[:-1]):
        one, two = _place(sight, earlier), _place(sight, settled)
        if one is None or two is None or one.off(two) > DRIFT:
            break
        settled = earlier
    return settled


def _place(sight: Sight, index: int) -> Place | None:
    seen = sight(index)
    if seen is None:
        return None
    points = seen.hand.landmarks[list(PALM)]
    middle = points.mean(0)
    return Place(float(middle[0]), float(middle[1]), float(np.linalg.norm(points - middle, axis=1).mean()))


def _frame_ns(sight: Sight) -> int:
    return int(np.median(np.diff(sight.times))) if len(sight.times) > 1 else STEP_NS


def _steps(sight: Sight, last: int, since_ns: int, step_ns: int) -> list[int]:
    """Frames about ``step_ns`` apart from ``since_ns`` to frame ``last``; those looked at before where they will do."""
    known = sight.looked_at()
    times = sight.times[known]
    frames = {last}
    for when_ns in range(int(sight.times[last]) - step_ns, since_ns - 1, -step_ns):
        near = known[int(abs(times - when_ns).argmin())] if known else last
        will_do = abs(int(sight.times[near]) - when_ns) <= step_ns * 2 // 5 and near < last
        frames.add(near if will_do else sight.nearest(when_ns))
    return sorted(frames)


def _last_swing(sight: Sight, frames: Sequence[int]) -> Swing | None:
    """Walk back over ``frames`` to the last step that was fast beside the fastest."""
    trace = [(i, _place(sight, i)) for i in reversed(frames)]
    found = _smoothed([(i, place) for i, place in trace if place is not None])
    swings: list[tuple[float, Swing]] = []
    for (after, there), (before, here) in pairwise(found):
        seconds = float(sight.times[after] - sight.times[before]) / 1e9
        way = 0.0 if sight.alike(before, after) else here.off(there)  # the model may see a still fist elsewhere
        lost = [i for i, place in trace if place is None and before < i < after]
        blurred = len(lost) > 0 and seconds > 1.6 * STEP_NS / 1e9 and way > MOVED
        swings.append((way / seconds, Swing(before, after, blurred)))
    unseen = [i for i, place in trace if place is None and found and i < found[-1][0]]
    if len(unseen) > 1:
        swings.append((0.0, Swing(max(unseen[0] - 1, 0), found[-1][0], True)))
    blur = max(BLURRED, max((speed for speed, _ in swings), default=0.0))
    speeds = [(blur if swing.blurred else speed, swing) for speed, swing in swings]
    fastest = max((speed for speed, _ in speeds), default=0.0)
    if fastest < SLOW:
        return None
    return next(swing for speed, swing in speeds if speed >= FAST * fastest)


def _smoothed(found: list[tuple[int, Place]]) -> list[tuple[int, Place]]:
    """The places with one that lies off both its neighbours, as a misread hand does, put between them."""
    smooth = list(found)
    for (_, one), (at, (index, _)), (_, two) in zip(found, enumerate(found[1:-1], 1), found[2:], strict=False):
        smooth[at] = (index, Place(*np.median(np.array([one, found[at][1], two]), axis=0)))
    return smooth


def _first_found(sight: Sight, before: int, after: int) -> int:
    """The frame from which on, back from ``after``, the hand is found, if need be by looking harder."""
    while after - 1 > before and sight.harder(after - 1) is not None:
        after -= 1
    return after


def _rest(sight: Sight, after: int, near: int) -> Place:
    """Where a fist rests once its last swing, which had nearly ended in frame ``after``, is over; where it was then if
    it is not found later."""
    since = int(sight.times[after])
    later = [i for i in sight.looked_at() if after < i <= near and since + SETTLES_NS[0] <= sight.times[i]]
    known = [i for i in (*later, near) if _place(sight, i) is not None]
    soon = [i for i in known if sight.times[i] <= since + SETTLES_NS[1]] or known[:1] or [after]
    return Place(*np.median(np.array([place for i in soon[:3] if (place := _place(sight, i))]), axis=0))


def _fallen(sight: Sight, swing: Swing, near: int) -> Instant | None:
    """The end of a swing that was seen, from where the fist was around it; None where it was none."""
    origin_ns = int(sight.times[swing.after])
    times = (sight.times - origin_ns) / MS
    rest = _rest(sight, swing.after, near)
    start, known = times[swing.before] - SWING_NS / 2 / MS, sight.looked_at()
    ways = {swing.before, *(i for i in known if start <= times[i] <= times[swing.before])}
    swung = [place for i in ways if (place := _place(sight, i))]
    far = max(place.off(rest) for place in swung)
    if far < MOVED:
        return None
    since, until = times[swing.before], BEYOND_MS
    ends, falls, heights, arcs = (
        grid.ravel() for grid in np.meshgrid(np.arange(since, until, GRID_MS), FALLS_MS, HEIGHTS * far, ARCS)
    )

    def expected(at_ms: Vector) -> Vector:
        begun = (1 - (ends - at_ms[:, None]) / falls).clip(0, 1)
        lift = (1 - begun**2) ** 1.5
        return np.asarray(heights * lift * (1 - arcs + arcs * lift))

    def look(index: int) -> tuple[float, float] | None:
        place = _place(sight, index)
        return None if place is None else ((sight.when(index, PALM) - origin_ns) / MS, place.off(rest))

    beliefs = Beliefs(ends, expected, NOISE, np.zeros(len(ends)), still=ends)
    looked_for(beliefs, known, times, (since, until), look, LOOKS, ENOUGH_MS)
    return beliefs.instant(origin_ns, FLOOR_MS)
