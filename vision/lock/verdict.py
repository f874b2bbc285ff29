"""One seat's round: the throws its hand kept and when it showed each of them; and, once the lock is known, the verdict
on the seat."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from device.camera.frames import Box, Frame
from rules.record.judgement import INTERVAL_SIGMAS, Verdict
from rules.throws import WINDOW_MS, Throw
from vision.lock.inference import TimeEstimate, span_of
from vision.lock.landing_time import MAX_SWING_NS, comes_to_rest, estimate_landing, find_earlier_rest, rest_frame
from vision.lock.reasons import HandCause
from vision.lock.segments import COARSE_STEP_NS, ShapeSegment, coarse_pass, find_segments
from vision.lock.transition_time import ShapeTransition, estimate_transition
from vision.lock.zone_view import ZoneView

SEARCH_BEFORE_CUE_NS = 700_000_000
"""How long before the cue frames are searched: it covers the last swing, and a hand that opens early."""
SEARCH_AFTER_LOCK_NS = 600_000_000
"""How long after the latest possible lock frames are searched for a late or changed hand."""
HOLD_AFTER_LOCK_NS = 500_000_000
"""How long after the lock a throw must be kept; people may lower their hands then."""
OPENING_COMPLETION_NS = 100_000_000
"""An opening that has begun at the lock is given the shape it completes within this time."""
LANDING_TOLERANCE_NS = OPENING_COMPLETION_NS // 2
"""A fist that comes to rest within this time after the lock is not late."""
OPENING_BEGUN_SHARE = 0.2
"""Share of an opening from which it counts as begun."""
OPENING_BEGUN_NS = 25_000_000
"""How long before its middle an opening has come that far: 0.2 of its 120 ms (minimum jerk)."""
MAX_DOUBT_NS = 100_000_000
"""The most that the uncertainty of times excuses: every throw later than that, 250 ms after the first hand, is late."""
MAX_KNOWN_SIGMA_NS = WINDOW_MS * 1_000_000
"""The standard deviation from which a time is not known: all of its uncertainty counts then. Of 1,100 rendered fouls
the worst had 51 ms; in strongly compressed films, looks at one hand were up to 1.5 s apart and accused two honest
players."""
WHOLE_AFTER_LOCK_NS = 300_000_000
"""How long after the lock the hand is surely shown, and must be whole in its zone."""
FIST_REST_NS = 200_000_000
"""How long after the latest possible lock a fist is inspected to see where it rests."""


@dataclass(frozen=True)
class SeatVerdict:
    """The lock's verdict on one seat."""

    seat: int
    """The number of the seat: from 1, in the order of the zones judged, until ``Judgement.for_seats``."""
    verdict: Verdict
    throw: Throw | None
    """What the hand showed at ``shown``: for a late or early hand, or one that may be, the throw it came to, else that
    at the lock."""
    at_lock: Throw | None
    """The throw in the lock frame."""
    shown: TimeEstimate | None
    """When the hand showed its throw."""
    crop: Box
    """The seat's zone in pixels of the frame; for a card, the part of it around the card."""
    inferences: int = 0
    """Calls of the hand model that the verdict took."""
    changed_to: Throw | None = None
    """What a changed hand, or one that may have changed after the lock, showed later."""
    hand_boxes: tuple[Box, ...] = ()
    """The hand in the frames just after the lock, in pixels of the frame; they may leave the zone."""
    cause: StrEnum | None = None
    """Why a hand is unclear, unseen or too close to call, or what was wrong with a card, if known."""
    entered_zone: int | None = None
    """The number of the seat whose zone the hand entered, if it is another's."""
    card_marker: int | None = None
    """The marker of the card that was read."""
    proof_frame: Frame | None = None
    """The frame that shows a foul, or what may be one, which the lock frame does not: another throw than that at the
    lock, or a committed card that was lifted."""


@dataclass(frozen=True)
class ThrowSegment:
    """A throw that a hand kept (None: none of the three), and when the hand showed it, if known."""

    throw: Throw | None
    segment: ShapeSegment
    shown: TimeEstimate | None = None
    transition: ShapeTransition | None = None
    came_down_again: bool = False
    """Whether it is a fist that came down, but did not stay: nobody can say which swing was the throw, and ``shown``
    reaches from the first time it may have been shown to the last."""

    @property
    def is_open_hand(self) -> bool:
        """Whether it is a throw that a fist opens to."""
        return self.throw not in (None, Throw.ROCK)


def doubt_ns(*sigmas_ns: int) -> int:
    """Return how far the 95 % interval of a time, or of the difference of two, reaches to either side: at most
    ``MAX_DOUBT_NS``, unless the time is less certain than ``MAX_KNOWN_SIGMA_NS``."""
    sigma_ns = math.hypot(*sigmas_ns)
    reach_ns = round(INTERVAL_SIGMAS * sigma_ns)
    return reach_ns if sigma_ns > MAX_KNOWN_SIGMA_NS else min(reach_ns, MAX_DOUBT_NS)


def compare_with_lock(shown: TimeEstimate, lock_ns: int, lock_sigma_ns: int, tolerance_ns: int) -> Verdict:
    """Return whether a throw was shown on time, late, or too close to the lock to call.

    It is late if the whole 95 % interval of the difference lies after the lock, and the time itself by more than
    ``tolerance_ns``. It is on time if the time is not after the lock, or the interval lies within the tolerance."""
    late_ns, doubt = shown.time_ns - lock_ns, doubt_ns(shown.sigma_ns, lock_sigma_ns)
    if late_ns <= 0 or late_ns + doubt <= tolerance_ns:
        return Verdict.ON_TIME
    return Verdict.LATE if late_ns > max(doubt, tolerance_ns) else Verdict.TOO_CLOSE


def search_end_ns(cue_ns: int, window_ns: int) -> int:
    """Return until when a late or changed hand is searched for."""
    return cue_ns + 2 * window_ns + SEARCH_AFTER_LOCK_NS


def observe_round(view: ZoneView, cue_ns: int | None, window_ns: int, phase_ns: int = 0) -> tuple[int, list[int]]:
    """Observe the hand in the frames of the coarse pass. Return the time from which on it is searched, in ns, and these
    frames. For the arguments see ``SeatTimeline``."""
    start_ns, end_ns = int(view.times_ns[0]), int(view.times_ns[-1])
    if cue_ns is None:
        return start_ns, coarse_pass(view, start_ns, end_ns - phase_ns)
    start_ns, latest_ns = max(start_ns, cue_ns - SEARCH_BEFORE_CUE_NS), search_end_ns(cue_ns, window_ns)
    end_ns, grid_ns = min(end_ns, latest_ns) - phase_ns, latest_ns - phase_ns
    return start_ns, coarse_pass(view, start_ns, end_ns, cue_ns - window_ns, grid_ns)


class SeatTimeline:
    """The throws that one seat's hand kept in a round, and when it showed them.

    Args:
        view: The seat's zone in the frames; it needs a detector for as long as the timeline is used.
        cue_ns: The cue; None where the players counted for themselves: then the whole recording is searched.
        window_ns: From the first hand to the lock.
        phase_ns: How much earlier the frames of the coarse pass lie than usual.
        is_growing: Whether further frames follow. This timeline is a preliminary one then: nothing is timed before the
            hand rests in a throw.
        preliminary: The preliminary timeline of the same frames. Its times hold where nothing has been seen since.
    """

    def __init__(
        self,
        view: ZoneView,
        cue_ns: int | None,
        window_ns: int,
        phase_ns: int = 0,
        is_growing: bool = False,
        preliminary: "SeatTimeline | None" = None,
    ) -> None:
        self.view = view
        self._cue_ns = cue_ns
        self._window_ns = window_ns
        self._since_ns, self.coarse_frames = observe_round(view, cue_ns, window_ns, phase_ns)
        self._is_growing = is_growing
        self.shape_segments = find_segments(view, self.coarse_frames, is_growing)
        frames_and_shapes = self.coarse_frames, self.shape_segments
        if is_growing and not self._rests():
            self.throw_segments: list[ThrowSegment] = []
            self.decisive: ThrowSegment | None = None
        elif preliminary is not None and preliminary._is_based_on(frames_and_shapes, view.observations):
            self.coarse_frames, self.shape_segments = preliminary.coarse_frames, preliminary.shape_segments
            self.throw_segments, self.decisive = preliminary.throw_segments, preliminary.decisive
        else:
            self.throw_segments = list(self._time_segments())
            self.decisive = self._find_decisive()
            """The throw that counts; None where the hand kept none."""
        self._evidence = frames_and_shapes, view.observations

    def _is_based_on(self, frames_and_shapes: tuple[list[int], list[ShapeSegment]], observations: int) -> bool:
        """Whether this timeline was made of these coarse frames and segments, and nothing was observed after it."""
        return self._evidence == (frames_and_shapes, observations)

    def _time_segments(self) -> Iterator[ThrowSegment]:
        """Yield every segment with the time the hand turned into it. What it showed from the start on, and a hand that
        is none of the three, have no time."""
        for number, segment in enumerate(self.shape_segments):
            previous = self.shape_segments[number - 1] if number else None
            is_from_start = segment.first <= self.coarse_frames[0]
            if segment.throw is None or is_from_start or (previous is None and segment.throw is Throw.ROCK):
                yield ThrowSegment(segment.throw, segment)
                continue
            transition = ShapeTransition(self.view, segment, previous)
            shown = estimate_transition(self.view, transition, segment, self.coarse_frames)
            yield ThrowSegment(segment.throw, segment, shown, transition)

    def _find_decisive(self) -> ThrowSegment | None:
        """Return the throw that counts: the first open hand that is not over before it could count; else the fist,
        unless the hand came to something that is no throw."""
        since_ns = self._cue_ns - self._window_ns if self._cue_ns is not None else int(self.view.times_ns[0]) - 1
        counting = [s for s in self.throw_segments if self.view.times_ns[s.segment.last] > since_ns]
        if open_hands := [s for s in counting if s.is_open_hand]:
            return open_hands[0]
        if not counting or counting[-1].throw is None:
            return None
        fist = counting[0] if self._cue_ns is not None and counting[0].throw else counting[-1]
        landed = estimate_landing(self.view, self._fist_rest_frame(fist.segment))
        if landed is not None and self._look_further_back():
            return self._find_decisive()  # it may have closed before
        closed = fist.shown if fist.transition and fist.transition.is_closing else None
        if closed and (landed is None or landed.time_ns < closed.time_ns + MAX_SWING_NS):
            landed = closed  # in mid-swing: like any other change of shape, timed by its middle
        return self._with_all_swings(replace(fist, shown=landed))

    def _with_all_swings(self, fist: ThrowSegment) -> ThrowSegment:
        """Return the fist with the time from its first swing that may have been the throw to its last, if there is more
        than one: it left at once where it came down, or had been resting there at the first possible lock."""
        landed, cue_ns, view = fist.shown, self._cue_ns, self.view
        if landed is None or cue_ns is None:
            return fist
        lock_ns, end_ns = cue_ns + self._window_ns, search_end_ns(cue_ns, self._window_ns)
        end = view.nearest_frame(min(end_ns, int(view.times_ns[-1])))
        first, last, rested = landed, None, None
        if landed.time_ns > lock_ns:
            last = estimate_landing(view, end)
            rested = find_earlier_rest(view, fist.segment, lock_ns, (last or landed).time_ns)
        if rested is not None:
            first = estimate_landing(view, rested) or TimeEstimate(int(view.times_ns[rested]), 0)
        elif comes_to_rest(view, landed.time_ns):
            return fist
        last = last or estimate_landing(view, end)
        if last is None or last.time_ns < first.time_ns + MAX_SWING_NS:
            last = TimeEstimate(int(view.times_ns[end]), 0)
        return replace(fist, shown=span_of(first, last), came_down_again=True)

    @property
    def is_fist(self) -> bool:
        """Whether the throw that counts is a fist, which may still open."""
        return self.decisive is not None and self.decisive.throw is Throw.ROCK

    @property
    def is_at_rest(self) -> bool:
        """Whether the hand has shown the throw that counts, and rests in it."""
        throw = self.decisive.throw if self.decisive else None
        return throw is not None and self.shape_segments[-1].throw is throw and self._rests()

    def _rests(self) -> bool:
        """Whether the hand has kept a throw, and its place, in the last two frames of the coarse pass that are at least
        half a step apart, and in any between them."""
        if not self.coarse_frames:
            return False
        last_ns, times_ns = int(self.view.times_ns[self.coarse_frames[-1]]), self.view.times_ns
        before = [i for i in self.coarse_frames if last_ns - int(times_ns[i]) >= COARSE_STEP_NS // 2]
        segment = self.shape_segments[-1] if self.shape_segments else None
        if segment is None or segment.throw is None or not before:
            return False
        last = {i for i in self.coarse_frames if i >= before[-1]}
        return last <= set(segment.frames) and rest_frame(self.view, segment) <= before[-1]

    def _look_further_back(self) -> bool:
        """Look at every second frame that the coarse pass would have observed next but for the fists it found; where
        any is no fist, observe the rest. Return whether the hand kept another shape before."""
        first_ns, since_ns = int(self.view.times_ns[self.coarse_frames[0]]), self._since_ns - MAX_SWING_NS
        skipped_ns = range(
            first_ns - 2 * COARSE_STEP_NS, max(since_ns, int(self.view.times_ns[0])), -2 * COARSE_STEP_NS
        )
        looks = [seen for time_ns in skipped_ns if (seen := self.view(self.view.nearest_frame(time_ns)))]
        if all(seen.reading.throw is Throw.ROCK for seen in looks):
            return False
        earlier = coarse_pass(self.view, since_ns, first_ns - COARSE_STEP_NS)
        self.coarse_frames = sorted({*earlier, *self.coarse_frames})
        self.shape_segments = find_segments(self.view, self.coarse_frames, self._is_growing)
        self.throw_segments = list(self._time_segments())
        return any(segment.throw is not Throw.ROCK for segment in self.shape_segments)

    def _fist_rest_frame(self, segment: ShapeSegment) -> int:
        if self._cue_ns is None:
            return rest_frame(self.view, segment)
        latest_ns = self._cue_ns + 2 * self._window_ns + FIST_REST_NS
        return self.view.nearest_frame(min(latest_ns, int(self.view.times_ns[segment.last])))

    def verdict(self, seat: int, cue_ns: int, lock_ns: int, lock_sigma_ns: int = 0) -> SeatVerdict:
        """Return the verdict on the seat, once the lock is known to ± ``lock_sigma_ns``. Only what is surely too late,
        too early or changed, by the uncertainty of the times and by the lock frame, is a foul by time."""
        decisive = self.decisive
        shown = decisive.shown if decisive else None
        at_lock, is_seen = self._read_lock_frame(lock_ns, lock_sigma_ns)
        is_rock = decisive is not None and decisive.throw is Throw.ROCK
        if not is_seen and is_rock and shown and 0 < shown.time_ns - lock_ns <= LANDING_TOLERANCE_NS:
            at_lock = Throw.ROCK  # lost in the blur of its swing
        unread = Verdict.UNCLEAR if is_seen else Verdict.UNSEEN
        verdict, throw, differing, change = Verdict.ON_TIME, at_lock, None, None
        if decisive is None or decisive.throw is None:
            verdict, throw = unread, None
        elif (by_time := self._judge_time(decisive, at_lock, cue_ns, lock_ns, lock_sigma_ns)) is not Verdict.ON_TIME:
            verdict, throw, differing = by_time, decisive.throw, decisive
        elif at_lock is None:
            verdict = unread
        else:
            verdict, change = self._find_change(at_lock, lock_ns, lock_sigma_ns)
            differing = change
        return SeatVerdict(
            seat,
            verdict,
            throw,
            at_lock,
            shown,
            self.view.box,
            changed_to=change.throw if change else None,
            hand_boxes=self._hand_boxes(lock_ns),
            cause=HandCause.CAME_DOWN_AGAIN if decisive and decisive.came_down_again else None,
            proof_frame=self._proof_frame(differing, lock_ns) if differing and differing.throw is not at_lock else None,
        )

    def _proof_frame(self, differing: ThrowSegment, lock_ns: int) -> Frame:
        """Return a frame that shows the throw of a segment which the lock frame does not show: as soon as its opening
        is surely complete."""
        times_ns = self.view.times_ns
        shown_ns = differing.shown.time_ns if differing.shown else int(times_ns[differing.segment.first])
        after = shown_ns > lock_ns
        frames = [
            i for i in differing.segment.frames if (int(times_ns[i]) > lock_ns) is after
        ] or differing.segment.frames
        wanted_ns = shown_ns + OPENING_COMPLETION_NS
        return self.view.frames[min(frames, key=lambda i: abs(int(times_ns[i]) - wanted_ns))]

    def _hand_boxes(self, lock_ns: int) -> tuple[Box, ...]:
        after_lock = [
            i
            for i in self.view.inspected_frames()
            if -OPENING_BEGUN_NS <= int(self.view.times_ns[i]) - lock_ns <= WHOLE_AFTER_LOCK_NS
        ]
        return tuple(seen.hand.box for i in after_lock if (seen := self.view(i)))

    def _judge_time(
        self, decisive: ThrowSegment, at_lock: Throw | None, cue_ns: int, lock_ns: int, lock_sigma_ns: int
    ) -> Verdict:
        """Return whether the throw was shown on time, early, late, or too close to one of them to call. An opening that
        the lock frame shows, if only half-way, is not late; nor is it on time if it shows later than ``MAX_DOUBT_NS``
        after the lock."""
        if decisive.is_open_hand:
            verdict = self._compare_with_cue(decisive.shown, cue_ns)
            if verdict is not Verdict.ON_TIME:
                return verdict
            if at_lock is decisive.throw:
                is_far = decisive.shown is not None and decisive.shown.time_ns - lock_ns > MAX_DOUBT_NS
                return Verdict.TOO_CLOSE if is_far else Verdict.ON_TIME
        if decisive.came_down_again:
            return Verdict.TOO_CLOSE
        if decisive.shown is None:
            return Verdict.ON_TIME
        tolerance_ns = OPENING_BEGUN_NS if decisive.is_open_hand else LANDING_TOLERANCE_NS
        return compare_with_lock(decisive.shown, lock_ns, lock_sigma_ns, tolerance_ns)

    def _compare_with_cue(self, shown: TimeEstimate | None, cue_ns: int) -> Verdict:
        """Return whether an open hand was shown before cue − window; without a time it was open from the start."""
        since_ns = cue_ns - self._window_ns
        if shown is None or shown.time_ns + doubt_ns(shown.sigma_ns) < since_ns:
            return Verdict.EARLY
        return Verdict.ON_TIME if shown.time_ns >= since_ns else Verdict.TOO_CLOSE

    def _find_change(self, at_lock: Throw, lock_ns: int, lock_sigma_ns: int) -> tuple[Verdict, ThrowSegment | None]:
        """Return whether the hand turned into another throw soon after the lock, and into which."""
        for segment in self.throw_segments:
            if segment.throw in (None, at_lock) or segment.shown is None:
                continue
            if segment.shown.time_ns - lock_ns <= HOLD_AFTER_LOCK_NS:
                tolerance_ns = OPENING_BEGUN_NS if segment.is_open_hand else 0
                verdict = compare_with_lock(segment.shown, lock_ns, lock_sigma_ns, tolerance_ns)
                if verdict is not Verdict.ON_TIME:
                    return (Verdict.CHANGED if verdict is Verdict.LATE else verdict), segment
        return Verdict.ON_TIME, None

    def _read_lock_frame(self, lock_ns: int, lock_sigma_ns: int) -> tuple[Throw | None, bool]:
        """Return the throw in the lock frame, and whether a hand is seen there at all. Where the frame itself does not
        show it (half open, blurred), it is what the hand completes at once, has surely begun to complete, or kept on
        both sides of the frame."""
        index = self.view.nearest_frame(lock_ns)
        for segment in self.throw_segments:
            if segment.is_open_hand and segment.shown is not None and segment.transition is not None:
                until_shown_ns = segment.shown.time_ns - lock_ns
                if abs(until_shown_ns) > OPENING_COMPLETION_NS:
                    continue
                on_time = compare_with_lock(segment.shown, lock_ns, lock_sigma_ns, OPENING_BEGUN_NS) is Verdict.ON_TIME
                if on_time or (segment.transition.progress(index) or 0) >= OPENING_BEGUN_SHARE:
                    return segment.throw, True
        times_ns = self.view.times_ns
        seen = self.view(index)
        for segment in self.throw_segments:
            shape = segment.segment
            since_ns = segment.shown.time_ns if segment.shown else int(times_ns[shape.first])
            is_near_lock = any(abs(int(times_ns[i]) - lock_ns) <= 2 * OPENING_COMPLETION_NS for i in shape.frames)
            if is_near_lock and since_ns <= lock_ns <= times_ns[shape.last]:
                return shape.throw, True
        return (seen.reading.throw, True) if seen else (None, False)
