"""A second look at a hand whose time is uncertain, or would accuse it of a foul: in the mirrored image, and in the
frames between those that were inspected first. A time that depends on either is less certain than a single look can
know."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from typing_extensions import override

from device.camera.frames import Box, Frame, Pixels, Size
from rules.record.judgement import INTERVAL_SIGMAS, Verdict
from vision.lock.inference import TimeEstimate, min_sigma_ms
from vision.lock.judgement import Judgement
from vision.lock.segments import COARSE_STEP_NS, MAX_GAP_NS
from vision.lock.transition_time import MIN_SIGMA_MS
from vision.lock.verdict import MAX_DOUBT_NS, SeatTimeline, ThrowSegment
from vision.lock.zone_view import ZoneView
from vision.zones import Zone

PHASE_NS = COARSE_STEP_NS // 2
"""How far the frames of the coarse pass lie from those of the first look."""

MAX_CLEAR_SIGMAS, MAX_CLEAR_SIGMA_MS = 1.5, 15.0
"""A time is measured again if its standard deviation is more than so many times the least at this frame rate, and more
than so many ms: where a hand is misread in the blur of its motion, a single look may be 60 ms off."""
UNCONFIRMED_SIGMA_NS = round(MAX_DOUBT_NS / INTERVAL_SIGMAS)
"""The least standard deviation of a time that no second look finds: it accuses only where the most doubt would."""


@dataclass(frozen=True)
class MirroredFrame(Frame):
    """A frame whose left and right are exchanged."""

    original: Frame

    @override
    def pixels(self, box: Box | None = None, size: Size | None = None) -> Pixels:
        part = None if box is None else Box(self.size[0] - box.x - box.w, box.y, box.w, box.h)
        return np.ascontiguousarray(self.original.pixels(part, size)[:, ::-1])


def mirror_frame(frame: Frame) -> MirroredFrame:
    """Return a frame with left and right exchanged."""
    return MirroredFrame(
        frame.number, frame.exposed_ns, frame.exposure_ns, frame.size, frame, readout_ns=frame.readout_ns
    )


@dataclass(frozen=True)
class ZoneSecondLook:
    """A second look at a zone."""

    view: ZoneView
    phase_ns: int
    """How long its frames lie before those of the first look."""
    is_mirrored: bool

    def extend(self, frames: Sequence[Frame]) -> None:
        """Go on with a recording that has grown, as ``ZoneView.extend`` does."""
        known = self.view.frames
        new = [mirror_frame(frame) if self.is_mirrored else frame for frame in frames[len(known) :]]
        self.view.extend([*known, *new])


def second_looks(frames: Sequence[Frame], zone: Zone) -> tuple[ZoneSecondLook, ZoneSecondLook]:
    """Return the second looks at a zone: at the mirrored frames, and at the frames as they are. Both search every
    frame: in the blur of a movement, a hand read where it was before may look like the hand that was there."""
    mirrored = Zone(max(0.0, 1 - zone.x - zone.w), zone.y, zone.w, zone.h)
    return (
        ZoneSecondLook(ZoneView([mirror_frame(frame) for frame in frames], mirrored, tracks=False), 0, True),
        ZoneSecondLook(ZoneView(frames, zone, tracks=False), PHASE_NS, False),
    )


def is_time_doubtful(timeline: SeatTimeline) -> bool:
    """Return whether the time at which a hand showed its throw is much less certain than the frames allow."""
    shown = timeline.decisive.shown if timeline.decisive else None
    view = timeline.view
    least_ms = min_sigma_ms(view.times_ns, view.frames[0].exposure_ns, MIN_SIGMA_MS)
    return shown is not None and shown.sigma_ns > max(MAX_CLEAR_SIGMAS * least_ms, MAX_CLEAR_SIGMA_MS) * 1e6


def combine_times(timeline: SeatTimeline, others: Sequence[SeatTimeline]) -> None:
    """Combine the times of a timeline with those that the other looks at the same hand found, if they did."""
    decisive = timeline.decisive
    if decisive is not None and decisive.throw is not None:
        looks = [decisive, *(look.decisive for look in others if look.decisive and look.decisive.throw)]
        same = [seen for seen in looks if seen.is_open_hand is decisive.is_open_hand]
        came_down_again = 2 * sum(seen.came_down_again for seen in same) >= len(same)
        first, *confirming = [seen for seen in same if seen.came_down_again is came_down_again]
        timeline.decisive = _combine(first, confirming)
    timeline.throw_segments = [
        timeline.decisive
        if timeline.decisive is not None and segment is decisive
        else _combine(segment, [match for look in others if (match := _find_same(segment, look.throw_segments))])
        for segment in timeline.throw_segments
    ]


def agreed_timeline(looks: Sequence[SeatTimeline]) -> SeatTimeline | None:
    """Return what the second looks, in the order of ``second_looks``, found at a hand that the first could not read:
    the timeline in the image as it is, with the times of both; None unless both found the same throw."""
    throws = {look.decisive.throw if look.decisive else None for look in looks}
    if len(throws) > 1 or None in throws:
        return None
    *mirrored, agreed = looks
    combine_times(agreed, mirrored)
    return agreed


def _find_same(segment: ThrowSegment, others: Sequence[ThrowSegment]) -> ThrowSegment | None:
    """Return the segment of another look in which the hand turned into the same throw at about the same time."""
    if segment.shown is None:
        return None
    near = [
        (abs(candidate.shown.time_ns - segment.shown.time_ns), number)
        for number, candidate in enumerate(others)
        if candidate.throw is segment.throw and candidate.shown is not None
    ]
    distance_ns, number = min(near, default=(MAX_GAP_NS + 1, 0))
    return others[number] if distance_ns <= MAX_GAP_NS else None


def _combine(segment: ThrowSegment, others: Sequence[ThrowSegment]) -> ThrowSegment:
    if segment.shown is None:
        return segment
    times = [segment.shown, *(candidate.shown for candidate in others if candidate.shown is not None)]
    if len(times) == 1:
        unconfirmed_ns = max(segment.shown.sigma_ns, UNCONFIRMED_SIGMA_NS)
        return replace(segment, shown=replace(segment.shown, sigma_ns=unconfirmed_ns))
    return replace(segment, shown=combine_estimates(times))


def combine_estimates(times: Sequence[TimeEstimate]) -> TimeEstimate:
    """Return the median of several estimates of one time: a look that goes wrong may be off by half a second. They
    share most of their errors, so that its uncertainty is no smaller than theirs; how far they lie apart is added in
    quadrature."""
    spread_ns = statistics.pstdev(estimate.time_ns for estimate in times)
    sigma_ns = statistics.fmean(estimate.sigma_ns for estimate in times)
    middle_ns = statistics.median(estimate.time_ns for estimate in times)
    return TimeEstimate(round(middle_ns), round(float(np.hypot(sigma_ns, spread_ns))))


def seats_to_check(judgement: Judgement, timelines: Sequence[SeatTimeline]) -> set[int]:
    """Return the indices of the seats accused by their time, as unclear or as unseen; of the seat whose hand was first
    if another is late or changed compared with it; and of those whose time is doubtful."""
    doubtful = {number for number, timeline in enumerate(timelines) if is_time_doubtful(timeline)}
    shown_ns = [
        timeline.decisive.shown.time_ns if timeline.decisive and timeline.decisive.shown else None
        for timeline in timelines
    ]
    accused = {
        number
        for number, seat in enumerate(judgement.seats)
        if seat.verdict.depends_on_lock
        or seat.verdict in (Verdict.UNCLEAR, Verdict.UNSEEN)
        or (seat.verdict is Verdict.EARLY and shown_ns[number] is not None)
    }
    if judgement.first_ns in shown_ns and any(seat.verdict.depends_on_lock for seat in judgement.seats):
        accused.add(shown_ns.index(judgement.first_ns))
    return accused | doubtful
