"""The lock: when every hand showed its throw, the time after which nothing counts, and everybody's throw read from
one single exposure. ``Judge.judge_live`` follows a round while its frames arrive; ``Judge.judge_round`` decides it."""

import os
import queue
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from enum import Enum, auto
from functools import partial
from typing import Self

from device.camera.frames import Frame
from device.system.processes import lower_thread_priority
from rules.record.judgement import Verdict
from vision.hands.detector import HandDetector
from vision.hands.model_process import ModelProcess
from vision.lock.blame import settle_blame
from vision.lock.judgement import HAND_WINDOW_NS, MIN_FRAMES, Judgement
from vision.lock.observed_round import ObservedRound
from vision.lock.occupancy import CHECK_OFFSETS_NS, ZoneOccupancy, detect_occupancy, resolve_foreign_hands
from vision.lock.reasons import explain_verdict
from vision.lock.second_look import ZoneSecondLook, agreed_timeline, combine_times, seats_to_check, second_looks
from vision.lock.segments import COARSE_STEP_NS, inspect_ahead
from vision.lock.verdict import SeatTimeline, SeatVerdict, observe_round, search_end_ns
from vision.lock.zone_view import ZoneView
from vision.zones import Zone

DETECTION_CONFIDENCE = 0.2
"""Confidence of the hand detector: low, since blurred hands are what is timed, and the shape segments drop what is no
hand."""
SECOND_HAND_CONFIDENCE = 0.3
"""Confidence of the detector that looks for a second hand: higher, since a single detection may accuse a player."""
EXPECTED_CALLS_PER_SEAT = 30
"""Calls of the hand model for a seat in a late round, for the progress display, which only rounds that are not clear
show: measurements/2026-11/judge-performance.md measures 18 to 43."""
FIRST_LOOK_NS = 200_000_000
"""When hands are first looked at after the cue: by then most rest in their throw, and a hand at rest shows where to
search for it in motion. Looked at in the order of time, openings of real clips were timed up to 60 ms too late."""
JUDGE_NICE_LEVEL = 5
"""Nice level of the judge's threads next to a screen that must stay smooth: measurements/2026-11/frame-rate.md has the
measurements."""


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
        self._on_read: Callable[[], None] | None = None

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
        on_read: Callable[[], None] | None = None,
    ) -> Judgement:
        """Judge a round while its frames arrive. Hands are looked at before the cue, and every ``COARSE_STEP_NS`` from
        ``FIRST_LOOK_NS`` after it on. The round is decided as soon as nothing can change any more (docs/lock.md): every
        hand has shown a throw on time, rests in it, and has kept it for long enough after the lock. Else everything is
        searched that may hold a late or changed throw.

        Args:
            frames_until: Waits for the frames until a time in ns, and returns all frames of the round until then, in
                order of time. Its times are never earlier than before. It may raise an error.
            on_seen: Called with the indices of the hands that have shown a throw and rest in it, whenever these change.
            on_read: Called in the judge's threads whenever one has read a hand for a while: on a slow box a single look
                takes seconds.

        For the other arguments and the errors see ``__call__``.
        """
        observed = self._start_round(zones, cue_ns, window_ns, box_shown_ns, on_read)
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
        self,
        zones: Sequence[Zone],
        cue_ns: int | None,
        window_ns: int,
        box_shown_ns: int | None,
        on_read: Callable[[], None] | None = None,
    ) -> ObservedRound:
        """Return a new round, of which nothing has been observed yet."""
        self._on_read = on_read
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
        while unchecked := seats_to_check(judgement, timelines) - checked:
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

        # A hand that is there and can't be read is nobody's foul.
        resolved = tuple(
            settle_blame(seat, observed.looks(index), judgement.lock_ns) for index, seat in enumerate(resolved)
        )

        # Or the camera could not see the round.
        void_reason = observed.check_camera(judgement, occupancies) or void_reason
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
        observed.check_camera(judgement, self._look_for_others(observed.views, judgement))

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
            return replace(verdict, cause=verdict.cause or explain_verdict(verdict.verdict, timeline.view, lock_ns))

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
        if self._on_read is not None:
            self._on_read()


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
                if judgement.is_clear and self.until_ns >= judgement.lock_ns + max(CHECK_OFFSETS_NS):
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
        self._is_clear = judgement.is_clear and self._decision_ns is not None
        if self._decision_ns is not None and self._is_clear and self._decision_ns <= self.until_ns:
            return replace(judgement, decided_ns=self.until_ns)
        if not self._is_clear:
            self._decision_ns = None
        return None
