"""A recorded round to judge without a camera, and what judging it costs. The recording shows the simulated table with
eight seats: ``python -m tools.bench.recorded_round`` renders it."""

import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from device.camera.clip import read_clip
from device.camera.frames import Frame
from rules.record.event import Record
from rules.record.judgement import Verdict
from throwlock.bench.result import Timings, VerdictTimings
from vision.hands.detector import HandDetector
from vision.lock.judge import DETECTION_CONFIDENCE, JUDGE_NICE_LEVEL, Judge
from vision.lock.zone_view import MAX_INPUT_PX
from vision.zones import Zone

CLIP_PATH = Path(__file__).with_name("round.mp4")
TRUTH_PATH = CLIP_PATH.with_suffix(".json")
MODEL_CALLS = 60
"""Model calls that are timed, on frames spread evenly over the round."""
ROUNDS = 5
"""Times a round is judged; a first time doesn't count."""


class RoundTruth(Record):
    """What a recording doesn't hold itself."""

    cue_ns: int
    """From the recording's beginning."""
    exposure_ns: int
    zones: tuple[tuple[float, float, float, float], ...]
    """Each seat's x, y, width and height as fractions of the frame."""
    throws: tuple[str, ...]
    """Each seat's throw."""


@dataclass(frozen=True)
class RecordedRound:
    """A round's frames in memory, as a real camera stores them, and the truth."""

    frames: Sequence[Frame]
    zones: tuple[Zone, ...]
    throws: tuple[str, ...]
    cue_ns: int

    def first_seats(self, seats: int) -> "RecordedRound":
        """Return the same round with the first ``seats`` seats only."""
        return replace(self, zones=self.zones[:seats], throws=self.throws[:seats])


@dataclass(frozen=True)
class JudgingCost:
    """What judging a round cost."""

    calls: int
    """Calls of the hand model."""
    ms: float
    correct_seats: int
    """Seats judged on time with the right throw, as all should be."""


def load_round() -> RecordedRound:
    """Return the recorded round of eight seats. Raises CameraError if its video can't be read."""
    truth = RoundTruth.model_validate_json(TRUTH_PATH.read_text())
    frames = [replace(frame, exposure_ns=truth.exposure_ns) for frame in read_clip(CLIP_PATH).frames]
    return RecordedRound(frames, tuple(Zone(*zone) for zone in truth.zones), truth.throws, truth.cue_ns)


def judge_recorded(judge: Judge, recorded: RecordedRound) -> JudgingCost:
    """Judge a round and return what it cost."""
    calls_before, start = judge.calls, time.perf_counter()
    judgement = judge(recorded.frames, recorded.zones, recorded.cue_ns)
    ms = (time.perf_counter() - start) * 1e3
    correct = sum(
        seat.verdict is Verdict.ON_TIME and seat.throw == throw
        for seat, throw in zip(judgement.seats, recorded.throws, strict=True)
    )
    return JudgingCost(judge.calls - calls_before, ms, correct)


def time_model(recorded: RecordedRound, calls: int = MODEL_CALLS) -> Timings:
    """Time calls of the hand model, one after another, on the first zone. Raises ModelError."""
    step = max(1, len(recorded.frames) // calls)
    times_ms = []
    with HandDetector(confidence=DETECTION_CONFIDENCE) as detector:
        for frame in recorded.frames[::step][:calls]:
            box = recorded.zones[0].box(frame.size)
            image = frame.pixels(box, box.size_within(MAX_INPUT_PX))
            start = time.perf_counter()
            detector.detect(image)
            times_ms.append((time.perf_counter() - start) * 1e3)
    return Timings.of(times_ms)


def time_verdicts(recorded: RecordedRound, rounds: int = ROUNDS) -> VerdictTimings:
    """Judge a round again and again as the box does, after a first time that doesn't count. Raises ModelError."""
    with Judge(len(recorded.zones), JUDGE_NICE_LEVEL) as judge:
        costs = [judge_recorded(judge, recorded) for _ in range(rounds + 1)][1:]
    return VerdictTimings(
        seats=len(recorded.zones),
        model_calls=round(statistics.median(cost.calls for cost in costs)),
        correct_seats=min(cost.correct_seats for cost in costs),
        times=Timings.of([cost.ms for cost in costs]),
    )
