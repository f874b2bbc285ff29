"""The lock: when every hand showed its throw, the instant after which nothing counts, and everybody's throw read from
one single exposure."""

import os
import queue
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from types import TracebackType
from typing import Self

from device.frames import Box, Frame
from rules.throws import Throw
from vision.hands.finder import HandFinder
from vision.runs import Run, coarse_pass, runs
from vision.sight import Sight
from vision.timing import Instant, Turning, landed, settled_from, turned
from vision.zones import Zone

WINDOW_NS = 150_000_000
"""Nobody can see a throw, choose an answer and form it within this time of the first hand (design, §1)."""
BEFORE_NS = 700_000_000
"""How long before the cue the ring is looked at: the last swing, and a hand that opens early."""
AFTER_NS = 600_000_000
"""How long after the lock a late or changed hand is looked for."""
COMPLETES_NS = 100_000_000
"""An opening that has begun at the lock is given the shape it completes within this time."""
RESTED_NS = 200_000_000
"""How long after the latest possible lock a fist is looked at to see where it rests."""
BEGUN = 0.2
"""The share of an opening from which it counts as begun."""


class LockFault(ValueError):
    """A recording that can't be judged. The message says why."""


class Verdict(StrEnum):
    """The verdict on a seat."""

    ON_TIME = "on time"
    LATE = "late"
    EARLY = "early"
    CHANGED = "changed"
    UNCLEAR = "unclear"
    UNSEEN = "unseen"

    @property
    def foul(self) -> bool:
        """Whether the round can't count as it is."""
        return self is not Verdict.ON_TIME


@dataclass(frozen=True)
class SeatVerdict:
    """What the lock says of one seat.

    ``throw`` is what the hand showed at ``shown``: for a late hand the throw it came to, else the one at the lock;
    ``at_lock`` is what the lock frame alone gives it. ``then`` is what a changed hand showed later. ``crop`` is the
    seat's zone in pixels of the frame, ``inferences`` the calls of the hand model it took.
    """

    seat: int
    verdict: Verdict
    throw: Throw | None
    at_lock: Throw | None
    shown: Instant | None
    crop: Box
    inferences: int
    then: Throw | None = None
    then_at: Instant | None = None


@dataclass(frozen=True)
class Judgement:
    """One round: the cue, the first hand (None if there was none), the lock, all in ns of the camera's clock, the
    exposure nearest the lock, and a verdict per seat in their order."""

    cue_ns: int
    first_ns: int | None
    lock_ns: int
    window_ns: int
    lock_frame: Frame
    seats: tuple[SeatVerdict, ...]

    @property
    def fouls(self) -> tuple[SeatVerdict, ...]:
        """The seats whose verdict is a foul."""
        return tuple(seat for seat in self.seats if seat.verdict.foul)


@dataclass(frozen=True)
class Showing:
    """A throw a hand kept (None: none of the three), and when it came to it, if that can be told."""

    throw: Throw | None
    run: Run
    shown: Instant | None
    turning: Turning | None


class Judge:
    """Judges rounds, with a hand finder for each seat that is worked on at once.

        with Judge(seats=2) as judge:
            judgement = judge(frames, zones, cue_ns)

    Raises ModelFault when the hand model can't be had.
    """

    def __init__(self, seats: int = 2) -> None:
        workers = max(1, min(seats, os.cpu_count() or 1))
        self._finders: queue.SimpleQueue[HandFinder] = queue.SimpleQueue()
        self._all = [HandFinder(confidence=0.2) for _ in range(workers)]
        for finder in self._all:
            self._finders.put(finder)
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="lock")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the models."""
        self._pool.shutdown()
        for finder in self._all:
            finder.close()

    @property
    def calls(self) -> int:
        """Calls of the hand model since the beginning."""
        return sum(finder.calls for finder in self._all)

    def __call__(
        self, frames: Sequence[Frame], zones: Sequence[Zone], cue_ns: int | None = None, window_ns: int = WINDOW_NS
    ) -> Judgement:
        """Judge a round.

        ``frames`` are in order of time, with their exposure times; without ``cue_ns`` the players counted for
        themselves, and the first hand is the cue. Raises LockFault when there are too few frames, ZoneFault when a zone
        has no pixels.
        """
        if len(frames) < 3:
            raise LockFault(f"only {len(frames)} frames: too few to judge a throw by")
        tracks = list(self._pool.map(lambda zone: self._track(frames, zone, cue_ns, window_ns), zones))
        shown = [(track.main, track) for track in tracks if track.main is not None]
        if cue_ns is None:
            cue_ns = min(
                (main.shown.when_ns for main, _ in shown if main.shown), default=frames[len(frames) // 2].exposed_ns
            )
        first_ns = min(
            (main.shown.when_ns for main, _ in shown if main.shown and main.shown.when_ns >= cue_ns - window_ns),
            default=None,
        )
        lock_ns = max(cue_ns, (first_ns if first_ns is not None else cue_ns) + window_ns)
        seats = list(
            self._pool.map(lambda n: self._verdict(n + 1, tracks[n], cue_ns, lock_ns, window_ns), range(len(zones)))
        )
        frame = min(frames, key=lambda frame: abs(frame.exposed_ns - lock_ns))
        return Judgement(cue_ns, first_ns, lock_ns, window_ns, frame, tuple(seats))

    @contextmanager
    def _finder(self) -> Iterator[HandFinder]:
        finder = self._finders.get()
        try:
            yield finder
        finally:
            self._finders.put(finder)

    def _track(self, frames: Sequence[Frame], zone: Zone, cue_ns: int | None, window_ns: int) -> "Track":
        with self._finder() as finder:
            before = finder.calls
            track = Track(Sight(frames, zone, finder), cue_ns, window_ns)
            track.calls = finder.calls - before
        return track

    def _verdict(self, seat: int, track: "Track", cue_ns: int, lock_ns: int, window_ns: int) -> SeatVerdict:
        with self._finder() as finder:
            before = finder.calls
            track.sight.finder = finder
            verdict = track.verdict(seat, cue_ns, lock_ns, window_ns)
            calls = track.calls + finder.calls - before
        return SeatVerdict(**{**verdict.__dict__, "inferences": calls})


class Track:
    """What one seat did in a round: the throws it kept, each with the time it was shown."""

    def __init__(self, sight: Sight, cue_ns: int | None, window_ns: int) -> None:
        self.sight = sight
        self.calls = 0
        start, end = int(sight.times[0]), int(sight.times[-1])
        if cue_ns is not None:
            start, end = max(start, cue_ns - BEFORE_NS), min(end, cue_ns + 2 * window_ns + AFTER_NS)
        self.looked = coarse_pass(sight, start, end)
        self.runs = runs(sight, self.looked)
        self.showings = self._timed()
        self.main = self._main(cue_ns, window_ns)

    def _timed(self) -> list[Showing]:
        """Every run with the time the hand turned into it; what it showed from the start on, and a hand that is none of
        the three, have none."""
        timed: list[Showing] = []
        for number, run in enumerate(self.runs):
            before = self.runs[number - 1] if number else None
            there = run.first <= self.looked[0]
            if run.throw is None or there or (before is None and run.throw is Throw.ROCK):
                timed.append(Showing(run.throw, run, None, None))
                continue
            turning = Turning(self.sight, run, before)
            timed.append(Showing(run.throw, run, turned(self.sight, turning, run, self.looked), turning))
        return timed

    def _main(self, cue_ns: int | None, window_ns: int) -> Showing | None:
        """The showing that counts: the open hand that was there at the earliest time that is not early, else the first
        that opened after, else the fist."""
        opens = [s for s in self.showings if s.throw in (Throw.PAPER, Throw.SCISSORS)]
        if cue_ns is not None:
            opens = [s for s in opens if self.sight.times[s.run.last] > cue_ns - window_ns]
        if opens:
            return opens[0]
        rocks = [s for s in self.showings if s.throw is Throw.ROCK]
        if cue_ns is not None:
            rocks = [s for s in rocks if self.sight.times[s.run.last] > cue_ns - window_ns]
        if not rocks:
            return None
        rock = rocks[-1] if cue_ns is None else rocks[0]
        if cue_ns is not None:
            near = self.sight.nearest(min(cue_ns + 2 * window_ns + RESTED_NS, int(self.sight.times[rock.run.last])))
        else:
            near = settled_from(self.sight, rock.run)
        return Showing(rock.throw, rock.run, landed(self.sight, near), None)

    def verdict(self, seat: int, cue_ns: int, lock_ns: int, window_ns: int) -> SeatVerdict:
        """The verdict, once the lock is known."""
        main = self.main
        at_lock, seen = self._at_lock(lock_ns)

        def result(verdict: Verdict, throw: Throw | None, then: Showing | None = None) -> SeatVerdict:
            shown = main.shown if main else None
            return SeatVerdict(
                seat,
                verdict,
                throw,
                at_lock,
                shown,
                self.sight.box,
                0,
                then.throw if then else None,
                then.shown if then else None,
            )

        if main is None:
            return result(Verdict.UNCLEAR if seen else Verdict.UNSEEN, None)
        shown_ns = main.shown.when_ns if main.shown else None
        if main.throw is not Throw.ROCK:
            if shown_ns is None or shown_ns < cue_ns - window_ns:
                return result(Verdict.EARLY, main.throw)
            if shown_ns > lock_ns and at_lock is not main.throw:
                return result(Verdict.LATE, main.throw)
        elif shown_ns is not None and shown_ns > lock_ns + COMPLETES_NS // 2:
            return result(Verdict.LATE, main.throw)
        if not seen:
            return result(Verdict.UNSEEN, None)
        if at_lock is None:
            return result(Verdict.UNCLEAR, None)
        after = next(
            (
                s
                for s in self.showings
                if s.throw is not None and s.throw is not at_lock and self.sight.times[s.run.first] > lock_ns
            ),
            None,
        )
        if after is not None:
            return result(Verdict.CHANGED, at_lock, after)
        return result(Verdict.ON_TIME, at_lock)

    def _at_lock(self, lock_ns: int) -> tuple[Throw | None, bool]:
        """What the lock frame gives this seat, and whether a hand is seen there at all. Where the frame itself does not
        tell (half open, blurred), it is what the hand completes at once, or showed on both sides of it."""
        index = self.sight.nearest(lock_ns)
        seen = self.sight(index)
        for showing in self.showings:
            if showing.throw in (None, Throw.ROCK) or showing.shown is None or showing.turning is None:
                continue
            away = showing.shown.when_ns - lock_ns
            if 0 < away <= COMPLETES_NS and (showing.turning.at(index) or 0) >= BEGUN:
                return showing.throw, True
            if -COMPLETES_NS <= away <= 0:
                return showing.throw, True
        times = self.sight.times
        around = [r for r in self.runs if times[r.first] <= lock_ns <= times[r.last]]
        if around and (seen is None or seen.reading.throw is not around[0].throw):
            near = [i for i in around[0].frames if abs(int(times[i]) - lock_ns) <= 2 * COMPLETES_NS]
            if near:
                return around[0].throw, True
        if seen is None:
            return None, False
        return seen.reading.throw, True
