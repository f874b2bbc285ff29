"""Judge rounds in real time with a small share of one processor core, as on a slow box, and with all cores, and compare
the verdicts.

``python -m tools.bench.slow_processor`` limits itself by a control group, which takes root; ``--docs
measurements/2026-11/judge-performance.md`` writes the table into that page."""

import argparse
import os
import statistics
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools.bench.live import KINDS, judge_in_real_time, render_rounds
from tools.bench.verdict import FRAME_RATES, SEAT_COUNTS
from tools.docs.generated_sections import add_docs_option, markdown_table, publish
from vision.lock.judge import JUDGE_NICE_LEVEL, Judge
from vision.lock.judgement import Judgement
from vision.lock.verdict import SeatVerdict

SECTION = "slow processor"
PERIOD_US = 100_000
"""The time in which a group may use its share of the processor."""
TABLE_HEAD = "round", "cue to verdict, ms: all cores", "a share of one core", "same verdicts"


@contextmanager
def limit_processor(share: float) -> Iterator[Path]:
    """Let this process and all its children, also those it starts, take no more than ``share`` (0–1) of one core. Yield
    the folder of their control group. Raises OSError where none can be made."""
    mounts = [line.split()[1:4] for line in Path("/proc/self/mounts").read_text().splitlines()]
    groups = [line.split(":", 2)[1:] for line in Path("/proc/self/cgroup").read_text().splitlines()]
    own = {name: path.lstrip("/") for names, path in groups for name in names.split(",")}
    version_1 = [Path(path) for path, kind, options in mounts if kind == "cgroup" and "cpu" in options.split(",")]
    version_2 = [Path(path) for path, kind, _ in mounts if kind == "cgroup2"]
    quota_us = round(share * PERIOD_US)
    if version_1:
        root, own_path = version_1[0], own["cpu"]
        limits = {"cpu.cfs_period_us": f"{PERIOD_US}", "cpu.cfs_quota_us": f"{quota_us}"}
    elif version_2:
        root, own_path = version_2[0], own[""]
        limits = {"cpu.max": f"{quota_us} {PERIOD_US}"}
        (root / "cgroup.subtree_control").write_text("+cpu")
    else:
        raise OSError("no control groups are mounted")
    group = root / f"throwlock-{os.getpid()}"
    group.mkdir()
    try:
        for name, value in limits.items():
            (group / name).write_text(value)
        _move_processes(group)
        yield group
    finally:
        _move_processes(root / own_path)
        group.rmdir()


def _move_processes(group: Path) -> None:
    for process in (os.getpid(), *_children(os.getpid())):
        (group / "cgroup.procs").write_text(str(process))


def _children(process: int) -> Iterator[int]:
    for task in Path(f"/proc/{process}/task").iterdir():
        for child in map(int, (task / "children").read_text().split()):
            yield child
            yield from _children(child)


def is_same(one: Judgement, other: Judgement) -> bool:
    """Whether everybody's verdict, throws and time are the same, and the round counts or is void as well."""

    def outcome(seat: SeatVerdict) -> tuple[object, ...]:
        return seat.verdict, seat.throw, seat.at_lock, seat.changed_to, seat.shown

    return [*map(outcome, one.seats), one.void_reason] == [*map(outcome, other.seats), other.void_reason]


def main() -> None:
    """Print the table, row by row, and write it into a page if asked."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.slow_processor", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="rounds of each kind (default 3)")
    parser.add_argument("--fps", type=int, choices=FRAME_RATES, default=60, help="frames per second (default 60)")
    parser.add_argument("--seats", type=int, choices=SEAT_COUNTS, default=2, help="number of seats (default 2)")
    parser.add_argument("--share", type=float, default=0.5, help="share of one core (default 0.5)")
    add_docs_option(parser, SECTION)
    options = parser.parse_args()
    if options.rounds < 1 or not 0 < options.share <= 1:
        parser.error("--rounds is 1 or more, and --share more than 0 and at most 1")
    rows = []
    print(" | ".join(TABLE_HEAD), flush=True)
    try:
        with Judge(options.seats, JUDGE_NICE_LEVEL) as judge:
            for kind in KINDS:
                recorded = list(render_rounds(kind, options.rounds, options.fps, options.seats))
                fast = [judge_in_real_time(judge, one, only_at_end=False) for one in recorded]
                with limit_processor(options.share):
                    slow = [judge_in_real_time(judge, one, only_at_end=False) for one in recorded]
                same = sum(is_same(one, two) for (one, _), (two, _) in zip(fast, slow, strict=True))
                medians = (f"{statistics.median(cost.verdict for _, cost in judged):.0f}" for judged in (fast, slow))
                rows.append((kind, *medians, f"{same} of {len(slow)}"))
                print(" | ".join(rows[-1]), flush=True)
    except OSError as error:
        sys.exit(f"python -m tools.bench.slow_processor: {error}")
    summary = (
        f"{options.seats} seats at {options.fps} frames a second, {options.share:.0%} of one core; medians of "
        f"{options.rounds} rounds each."
    )
    print(summary)
    publish(options.docs, {SECTION: f"{markdown_table(TABLE_HEAD, rows)}\n\n{summary}"}, printed=True)


if __name__ == "__main__":
    main()
