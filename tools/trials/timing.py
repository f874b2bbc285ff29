"""Measure the error of the times at which throws are judged to be shown, on rendered throws whose truth is known.

``python -m tools.trials.timing`` breaks it down by frame rate, throw, exposure, readout and opening; ``--docs
measurements/2026-11/timing-accuracy.md`` writes the tables into that page. ``--natural`` measures hands that move as
people's do instead: slow openings in mid-swing, one finger after the other, a recoil, drift, uneven pumps, exposures of
1/60 s."""

import argparse
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product

import numpy as np

from device.camera.frames import Frame
from device.simulated.table.animation import MotionHabits, Performance
from device.simulated.table.camera import SimulatedTable
from device.simulated.table.people import random_people
from device.system.clock import SimulatedClock
from rules.record.judgement import INTERVAL_SIGMAS
from rules.throws import Throw
from tools.docs.generated_sections import add_docs_option, markdown_table, publish
from tools.trials.model_cache import CachedJudge
from tools.trials.tables import Share
from vision.lock.judge import Judge
from vision.lock.judgement import HAND_WINDOW_NS
from vision.lock.verdict import SEARCH_AFTER_LOCK_NS, SEARCH_BEFORE_CUE_NS
from vision.zones import Zone

CUE_NS = 3_000_000_000
MS = 1_000_000
FRAME_RATES = (30, 60, 120, 240)
SEAT_COUNTS = (2, 2, 2, 3, 4, 8)
OPENS_AFTER_LANDING_SHARE = 0.25
"""The share of seats that open only after their fist has come to rest."""
SECTION, NATURAL_SECTION = "times", "natural times"
TABLE_COLUMNS = "n", "mean", "sd", "worst", "within ±", "within 2 × ±", "calls"
NATURAL_EXPOSURE_NS = 16_666_667
"""The exposure of natural rounds, no longer than a frame: 1/60 s, as long as a camera exposes in a room's light."""
NATURAL_OPENING_MS = 100.0, 250.0
NATURAL_LANDING_MS = 30.0, 160.0
"""How long after the middle of the fingers' opening a natural swing lands, which is half of them."""
NATURAL_STAGGER, NATURAL_BOUNCE, NATURAL_DRIFT = 0.25, 0.25, 0.9
"""The most there is of each; ``tools.trials.motion`` compares what comes of them with filmed throws."""
NATURAL_PUMP_DELAY_MS, NATURAL_PUMP_HEIGHTS = 50.0, (0.7, 1.1)
"""Standard deviation of when a natural pump lands, and from which height it may."""


@dataclass(frozen=True)
class TimingRound:
    """A round to time. The same seed always gives the same round."""

    seed: int
    fps: int
    exposure_ns: int
    readout_ns: int
    performances: tuple[Performance, ...]

    @property
    def frames(self) -> tuple[Sequence[Frame], list[Zone]]:
        """Render the camera's frames, and return them with the seats' zones."""
        clock = SimulatedClock()
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
        end_ns = CUE_NS + 2 * HAND_WINDOW_NS + SEARCH_AFTER_LOCK_NS
        clock.wait_until(end_ns + 100 * MS)
        return table.frames_between(CUE_NS - SEARCH_BEFORE_CUE_NS - 500 * MS, end_ns), [
            Zone(*zone) for zone in table.zones
        ]


@dataclass(frozen=True)
class TimedThrow:
    """A throw and its judged time."""

    round: TimingRound
    seat: int
    performance: Performance
    error_ms: float | None
    """How much later than the true time it was judged to be shown; None if it was misread or not timed."""
    sigma_ms: float
    """The uncertainty reported with the judged time."""
    inferences: int
    """Calls of the hand model for the seat."""

    @property
    def skin(self) -> float:
        """The player's skin tone, 0 (light) to 1 (dark)."""
        return random_people(len(self.round.performances), self.round.seed)[self.seat - 1].skin

    def __str__(self) -> str:
        throw = self.performance
        off = "no time" if self.error_ms is None else f"{self.error_ms:+.1f} ± {self.sigma_ms:.1f} ms"
        return (
            f"seed {self.round.seed} seat {self.seat} of {len(self.round.performances)}, {self.round.fps} fps, "
            f"exposure {self.round.exposure_ns / MS:.1f}, readout {self.round.readout_ns / MS:.1f} ms: {throw.throw} "
            f"{throw.after_cue_ns / MS:+.0f} ms, opening {throw.opening_ns / MS:.0f} ms: {off}, {self.inferences} calls"
        )


def make_natural(performance: Performance, rng: np.random.Generator) -> Performance:
    """Return the performance of a hand that moves as people's do. Who opens only after the landing does so too."""
    is_cheat = performance.after_cue_ns >= 100 * MS
    lands_ns = performance.lands_after_cue_ns
    if performance.opens and not is_cheat and rng.random() < 0.5:
        lands_ns = performance.after_cue_ns + round(float(rng.uniform(*NATURAL_LANDING_MS)) * MS)
    delays = (rng.normal(0, NATURAL_PUMP_DELAY_MS, 3).clip(-100, 100) * MS).astype(int).tolist()
    heights = rng.uniform(*NATURAL_PUMP_HEIGHTS, 4).tolist()
    habits = MotionHabits(
        stagger=float(rng.uniform(-NATURAL_STAGGER, NATURAL_STAGGER)),
        bounce=float(rng.uniform(0, NATURAL_BOUNCE)),
        drift=float(rng.uniform(0, NATURAL_DRIFT)),
        pump_delays_ns=(delays[0], delays[1], delays[2]),
        pump_heights=(heights[0], heights[1], heights[2], heights[3]),
    )
    opening_ns = round(float(rng.uniform(*NATURAL_OPENING_MS)) * MS)
    return replace(performance, opening_ns=opening_ns, lands_after_cue_ns=lands_ns, habits=habits)


def make_round(seed: int, fps: int, natural: bool = False, only: Throw | None = None) -> TimingRound:
    """Return the round of a seed at a frame rate: exposures of 2 to 20 ms, no longer than a frame; half of the cameras
    with a rolling shutter whose readout takes up to 30 ms, no longer than a frame. In a ``natural`` one the hands move
    as people's do, and exposures are ``NATURAL_EXPOSURE_NS``. With ``only`` everybody throws that."""
    rng = np.random.default_rng([seed, fps, 78])
    frame_ms = 1000 / fps
    exposure_ms = float(rng.uniform(2, min(20.0, 0.98 * frame_ms)))
    readout_ms = float(rng.uniform(0, min(30.0, 0.98 * frame_ms))) if rng.random() < 0.5 else 0.0
    beat_ns = int(rng.integers(450, 650)) * MS
    performances = []
    for _ in range(int(rng.choice(SEAT_COUNTS))):
        shown_ms = float(np.clip(rng.normal(20, 25), -60, 60))
        if rng.random() < OPENS_AFTER_LANDING_SHARE:
            shown_ms = float(rng.uniform(100, 350))
        chosen = rng.choice(list(Throw))
        throw = str(only or chosen)
        opening_ns = round(float(rng.uniform(80, 150)) * MS)
        performances.append(Performance(throw, CUE_NS, beat_ns, round(shown_ms * MS), opening_ns))
    exposure_ns = round(exposure_ms * MS)
    if natural:
        habits_rng = np.random.default_rng([seed, fps, 79])
        performances = [make_natural(performance, habits_rng) for performance in performances]
        exposure_ns = min(NATURAL_EXPOSURE_NS, round(0.98 * frame_ms * MS))
    return TimingRound(seed, fps, exposure_ns, round(readout_ms * MS), tuple(performances))


def true_shown_ns(performance: Performance) -> int:
    """Return when a throw is truly shown: an opening in the middle between its begin and its end, which is that of the
    swing if the hand lands later; a rock when it lands."""
    return (performance.opens_ns + performance.settled_ns) // 2


def time_throws(timing_round: TimingRound, judge: Judge) -> list[TimedThrow]:
    """Judge a round and return the error of every throw's time."""
    frames, zones = timing_round.frames
    throws = []
    for seat, truth in zip(judge(frames, zones, CUE_NS).seats, timing_round.performances, strict=True):
        correct = seat.throw is not None and seat.throw == truth.throw
        error_ms = (seat.shown.time_ns - true_shown_ns(truth)) / MS if seat.shown and correct else None
        sigma_ms = seat.shown.sigma_ns / MS if seat.shown else 0.0
        throws.append(TimedThrow(timing_round, seat.seat, truth, error_ms, sigma_ms, seat.inferences))
    return throws


def _table_row(name: str, throws: Sequence[TimedThrow]) -> tuple[object, ...]:
    """Return a row of a table: number, mean with its standard error, standard deviation, worst, shares within the
    uncertainty and twice the uncertainty, and calls of the hand model."""
    errors = [each.error_ms for each in throws if each.error_ms is not None]
    if len(errors) < 2:
        return name, len(errors), *("" for _ in TABLE_COLUMNS[1:])
    sd = statistics.stdev(errors)
    within = [
        sum(abs(each.error_ms) <= times * each.sigma_ms for each in throws if each.error_ms is not None) / len(errors)
        for times in (1, 2)
    ]
    calls = statistics.median(each.inferences for each in throws)
    mean = f"{statistics.mean(errors):+.1f} ± {sd / len(errors) ** 0.5:.1f}"
    shares = (f"{share:.0%}" for share in within)
    return name, len(errors), mean, f"{sd:.1f}", f"{max(map(abs, errors)):.0f}", *shares, f"{calls:.0f}"


def error_table(title: str, groups: Iterable[tuple[str, Sequence[TimedThrow]]]) -> str:
    """Return the table of errors by group of throws (its name and throws)."""
    rows = [_table_row(name, throws) for name, throws in groups]
    return markdown_table((title, *TABLE_COLUMNS), rows, text_columns=1 + len(TABLE_COLUMNS))


def coverage_table(throws: Sequence[TimedThrow]) -> str:
    """Return the table of how often the stated 95 % interval holds the truth, by frame rate and throw."""
    rows = []
    for fps in FRAME_RATES:
        for throw in Throw:
            timed = [
                (abs(each.error_ms), INTERVAL_SIGMAS * each.sigma_ms)
                for each in throws
                if each.round.fps == fps and each.performance.throw == throw and each.error_ms is not None
            ]
            if timed:
                covered = Share(sum(error <= interval for error, interval in timed), len(timed))
                rows.append((f"{fps} fps, {throw}", str(covered), covered.percent))
    return markdown_table(("", "truth in the 95 % interval", "share (95 %)"), rows)


def _ranges(*edges: float) -> tuple[tuple[str, float, float], ...]:
    return tuple((f"{low:g}–{high:g}", low, high) for low, high in pairwise(edges))


BAND_TABLES: tuple[tuple[str, Callable[[TimedThrow], float], tuple[tuple[str, float, float], ...]], ...] = (
    ("exposure, ms", lambda each: each.round.exposure_ns / MS, _ranges(2, 5, 10, 20)),
    (
        "readout, ms",
        lambda each: each.round.readout_ns / MS,
        (("0", 0, 1e-9), ("up to 8", 1e-9, 8), *_ranges(8, 16, 30)),
    ),
    ("opening, ms", lambda each: each.performance.opening_ns / MS, _ranges(80, 100, 125, 150, 200, 250)),
    ("skin, 0 light – 1 dark", lambda each: each.skin, _ranges(0, 0.33, 0.67, 1)),
    ("seats at the table", lambda each: len(each.round.performances), (("2", 2, 3), ("3–4", 3, 5), ("8", 8, 9))),
    (
        "side of the table",
        lambda each: each.seat if each.seat <= 2 else 3 + each.seat % 2,
        (("left", 1, 2), ("right", 2, 3), ("below", 3, 4), ("above", 4, 5)),
    ),
)


def report(throws: Sequence[TimedThrow]) -> str:
    """Return all tables as Markdown."""
    openings = [each for each in throws if each.performance.opens]
    untimed = sum(each.error_ms is None for each in throws)
    groups: dict[str, list[TimedThrow]] = {}
    for fps, throw in product(FRAME_RATES, Throw):
        these = [each for each in throws if each.round.fps == fps and each.performance.throw == throw]
        if these:
            groups[f"{fps} fps, {throw}"] = these
    parts = [
        f"{len(throws)} rendered throws, {untimed} of them misread or not timed. Errors in ms, the mean with its "
        "standard error.",
        error_table("frame rate and throw", groups.items()),
        coverage_table(throws),
    ]
    if openings:
        parts.append("Only hands that open, all frame rates together:")
        for title, value, bands in BAND_TABLES:
            in_bands = ((name, [each for each in openings if low <= value(each) < high]) for name, low, high in bands)
            parts.append(error_table(title, in_bands))
    return "\n\n".join(parts)


def main() -> None:
    """Print the tables, and write them into a page if asked."""
    parser = argparse.ArgumentParser(prog="python -m tools.trials.timing", description=__doc__)
    parser.add_argument("--rounds", type=int, default=20, help="rounds per frame rate (default 20)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first round (default 0)")
    parser.add_argument("--fps", type=int, action="append", choices=FRAME_RATES, help="frame rates (default: all)")
    parser.add_argument("--natural", action="store_true", help="hands that move as people's do")
    parser.add_argument("--throw", type=Throw, choices=list(Throw), help="what everybody throws (default: at random)")
    parser.add_argument("--off", type=float, metavar="MS", help="print every throw with a larger error")
    add_docs_option(parser)
    options = parser.parse_args()
    section = NATURAL_SECTION if options.natural else SECTION
    throws: list[TimedThrow] = []
    with CachedJudge(seats=1) as judge:
        for fps in options.fps or FRAME_RATES:
            for seed in range(options.seed, options.seed + options.rounds):
                throws += (timed := time_throws(make_round(seed, fps, options.natural, options.throw), judge))
                for throw in timed:
                    if options.off is not None and (throw.error_ms is None or abs(throw.error_ms) > options.off):
                        print(throw, flush=True)
    publish(options.docs, {f"{section}, {options.throw}" if options.throw else section: report(throws)})


if __name__ == "__main__":
    main()
