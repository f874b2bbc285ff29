"""The lock: when every hand showed its throw, the instant after which nothing counts, and everybody's throw read from
one single exposure."""

import os
import queue
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Self, TypeVar

from device.camera.frames import Frame
from errors import ThrowlockError
from vision.hands.detector import HandFinder
from vision.lock.camera_checks import camera_trouble, few_frames
from vision.lock.causes import cause_unclear, cause_unseen
from vision.lock.inference import Instant
from vision.lock.occupancy import Company, company_of, refereed
from vision.lock.verdict import SeatVerdict, Track, Verdict
from vision.lock.void_reasons import Trouble
from vision.lock.zone_view import Sight
from vision.zones import Zone

T = TypeVar("T")
WINDOW_NS = 150_000_000
"""Nobody can see a throw, choose an answer and form it within this time of the first hand (design, §1)."""
CONFIDENCE = 0.2
"""Of the hand detector: low, since blurred hands are what is timed, and the runs weed out what is no hand."""


FEWEST = 3
"""Frames below which nothing can be said of a round."""
PAIR_CONFIDENCE = 0.3
"""The same where a second hand is looked for: higher, since one look may accuse."""
EXPECTED = 13
"""Calls of the hand model for a seat, by which is told how far a round is judged: docs/cost.md has 9 to 12."""
GIVE_WAY = 5
"""How far a judge gives way to a screen that must not stand still: docs/pace.md has what it brings."""


class LockError(ThrowlockError, ValueError):
    """A recording that can't be judged. The message says why."""


@dataclass(frozen=True)
class Judgement:
    """One round: the cue, the first hand (None if there was none), the lock, all in ns of the camera's clock, the
    exposure nearest the lock, and a verdict per seat in their order. With ``trouble`` the round is void whatever the
    seats showed, and nobody is to blame."""

    cue_ns: int
    first_ns: int | None
    lock_ns: int
    window_ns: int
    lock_frame: Frame
    seats: tuple[SeatVerdict, ...]
    trouble: Trouble | None = None

    @property
    def fouls(self) -> tuple[SeatVerdict, ...]:
        """The seats whose verdict is a foul."""
        return tuple(seat for seat in self.seats if seat.verdict.foul)

    def after_first_ms(self, when_ns: int) -> float:
        """How long after the first hand ``when_ns`` is, in ms; after the cue where there was no first hand."""
        return (when_ns - (self.cue_ns if self.first_ns is None else self.first_ns)) / 1e6


def unjudged(frames: Sequence[Frame], zones: Sequence[Zone], cue_ns: int, window_ns: int) -> Judgement:
    """A round of which the camera gave next to nothing (one frame or two): too few frames, and nobody was seen."""
    lock_ns = cue_ns + window_ns
    trouble = few_frames([frame.exposed_ns for frame in frames], cue_ns - window_ns, lock_ns, 0)
    seats = tuple(
        SeatVerdict(number, Verdict.UNSEEN, None, None, None, zone.box(frames[0].size))
        for number, zone in enumerate(zones, 1)
    )
    return Judgement(cue_ns, None, lock_ns, window_ns, frames[-1], seats, trouble)


def _explained(verdict: SeatVerdict, sight: Sight, lock_ns: int) -> SeatVerdict:
    """The verdict with why a hand is unclear or unseen."""
    why = {Verdict.UNCLEAR: cause_unclear, Verdict.UNSEEN: cause_unseen}.get(verdict.verdict)
    return verdict if why is None else replace(verdict, cause=why(sight, lock_ns))


def _lower_priority(nice: int) -> None:
    """Lower this thread's priority to at least ``nice``. A sandbox that forbids it is no fault: a judge at the usual
    priority is still a judge."""
    if nice and sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, 0, max(nice, os.getpriority(os.PRIO_PROCESS, 0)))  # 0: this very thread


def _middle_ns(frames: Sequence[Frame]) -> int:
    return frames[len(frames) // 2].exposed_ns


class Judge:
    """Judges rounds, with a hand finder for each seat that is worked on at once.

        with Judge(seats=2) as judge:
            judgement = judge(frames, zones, cue_ns)

    ``nice`` is how far its threads, and the model's, give way to others of the machine: 0 (not at all) to 19. Only
    Linux has priorities of threads.

    Raises ModelError when the hand model can't be had.
    """

    def __init__(self, seats: int = 2, nice: int = 0) -> None:
        self.workers = max(1, min(seats, os.cpu_count() or 1))
        """Seats that are worked on at once."""
        self._finders: queue.SimpleQueue[HandFinder] = queue.SimpleQueue()
        self._pairs: queue.SimpleQueue[HandFinder] = queue.SimpleQueue()
        self._all: list[HandFinder] = []
        self._pool = ThreadPoolExecutor(
            self.workers, thread_name_prefix="lock", initializer=_lower_priority, initargs=(nice,)
        )
        try:
            self._pool.submit(self._load).result()  # there, for the model's threads inherit the priority
        except BaseException:
            self.close()
            raise
        self._began, self._expected = 0, 0

    def _load(self) -> None:
        for _ in range(self.workers):
            self._all.append(HandFinder(confidence=CONFIDENCE))
            self._finders.put(self._all[-1])
        for _ in range(self.workers):
            self._all.append(HandFinder(confidence=PAIR_CONFIDENCE, hands=2))
            self._pairs.put(self._all[-1])

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

    @property
    def progress(self) -> float:
        """How much of the round that is being judged is done, 0–1, by the calls that it should take; 0 before the
        first. Another thread may ask."""
        return min(1.0, (self.calls - self._began) / self._expected) if self._expected else 0.0

    def __call__(
        self,
        frames: Sequence[Frame],
        zones: Sequence[Zone],
        cue_ns: int | None = None,
        window_ns: int = WINDOW_NS,
        unseen_ns: int | None = None,
    ) -> Judgement:
        """Judge a round.

        ``frames`` are in order of time, with their exposure times; without ``cue_ns`` the players counted for
        themselves, and the first hand is the cue. ``unseen_ns`` is when somebody showed whom no camera sees: the box
        itself, when people practise against it. Raises LockError when there are too few frames, ZoneError when a zone
        has no pixels.
        """
        if len(frames) < FEWEST:
            raise LockError(f"only {len(frames)} frames: too few to judge a throw by")
        self._began, self._expected = self.calls, EXPECTED * len(zones)
        sights = [Sight(frames, zone) for zone in zones]
        tracks = list(self._pool.map(lambda s: self._lent(s, lambda: Track(s, cue_ns, window_ns)), sights))
        shown = [track.main.shown for track in tracks if track.main and track.main.shown]
        cue = cue_ns if cue_ns is not None else min((at.when_ns for at in shown), default=_middle_ns(frames))
        first = min((at for at in shown if at.when_ns >= cue - window_ns), key=lambda at: at.when_ns, default=None)
        if unseen_ns is not None and (first is None or unseen_ns < first.when_ns):
            first = Instant(unseen_ns, 0)
        first_ns, sure_ns = (first.when_ns, first.plus_minus_ns) if first else (None, 0)
        lock_ns = max(cue, (first_ns if first_ns is not None else cue) + window_ns)

        def seat_verdict(number: int, track: Track) -> SeatVerdict:
            verdict = self._lent(track.sight, lambda: track.verdict(number, cue, lock_ns, sure_ns))
            return replace(_explained(verdict, track.sight, lock_ns), inferences=track.sight.inferences)

        seats = tuple(self._pool.map(seat_verdict, range(1, len(tracks) + 1), tracks))
        frame = min(frames, key=lambda frame: abs(frame.exposed_ns - lock_ns))
        judgement = Judgement(cue, first_ns, lock_ns, window_ns, frame, seats)
        missing = any(seat.verdict is Verdict.UNSEEN for seat in seats)
        looked = list(self._pool.map(lambda s, v: self._company(s, v, lock_ns, missing), sights, seats))
        company = [who for _, who in looked]
        seats, trouble = refereed([seat for seat, _ in looked], company, frame.size)
        trouble = self._camera_trouble(judgement, frames, sights, company) or trouble
        return replace(judgement, seats=seats, trouble=trouble)

    def _company(
        self, sight: Sight, verdict: SeatVerdict, lock_ns: int, anybody_missing: bool
    ) -> tuple[SeatVerdict, Company]:
        """Who is in a seat's zone around the lock; with the verdict that counts what it took."""
        finder = self._pairs.get()
        before = finder.calls
        try:
            found = company_of(sight, verdict, lock_ns, anybody_missing, finder)
            return replace(verdict, inferences=verdict.inferences + finder.calls - before), found
        finally:
            self._pairs.put(finder)

    @staticmethod
    def _camera_trouble(
        judgement: Judgement, frames: Sequence[Frame], sights: Sequence[Sight], company: Sequence[Company]
    ) -> Trouble | None:
        """Trouble with camera or light from when hands may first show to the lock. A gap as long as the window hides
        all of a throw; before time 0 a recording has nothing."""
        hands = [seen.hand.landmarks for sight in sights for i in sight.looked_at() if (seen := sight(i))]
        hands += [hand for who in company for look in who.looks for hand in look]
        span_ns = max(0, judgement.cue_ns - judgement.window_ns), judgement.lock_ns
        most_ns = min(judgement.window_ns, WINDOW_NS)
        return camera_trouble(frames, hands, span_ns, most_ns, bool(judgement.fouls))

    def _lent(self, sight: Sight, work: Callable[[], T]) -> T:
        """Do ``work`` on a sight with a finder lent to it, and count what it took."""
        finder = self._finders.get()
        before = finder.calls
        sight.finder = finder
        try:
            return work()
        finally:
            sight.inferences += finder.calls - before
            sight.finder = None
            self._finders.put(finder)
