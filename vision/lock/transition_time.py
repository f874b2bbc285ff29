"""When a hand showed its throw: the middle of its opening from fist to shape. For a rock see
``vision.lock.landing_time``."""

from collections.abc import Iterable, Sequence

import numpy as np

from rules.throws import Throw
from vision.lock.inference import Hypotheses, TimeEstimate, Vector, search
from vision.lock.segments import ShapeSegment
from vision.lock.zone_view import HandObservation, ZoneView

MS = 1_000_000
OPENING_MS, OPENING_LOG_SIGMA = 120.0, 0.3
"""Usual duration of an opening from fist to shape, and the standard deviation of its logarithm: 80–150 ms rendered,
100–200 ms on real clips."""
OPENING_DURATIONS_MS = OPENING_MS * np.array([0.6, 0.75, 0.9, 1.0, 1.15, 1.35, 1.6, 1.9])
LATER_LOG_WEIGHT_PER_MS = 0.003
"""Log-odds for an opening by each ms that it is later: hands are lost to the blur of their motion, and found again just
after it."""
OPENED_SHARES, VISIBLE_SHARES = (
    (0.0, 0.27, 0.42, 0.525, 0.645, 0.8, 0.91, 1.0),
    (0.0, 0.0, 0.06, 0.26, 0.58, 0.86, 0.99, 1.0),
)
"""How far a hand has opened, and the share of its fingers' length visible then: fingertips come out from under the palm
last. Medians of rendered hands."""
EXPOSURE_LEAD = 0.2
"""Share of an exposure by which a detection is ahead of its middle: the model puts a blurred fingertip at the outermost
end of its blur. A regression over rendered openings with exposures of 2–16 ms."""
SHARE_SIGMA = 0.1
"""Standard deviation of the observed progress while a hand opens."""
SEARCH_MARGIN_MS, SEARCH_STEP_MS = 60.0, 2.0
"""How far the opening may lie outside of the frames that bracket it, and the step of the search grid."""
MAX_OBSERVATIONS, TARGET_SIGMA_MS, MIN_SIGMA_MS = 8, 2.5, 2.0
"""Frames that may be inspected to time an opening; the uncertainty at which the search ends; and the uncertainty that
remains however many frames there are, since every hand opens its own way."""
MAX_FIST_LENGTH_SHARE = 0.8
"""A fist is at most this share of the open hand's length, or the length says nothing about the opening."""
MAX_LENGTH_DISAGREEMENT = 0.5
"""How far the progress by the hand's length may differ from that by its fingers: in a misread, blurred hand the fingers
are those of a fist on a hand as long as an open one."""
MISREAD_SHARE = 0.35
"""A hand with less than this progress that reads as its new shape, or the other way round, is misread."""
CURLED_FINGER_SHARE = 0.35
"""Visible length of a curled finger from knuckle to tip, as a share of the same finger extended, where no fist of this
hand was seen."""
FIST_SEARCH_NS = 500_000_000
"""How long before an opening a fist is used for comparison."""

EXTENDED_FINGERS = {
    Throw.ROCK: frozenset[int](),
    Throw.PAPER: frozenset({5, 9, 13, 17}),
    Throw.SCISSORS: frozenset({5, 9}),
}
"""The fingers a throw extends, by the landmarks of their knuckles."""


def _finger_length(seen: HandObservation, knuckles: Iterable[int]) -> float:
    """Return the mean length of the fingers in pixels, knuckle to tip. In pixels, not in lengths of the hand: the hand
    model takes a half-open hand for one further away rather than for a curled one."""
    points = seen.hand.landmarks
    return float(np.mean([np.linalg.norm(points[k + 3] - points[k]) for k in knuckles]))


class ShapeTransition:
    """How far a hand has turned from one shape into the shape of ``segment``, 0 to 1, measured on the fingers in which
    the two differ. ``previous`` is the segment before; without one the hand was a fist."""

    def __init__(self, view: ZoneView, segment: ShapeSegment, previous: ShapeSegment | None = None) -> None:
        start = previous.throw if previous and previous.throw else Throw.ROCK
        end = segment.throw or Throw.ROCK
        self.previous = previous
        self._shapes = start, end
        self._view = view
        self._knuckles = sorted(EXTENDED_FINGERS[start] ^ EXTENDED_FINGERS[end]) or sorted(
            EXTENDED_FINGERS[Throw.PAPER]
        )
        self._end_length = self._median_finger_length(segment.frames[:8]) or 1.0
        self._is_opening = end is not Throw.ROCK and EXTENDED_FINGERS[start] < EXTENDED_FINGERS[end]
        usual_length = (
            self._end_length * CURLED_FINGER_SHARE if self._is_opening else self._end_length / CURLED_FINGER_SHARE
        )
        since_ns = view.times_ns[segment.first] - FIST_SEARCH_NS
        near = [i for i in previous.frames if view.times_ns[i] >= since_ns] if previous and previous.throw else []
        self._start_length = self._median_finger_length(near) or usual_length
        if self._is_opening:
            self._start_length = min(self._start_length, 0.6 * self._end_length)  # a fist misread in mid-swing
        self._hand_lengths = self._median_hand_lengths(near, segment.frames[:8]) if self._is_opening else None

    def _median_hand_lengths(self, before: Iterable[int], after: Iterable[int]) -> tuple[float, float] | None:
        """Return the length of the whole hand before and after an opening, if both are known and differ clearly."""
        lengths = [[seen.length for i in frames if (seen := self._view(i))] for frames in (before, after)]
        if not all(lengths):
            return None
        fist, open_hand = (float(np.median(some)) for some in lengths)
        return (fist, open_hand) if fist < MAX_FIST_LENGTH_SHARE * open_hand else None

    def _median_finger_length(self, frames: Iterable[int]) -> float | None:
        lengths = [_finger_length(seen, self._knuckles) for i in frames if (seen := self._view(i))]
        return float(np.median(lengths)) if lengths else None

    def progress(self, index: int) -> float | None:
        """Return the progress in frame ``index``; None where no hand is found, or where its fingers, its length and its
        shape contradict each other, as they do in the blur of a swing."""
        seen = self._view(index)
        if seen is None or self._end_length == self._start_length:
            return None
        share = (_finger_length(seen, self._knuckles) - self._start_length) / (self._end_length - self._start_length)
        if self._hand_lengths is not None:
            short, long = self._hand_lengths
            if abs((seen.length - short) / (long - short) - share) > MAX_LENGTH_DISAGREEMENT:
                return None
        start, end = self._shapes
        if share < MISREAD_SHARE and seen.reading.throw is end:
            return None
        return None if share > 1 - MISREAD_SHARE and seen.reading.throw is start else share

    def time_ns(self, index: int) -> int:
        """Return the time, in ns, at which the fingers were as frame ``index`` shows them."""
        points = [k + joint for k in self._knuckles for joint in range(4)]
        lead = EXPOSURE_LEAD * self._view.frames[index].exposure_ns if self._is_opening else 0.0
        return self._view.hand_time_ns(index, points) + round(lead)

    def expected_progress(self, phase: Vector) -> Vector:
        """Return the progress that should be observed at phases (any shape) of the transition, from 0 at its start to 1
        at its end. Hands move with minimum jerk, as reaching hands do (Flash and Hogan 1985)."""
        t = phase.clip(0, 1)
        moved_share = t**3 * (10 - 15 * t + 6 * t**2)
        if self._is_opening:
            return np.asarray(np.interp(moved_share, OPENED_SHARES, VISIBLE_SHARES))
        return np.asarray(1 - np.interp(1 - moved_share, OPENED_SHARES, VISIBLE_SHARES))


def estimate_transition(
    view: ZoneView, transition: ShapeTransition, segment: ShapeSegment, coarse_frames: Sequence[int]
) -> TimeEstimate:
    """Return the middle of the transition into ``segment``: of an opening, or of a change. ``coarse_frames`` are the
    frames of the coarse pass. Up to ``MAX_OBSERVATIONS`` further frames are inspected, whatever the frame rate."""
    low, high = _bracket(transition, segment, coarse_frames)
    origin_ns = int(view.times_ns[high])
    times_ms = (view.times_ns - origin_ns) / MS
    since_ms, until_ms = times_ms[low] - SEARCH_MARGIN_MS, times_ms[high] + SEARCH_MARGIN_MS
    grid = np.meshgrid(np.arange(since_ms, until_ms, SEARCH_STEP_MS), OPENING_DURATIONS_MS)
    middles, durations = grid[0].ravel(), grid[1].ravel()
    hypotheses = Hypotheses(
        middles,
        lambda at_ms: transition.expected_progress((at_ms[:, None] - middles) / durations + 0.5),
        SHARE_SIGMA,
        LATER_LOG_WEIGHT_PER_MS * middles - (np.log(durations / OPENING_MS) / OPENING_LOG_SIGMA) ** 2 / 2,
        rest_times_ms=middles + durations / 2,
    )

    def observe(index: int) -> tuple[float, float] | None:
        progress = transition.progress(index)
        if progress is None:
            return None
        return (transition.time_ns(index) - origin_ns) / MS, float(np.clip(progress, -0.1, 1.1))

    known, span_ms = view.inspected_frames(), (since_ms, until_ms)
    search(hypotheses, known, times_ms, span_ms, observe, MAX_OBSERVATIONS, TARGET_SIGMA_MS)
    return hypotheses.estimate(origin_ns, MIN_SIGMA_MS)


def _bracket(transition: ShapeTransition, segment: ShapeSegment, coarse_frames: Sequence[int]) -> tuple[int, int]:
    """Return the frames between which the transition lies: from the last that surely showed the previous throw, if
    there was one, or else from the last in which the hand had not turned; to the first of the segment in which it had.
    A frame misread as the segment's throw, in the blur of a swing, may come long before that."""
    high = next((i for i in segment.frames if (transition.progress(i) or 0.0) >= 0.5), segment.first)
    if transition.previous is not None and transition.previous.throw is not None:
        return transition.previous.last, high
    for low in reversed([i for i in coarse_frames if i < high]):
        if (transition.progress(low) or 0.0) < 0.5:
            return low, high
        high = low
    return max(high - 1, 0), high
