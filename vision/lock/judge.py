"""The lock: when every hand showed its throw, the time after which nothing counts, and everybody's throw read from
one single exposure. ``Judge.judge_live`` follows a round while its frames arrive; ``Judge.judge_round`` decides it."""

import os
import queue
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from functools import partial
from typing import Self

from device.camera.frames import Frame
from device.system.priority import lower_thread_priority
from errors import ThrowlockError
from messages import ngettext_lazy
from rules.record.judgement import Verdict
from rules.throws import WINDOW_MS
from vision.hands.detector import HandDetector
from vision.hands.model_process import ModelProcess
from vision.lock.camera_checks import check_camera, check_frame_gaps
from vision.lock.causes import explain_verdict
from vision.lock.inference import TimeEstimate
from vision.lock.occupancy import CHECK_OFFSETS_NS, ZoneOccupancy, detect_occupancy, resolve_foreign_hands
from vision.lock.second_look import ZoneSecondLook, agreed_timeline, combine_times, is_doubtful, second_looks
from vision.lock.segments import COARSE_STEP_NS, inspect_ahead
from vision.lock.verdict import HOLD_AFTER_LOCK_NS, SeatTimeline, SeatVerdict, observe_round, search_end_ns
from vision.lock.void_reasons import VoidReason
from vision.lock.zone_view import ZoneView
from vision.zones import Zone

HAND_WINDOW_NS = WINDOW_MS * 1_000_000
"""From the first hand to the lock."""
MIN_FRAMES = 3
"""Fewest frames a round can be judged from."""
DETECTION_CONFIDENCE = 0.2
"""Confidence of the hand detector: low, since blurred hands are what is timed, and the shape segments drop what is no
hand."""
SECOND_HAND_CONFIDENCE = 0.3
"""Confidence of the detector that looks for a second hand: higher, since a single detection may accuse a player."""
EXPECTED_CALLS_PER_SEAT = 30
"""Calls of the hand model for a seat in a late round, for the progress display, which only rounds that are not clear
show: docs/judge-performance.md measures 18 to 43."""
OPEN_HAND_HOLD_NS = 200_000_000
"""How long after the lock paper and scissors must be kept where nobody shows a fist: until the end of the strips that
are kept as evidence. What a hand does after that, while it rests and the verdict is made, changes nothing."""
FIRST_LOOK_NS = 200_000_000
"""When hands are first looked at after the cue: by then most rest in their throw, and a hand at rest shows where to
search for it in motion. Looked at in the order of time, openings of real clips were timed up to 60 ms too late."""
FIST_HOLD_NS = HOLD_AFTER_LOCK_NS
"""How long hands are watched after the lock where somebody shows a fist: it may still open, and be late."""
JUDGE_NICE_LEVEL = 5
"""Nice level of the judge's threads next to a screen that must stay smooth: docs/frame-rate.md has the measurements."""


class LockError(ThrowlockError, ValueError):
    """A recording that can't be judged. The message says why."""


@dataclass(frozen=True)
class Judgement:
    """One judged round."""

    cue_ns: int
    """The cue, on the camera's clock."""
    first_ns: int | None
    """When the first hand showed its throw; None if none did."""
    lock_ns: int
    window_ns: int
    """From the first hand to the lock."""
    lock_frame: Frame
    """The exposure nearest the lock."""
    seats: tuple[SeatVerdict, ...]
    """A verdict per seat, in the order of the seats."""
    void_reason: VoidReason | None = None
    """Why the round is void whatever the seats showed, with nobody to blame; None if it counts."""
    decided_ns: int | None = None
    """When the round was clear, so that nothing after it counted; None if all of it was searched."""

    @property
    def fouls(self) -> tuple[SeatVerdict, ...]:
        """The seats whose verdict is a foul."""
        return tuple(seat for seat in self.seats if seat.verdict.is_foul)

    def for_seats(self, seats: Sequence[int]) -> "Judgement":
        """Return the judgement of a round in which only some of a table's seats threw: ``seats`` are the numbers of
        seat 1, 2, … as judged, and everything that names a seat names it by its own number from here on."""

        def renumber(seat: int | None) -> int | None:
            return None if seat is None else seats[seat - 1]

        verdicts = [
            replace(verdict, seat=seat, entered_zone=renumber(verdict.entered_zone))
            for seat, verdict in zip(seats, self.seats, strict=True)
        ]
        void_reason = self.void_reason and replace(self.void_reason, seat=renumber(self.void_reason.seat))
        return replace(self, seats=tuple(verdicts), void_reason=void_reason)

    def ms_after_cue(self, time_ns: int) -> float:
        """Return how long after the cue a time is, in ms with one decimal, as it is written down."""
        return round((time_ns - self.cue_ns) / 1e6, 1)

    def ms_after_first(self, time_ns: int) -> float:
        """Return how long after the first hand a time is, in ms with one decimal; after the cue where there was no
        first hand. Computed from times after the cue, so that what is written down gives the same figure."""
        first_ms = 0.0 if self.first_ns is None else self.ms_after_cue(self.first_ns)
        return round(self.ms_after_cue(time_ns) - first_ms, 1)


def check_frame_count(frames: Sequence[Frame]) -> None:
    """Raise LockError if there are fewer than ``MIN_FRAMES`` frames."""
    if len(frames) < MIN_FRAMES:
        raise LockError(
            ngettext_lazy(
                "only {count} frame: too few to judge a throw",
                "only {count} frames: too few to judge a throw",
                len(frames),
            )
        )


def void_judgement(frames: Sequence[Frame], zones: Sequence[Zone], cue_ns: int, window_ns: int) -> Judgement:
    """Return the judgement on a round with fewer than ``MIN_FRAMES`` frames (one at least): void, and nobody seen."""
    lock_ns = cue_ns + window_ns
    void_reason = check_frame_gaps([frame.exposed_ns for frame in frames], cue_ns - window_ns, lock_ns, 0)
    seats = tuple(
        SeatVerdict(seat, Verdict.UNSEEN, None, None, None, zone.box(frames[0].size))
        for seat, zone in enumerate(zones, 1)
    )
    return Judgement(cue_ns, None, lock_ns, window_ns, frames[-1], seats, void_reason)


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
    camera_checks: dict[int, VoidReason | None] = field(default_factory=dict)
    """What the check of the camera found, where nobody is to blame, by the lock frame's number."""

    def extend(self, frames: Sequence[Frame]) -> None:
        """Go on with a recording that has grown. Raises LockError and ZoneError."""
        check_frame_count(frames)
        self.frames = frames
        for view in self.views:
            view.extend(frames)
        self.views = self.views or [ZoneView(frames, zone) for zone in self.zones]

    def inferences(self, index: int) -> int:
        """Return how often the hand model was called for a seat, given by its index."""
        looks = self.second_looks.get(index, ())
        return sum(view.inferences for view in (self.views[index], *(look.view for look in looks)))

    def find_lock(self, timelines: Sequence[SeatTimeline]) -> tuple[int, int, TimeEstimate | None]:
        """Return the cue and the lock, in ns, and the time of the first hand, if there was one: the first not before
        cue − window, or the box's, sets the lock, which is never before the cue."""
        shown = [timeline.decisive.shown for timeline in timelines if timeline.decisive and timeline.decisive.shown]
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


class Judge:
    """Judges rounds of hands, with one process of the hand model for each seat that is read in parallel::

        with Judge(seats=2) as judge:
            judgement = judge(frames, zones, cue_ns)

    Args:
        seats: How many seats are read in parallel, at most one per processor core.
        nice: Nice level (0–19) of its threads and of the model's processes. Only Linux has priorities of threads.

    Raises:
        ModelError: The hand model can't be loaded.
    """

    def __init__(self, seats: int = 2, nice: int = 0) -> None:
        self.workers = max(1, min(seats, os.cpu_count() or 1))
        """Seats that are read in parallel."""
        self._free_detectors: queue.SimpleQueue[tuple[HandDetector, HandDetector]] = queue.SimpleQueue()
        self._detectors: list[HandDetector] = []
        threads = max(1, (os.cpu_count() or 1) // self.workers)
        self._processes = [ModelProcess(threads) for _ in range(self.workers)]
        lower_priority = partial(lower_thread_priority, nice) if nice else None
        self._pool = ThreadPoolExecutor(self.workers, thread_name_prefix="lock", initializer=lower_priority)
        try:
            list(self._pool.map(self._load_models, self._processes))  # in the pool: they inherit its priority
        except BaseException:
            self.close()
            raise
        self._calls_at_start, self._expected_calls = 0, 0

    def _load_models(self, process: ModelProcess) -> None:
        pair = (
            HandDetector(confidence=DETECTION_CONFIDENCE, process=process),
            HandDetector(confidence=SECOND_HAND_CONFIDENCE, hands=2, process=process),
        )
        self._detectors += pair
        self._free_detectors.put(pair)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the models."""
        self._pool.shutdown()
        for process in self._processes:
            process.close()

    @property
    def calls(self) -> int:
        """Calls of the hand model so far."""
        return sum(detector.calls for detector in self._detectors)

    @property
    def progress(self) -> float:
        """Share (0–1) of the current round that is judged, estimated from the calls of the model; 0 before the first
        round. Safe to read from another thread."""
        return min(1.0, (self.calls - self._calls_at_start) / self._expected_calls) if self._expected_calls else 0.0

    def __call__(
        self,
        frames: Sequence[Frame],
        zones: Sequence[Zone],
        cue_ns: int | None = None,
        window_ns: int = HAND_WINDOW_NS,
        box_shown_ns: int | None = None,
    ) -> Judgement:
        """Judge a recording, exactly as ``judge_live`` does while it is made.

        Args:
            frames: The recording, in order of time, with exposure times.
            zones: A zone per seat.
            cue_ns: The cue; None where the players counted for themselves: then the first hand is the cue.
            window_ns: From the first hand to the lock.
            box_shown_ns: When the box itself showed its throw, where people practise against it.

        Raises:
            LockError: There are fewer than ``MIN_FRAMES`` frames.
            ZoneError: A zone has no pixels.
            ModelError: The hand model stopped, and once more in a new process.
        """
        if cue_ns is None:
            observed = self._start_round(zones, None, window_ns, box_shown_ns)
            observed.extend(frames)
            return self.judge_round(observed, self.follow_hands(observed))
        end_ns, times_ns = search_end_ns(cue_ns, window_ns), [frame.exposed_ns for frame in frames]

        def frames_until(until_ns: int) -> Sequence[Frame]:
            return frames[: bisect_right(times_ns, until_ns)] if until_ns < end_ns else frames

        return self.judge_live(frames_until, zones, cue_ns, window_ns, box_shown_ns)

    def judge_live(
        self,
        frames_until: Callable[[int], Sequence[Frame]],
        zones: Sequence[Zone],
        cue_ns: int,
        window_ns: int = HAND_WINDOW_NS,
        box_shown_ns: int | None = None,
        on_seen: Callable[[Collection[int]], None] | None = None,
    ) -> Judgement:
        """Judge a round while its frames arrive. Hands are looked at before the cue, and every ``COARSE_STEP_NS`` from
        ``FIRST_LOOK_NS`` after it on. The round is decided as soon as nothing can change any more (docs/lock.md): every
        hand has shown a throw on time, rests in it, and has kept it for long enough after the lock. Else everything is
        searched that may hold a late or changed throw.

        Args:
            frames_until: Waits for the frames until a time in ns, and returns all frames of the round until then, in
                order of time. Its times are never earlier than before. It may raise an error.
            on_seen: Called with the indices of the hands that have shown a throw and rest in it, whenever these change.

        For the other arguments and the errors see ``__call__``.
        """
        observed = self._start_round(zones, cue_ns, window_ns, box_shown_ns)
        end_ns = search_end_ns(cue_ns, window_ns)
        live = _LiveRound(self, observed, cue_ns, end_ns, on_seen)
        while live.until_ns < end_ns:
            frames = frames_until(live.until_ns)
            if len(frames) >= MIN_FRAMES:
                observed.extend(frames)
                if judgement := live.look():
                    return judgement
            live.move_on()
        observed.extend(frames_until(end_ns))
        return self.judge_round(observed, self.follow_hands(observed))

    def _start_round(
        self, zones: Sequence[Zone], cue_ns: int | None, window_ns: int, box_shown_ns: int | None
    ) -> ObservedRound:
        """Return a new round, of which nothing has been observed yet."""
        self._calls_at_start, self._expected_calls = self.calls, EXPECTED_CALLS_PER_SEAT * len(zones)
        return ObservedRound(zones, cue_ns, window_ns, box_shown_ns)

    def look_ahead(self, observed: ObservedRound) -> None:
        """Look at the frames before the cue that will be looked at in any case."""

        def observe(view: ZoneView) -> None:
            with self._lend_detector(view):
                observe_round(view, observed.cue_ns, observed.window_ns)

        list(self._pool.map(observe, observed.views))

    def follow_hands(
        self, observed: ObservedRound, is_growing: bool = False, preliminary: Sequence[SeatTimeline | None] = ()
    ) -> list[SeatTimeline]:
        """Return when each hand showed which throw; a preliminary answer for a recording that is still growing.
        ``preliminary`` are such answers, for the same frames."""

        def follow_hand(view: ZoneView, known: SeatTimeline | None) -> SeatTimeline:
            with self._lend_detector(view):
                return SeatTimeline(view, observed.cue_ns, observed.window_ns, is_growing=is_growing, preliminary=known)

        return list(self._pool.map(follow_hand, observed.views, preliminary or [None] * len(observed.views)))

    def judge_round(self, observed: ObservedRound, timelines: Sequence[SeatTimeline]) -> Judgement:
        """Return the judgement on a round whose seats have these timelines."""
        timelines = list(timelines)
        judgement = self.judge_times(observed, timelines)

        # A doubtful time is measured again, in the mirrored image and in other frames; so is one that would accuse, and
        # so a hand that was seen is read again before it is called unclear or unseen.
        checked: set[int] = set()
        while unchecked := _seats_to_check(judgement, timelines) - checked:
            for seat, others in self._look_again(observed, unchecked).items():
                is_unread = judgement.seats[seat].verdict in (Verdict.UNCLEAR, Verdict.UNSEEN)
                if is_unread and (agreed := agreed_timeline(others)):
                    timelines[seat] = agreed
                else:
                    combine_times(timelines[seat], others)
            checked |= unchecked
            judgement = self.judge_times(observed, timelines)

        # Unless somebody else's hand was in the zone.
        occupancies = self._look_for_others(observed.views, judgement)
        seats = [replace(seat, inferences=observed.inferences(index)) for index, seat in enumerate(judgement.seats)]
        resolved, void_reason = resolve_foreign_hands(seats, occupancies, judgement.lock_frame.size)

        # Or the camera could not see the round.
        void_reason = _check_camera(judgement, observed, occupancies) or void_reason
        return replace(judgement, seats=resolved, void_reason=void_reason)

    def _look_again(self, observed: ObservedRound, seats: Collection[int]) -> dict[int, list[SeatTimeline]]:
        """Return what second looks find at these seats."""

        def follow_hand(look: ZoneSecondLook) -> SeatTimeline:
            look.extend(observed.frames)
            with self._lend_detector(look.view):
                return SeatTimeline(look.view, observed.cue_ns, observed.window_ns, look.phase_ns)

        for seat in seats:
            if seat not in observed.second_looks:
                observed.second_looks[seat] = second_looks(observed.frames, observed.zones[seat])
        looks = [look for seat in sorted(seats) for look in observed.second_looks[seat]]
        timelines = self._pool.map(follow_hand, looks)
        return {seat: [next(timelines) for _ in observed.second_looks[seat]] for seat in sorted(seats)}

    def prepare_decision(
        self, observed: ObservedRound, timelines: Sequence[SeatTimeline], judgement: Judgement
    ) -> None:
        """Look at what the decision on a clear round will need, as far as there are frames."""

        def inspect(timeline: SeatTimeline) -> None:
            with self._lend_detector(timeline.view):
                inspect_ahead(timeline.view, timeline.coarse_frames, timeline.shape_segments)

        list(self._pool.map(inspect, timelines))
        _check_camera(judgement, observed, self._look_for_others(observed.views, judgement))

    def _look_for_others(self, views: Sequence[ZoneView], judgement: Judgement) -> list[ZoneOccupancy]:
        anybody_missing = any(seat.verdict is Verdict.UNSEEN for seat in judgement.seats)

        def look_for_others(view: ZoneView, seat: SeatVerdict) -> ZoneOccupancy:
            with self._lend_detector(view, pair=True) as pair_detector:
                return detect_occupancy(view, seat, judgement.lock_ns, anybody_missing, pair_detector)

        return list(self._pool.map(look_for_others, views, judgement.seats))

    def judge_times(self, observed: ObservedRound, timelines: Sequence[SeatTimeline]) -> Judgement:
        """Return the judgement by the times at which the hands showed their throws."""
        cue_ns, lock_ns, first = observed.find_lock(timelines)
        lock_sigma_ns = first.sigma_ns if first and lock_ns > cue_ns else 0
        lock_frame = min(observed.frames, key=lambda frame: abs(frame.exposed_ns - lock_ns))

        # Everybody's throw is what the lock frame shows.
        def judge_seat(seat: int, timeline: SeatTimeline) -> SeatVerdict:
            with self._lend_detector(timeline.view):
                verdict = timeline.verdict(seat, cue_ns, lock_ns, lock_sigma_ns)
            return replace(verdict, cause=explain_verdict(verdict.verdict, timeline.view, lock_ns))

        seats = tuple(self._pool.map(judge_seat, range(1, len(timelines) + 1), timelines))
        return Judgement(cue_ns, first.time_ns if first else None, lock_ns, observed.window_ns, lock_frame, seats)

    @contextmanager
    def _lend_detector(self, view: ZoneView, pair: bool = False) -> Iterator[HandDetector]:
        """Lend the view a detector, of two hands for a ``pair``, and count its calls on the view."""
        detectors = self._free_detectors.get()
        view.detector = detector = detectors[pair]
        calls_before = detector.calls
        try:
            yield detector
        finally:
            view.inferences += detector.calls - calls_before
            view.detector = None
            self._free_detectors.put(detectors)


class _LiveState(Enum):
    BEFORE_CUE = auto()
    """Nobody may throw yet: frames are only looked at ahead of time."""
    MOVING = auto()
    """Somebody has not shown a throw yet, or moves."""
    HOLDING = auto()
    """Every hand rests in a throw, and must keep it for a while after the lock."""
    KEPT = auto()
    """Every hand has kept its throw for long enough: the round may be decided."""
    UNCLEAR = auto()
    """Somebody's throw did not count: the round waits for all frames, which may excuse or accuse."""


class _LiveRound:
    """A round that is judged while its frames arrive: what to do with those until ``until_ns``, and which to wait for
    next.

    Args:
        judge: Looks at the hands.
        observed: The round, with the frames until ``until_ns`` whenever ``look`` is called.
        cue_ns: The cue.
        end_ns: Until when a late or changed hand is searched for.
        on_seen: See ``Judge.judge_live``.
    """

    def __init__(
        self,
        judge: Judge,
        observed: ObservedRound,
        cue_ns: int,
        end_ns: int,
        on_seen: Callable[[Collection[int]], None] | None,
    ) -> None:
        self._judge, self._observed, self._cue_ns, self._end_ns = judge, observed, cue_ns, end_ns
        self._on_seen = on_seen or (lambda seats: None)
        # Steps are counted back from the end: a recording is then looked at in the same frames as live.
        self.until_ns = end_ns - ((end_ns - cue_ns) // COARSE_STEP_NS + 1) * COARSE_STEP_NS
        """The time in ns until which frames are needed."""
        self._timelines: list[SeatTimeline] = []
        self._seen: set[int] = set()
        self._decision_ns: int | None = None
        self._is_clear = True

    def look(self) -> Judgement | None:
        """Look at the frames so far, and return the judgement if nothing after them can change it."""
        match self._observe():
            case _LiveState.BEFORE_CUE:
                self._judge.look_ahead(self._observed)
            case _LiveState.HOLDING:
                # Done while everybody waits anyway, so that little is left to do when the last needed frame arrives.
                judgement = self._judge.judge_times(self._observed, self._timelines)
                if _is_clear(judgement) and self.until_ns >= judgement.lock_ns + max(CHECK_OFFSETS_NS):
                    self._judge.prepare_decision(self._observed, self._timelines, judgement)
            case _LiveState.KEPT:
                return self._decide()
            case _LiveState.MOVING | _LiveState.UNCLEAR:
                pass
        return None

    def move_on(self) -> None:
        """Wait for the next step of the coarse pass, or less long if the round may be decided before."""
        next_ns = self.until_ns + (self._end_ns - self.until_ns - 1) % COARSE_STEP_NS + 1
        if self._decision_ns is not None:
            next_ns = min(next_ns, self._decision_ns)
        self.until_ns = max(next_ns, self._cue_ns + FIRST_LOOK_NS)

    def _observe(self) -> _LiveState:
        """Follow the hands in the frames so far, report those at rest, and return the round's state."""
        self._decision_ns = None
        if self.until_ns < self._cue_ns:
            return _LiveState.BEFORE_CUE
        if not self._is_clear:
            return _LiveState.UNCLEAR
        self._timelines = self._judge.follow_hands(self._observed, is_growing=True)
        at_rest = {number for number, timeline in enumerate(self._timelines) if timeline.is_at_rest}
        if at_rest != self._seen:
            self._on_seen(at_rest)
            self._seen = at_rest
        self._decision_ns = self._observed.time_of_decision(self._timelines)
        if self._decision_ns is None:
            return _LiveState.MOVING
        return _LiveState.KEPT if self._decision_ns <= self.until_ns else _LiveState.HOLDING

    def _decide(self) -> Judgement | None:
        """Judge the round by all that is known, and return the judgement if it is clear."""
        timelines = self._judge.follow_hands(self._observed, preliminary=self._timelines)
        judgement = self._judge.judge_round(self._observed, timelines)
        # Times that were measured again may have moved the lock, and with it the time of the decision.
        self._decision_ns = self._observed.time_of_decision(timelines)
        self._is_clear = _is_clear(judgement) and self._decision_ns is not None
        if self._decision_ns is not None and self._is_clear and self._decision_ns <= self.until_ns:
            return replace(judgement, decided_ns=self.until_ns)
        if not self._is_clear:
            self._decision_ns = None
        return None


def _is_clear(judgement: Judgement) -> bool:
    """Whether everybody's throw counts."""
    on_time = all(seat.verdict is Verdict.ON_TIME and seat.at_lock is not None for seat in judgement.seats)
    return on_time and judgement.void_reason is None


def _seats_to_check(judgement: Judgement, timelines: Sequence[SeatTimeline]) -> set[int]:
    """Return the indices of the seats accused by their time, as unclear, or as unseen though their throw was timed; of
    the seat whose hand was first if another is late or changed compared with it; and of those whose time is
    doubtful."""
    doubtful = {number for number, timeline in enumerate(timelines) if is_doubtful(timeline)}
    shown_ns = [one.decisive.shown.time_ns if one.decisive and one.decisive.shown else None for one in timelines]
    accused = {
        number
        for number, seat in enumerate(judgement.seats)
        if seat.verdict.depends_on_lock
        or seat.verdict is Verdict.UNCLEAR
        or (seat.verdict in (Verdict.EARLY, Verdict.UNSEEN) and shown_ns[number] is not None)
    }
    if judgement.first_ns in shown_ns and any(seat.verdict.depends_on_lock for seat in judgement.seats):
        accused.add(shown_ns.index(judgement.first_ns))
    return accused | doubtful


def _check_camera(
    judgement: Judgement, observed: ObservedRound, occupancies: Sequence[ZoneOccupancy]
) -> VoidReason | None:
    """Check camera and light from the time when hands may first show to the lock, once for each lock frame unless
    somebody is to blame. A gap as long as the window hides all of a throw; a recording has nothing before time 0."""
    lock_frame, has_fouls = judgement.lock_frame.number, bool(judgement.fouls)
    if lock_frame in observed.camera_checks and not has_fouls:
        return observed.camera_checks[lock_frame]
    hands = [seen.hand.landmarks for view in observed.views for i in view.inspected_frames() if (seen := view(i))]
    hands += [hand for occupancy in occupancies for found in occupancy.hands_by_frame for hand in found]
    span_ns = max(0, judgement.cue_ns - judgement.window_ns), judgement.lock_ns
    max_gap_ns = min(judgement.window_ns, HAND_WINDOW_NS)
    void_reason = check_camera(observed.frames, hands, span_ns, max_gap_ns, has_fouls)
    if not has_fouls:
        observed.camera_checks[lock_frame] = void_reason
    return void_reason
