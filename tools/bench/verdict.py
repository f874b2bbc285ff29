"""``make bench``: what a verdict costs by frame rate and seats, beside looking at every frame, both measured in the
same run on the same frames. Compare the ratios; the milliseconds are this machine's. ``--docs docs/cost.md`` writes the
table there."""

import argparse
import statistics
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from device.camera.frames import Frame, StoredFrame
from device.simulated.table.animation import Performance
from device.simulated.table.table import SimulatedTable
from device.system.clock import JumpingClock
from tools.docs.generated_sections import write_into
from vision.hands.detector import HandFinder
from vision.hands.shapes import read
from vision.lock.judge import CONFIDENCE, WINDOW_NS, Judge
from vision.lock.verdict import AFTER_NS, BEFORE_NS, Verdict
from vision.zones import Zone

CUE_NS = 3_000_000_000
BEAT_NS = 600_000_000
THROWS = ("rock", "paper", "scissors")
RATES = (30, 60, 120, 240)
SEATS = (2, 4, 8)
EXPOSURE_NS = 8_000_000
"""Of the simulated camera, where a frame is that long: half a frame otherwise."""
SAMPLE = 60
"""Crops of a ring that the every-frame way is measured on, spread over it evenly; its time is scaled to all of them.
Its calls need no measuring: one a crop."""
BEGIN, END = "<!-- cost: begin -->", "<!-- cost: end -->"


@dataclass(frozen=True)
class Ring:
    """A round's frames in memory, as a real camera leaves them, and the truth."""

    frames: Sequence[Frame]
    zones: tuple[Zone, ...]
    throws: tuple[str, ...]


@dataclass(frozen=True)
class Cost:
    """What one round cost. ``frames`` are in the ring; ``calls`` of the hand model and ``ms`` a verdict of all seats
    took, ``every_calls`` and ``every_ms`` every seat's crop of every frame. ``right`` seats were on time with their
    throw named right, as all were."""

    fps: int
    seats: int
    frames: int
    calls: int
    ms: float
    every_calls: int
    every_ms: float
    right: int


def rendered(seed: int, fps: int = 60, seats: int = 2) -> Ring:
    """An honest round, rendered before anything is measured. What lies between the zones is left black: nobody looks at
    it, and it would take most of the time."""
    chance = np.random.default_rng(seed)
    clock = JumpingClock()
    table = SimulatedTable(clock, seats, seed=seed, fps=fps, exposure_ns=min(EXPOSURE_NS, round(5e8 / fps)))
    table.start()
    plans = [
        Performance(
            throw=THROWS[(seed + seat) % 3],
            cue_ns=CUE_NS,
            beat_ns=BEAT_NS,
            after_cue_ns=round(float(np.clip(chance.normal(20, 25), -60, 60)) * 1e6),
        )
        for seat in range(1, seats + 1)
    ]
    for seat, plan in enumerate(plans, 1):
        table.perform(seat, plan)
    end_ns = CUE_NS + 2 * WINDOW_NS + AFTER_NS
    clock.wait_until(end_ns)
    zones = tuple(Zone(*zone) for zone in table.zones)
    frames = [stored(frame, zones) for frame in table.ring(CUE_NS - BEFORE_NS, end_ns)]
    return Ring(frames, zones, tuple(plan.throw for plan in plans))


def stored(frame: Frame, zones: Iterable[Zone]) -> StoredFrame:
    """A frame in memory as a camera leaves it, with all that the zones show."""
    bgr = np.zeros((frame.size[1], frame.size[0], 3), np.uint8)
    for box in (zone.box(frame.size) for zone in zones):
        bgr[box.y : box.y + box.h, box.x : box.x + box.w] = cv2.cvtColor(frame.pixels(box), cv2.COLOR_RGB2BGR)
    return StoredFrame(frame.number, frame.exposed_ns, frame.exposure_ns, frame.size, bgr, readout_ns=frame.readout_ns)


def every_frame_ms(finders: Sequence[HandFinder], ring: Ring) -> float:
    """What it takes to look at every seat's crop of every frame and to read it, with as many threads as the lock has:
    measured on SAMPLE crops, and scaled."""
    crops = [(frame, zone) for frame in ring.frames for zone in ring.zones]
    chosen = crops[:: max(1, len(crops) // SAMPLE)]

    def look(finder: HandFinder, part: Sequence[tuple[Frame, Zone]]) -> None:
        for frame, zone in part:
            for hand in finder.find(frame.pixels(zone.box(frame.size))):
                read(hand)

    parts = [chosen[n :: len(finders)] for n in range(len(finders))]
    with ThreadPoolExecutor(len(finders)) as pool:
        start = time.perf_counter()
        list(pool.map(look, finders, parts))
        return (time.perf_counter() - start) * 1e3 * len(crops) / len(chosen)


def measured(ring: Ring, fps: int, judge: Judge, finders: Sequence[HandFinder]) -> Cost:
    """Judge a round and look at every frame of it, one after the other."""
    calls = judge.calls
    start = time.perf_counter()
    judgement = judge(ring.frames, ring.zones, CUE_NS)
    ms = (time.perf_counter() - start) * 1e3
    right = sum(
        seat.verdict is Verdict.ON_TIME and seat.throw == throw
        for seat, throw in zip(judgement.seats, ring.throws, strict=True)
    )
    every = len(ring.frames) * len(ring.zones)
    taken = judge.calls - calls
    every_ms = every_frame_ms(finders, ring)
    return Cost(fps, len(ring.zones), len(ring.frames), taken, ms, every, every_ms, right)


def costs(rounds: int, rates: Sequence[int] = RATES, seats: Sequence[int] = SEATS) -> Iterator[list[Cost]]:
    """The costs of ``rounds`` rounds, for every number of seats and every frame rate."""
    with Judge(seats=max(seats)) as judge:
        finders = [HandFinder(confidence=CONFIDENCE) for _ in range(judge.workers)]
        try:
            for number in seats:
                for fps in rates:
                    yield [measured(rendered(seed, fps, number), fps, judge, finders) for seed in range(rounds)]
        finally:
            for finder in finders:
                finder.close()


HEAD = (
    "| seats | fps | frames | calls | a seat | ms | every frame: calls | ms | fewer calls | less time |\n"
    "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
)


def row(some: Sequence[Cost]) -> str:
    """A row of the table: the medians of a few rounds of the same seats and frame rate."""

    def middle(of: Iterable[float]) -> float:
        return statistics.median(of)

    calls, ms = middle(cost.calls for cost in some), middle(cost.ms for cost in some)
    every_calls, every_ms = middle(cost.every_calls for cost in some), middle(cost.every_ms for cost in some)
    first = some[0]
    return (
        f"| {first.seats} | {first.fps} | {first.frames} | {calls:.0f} | {calls / first.seats:.1f} | {ms:.0f} "
        f"| {every_calls:.0f} | {every_ms:.0f} | {every_calls / calls:.1f} × | {every_ms / ms:.1f} × |"
    )


def summary(found: Sequence[Cost], rounds: int) -> str:
    """What was measured, and whether it was judged right, in two sentences."""
    right, seats = sum(cost.right for cost in found), sum(cost.seats for cost in found)
    return (
        f"Medians of {rounds} honest rounds each, 1280×720, one thread a core for both ways; the time of every frame "
        f"is scaled from about {SAMPLE} crops a round. Right (on time, the right throw): {right} of {seats} seats."
    )


def main() -> None:
    """Parse the arguments, print the figures as they come, and write them where they are wanted."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="how many rounds are judged of each kind (default 3)")
    parser.add_argument("--fps", type=int, nargs="+", choices=RATES, default=RATES, help="only these frame rates")
    parser.add_argument("--seats", type=int, nargs="+", choices=SEATS, default=SEATS, help="only so many seats")
    parser.add_argument("--docs", type=Path, help="the page to write the table into, between its marks")
    given = parser.parse_args()
    found: list[Cost] = []
    rows = [HEAD]
    print(HEAD, flush=True)
    for some in costs(given.rounds, given.fps, given.seats):
        found += some
        rows.append(row(some))
        print(rows[-1], flush=True)
    told = summary(found, given.rounds)
    print(told)
    if given.docs:
        write_into(given.docs, "\n".join([*rows, "", told]), BEGIN, END)


if __name__ == "__main__":
    main()
