"""Plays a trial at the simulated table, has it judged, and keeps what came of every seat beside the truth."""

from dataclasses import asdict, dataclass, fields
from typing import Any

from device.simulated.table.table import SimulatedTable
from device.system.clock import JumpingClock
from rules.throws import Throw
from tools.trials.making import CUE_NS, MS, Trial
from tools.trials.others import UNTIL_MS, labels
from vision.hands.augmented_looks import Finder
from vision.lock.judge import WINDOW_NS, Judge, Judgement
from vision.lock.verdict import AFTER_NS, BEFORE_NS, SeatVerdict, Verdict
from vision.lock.void_reasons import TroubleKind
from vision.zones import Zone

SURELY_MS = 100.0
"""From this long after the lock on a late throw or a change must be caught."""
EXPECTED = {
    "honest": Verdict.ON_TIME,
    "late": Verdict.LATE,
    "changed": Verdict.CHANGED,
    "early": Verdict.EARLY,
    "half-open": Verdict.UNCLEAR,
    "hidden": Verdict.UNSEEN,
    "resting": Verdict.ON_TIME,
    "two hands": Verdict.TWO_HANDS,
    "wrong zone": Verdict.WRONG_ZONE,
    "entered": Verdict.ON_TIME,
}
"""The verdict on each kind of seat; on late and changed ones from SURELY_MS after the lock on. A seat whose zone
another hand entered is not blamed, and another's throw is not taken for its own."""
TROUBLES = {
    "reaching": TroubleKind.REACHING,
    "covered": TroubleKind.COVERED,
    "moved": TroubleKind.MOVED,
    "dark": TroubleKind.DARK,
    "gap": TroubleKind.FEW_FRAMES,
}
"""The trouble for which a round is voided, by what happens in it. One in the dark may also be read right."""


UNTHROWN = "half-open", "hidden", "two hands", "wrong zone", "entered", *TROUBLES
"""Kinds of seats that throw nothing, or of whose throw the zone need not tell."""


@dataclass(frozen=True)
class Outcome:
    """What the lock made of one seat of a trial, beside the truth. Times are in ms after the cue. ``case`` is what
    else happened.

    ``side`` is the seat's place at the table, ``skin`` 0 (lightest) to 1, ``size`` 1 for a grown-up's hand. ``throw``
    and ``shown_ms`` are what was thrown and when, ``then`` what a changed hand changed to; ``found…`` is what the lock
    found. ``labels`` are what other ways saw, "" where they were not asked."""

    seed: int
    case: str
    seats: int
    wide: int
    fps: float
    exposure_ms: float
    readout_ms: float
    drop: float
    cloth: str
    lock_ms: float
    seat: int
    side: str
    skin: float
    left: bool
    size: float
    kind: str
    throw: str | None
    shown_ms: float | None
    then: str | None
    lateness_ms: float | None
    verdict: str
    found: str | None
    found_at_lock: str | None
    found_ms: float | None
    plus_minus_ms: float | None
    found_lock_ms: float
    trouble: str | None
    calls: int
    labels: str = ""

    @property
    def expected(self) -> Verdict | None:
        """The verdict it should get; None where a late hand was near enough to the lock to get either, and in a round
        that must be voided."""
        if self.kind in TROUBLES:
            return None
        if self.lateness_ms is None or self.lateness_ms >= SURELY_MS:
            return EXPECTED[self.kind]
        return Verdict.ON_TIME if self.kind == "late" and self.lateness_ms <= 0 else None

    @property
    def right(self) -> bool:
        """Whether the verdict is the expected one, and the round was voided if it had to be, and only then."""
        unharmed = self.verdict == Verdict.ON_TIME and self.found == (self.throw or Throw.ROCK)
        if self.kind in TROUBLES:
            return self.trouble == TROUBLES[self.kind] or (self.kind == "dark" and self.trouble is None and unharmed)
        if self.kind == "entered":
            return self.trouble is not None or unharmed or (self.verdict == Verdict.ON_TIME and self.found is None)
        return self.trouble is None and self.expected in (None, self.verdict)

    @property
    def caught(self) -> bool:
        """Whether the seat is blamed: called late, changed, or anything else that can't count, in a round that isn't
        voided."""
        return self.trouble is None and Verdict(self.verdict).foul

    @property
    def named(self) -> bool | None:
        """Whether the throw is the one thrown, or the one changed to at the lock itself; None where there was none, or
        none was seen."""
        if self.throw is None or self.kind in UNTHROWN or self.found is None or self.trouble:
            return None
        return self.found == self.throw or (self.expected is None and self.found == self.then)

    @property
    def off_ms(self) -> float | None:
        """How much later than in truth the throw was found to be shown; None where no throw was shown or found."""
        if self.shown_ms is None or self.found_ms is None or not self.named or self.found != self.throw:
            return None
        return self.found_ms - self.shown_ms

    def __str__(self) -> str:
        truth = f"{self.throw} {self.shown_ms:+.0f} ms" if self.shown_ms is not None else "rock"
        if self.lateness_ms is not None:
            truth += f", {self.then or ''} {self.lateness_ms:+.0f} ms after the lock"
        times = f"shown {self.found_ms:+.0f} ms" if self.found_ms is not None else "no time"
        void = f", void: {self.trouble}" if self.trouble else ""
        kind = f"{self.kind} ({self.case})" if self.case else self.kind
        return (
            f"seed {self.seed} seat {self.seat} of {self.seats}, {self.wide} px, {self.fps:g} fps, exposure "
            f"{self.exposure_ms:.0f} ms, readout {self.readout_ms:.0f} ms, drop {self.drop:.2f}, {self.cloth}, skin "
            f"{self.skin:.2f}, {'left' if self.left else 'right'}, size {self.size:.2f}: {kind} {truth}, lock "
            f"{self.lock_ms:+.0f} ms: {self.verdict}, {self.found or 'no throw'}, {times}, lock "
            f"{self.found_lock_ms:+.0f} ms{void}"
        )

    def as_json(self) -> dict[str, Any]:
        """The outcome as a JSON object; times are rounded to a tenth of a ms, shares to a thousandth."""
        return {name: round(x, 3) if isinstance(x, float) else x for name, x in asdict(self).items()}


def outcomes(made: Trial, judge: Judge, finder: Finder | None = None) -> list[Outcome]:
    """Play a trial at the simulated table and judge it; with a ``finder`` the other ways have a look too."""
    table, clock = _table(made)
    end_ns = CUE_NS + max(2 * WINDOW_NS + AFTER_NS, UNTIL_MS * MS if finder else 0)
    clock.wait_until(end_ns + 100 * MS)
    frames = table.ring(CUE_NS - BEFORE_NS - 500 * MS, end_ns)
    zones = [Zone(*zone) for zone in table.zones]
    judged_until = CUE_NS + 2 * WINDOW_NS + AFTER_NS
    judgement = judge([frame for frame in frames if frame.exposed_ns <= judged_until], zones, CUE_NS)
    return [
        _outcome(made, seat, judgement, labels(frames, zone, finder, CUE_NS) if finder else "")
        for seat, zone in zip(judgement.seats, zones, strict=True)
    ]


def _table(made: Trial) -> tuple[SimulatedTable, JumpingClock]:
    """The table, its camera running, its people told what to do."""
    clock = JumpingClock()
    conditions = made.conditions
    table = SimulatedTable(
        clock,
        conditions.seats,
        seed=made.seed,
        size=conditions.size,
        fps=conditions.fps,
        exposure_ns=round(conditions.exposure_ms * MS),
        readout_ns=round(conditions.readout_ms * MS),
        drop=conditions.drop,
        cloth=conditions.cloth,
        people=made.people,
    )
    table.start()
    for seat, part in enumerate(made.parts, 1):
        if part.performance is not None:
            table.perform(seat, part.performance)
    if made.disturbance is not None:
        table.disturb(made.disturbance)
    return table, clock


def side_of(seat: int) -> str:
    """Where a seat is at the simulated table, as the camera sees it."""
    return {1: "left", 2: "right"}.get(seat, "above" if seat % 2 else "below")


def _outcome(made: Trial, seat: SeatVerdict, judgement: Judgement, labels: str) -> Outcome:
    part, person = made.parts[seat.seat - 1], made.people[seat.seat - 1]
    truth = part.performance
    conditions = {field.name: getattr(made.conditions, field.name) for field in fields(made.conditions)}

    def after_cue(when_ns: int) -> float:
        return (when_ns - CUE_NS) / MS

    return Outcome(
        seed=made.seed,
        case=made.case,
        **conditions,
        lock_ms=after_cue(made.lock_ns),
        seat=seat.seat,
        side=side_of(seat.seat),
        skin=person.skin,
        left=person.left,
        size=person.size,
        kind=part.kind,
        throw=truth.throw if truth else None,
        shown_ms=after_cue(truth.shown_ns) if truth else None,
        then=truth.then if truth else None,
        lateness_ms=part.lateness_ms,
        verdict=seat.verdict.value,
        found=seat.throw,
        found_at_lock=seat.at_lock,
        found_ms=after_cue(seat.shown.when_ns) if seat.shown else None,
        plus_minus_ms=seat.shown.plus_minus_ns / MS if seat.shown else None,
        found_lock_ms=after_cue(judgement.lock_ns),
        trouble=judgement.trouble.kind.value if judgement.trouble else None,
        calls=seat.inferences,
        labels=labels,
    )
