"""What a simulated hand does when: three pumps, the throw, what comes after, and the way from one round to the next
without a jump."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

THROWS = ("rock", "paper", "scissors")
LANDS_LATEST_NS = 40_000_000
RAISE_LATEST_NS, FALL_LATEST_NS = 350_000_000, 220_000_000
"""However slow the count, a pump's strokes take no longer: the fist waits on top of it."""
RELAX_NS = 700_000_000
"""From the held throw back to rest."""


class Stance(NamedTuple):
    """What a hand does at one moment. ``paper``, ``scissors`` and ``half_open`` are the shares of those shapes, the
    rest is a fist. ``lift``: 0 landed, 1 on top of a pump. ``rest``: 1 lying on the table, drawn back towards its
    owner. ``away``: 1 drawn back out of the camera's sight."""

    paper: float = 0.0
    scissors: float = 0.0
    half_open: float = 0.0
    lift: float = 0.0
    rest: float = 0.0
    away: float = 0.0

    @property
    def openness(self) -> float:
        """0 for a fist, 1 for any other shape."""
        return self.paper + self.scissors + self.half_open

    @property
    def shares(self) -> dict[str, float]:
        """How much of each shape there is in it; they sum to 1."""
        return {
            "rock": 1 - self.openness,
            "paper": self.paper,
            "scissors": self.scissors,
            "half-open": self.half_open,
        }

    @property
    def shape(self) -> str:
        """The shape it is nearest to: a throw, or "half-open"."""
        shares = self.shares
        return max(shares, key=lambda name: shares[name])

    def towards(self, other: "Stance", share: float) -> "Stance":
        """The stance ``share`` of the way (0 to 1) to ``other``."""
        return Stance(*(a + (b - a) * share for a, b in zip(self, other, strict=True)))


SHOWING = {
    "rock": Stance(),
    "paper": Stance(paper=1.0),
    "scissors": Stance(scissors=1.0),
    "half-open": Stance(half_open=1.0),
}
REST = Stance(rest=1.0)
AWAY = Stance(away=1.0)


def eased(share: float) -> float:
    """0 to 1 as a hand moves from one place to another: the path of least jerk (Flash and Hogan, J. Neurosci. 5,
    1985). It is half way in the middle of its time."""
    t = min(max(share, 0.0), 1.0)
    return t * t * t * (10 - 15 * t + 6 * t * t)


def _fallen(share: float) -> float:
    """What is left of a pump's height, 1 to 0: a fist gathers speed and stops within the last tenth of the stroke,
    harder than a movement of least jerk would."""
    t = min(max(share, 0.0), 1.0)
    return float((1 - t * t) ** 1.5)


@dataclass(frozen=True)
class Performance:
    """One round of one seat. The pumps come down on ``cue_ns`` − 3, 2 and 1 × ``beat_ns``, the throwing arm at
    ``landed_ns``, all on the camera's clock.

    ``throw``: "rock", "paper" or "scissors". It is shown ``after_cue_ns`` after the cue (before it if negative, but
    not by more than two and a half beats); an opening takes ``opening_ns`` from fist to shape.
    ``lands_after_cue_ns``: when the throwing arm comes down. A rock is shown by that, so there it must be left out.
    Others land when they show, but no later than 40 ms after the cue: who cheats comes down with everybody else in
    a fist, waits and then opens. Who is so early that less than half a beat is left for a pump leaves that pump out.
    ``then``: what the hand changes to, the middle of the change ``then_after_ns`` after the throw was shown.
    ``half_open``: opens to a shape that is none of the three, and keeps it, whatever ``throw`` says.
    ``hidden``: the hand stays out of sight the whole round. ``hold_ns``: how long what is shown last is kept, from
    the middle of its showing.

    Raises ValueError, in words, for what no hand can do.
    """

    throw: str
    cue_ns: int
    beat_ns: int
    after_cue_ns: int = 0
    opening_ns: int = 110_000_000
    then: str | None = None
    then_after_ns: int = 0
    hidden: bool = False
    half_open: bool = False
    lands_after_cue_ns: int | None = None
    hold_ns: int = 1_500_000_000

    def __post_init__(self) -> None:
        for throw in (self.throw, self.then):
            if throw is not None and throw not in THROWS:
                raise ValueError(f"a hand can't throw {throw!r}: it can throw {', '.join(THROWS)}")
        if self.beat_ns <= 0 or self.opening_ns <= 0 or self.hold_ns < 0:
            raise ValueError("a beat and an opening take time: beat_ns and opening_ns must be above 0")
        if (self.then is None) != (self.then_after_ns == 0) or self.then_after_ns < 0:
            raise ValueError("a change needs both: then, and then_after_ns above 0")
        if self.lands_after_cue_ns is not None and not self.opens:
            raise ValueError("a rock is shown when it lands: give after_cue_ns alone")
        if self.landed_ns - self.cue_ns < -2.5 * self.beat_ns or self.opens_ns < self.ready_ns:
            raise ValueError("a throw can't be more than two and a half beats before the cue")

    @property
    def shape(self) -> str:
        """The shape thrown: "rock", "paper", "scissors" or "half-open"."""
        return "half-open" if self.half_open else self.throw

    @property
    def opens(self) -> bool:
        """Whether the throw is shown by opening the fist, and not by landing it."""
        return self.shape != "rock"

    @property
    def shown_ns(self) -> int:
        """The truth: when the throw is shown. The middle of its opening, half of the way from fist to shape; the end
        of a rock's last stroke. Of a hidden hand, when it would have been."""
        return self.cue_ns + self.after_cue_ns

    @property
    def changed_ns(self) -> int | None:
        """The truth: the middle of the change to ``then``; ``None`` without one."""
        return None if self.then is None else self.shown_ns + self.then_after_ns

    @property
    def landed_ns(self) -> int:
        """When the throwing arm has come down."""
        if not self.opens:
            return self.shown_ns
        if self.lands_after_cue_ns is not None:
            return self.cue_ns + self.lands_after_cue_ns
        return self.cue_ns + min(self.after_cue_ns, LANDS_LATEST_NS)

    @property
    def starts_ns(self) -> int:
        """When the hand leaves its rest."""
        return self.cue_ns - 4 * self.beat_ns

    @property
    def ready_ns(self) -> int:
        """When the hand has reached the place where it throws, and only pumps."""
        return self.cue_ns - 3 * self.beat_ns

    @property
    def opens_ns(self) -> int:
        """When what the hand shows can first be told from the pumps: an opening's start, or a rock's landing."""
        return self.shown_ns - self.opening_ns // 2 if self.opens else self.landed_ns

    @property
    def relaxes_ns(self) -> int:
        """When the hand gives up what it shows."""
        return max(self.landed_ns, self.shown_ns if self.changed_ns is None else self.changed_ns) + self.hold_ns

    @property
    def ends_ns(self) -> int:
        """When the hand is at rest again."""
        return self.relaxes_ns + RELAX_NS

    @cached_property
    def landings_ns(self) -> tuple[int, ...]:
        """When the fist comes down, the throw included, after it was first lifted at ``starts_ns``."""
        pumps = (self.cue_ns - n * self.beat_ns for n in (3, 2, 1))
        return (*(pump for pump in pumps if pump <= self.landed_ns - self.beat_ns // 2), self.landed_ns)

    def stance(self, when_ns: int) -> Stance:
        """What the hand does, from ``starts_ns`` on."""
        if self.hidden:
            held = AWAY
        else:
            held = Stance()
            if self.opens:
                held = held.towards(SHOWING[self.shape], self._opened(self.shown_ns, when_ns))
            if self.then is not None and self.changed_ns is not None:
                held = held.towards(SHOWING[self.then], self._opened(self.changed_ns, when_ns))
            held = held._replace(lift=self._lift(when_ns))
        return held.towards(REST, eased((when_ns - self.relaxes_ns) / RELAX_NS))

    def _opened(self, middle_ns: int, when_ns: int) -> float:
        return eased((when_ns - middle_ns) / self.opening_ns + 0.5)

    def _lift(self, when_ns: int) -> float:
        stroke = bisect_right(self.landings_ns, when_ns)
        if when_ns <= self.starts_ns or stroke == len(self.landings_ns):
            return 0.0
        lands = self.landings_ns[stroke]
        left = self.landings_ns[stroke - 1] if stroke else self.starts_ns
        pace = min(lands - left, self.beat_ns)
        rising = (when_ns - left) / min(0.55 * pace, RAISE_LATEST_NS)
        falling = 1 + (when_ns - lands) / min(0.45 * pace, FALL_LATEST_NS)
        return eased(rising) * _fallen(falling)


@dataclass(frozen=True)
class Act:
    """A performance as a seat plays it: from ``begins_ns`` on the hand goes over to it from what it did before,
    within ``joins_ns``."""

    performance: Performance
    begins_ns: int
    joins_ns: int

    @classmethod
    def told(cls, performance: Performance, now_ns: int) -> "Act":
        """The act of a performance that the seat is told of now. What was before now stays as it was.

        Raises ValueError when it is too late: the hand would have to be opening, or its last pump to be over."""
        begins = max(performance.starts_ns, now_ns)
        latest = min(performance.opens_ns, performance.landings_ns[-1])
        if begins > latest - performance.beat_ns // 4:
            late_ms = (begins - latest) / 1e6
            raise ValueError(
                f"the performance is told too late: its throw began {late_ms:.0f} ms ago; "
                "tell it a quarter of a beat or more ahead, better four beats before the cue"
            )
        joins = min(performance.beat_ns * 4 // 5, 600_000_000, latest - begins)
        return cls(performance, begins, joins)


def stance_at(acts: Sequence[Act], when_ns: int) -> Stance:
    """What a hand does that was told of ``acts`` one after the other."""
    stance = REST
    for act in acts:
        joined = eased((when_ns - act.begins_ns) / act.joins_ns)
        if joined > 0:
            stance = stance.towards(act.performance.stance(when_ns), joined)
    return stance
