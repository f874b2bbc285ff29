"""What ``throwlock doctor --bench`` writes: numbers, and words that are ours. Nothing in it identifies the owner."""

import statistics
from collections.abc import Sequence
from typing import Annotated, Literal, Self, get_args

from pydantic import Field

from rules.record.event import Record
from throwlock.cli.doctor.bench.percentiles import percentile

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
