"""``make bench``: what a verdict costs, beside the plain way, both measured in the same run on the same frames. Compare
the ratios; the milliseconds are this machine's."""

import argparse
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from device.clock import JumpingClock
from device.frames import Frame, StoredFrame
from device.simulated.performance import Performance
from device.simulated.table import SimulatedTable
from vision.hands.finder import HandFinder
from vision.hands.shapes import read
from vision.lock import WINDOW_NS, Judge
from vision.track import AFTER_NS, BEFORE_NS
from vision.zones import Zone

CUE_NS = 3_000_000_000
THROWS = ("rock", "paper", "scissors")


@dataclass(frozen=True)
class Ring:
    """A round's frames in memory, as a real camera leaves them, and the truth."""

    frames: Sequence[Frame]
    zones: tuple[Zone, ...]
    throws: tuple[str, ...]
    shown_ns: tuple[int, ...]


def rendered(seed: int, fps: float = 60.0) -> Ring:
    """A round of two seats, every pixel of it rendered before anything is measured."""
    chance = np.random.default_rng(seed)
    clock = JumpingClock()
    table = SimulatedTable(clock, 2, seed=seed, fps=fps)
    table.start()
    plans = [
        Performance(
            throw=THROWS[(seed + seat) % 3 if seat == 1 else int(chance.integers(3))],
            cue_ns=CUE_NS,
            beat_ns=600_000_000,
            after_cue_ns=round(chance.normal(20, 30) * 1e6),
        )
        for seat in (1, 2)
    ]
    for seat, plan in enumerate(plans, 1):
        table.perform(seat, plan)
    end_ns = CUE_NS + 2 * WINDOW_NS + AFTER_NS
    clock.wait_until(end_ns)
    frames = [
        StoredFrame(
            frame.number,
            frame.exposed_ns,
            frame.exposure_ns,
            frame.size,
            np.asarray(cv2.cvtColor(frame.pixels(), cv2.COLOR_RGB2BGR), np.uint8),
        )
        for frame in table.ring(CUE_NS - BEFORE_NS, end_ns)
    ]
    return Ring(
        frames,
        tuple(Zone(*zone) for zone in table.zones),
        tuple(plan.throw for plan in plans),
        tuple(plan.shown_ns for plan in plans),
    )


def every_frame(finder: HandFinder, ring: Ring) -> int:
    """The plain way: one landmarker, every whole frame, both hands, each read. Returns how many hands it found."""
    found = 0
    for frame in ring.frames:
        for hand in finder.find(frame.pixels()):
            read(hand)
            found += 1
    return found


def measure(rounds: int) -> str:
    """Run the benchmark and say what came out."""
    lock_ms, plain_ms, lock_calls, plain_calls, found, frames, off_ms, right = [], [], [], [], 0, 0, [], 0
    with Judge(seats=2) as judge, HandFinder(hands=2) as finder:
        for seed in range(rounds):
            ring = rendered(seed)
            calls = judge.calls
            start = time.perf_counter()
            judgement = judge(ring.frames, ring.zones, CUE_NS)
            lock_ms.append((time.perf_counter() - start) * 1e3)
            lock_calls.append(judge.calls - calls)
            calls = finder.calls
            start = time.perf_counter()
            found += every_frame(finder, ring)
            plain_ms.append((time.perf_counter() - start) * 1e3)
            plain_calls.append(finder.calls - calls)
            frames += len(ring.frames)
            for seat, throw, truth in zip(judgement.seats, ring.throws, ring.shown_ns, strict=True):
                right += seat.throw == throw
                if seat.shown:
                    off_ms.append((seat.shown.when_ns - truth) / 1e6)
    lock, plain = statistics.median(lock_ms), statistics.median(plain_ms)
    return "\n".join(
        [
            f"{rounds} rounds of 2 seats, {frames // rounds} frames of 1280×720 at 60 fps each, on this machine now:",
            f"  a verdict by the lock:             {lock:6.0f} ms, {statistics.median(lock_calls):4.0f} model calls",
            f"  every whole frame, one landmarker: {plain:6.0f} ms, {statistics.median(plain_calls):4.0f} model calls",
            f"  ratio: {plain / lock:.1f} in time, "
            f"{statistics.median(plain_calls) / statistics.median(lock_calls):.1f} in calls",
            f"  the plain way found {found} of {2 * frames} hands ({found / 2 / frames:.0%})",
            f"  the lock named {right} of {2 * rounds} throws right; shown times off by "
            f"{statistics.mean(off_ms):+.1f} ± {statistics.pstdev(off_ms):.1f} ms (mean, sd)",
        ]
    )


def main() -> None:
    """Parse the arguments and print the figures."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=6, help="how many rounds are judged (default 6)")
    print(measure(parser.parse_args().rounds))


if __name__ == "__main__":
    main()
