"""When a hand showed its throw: the middle of its opening, from the first change of a fist until the shape is complete
and the hand has come to rest. For a rock see ``vision.lock.landing_time``."""

from collections.abc import Iterable, Sequence

import numpy as np

from rules.throws import Throw
from vision.lock.inference import Hypotheses, TimeEstimate, Vector, min_sigma_ms, search
from vision.lock.landing_time import find_stop
from vision.lock.segments import ShapeSegment
from vision.lock.zone_view import HandObservation, ZoneView

MS = 1_000_000
OPENING_MS, OPENING_LOG_SIGMA = 120.0, 0.3
"""Usual duration of an opening from fist to shape, and the standard deviation of its logarithm: 80–150 ms rendered,
100–200 ms on real clips."""
OPENING_DURATIONS_MS = OPENING_MS * np.array([0.6, 0.75, 0.9, 1.0, 1.15, 1.35, 1.6, 1.9])
LATER_LOG_WEIGHT_PER_MS = 0.01
"""Log-odds for an opening by each ms that it is later: hands are lost to the blur of their motion, and found again just
after it."""
OPENED_SHARES = (0.0, 0.1, 0.22, 0.37, 0.51, 0.66, 0.83, 0.95, 1.0)
EXTENDED_SHARES = {
    Throw.PAPER: (0.0, 0.01, 0.1, 0.15, 0.36, 0.66, 0.92, 0.99, 1.0),
    Throw.SCISSORS: (0.0, 0.07, 0.16, 0.32, 0.43, 0.79, 0.99, 1.0, 1.0),
}
"""How far a hand has opened, and how far the hand model then takes the fingers in question for extended. Medians of 25
rendered hands, ``tools.trials.timing`` with seeds from 2000."""
EXPOSURE_LEAD = 0.2
"""Share of an exposure by which a detection is ahead of its middle: the model puts a blurred fingertip at the outermost
end of its blur. A regression over rendered openings with exposures of 2–16 ms."""
SHARE_SIGMA = 0.1
"""Standard deviation of the observed progress while a hand opens."""
SEARCH_MARGIN_MS, SEARCH_STEP_MS = 60.0, 2.0
"""How far the opening may lie outside of the frames that bracket it, and the step of the search grid."""
MAX_OBSERVATIONS, TARGET_SIGMA_MS, MIN_SIGMA_MS = 10, 2.5, 3.5
"""Frames that may be inspected to time an opening; the uncertainty at which the search ends; and the uncertainty that
remains however many frames there are, since every hand opens its own way."""
MAX_FIST_LENGTH_SHARE = 0.8
"""A fist is at most this share of the open hand's length, or the length says nothing about the opening."""
MAX_LENGTH_DISAGREEMENT = 0.4
"""How far the progress by the hand's length may differ from that by its fingers: in a misread, blurred hand the fingers
are those of a fist on a hand as long as an open one."""
CLOSED_EXTENSION = 0.5
"""A hand whose fingers were extended further than this before it became a fist has closed."""
MAX_SIZE_CHANGE = 2.5
"""A palm that is so many times larger or smaller than after the transition is something else: on a real clip where the
hand turned while it opened it was 2.1 times smaller, phantoms were 3.3 to 5 times smaller."""
MISREAD_SHARE = 0.35
"""A hand with less than this progress that reads as its new shape, or the other way round, is misread."""
CURLED_EXTENSION, MIN_EXTENSION_CHANGE = 0.12, 0.4
"""Extension of a curled finger where no fist of this hand was seen, and the least by which a change of shape changes
it: before an opening a fist may be misread in mid-swing."""
MAX_SWING_AFTER_OPENING_NS = 200_000_000
"""How long after its fingers are out a hand may still be in its swing: up to 130 ms on real clips."""
FIST_SEARCH_NS = 500_000_000
"""How long before an opening a fist is used for comparison."""

EXTENDED_FINGERS = {
    Throw.ROCK: frozenset[int](),
    Throw.PAPER: frozenset({5, 9, 13, 17}),
    Throw.SCISSORS: frozenset({5, 9}),
}
"""The fingers a throw extends, by the landmarks of their knuckles."""


def _extension(seen: HandObservation, knuckles: Iterable[int]) -> float:
    """Return how far the fingers are extended on average, 0 to 1, from the world landmarks: lengths in the image depend
    on how a hand turns while it opens, and on how much of a curled finger the camera sees."""
    return float(np.mean([seen.reading.extension[k // 4] for k in knuckles]))


def _fist_share(seen: HandObservation) -> float:
    """Return the probability that a hand is a fist rather than an open hand: what a closing goes by where the model
    finds the fingers of a clear fist extended, as it does for fists in dim light."""
    return seen.probabilities[Throw.ROCK]


class ShapeTransition:
    """How far a hand has turned from one shape into the shape of ``segment``, 0 to 1, measured on the fingers in which
    the two differ. ``previous`` is the segment before; without one the hand was a fist."""

    def __init__(self, view: ZoneView, segment: ShapeSegment, previous: ShapeSegment | None = None) -> None:
        if previous is not None and previous.throw is segment.throw:
            previous = None  # the same shape, but not found for long: what the hand did in between is unknown
        start = previous.throw if previous and previous.throw else Throw.ROCK
        end = segment.throw or Throw.ROCK
        self.previous = previous
        self._shapes = start, end
        self._view = view
        self._knuckles = sorted(EXTENDED_FINGERS[start] ^ EXTENDED_FINGERS[end]) or sorted(
            EXTENDED_FINGERS[Throw.PAPER]
        )
        self.is_opening = end is not Throw.ROCK and EXTENDED_FINGERS[start] < EXTENDED_FINGERS[end]
        """Whether a fist opens, or an open hand opens further."""
        self._is_extending = len(EXTENDED_FINGERS[end]) > len(EXTENDED_FINGERS[start])
        since_ns = view.times_ns[segment.first] - FIST_SEARCH_NS
        near = [i for i in previous.frames if view.times_ns[i] >= since_ns] if previous else []
        usual = (CURLED_EXTENSION, 1.0) if self._is_extending else (1.0, CURLED_EXTENSION)
        starts, ends = self._median_extension(near), self._median_extension(segment.frames[:8])
        self.is_closing = end is Throw.ROCK and starts is not None and starts > CLOSED_EXTENSION
        """Whether an open hand, a throw or not, becomes a fist."""
        self._start = usual[0] if starts is None else starts
        self._end = usual[1] if ends is None else ends
        if self._is_extending:
            self._start = min(self._start, self._end - MIN_EXTENSION_CHANGE)
        else:
            self._start = max(self._start, self._end + MIN_EXTENSION_CHANGE)
        self._palm_size = self._median_palm_size(segment.frames[:8])
        fists = near if previous and previous.throw else []
        self._hand_lengths = self._median_hand_lengths(fists, segment.frames[:8]) if self.is_opening else None

    def _median_hand_lengths(self, before: Iterable[int], after: Iterable[int]) -> tuple[float, float] | None:
        """Return the length of the whole hand before and after an opening, if both are known and differ clearly."""
        lengths = [[seen.length for i in frames if (seen := self._view(i))] for frames in (before, after)]
        if not all(lengths):
            return None
        fist, open_hand = (float(np.median(some)) for some in lengths)
        return (fist, open_hand) if fist < MAX_FIST_LENGTH_SHARE * open_hand else None

    def _median_palm_size(self, frames: Iterable[int]) -> float:
        sizes = [seen.palm_size for i in frames if (seen := self._view(i))]
        return float(np.median(sizes)) if sizes else 1.0

    def _median_extension(self, frames: Iterable[int]) -> float | None:
        extensions = [_extension(seen, self._knuckles) for i in frames if (seen := self._view(i))]
        return float(np.median(extensions)) if extensions else None

    def progress(self, index: int) -> float | None:
        """Return the progress in frame ``index``; None where no hand is found, or one of quite another size, or where
        its fingers, its length and its shape contradict each other, as they do in the blur of a swing."""
        seen = self._view(index)
        if seen is None or not 1 / MAX_SIZE_CHANGE <= seen.palm_size / self._palm_size <= MAX_SIZE_CHANGE:
            return None
        share = (_extension(seen, self._knuckles) - self._start) / (self._end - self._start)
        if self.is_closing and share < 1 - MISREAD_SHARE and seen.reading.throw is Throw.ROCK:
            return _fist_share(seen)
        if self._hand_lengths is not None:
            short, long = self._hand_lengths
            if abs((seen.length - short) / (long - short) - share) > MAX_LENGTH_DISAGREEMENT:
                return None
        start, end = self._shapes
        if share < MISREAD_SHARE and seen.reading.throw is end:
            return None
        return None if share > 1 - MISREAD_SHARE and seen.reading.throw is start is not end else share

    def time_ns(self, index: int) -> int:
        """Return the time, in ns, at which the fingers were as frame ``index`` shows them."""
        points = [k + joint for k in self._knuckles for joint in range(4)]
        lead = EXPOSURE_LEAD * self._view.frames[index].exposure_ns if self.is_opening else 0.0
        return self._view.hand_time_ns(index, points) + round(lead)

    def expected_progress(self, phase: Vector) -> Vector:
        """Return the progress that should be observed at phases (any shape) of the transition, from 0 at its start to 1
        at its end. Hands move with minimum jerk, as reaching hands do (Flash and Hogan 1985)."""
        t = phase.clip(0, 1)
        moved_share = t**3 * (10 - 15 * t + 6 * t**2)
        shares = EXTENDED_SHARES[Throw.SCISSORS if self._knuckles == [5, 9] else Throw.PAPER]
        if self._is_extending:
            return np.asarray(np.interp(moved_share, OPENED_SHARES, shares))
        return np.asarray(1 - np.interp(1 - moved_share, OPENED_SHARES, shares))


def estimate_transition(
    view: ZoneView, transition: ShapeTransition, segment: ShapeSegment, coarse_frames: Sequence[int]
) -> TimeEstimate:
    """Return the middle of the transition into ``segment``: of an opening, or of a change. An opening in mid-swing
    lasts until the swing ends. ``coarse_frames`` are the frames of the coarse pass. To time the fingers, up to
    ``MAX_OBSERVATIONS`` further frames are inspected, whatever the frame rate; those that were inspected before, while
    the recording was still growing, are among them."""
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
    further = [i for i in known if since_ms <= times_ms[i] <= until_ms and i not in coarse_frames]
    search(hypotheses, known, times_ms, span_ms, observe, MAX_OBSERVATIONS - len(further), TARGET_SIGMA_MS)
    shown = hypotheses.estimate(origin_ns, min_sigma_ms(view.times_ns, view.frames[0].exposure_ns, MIN_SIGMA_MS))
    if not transition.is_opening:
        return shown
    complete_ns = origin_ns + round(hypotheses.rest_mean_ms * MS)
    stopped = find_stop(view, view.nearest_frame(complete_ns), complete_ns + MAX_SWING_AFTER_OPENING_NS)
    if stopped is None or stopped.time_ns <= complete_ns:
        return shown
    return TimeEstimate(
        shown.time_ns + (stopped.time_ns - complete_ns) // 2, round(np.hypot(shown.sigma_ns, stopped.sigma_ns / 2))
    )


def _bracket(transition: ShapeTransition, segment: ShapeSegment, coarse_frames: Sequence[int]) -> tuple[int, int]:
    """Return the frames between which the transition lies: from the last that surely showed the previous throw, if
    there was one, or else from the last in which the hand had not turned; to the first of the segment in which it had.
    A frame misread as the segment's throw, in the blur of a swing, may come long before that."""
    high = next((i for i in segment.frames if (transition.progress(i) or 0.0) >= 0.5), segment.first)
    if transition.previous is not None and transition.previous.throw is not None:
        surely_before = (i for i in reversed(transition.previous.frames) if transition.progress(i) is not None)
        return next(surely_before, transition.previous.last), high
    for low in reversed([i for i in coarse_frames if i < high]):
        if (transition.progress(low) or 0.0) < 0.5:
            return low, high
        high = low
    return max(high - 1, 0), high
