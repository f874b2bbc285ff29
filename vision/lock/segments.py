"""From single observations to what a hand does: a coarse pass over the recording, and the segments in which the hand
kept a shape. A throw is a segment, never a single frame: an opening paper looks like scissors for a moment, and a fist
in mid-swing like anything."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from rules.throws import Throw
from vision.lock.zone_view import ZoneView

COARSE_STEP_NS = 100_000_000
"""Time between the frames of the coarse pass. An in-between shape lasts up to 83 ms, a kept one far longer."""
MAX_GRID_ERROR_NS = COARSE_STEP_NS // 4
"""How far from its place a frame of the coarse pass may lie that was its latest one when the recording was shorter."""
MAX_GAP_NS = 400_000_000
"""The longest time without a hand found within one segment."""
MIN_FIST_FRAMES = 2
"""Successive frames with a fist that prove the hand was closed: a single one may be misread."""
CLEAR_THROW_PROBABILITY = 0.97
"""Probability from which one observation of a held, open hand makes it a throw: of 94 rendered hands that kept a throw
none read below 0.98, of 31 half-open ones none above 0.96."""
SURE_SEGMENT_FRAMES = 4
"""Frames from which a segment is sure; around those of a shorter one more frames are inspected."""
STATES = (*Throw, None)
"""The shapes a hand can show; None is a hand that is none of the three."""
MISREAD_PROBABILITY = 0.03
"""Probability that a shape is read that isn't there, however sure the reading: 7 of 250 pump frames of real clips."""
CHANGE_COST = 2.5
"""Evidence (log-odds) that a change of shape needs: one sure observation, 3.5, does not pay for a change and back."""


@dataclass(frozen=True)
class ShapeSegment:
    """A stretch in which a hand kept a shape."""

    throw: Throw | None
    """None where the hand is none of the three."""
    frames: tuple[int, ...]
    """The indices of the frames that showed it."""

    @property
    def first(self) -> int:
        """The first observed frame of the segment."""
        return self.frames[0]

    @property
    def last(self) -> int:
        """The last observed frame of the segment."""
        return self.frames[-1]


def coarse_pass(
    view: ZoneView, since_ns: int, until_ns: int, closed_ns: int | None = None, grid_ns: int | None = None
) -> list[int]:
    """Observe a frame every ``COARSE_STEP_NS``, the latest first: a held hand is found best, and shows where to search
    before. A hand that is open at ``since_ns`` is followed further back, as far as there are frames; one that is a fist
    in ``MIN_FIST_FRAMES`` successive frames before ``closed_ns`` is not followed any further. All but the latest frame
    lie a multiple of the step from ``grid_ns``, if that is given: they are the same for a recording that grows. The
    latest multiple is left out where it is less than half a step before the latest frame, unless it has been observed
    already. Return the frames, in order."""
    observed: list[int] = []
    fists, is_open = 0, False
    time_ns = until_ns
    known = view.observed_frames() if grid_ns is not None else []
    while time_ns >= (int(view.times_ns[0]) if is_open else since_ns) and fists < MIN_FIST_FRAMES:
        index = view.nearest_frame(time_ns)
        if not observed or index < observed[-1]:
            observed.append(index)
            if seen := view(index):
                is_fist = seen.reading.throw is Throw.ROCK
                is_open = seen.reading.throw is not None and not is_fist
                fists = fists + 1 if is_fist and closed_ns is not None and time_ns < closed_ns else 0
        if grid_ns is not None and time_ns == until_ns:
            on_grid_ns = until_ns - (until_ns - grid_ns) % COARSE_STEP_NS
            observed += [
                i for i in known if abs(int(view.times_ns[i]) - on_grid_ns) <= MAX_GRID_ERROR_NS and i < index
            ][-1:]
        half_ns = COARSE_STEP_NS // 2
        time_ns -= COARSE_STEP_NS if grid_ns is None else (time_ns - grid_ns - half_ns) % COARSE_STEP_NS + half_ns
    return observed[::-1]


def find_segments(view: ZoneView, frames: Sequence[int], is_growing: bool = False) -> list[ShapeSegment]:
    """Return the segments among observed ``frames`` (in order). Doubtful hands that are held, or clear in no frame of
    their segment, are reread; around a throw that rests on a few frames only, more frames are inspected, unless the
    recording is still growing: then later frames decide. A frame without a hand is evidence of nothing."""
    segments = decode_segments(view, frames)
    if is_growing:
        return segments
    doubtful = [i for i in frames if _is_doubtful(view, i)]
    never_clear = {i for segment in segments if set(segment.frames) <= set(doubtful) for i in segment.frames}
    doubtful = [i for i in doubtful if view.is_shared(i) or i in never_clear]
    for i in doubtful:
        view.reread(i)
    if doubtful:
        segments = decode_segments(view, frames)
    extra = _inspect_around_short(view, frames, segments, SURE_SEGMENT_FRAMES)
    return decode_segments(view, sorted({*frames, *extra})) if extra else segments


def inspect_ahead(view: ZoneView, frames: Sequence[int], segments: Sequence[ShapeSegment]) -> None:
    """Inspect, in a recording that grows by one more frame of the coarse pass, what ``find_segments`` will inspect
    then."""
    _inspect_around_short(view, frames, segments, SURE_SEGMENT_FRAMES - 1)


def _inspect_around_short(
    view: ZoneView, frames: Sequence[int], segments: Sequence[ShapeSegment], min_frames: int
) -> set[int]:
    """Inspect the frames around each open hand that is in no segment of ``min_frames``, and return them."""
    sure = {i for segment in segments if len(segment.frames) >= min_frames for i in segment.frames}
    unsure = [i for i in frames if i not in sure and _throw_in(view, i) not in (None, Throw.ROCK)]
    extra = {near for i in unsure for near in _halfway_frames(view, i)}
    for i in extra:
        view.exact(i)
    return extra


def _is_doubtful(view: ZoneView, index: int) -> bool:
    """Whether a frame shows no throw, or an open hand that is hardly one."""
    seen = view(index)
    if seen is None or seen.reading.throw is Throw.ROCK:
        return False
    return max(seen.probabilities[throw] for throw in Throw) < CLEAR_THROW_PROBABILITY


def _halfway_frames(view: ZoneView, index: int) -> tuple[int, int]:
    time_ns = int(view.times_ns[index])
    return view.nearest_frame(time_ns - COARSE_STEP_NS // 2), view.nearest_frame(time_ns + COARSE_STEP_NS // 2)


def decode_segments(view: ZoneView, frames: Sequence[int]) -> list[ShapeSegment]:
    """Return the sequence of kept shapes that explains the observations best when every change has a cost: the
    likeliest path of a hidden Markov chain (Viterbi). A shape seen in one frame only is dropped."""
    hands = [(i, seen) for i in frames if (seen := view(i))]
    if not hands:
        return []
    probabilities = np.array([[max(seen.probabilities.get(state, 0.0), 0.0) for state in STATES] for _, seen in hands])
    evidence = np.log(MISREAD_PROBABILITY + (1 - len(STATES) * MISREAD_PROBABILITY) * probabilities)
    cost = CHANGE_COST * (1 - np.eye(len(STATES)))
    best, came_from = evidence[0], []
    for row in evidence[1:]:
        scores = best[:, None] - cost
        came_from.append(scores.argmax(0))
        best = scores.max(0) + row
    path = [int(best.argmax())]
    for previous in reversed(came_from):
        path.append(int(previous[path[-1]]))
    shapes = [(i, STATES[state]) for (i, _), state in zip(hands, reversed(path), strict=True)]
    return _join_segments(view, [segment for segment in _split_by_shape(view, shapes) if len(segment.frames) > 1])


def _join_segments(view: ZoneView, segments: Sequence[ShapeSegment]) -> list[ShapeSegment]:
    """Return the segments, with those joined that show the same and have at most ``MAX_GAP_NS`` between them."""
    joined: list[ShapeSegment] = []
    for segment in segments:
        last = joined[-1] if joined else None
        if (
            last
            and last.throw == segment.throw
            and view.times_ns[segment.first] - view.times_ns[last.last] <= MAX_GAP_NS
        ):
            joined[-1] = ShapeSegment(segment.throw, last.frames + segment.frames)
        else:
            joined.append(segment)
    return joined


def _split_by_shape(view: ZoneView, shapes: Sequence[tuple[int, Throw | None]]) -> list[ShapeSegment]:
    """Return a segment for successive frames with the same shape, split where no hand was found for long; each with
    only the frames that read as its shape."""
    segments: list[ShapeSegment] = []
    for throw, group in groupby(shapes, key=lambda shape: shape[1]):
        part: list[int] = []
        for index, _ in group:
            if part and view.times_ns[index] - view.times_ns[part[-1]] > MAX_GAP_NS:
                segments.append(ShapeSegment(throw, tuple(part)))
                part = []
            part.append(index)
        segments.append(ShapeSegment(throw, tuple(part)))
    clear = [ShapeSegment(s.throw, tuple(i for i in s.frames if _throw_in(view, i) is s.throw)) for s in segments]
    return [segment for segment in clear if segment.frames]


def _throw_in(view: ZoneView, index: int) -> Throw | None:
    seen = view(index)
    return seen.reading.throw if seen else None
