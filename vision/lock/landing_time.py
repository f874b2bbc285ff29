"""When a fist came down: the end of its last swing, which is when a rock is shown; and from which frame on it rests."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import NamedTuple

import numpy as np

from vision.lock.inference import Hypotheses, TimeEstimate, Vector, min_sigma_ms, search
from vision.lock.segments import ShapeSegment
from vision.lock.zone_view import PALM_LANDMARKS, ZoneView

MS = 1_000_000
STEP_NS, FINE_STEP_NS = 100_000_000, 50_000_000
"""Time between the frames in which a fist is followed back, and between those around its last swing."""
MAX_REST_DRIFT = 0.12
"""How far a resting fist may drift between two coarse frames, in lengths of the hand."""
FAST_STEP_SHARE = 0.5
"""Share of the fastest step's speed from which a step may belong to a swing."""
MAX_FALL_S = 0.25
"""The longest that a fist takes to come down, as the distance over the greatest speed (falls: 0.18 to 0.23 s, drift
0.28 s and more in rendered rounds). What goes on for longer is drift or recoil."""
FOLLOW_NS = 300_000_000
"""How long a movement is followed on after the frame in which the fist should rest, in frames inspected anyway."""
MIN_SWING_LENGTHS = 0.2
"""Shortest movement that is a swing, in lengths of the hand: rendered swings seen from above are 0.36 and longer, the
noise of a resting fist 0.06 at most."""
MIN_SWING_SPEED = 0.6
"""Slowest swing, in lengths of the hand a second (noise of the landmarks: 0.4)."""
BLURRED_SPEED = 15.0
"""Least speed, in lengths of the hand a second, of a hand that is not found for 100 ms between two places: on real
clips at 30 fps hands are lost to motion blur from about there. Such a hand was no slower than any that was found."""
STOP_STEP_NS, STOPPED_SPEED = 33_000_000, 3.0
"""Time between the frames in which the end of a swing is looked for, and the speed, in lengths of the hand a second,
below which a hand has stopped: on real clips the steps into the first frame in which a throw was labelled complete had
1.5 to 4.8, those after it less than 3."""
MAX_LANDMARK_JITTER = 0.35
"""How far, in lengths of the hand, the landmarks of a fist may move though the fist does not: 0.31 on a real clip."""
STILL_SIZE_PX, STILL_CORRELATION = (48, 48), 0.85
"""The part of the image with the hand is compared in this size; from this correlation a hand whose landmarks moved no
further has not moved. It was 0.87 to 1 for that fist, 0.15 in the last step of a swing, and 0.51 to 0.59 over 100 ms of
rendered swings."""
MAX_SCALE_CHANGE = 1.7
"""A palm that is so many times larger or smaller than it mostly is, is misread."""
MAX_SWING_NS = 450_000_000
"""The longest last swing that is searched for."""
FALL_TIMES_MS = np.array([195.0, 210.0, 225.0])
"""How long a fist may take to come down."""
HEIGHT_FACTORS = np.array([0.96, 1.0, 1.04, 1.08, 1.13, 1.2, 1.3])
"""From how far a fist may come, in the farthest distance from its resting place at which it was found."""
ARC_SHARES = np.array([0.1, 0.4, 0.7])
"""Share of the way down that is the arc about the elbow, by which a fist moves on with the square of its height; the
rest is the height itself, which a camera above sees as an outward movement."""
POSITION_SIGMA = 0.02
"""Standard deviation of a fist's detected position, in lengths of the hand."""
SEARCH_STEP_MS, SEARCH_MARGIN_MS = 2.0, 130.0
"""Step of the search grid for a landing, and how long after its swing's last fast step it may lie."""
REST_WINDOW_NS = 40_000_000, 250_000_000
"""From when to when after its last fast step a fist shows where it rests."""
TURN_STEPS_NS, MIN_RECOIL_LENGTHS = (0, 33_000_000, 66_000_000), 0.05
"""How long after its landing, as first timed, a fist is looked at for the place where it turned back; and how far
beyond its resting place that must lie, in lengths of the hand, to be no noise."""
REST_WITHIN_NS, REST_NS, MAX_REST_SHIFT = 400_000_000, 80_000_000, 0.25
"""A fist that has come down for good is seen in one place, to within so many lengths of the hand, in two frames that
are so far apart, within this time after its landing. On a real clip the low points between two pumps were seen for 70
ms, and the fist was lost to the blur of its motion for half a second after them."""
EARLIER_REST_NS, SETTLING_NS = 200_000_000, 100_000_000
"""How long a fist stays in place that has come down, rather than pumps; and how long after it came down it is there."""
MAX_OBSERVATIONS, TARGET_SIGMA_MS, MIN_SIGMA_MS = 6, 3.0, 3.0
"""Frames that may be inspected to time a landing once its swing is known; the uncertainty at which the search ends; and
the uncertainty that remains however many frames there are."""


@dataclass(frozen=True)
class Swing:
    """The last fast step of a fist."""

    start_frame: int
    """The last frame before the swing ends."""
    end_frame: int
    """The first frame after it."""
    is_blurred: bool
    """Whether the hand was too fast to be found before ``end_frame``."""


class HandMovement(NamedTuple):
    """A movement between two frames. Its lengths are lengths of the hand."""

    speed: float
    """Per second; 0 where the image shows that the hand did not move."""
    distance: float
    """As found."""
    seconds: float
    """How long it took."""
    direction: Vector
    """(x, y) in pixels."""
    swing: Swing
    """The swing that it may be the end of."""

    def goes_with(self, other: "HandMovement") -> bool:
        """Whether it goes the same way as another step rather than back."""
        return float(self.direction @ other.direction) > 0


class PalmPosition(NamedTuple):
    """Centre of the palm, and the mean distance of its landmarks from there, in pixels of the frame."""

    x: float
    y: float
    spread: float

    def distance(self, other: "PalmPosition") -> float:
        """Return the distance to another position, in lengths of the hand there (a hand is about 2.5 spreads long)."""
        return float(np.linalg.norm(np.subtract(self, other))) / (2.5 * other.spread)


def estimate_landing(view: ZoneView, rest_index: int) -> TimeEstimate | None:
    """Return when the fist that rests in frame ``rest_index`` came to rest: the end of its last swing. None where it
    was at rest the whole time or is not found. A frame every ``STEP_NS`` is inspected, and about ten more."""
    since_ns = int(view.times_ns[rest_index]) - 2 * MAX_SWING_NS
    until_ns = int(view.times_ns[rest_index]) + FOLLOW_NS
    later = [i for i in view.inspected_frames() if i > rest_index and view.times_ns[i] <= until_ns]
    frames = [*_step_frames(view, rest_index, since_ns, STEP_NS), *later]
    swing = _last_swing(view, frames, rest_index)
    if swing is None:
        return None
    before_swing_ns = int(view.times_ns[swing.start_frame]) - STEP_NS
    if any(view(i) is None for i in frames if view.times_ns[i] >= before_swing_ns):
        fine_frames = _step_frames(view, swing.end_frame, before_swing_ns, FINE_STEP_NS)
        swing = _last_swing(view, sorted({*frames, *fine_frames}), rest_index) or swing
    if swing.is_blurred:
        first, interval_ns = _first_visible(view, swing.start_frame, swing.end_frame), _frame_interval_ns(view)
        stopped = find_stop(view, first, int(view.times_ns[first]) + MAX_SWING_NS)
        return stopped or TimeEstimate(int(view.times_ns[first]) - interval_ns // 2, interval_ns)
    return _fit_landing(view, swing, rest_index)


def comes_to_rest(view: ZoneView, landed_ns: int) -> bool:
    """Return whether a fist that came down at ``landed_ns`` stayed there for a while; else this was the low point
    of one pump before another. True as well for a recording that ends too early to tell. A frame every ``REST_NS / 2``
    is looked at until it is seen."""
    until_ns = landed_ns + REST_WITHIN_NS
    if int(view.times_ns[-1]) < until_ns:
        return True
    seen: list[tuple[int, PalmPosition]] = []
    for time_ns in range(landed_ns, until_ns + 1, REST_NS // 2):
        index = view.nearest_frame(time_ns)
        position = _palm_position(view, index)
        if position is None:
            continue
        earlier = [(i, at) for i, at in seen if view.times_ns[index] - view.times_ns[i] >= REST_NS]
        if any(at.distance(position) <= MAX_REST_SHIFT for _, at in earlier):
            return True
        seen.append((index, position))
    return False


def find_earlier_rest(view: ZoneView, segment: ShapeSegment, at_ns: int, landed_ns: int) -> int | None:
    """Return the first frame in which a fist rested that had been resting for ``EARLIER_REST_NS`` at ``at_ns``, in the
    place where it came down last, at ``landed_ns``; None if it had not."""
    back = _palm_position(view, view.nearest_frame(landed_ns + SETTLING_NS))
    frames = [i for i in segment.frames if at_ns - EARLIER_REST_NS <= view.times_ns[i] <= at_ns]
    positions = [position for i in frames if (position := _palm_position(view, i)) is not None]
    if len(positions) < 2 or back is None or any(back.distance(at) > MAX_REST_DRIFT for at in positions):
        return None
    return frames[0]


def find_stop(view: ZoneView, since_index: int, until_ns: int) -> TimeEstimate | None:
    """Return when a hand that moves in frame ``since_index`` stopped: the middle of its last fast step. None where it
    did not move, or neither stopped nor was found again before ``until_ns``."""
    index, before, moved = since_index, _palm_position(view, since_index), None
    while before is not None:
        times_ns = view.times_ns
        following = max(view.nearest_frame(int(times_ns[index]) + STOP_STEP_NS), index + 1)
        if following >= len(times_ns) or times_ns[following] > until_ns:
            return None
        after = _palm_position(view, following)
        if after is None:
            return None
        step_ns = int(times_ns[following] - times_ns[index])
        distance = before.distance(after)
        is_still = distance < MAX_LANDMARK_JITTER and _looks_still(view, index, following)
        if is_still or distance * 1e9 / step_ns < STOPPED_SPEED:
            return moved
        moved = TimeEstimate(int(times_ns[index]) + step_ns // 2, step_ns // 2)
        index, before = following, after
    return None


def rest_frame(view: ZoneView, segment: ShapeSegment) -> int:
    """Return the first frame of the rest that ends ``segment``, in which the hand hardly moves between coarse
    frames."""
    rest = segment.last
    for earlier in reversed(segment.frames[:-1]):
        first, second = _palm_position(view, earlier), _palm_position(view, rest)
        if first is None or second is None or first.distance(second) > MAX_REST_DRIFT:
            break
        rest = earlier
    return rest


def _palm_position(view: ZoneView, index: int) -> PalmPosition | None:
    seen = view(index)
    return None if seen is None else PalmPosition(*seen.palm_position)


def _frame_interval_ns(view: ZoneView) -> int:
    return int(np.median(np.diff(view.times_ns))) if len(view.times_ns) > 1 else STEP_NS


def _step_frames(view: ZoneView, last: int, since_ns: int, step_ns: int) -> list[int]:
    """Return frames about ``step_ns`` apart from ``since_ns`` to frame ``last``; inspected ones where they are near
    enough."""
    inspected = view.inspected_frames()
    times_ns = view.times_ns[inspected]
    frames = {last}
    for time_ns in range(int(view.times_ns[last]) - step_ns, since_ns - 1, -step_ns):
        near = inspected[int(abs(times_ns - time_ns).argmin())] if inspected else last
        is_near = abs(int(view.times_ns[near]) - time_ns) <= step_ns * 2 // 5 and near < last
        frames.add(near if is_near else view.nearest_frame(time_ns))
    return sorted(frames)


def _last_swing(view: ZoneView, frames: Sequence[int], rest_index: int) -> Swing | None:
    """Return the last step over ``frames``, none of them after ``rest_index``, that was fast compared with the fastest;
    None where none was. Later frames tell how far a movement went on."""
    trace = _of_one_size([(i, _palm_position(view, i)) for i in reversed(frames)])
    positions = _smooth([(i, position) for i, position in trace if position is not None])
    steps: list[HandMovement] = []
    for (after, end), (before, start) in pairwise(positions):
        seconds = float(view.times_ns[after] - view.times_ns[before]) / 1e9
        distance = start.distance(end)
        # the model may find a fist that is still in different places
        is_still = distance < MAX_LANDMARK_JITTER and _looks_still(view, before, after)
        lost = [i for i, position in trace if position is None and before < i < after]
        is_blurred = len(lost) > 0 and seconds > 1.6 * STEP_NS / 1e9 and distance > MIN_SWING_LENGTHS and not is_still
        direction = np.subtract(end, start)[:2]
        speed = 0.0 if is_still else distance / seconds
        steps.append(HandMovement(speed, distance, seconds, direction, Swing(before, after, is_blurred)))
    unseen = [i for i, position in trace if position is None and positions and i < positions[-1][0]]
    if len(unseen) > 1:
        steps.append(HandMovement(0.0, 0.0, 1.0, np.zeros(2), Swing(max(unseen[0] - 1, 0), positions[-1][0], True)))
    blurred_speed = max(BLURRED_SPEED, max((step.speed for step in steps), default=0.0))
    steps = [step._replace(speed=blurred_speed) if step.swing.is_blurred else step for step in steps]
    numbered = [(at, step) for at, step in enumerate(steps) if step.swing.end_frame <= rest_index]
    fastest, step = max(numbered, key=lambda entry: entry[1].speed, default=(0, None))
    if step is None or step.speed < MIN_SWING_SPEED:
        return None
    least_speed = FAST_STEP_SHARE * step.speed
    return next(
        step.swing for at, step in numbered if at == fastest or (step.speed >= least_speed and _is_fall(steps, at))
    )


def _is_fall(steps: Sequence[HandMovement], at: int) -> bool:
    """Whether the step ``at`` of ``steps``, the latest first, belongs to a movement that is no longer than a fall: all
    steps around it that go the same way."""
    earlier, later = steps[at:], steps[:at][::-1]
    same_way = [step for part in (earlier, later) for step in takewhile(steps[at].goes_with, part)]
    fastest = max((step.distance / step.seconds for step in same_way), default=0.0)
    return sum(step.distance for step in same_way) <= MAX_FALL_S * fastest


def _looks_still(view: ZoneView, before: int, after: int) -> bool:
    """Whether the image shows a hand in the same place in two frames, wherever its landmarks were found."""
    seen = view(after)
    if seen is None or view.is_unchanged(before, after):
        return True
    box = seen.hand.box.clipped(view.box)
    if not box.w * box.h:
        return False
    images = np.array([view.frames[i].pixels(box, STILL_SIZE_PX).mean(axis=2) for i in (before, after)])
    images -= images.mean(axis=(1, 2), keepdims=True)
    sizes = np.sqrt((images**2).sum(axis=(1, 2)))
    return bool((images[0] * images[1]).sum() > STILL_CORRELATION * sizes.prod())


def _of_one_size(trace: list[tuple[int, PalmPosition | None]]) -> list[tuple[int, PalmPosition | None]]:
    """Return the positions, with None for palms of another size: something else was taken for the hand."""
    spreads = [position.spread for _, position in trace if position is not None]
    usual = float(np.median(spreads)) if spreads else 0.0

    def is_usual(position: PalmPosition) -> bool:
        return usual / MAX_SCALE_CHANGE <= position.spread <= usual * MAX_SCALE_CHANGE

    return [(index, position if position and is_usual(position) else None) for index, position in trace]


def _smooth(positions: list[tuple[int, PalmPosition]]) -> list[tuple[int, PalmPosition]]:
    """Return the positions, each replaced by the median of itself and its neighbours: a misread hand lies off both."""
    smooth = list(positions)
    for (_, before), (at, (index, _)), (_, after) in zip(
        positions, enumerate(positions[1:-1], 1), positions[2:], strict=False
    ):
        smooth[at] = (index, PalmPosition(*np.median(np.array([before, positions[at][1], after]), axis=0)))
    return smooth


def _first_visible(view: ZoneView, before: int, after: int) -> int:
    """Return the first frame, going back from ``after``, from which on the hand is found, by searching harder if need
    be."""
    while after - 1 > before and view.search_harder(after - 1) is not None:
        after -= 1
    return after


def _rest_position(view: ZoneView, after: int, rest_index: int) -> PalmPosition:
    """Return where a fist rests whose last swing had nearly ended in frame ``after``; where it was then if it is not
    found later."""
    since_ns = int(view.times_ns[after])
    later = [
        i
        for i in view.inspected_frames()
        if after < i <= rest_index and since_ns + REST_WINDOW_NS[0] <= view.times_ns[i]
    ]
    known = [i for i in (*later, rest_index) if _palm_position(view, i) is not None]
    soon = [i for i in known if view.times_ns[i] <= since_ns + REST_WINDOW_NS[1]] or known[:1] or [after]
    positions = [position for i in soon[:3] if (position := _palm_position(view, i))]
    return PalmPosition(*np.median(np.array(positions), axis=0))


def _fit_landing(view: ZoneView, swing: Swing, rest_index: int) -> TimeEstimate | None:
    """Return the end of a visible swing, from the positions of the fist around it; None where it was no swing. Where
    the fist recoiled, it is timed once more by the place where it turned back."""
    rest = _rest_position(view, swing.end_frame, rest_index)
    landed = _fit_swing(view, swing, rest, SEARCH_MARGIN_MS)
    turned = None if landed is None else _turning_frame(view, swing, landed.time_ns, rest)
    turned_position = None if turned is None else _palm_position(view, turned)
    if turned is None or turned_position is None:
        return landed
    # On its way back a fist is again away from there: that says nothing about when it came.
    until_ms = (view.times_ns[turned] - view.times_ns[swing.end_frame]) / MS
    return _fit_swing(view, swing, turned_position, until_ms)


def _turning_frame(view: ZoneView, swing: Swing, landed_ns: int, rest: PalmPosition) -> int | None:
    """Return the frame in which a fist was farthest from the start of its swing, of those inspected from the swing's
    end on and a few soon after it seemed to have landed; None where that is not beyond its resting place."""
    start = _palm_position(view, swing.start_frame)
    after = [view.nearest_frame(landed_ns + after_ns) for after_ns in TURN_STEPS_NS]
    frames = sorted({*after, *(i for i in view.inspected_frames() if swing.end_frame <= i <= after[-1])})
    places = {i: palm for i in frames if (palm := _palm_position(view, i)) and _is_of_size(palm, rest)}
    if start is None or not places:
        return None
    turned = max(places, key=lambda i: start.distance(places[i]))
    recoil = min(start.distance(places[turned]) - start.distance(rest), places[turned].distance(rest))
    return turned if recoil > MIN_RECOIL_LENGTHS else None


def _is_of_size(palm: PalmPosition, rest: PalmPosition) -> bool:
    return 1 / MAX_SCALE_CHANGE <= palm.spread / rest.spread <= MAX_SCALE_CHANGE


def _fit_swing(view: ZoneView, swing: Swing, rest: PalmPosition, until_ms: float) -> TimeEstimate | None:
    """Return when a fist that swings came to ``rest``, from its positions until ``until_ms`` after the swing's last
    frame; None where it was no swing."""
    origin_ns = int(view.times_ns[swing.end_frame])
    times_ms = (view.times_ns - origin_ns) / MS
    inspected = view.inspected_frames()
    since_ms = times_ms[swing.start_frame]
    swing_frames = {
        swing.start_frame,
        *(i for i in inspected if since_ms - MAX_SWING_NS / 2 / MS <= times_ms[i] <= since_ms),
    }
    farthest = max(position.distance(rest) for i in swing_frames if (position := _palm_position(view, i)))
    if farthest < MIN_SWING_LENGTHS:
        return None
    ends, fall_times, heights, arcs = (
        grid.ravel()
        for grid in np.meshgrid(
            np.arange(since_ms, SEARCH_MARGIN_MS, SEARCH_STEP_MS), FALL_TIMES_MS, HEIGHT_FACTORS * farthest, ARC_SHARES
        )
    )

    def expected_distance(at_ms: Vector) -> Vector:
        begun = (1 - (ends - at_ms[:, None]) / fall_times).clip(0, 1)
        lift = (1 - begun**2) ** 1.5
        return np.asarray(heights * lift * (1 - arcs + arcs * lift))

    def observe(index: int) -> tuple[float, float] | None:
        position = _palm_position(view, index)
        if position is None or not _is_of_size(position, rest):
            return None
        return (view.hand_time_ns(index, PALM_LANDMARKS) - origin_ns) / MS, position.distance(rest)

    hypotheses = Hypotheses(ends, expected_distance, POSITION_SIGMA, np.zeros(len(ends)), rest_times_ms=ends)
    search(hypotheses, inspected, times_ms, (since_ms, until_ms), observe, MAX_OBSERVATIONS, TARGET_SIGMA_MS)
    return hypotheses.estimate(origin_ns, min_sigma_ms(view.times_ns, view.frames[0].exposure_ns, MIN_SIGMA_MS))
