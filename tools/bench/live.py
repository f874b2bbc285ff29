"""Measure how soon after the cue a verdict is there, by seats and frame rate.

``python -m tools.bench.live`` plays rendered rounds in real time, frame by frame, and judges each of them twice in the
same run: while its frames arrive, and after all of them have arrived. Then it reads every frame of it.
``--docs measurements/2026-11/judge-performance.md`` writes the table into that page."""

import argparse
import statistics
import time
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import product
from operator import attrgetter

from device.camera.frames import Frame
from throwlock.bench.recorded_round import RecordedRound
from tools.bench.verdict import FRAME_RATES, SEAT_COUNTS, every_frame_ms, render_round
from tools.docs.generated_sections import add_docs_option, print_table, publish
from vision.hands.detector import HandDetector
from vision.lock.judge import DETECTION_CONFIDENCE, JUDGE_NICE_LEVEL, Judge
from vision.lock.judgement import HAND_WINDOW_NS, Judgement
from vision.lock.verdict import search_end_ns

LATE_MS = 300.0
"""When the late hand of a late round shows its throw, in ms after the cue."""
SECTION = "live"
KINDS = ("clear", "with a fist", "late")
TABLE_HEAD = (
    "round", "seats", "fps", "for people", "for the camera", "computing", "verdict", "calls",
    "afterwards: computing", "verdict", "calls", "calls, ratio", "every frame: computing", "calls",
)  # fmt: skip
PARTS = ("needed", "camera", "after")
"""The parts of the time to a verdict."""


@dataclass
class RealTimeRound:
    """A recorded round whose frames become available as a camera would deliver them."""

    recorded: RecordedRound
    only_at_end: bool
    """Whether no frames are given before all are there."""
    start_ns: int
    """When its cue is, on the monotonic clock."""
    last_asked_ns: int = 0
    ready_ns: int = 0
    """When the last frame that was asked for is there, on the monotonic clock."""

    def frames_until(self, until_ns: int) -> Sequence[Frame]:
        """Wait as long as a camera would need for these frames: until the frame after them is complete."""
        self.last_asked_ns = until_ns
        frames = self.recorded.frames
        end = bisect_right(frames, until_ns, key=lambda frame: frame.exposed_ns)
        is_end = until_ns >= search_end_ns(self.recorded.cue_ns, HAND_WINDOW_NS)
        if self.only_at_end and not is_end:
            return ()
        interval_ns = (frames[-1].exposed_ns - frames[0].exposed_ns) // (len(frames) - 1)
        newest = frames[end - 1]
        delay_ns = interval_ns + (newest.exposure_ns + newest.readout_ns) // 2
        self.ready_ns = self.start_ns + newest.exposed_ns + delay_ns - self.recorded.cue_ns
        time.sleep(max(0.0, (self.ready_ns - time.monotonic_ns()) / 1e9))
        return frames[:end]


@dataclass(frozen=True)
class LiveCost:
    """What one way to judge a round cost."""

    needed: float
    """From the cue to the last frame that was needed, in ms."""
    camera: float
    """From then until that frame was there, in ms."""
    after: float
    """From then until the verdict, in ms."""
    calls: int
    """Calls of the hand model."""

    @property
    def verdict(self) -> float:
        """From the cue to the verdict, in ms."""
        return self.needed + self.camera + self.after


def judge_in_real_time(judge: Judge, recorded: RecordedRound, *, only_at_end: bool) -> tuple[Judgement, LiveCost]:
    """Judge a round in real time from its cue on. Return the judgement and what it cost."""
    live, calls_before = RealTimeRound(recorded, only_at_end, time.monotonic_ns()), judge.calls
    judgement = judge.judge_live(live.frames_until, recorded.zones, recorded.cue_ns)
    over_ns = time.monotonic_ns()
    return judgement, LiveCost(
        (needed_ns := live.last_asked_ns - recorded.cue_ns) / 1e6,
        (live.ready_ns - live.start_ns - needed_ns) / 1e6,
        (over_ns - live.ready_ns) / 1e6,
        judge.calls - calls_before,
    )


def render_rounds(kind: str, rounds: int, fps: int, seats: int) -> Iterator[RecordedRound]:
    """Render rounds of a kind: with a fist or without one, or with one hand ``LATE_MS`` after the cue."""
    throws = ("paper", "scissors") if kind == "clear" else ("paper", "scissors", "rock")
    for seed in range(rounds):
        yield render_round(seed, fps, seats, throws, LATE_MS if kind == "late" else None)


@dataclass(frozen=True)
class RoundCosts:
    """What judging a round cost, in each way."""

    live: LiveCost
    """While its frames arrived."""
    afterwards: LiveCost
    """After all frames had arrived."""
    every_ms: float
    """Reading every seat in every frame."""
    every_calls: int
    """Calls of the hand model for that."""


def measure_round(judge: Judge, detectors: Sequence[HandDetector], recorded: RecordedRound) -> RoundCosts:
    """Return what a round cost in each way."""
    live, afterwards = (judge_in_real_time(judge, recorded, only_at_end=at_end)[1] for at_end in (False, True))
    return RoundCosts(live, afterwards, every_frame_ms(detectors, recorded), len(recorded.frames) * len(recorded.zones))


def table_row(kind: str, seats: int, fps: int, costs: Sequence[RoundCosts]) -> tuple[str, ...]:
    """Return a row of the table: the medians of rounds, in ms and calls."""

    def median(name: str) -> float:
        return float(statistics.median(attrgetter(name)(cost) for cost in costs))

    columns = (
        *(f"live.{name}" for name in (*PARTS, "verdict", "calls")),
        *(f"afterwards.{name}" for name in ("after", "verdict", "calls")),
    )
    return (
        *(kind, str(seats), str(fps)),
        *(f"{median(name):.0f}" for name in columns),
        f"{median('live.calls') / median('afterwards.calls'):.2f}",
        *(f"{median(name):.0f}" for name in ("every_ms", "every_calls")),
    )


def main() -> None:
    """Print the table, row by row, and write it into a page if asked."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.live", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="rounds per row (default 3)")
    parser.add_argument("--fps", type=int, nargs="+", choices=FRAME_RATES, default=(60,), help="frame rates")
    parser.add_argument("--seats", type=int, nargs="+", choices=SEAT_COUNTS, default=(2,), help="numbers of seats")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS, help="kinds of rounds")
    add_docs_option(parser, SECTION)
    options = parser.parse_args()

    def rows() -> Iterator[tuple[str, ...]]:
        for seats, fps, kind in product(options.seats, options.fps, options.kinds):
            rounds = render_rounds(kind, options.rounds, fps, seats)
            yield table_row(kind, seats, fps, [measure_round(judge, detectors, recorded) for recorded in rounds])

    with Judge(max(options.seats), JUDGE_NICE_LEVEL) as judge, ExitStack() as stack:
        detectors = [stack.enter_context(HandDetector(confidence=DETECTION_CONFIDENCE)) for _ in range(judge.workers)]
        text = print_table(TABLE_HEAD, rows())
    summary = f"Medians of {options.rounds} rounds each, 1280×720; times in ms, the verdict's from the cue on."
    print(f"\n{summary}")
    publish(options.docs, {SECTION: f"{text}\n\n{summary}"}, printed=True)


if __name__ == "__main__":
    main()
