"""Play trials at the simulated table, judge them, and pair each seat's verdict with the truth."""

from dataclasses import asdict, dataclass, fields
from typing import Any

from device.simulated.table.camera import SimulatedTable
from device.system.clock import SimulatedClock
from rules.record.judgement import Verdict
from rules.throws import Throw
from tools.trials.generate import CUE_NS, MS, Trial
from tools.trials.other_methods import LABEL_DURATION_MS, label_frames
from vision.hands.augmentation import HandTracker
from vision.lock.judge import Judge
from vision.lock.judgement import HAND_WINDOW_NS, Judgement
from vision.lock.reasons import VoidKind
from vision.lock.verdict import SEARCH_AFTER_LOCK_NS, SEARCH_BEFORE_CUE_NS, SeatVerdict
from vision.zones import Zone

MUST_CATCH_MS = 100.0
"""A throw or a change this long after the lock, or later, must be caught."""
EXPECTED_VERDICTS = {
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
"""The right verdict for each kind of seat; for late and changed ones, from ``MUST_CATCH_MS`` after the lock on. A seat
whose zone another hand entered isn't accused, and the other's throw isn't taken for its own."""
EXPECTED_VOIDS = {
    "reaching": VoidKind.REACHING,
    "covered": VoidKind.COVERED,
    "moved": VoidKind.MOVED,
    "dark": VoidKind.DARK,
    "gap": VoidKind.FEW_FRAMES,
}
"""Why a round must be voided, by what happens in it. A round in the dark may also be read correctly."""

UNNAMED_KINDS = "half-open", "hidden", "two hands", "wrong zone", "entered", *EXPECTED_VOIDS
"""Kinds of seats that throw nothing, or whose throw need not be visible in the zone."""


@dataclass(frozen=True)
class SeatOutcome:
    """The verdict on one seat of a trial, and the truth. Times are in ms after the cue."""

    seed: int
    case: str
    """What else happens in the round; "" for nothing."""
    seats: int
    wide: int
    """The image's width in pixels."""
    fps: float
    exposure_ms: float
    readout_ms: float
    drop: float
    """The share of frames lost, 0–1."""
    cloth: str
    lock_ms: float
    seat: int
    side: str
    """The seat's place at the table."""
    skin: float
    """The player's skin tone, 0 (lightest) to 1 (dark)."""
    left: bool
    """Whether the hand is a left one."""
    size: float
    """The size of the hand; 1 for an adult's."""
    kind: str
    """What the seat does, one of ``BEHAVIOUR_RATES`` or what happens to it."""
    throw: str | None
    """The throw of the seat's performance; None for a resting fist."""
    shown_ms: float | None
    """When that throw was shown; None for a resting fist."""
    then: str | None
    """The throw that a changed hand changed to."""
    lateness_ms: float | None
    """How long after the lock a late throw is shown or a changed hand changes; None for other kinds."""
    verdict: str
    found: str | None
    """The throw that was found; None if none was."""
    found_at_lock: str | None
    """The throw that was found at the lock."""
    found_ms: float | None
    """When the throw found was shown; None if that isn't known."""
    plus_minus_ms: float | None
    """The uncertainty of ``found_ms``."""
    found_lock_ms: float
    """Where the judge put the lock."""
    trouble: str | None
    """Why the round was voided; None if it wasn't."""
    calls: int
    """Calls of the hand model for the seat."""
    labels: str = ""
    """The series of labels for other methods; "" where they weren't read."""
    decided_ms: float | None = None
    """When the round was clear, so that nothing after it counted; None if all of it was searched."""

    @property
    def expected_verdict(self) -> Verdict | None:
        """The right verdict; None if a late hand was so close to the lock that either is right, and in a round that
        must be voided. A throw that is changed after the round was decided is no foul."""
        if self.kind in EXPECTED_VOIDS:
            return None
        if self.kind == "changed" and self.lateness_ms is not None and self.decided_ms is not None:
            changed_ms = self.lock_ms + self.lateness_ms
            return EXPECTED_VERDICTS[self.kind] if changed_ms <= self.decided_ms else Verdict.ON_TIME
        if self.lateness_ms is None or self.lateness_ms >= MUST_CATCH_MS:
            return EXPECTED_VERDICTS[self.kind]
        return Verdict.ON_TIME if self.kind == "late" and self.lateness_ms <= 0 else None

    @property
    def is_correct(self) -> bool:
        """Whether the verdict is the expected one and the round was voided exactly when it had to be."""
        unharmed = self.verdict == Verdict.ON_TIME and self.found == (self.throw or Throw.ROCK)
        if self.kind in EXPECTED_VOIDS:
            return self.trouble == EXPECTED_VOIDS[self.kind] or (
                self.kind == "dark" and self.trouble is None and unharmed
            )
        if self.kind == "entered":
            return self.trouble is not None or unharmed or (self.verdict == Verdict.ON_TIME and self.found is None)
        return self.trouble is None and self.expected_verdict in (None, self.verdict)

    @property
    def is_accused(self) -> bool:
        """Whether the seat is accused of a foul in a round that isn't voided."""
        return self.trouble is None and Verdict(self.verdict).is_foul

    @property
    def throw_is_correct(self) -> bool | None:
        """Whether the throw found is the one thrown, or the one changed to right at the lock; None if none was thrown
        or none was found."""
        if self.throw is None or self.kind in UNNAMED_KINDS or self.found is None or self.trouble:
            return None
        return self.found == self.throw or (self.expected_verdict is None and self.found == self.then)

    @property
    def time_error_ms(self) -> float | None:
        """How much later than the true time the throw was judged to be shown; None if none was shown or found."""
        if self.shown_ms is None or self.found_ms is None or not self.throw_is_correct or self.found != self.throw:
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
        """Return the outcome as a JSON object; floats are rounded to three decimals."""
        return {name: round(x, 3) if isinstance(x, float) else x for name, x in asdict(self).items()}


def judge_trial(trial: Trial, judge: Judge, detector: HandTracker | None = None) -> list[SeatOutcome]:
    """Play a trial at the simulated table and judge it; with a ``detector``, label the frames for other methods too."""
    table, clock = _start_table(trial)
    end_ns = CUE_NS + max(2 * HAND_WINDOW_NS + SEARCH_AFTER_LOCK_NS, LABEL_DURATION_MS * MS if detector else 0)
    clock.wait_until(end_ns + 100 * MS)
    frames = table.frames_between(CUE_NS - SEARCH_BEFORE_CUE_NS - 500 * MS, end_ns)
    zones = [Zone(*zone) for zone in table.zones]
    judged_until = CUE_NS + 2 * HAND_WINDOW_NS + SEARCH_AFTER_LOCK_NS
    judgement = judge([frame for frame in frames if frame.exposed_ns <= judged_until], zones, CUE_NS)
    return [
        _outcome(trial, seat, judgement, label_frames(frames, zone, detector, CUE_NS) if detector else "")
        for seat, zone in zip(judgement.seats, zones, strict=True)
    ]


def _start_table(trial: Trial) -> tuple[SimulatedTable, SimulatedClock]:
    """Return the table with its camera running and its people instructed."""
    clock = SimulatedClock()
    conditions = trial.conditions
    table = SimulatedTable(
        clock,
        conditions.seats,
        seed=trial.seed,
        size=conditions.size,
        fps=conditions.fps,
        exposure_ns=round(conditions.exposure_ms * MS),
        readout_ns=round(conditions.readout_ms * MS),
        drop_share=conditions.drop,
        cloth=conditions.cloth,
        people=trial.people,
    )
    table.start()
    for seat, part in enumerate(trial.plans, 1):
        if part.performance is not None:
            table.perform(seat, part.performance)
    if trial.disturbance is not None:
        table.disturb(trial.disturbance)
    return table, clock


def seat_side(seat: int) -> str:
    """Return a seat's place at the simulated table, in the camera's image."""
    return {1: "left", 2: "right"}.get(seat, "above" if seat % 2 else "below")


def _outcome(trial: Trial, seat: SeatVerdict, judgement: Judgement, labels: str) -> SeatOutcome:
    part, person = trial.plans[seat.seat - 1], trial.people[seat.seat - 1]
    truth = part.performance
    conditions = {field.name: getattr(trial.conditions, field.name) for field in fields(trial.conditions)}

    def after_cue(when_ns: int) -> float:
        return (when_ns - CUE_NS) / MS

    return SeatOutcome(
        seed=trial.seed,
        case=trial.case,
        **conditions,
        lock_ms=after_cue(trial.lock_ns),
        seat=seat.seat,
        side=seat_side(seat.seat),
        skin=person.skin,
        left=person.left,
        size=person.size,
        kind=part.kind,
        throw=truth.throw if truth else None,
        shown_ms=after_cue(truth.shown_ns) if truth else None,
        then=truth.changes_to if truth else None,
        lateness_ms=part.lateness_ms,
        verdict=seat.verdict.value,
        found=seat.throw,
        found_at_lock=seat.at_lock,
        found_ms=after_cue(seat.shown.time_ns) if seat.shown else None,
        plus_minus_ms=seat.shown.sigma_ns / MS if seat.shown else None,
        found_lock_ms=after_cue(judgement.lock_ns),
        trouble=judgement.void_reason.kind.value if judgement.void_reason else None,
        calls=seat.inferences,
        labels=labels,
        decided_ms=after_cue(judgement.decided_ns) if judgement.decided_ns is not None else None,
    )
