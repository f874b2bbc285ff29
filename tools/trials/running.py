"""Runs trials one after the other or by several workers, and keeps what came out as lines of JSON, one for each seat,
in a file that a later run goes on with."""

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path

from errors import ThrowlockError
from tools.trials.judging import Outcome, outcomes
from tools.trials.making import trial
from vision.hands.detector import HandFinder
from vision.lock.judge import CONFIDENCE, Judge

BATCH = 8
"""Rounds a worker is given at a time."""


@dataclass(frozen=True)
class Wanted:
    """Which rounds are run: their seeds, ``fps`` and ``seats`` where they are not left to chance, and whether the
    other ways have a look too."""

    seeds: Sequence[int]
    fps: float | None = None
    seats: int | None = None
    others: bool = False


class RowsError(ThrowlockError, ValueError):
    """A file that holds no outcomes. The message says which and why."""


def run(wanted: Wanted, workers: int = 1) -> Iterator[list[Outcome]]:
    """Judge the rounds; yields each round's outcomes as it comes. With several ``workers`` the order of the rounds is
    that in which they are done."""
    if workers == 1:
        yield from (_round(seed, wanted) for seed in wanted.seeds)
        return
    batches = [wanted.seeds[i : i + BATCH] for i in range(0, len(wanted.seeds), BATCH)]
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        jobs = [pool.submit(_rounds, seeds, wanted) for seeds in batches]
        for job in as_completed(jobs):
            yield from job.result()


def _rounds(seeds: Sequence[int], wanted: Wanted) -> list[list[Outcome]]:
    return [_round(seed, wanted) for seed in seeds]


def _round(seed: int, wanted: Wanted) -> list[Outcome]:
    finder = _finder() if wanted.others else None
    return outcomes(trial(seed, wanted.fps, wanted.seats), _judge(), finder)


@cache
def _judge() -> Judge:
    """This process's judge: workers share the cores, so each works on one seat at a time."""
    return Judge(seats=1)


@cache
def _finder() -> HandFinder:
    """What the other ways look with: the lock's own model and confidence."""
    return HandFinder(confidence=CONFIDENCE)


def kept(path: Path) -> list[Outcome]:
    """The outcomes in a file, those of whole rounds: the last one may have been cut off. Raises RowsError."""
    rounds: dict[int, list[Outcome]] = {}
    lines = path.read_text().splitlines()
    for number, line in enumerate(lines, 1):
        try:
            outcome = Outcome(**json.loads(line))
        except (ValueError, TypeError) as fault:
            if number == len(lines):
                break
            raise RowsError(f"{path}, line {number}, is no outcome of a trial ({fault}): name another file") from None
        rounds.setdefault(outcome.seed, []).append(outcome)
    return [one for found in rounds.values() if len(found) == found[0].seats for one in found]


def keep(path: Path, found: Sequence[Outcome]) -> None:
    """Add a round to the file."""
    with path.open("a") as file:
        file.write("".join(json.dumps(one.as_json()) + "\n" for one in found))


def rewrite(path: Path, found: Sequence[Outcome]) -> None:
    """Have the file hold these and nothing else."""
    half = path.with_name(path.name + ".part")
    half.write_text("".join(json.dumps(one.as_json()) + "\n" for one in found))
    half.replace(path)
