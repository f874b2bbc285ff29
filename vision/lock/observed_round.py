"""A round as far as its frames have been looked at: its lock, and the time at which it may be decided."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from device.camera.frames import Frame
from vision.lock.camera_checks import check_camera
from vision.lock.inference import TimeEstimate
from vision.lock.judgement import HAND_WINDOW_NS, Judgement, check_frame_count
from vision.lock.occupancy import ZoneOccupancy
from vision.lock.reasons import HandCause, VoidReason
from vision.lock.second_look import ZoneSecondLook
from vision.lock.verdict import HOLD_AFTER_LOCK_NS, SeatTimeline
from vision.lock.zone_view import ZoneView
from vision.zones import Zone

OPEN_HAND_HOLD_NS = 200_000_000
"""How long after the lock paper and scissors must be kept where nobody shows a fist: until the end of the strips that
are kept as evidence. What a hand does after that, while it rests and the verdict is made, changes nothing."""
FIST_HOLD_NS = HOLD_AFTER_LOCK_NS
"""How long hands are watched after the lock where somebody shows a fist: it may still open, and be late."""


@dataclass
class ObservedRound:
    """A round of ``zones``, as far as its frames have been looked at."""

    zones: Sequence[Zone]
    cue_ns: int | None
    """The cue; None where the players counted for themselves: then the first hand is the cue."""
    window_ns: int
    """From the first hand to the lock."""
    box_shown_ns: int | None
    """When the box itself showed its throw, where people practise against it."""
    frames: Sequence[Frame] = ()
    """Those so far, in order of time."""
    views: list[ZoneView] = field(default_factory=list)
    """One for each zone, from the first ``MIN_FRAMES`` frames on."""
    second_looks: dict[int, tuple[ZoneSecondLook, ...]] = field(default_factory=dict)
    """Those that were begun, by the index of the seat."""
    camera_checks: dict[tuple[int, bool], VoidReason | None] = field(default_factory=dict)
    """What the check of the camera found, where nobody is to blame, by the lock frame's number and whether every hand
    was read in it, and seen around the cue."""

    def extend(self, frames: Sequence[Frame]) -> None:
        """Go on with a recording that has grown. Raises LockError and ZoneError."""
        check_frame_count(frames)
        self.frames = frames
        for view in self.views:
            view.extend(frames)
        self.views = self.views or [ZoneView(frames, zone) for zone in self.zones]

    def looks(self, index: int) -> list[ZoneView]:
        """Return the views of a seat's zone, given by its index: the first look, and the second ones if any."""
        return [self.views[index], *(look.view for look in self.second_looks.get(index, ()))]

    def inferences(self, index: int) -> int:
        """Return how often the hand model was called for a seat, given by its index."""
        return sum(view.inferences for view in self.looks(index))

    def find_lock(self, timelines: Sequence[SeatTimeline]) -> tuple[int, int, TimeEstimate | None]:
        """Return the cue and the lock, in ns, and the time of the first hand, if there was one: the first not before
        cue − window, or the box's, sets the lock, which is never before the cue. A fist that came down more than once
        sets none: its time is not known."""
        decisive = [timeline.decisive for timeline in timelines if timeline.decisive is not None]
        shown = [throw.shown for throw in decisive if throw.shown is not None and not throw.came_down_again]
        cue_ns = self.cue_ns
        if cue_ns is None:
            middle_ns = self.frames[len(self.frames) // 2].exposed_ns
            cue_ns = min((time.time_ns for time in shown), default=middle_ns)
        counted = [time for time in shown if time.time_ns >= cue_ns - self.window_ns]
        if self.box_shown_ns is not None:
            counted.append(TimeEstimate(self.box_shown_ns, 0))
        first = min(counted, key=lambda time: time.time_ns, default=None)
        return cue_ns, max(cue_ns, (first.time_ns if first else cue_ns) + self.window_ns), first

    def time_of_decision(self, timelines: Sequence[SeatTimeline]) -> int | None:
        """Return the time from which on it is decided if its hands stay as they are; None if a hand has not yet shown a
        throw, or moves."""
        if not timelines or not all(timeline.is_at_rest for timeline in timelines):
            return None
        _, lock_ns, _ = self.find_lock(timelines)
        return lock_ns + max(FIST_HOLD_NS if timeline.is_fist else OPEN_HAND_HOLD_NS for timeline in timelines)

    def check_camera(self, judgement: Judgement, occupancies: Sequence[ZoneOccupancy]) -> VoidReason | None:
        """Check camera and light from the time when hands may first show to the lock, once for each lock frame unless
        somebody is to blame or a fist came down more than once. A gap as long as the window hides all of a throw; a
        clip has nothing before time 0."""
        all_read = all(seat.at_lock is not None for seat in judgement.seats) and self._all_seen_around(judgement.cue_ns)
        checked = judgement.lock_frame.number, all_read
        # In the dark, something else is taken for a fist here and there.
        has_fouls = any(seat.verdict.is_foul or seat.cause is HandCause.CAME_DOWN_AGAIN for seat in judgement.seats)
        if checked in self.camera_checks and not has_fouls:
            return self.camera_checks[checked]
        hands = [seen.hand.landmarks for view in self.views for i in view.inspected_frames() if (seen := view(i))]
        hands += [hand for occupancy in occupancies for landmarks in occupancy.hands_by_frame for hand in landmarks]
        span_ns = max(0, judgement.cue_ns - judgement.window_ns), judgement.lock_ns
        max_gap_ns = min(judgement.window_ns, HAND_WINDOW_NS)
        void_reason = check_camera(self.frames, hands, span_ns, max_gap_ns, has_fouls, all_read)
        if not has_fouls:
            self.camera_checks[checked] = void_reason
        return void_reason

    def _all_seen_around(self, cue_ns: int) -> bool:
        """Whether every hand was seen at some time from cue − window to cue + window."""
        return all(
            any(abs(int(view.times_ns[i]) - cue_ns) <= self.window_ns and view(i) for i in view.inspected_frames())
            for view in self.views
        )
