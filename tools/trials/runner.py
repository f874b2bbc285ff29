"""Run trials, in one process or several, and store their outcomes as lines of JSON, one per seat, in a file that a
later run can continue."""

import contextlib
import gzip
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

from errors import ThrowlockError
from tools.trials.generate import make_trial
from tools.trials.outcomes import SeatOutcome, judge_trial
from tools.trials.tables import CURVE_SPAN_MS
from vision.hands.detector import HandDetector
from vision.lock.judge import DETECTION_CONFIDENCE, Judge

Outcome = TypeVar("Outcome")

ROUNDS_PER_JOB = 8
"""Rounds a worker takes at a time."""


@dataclass(frozen=True)
class TrialOptions:
    """The rounds to run."""

    seeds: Sequence[int]
    fps: float | None = None
    """Frames per second; None: drawn at random."""
    seats: int | None = None
    """None: drawn at random."""
    other_methods: bool = False
    """Whether to label frames for other methods too."""


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
    """Read the outcomes in a file. A round cut off at its end is left out. Raises as `read_lines` does."""
    rounds: dict[int, list[SeatOutcome]] = {}
    for outcome in read_lines(path, lambda values: SeatOutcome(**values)):
        rounds.setdefault(outcome.seed, []).append(outcome)
    return [outcome for seats in rounds.values() if len(seats) == seats[0].seats for outcome in seats]


def append_outcomes(path: Path, outcomes: Sequence[SeatOutcome]) -> None:
    """Append outcomes to a file."""
    append_lines(path, (outcome.as_json() for outcome in outcomes))


def write_outcomes(path: Path, outcomes: Sequence[SeatOutcome]) -> None:
    """Replace the file's content with these outcomes."""
    write_lines(path, (outcome.as_json() for outcome in outcomes))


def read_lines(path: Path, parse: Callable[[Any], Outcome]) -> list[Outcome]:
    """Parse the values in a file of JSON lines, compressed if its name ends in ".gz". A last line that a killed run cut
    off is left out: write the others back before more is appended.

    Raises:
        OutcomeFileError: ``parse`` rejects any other line, or the file is not compressed although its name says so.
        OSError: The file can't be read.
    """
    lines, parsed = _read_content(path).decode(errors="replace").splitlines(), []
    for number, line in enumerate(lines, 1):
        try:
            parsed.append(parse(json.loads(line)))
        except (ValueError, TypeError, KeyError) as error:
            if number == len(lines):
                break
            raise OutcomeFileError(f"{path}: line {number} is not the outcome of a trial ({error})") from None
    return parsed


def _read_content(path: Path) -> bytes:
    if path.suffix != ".gz":
        return path.read_bytes()
    content = bytearray()
    try:
        with gzip.open(path) as file, contextlib.suppress(EOFError):
            while part := file.read1():
                content += part
    except (gzip.BadGzipFile, zlib.error) as error:
        raise OutcomeFileError(f"{path} is not compressed as its name says ({error})") from None
    return bytes(content)


def append_lines(path: Path, values: Iterable[Mapping[str, object]]) -> None:
    """Append values to a file of JSON lines, compressed if its name ends in ".gz". Raises OSError."""
    with path.open("ab") as file:
        file.write(_to_content(path, values))


def write_lines(path: Path, values: Iterable[Mapping[str, object]]) -> None:
    """Replace a file of JSON lines, compressed if its name ends in ".gz". Raises OSError."""
    part = path.with_name(path.name + ".part")
    part.write_bytes(_to_content(path, values))
    part.replace(path)


def _to_content(path: Path, values: Iterable[Mapping[str, object]]) -> bytes:
    content = "".join(json.dumps(value) + "\n" for value in values).encode()
    return gzip.compress(content, mtime=0) if path.suffix == ".gz" else content
