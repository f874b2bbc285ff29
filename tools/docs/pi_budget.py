"""How long the box's work takes on a Raspberry Pi, from the instructions that an emulator has counted (``tests/pi/run
--count``) and published speeds of the boards."""

import json
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from rules.record.event import Record
from throwlock.bench.result import SeatCount

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
