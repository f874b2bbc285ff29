"""Write the tables of measurements/2026-11/boards.md from result files of ``throwlock doctor --bench``.

``python -m tools.docs.boards`` prints them; ``--docs measurements/2026-11/boards.md`` writes them into that page. The
files are those in measurements/2026-11/boards, unless others are named."""

import argparse
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

from pydantic import ValidationError

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
from tools.docs.pi_budget import SPEEDS, read_counts

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
