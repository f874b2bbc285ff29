"""``python -m referee.trials``: the lock on many rendered rounds whose truth is known, with every kind of table, camera
and foul; prints what it made of them. The figures in the comments of ``vision`` come from here."""

import argparse
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from device.clock import JumpingClock
from device.simulated.performance import Performance
from device.simulated.scene import CLOTHS
from device.simulated.table import SimulatedTable
from rules.throws import Throw
from vision.lock import WINDOW_NS, Judge, Judgement
from vision.track import AFTER_NS, BEFORE_NS, SeatVerdict, Verdict
from vision.zones import Zone

CUE_NS = 3_000_000_000
MS = 1_000_000
KINDS = {"honest": 0.6, "late": 0.1, "changed": 0.1, "early": 0.05, "half-open": 0.05, "hidden": 0.05, "resting": 0.05}
"""What seats do, and how often; the first seat is always honest. "late" shows 100 ms or more after the lock, "changed"
is on time with a paper or scissors that turns into another throw 100 ms or more after the lock (who opens a fist then
is late, not changed), "early" shows 50 ms or more before the window
around the cue, "resting" never lifts its fist."""
EXPECTED = {
    "honest": Verdict.ON_TIME,
    "late": Verdict.LATE,
    "changed": Verdict.CHANGED,
    "early": Verdict.EARLY,
    "half-open": Verdict.UNCLEAR,
    "hidden": Verdict.UNSEEN,
    "resting": Verdict.ON_TIME,
}


@dataclass(frozen=True)
class Conditions:
    """A table and its camera: how many seats, frames a second, the length of an exposure in ms, the share of frames
    lost, and the cloth."""

    seats: int
    fps: float
    exposure_ms: float
    drop: float
    cloth: str


@dataclass(frozen=True)
class Part:
    """What a seat does; ``performance`` is None for a fist that rests."""

    kind: str
    performance: Performance | None


@dataclass(frozen=True)
class Trial:
    """A round to be judged. The same seed always makes the same one."""

    seed: int
    conditions: Conditions
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Outcome:
    """What the lock made of one seat of a trial."""

    trial: Trial
    part: Part
    verdict: SeatVerdict
    judgement: Judgement

    @property
    def right(self) -> bool:
        """Whether the verdict is the expected one."""
        return self.verdict.verdict is EXPECTED[self.part.kind]

    @property
    def named(self) -> bool | None:
        """Whether the throw is the one thrown; None where there was none, or none was seen."""
        if self.part.performance is None or self.part.kind in ("half-open", "hidden") or self.verdict.throw is None:
            return None
        return self.verdict.throw == self.part.performance.throw

    @property
    def off_ms(self) -> float | None:
        """How much later than in truth the throw was found to be shown; None where no throw was shown or found."""
        if self.part.performance is None or self.verdict.shown is None or not self.named:
            return None
        return (self.verdict.shown.when_ns - self.part.performance.shown_ns) / MS

    def __str__(self) -> str:
        made = self.trial.conditions
        shown = self.verdict.shown
        times = f"shown {(shown.when_ns - CUE_NS) / MS:+.0f} ms" if shown else "no time"
        truth = self.part.performance
        meant = f"{truth.throw} {(truth.shown_ns - CUE_NS) / MS:+.0f} ms" if truth else "rock"
        return (
            f"seed {self.trial.seed} seat {self.verdict.seat} of {made.seats}, {made.fps:g} fps, "
            f"{made.exposure_ms:.0f} ms, drop {made.drop:.2f}, {made.cloth}: {self.part.kind} {meant}: "
            f"{self.verdict.verdict}, {self.verdict.throw or 'no throw'}, {times}, "
            f"lock {(self.judgement.lock_ns - CUE_NS) / MS:+.0f} ms"
        )


def trial(seed: int, fps: float | None = None, seats: int | None = None) -> Trial:
    """The trial of a seed; ``fps`` and ``seats`` where they are not left to chance."""
    chance = np.random.default_rng([seed, 77])
    rate = float(chance.choice([30, 60, 120]))
    rate = fps or rate
    number = int(chance.choice([2, 2, 2, 3, 4, 5, 6, 8]))
    exposure_ms = float(chance.uniform(2, min(20.0, 1000 / rate)))
    drop = float(chance.uniform(0, 0.1)) if chance.random() < 0.3 else 0.0
    conditions = Conditions(seats or number, rate, exposure_ms, drop, str(chance.choice(sorted(CLOTHS))))
    kinds = ["honest", *chance.choice(list(KINDS), conditions.seats - 1, p=list(KINDS.values())).tolist()]
    first_ms = [float(np.clip(chance.normal(20, 25), -60, 60)) for _ in kinds]
    lock_ms = max(0.0, min(first_ms[i] for i, kind in enumerate(kinds) if kind != "early")) + WINDOW_NS / MS
    beat_ns = int(chance.integers(450, 650)) * MS
    return Trial(
        seed,
        conditions,
        tuple(_part(kind, ms, lock_ms, beat_ns, chance) for kind, ms in zip(kinds, first_ms, strict=True)),
    )


def _part(kind: str, shown_ms: float, lock_ms: float, beat_ns: int, chance: np.random.Generator) -> Part:
    if kind == "resting":
        return Part(kind, None)
    throw, then, then_after_ms = str(chance.choice(list(Throw))), None, 0.0
    if kind in ("early", "changed") and throw == "rock":
        throw = "paper"
    if kind == "late":
        shown_ms = lock_ms + float(chance.uniform(100, 350))
    elif kind == "early":
        shown_ms = -WINDOW_NS / MS - float(chance.uniform(50, 300))
    elif kind == "changed":
        then = str(chance.choice([other for other in Throw if other != throw]))
        then_after_ms = lock_ms - shown_ms + float(chance.uniform(100, 350))
    opening_ms = float(chance.uniform(80, 150))
    return Part(
        kind,
        Performance(
            throw=throw,
            cue_ns=CUE_NS,
            beat_ns=beat_ns,
            after_cue_ns=round(shown_ms * MS),
            opening_ns=round(opening_ms * MS),
            then=then,
            then_after_ns=round(then_after_ms * MS),
            hidden=kind == "hidden",
            half_open=kind == "half-open",
        ),
    )


def outcomes(made: Trial, judge: Judge) -> list[Outcome]:
    """Play a trial at the simulated table and judge it."""
    clock = JumpingClock()
    conditions = made.conditions
    table = SimulatedTable(
        clock,
        conditions.seats,
        seed=made.seed,
        fps=conditions.fps,
        exposure_ns=round(conditions.exposure_ms * MS),
        drop=conditions.drop,
        cloth=conditions.cloth,
    )
    table.start()
    for seat, part in enumerate(made.parts, 1):
        if part.performance is not None:
            table.perform(seat, part.performance)
    end_ns = CUE_NS + 2 * WINDOW_NS + AFTER_NS
    clock.wait_until(end_ns + 100 * MS)
    frames = table.ring(CUE_NS - BEFORE_NS - 500 * MS, end_ns)
    judgement = judge(frames, [Zone(*zone) for zone in table.zones], CUE_NS)
    return [Outcome(made, part, seat, judgement) for part, seat in zip(made.parts, judgement.seats, strict=True)]


def verdicts_table(found: Sequence[Outcome]) -> Iterator[str]:
    """What became of each kind of seat."""
    yield f"{'kind':<10}{'seats':>6}{'right':>7}  verdicts"
    for kind in KINDS:
        these = [one for one in found if one.part.kind == kind]
        if these:
            counts = Counter(str(one.verdict.verdict) for one in these)
            right = sum(one.right for one in these) / len(these)
            told = ", ".join(f"{verdict} {count}" for verdict, count in counts.most_common())
            yield f"{kind:<10}{len(these):>6}{right:>7.1%}  {told}"
    named = [one.named for one in found if one.named is not None]
    yield f"throws named right: {sum(named)} of {len(named)}"


def times_table(found: Sequence[Outcome]) -> Iterator[str]:
    """How far shown times are off, by throw and frame rate."""
    yield f"{'shown':<10}{'fps':>4}{'n':>5}{'mean':>8}{'sd':>7}{'worst':>7}  ms off"
    for throw in Throw:
        for fps in (30, 60, 120):
            off = [
                one.off_ms
                for one in found
                if one.off_ms is not None and one.verdict.throw is throw and one.trial.conditions.fps == fps
            ]
            if off:
                mean, spread = statistics.mean(off), statistics.pstdev(off)
                yield f"{throw:<10}{fps:>4}{len(off):>5}{mean:>+8.1f}{spread:>7.1f}{max(map(abs, off)):>7.0f}"


def costs_table(found: Sequence[Outcome]) -> Iterator[str]:
    """Calls of the hand model a seat, by kind."""
    yield "model calls a seat (median, most): " + ", ".join(
        f"{kind} {statistics.median(calls):.0f}, {max(calls)}"
        for kind in KINDS
        if (calls := [one.verdict.inferences for one in found if one.part.kind == kind])
    )


def report(found: Sequence[Outcome]) -> str:
    """All the figures."""
    return "\n".join([*verdicts_table(found), *times_table(found), *costs_table(found)])


def run(trials: Iterable[Trial], wrong_too: bool = False) -> list[Outcome]:
    """Judge trials one after the other; ``wrong_too`` prints those that came out wrong as they come."""
    found: list[Outcome] = []
    with Judge(seats=2) as judge:
        for made in trials:
            results = outcomes(made, judge)
            found += results
            for one in results:
                if wrong_too and (not one.right or one.named is False or abs(one.off_ms or 0.0) > 40):
                    print(one, flush=True)
    return found


def main() -> None:
    """Parse the arguments and print the figures."""
    parser = argparse.ArgumentParser(prog="python -m referee.trials", description=__doc__)
    parser.add_argument("--rounds", type=int, default=40, help="how many rounds are judged (default 40)")
    parser.add_argument("--seed", type=int, default=0, help="of the first round (default 0)")
    parser.add_argument("--fps", type=float, choices=[30, 60, 120], help="frames a second (default: any of them)")
    parser.add_argument("--seats", type=int, choices=range(2, 9), help="seats (default: any number)")
    parser.add_argument("--wrong", action="store_true", help="print every seat that comes out wrong")
    given = parser.parse_args()
    made = (trial(seed, given.fps, given.seats) for seed in range(given.seed, given.seed + given.rounds))
    print(report(run(made, given.wrong)))


if __name__ == "__main__":
    main()
