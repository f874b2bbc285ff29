"""Generate the rounds of the trials: players, camera, and what every seat does. The same seed always gives the same
round."""

from dataclasses import dataclass, replace

import numpy as np

from device.simulated.table.animation import Performance
from device.simulated.table.disturbances import Disturbance
from device.simulated.table.materials import CLOTHS
from device.simulated.table.people import SimulatedPerson
from rules.throws import Throw
from vision.lock.judgement import HAND_WINDOW_NS

CUE_NS = 3_000_000_000
MS = 1_000_000
WINDOW_MS = HAND_WINDOW_NS / MS
BEHAVIOUR_RATES = {
    "honest": 0.45,
    "late": 0.22,
    "changed": 0.15,
    "early": 0.06,
    "half-open": 0.05,
    "hidden": 0.04,
    "resting": 0.03,
}
"""What seats do, and how often. One seat of every round, chosen at random, is honest.

"honest" shows its throw within 60 ms of 20 ms after the cue, "late" from 60 ms before the lock to 400 ms after it
(uniformly). "changed" shows paper or scissors on time, and another throw up to 400 ms after the lock (a fist that opens
then is late, not changed). "early" shows its throw 50 ms or more before the window around the cue. "resting" never
lifts its fist."""
SEAT_COUNTS = (2, 2, 2, 2, 2, 2, 3, 3, 3, 4, 5, 6, 8)
"""The number of seats is drawn from these: mostly small tables, as at home."""
DISTURBANCE_RATES = {
    "": 0.82,
    "two hands": 0.02,
    "wrong zone": 0.02,
    "reaching": 0.02,
    "covered": 0.02,
    "moved": 0.02,
    "dark": 0.02,
    "gap": 0.02,
    "tremor": 0.02,
    "flicker": 0.02,
}
"""What else happens in a round, and how often; "" is nothing.

Tremor and flicker are harmless: seats behave as usual. In all other cases every seat is honest, except for stray hands:
then that seat's kind is "two hands" or "wrong zone", and the seat whose zone it enters is "entered". When the camera or
the light fails or an arm reaches over the table, all seats are of that kind."""
STRAY_HAND_CASES = "two hands", "wrong zone"
HARMLESS_CASES = "", "tremor", "flicker"
HOLD_NS = 2_600_000_000
"""How long a throw is held: longer than the two seconds that other methods read."""


@dataclass(frozen=True)
class TrialConditions:
    """A table and its camera."""

    seats: int
    wide: int
    """The image's width in pixels."""
    fps: float
    exposure_ms: float
    readout_ms: float
    """The length of the rolling shutter's readout."""
    drop: float
    """The share of frames dropped, 0–1."""
    cloth: str

    @property
    def size(self) -> tuple[int, int]:
        """The image's width and height in pixels."""
        return self.wide, self.wide * 9 // 16


@dataclass(frozen=True)
class SeatPlan:
    """What a seat does in a round."""

    kind: str
    performance: Performance | None
    """None for a resting fist."""
    lateness_ms: float | None = None
    """How long after the lock a late throw is shown or a changed hand changes; None for other kinds."""


@dataclass(frozen=True)
class Trial:
    """A round to judge."""

    seed: int
    conditions: TrialConditions
    people: tuple[SimulatedPerson, ...]
    plans: tuple[SeatPlan, ...]
    """What each seat does."""
    lock_ns: int
    """The true time of the lock."""
    disturbance: Disturbance | None = None
    """What else happens; None: nothing."""

    @property
    def case(self) -> str:
        """What else happens, one of ``DISTURBANCE_RATES``."""
        return self.disturbance.kind if self.disturbance else ""


def make_trial(seed: int, fps: float | None = None, seats: int | None = None) -> Trial:
    """Return the trial of a seed; ``fps`` and ``seats`` are drawn at random unless given."""
    rng = np.random.default_rng([seed, 77])
    conditions = _draw_conditions(rng, fps, seats)
    people = tuple(_draw_person(rng) for _ in range(conditions.seats))
    kinds = rng.choice(list(BEHAVIOUR_RATES), conditions.seats, p=list(BEHAVIOUR_RATES.values())).tolist()
    kinds[int(rng.integers(conditions.seats))] = "honest"
    disturbance = _draw_disturbance(np.random.default_rng([seed, 78]), conditions.seats)
    if disturbance and disturbance.kind not in HARMLESS_CASES:
        kinds = ["honest"] * conditions.seats
    shown_ms = [20 + float(np.clip(rng.normal(0, 30), -60, 60)) for _ in kinds]
    first_ms = min(ms for ms, kind in zip(shown_ms, kinds, strict=True) if kind in ("honest", "changed"))
    lock_ms = max(0.0, first_ms + WINDOW_MS)
    beat_ns = int(rng.integers(450, 650)) * MS
    parts = tuple(_draw_plan(kind, ms, lock_ms, beat_ns, rng) for kind, ms in zip(kinds, shown_ms, strict=True))
    parts = tuple(
        replace(part, kind=_effective_kind(seat, part.kind, disturbance)) for seat, part in enumerate(parts, 1)
    )
    return Trial(seed, conditions, people, parts, CUE_NS + round(lock_ms * MS), disturbance)


def _draw_disturbance(rng: np.random.Generator, seats: int) -> Disturbance | None:
    """Draw what else happens in a round, if anything; it lasts from before the cue until after the lock."""
    case = str(rng.choice(list(DISTURBANCE_RATES), p=list(DISTURBANCE_RATES.values())))
    if not case:
        return None
    seat, other = (int(seat) for seat in 1 + rng.permutation(seats)[:2])
    before_ms, after_ms = {
        "two hands": (rng.uniform(500, 1200), rng.uniform(800, 1500)),
        "wrong zone": (1500, 1500),
        "reaching": (rng.uniform(450, 600), rng.uniform(700, 900)),
        "covered": (rng.uniform(450, 800), rng.uniform(900, 1500)),
        "gap": (rng.uniform(50, 150), rng.uniform(250, 450)),
    }.get(case, (rng.uniform(50, 600), rng.uniform(900, 1500)))
    amount = {"covered": (0.7, 1.0), "moved": (0.02, 0.12), "dark": (0.0, 0.005), "tremor": (0.3, 3.0)}.get(case)
    by = other if case == "reaching" and rng.random() < 0.5 else None
    return Disturbance(
        case,
        CUE_NS - round(before_ms * MS),
        CUE_NS + round(after_ms * MS),
        seat=seat if case in (*STRAY_HAND_CASES, "reaching") else None,
        into_seat=other if case == "wrong zone" else None,
        by_seat=by,
        throw=str(rng.choice(list(Throw))),
        amount=float(rng.uniform(*amount)) if amount else None,
        variant=int(rng.integers(1000)),
    )


def _effective_kind(seat: int, kind: str, disturbance: Disturbance | None) -> str:
    """Return a seat's kind once the disturbance is taken into account."""
    if disturbance is None or disturbance.kind in HARMLESS_CASES:
        return kind
    if disturbance.kind not in STRAY_HAND_CASES or seat == disturbance.seat:
        return disturbance.kind
    return "entered" if seat == disturbance.into_seat else kind


def _draw_conditions(rng: np.random.Generator, fps: float | None, seats: int | None) -> TrialConditions:
    rate = fps or float(rng.choice([30, 60, 120]))
    number = seats or int(rng.choice(SEAT_COUNTS))
    wide = int(rng.choice([960, 1280])) if number <= 4 else 1280
    exposure_ms = float(rng.uniform(2, min(20.0, 1000 / rate)))
    readout_ms = float(rng.uniform(0, min(20.0, 1000 / rate)))
    drop = float(rng.uniform(0, 0.1)) if rng.random() < 0.3 else 0.0
    return TrialConditions(number, wide, rate, exposure_ms, readout_ms, drop, str(rng.choice(sorted(CLOTHS))))


def _draw_person(rng: np.random.Generator) -> SimulatedPerson:
    """Draw a player: any skin, one in three left-handed, one in three a child."""
    child = rng.random() < 1 / 3
    sleeve = tuple(int(level) for level in rng.integers(20, 220, 3))
    return SimulatedPerson(
        skin=float(rng.random()),
        left=bool(rng.random() < 1 / 3),
        size=float(rng.uniform(0.66, 0.86) if child else rng.uniform(0.86, 1.08)),
        build=float(rng.uniform(0.95, 1.08)),
        sleeve=(sleeve[0], sleeve[1], sleeve[2]) if rng.random() < 0.6 else None,
        cuff_mm=float(rng.uniform(90, 230)),
        lift_mm=float(rng.uniform(65, 105)),
        yaw_deg=float(np.clip(rng.normal(0, 8), -16, 16)),
        roll_deg=float(np.clip(rng.normal(8, 8), -10, 24)),
        wrist_deg=float(np.clip(rng.normal(0, 4), -8, 8)),
        habit=int(rng.integers(1 << 30)),
    )


def _draw_plan(kind: str, shown_ms: float, lock_ms: float, beat_ns: int, rng: np.random.Generator) -> SeatPlan:
    if kind == "resting":
        return SeatPlan(kind, None)
    throw, then, lateness_ms, then_after_ms = str(rng.choice(list(Throw))), None, None, 0.0
    if kind in ("early", "changed") and throw == "rock":
        throw = str(rng.choice(["paper", "scissors"]))
    if kind == "late":
        lateness_ms = float(rng.uniform(-60, 400))
        shown_ms = lock_ms + lateness_ms
    elif kind == "early":
        shown_ms = -WINDOW_MS - float(rng.uniform(50, 300))
    elif kind == "changed":
        then = str(rng.choice([other for other in Throw if other != throw]))
        # a shape is kept for a moment before it is given up, or it was never shown
        lateness_ms = max(float(rng.uniform(0, 400)), shown_ms + 180 - lock_ms)
        then_after_ms = lock_ms + lateness_ms - shown_ms
    performance = Performance(
        throw=throw,
        cue_ns=CUE_NS,
        beat_ns=beat_ns,
        after_cue_ns=round(shown_ms * MS),
        opening_ns=round(float(rng.uniform(80, 150)) * MS),
        changes_to=then,
        change_after_ns=round(then_after_ms * MS),
        hidden=kind == "hidden",
        half_open=kind == "half-open",
        hold_ns=HOLD_NS,
    )
    return SeatPlan(kind, performance, lateness_ms)
