"""``python -m tools.trials.timing``: how well shown times are found, on rendered throws whose truth is known, by
frame rate, throw, exposure, readout and opening; ``--docs docs/time.md`` writes the tables there."""

import argparse
import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from device.camera.frames import Frame
from device.simulated.table.animation import Performance
from device.simulated.table.seating import some_people
from device.simulated.table.table import SimulatedTable
from device.system.clock import JumpingClock
from rules.throws import Throw
from tools.docs.generated_sections import write_into
from vision.lock.judge import WINDOW_NS, Judge
from vision.lock.verdict import AFTER_NS, BEFORE_NS
from vision.zones import Zone

CUE_NS = 3_000_000_000
MS = 1_000_000
RATES = (30, 60, 120, 240)
SEATS = (2, 2, 2, 3, 4, 8)
LATE = 0.25
"""The share of seats that open only after their fist has landed, at rest."""
BEGIN, END = "<!-- times: begin -->", "<!-- times: end -->"


@dataclass(frozen=True)
class Round:
    """A round whose times are to be found. The same seed always makes the same one."""

    seed: int
    fps: int
    exposure_ns: int
    readout_ns: int
    performances: tuple[Performance, ...]

    @property
    def frames(self) -> tuple[Sequence[Frame], list[Zone]]:
        """What the camera saw, and the seats' zones."""
        clock = JumpingClock()
        table = SimulatedTable(
            clock,
            len(self.performances),
            seed=self.seed,
            fps=self.fps,
            exposure_ns=self.exposure_ns,
            readout_ns=self.readout_ns,
        )
        table.start()
        for seat, performance in enumerate(self.performances, 1):
            table.perform(seat, performance)
        end_ns = CUE_NS + 2 * WINDOW_NS + AFTER_NS
        clock.wait_until(end_ns + 100 * MS)
        return table.ring(CUE_NS - BEFORE_NS - 500 * MS, end_ns), [Zone(*zone) for zone in table.zones]


@dataclass(frozen=True)
class Timed:
    """A throw and what was made of it: ``off_ms`` is how much later than in truth it was found to be shown (None where
    it was named wrongly or had no time), ``sure_ms`` the uncertainty given with it."""

    made: Round
    seat: int
    performance: Performance
    off_ms: float | None
    sure_ms: float
    calls: int

    @property
    def skin(self) -> float:
        """How dark the player's skin is, 0–1."""
        return some_people(len(self.made.performances), self.made.seed)[self.seat - 1].skin

    def __str__(self) -> str:
        throw = self.performance
        off = "no time" if self.off_ms is None else f"{self.off_ms:+.1f} ± {self.sure_ms:.1f} ms"
        return (
            f"seed {self.made.seed} seat {self.seat} of {len(self.made.performances)}, {self.made.fps} fps, exposure "
            f"{self.made.exposure_ns / MS:.1f}, readout {self.made.readout_ns / MS:.1f} ms: {throw.throw} "
            f"{throw.after_cue_ns / MS:+.0f} ms, opening {throw.opening_ns / MS:.0f} ms: {off}, {self.calls} calls"
        )


def a_round(seed: int, fps: int) -> Round:
    """The round of a seed at a frame rate: exposures of 2–20 ms that fit, half of the cameras with a rolling shutter
    that takes up to a frame or 30 ms."""
    chance = np.random.default_rng([seed, fps, 78])
    frame_ms = 1000 / fps
    exposure_ms = float(chance.uniform(2, min(20.0, 0.98 * frame_ms)))
    readout_ms = float(chance.uniform(0, min(30.0, 0.98 * frame_ms))) if chance.random() < 0.5 else 0.0
    beat_ns = int(chance.integers(450, 650)) * MS
    performances = []
    for _ in range(int(chance.choice(SEATS))):
        shown_ms = float(np.clip(chance.normal(20, 25), -60, 60))
        if chance.random() < LATE:
            shown_ms = float(chance.uniform(100, 350))
        throw = str(chance.choice(list(Throw)))
        opening_ns = round(float(chance.uniform(80, 150)) * MS)
        performances.append(Performance(throw, CUE_NS, beat_ns, round(shown_ms * MS), opening_ns))
    return Round(seed, fps, round(exposure_ms * MS), round(readout_ms * MS), tuple(performances))


def timed(made: Round, judge: Judge) -> list[Timed]:
    """Find the times of a round."""
    frames, zones = made.frames
    found = []
    for seat, truth in zip(judge(frames, zones, CUE_NS).seats, made.performances, strict=True):
        named = seat.throw is not None and seat.throw == truth.throw
        off = (seat.shown.when_ns - truth.shown_ns) / MS if seat.shown and named else None
        sure = seat.shown.plus_minus_ns / MS if seat.shown else 0.0
        found.append(Timed(made, seat.seat, truth, off, sure, seat.inferences))
    return found


def _row(name: str, found: Sequence[Timed]) -> str:
    """A row of a table: number, mean and its standard error, standard deviation, worst, those within the uncertainty
    and twice it, model calls."""
    off = [one.off_ms for one in found if one.off_ms is not None]
    if len(off) < 2:
        return f"| {name} | {len(off)} | | | | | | |"
    sd = statistics.stdev(off)
    within = [
        sum(abs(one.off_ms) <= times * one.sure_ms for one in found if one.off_ms is not None) / len(off)
        for times in (1, 2)
    ]
    calls = statistics.median(one.calls for one in found)
    return (
        f"| {name} | {len(off)} | {statistics.mean(off):+.1f} ± {sd / len(off) ** 0.5:.1f} | {sd:.1f} | "
        f"{max(map(abs, off)):.0f} | {within[0]:.0%} | {within[1]:.0%} | {calls:.0f} |"
    )


HEAD = "n | mean | sd | worst | within ± | within 2 × ± | calls |\n| --- | --- | --- | --- | --- | --- | --- | --- |"


def _banded(
    title: str, found: Sequence[Timed], value: Callable[[Timed], float], bands: Iterable[tuple[str, float, float]]
) -> Iterator[str]:
    """A table of openings by bands of a figure."""
    yield f"\n| {title} | {HEAD}"
    for name, low, high in bands:
        yield _row(name, [one for one in found if low <= value(one) < high])


def _ranges(*edges: float) -> tuple[tuple[str, float, float], ...]:
    return tuple((f"{low:g}–{high:g}", low, high) for low, high in pairwise(edges))


BANDS: tuple[tuple[str, Callable[[Timed], float], tuple[tuple[str, float, float], ...]], ...] = (
    ("exposure, ms", lambda one: one.made.exposure_ns / MS, _ranges(2, 5, 10, 20)),
    ("readout, ms", lambda one: one.made.readout_ns / MS, (("0", 0, 1e-9), ("up to 8", 1e-9, 8), *_ranges(8, 16, 30))),
    ("opening, ms", lambda one: one.performance.opening_ns / MS, _ranges(80, 100, 125, 150)),
    ("skin, 0 light – 1 dark", lambda one: one.skin, _ranges(0, 0.33, 0.67, 1)),
    ("seats at the table", lambda one: len(one.made.performances), (("2", 2, 3), ("3–4", 3, 5), ("8", 8, 9))),
    (
        "side of the table",
        lambda one: one.seat if one.seat <= 2 else 3 + one.seat % 2,
        (("left", 1, 2), ("right", 2, 3), ("below", 3, 4), ("above", 4, 5)),
    ),
)


def report(found: Sequence[Timed]) -> str:
    """All the tables, as Markdown."""
    openings = [one for one in found if one.performance.opens]
    lost = sum(one.off_ms is None for one in found)
    lines = [
        f"{len(found)} rendered throws; {lost} had no time or another name. Times in ms, the mean with its standard "
        "error.",
        "",
        f"| rate and throw | {HEAD}",
    ]
    for fps in RATES:
        for throw in Throw:
            these = [one for one in found if one.made.fps == fps and one.performance.throw == throw]
            if these:
                lines.append(_row(f"{fps} fps, {throw}", these))
    lines.append("\nOpenings alone, all rates together:")
    for title, value, bands in BANDS:
        lines += _banded(title, openings, value, bands)
    return "\n".join(lines)


def main() -> None:
    """Parse the arguments, print the tables or write them into a page."""
    parser = argparse.ArgumentParser(prog="python -m tools.trials.timing", description=__doc__)
    parser.add_argument("--rounds", type=int, default=20, help="rounds for each frame rate (default 20)")
    parser.add_argument("--seed", type=int, default=0, help="of the first round (default 0)")
    parser.add_argument("--fps", type=int, action="append", choices=RATES, help="frame rates (default: all)")
    parser.add_argument("--off", type=float, help="print every throw that is off by more than so many ms")
    parser.add_argument("--docs", type=Path, help="a page whose tables are made again")
    given = parser.parse_args()
    found: list[Timed] = []
    with Judge(seats=1) as judge:
        for fps in given.fps or RATES:
            for seed in range(given.seed, given.seed + given.rounds):
                found += (these := timed(a_round(seed, fps), judge))
                for one in these:
                    if given.off is not None and (one.off_ms is None or abs(one.off_ms) > given.off):
                        print(one, flush=True)
    told = report(found)
    if given.docs is None:
        print(told)
    else:
        write_into(given.docs, told, BEGIN, END)


if __name__ == "__main__":
    main()
