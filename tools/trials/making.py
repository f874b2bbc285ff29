"""Makes the rounds of the trials: who sits there, under which camera, and what every seat does. The same seed always
makes the same round."""

from dataclasses import dataclass, replace

import numpy as np

from device.simulated.table.animation import Performance
from device.simulated.table.faults import Disturbance
from device.simulated.table.materials import CLOTHS
from device.simulated.table.seating import Person
from rules.throws import Throw
from vision.lock.judge import WINDOW_NS

CUE_NS = 3_000_000_000
MS = 1_000_000
WINDOW_MS = WINDOW_NS / MS
KINDS = {
    "honest": 0.45,
    "late": 0.22,
    "changed": 0.15,
    "early": 0.06,
    "half-open": 0.05,
    "hidden": 0.04,
    "resting": 0.03,
}
"""What seats do, and how often; one seat of every round, any of them, is honest. "honest" shows within 60 ms of 20 ms
after the cue. "late" shows from 60 ms before the lock to 400 ms after it, evenly; "changed" is on time with a paper or
scissors that turns into another throw up to 400 ms after the lock (who opens a fist then is late, not changed). "early"
shows 50 ms or more before the window around the cue. "resting" never lifts its fist."""
SEATS = (2, 2, 2, 2, 2, 2, 3, 3, 3, 4, 5, 6, 8)
"""Tables are drawn from these: mostly small ones, as they are at home."""
CASES = {
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
"""What else happens in a round, and how often; "" is nothing. Tremor and flicker are harmless: seats do as ever. In
all others every seat is honest but for hands astray: then the seat's kind is "two hands" or "wrong zone", and "entered"
where the zone was; where camera or light fail or an arm comes over the table, all seats are of that kind."""
ASTRAY = "two hands", "wrong zone"
HARMLESS = "", "tremor", "flicker"
HOLD_NS = 2_600_000_000
"""What is shown is held beyond the two seconds in which other ways look."""


@dataclass(frozen=True)
class Conditions:
    """A table and its camera: how many seats, the picture's width in pixels, frames a second, the length of an exposure
    and of a rolling shutter's readout in ms, the share of frames lost, and the cloth."""

    seats: int
    wide: int
    fps: float
    exposure_ms: float
    readout_ms: float
    drop: float
    cloth: str

    @property
    def size(self) -> tuple[int, int]:
        """The picture's width and height in pixels."""
        return self.wide, self.wide * 9 // 16


@dataclass(frozen=True)
class Part:
    """What a seat does; ``performance`` is None for a fist that rests. ``lateness_ms`` is how long after the lock a
    late throw is shown, or a changed hand changes; None for others."""

    kind: str
    performance: Performance | None
    lateness_ms: float | None = None


@dataclass(frozen=True)
class Trial:
    """A round to be judged: the table, its people, what they do, when the lock is in truth (ns), and what else
    happens."""

    seed: int
    conditions: Conditions
    people: tuple[Person, ...]
    parts: tuple[Part, ...]
    lock_ns: int
    disturbance: Disturbance | None = None

    @property
    def case(self) -> str:
        """What else happens, one of CASES."""
        return self.disturbance.kind if self.disturbance else ""


def trial(seed: int, fps: float | None = None, seats: int | None = None) -> Trial:
    """The trial of a seed; ``fps`` and ``seats`` where they are not left to chance."""
    chance = np.random.default_rng([seed, 77])
    conditions = _conditions(chance, fps, seats)
    people = tuple(_person(chance) for _ in range(conditions.seats))
    kinds = chance.choice(list(KINDS), conditions.seats, p=list(KINDS.values())).tolist()
    kinds[int(chance.integers(conditions.seats))] = "honest"
    disturbance = _disturbance(np.random.default_rng([seed, 78]), conditions.seats)
    if disturbance and disturbance.kind not in HARMLESS:
        kinds = ["honest"] * conditions.seats
    shown_ms = [20 + float(np.clip(chance.normal(0, 30), -60, 60)) for _ in kinds]
    first_ms = min(ms for ms, kind in zip(shown_ms, kinds, strict=True) if kind in ("honest", "changed"))
    lock_ms = max(0.0, first_ms + WINDOW_MS)
    beat_ns = int(chance.integers(450, 650)) * MS
    parts = tuple(_part(kind, ms, lock_ms, beat_ns, chance) for kind, ms in zip(kinds, shown_ms, strict=True))
    parts = tuple(replace(part, kind=_astray(seat, part.kind, disturbance)) for seat, part in enumerate(parts, 1))
    return Trial(seed, conditions, people, parts, CUE_NS + round(lock_ms * MS), disturbance)


def _disturbance(chance: np.random.Generator, seats: int) -> Disturbance | None:
    """What else happens in a round, if anything. Whatever it is, it is there from the cue to beyond the lock."""
    case = str(chance.choice(list(CASES), p=list(CASES.values())))
    if not case:
        return None
    seat, other = (int(seat) for seat in 1 + chance.permutation(seats)[:2])
    before_ms, after_ms = {
        "two hands": (chance.uniform(500, 1200), chance.uniform(800, 1500)),
        "wrong zone": (1500, 1500),
        "reaching": (chance.uniform(450, 600), chance.uniform(700, 900)),
        "covered": (chance.uniform(450, 800), chance.uniform(900, 1500)),
        "gap": (chance.uniform(50, 150), chance.uniform(250, 450)),
    }.get(case, (chance.uniform(50, 600), chance.uniform(900, 1500)))
    amount = {"covered": (0.7, 1.0), "moved": (0.02, 0.12), "dark": (0.0, 0.005), "tremor": (0.3, 3.0)}.get(case)
    by = other if case == "reaching" and chance.random() < 0.5 else None
    return Disturbance(
        case,
        CUE_NS - round(before_ms * MS),
        CUE_NS + round(after_ms * MS),
        seat=seat if case in (*ASTRAY, "reaching") else None,
        into=other if case == "wrong zone" else None,
        by=by,
        throw=str(chance.choice(list(Throw))),
        amount=float(chance.uniform(*amount)) if amount else None,
        variant=int(chance.integers(1000)),
    )


def _astray(seat: int, kind: str, disturbance: Disturbance | None) -> str:
    """The kind of a seat when what happens is counted in."""
    if disturbance is None or disturbance.kind in HARMLESS:
        return kind
    if disturbance.kind not in ASTRAY or seat == disturbance.seat:
        return disturbance.kind
    return "entered" if seat == disturbance.into else kind


def _conditions(chance: np.random.Generator, fps: float | None, seats: int | None) -> Conditions:
    rate = fps or float(chance.choice([30, 60, 120]))
    number = seats or int(chance.choice(SEATS))
    wide = int(chance.choice([960, 1280])) if number <= 4 else 1280
    exposure_ms = float(chance.uniform(2, min(20.0, 1000 / rate)))
    readout_ms = float(chance.uniform(0, min(20.0, 1000 / rate)))
    drop = float(chance.uniform(0, 0.1)) if chance.random() < 0.3 else 0.0
    return Conditions(number, wide, rate, exposure_ms, readout_ms, drop, str(chance.choice(sorted(CLOTHS))))


def _person(chance: np.random.Generator) -> Person:
    """Anybody: any skin, as many left hands as a third, every third a child."""
    child = chance.random() < 1 / 3
    sleeve = tuple(int(level) for level in chance.integers(20, 220, 3))
    return Person(
        skin=float(chance.random()),
        left=bool(chance.random() < 1 / 3),
        size=float(chance.uniform(0.66, 0.86) if child else chance.uniform(0.86, 1.08)),
        build=float(chance.uniform(0.95, 1.08)),
        sleeve=(sleeve[0], sleeve[1], sleeve[2]) if chance.random() < 0.6 else None,
        cuff_mm=float(chance.uniform(90, 230)),
        lift_mm=float(chance.uniform(65, 105)),
        yaw_deg=float(np.clip(chance.normal(0, 8), -16, 16)),
        roll_deg=float(np.clip(chance.normal(8, 8), -10, 24)),
        wrist_deg=float(np.clip(chance.normal(0, 4), -8, 8)),
        habit=int(chance.integers(1 << 30)),
    )


def _part(kind: str, shown_ms: float, lock_ms: float, beat_ns: int, chance: np.random.Generator) -> Part:
    if kind == "resting":
        return Part(kind, None)
    throw, then, lateness_ms, then_after_ms = str(chance.choice(list(Throw))), None, None, 0.0
    if kind in ("early", "changed") and throw == "rock":
        throw = str(chance.choice(["paper", "scissors"]))
    if kind == "late":
        lateness_ms = float(chance.uniform(-60, 400))
        shown_ms = lock_ms + lateness_ms
    elif kind == "early":
        shown_ms = -WINDOW_MS - float(chance.uniform(50, 300))
    elif kind == "changed":
        then = str(chance.choice([other for other in Throw if other != throw]))
        # a shape is kept for a moment before it is given up, or it was never shown
        lateness_ms = max(float(chance.uniform(0, 400)), shown_ms + 180 - lock_ms)
        then_after_ms = lock_ms + lateness_ms - shown_ms
    performance = Performance(
        throw=throw,
        cue_ns=CUE_NS,
        beat_ns=beat_ns,
        after_cue_ns=round(shown_ms * MS),
        opening_ns=round(float(chance.uniform(80, 150)) * MS),
        then=then,
        then_after_ns=round(then_after_ms * MS),
        hidden=kind == "hidden",
        half_open=kind == "half-open",
        hold_ns=HOLD_NS,
    )
    return Part(kind, performance, lateness_ms)
