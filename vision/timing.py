"""When a hand showed its throw: the middle of its opening, or for a rock the end of its last swing, found by bisection
between two looks of the coarse pass."""

from dataclasses import dataclass

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
STILL = 0.25
"""A rock has landed when less than this share of its last swing is left."""
DRIFT = 0.12
"""Lengths of the hand that a resting fist may drift between two coarse looks."""
SWING_NS = 450_000_000
"""The longest last swing that is looked for."""


@dataclass(frozen=True)
class Instant:
    """A time found, and how far off it may be, in ns."""

    when_ns: int
    plus_minus_ns: int


REACHING = {Throw.PAPER: (5, 9, 13, 17), Throw.SCISSORS: (5, 9)}
"""The knuckles (landmarks) of the fingers that a throw holds out."""


def _reach(seen: Seen, throw: Throw) -> float:
    """Mean length in pixels, knuckle to tip, of the fingers that ``throw`` holds out. In pixels, not in lengths of the
    hand: the hand model takes a half-open hand for one further away sooner than for one that is curled."""
    points = seen.hand.landmarks
    return float(np.mean([np.linalg.norm(points[k + 3] - points[k]) for k in REACHING[throw]]))


class Opening:
    """How far a hand has opened, 0 for the fist before and 1 for the shape that ``run`` keeps."""

    def __init__(self, sight: Sight, run: Run) -> None:
        if run.throw is None or run.throw is Throw.ROCK:
            raise ValueError("only paper and scissors open")
        self._sight, self._throw = sight, run.throw
        kept = [seen for i in run.frames[:8] if (seen := sight(i))]
        self._open = float(np.median([_reach(seen, run.throw) for seen in kept]))
        since = sight.times[run.first] - FIST_NS
        fists = [
            _reach(seen, run.throw)
            for i in sight.looked_at()
            if since <= sight.times[i] < sight.times[run.first]
            and (seen := sight(i))
            and seen.reading.throw is Throw.ROCK
        ]
        self._fist = (
            min(float(np.median(fists)) if fists else 1.0, 0.6 * self._open) if fists else FIST_REACH * self._open
        )

    def at(self, index: int) -> float | None:
        """The share in frame ``index``, or None where no hand is found."""
        seen = self._sight(index)
        if seen is None:
            return None
        return (_reach(seen, self._throw) - self._fist) / (self._open - self._fist)


def opened(sight: Sight, run: Run, before: int | None) -> Instant:
    """The middle of the opening that leads into ``run``; ``before`` is the last frame of the run before, if any."""
    opening = Opening(sight, run)
    low, high = _halved(sight, opening, before if before is not None else max(run.first - 1, 0), run.first)
    share_high = opening.at(high)
    share_low = opening.at(low) if low < high else None
    frame_ns = _frame_ns(sight)
    at_high = int(sight.times[high])
    if share_high is None:
        return Instant(at_high, OPENING_NS // 2)
    gap_ns = at_high - int(sight.times[low])
    if share_low is not None and share_low < 0.5 <= share_high and gap_ns <= 2.5 * frame_ns:
        part = (0.5 - share_low) / (share_high - share_low)
        return Instant(int(sight.times[low]) + int(part * gap_ns), max(frame_ns // 4, 2_000_000))
    guess = at_high - _since_middle(share_high)
    if share_low is not None:
        guess = max(guess, int(sight.times[low]))
    return Instant(guess, OPENING_NS // 3)


def _halved(sight: Sight, opening: Opening, low: int, high: int) -> tuple[int, int]:
    """Bisect to the last frame less than half open and the first at least half open, as near as hands are found."""
    while high - low > 1:
        middle = (low + high) // 2
        between = sorted(range(low + 1, high), key=lambda i: (abs(i - middle), -i))
        found = next((i for i in between if opening.at(i) is not None), None)
        if found is None:
            break
        if (opening.at(found) or 0.0) >= 0.5:
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


def landed(sight: Sight, near: int) -> Instant | None:
    """When a fist that rests in frame ``near`` came to rest: the end of its last swing. None where it is not seen
    there, or was at rest all the time looked at."""
    frame_ns = _frame_ns(sight)
    step = max(1, round(50_000_000 / frame_ns))
    seen = _place(sight, near)
    if seen is None:
        return None
    first = sight.nearest(int(sight.times[near]) - 2 * SWING_NS)
    trace = [(i, place) for i in range(near, first - 1, -step) if (place := _place(sight, i)) is not None]
    gap = _gap_before(sight, [i for i, _ in trace], step)
    if gap is not None:
        return gap
    rest = np.median([place for _, place in trace[:3]], axis=0)
    off = {i: float(np.linalg.norm(place - rest)) for i, place in trace}
    swing = max(off.values())
    if swing < 0.04:
        return None
    high = near
    for i, _ in trace:
        if off[i] > STILL * swing:
            break
        high = i
    low = max((i for i in off if i < high), default=high)
    return _crossed(sight, rest, STILL * swing, low, high)


def _place(sight: Sight, index: int) -> np.ndarray[tuple[int], np.dtype[np.float64]] | None:
    """Where a hand is, in lengths of the hand, and the logarithm of its size: (3,)."""
    seen = sight(index)
    if seen is None:
        return None
    points = seen.hand.landmarks[[0, 1, 5, 9, 13, 17]]  # the palm: fingers twitch
    spread = float(np.linalg.norm(points - points.mean(0), axis=1).mean())
    return np.array([*(points.mean(0) / (2.5 * spread)), np.log(spread)])


def _gap_before(sight: Sight, found: list[int], step: int) -> Instant | None:
    """A fist too fast to be found, then found: it lands as it comes out of the blur. ``found`` counts down."""
    for later, earlier in zip(found, [*found[1:], -1], strict=True):
        missing = [i for i in range(max(earlier, later - 3 * step) + 1, later)]
        while missing and sight(missing[-1]) is not None:
            later = missing.pop()
        if len(missing) < 2:
            continue
        unseen = [i for i in missing if sight(i) is None]
        if len(unseen) >= 2:
            return Instant(int(sight.times[later]) - _frame_ns(sight) // 2, _frame_ns(sight))
    return None


def _crossed(
    sight: Sight, rest: np.ndarray[tuple[int], np.dtype[np.float64]], limit: float, low: int, high: int
) -> Instant:
    """When the hand came within ``limit`` of where it rests, between frames ``low`` and ``high``."""

    def off(index: int) -> float | None:
        place = _place(sight, index)
        return None if place is None else float(np.linalg.norm(place - rest))

    while high - low > 1:
        middle = (low + high) // 2
        found = next((i for i in (middle, *range(middle + 1, high)) if off(i) is not None), None)
        if found is None:
            high, low = middle, low
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
    return Instant(start + int(part * gap), max(_frame_ns(sight) // 2, gap // 2))


def settled_from(sight: Sight, run: Run) -> int:
    """The first frame of the rest that ends ``run``: later, the hand hardly moves from one coarse look to the next."""
    settled = run.last
    for earlier in reversed(run.frames[:-1]):
        one, two = _place(sight, earlier), _place(sight, settled)
        if one is None or two is None or float(np.linalg.norm(one - two)) > DRIFT:
            break
        settled = earlier
    return settled
