"""Run trials, in one process or several, and store their outcomes as lines of JSON, one per seat, in a file that a
later run can continue."""

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path

from errors import ThrowlockError
from tools.trials.generate import make_trial
from tools.trials.outcomes import SeatOutcome, judge_trial
from tools.trials.tables import CURVE_SPAN_MS
from vision.hands.detector import HandDetector
from vision.lock.judge import DETECTION_CONFIDENCE, Judge

ROUNDS_PER_JOB = 8
"""Rounds a worker takes at a time."""


@dataclass(frozen=True)
class TrialOptions:
    """The rounds to run: their seeds, their ``fps`` and ``seats`` unless drawn at random, and whether to label frames
    for other methods too."""

    seeds: Sequence[int]
    fps: float | None = None
    seats: int | None = None
    other_methods: bool = False


def is_near_lock(seed: int, options: TrialOptions) -> bool:
    """Whether in the round of a seed somebody throws late, or changes, at about the lock."""
    trial = make_trial(seed, options.fps, options.seats)
    times_ms = [part.lateness_ms for part in trial.plans if part.kind in ("late", "changed")]
    return any(ms is not None and CURVE_SPAN_MS[0] <= ms < CURVE_SPAN_MS[1] for ms in times_ms)


class OutcomeFileError(ThrowlockError, ValueError):
    """A file does not contain outcomes."""


def run_trials(options: TrialOptions, workers: int = 1) -> Iterator[list[SeatOutcome]]:
    """Judge the rounds and yield each round's outcomes; with several ``workers``, in order of completion."""
    if workers == 1:
        yield from (_judge_round(seed, options) for seed in options.seeds)
        return
    batches = [options.seeds[i : i + ROUNDS_PER_JOB] for i in range(0, len(options.seeds), ROUNDS_PER_JOB)]
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        jobs = [pool.submit(_judge_rounds, seeds, options) for seeds in batches]
        for job in as_completed(jobs):
            yield from job.result()


def _judge_rounds(seeds: Sequence[int], options: TrialOptions) -> list[list[SeatOutcome]]:
    return [_judge_round(seed, options) for seed in seeds]


def _judge_round(seed: int, options: TrialOptions) -> list[SeatOutcome]:
    finder = _detector() if options.other_methods else None
    return judge_trial(make_trial(seed, options.fps, options.seats), _judge(), finder)


@cache
def _judge() -> Judge:
    """Return this process's judge. It works on one seat at a time: the workers share the cores."""
    return Judge(seats=1)


@cache
def _detector() -> HandDetector:
    """Return the detector for other methods: the judge's own model and confidence."""
    return HandDetector(confidence=DETECTION_CONFIDENCE)


def read_outcomes(path: Path) -> list[SeatOutcome]:
    """Read the outcomes in a file. A round cut off at its end is left out.

    Raises:
        OutcomeFileError: Any other line is not an outcome.
    """
    rounds: dict[int, list[SeatOutcome]] = {}
    lines = path.read_text().splitlines()
    for number, line in enumerate(lines, 1):
        try:
            outcome = SeatOutcome(**json.loads(line))
        except (ValueError, TypeError) as error:
            if number == len(lines):
                break
            raise OutcomeFileError(f"{path}: line {number} is not the outcome of a trial ({error})") from None
        rounds.setdefault(outcome.seed, []).append(outcome)
    return [outcome for seats in rounds.values() if len(seats) == seats[0].seats for outcome in seats]


def append_outcomes(path: Path, outcomes: Sequence[SeatOutcome]) -> None:
    """Append outcomes to a file."""
    with path.open("a") as file:
        file.write(_to_lines(outcomes))


def write_outcomes(path: Path, outcomes: Sequence[SeatOutcome]) -> None:
    """Replace the file's content with these outcomes."""
    part = path.with_name(path.name + ".part")
    part.write_text(_to_lines(outcomes))
    part.replace(path)


def _to_lines(outcomes: Sequence[SeatOutcome]) -> str:
    return "".join(json.dumps(outcome.as_json()) + "\n" for outcome in outcomes)
