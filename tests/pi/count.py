"""Counts the instructions of what the box does on emulated processors of Raspberry Pis. ``run --count`` prepares them.

count.py WORK [--board BOARD]…   print the counts, and write them for ``python -m tools.docs.boards``
"""

import argparse
import json
import os
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

from checks import FILES, PROCESSORS, Board, CheckError, open_board

from tools.docs.boards import COUNTS_PATH, BoardCounts, Counts, RoundCounts, read_counts

COUNTER = "/opt/counter"
LIBRARIES = f"{COUNTER}/usr/lib/x86_64-linux-gnu:{COUNTER}/lib/x86_64-linux-gnu"
COMMAND = (
    *(
        f"{COUNTER}/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2",
        "--library-path",
        LIBRARIES,
        f"{COUNTER}/usr/bin/qemu-aarch64",
    ),
    *("-plugin", f"file={COUNTER}/count.so", "/usr/bin/python3", "-m", "counted_work"),
)
SEATS = ("2", "8")


def count(board: Board, *work: str) -> tuple[Counts, str]:
    """Return the instructions of a piece of work, and what it printed. Raises CheckError."""
    variables = {"HELPER_PYTHON": f"{COUNTER}/helper-python", "THROWLOCK_CACHE": str(board.path(FILES))}
    done = board.run(*COMMAND, *work, **variables)
    counted = re.findall(r"counted (\d+) (\d+)", done.stderr)
    if done.returncode or not counted:
        raise CheckError(f"{board.name}: {' '.join(work)} ended with {done.returncode}: {done.stderr[-400:]}")
    instructions, multiply_adds = map(int, counted[-1])
    print(f"{board.name}: {' '.join(work)}: {instructions:,} instructions, {done.stdout.strip()}", flush=True)
    return Counts(instructions=instructions, multiply_adds=multiply_adds), done.stdout


def count_round(board: Board, seats: str) -> RoundCounts:
    """Return what judging the recorded round takes."""
    judge, printed = count(board, "judge", seats)
    calls = json.loads(printed.splitlines()[-1])
    return RoundCounts(judge=judge, detections=calls["detect"], trackings=calls["track"])


def count_board(board: Board) -> BoardCounts:
    """Return what everything takes on a board."""
    # One core each: the plugin's counters are not atomic, and OpenCV's threads would wait for each other in loops.
    cores = iter(sorted(os.sched_getaffinity(0)))
    with ThreadPoolExecutor(
        len(os.sched_getaffinity(0)), initializer=lambda: os.sched_setaffinity(0, {next(cores)})
    ) as pool:
        rounds = [pool.submit(count_round, board, seats) for seats in reversed(SEATS)]
        parts = {name: pool.submit(count, board, name) for name in ("detect", "track", "page", "frame")}
        return BoardCounts(
            date=f"{datetime.now(UTC):%Y-%m-%d}",
            rounds=dict(zip(SEATS, [future.result() for future in reversed(rounds)], strict=True)),
            **{name: part.result()[0] for name, part in parts.items()},
        )


def main() -> None:
    """Count, and write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("work", type=Path)
    parser.add_argument("--board", choices=PROCESSORS, action="append", required=True)
    arguments = parser.parse_args()
    counts = read_counts()
    for name in arguments.board:
        counts[name] = count_board(open_board(name, arguments.work))
        COUNTS_PATH.write_text(json.dumps({key: one.model_dump() for key, one in counts.items()}, indent=2) + "\n")


if __name__ == "__main__":
    main()
