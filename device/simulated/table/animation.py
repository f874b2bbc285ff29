"""The movements of a simulated hand: three pumps, the throw, a change afterwards, and a smooth transition between
rounds."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

THROWS = ("rock", "paper", "scissors")
MAX_LANDING_DELAY_NS = 40_000_000
MAX_RAISE_NS, MAX_FALL_NS = 350_000_000, 220_000_000
"""The longest strokes of a pump: with a slower count, the fist waits at the top."""
RELAX_TIME_NS = 700_000_000
"""Time from the held throw back to rest."""
DRIFT_TIME_NS = 800_000_000
"""Time in which a hand that drifts comes to its place."""


class Stance(NamedTuple):
    """The state of a hand at one moment: shares of three shapes, the rest being a fist, and where it is."""

    paper: float = 0.0
    scissors: float = 0.0
    half_open: float = 0.0
    lift: float = 0.0
    """0 landed, 1 at the top of a pump."""
    rest: float = 0.0
    """1 lying on the table, drawn back towards its owner."""
    away: float = 0.0
    """1 drawn back out of the image."""
    ahead: float = 0.0
    """How much further the index finger has opened than the little one, as a share of the opening."""

    @property
    def openness(self) -> float:
        """0 for a fist, 1 for any other shape."""
        return self.paper + self.scissors + self.half_open

    @property
    def shares(self) -> dict[str, float]:
        """The share of each shape; they sum to 1."""
        return {
            "rock": 1 - self.openness,
            "paper": self.paper,
            "scissors": self.scissors,
            "half-open": self.half_open,
        }

    @property
    def shape(self) -> str:
        """The closest shape: a throw, or "half-open"."""
        shares = self.shares
        return max(shares, key=lambda name: shares[name])

    def towards(self, other: "Stance", share: float) -> "Stance":
        """Return the stance ``share`` (0 to 1) of the way to ``other``."""
        return Stance(*(a + (b - a) * share for a, b in zip(self, other, strict=True)))


SHAPE_STANCES = {
    "rock": Stance(),
    "paper": Stance(paper=1.0),
    "scissors": Stance(scissors=1.0),
    "half-open": Stance(half_open=1.0),
}
REST_STANCE = Stance(rest=1.0)
AWAY_STANCE = Stance(away=1.0)


def ease(share: float) -> float:
    """Map time (0 to 1) to distance (0 to 1) of a hand movement with minimum jerk (Flash and Hogan, J. Neurosci. 5,
    1985). It is half way at half time."""
    t = min(max(share, 0.0), 1.0)
    return t * t * t * (10 - 15 * t + 6 * t * t)


def _pump_height(share: float) -> float:
    """Return the remaining height of a falling fist, 1 to 0. It accelerates and stops within the last tenth of the
    stroke, harder than a minimum-jerk movement would."""
    t = min(max(share, 0.0), 1.0)
    return float((1 - t * t) ** 1.5)


@dataclass(frozen=True)
class MotionHabits:
    """How a hand moves unlike a machine. The defaults are a machine's."""

    stagger: float = 0.0
    """The share (-1 to 1) of the opening that lies between the middles of the index and of the little finger's;
    negative where the little finger opens first."""
    bounce: float = 0.0
    """How high the hand recoils after its landing, in heights of a pump, and comes back more slowly."""
    bounce_ns: int = 150_000_000
    """Time from the landing to the top of the recoil."""
    drift: float = 0.0
    """How far the hand is drawn back while it holds its throw: 1 to where it lies between rounds."""
    pump_delays_ns: tuple[int, int, int] = (0, 0, 0)
    """By how much each of the three pumps lands later than on its beat."""
    pump_heights: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)
    """The heights of the swings that end in the three pumps and in the throw."""


@dataclass(frozen=True)
class Performance:
    """One round of one seat. The pumps come down on ``cue_ns`` − 3, 2 and 1 × ``beat_ns``, the throwing arm at
    ``landed_ns``, all on the camera's clock. A pump with less than half a beat left before an early throw is left out.

    Raises:
        ValueError: no hand can do this.
    """

    throw: str
    """One of "rock", "paper" and "scissors"."""
    cue_ns: int
    beat_ns: int
    after_cue_ns: int = 0
    """When the throw is shown, relative to the cue; at most 2.5 beats early (negative)."""
    opening_ns: int = 110_000_000
    """Time from fist to shape."""
    changes_to: str | None = None
    """The throw the hand changes to; None if it does not."""
    change_after_ns: int = 0
    """The middle of that change, after the throw was shown."""
    hidden: bool = False
    """Whether the hand stays out of sight for the whole round."""
    half_open: bool = False
    """Whether the hand opens to a shape that is none of the three, whatever ``throw`` is."""
    lands_after_cue_ns: int | None = None
    """When the throwing arm lands. Not for a rock, which is shown by landing. By default, other throws land when they
    show but at most 40 ms after the cue: a cheat lands with the others in a fist, waits, then opens."""
    hold_ns: int = 1_500_000_000
    """How long the last shape is held after it was shown."""
    habits: MotionHabits = MotionHabits()

    def __post_init__(self) -> None:
        for throw in (self.throw, self.changes_to):
            if throw is not None and throw not in THROWS:
                raise ValueError(f"a hand can't throw {throw!r}: it can throw {', '.join(THROWS)}")
        if self.beat_ns <= 0 or self.opening_ns <= 0 or self.hold_ns < 0:
            raise ValueError("a beat and an opening take time: beat_ns and opening_ns must be above 0")
        if (self.changes_to is None) != (self.change_after_ns == 0) or self.change_after_ns < 0:
            raise ValueError("a change needs both changes_to and a change_after_ns above 0")
        if self.lands_after_cue_ns is not None and not self.opens:
            raise ValueError("a rock is shown when it lands: give only after_cue_ns")
        if self.landed_ns - self.cue_ns < -2.5 * self.beat_ns or self.opens_ns < self.ready_ns:
            raise ValueError("a throw can't be more than two and a half beats before the cue")

    @property
    def shape(self) -> str:
        """The shape thrown: "rock", "paper", "scissors" or "half-open"."""
        return "half-open" if self.half_open else self.throw

    @property
    def opens(self) -> bool:
        """Whether the throw is shown by opening the fist rather than by landing."""
        return self.shape != "rock"

    @property
    def shown_ns(self) -> int:
        """The true time at which the throw is shown: half way from fist to shape, or the landing of a rock. For a
        hidden hand, when it would have been."""
        return self.cue_ns + self.after_cue_ns

    @property
    def settled_ns(self) -> int:
        """When the throw is complete and the arm has landed."""
        return max(self.shown_ns + self.opening_ns // 2, self.landed_ns) if self.opens else self.landed_ns

    @property
    def changed_ns(self) -> int | None:
        """The true time of the change: its middle; None without a change."""
        return None if self.changes_to is None else self.shown_ns + self.change_after_ns

    @property
    def landed_ns(self) -> int:
        """When the throwing arm lands."""
        if not self.opens:
            return self.shown_ns
        if self.lands_after_cue_ns is not None:
            return self.cue_ns + self.lands_after_cue_ns
        return self.cue_ns + min(self.after_cue_ns, MAX_LANDING_DELAY_NS)

    @property
    def starts_ns(self) -> int:
        """When the hand starts to move."""
        return self.cue_ns - 4 * self.beat_ns

    @property
    def ready_ns(self) -> int:
        """When the hand has reached its place and only pumps."""
        return self.cue_ns - 3 * self.beat_ns

    @property
    def opens_ns(self) -> int:
        """When the throw first differs from a pump: the start of the opening, or a rock's landing."""
        return self.shown_ns - self.opening_ns // 2 if self.opens else self.landed_ns

    @property
    def relaxes_ns(self) -> int:
        """When the hand starts to relax."""
        return max(self.landed_ns, self.shown_ns if self.changed_ns is None else self.changed_ns) + self.hold_ns

    @property
    def ends_ns(self) -> int:
        """When the hand is at rest again."""
        return self.relaxes_ns + RELAX_TIME_NS

    @cached_property
    def landings_ns(self) -> tuple[int, ...]:
        """The times of all landings, including the throw's."""
        delays = zip((3, 2, 1), self.habits.pump_delays_ns, strict=True)
        pumps = (self.cue_ns - n * self.beat_ns + delay_ns for n, delay_ns in delays)
        return (*(pump for pump in pumps if pump <= self.landed_ns - self.beat_ns // 2), self.landed_ns)

    def stance(self, when_ns: int) -> Stance:
        """Return the hand's stance at ``when_ns``, from ``starts_ns`` on."""
        if self.hidden:
            held = AWAY_STANCE
        else:
            held = Stance()
            if self.opens:
                held = self._opened(when_ns)
            if self.changes_to is not None and self.changed_ns is not None:
                held = held.towards(SHAPE_STANCES[self.changes_to], self._opening_share(self.changed_ns, when_ns))
            drift = self.habits.drift * ease((when_ns - self.landed_ns) / DRIFT_TIME_NS)
            held = held._replace(lift=self._lift(when_ns), rest=drift)
        return held.towards(REST_STANCE, ease((when_ns - self.relaxes_ns) / RELAX_TIME_NS))

    def _opened(self, when_ns: int) -> Stance:
        """Return the fingers' stance on their way from the fist to the shape."""
        stagger = self.habits.stagger
        time, own_time = (when_ns - self.shown_ns) / self.opening_ns, 1 - abs(stagger)
        first, last = (ease((time + side * stagger / 2) / own_time + 0.5) for side in (1, -1))
        return Stance().towards(SHAPE_STANCES[self.shape], (first + last) / 2)._replace(ahead=first - last)

    def _opening_share(self, middle_ns: int, when_ns: int) -> float:
        return ease((when_ns - middle_ns) / self.opening_ns + 0.5)

    def _lift(self, when_ns: int) -> float:
        stroke = bisect_right(self.landings_ns, when_ns)
        if stroke == len(self.landings_ns):
            since = (when_ns - self.landed_ns) / self.habits.bounce_ns
            return self.habits.bounce * ease(since) * (1 - ease((since - 1) / 3))
        if when_ns <= self.starts_ns:
            return 0.0
        lands = self.landings_ns[stroke]
        left = self.landings_ns[stroke - 1] if stroke else self.starts_ns
        pace = min(lands - left, self.beat_ns)
        rising = (when_ns - left) / min(0.55 * pace, MAX_RAISE_NS)
        falling = 1 + (when_ns - lands) / min(0.45 * pace, MAX_FALL_NS)
        height = self.habits.pump_heights[stroke - len(self.landings_ns)]
        return height * ease(rising) * _pump_height(falling)


@dataclass(frozen=True)
class ScheduledPerformance:
    """A performance scheduled for a seat."""

    performance: Performance
    start_ns: int
    """From when on the hand blends into the performance."""
    blend_ns: int
    """How long that takes."""

    @classmethod
    def schedule(cls, performance: Performance, now_ns: int) -> "ScheduledPerformance":
        """Schedule a performance, leaving the past as it was.

        Raises ValueError when it is too late: the hand would already be opening, or its last pump be over."""
        start_ns = max(performance.starts_ns, now_ns)
        latest_ns = min(performance.opens_ns, performance.landings_ns[-1])
        if start_ns > latest_ns - performance.beat_ns // 4:
            late_ms = (start_ns - latest_ns) / 1e6
            raise ValueError(
                f"the performance is scheduled too late: its throw began {late_ms:.0f} ms ago; "
                "schedule it at least a quarter of a beat ahead, better four beats before the cue"
            )
        blend_ns = min(performance.beat_ns * 4 // 5, 600_000_000, latest_ns - start_ns)
        return cls(performance, start_ns, blend_ns)


def stance_at(schedule: Sequence[ScheduledPerformance], when_ns: int) -> Stance:
    """Return the stance of a hand that plays a schedule of performances in order."""
    stance = REST_STANCE
    for scheduled in schedule:
        share = ease((when_ns - scheduled.start_ns) / scheduled.blend_ns)
        if share > 0:
            stance = stance.towards(scheduled.performance.stance(when_ns), share)
    return stance
