"""What the box reads of filmed throws, compared with what people marked in them."""

import statistics
from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np
from pydantic import BaseModel, ConfigDict

from device.camera.clip import read_clip
from device.camera.frames import BgrFrame
from rules.engine import Seat
from rules.throws import Throw
from throwlock.filming.folder import LABELS_FILE, REPORT_FILE, TAKES_FILE, FilmingFolder, Take
from ui.screen.pages import filming as filming_page
from ui.screen.pages.filming import FilmingReport
from vision.lock.judge import Judge
from vision.lock.judgement import MIN_FRAMES, Judgement
from vision.zones import Zone

CUE_NS = 10_000_000_000
"""The cue's time in a take that is judged again: any that leaves room for the frames before it."""
HONEST_MS = 100.0
"""A hand that people marked less than this after the first one may not be accused."""


class HandResult(BaseModel):
    """A labelled hand as the box read it."""

    model_config = ConfigDict(frozen=True)

    take: int
    seat: Seat
    labelled: Throw | None
    read: Throw | None
    verdict: str
    error_ms: float | None = None
    """When the box timed the hand, less when people marked it; None if it was misread, not timed, or holds no throw."""
    sigma_ms: float | None = None
    """The uncertainty of the box's time."""
    after_first_ms: float | None = None
    """How much later than the take's first marked hand people marked it; None if not every hand of the take is
    marked."""
    is_foul: bool = False


class Counted(BaseModel):
    """``count`` of ``total``."""

    model_config = ConfigDict(frozen=True)

    count: int
    total: int


class Report(BaseModel):
    """How the box does on a folder's labelled hands. Errors are absolute."""

    model_config = ConfigDict(frozen=True)

    format: int = 1
    hands: tuple[HandResult, ...]
    difference_errors_ms: tuple[float, ...]
    """Errors of the differences between two hands of a take, in which the camera's delay and the habits of whoever
    labels cancel out."""
    void_takes: int
    takes: int
    frame_ms: float
    """The time between two frames."""
    window_ms: float

    @property
    def errors_ms(self) -> tuple[float, ...]:
        """The errors of all timed hands."""
        return tuple(abs(hand.error_ms) for hand in self.hands if hand.error_ms is not None)

    @property
    def read_right(self) -> Counted:
        """Hands read as they are labelled; one that is no throw must be read as none."""
        return Counted(count=sum(hand.read == hand.labelled for hand in self.hands), total=len(self.hands))

    @property
    def misread(self) -> Counted:
        """Hands read as another throw; the others were left undecided."""
        wrong = sum(hand.read is not None and hand.read != hand.labelled for hand in self.hands)
        return Counted(count=wrong, total=len(self.hands))

    @property
    def accused(self) -> Counted:
        """Hands of an honest throw, marked less than HONEST_MS after the first, that got a foul."""
        return self._count(lambda after_ms: after_ms < HONEST_MS)

    @property
    def caught(self) -> Counted:
        """Hands marked later than the window allows, beyond a frame, that got a foul."""
        return self._count(lambda after_ms: after_ms > self.window_ms + self.frame_ms)

    def _count(self, is_counted: Callable[[float], bool]) -> Counted:
        found = [
            hand.is_foul
            for hand in self.hands
            if hand.labelled and hand.after_first_ms is not None and is_counted(hand.after_first_ms)
        ]
        return Counted(count=sum(found), total=len(found))


def measure(
    folder: FilmingFolder, judge: Judge, window_ms: int, on_progress: Callable[[float], object] = lambda done: None
) -> Report:
    """Judge every take with a labelled hand, and compare. ``on_progress`` is told the share (0 to 1) that is done. A
    hand that people are unsure about is left out.

    Raises:
        CameraError: A clip can't be read.
        ModelError: The hand model stopped.
    """
    takes = [
        take for take in folder.takes if any(hand.label and hand.label.kind != "unsure" for hand in take.hands.values())
    ]
    results: list[HandResult] = []
    differences: list[float] = []
    void = 0
    for number, take in enumerate(takes):
        on_progress(number / len(takes))
        frames, zones = compose_take(folder, take)
        if len(frames) < MIN_FRAMES:
            continue
        judgement = judge(frames, zones, CUE_NS, window_ms * 1_000_000)
        comparison = compare_take(take, judgement)
        results += comparison
        void += judgement.void_reason is not None
        errors = [hand.error_ms for hand in comparison if hand.error_ms is not None]
        differences += [abs(a - b) for a, b in combinations(errors, 2)]
    fps = [take.fps for take in takes]
    return Report(
        hands=tuple(results),
        difference_errors_ms=tuple(round(error, 1) for error in differences),
        void_takes=void,
        takes=len(takes),
        frame_ms=round(1000 / statistics.median(fps), 1) if fps else 0.0,
        window_ms=window_ms,
    )


def compose_take(folder: FilmingFolder, take: Take) -> tuple[list[BgrFrame], list[Zone]]:
    """Return the frames of a take, its clips side by side, and each clip's zone in them. Raises CameraError."""
    clips = [read_clip(folder.clip(hand)).frames for hand in take.hands.values()]
    height = max(clip[0].size[1] for clip in clips)
    width = sum(clip[0].size[0] for clip in clips)
    zones, left = [], 0
    for clip in clips:
        w, h = clip[0].size
        zones.append(Zone(left / width, 0, w / width, h / height))
        left += w
    frames = []
    for number, (images, after_ms) in enumerate(zip(zip(*clips, strict=True), take.exposed_ms, strict=True)):
        whole = np.zeros((height, width, 3), np.uint8)
        left = 0
        for image in images:
            whole[: image.size[1], left : left + image.size[0]] = image.bgr
            left += image.size[0]
        frames.append(BgrFrame(number, CUE_NS + round(after_ms * 1e6), 0, (width, height), whole))
    return frames, zones


def compare_take(take: Take, judgement: Judgement) -> Sequence[HandResult]:
    """Compare a take's judgement with its labels."""
    marked_ms = {
        seat: take.ms_at(hand.label.shown)
        for seat, hand in take.hands.items()
        if hand.label is not None and hand.label.shown is not None
    }
    is_whole = len(marked_ms) == len(take.hands)
    results = []
    for (seat, hand), judged in zip(take.hands.items(), judgement.seats, strict=True):
        if hand.label is None or hand.label.kind == "unsure":
            continue
        labelled = hand.label.throw if hand.label.kind == "throw" else None
        is_timed = labelled is not None and judged.throw == labelled and judged.shown is not None
        shown = judged.shown if is_timed else None
        results.append(
            HandResult(
                take=take.number,
                seat=seat,
                labelled=labelled,
                read=judged.throw,
                verdict=str(judged.verdict),
                error_ms=round(judgement.ms_after_cue(shown.time_ns) - marked_ms[seat], 1)
                if shown and seat in marked_ms
                else None,
                sigma_ms=round(shown.sigma_ns / 1e6, 1) if shown else None,
                after_first_ms=round(marked_ms[seat] - min(marked_ms.values()), 1) if is_whole else None,
                is_foul=judged.verdict.is_foul and judgement.void_reason is None,
            )
        )
    return results


README = """\
# Filmed throws

{hands} throws of {people}, filmed by a Throwlock box from above, with the players' consent (`consent.json`).
Nobody is named. `LICENSE` says who may use them: {licence}.

- `take-NN-A-seat-S.avi`: the zone of seat S in take NN, Motion JPEG; A tells a take that was filmed again from before.
- `{labels}`: what people marked in each clip, in frames from 0: the first frame in which the shape begins to form, the
  first in which it is complete, and the last in which it is held. Of a rock, the first two are the frame in which the
  fist comes to rest. `kind` is *throw*, *none* (none of the three) or *unsure*.
- `{takes}`: what was agreed for each take, and when each frame was exposed, in ms after the cue.
- `{report}`: what the box read of each clip.

| compared with the marks | |
| --- | --- |
{rows}

Between two frames are {frame_ms:.0f} ms; marks by eye are no finer than that.
"""


def report_rows(report: Report) -> tuple[tuple[str, str, bool | None], ...]:
    """Return the table: what was measured, in words, and whether that is as it should be (None: there is no bound)."""

    def row(name: str, counted: Counted, is_good: bool) -> tuple[str, str, bool | None]:
        return name, filming_page.share_text(counted.count, counted.total), is_good if counted.total else None

    right, accused, caught = report.read_right, report.accused, report.caught
    return (
        row(filming_page.READ_RIGHT, right, right.count == right.total),
        row(filming_page.MISREAD, report.misread, report.misread.count == 0),
        (filming_page.HAND_TIME, filming_page.errors_text(report.errors_ms), None),
        (filming_page.DIFFERENCE, filming_page.errors_text(report.difference_errors_ms), None),
        row(filming_page.ACCUSED, accused, accused.count == 0),
        row(filming_page.CAUGHT, caught, caught.count == caught.total),
    )


def report_page(folder: FilmingFolder, report: Report) -> FilmingReport:
    """Return the report as a page."""
    note = filming_page.frame_note(report.frame_ms) if report.takes else filming_page.NOTHING_MARKED
    return FilmingReport(report_rows(report), note, str(folder.path))


def readme_text(folder: FilmingFolder, report: Report) -> str:
    """Return the folder's README, in English."""
    people = len(folder.consent.seats)
    return README.format(
        hands=sum(len(take.hands) for take in folder.takes),
        people="one person" if people == 1 else f"{people} people",
        licence=folder.consent.licence,
        labels=LABELS_FILE,
        takes=TAKES_FILE,
        report=REPORT_FILE,
        rows="\n".join(f"| {name} | {value} |" for name, value, _ in report_rows(report)),
        frame_ms=report.frame_ms,
    )
