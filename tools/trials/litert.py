"""Compare LiteRT with mediapipe as the hand model's runtime: ``python -m tools.trials.litert --per 20`` runs both on
the labelled pictures, with every augmentation of a still, the same call of each in turn.

Rounds are compared by judging the same seeds with each runtime, then reading both files::

    python -m tools.trials --out mediapipe.jsonl
    THROWLOCK_HAND_RUNTIME=litert python -m tools.trials --out litert.jsonl
    python -m tools.trials.litert --rounds mediapipe.jsonl litert.jsonl
"""

import argparse
import os
import resource
import statistics
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from device.camera.frames import Pixels
from errors import ThrowlockError
from tools.docs.generated_sections import add_docs_option, markdown_table, publish
from tools.training.detection_cache import MAX_HANDS
from tools.training.examples import STRESS_SETS, THROW_NAMES, TrainingExample, add_image_options, image_files
from tools.training.report import ExampleReading, read_examples
from tools.trials.outcomes import SeatOutcome
from tools.trials.runner import read_outcomes
from tools.trials.tables import cheats_caught, correct_throws, honest_accused, needlessly_voided
from tools.trials.tracking import landmark_distance
from vision.hands.augmentation import AUGMENTATIONS, Augmentation, Detector, detect_with_each, group_detections
from vision.hands.classifier import hand_weights
from vision.hands.detector import DetectedHand, HandDetector
from vision.hands.model_process import RUNTIME_VARIABLE
from vision.hands.stills import STILL_CONFIDENCE, rank_hands, read_image

RUNTIMES = ("mediapipe", "litert")
RUNTIME_NAMES = ("mediapipe", "LiteRT")


@dataclass
class CallComparison:
    """What calls of both runtimes, each on the same image, had in common."""

    hands: list[tuple[int, int]] = field(default_factory=list)
    """The number of hands found in each call, by mediapipe and by LiteRT."""
    distances: list[float] = field(default_factory=list)
    """For each hand found by both, the largest distance of a landmark, as a share of the hand's longer side."""
    other_sides: int = 0
    """Hands of which one runtime says that it is a left hand and the other that it is a right one."""
    time_ratios: list[float] = field(default_factory=list)
    """LiteRT's time for each call, as a share of mediapipe's."""
    processor_s: list[float] = field(default_factory=list)
    """Processor time of each runtime's process, from its start to its end."""

    def add(self, found: Sequence[Sequence[DetectedHand]], times: Sequence[float]) -> None:
        """Add a call: the hands found and the seconds taken by each runtime."""
        self.hands.append((len(found[0]), len(found[1])))
        self.time_ratios.append(times[1] / times[0])
        if len(found[0]) != len(found[1]):
            return
        for one, other in zip(*found, strict=True):
            self.distances.append(landmark_distance(other, one))
            self.other_sides += one.is_right != other.is_right

    def table(self) -> str:
        """Return the table of all calls."""
        apart = np.quantile(self.distances, [0.5, 0.99, 1]) if self.distances else np.full(3, np.nan)
        quarters = np.quantile(self.time_ratios, [0.25, 0.5, 0.75])
        rows = [
            ("calls", f"{len(self.hands):,}"),
            ("hands found by mediapipe", f"{sum(one for one, _ in self.hands):,}"),
            ("hands found by LiteRT", f"{sum(other for _, other in self.hands):,}"),
            ("calls in which the numbers differ", sum(one != other for one, other in self.hands)),
            ("landmark farthest apart, share of the hand: median", f"{apart[0]:.3%}"),
            ("the same: 99 in 100 hands", f"{apart[1]:.3%}"),
            ("the same: largest", f"{apart[2]:.3%}"),
            ("hands read as left by one and right by the other", self.other_sides),
            (
                "LiteRT's time / mediapipe's, in pairs: median (quartiles)",
                "{1:.2f} ({0:.2f}–{2:.2f})".format(*quarters),
            ),
            *(
                (
                    f"{name}'s processor time for each call, with its start, ms",
                    f"{1000 * seconds / len(self.hands):.1f}",
                )
                for name, seconds in zip(RUNTIME_NAMES, self.processor_s, strict=False)
            ),
        ]
        return markdown_table(["", "number"], rows)


def detectors() -> list[HandDetector]:
    """Return a detector for stills with each runtime. Raises ModelError."""
    before = os.environ.get(RUNTIME_VARIABLE)
    made = []
    try:
        for runtime in RUNTIMES:
            os.environ[RUNTIME_VARIABLE] = runtime
            made.append(HandDetector("full", MAX_HANDS, STILL_CONFIDENCE))
    finally:
        del os.environ[RUNTIME_VARIABLE]
        if before is not None:
            os.environ[RUNTIME_VARIABLE] = before
    return made


def detect_with_both(
    image: Pixels, pair: Sequence[Detector], compared: CallComparison, augmentations: Sequence[Augmentation]
) -> list[list[list[DetectedHand]]]:
    """Return the hands found by each detector with each augmentation, and add the calls to ``compared``. They take
    turns at being first."""
    found: list[list[list[DetectedHand]]] = [[] for _ in pair]
    for number, augmentation in enumerate(augmentations):
        seconds = [0.0 for _ in pair]
        for which in (0, 1) if number % 2 else (1, 0):
            start = time.perf_counter()
            found[which] += detect_with_each(pair[which], image, [augmentation])
            seconds[which] = time.perf_counter() - start
        compared.add([hands[-1] for hands in found], seconds)
    return found


def read_pictures(
    files: Iterable[Path], pair: Sequence[Detector], compared: CallComparison
) -> Iterator[tuple[TrainingExample, TrainingExample]]:
    """Yield each picture's foremost hand as each detector finds it. Raises ImageError."""
    for file in files:
        shape, source = file.parent.name, file.parent.parent.name
        label = next((throw for throw in THROW_NAMES if throw == shape), "none")
        one, other = (
            TrainingExample(source, shape, label, next(iter(rank_hands(group_detections(hands), len(hands))), ()))  # type: ignore[arg-type]
            for hands in detect_with_both(read_image(file), pair, compared, AUGMENTATIONS)
        )
        yield one, other


def picture_table(readings: Sequence[Sequence[ExampleReading]]) -> str:
    """Return the table of right, wrong and undecided throws by set, and of refused hands that are no throw, as each
    runtime's readings have them."""

    def row(name: str, chosen: Sequence[int]) -> list[object]:
        counts = [
            " / ".join(
                str(sum(some[i].outcome == outcome for i in chosen)) for outcome in ("right", "wrong", "undecided")
            )
            for some in readings
        ]
        changed = sum(readings[0][i].throw != readings[1][i].throw for i in chosen)
        return [name, len(chosen), *counts, changed]

    examples = [reading.example for reading in readings[0]]
    by_set: dict[str, list[int]] = {}
    for i, example in enumerate(examples):
        kind = "" if example.throw else ", no throw"
        by_set.setdefault(example.source + (" (stress)" if example.source in STRESS_SETS else "") + kind, []).append(i)
    rows = [row(name, chosen) for name, chosen in sorted(by_set.items())]
    rows.append(row("**all**", range(len(examples))))
    return markdown_table(["set", "photos", *RUNTIME_NAMES, "read otherwise"], rows)


def round_table(outcomes: Sequence[Sequence[SeatOutcome]]) -> str:
    """Return the table of the seats that both runtimes judged."""
    by_seat = [{(seat.seed, seat.seat): seat for seat in some} for some in outcomes]
    both = sorted(by_seat[0].keys() & by_seat[1].keys())
    one, other = ([seats[key] for key in both] for seats in by_seat)

    def errors(seats: Sequence[SeatOutcome]) -> str:
        times = [error for seat in seats if (error := seat.time_error_ms) is not None]
        return f"{statistics.mean(times):+.2f} ± {statistics.stdev(times):.2f}" if len(times) > 1 else "–"

    differing = sum(
        (a.verdict, a.found, a.trouble) != (b.verdict, b.found, b.trouble) for a, b in zip(one, other, strict=True)
    )
    apart = [
        abs(a.found_ms - b.found_ms)
        for a, b in zip(one, other, strict=True)
        if a.found_ms is not None and b.found_ms is not None and not a.trouble
    ]
    spread = np.quantile(apart, [0.5, 0.95, 1]) if apart else np.full(3, np.nan)
    rows: list[tuple[object, ...]] = [
        ("seats", len(one), len(other)),
        ("honest seats accused", honest_accused(one), honest_accused(other)),
        ("throws 100 ms or more after the lock caught", cheats_caught(one, "late"), cheats_caught(other, "late")),
        (
            "changes 100 ms or more after the lock caught",
            cheats_caught(one, "changed"),
            cheats_caught(other, "changed"),
        ),
        ("rounds voided although nothing was wrong", needlessly_voided(one), needlessly_voided(other)),
        ("throws read correctly", correct_throws(one), correct_throws(other)),
        ("verdicts as expected", *(sum(seat.is_correct for seat in seats) for seats in (one, other))),
        ("error of the shown time, ms (mean ± sd)", errors(one), errors(other)),
        ("calls of the hand model", *(sum(seat.calls for seat in seats) for seats in (one, other))),
    ]
    return (
        f"{markdown_table(['', *RUNTIME_NAMES], rows)}\n\n"
        f"Judged otherwise: {differing} of {len(both)} seats. Where the round counts, the shown times differ by "
        f"{spread[0]:.2f} ms in the median, {spread[1]:.1f} ms in one seat of 20 and {spread[2]:.1f} ms at most."
    )


def main() -> None:
    """Print the tables, and write them into a page if asked."""
    parser = argparse.ArgumentParser(prog="python -m tools.trials.litert", description=__doc__)
    add_image_options(parser)
    parser.add_argument("--rounds", type=Path, nargs=2, metavar="FILE", help="no pictures; compare these outcomes")
    add_docs_option(parser)
    options = parser.parse_args()
    try:
        sections = (
            _round_sections(options.rounds) if options.rounds else _picture_sections(options.pictures, options.per)
        )
    except (ThrowlockError, OSError) as error:
        sys.exit(f"python -m tools.trials.litert: {error}")
    publish(options.docs, sections)


def _round_sections(files: Sequence[Path]) -> dict[str, str]:
    return {"litert rounds": round_table([read_outcomes(file) for file in files])}


def _picture_sections(root: Path, per_folder: int | None) -> dict[str, str]:
    files = image_files(root, per_folder)
    if not files:
        raise FileNotFoundError(f"there are no pictures in {root}")
    compared = CallComparison()
    pair = detectors()
    examples = list(zip(*read_pictures(files, pair, compared), strict=True))
    for detector in pair:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        detector.close()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        compared.processor_s.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    readings = [read_examples(some, hand_weights()) for some in examples]
    return {"litert calls": compared.table(), "litert pictures": picture_table(readings)}


if __name__ == "__main__":
    main()
