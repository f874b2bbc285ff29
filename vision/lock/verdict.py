"""What one seat did in a round: the throws its hand kept, and when it came to each; and from that, once the lock is
known, the verdict on it."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from device.camera.frames import Box, Frame
from rules.throws import Throw
from vision.lock.inference import Instant
from vision.lock.landing_time import landed, settled_from
from vision.lock.segments import Run, coarse_pass, runs
from vision.lock.transition_time import Turning, turned
from vision.lock.zone_view import Sight

BEFORE_NS = 700_000_000
"""How long before the cue the ring is looked at: the last swing, and a hand that opens early."""
AFTER_NS = 600_000_000
"""How long after the latest possible lock a late or changed hand is looked for."""
CHANGES_NS = 500_000_000
"""How long after the lock a throw must be kept; people may lower their hands then."""
COMPLETES_NS = 100_000_000
"""An opening that has begun at the lock is given the shape it completes within this time."""
LANDED_NS = COMPLETES_NS // 2
"""A fist that comes to rest within this time of the lock was as good as landed at it."""
BEGUN = 0.2
"""The share of an opening from which it counts as begun."""
BEGUN_NS = 25_000_000
"""How long before its middle an opening has come so far: 0.2 of its time (least jerk), which is 120 ms."""
DOUBT_NS = 50_000_000
"""The most that the uncertainty of times excuses: half of the lateness from which every throw must be caught."""
HELD_NS = 300_000_000
"""How long after the lock the hand is surely shown, and must be whole in its zone."""
RESTED_NS = 200_000_000
"""How long after the latest possible lock a fist is looked at to see where it rests."""


class Verdict(StrEnum):
    """The verdict on a seat."""

    ON_TIME = "on time"
    LATE = "late"
    EARLY = "early"
    CHANGED = "changed"
    UNCLEAR = "unclear"
    UNSEEN = "unseen"
    TWO_HANDS = "two hands"
    WRONG_ZONE = "wrong zone"
    LIFTED = "lifted"
    TWO_CARDS = "two cards"
    NOT_THEIRS = "not theirs"
    PLAYED = "played before"
    WRONG_DECK = "wrong deck"
    COPY = "a copy"
    TOO_MANY = "one too many"
    UNREAD = "not read"

    @property
    def foul(self) -> bool:
        """Whether somebody is to blame. A card that can't be read is nobody's foul, yet its round does not count."""
        return self not in (Verdict.ON_TIME, Verdict.UNREAD)


@dataclass(frozen=True)
class SeatVerdict:
    """What the lock says of one seat.

    ``throw`` is what the hand showed at ``shown``: for a late or early hand the throw it came to, else the one at
    the lock; ``at_lock`` is what the lock frame gives it. ``then`` is what a changed hand showed later. ``crop`` is
    the seat's zone in pixels of the frame (for a card, the part of it around the card), ``inferences`` the calls of
    the hand model it took. ``held`` are the boxes of the hand, in pixels of the frame, in the frames just after the
    lock that show it; they may leave the zone. ``cause`` is why a hand is unclear or unseen, if that can be told;
    ``into`` is the number of the zone (from 1, in the order of the zones judged) that a hand strayed to. ``card``
    is the marker of the card that was read, ``proof`` the frame in which a card that was laid was seen lifted.
    """

    seat: int
    verdict: Verdict
    throw: Throw | None
    at_lock: Throw | None
    shown: Instant | None
    crop: Box
    inferences: int = 0
    then: Throw | None = None
    held: tuple[Box, ...] = ()
    cause: StrEnum | None = None
    into: int | None = None
    card: int | None = None
    proof: Frame | None = None


@dataclass(frozen=True)
class Showing:
    """A throw a hand kept (None: none of the three), and when it came to it, if that can be told."""

    throw: Throw | None
    run: Run
    shown: Instant | None = None
    turning: Turning | None = None

    @property
    def opened(self) -> bool:
        """Whether it is a throw that a fist opens to."""
        return self.throw not in (None, Throw.ROCK)


class Track:
    """One seat's round, seen through ``sight``. Without ``cue_ns`` its players counted for themselves, and all of the
    recording is looked at. ``main`` is the showing that counts; None where no throw was kept."""

    def __init__(self, sight: Sight, cue_ns: int | None, window_ns: int) -> None:
        self.sight = sight
        self._cue_ns = cue_ns
        self._window_ns = window_ns
        start, end, closed_ns = int(sight.times[0]), int(sight.times[-1]), None
        if cue_ns is not None:
            start, end = max(start, cue_ns - BEFORE_NS), min(end, cue_ns + 2 * window_ns + AFTER_NS)
            closed_ns = cue_ns - window_ns
        self.looked = coarse_pass(sight, start, end, closed_ns)
        self.runs = runs(sight, self.looked)
        self.showings = list(self._timed())
        self.main = self._main()

    def _timed(self) -> Iterator[Showing]:
        """Every run with the time the hand turned into it; what it showed from the start on, and a hand that is none of
        the three, have none."""
        for number, run in enumerate(self.runs):
            before = self.runs[number - 1] if number else None
            there = run.first <= self.looked[0]
            if run.throw is None or there or (before is None and run.throw is Throw.ROCK):
                yield Showing(run.throw, run)
                continue
            turning = Turning(self.sight, run, before)
            yield Showing(run.throw, run, turned(self.sight, turning, run, self.looked), turning)

    def _main(self) -> Showing | None:
        """The showing that counts: the first open hand that is not over before it could count, else the fist, unless
        the hand came to something that is no throw."""
        since = self._cue_ns - self._window_ns if self._cue_ns is not None else int(self.sight.times[0]) - 1
        late = [s for s in self.showings if self.sight.times[s.run.last] > since]
        if opened := [s for s in late if s.opened]:
            return opened[0]
        if not late or late[-1].throw is None:
            return None
        fist = late[-1] if self._cue_ns is None else late[0] if late[0].throw else late[-1]
        return replace(fist, shown=landed(self.sight, self._rested(fist.run)))

    def _rested(self, run: Run) -> int:
        """A frame in which a fist surely rests after its last swing."""
        if self._cue_ns is None:
            return settled_from(self.sight, run)
        latest = self._cue_ns + 2 * self._window_ns + RESTED_NS
        return self.sight.nearest(min(latest, int(self.sight.times[run.last])))

    def verdict(self, seat: int, cue_ns: int, lock_ns: int, lock_sure_ns: int = 0) -> SeatVerdict:
        """The verdict, once the lock is known, ± ``lock_sure_ns``. What may as well have been on time, as far as the
        times are certain and the lock frame tells, was."""
        main = self.main
        sure_ns = main.shown.plus_minus_ns if main and main.shown else 0
        doubt_ns = min(round(math.hypot(sure_ns, lock_sure_ns)), DOUBT_NS)
        at_lock, seen = self._at_lock(lock_ns, doubt_ns)
        shown = main.shown if main else None
        if not seen and main and main.throw is Throw.ROCK and shown and 0 < shown.when_ns - lock_ns <= LANDED_NS:
            at_lock = Throw.ROCK  # lost in the blur of its swing
        changed = next((s.throw for s in self.showings if self._changes(s, at_lock, lock_ns)), None)
        then = None
        if main is None or main.throw is None:
            verdict, throw = (Verdict.UNCLEAR if seen else Verdict.UNSEEN), None
        elif main.opened and (shown is None or shown.when_ns + min(sure_ns, DOUBT_NS) < cue_ns - self._window_ns):
            verdict, throw = Verdict.EARLY, main.throw
        elif self._late(main, at_lock, lock_ns):
            verdict, throw = Verdict.LATE, main.throw
        elif at_lock is None:
            verdict, throw = (Verdict.UNCLEAR if seen else Verdict.UNSEEN), None
        elif changed is not None:
            verdict, throw, then = Verdict.CHANGED, at_lock, changed
        else:
            verdict, throw = Verdict.ON_TIME, at_lock
        return SeatVerdict(seat, verdict, throw, at_lock, shown, self.sight.box, then=then, held=self._held(lock_ns))

    def _held(self, lock_ns: int) -> tuple[Box, ...]:
        """Where the hand was in the frames from the lock on that were looked at anyway, by the model's landmarks."""
        held = [i for i in self.sight.looked_at() if -BEGUN_NS <= int(self.sight.times[i]) - lock_ns <= HELD_NS]
        return tuple(seen.hand.box for i in held if (seen := self.sight(i)))

    @staticmethod
    def _late(main: Showing, at_lock: Throw | None, lock_ns: int) -> bool:
        """Whether the throw was shown after the lock. An opening that the lock frame caught half way is not; nor is a
        fist that was as good as landed, which can be timed to some tens of ms only."""
        if main.shown is None:
            return False
        if main.opened:
            return main.shown.when_ns > lock_ns and at_lock is not main.throw
        return main.shown.when_ns > lock_ns + LANDED_NS

    def _changes(self, showing: Showing, at_lock: Throw | None, lock_ns: int) -> bool:
        """Whether the hand turned into another throw soon after the lock."""
        if showing.throw in (None, at_lock) or showing.shown is None:
            return False
        return 0 < showing.shown.when_ns - lock_ns <= CHANGES_NS

    def _at_lock(self, lock_ns: int, doubt_ns: int) -> tuple[Throw | None, bool]:
        """What the lock frame gives this seat, and whether a hand is seen there at all. Where the frame itself does not
        tell (half open, blurred), it is what the hand completes at once, or may have begun to, or kept on both sides of
        it."""
        index = self.sight.nearest(lock_ns)
        for showing in self.showings:
            if showing.opened and showing.shown is not None and showing.turning is not None:
                until = showing.shown.when_ns - lock_ns
                share = showing.turning.at(index)
                begun = 0 < until <= COMPLETES_NS and (share or 0) >= BEGUN
                if begun or -COMPLETES_NS <= until <= (BEGUN_NS if share is not None else BEGUN_NS + doubt_ns):
                    return showing.throw, True
        seen = self.sight(index)
        times = self.sight.times
        for showing in self.showings:
            run = showing.run
            since = showing.shown.when_ns if showing.shown else int(times[run.first])
            around = [i for i in run.frames if abs(int(times[i]) - lock_ns) <= 2 * COMPLETES_NS]
            if around and since <= lock_ns <= times[run.last]:
                return run.throw, True
        return (seen.reading.throw, True) if seen else (None, False)
