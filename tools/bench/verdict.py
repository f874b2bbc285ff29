"""Measure what a verdict costs by frame rate and seats, compared with reading every frame.

``python -m tools.bench.verdict`` measures both in the same run on the same frames: compare the ratios, the milliseconds
depend on the machine. ``--docs measurements/2026-11/judge-performance.md`` writes the table into that page."""

import argparse
import statistics
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace

import cv2
import numpy as np

from device.camera.frames import BgrFrame, Frame
from device.simulated.table.animation import Performance
from device.simulated.table.camera import SimulatedTable
from device.system.clock import SimulatedClock
from throwlock.bench.recorded_round import RecordedRound, judge_recorded
from tools.docs.generated_sections import add_docs_option, print_table, publish
from vision.hands.detector import HandDetector
from vision.hands.shapes import read_hand
from vision.lock.judge import DETECTION_CONFIDENCE, Judge
from vision.lock.judgement import HAND_WINDOW_NS
from vision.lock.verdict import SEARCH_AFTER_LOCK_NS, SEARCH_BEFORE_CUE_NS
from vision.zones import Zone

CUE_NS = 3_000_000_000
BEAT_NS = 600_000_000
THROWS = ("rock", "paper", "scissors")
FRAME_RATES = (30, 60, 120, 240)
SEAT_COUNTS = (2, 4, 8)
MAX_EXPOSURE_NS = 8_000_000
"""The simulated camera's exposure, or half a frame if that is shorter."""
SAMPLED_CROPS = 60
"""Crops of a round, evenly spread, on which reading every frame is timed; the time is scaled to all of them. It takes
one model call per crop."""
SECTION = "cost"
TABLE_HEAD = (
    "seats", "fps", "frames", "calls", "per seat", "ms", "every frame: calls", "ms", "fewer calls", "less time",
)  # fmt: skip


@dataclass(frozen=True)
class VerdictCost:
    """What judging one round cost, and what reading every seat in every frame would have."""

    fps: int
    seats: int
    frames: int
    calls: int
    """Calls of the hand model for the verdicts on all seats."""
    ms: float
    """The time those verdicts took."""
    every_calls: int
    """Calls of the hand model to read every seat's crop of all frames."""
    every_ms: float
    """The time that takes."""
    correct_seats: int
    """Seats judged on time with the right throw, as all should be."""


def render_round(
    seed: int, fps: int = 60, seats: int = 2, throws: Sequence[str] = THROWS, late_ms: float | None = None
) -> RecordedRound:
    """Render an honest round with these throws in turn, or one in which the last seat shows its throw ``late_ms`` after
    the cue. What lies between the zones is left black: it isn't read, and would take most of the time."""
    rng = np.random.default_rng(seed)
    clock = SimulatedClock()
    table = SimulatedTable(clock, seats, seed=seed, fps=fps, exposure_ns=min(MAX_EXPOSURE_NS, round(5e8 / fps)))
    table.start()
    plans = [
        Performance(
            throw=throws[(seed + seat) % len(throws)],
            cue_ns=CUE_NS,
            beat_ns=BEAT_NS,
            after_cue_ns=round(float(np.clip(rng.normal(20, 25), -60, 60)) * 1e6),
        )
        for seat in range(1, seats + 1)
    ]
    if late_ms is not None:
        plans[-1] = replace(plans[-1], after_cue_ns=round(late_ms * 1e6))
    for seat, plan in enumerate(plans, 1):
        table.perform(seat, plan)
    end_ns = CUE_NS + 2 * HAND_WINDOW_NS + SEARCH_AFTER_LOCK_NS
    clock.wait_until(end_ns)
    zones = tuple(Zone(*zone) for zone in table.zones)
    frames = [store_frame(frame, zones) for frame in table.frames_between(CUE_NS - SEARCH_BEFORE_CUE_NS, end_ns)]
    return RecordedRound(frames, zones, tuple(plan.throw for plan in plans), CUE_NS)


def store_frame(frame: Frame, zones: Iterable[Zone]) -> BgrFrame:
    """Return the frame as a camera stores it in memory, black outside the zones."""
    bgr = np.zeros((frame.size[1], frame.size[0], 3), np.uint8)
    for box in (zone.box(frame.size) for zone in zones):
        bgr[box.y : box.y + box.h, box.x : box.x + box.w] = cv2.cvtColor(frame.pixels(box), cv2.COLOR_RGB2BGR)
    return BgrFrame(frame.number, frame.exposed_ns, frame.exposure_ns, frame.size, bgr, readout_ns=frame.readout_ns)


def every_frame_ms(detectors: Sequence[HandDetector], recorded: RecordedRound) -> float:
    """Return the time in ms to read every seat's crop of every frame with one thread per detector, scaled from about
    ``SAMPLED_CROPS``."""
    crops = [(frame, zone) for frame in recorded.frames for zone in recorded.zones]
    sample = crops[:: max(1, len(crops) // SAMPLED_CROPS)]

    def read(detector: HandDetector, part: Sequence[tuple[Frame, Zone]]) -> None:
        for frame, zone in part:
            for hand in detector.detect(frame.pixels(zone.box(frame.size))):
                read_hand(hand)

    parts = [sample[n :: len(detectors)] for n in range(len(detectors))]
    with ThreadPoolExecutor(len(detectors)) as pool:
        start = time.perf_counter()
        list(pool.map(read, detectors, parts))
        return (time.perf_counter() - start) * 1e3 * len(crops) / len(sample)


def measure_cost(recorded: RecordedRound, fps: int, judge: Judge, detectors: Sequence[HandDetector]) -> VerdictCost:
    """Judge a round, then read every frame of it, and return both costs."""
    cost = judge_recorded(judge, recorded)
    every_calls = len(recorded.frames) * len(recorded.zones)
    every_ms = every_frame_ms(detectors, recorded)
    seats, frames = len(recorded.zones), len(recorded.frames)
    return VerdictCost(fps, seats, frames, cost.calls, cost.ms, every_calls, every_ms, cost.correct_seats)


@contextmanager
def judge_in_background(judge: Judge, recorded: RecordedRound) -> Iterator[None]:
    """Judge a round over and over in a thread while the context lasts. An error that ends the judging is raised when
    the context ends: what was measured in it was then not measured while rounds are judged."""
    done = threading.Event()

    def work() -> None:
        while not done.is_set():
            judge_recorded(judge, recorded)

    with ThreadPoolExecutor(1) as pool:
        judging = pool.submit(work)
        try:
            yield
        finally:
            done.set()
        judging.result()


def measure_costs(
    rounds: int, rates: Sequence[int] = FRAME_RATES, seats: Sequence[int] = SEAT_COUNTS
) -> Iterator[list[VerdictCost]]:
    """Yield the costs of ``rounds`` rounds for every number of seats and every frame rate."""
    with Judge(seats=max(seats)) as judge:
        detectors = [HandDetector(confidence=DETECTION_CONFIDENCE) for _ in range(judge.workers)]
        try:
            for number in seats:
                for fps in rates:
                    yield [
                        measure_cost(render_round(seed, fps, number), fps, judge, detectors) for seed in range(rounds)
                    ]
        finally:
            for detector in detectors:
                detector.close()


def table_row(costs: Sequence[VerdictCost]) -> tuple[object, ...]:
    """Return a row of the table: the medians of rounds with the same seats and frame rate."""
    columns = zip(*((cost.calls, cost.ms, cost.every_calls, cost.every_ms) for cost in costs), strict=True)
    calls, ms, every_calls, every_ms = map(statistics.median, columns)
    first = costs[0]
    return (
        *(first.seats, first.fps, first.frames),
        *(f"{calls:.0f}", f"{calls / first.seats:.1f}", f"{ms:.0f}"),
        *(f"{every_calls:.0f}", f"{every_ms:.0f}", f"{every_calls / calls:.1f} ×", f"{every_ms / ms:.1f} ×"),
    )


def summary(costs: Sequence[VerdictCost], rounds: int) -> str:
    """Return what was measured, and how many seats were judged correctly, as sentences."""
    correct, seats = sum(cost.correct_seats for cost in costs), sum(cost.seats for cost in costs)
    rounds_text = "One honest round each" if rounds == 1 else f"Medians of {rounds} honest rounds each"
    return (
        f"{rounds_text}, 1280×720, one thread per core for both methods; the time for every "
        f"frame is scaled from about {SAMPLED_CROPS} crops per round. Judged correctly (on time, the right throw): "
        f"{correct} of {seats} seats."
    )


def main() -> None:
    """Print the figures as they are measured, and write them into a page if asked."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.verdict", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="rounds per row (default 3)")
    parser.add_argument(
        "--fps", type=int, nargs="+", choices=FRAME_RATES, default=FRAME_RATES, help="only these frame rates"
    )
    parser.add_argument(
        "--seats", type=int, nargs="+", choices=SEAT_COUNTS, default=SEAT_COUNTS, help="only these numbers of seats"
    )
    add_docs_option(parser, SECTION)
    options = parser.parse_args()
    all_costs: list[VerdictCost] = []

    def rows() -> Iterator[tuple[object, ...]]:
        for costs in measure_costs(options.rounds, options.fps, options.seats):
            all_costs.extend(costs)
            yield table_row(costs)

    table = print_table(TABLE_HEAD, rows(), text_columns=0)
    text = summary(all_costs, options.rounds)
    print(f"\n{text}")
    publish(options.docs, {SECTION: f"{table}\n\n{text}"}, printed=True)


if __name__ == "__main__":
    main()
