"""Write the tables of measurements/2026-11/boards.md from result files of ``throwlock doctor --bench``.

``python -m tools.docs.boards`` prints them; ``--docs measurements/2026-11/boards.md`` writes them into that page. The
files are those in measurements/2026-11/boards, unless others are named."""

import argparse
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from rules.record.event import Record
from throwlock.bench.result import (
    SEAT_COUNTS,
    BenchResult,
    NotMeasured,
    ScreenTimings,
    SeatCount,
    Timings,
)
from throwlock.bench.screen import JUDGING_NICE
from tools.docs.generated_sections import add_docs_option, markdown_table, publish

COUNTS_PATH = Path(__file__).parents[2] / "measurements/2026-11/instructions.json"
CORES = 4


class Counts(Record):
    """The instructions of a piece of work."""

    instructions: int
    multiply_adds: int
    """How many of them multiply and add vectors of 128 bits."""


class RoundCounts(Record):
    """What judging a round takes: the judge's own instructions, and its calls of the hand model."""

    judge: Counts
    detections: int
    trackings: int


class BoardCounts(Record):
    """What was counted on a board's processor."""

    date: str
    detect: Counts
    """The hand model searches an image."""
    track: Counts
    """A hand is read where it was."""
    page: Counts
    """The count over a live preview is drawn, 800 × 480."""
    frame: Counts
    """Its next frame is drawn."""
    rounds: dict[SeatCount, RoundCounts]


@dataclass(frozen=True)
class Range:
    """A time in s: an estimate between two bounds."""

    least: float
    estimate: float
    most: float

    def __str__(self) -> str:
        if self.most < 1:
            digits = 0 if self.most >= 0.02 else 1
            least, estimate, most = (f"{s * 1e3:.{digits}f}" for s in (self.least, self.estimate, self.most))
            return f"{estimate} ms ({least}–{most})"
        return f"{self.estimate:.1f} s ({self.least:.1f}–{self.most:.1f})"


@dataclass(frozen=True)
class BoardSpeed:
    """Published speeds of a board, each in 1e9 a second: measurements/2026-11/boards.md says whose."""

    board: str
    counted_as: str
    """The board in the file of counts."""
    clock: float
    plain_per_cycle: float
    """Instructions of an interpreter."""
    multiply_adds_per_cycle: float
    """The most that one core can begin."""
    linpack: float
    """Linpack's 1e9 operations a second on four cores, each multiply-add being four."""
    network: float
    """Multiply-adds of a network like ours on four cores."""

    def plain_s(self, counts: Counts) -> Range:
        """Return how long instructions of one core take that are not a network's. Newer Pythons than the one that was
        timed may do half as many again in a cycle."""
        seconds = counts.instructions / (self.plain_per_cycle * self.clock * 1e9)
        return Range(seconds / 1.5, seconds, seconds)

    def network_s(self, multiply_adds: int, cores: int = CORES) -> Range:
        """Return how long a network's multiply-adds take."""
        most = self.multiply_adds_per_cycle * self.clock * CORES
        return Range(*(multiply_adds / (rate * 1e9 * cores / CORES) for rate in (most, self.linpack / 4, self.network)))

    def verdict_s(self, counts: BoardCounts, seats: SeatCount) -> Range:
        """Return how long a verdict takes: at best the judge works while the model does, at worst in turn."""
        judged = counts.rounds[seats]
        own = self.plain_s(judged.judge)
        model = self.network_s(
            judged.detections * counts.detect.multiply_adds + judged.trackings * counts.track.multiply_adds
        )
        return Range(max(own.least, model.least), own.estimate + model.estimate, own.most + model.most)


SPEEDS = (
    BoardSpeed("Raspberry Pi 5", "pi-5", 2.4, 1.22 * 1.35, 2, 30.2, 1.9 * 30.2 / 11.4),
    BoardSpeed("Raspberry Pi 4, 1.8 GHz", "pi-4", 1.8, 1.22, 1, 11.9, 1.9 * 11.9 / 11.4),
    BoardSpeed("Raspberry Pi 4, 1.5 GHz", "pi-4", 1.5, 1.22, 1, 11.4, 1.9),
)


def read_counts() -> dict[str, BoardCounts]:
    """Return what was counted, by board: ``pi-4`` and ``pi-5``."""
    try:
        text = COUNTS_PATH.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    return TypeAdapter(dict[str, BoardCounts]).validate_python(json.loads(text))


RESULTS_FOLDER = Path(__file__).parents[2] / "measurements/2026-11/boards"
MEASURED_SECTION, BUDGET_SECTION, COUNTS_SECTION = "boards", "budget", "instructions"
COUNTED_SEATS: tuple[SeatCount, ...] = ("2", "8")
NOT_MEASURED = "–"


def read_result(path: Path) -> BenchResult:
    """Read a result file. Raises ValueError if it is not one, with the reason."""
    try:
        return BenchResult.model_validate_json(path.read_text(encoding="utf-8"))
    except ValidationError as error:
        raise ValueError(f"{path} is not a result of throwlock doctor --bench: {error}") from error


def verdict_times(result: BenchResult, seats: SeatCount) -> Timings | NotMeasured:
    """Return the times of the verdicts with so many seats."""
    verdict = result.verdicts[seats]
    return verdict if isinstance(verdict, NotMeasured) else verdict.times


def measured_table(results: Iterable[BenchResult]) -> str:
    """Return the table of what was measured: a row for each quantity, a column for each result."""
    columns = list(results)

    def cells(cell: Callable[[BenchResult], str]) -> list[str]:
        return [cell(result) for result in columns]

    rows: list[tuple[str, list[str]]] = [
        ("cores, memory", cells(lambda one: f"{one.machine.cores}, {one.machine.memory_gb:.0f} GB")),
        ("system, Python", cells(lambda one: f"{one.machine.system}, {one.machine.python}")),
        ("mediapipe", cells(lambda one: one.machine.mediapipe)),
        ("load before", cells(lambda one: f"{one.before.load:.1f} ({'quiet' if one.is_quiet else 'busy'})")),
        ("one call of the hand model", cells(lambda one: _median(one.model_call))),
        *((f"verdict, {seats} seats", cells(partial(_verdict, seats))) for seats in SEAT_COUNTS),
        ("screen", cells(_screen_name)),
        ("late frames while rounds are judged", cells(_late_share)),
        ("SHOOT drawn after it is due", cells(lambda one: _median(one.cue.drawn))),
        ("… seen by a camera after that", cells(lambda one: _median(one.cue.seen))),
        ("journal, one commit", cells(_journal)),
        ("temperature before and after", cells(_temperatures)),
        ("throttled", cells(_throttling)),
    ]
    head = ["", *(f"{result.machine.board}, {result.date}" for result in columns)]
    return markdown_table(head, [(name, *values) for name, values in rows])


def _verdict(seats: SeatCount, result: BenchResult) -> str:
    return _median(verdict_times(result, seats))


def _median(times: Timings | NotMeasured) -> str:
    if isinstance(times, NotMeasured):
        return f"not measured: {times.not_measured}"
    return f"{times.median_ms:.{0 if times.median_ms >= 100 else 1}f} ms"


def _screen_name(result: BenchResult) -> str:
    match result.screen:
        case ScreenTimings(name=name):
            return name
        case NotMeasured(not_measured=reason):
            return f"not measured: {reason}"


def _late_share(result: BenchResult) -> str:
    if isinstance(result.screen, NotMeasured):
        return NOT_MEASURED
    return next((f"{run.late_share:.1%}" for run in result.screen.runs if run.load == JUDGING_NICE), NOT_MEASURED)


def _journal(result: BenchResult) -> str:
    if isinstance(result.journal, NotMeasured):
        return f"not measured: {result.journal.not_measured}"
    return f"{_median(result.journal.commits)} ({result.journal.disk})"


def _temperatures(result: BenchResult) -> str:
    before, after = result.before.temperature_c, result.after.temperature_c
    return "not available" if before is None or after is None else f"{before:.0f} °C, {after:.0f} °C"


def _throttling(result: BenchResult) -> str:
    found = result.after.throttling
    return "not available" if found is None else ", ".join(found) or "no"


def budget_table(results: Sequence[BenchResult]) -> str:
    """Return the table of the boards' budgets, next to what the newest result of each board says."""
    counts, rows = read_counts(), []
    for speed in SPEEDS:
        own = [result for result in results if speed.board.startswith(result.machine.board)]
        newest = max(own, key=lambda result: result.date, default=None)
        counted = counts[speed.counted_as]
        rows.append(
            (
                speed.board,
                speed.network_s(counted.detect.multiply_adds, cores=1),
                speed.network_s(counted.track.multiply_adds, cores=1),
                *(speed.verdict_s(counted, seats) for seats in COUNTED_SEATS),
                *(_verdict(seats, newest) if newest else "not yet" for seats in COUNTED_SEATS),
                *(speed.plain_s(drawn) for drawn in (counted.page, counted.frame)),
            )
        )
    head = (
        *("board", "hand model, one call", "hand read where it was"),
        *(f"verdict, {seats} seats" for seats in COUNTED_SEATS),
        *(f"{seats} seats, measured" for seats in COUNTED_SEATS),
        *("a page drawn", "its next frame"),
    )
    return markdown_table(head, rows)


def counts_table() -> str:
    """Return the table of the instructions that were counted."""
    rows = []
    for board, counts in read_counts().items():
        works = {
            "hand model, one call": counts.detect,
            "hand read where it was": counts.track,
            **{
                f"{seats} seats judged, and {one.detections} + {one.trackings} calls": one.judge
                for seats, one in counts.rounds.items()
            },
            "a page drawn": counts.page,
            "its next frame": counts.frame,
        }
        for name, one in works.items():
            rows.append((board, counts.date, name, f"{one.instructions / 1e6:.1f}", f"{one.multiply_adds / 1e6:.1f}"))
    return markdown_table(("processor", "date", "work", "instructions, 1e6", "multiply-adds, 1e6"), rows)


def main() -> None:
    """Print the tables, and write them into a page if asked."""
    parser = argparse.ArgumentParser(prog="python -m tools.docs.boards", description=__doc__)
    parser.add_argument(
        "files",
        type=Path,
        nargs="*",
        metavar="FILE",
        help="result files (default: those in measurements/2026-11/boards)",
    )
    add_docs_option(parser, MEASURED_SECTION, BUDGET_SECTION, COUNTS_SECTION)
    options = parser.parse_args()
    results = [read_result(path) for path in options.files or sorted(RESULTS_FOLDER.glob("*.json"))]
    sections = {
        MEASURED_SECTION: measured_table(results),
        BUDGET_SECTION: budget_table(results),
        COUNTS_SECTION: counts_table(),
    }
    publish(options.docs, sections)


if __name__ == "__main__":
    main()
