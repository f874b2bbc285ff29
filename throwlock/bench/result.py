"""What ``throwlock doctor --bench`` writes: numbers, and words that are ours, as a record and as a page. Nothing
in it identifies the owner."""

import statistics
import textwrap
from collections.abc import Iterator, Sequence
from typing import Annotated, Literal, Self, get_args

from pydantic import Field

from rules.record.event import Record


def percentile(values: Sequence[float], percent: int) -> float:
    """Return what ``percent`` of the values (at least one) don't exceed, interpolated between two of them."""
    if len(values) == 1:
        return values[0]
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]


Words = Annotated[str, Field(max_length=80, pattern=r"^[^\r\n|<>`/\\]*$")]
"""A few words that fit into a cell of a table, and no path."""
Milliseconds = Annotated[float, Field(description="ms")]
Share = Annotated[float, Field(ge=0, le=1)]
SeatCount = Literal["2", "4", "8"]
SEAT_COUNTS: tuple[SeatCount, ...] = get_args(SeatCount)
MEMORY_DRIVERS = ("dummy", "offscreen")
"""SDL's drivers that draw to memory only."""
QUIET_LOAD_PER_CORE = 0.15
"""Up to this load average for each core before the measurement, a machine counts as quiet."""


class NotMeasured(Record):
    """What could not be measured, and why in a few words."""

    not_measured: Words


class Timings(Record):
    """How long ``count`` repetitions took."""

    count: Annotated[int, Field(ge=1)]
    median_ms: Milliseconds
    p95_ms: Milliseconds
    slowest_ms: Milliseconds

    @classmethod
    def of(cls, times_ms: Sequence[float]) -> Self:
        """Return the median, the 95th percentile and the maximum of times in ms. Raises ValueError if there is none."""
        if not times_ms:
            raise ValueError("nothing was timed")
        values = statistics.median(times_ms), percentile(times_ms, 95), max(times_ms)
        median_ms, p95_ms, slowest_ms = (round(value, 2) for value in values)
        return cls(count=len(times_ms), median_ms=median_ms, p95_ms=p95_ms, slowest_ms=slowest_ms)


class VerdictTimings(Record):
    """The verdicts on one round, judged again and again."""

    seats: int
    model_calls: int
    """Calls of the model for one verdict on all seats."""
    correct_seats: int
    """How many seats were judged correctly each time."""
    times: Timings


class ScreenRun(Record):
    """How evenly frames were shown under a load."""

    load: Words
    frames_per_second: float
    late_share: Share
    """The share of frames that came later than 1.5 frame times after the one before."""
    longest_gap_ms: Milliseconds
    """The longest time between two frames."""


class ScreenTimings(Record):
    """The screen as the box used it: SDL's video driver, the size in pixels, and its frames."""

    driver: Words
    width: int
    height: int
    runs: tuple[ScreenRun, ...]

    @property
    def name(self) -> str:
        """The driver and the size; SDL draws to memory where there is no screen."""
        kind = f"no screen: {self.driver}" if self.driver in MEMORY_DRIVERS else self.driver
        return f"{kind}, {self.width}×{self.height}"


class CueTimings(Record):
    """How late the cue is seen."""

    drawn: Timings | NotMeasured
    """From the cue until its word was drawn and handed to the screen."""
    seen: Timings | NotMeasured
    """From then until a camera that looks at the screen saw a change."""


class JournalTimings(Record):
    """Commits of events with images."""

    evidence_kb: int
    """The size of the images of an event."""
    disk: Words
    """The file system and disk that the events went to."""
    commits: Timings


class Conditions(Record):
    """What the machine was like. None stands for what isn't available."""

    load: float
    """The load average of the last minute."""
    temperature_c: float | None
    """Of the processor, in °C."""
    throttling: tuple[Words, ...] | None
    """What throttles the processor."""


class Machine(Record):
    """The machine and what runs on it."""

    board: Words
    cores: int
    memory_gb: float
    system: Words
    kernel: Words
    python: Words
    throwlock: Words
    mediapipe: Words
    opencv: Words


class BenchResult(Record):
    """Everything that was measured."""

    version: Literal[1] = 1
    date: Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d$")]
    """ISO 8601."""
    machine: Machine
    before: Conditions
    after: Conditions
    model_call: Timings | NotMeasured
    verdicts: dict[SeatCount, VerdictTimings | NotMeasured]
    screen: ScreenTimings | NotMeasured
    cue: CueTimings
    journal: JournalTimings | NotMeasured

    @property
    def is_quiet(self) -> bool:
        """Whether the machine did little else before the measurement."""
        return self.before.load <= QUIET_LOAD_PER_CORE * self.machine.cores


LABEL_WIDTH = 36
PAGE_WIDTH = 100
NOTES = (
    "One call of the hand model: on a part of a picture, one call after another in one thread.",
    "Verdict: the time to judge all seats once the round's frames are there, by the judge and the model the box plays "
    "with. The round comes with Throwlock: eight rendered hands, 96 frames of 1280×720 at 60 per second, as a USB "
    "camera leaves them in memory. Two and four seats are the first of the eight. It takes as many calls of the model "
    "as other rounds (9 to 13 for a seat). The round is judged once before it counts.",
    "Screen: a count with its live picture, while a thread stores 60 pictures a second as a camera does. A frame is "
    "late if it comes more than 25 ms after the one before.",
    "SHOOT: from the time it is due until the program has handed it to the screen, then until a camera that looks at "
    "the screen sees a change: the screen's own delay, right to half a frame of the camera for a single flash. The "
    "tone is not measured.",
    "Journal: one event with its images until the disk has it, in a journal next to the real one, removed afterwards.",
    "A machine is quiet up to a load average of 0.15 per core before the measurement.",
)
PRIVACY = (
    "This page and the JSON file hold what you see here and nothing else: no pictures, no names of people, hosts, "
    "files or networks, no serial numbers. Send both to have this machine in measurements/2026-11/boards.md."
)


def timing_line(label: str, times: Timings | NotMeasured, remark: str = "") -> str:
    """Format a row of the page."""
    if isinstance(times, NotMeasured):
        return f"{label:{LABEL_WIDTH}} not measured: {times.not_measured}"
    cells = "".join(f"{ms:9.1f} ms" for ms in (times.median_ms, times.p95_ms, times.slowest_ms))
    return f"{label:{LABEL_WIDTH}}{cells}   {times.count} times{remark}"


def verdict_line(seats: str, verdict: VerdictTimings | NotMeasured) -> str:
    """Format the row of a verdict."""
    label = f"Verdict, {seats} seats"
    if isinstance(verdict, NotMeasured):
        return timing_line(label, verdict)
    remark = f", {verdict.model_calls} model calls, {verdict.correct_seats} of {verdict.seats} seats right"
    return timing_line(label, verdict.times, remark)


def screen_lines(screen: ScreenTimings | NotMeasured) -> Iterator[str]:
    """Format the rows of the screen."""
    if isinstance(screen, NotMeasured):
        yield timing_line("Screen", screen)
        return
    for run in screen.runs:
        yield (
            f"{f'Screen, {run.load}':{LABEL_WIDTH}} {run.frames_per_second:.1f} frames per second, "
            f"{run.late_share:.1%} late, longest gap {run.longest_gap_ms:.0f} ms "
            f"({screen.driver}, {screen.width}×{screen.height})"
        )


def cue_lines(cue: CueTimings) -> Iterator[str]:
    """Format the rows of the cue."""
    yield timing_line("SHOOT drawn after it is due", cue.drawn)
    yield timing_line("… seen by a camera after that", cue.seen)


def journal_line(journal: JournalTimings | NotMeasured) -> str:
    """Format the row of the journal."""
    if isinstance(journal, NotMeasured):
        return timing_line("Journal, one commit", journal)
    return timing_line("Journal, one commit", journal.commits, f", {journal.evidence_kb} kB of images, {journal.disk}")


def conditions_text(conditions: Conditions) -> str:
    """Format the load, the temperature and the throttling."""
    temperature, throttling = conditions.temperature_c, conditions.throttling
    parts = [
        f"load {conditions.load:.2f}",
        "temperature not available" if temperature is None else f"{temperature:.1f} °C",
        "throttling not available" if throttling is None else ", ".join(throttling) or "not throttled",
    ]
    return ", ".join(parts)


def head_lines(result: BenchResult) -> Sequence[str]:
    """Format what the machine is, and how it was before and after."""
    machine = result.machine
    return (
        f"Throwlock on {machine.board}: measured with throwlock doctor --bench on {result.date}",
        "",
        f"Machine  {machine.cores} cores, {machine.memory_gb:.1f} GB, {machine.system}, kernel {machine.kernel}",
        f"Programs Throwlock {machine.throwlock}, Python {machine.python}, mediapipe {machine.mediapipe}, "
        f"OpenCV {machine.opencv}",
        f"Before   {conditions_text(result.before)}: a {'quiet' if result.is_quiet else 'busy'} machine",
        f"After    {conditions_text(result.after)}",
    )


def table_head() -> str:
    """Format the head of the rows."""
    return " " * LABEL_WIDTH + "".join(f"{name:>12}" for name in ("median", "95 % by", "slowest"))


def render_page(result: BenchResult) -> str:
    """Return the page."""
    rows = [
        table_head(),
        timing_line("One call of the hand model", result.model_call),
        *(verdict_line(seats, verdict) for seats, verdict in result.verdicts.items()),
        *screen_lines(result.screen),
        *cue_lines(result.cue),
        journal_line(result.journal),
    ]
    notes = "\n\n".join(textwrap.fill(note, PAGE_WIDTH) for note in (*NOTES, PRIVACY))
    return "\n".join([*head_lines(result), "", *rows, "", notes, ""])
