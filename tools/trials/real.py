"""Judge filmed throws of people, two at a time side by side, whose difference in time is known.

``python -m tools.trials.real --out real.jsonl`` places every clip next to its own mirror image, shifted by some frames
(the difference is exact), and next to other clips (it is known from labels made by eye, to about a frame), as filmed
and altered: slowed and sped up, paler, compressed, with doubled frames, at half and at twice the frame rate. Give the
same command again to resume; what the hand model found is kept on disk, so that judging again after a change of the
lock takes seconds a trial less. ``--tables real.jsonl --docs measurements/2026-11/timing-accuracy.md`` writes the
tables into that page. ``--late-fists``, with both, is about fists that come later and later, as after a pump too many,
next to every other throw. ``--data FOLDER`` takes a folder that ``throwlock film`` wrote as well."""

import argparse
import csv
import itertools
import json
import random
import statistics
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.clip import read_clip
from device.camera.frames import BgrFrame
from errors import ThrowlockError
from rules.record.judgement import INTERVAL_SIGMAS, Verdict
from rules.throws import Throw
from tools.docs.generated_sections import add_docs_option, markdown_table, publish
from tools.trials.model_cache import CachedJudge
from tools.trials.runner import append_lines, read_lines, write_lines
from tools.trials.tables import Share
from vision.lock.judge import Judge
from vision.zones import Zone

DATA = Path("../shared/data")
"""``throw_clips`` and ``motion``, each with a ``labels.csv``: frames from 0, judged by eye to about a frame."""
IMAGE_SIZE = 640, 360
"""Of each half, in pixels; a clip of another shape gets bars."""
BEFORE_S, AFTER_S = 1.5, 1.2
"""How much of a clip before the throw begins and after it is complete is played, if there is so much."""
CUE_BEFORE_S = 0.05
"""The cue comes this long before the earlier throw shows."""
CUE_AFTER_CLOSING_S = 0.25
"""The cue comes this long after the later of two fists that closed, so that what they showed before doesn't count."""
MAX_RATE_DIFFERENCE = 0.03
"""Clips are paired if their frame rates differ by no more than this share."""
SHIFTS = (0, 2, 4, 8)
"""Frames by which the right clip is later, in trials as filmed; at 30 frames a second 0, 67, 133 and 267 ms."""
ALTERED_SHIFTS = (0, 4)
"""The same in altered trials."""
FIST_SHIFTS = range(0, 30, 2)
"""The same of a fist that comes down, in trials of late fists: up to more than a pump and a throw later."""
ACCUSED_UNDER_MS, CHEAT_OVER_MS = 100.0, 250.0
"""Nobody may be accused who is less apart than the first, and nobody be on time who is more apart than the second."""
LABEL_ERROR_FRAMES = 1.0
"""How far off the difference of two labels may be."""
SECTION, FIST_SECTION = "real throws", "late fists"
MOVEMENTS = "openings", "landings", "closings"
"""What is timed: a hand that opens, a fist that comes down, and one that closes."""
Images = tuple[NDArray[Any], ...]


@dataclass(frozen=True)
class RealThrow:
    """A labelled throw in a clip, whose instants are in frames from 0."""

    file: str
    """The clip's file within the data."""
    fps: float
    throw: Throw
    onset: float
    """The first frame in which the shape begins."""
    settled: float
    """The first frame in which the shape is complete, with the hand at rest."""
    held_until: int
    """The last frame in which the throw is held."""
    closing: bool = False
    """Whether the hand closes to a rock from a throw it showed before, which is no throw on a count."""

    @property
    def shown(self) -> float:
        """The frame, from 0, at which the throw shows: the middle of the movement; for a fist that never opened, its
        end."""
        fell = self.throw is Throw.ROCK and not self.closing
        return self.settled if fell else (self.onset + self.settled) / 2

    @property
    def name(self) -> str:
        """The clip, and the throw's first frame: several throws are in one clip."""
        return f"{Path(self.file).stem}@{self.settled:g}"


@dataclass(frozen=True)
class RealTrial:
    """Two clips side by side."""

    left: str
    right: str
    """The left clip itself stands for its mirror image."""
    shift: int
    """By how many frames the right clip is later, before the alteration."""
    alteration: str
    """The name of the change of both recordings."""

    @property
    def is_mirror(self) -> bool:
        """Whether both halves are the same clip, so that the difference is exact."""
        return self.left == self.right


@dataclass(frozen=True)
class RealOutcome:
    """How a trial was judged. Pairs are of the left and the right half."""

    trial: RealTrial
    fps: float
    throws: tuple[str, str]
    """The true throws."""
    read: tuple[str | None, str | None]
    """The throws that were read; None for none."""
    verdicts: tuple[str, str]
    true_ms: float
    """How much later the right throw shows."""
    measured_ms: float | None
    """How much later the right throw was judged to show; None if a throw wasn't timed."""
    sigma_ms: float
    """The uncertainty of ``measured_ms``."""
    void: str | None
    """Why the round was voided; None if it wasn't."""
    closing: bool
    """Whether a hand showed another throw before, which it closed from."""

    @property
    def is_right(self) -> bool:
        """Whether both throws were read correctly."""
        return self.throws == self.read

    @property
    def error_ms(self) -> float | None:
        """Error of the measured difference; None if a throw was misread or not timed."""
        return self.measured_ms - self.true_ms if self.measured_ms is not None and self.is_right else None

    @property
    def label_error_ms(self) -> float:
        """How far off the true difference may be."""
        return 0.0 if self.trial.is_mirror else LABEL_ERROR_FRAMES * 1000 / self.fps

    @property
    def is_judged(self) -> bool:
        """Whether its verdicts count: the round is not void, and nobody showed another throw before."""
        return self.void is None and not self.closing

    @property
    def is_accused(self) -> bool:
        """Whether somebody less than ``ACCUSED_UNDER_MS`` apart was accused."""
        fouls = any(Verdict(verdict).is_foul for verdict in self.verdicts)
        return self.is_judged and abs(self.true_ms) < ACCUSED_UNDER_MS and fouls

    @property
    def is_missed(self) -> bool:
        """Whether nobody was found late although they were more than ``CHEAT_OVER_MS`` apart."""
        on_time = all(verdict == Verdict.ON_TIME for verdict in self.verdicts)
        return self.is_judged and abs(self.true_ms) > CHEAT_OVER_MS and on_time


@dataclass(frozen=True)
class Alteration:
    """A change of a recording."""

    name: str
    images: Callable[[Images], Images]
    """Makes the changed images of a clip."""
    rate: float = 1.0
    """How many times as many images come each second as before."""
    speed: float = 1.0
    """How many times as fast people move."""


def _pale(share: float) -> Callable[[Images], Images]:
    def change(images: Images) -> Images:
        return tuple(_with_saturation(image, share) for image in images)

    return change


def _with_saturation(image: NDArray[Any], share: float) -> NDArray[Any]:
    grey = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    return np.asarray(cv2.addWeighted(image, share, grey, 1 - share, 0))


def _compress(images: Images) -> Images:
    packed = (cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 15])[1] for image in images)
    return tuple(np.asarray(cv2.imdecode(image, cv2.IMREAD_COLOR)) for image in packed)


def _double(images: Images) -> Images:
    """Show every fourth frame in place of the next too, as webcams do that fall behind."""
    return tuple(images[number - (number % 4 == 1)] for number in range(len(images)))


def _interpolate(images: Images) -> Images:
    """Put a frame between any two, half-way along the optical flow."""
    flow_of = cv2.DISOpticalFlow.create(cv2.DISOPTICAL_FLOW_PRESET_MEDIUM)
    rows, columns = np.mgrid[0 : images[0].shape[0], 0 : images[0].shape[1]].astype(np.float32)
    greys = [cv2.cvtColor(image, cv2.COLOR_BGR2GRAY) for image in images]
    doubled = [images[0]]
    for (image, following), (grey, grey_after) in zip(
        itertools.pairwise(images), itertools.pairwise(greys), strict=True
    ):
        flow = flow_of.calc(grey, grey_after, np.zeros((*grey.shape, 2), np.float32)) / 2
        onward = cv2.remap(image, columns - flow[..., 0], rows - flow[..., 1], cv2.INTER_LINEAR)
        back = cv2.remap(following, columns + flow[..., 0], rows + flow[..., 1], cv2.INTER_LINEAR)
        doubled += [np.asarray(cv2.addWeighted(onward, 0.5, back, 0.5, 0)), following]
    return tuple(doubled)


ALTERATIONS: Mapping[str, Alteration] = {
    one.name: one
    for one in (
        Alteration("as filmed", lambda images: images),
        Alteration("half the speed, interpolated", _interpolate, speed=0.5),
        Alteration("twice the speed", lambda images: images[::2], speed=2.0),
        Alteration("saturation × 0.5", _pale(0.5)),
        Alteration("saturation × 0.25", _pale(0.25)),
        Alteration("saturation × 0.1", _pale(0.1)),
        Alteration("compressed", _compress),
        Alteration("every fourth frame doubled", _double),
        Alteration("half the frame rate", lambda images: images[::2], rate=0.5),
        Alteration("twice the frame rate, interpolated", _interpolate, rate=2.0),
    )
}


def read_throws(data: Path = DATA) -> dict[str, RealThrow]:
    """Return the labelled throws by name: those of DATA, or of a folder of filmed throws. Raises OSError without the
    data."""
    if (data / "labels.csv").exists():
        return {one.name: one for one in _read_labels(data / "labels.csv", "")}
    found = []
    with (data / "throw_clips" / "labels.csv").open() as table:
        for row in csv.DictReader(table):
            onset, settled = float(row["onset_frame"]), float(row["settled_frame"])
            until, file = int(row["last_held_frame"]), f"throw_clips/{row['file']}"
            found.append(RealThrow(file, 30.0, Throw(row["label"]), onset, settled, until))
    found += _read_labels(data / "motion" / "labels.csv", "motion/")
    return {one.name: one for one in found}


def _read_labels(path: Path, folder: str) -> Iterator[RealThrow]:
    """Yield the throws of a table of labels, whose clips are in ``folder`` (within the data)."""
    with path.open() as table:
        for row in csv.DictReader(table):
            if row["kind"] == "throw":
                onset, settled = float(row["onset_frame"]), float(row["settled_frame"])
                closing = row["from_shape"] in (Throw.PAPER, Throw.SCISSORS)
                file, until = folder + row["file"], int(row["held_until_frame"])
                yield RealThrow(file, float(row["fps"]), Throw(row["label"]), onset, settled, until, closing)


def make_trials(throws: Mapping[str, RealThrow]) -> list[RealTrial]:
    """Return all trials: each throw next to its mirror image and, as filmed, next to every other one of about the same
    frame rate that is no closing; in a shuffled order that is always the same, so that any part of them is a sample."""
    pairs = [(one, one) for one in throws]
    others = [
        (one.name, two.name) for one, two in itertools.permutations(throws.values(), 2) if _can_be_paired(one, two)
    ]
    trials = [
        RealTrial(left, right, shift, name)
        for name in ALTERATIONS
        for left, right in (pairs + others if name == "as filmed" else pairs)
        for shift in (SHIFTS if name == "as filmed" else ALTERED_SHIFTS)
    ]
    random.Random(1).shuffle(trials)
    return trials


def _can_be_paired(left: RealThrow, right: RealThrow) -> bool:
    """Whether two throws have about the same frame rate, and neither is a closing."""
    return abs(left.fps / right.fps - 1) <= MAX_RATE_DIFFERENCE and not (left.closing or right.closing)


def make_fist_trials(throws: Mapping[str, RealThrow]) -> list[RealTrial]:
    """Return the trials of late fists: each fist that comes down on the right of each throw of about the same frame
    rate, itself in the mirror included, later by ``FIST_SHIFTS``."""
    return [
        RealTrial(left.name, right.name, shift, "as filmed")
        for left, right in itertools.product(throws.values(), repeat=2)
        if right.throw is Throw.ROCK and _can_be_paired(left, right)
        for shift in FIST_SHIFTS
    ]


@lru_cache(maxsize=8)
def _read_images(path: Path, throw: RealThrow) -> Mapping[int, NDArray[Any]]:
    """Return the images around a throw by frame number, each scaled into ``IMAGE_SIZE``."""
    first = throw.onset - (BEFORE_S + 1) * throw.fps
    part = read_clip(path, max(0, round(first / throw.fps * 1e9)), round((throw.held_until + 2) / throw.fps * 1e9))
    return {frame.number: _fit(frame.bgr) for frame in part.frames if frame.number <= throw.held_until}


def _fit(image: NDArray[Any]) -> NDArray[Any]:
    width, height = IMAGE_SIZE
    scale = min(width / image.shape[1], height / image.shape[0])
    scaled = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    fitted = np.zeros((height, width, 3), np.uint8)
    top, left = (height - scaled.shape[0]) // 2, (width - scaled.shape[1]) // 2
    fitted[top : top + scaled.shape[0], left : left + scaled.shape[1]] = scaled
    return fitted


def make_recording(
    trial: RealTrial, throws: Mapping[str, RealThrow], data: Path = DATA
) -> tuple[list[BgrFrame], float, tuple[float, float]]:
    """Return the frames of a trial, their rate, and when each throw truly shows, in seconds. Raises CameraError."""
    left, right = throws[trial.left], throws[trial.right]
    alteration, fps = ALTERATIONS[trial.alteration], left.fps
    before = min(round(BEFORE_S * fps), int(left.onset), int(right.onset))
    starts = (int(left.shown) - before, int(right.shown) - before)
    after = round(max(left.settled - left.shown, right.settled - right.shown) + AFTER_S * fps)
    halves = []
    for throw, start, shift in ((left, starts[0], 0), (right, starts[1], trial.shift)):
        images = _read_images(data / throw.file, throw)
        numbers = range(start - shift, start - shift + before + after + trial.shift)
        halves.append([images[min(max(number, min(images)), max(images))] for number in numbers])
    if trial.is_mirror:
        halves[1] = [np.ascontiguousarray(image[:, ::-1]) for image in halves[1]]
    altered = alteration.images(tuple(np.hstack(pair) for pair in zip(*halves, strict=True)))
    rate = fps * alteration.rate
    size = 2 * IMAGE_SIZE[0], IMAGE_SIZE[1]
    frames = [
        BgrFrame(number, round((number + 1) / rate * 1e9), 0, size, image) for number, image in enumerate(altered)
    ]
    scale = 1 / (fps * alteration.speed)
    first_s = 1 / rate
    shown = (left.shown - starts[0]) * scale + first_s, (right.shown - starts[1] + trial.shift) * scale + first_s
    return frames, rate, shown


def judge_real(trial: RealTrial, throws: Mapping[str, RealThrow], judge: Judge, data: Path = DATA) -> RealOutcome:
    """Judge a trial. Raises CameraError when a clip can't be read."""
    frames, rate, shown_s = make_recording(trial, throws, data)
    closing = throws[trial.left].closing or throws[trial.right].closing
    cue_ns = round((max(shown_s) + CUE_AFTER_CLOSING_S if closing else min(shown_s) - CUE_BEFORE_S) * 1e9)
    judgement = judge(frames, [Zone(0, 0, 0.5, 1), Zone(0.5, 0, 0.5, 1)], cue_ns)
    left, right = judgement.seats
    measured_ms, sigma_ms = None, 0.0
    if left.shown and right.shown:
        measured_ms = (right.shown.time_ns - left.shown.time_ns) / 1e6
        sigma_ms = float(np.hypot(left.shown.sigma_ns, right.shown.sigma_ns)) / 1e6
    return RealOutcome(
        trial,
        rate,
        (str(throws[trial.left].throw), str(throws[trial.right].throw)),
        (_name(left.throw), _name(right.throw)),
        (str(left.verdict), str(right.verdict)),
        (shown_s[1] - shown_s[0]) * 1000,
        measured_ms,
        sigma_ms,
        None if judgement.void_reason is None else str(judgement.void_reason.kind),
        closing,
    )


def _name(throw: Throw | None) -> str | None:
    return None if throw is None else str(throw)


def read_outcomes(path: Path) -> list[RealOutcome]:
    """Read the outcomes in a file. A last line cut off is left out. Raises OSError, OutcomeFileError."""
    return read_lines(path, _parse_outcome)


def _parse_outcome(values: Mapping[str, Any]) -> RealOutcome:
    pairs = {name: tuple(values[name]) for name in ("throws", "read", "verdicts")}
    return RealOutcome(**{**values, **pairs, "trial": RealTrial(**values["trial"])})


HEAD = (
    "", "n", "misread", "not timed", "void", "median error, ms", "worst", "within ±", "within 2 × ±",
    "accused", "too close", "missed", "in the 95 % interval",
)  # fmt: skip


def table_row(name: str, outcomes: Sequence[RealOutcome]) -> tuple[object, ...]:
    """Return a row: how many trials, of these misread, not timed and void; of the differences in time the median and
    the worst error, and the shares within the uncertainty and twice that (to a frame, where labels tell the truth);
    people wrongly accused, of those less than 100 ms apart, rounds too close to call, and late ones missed, of those
    more than 250 ms apart; and how often the 95 % interval holds the truth, itself with a 95 % interval. For the latter
    labels are taken to be exact, so that it is rather too low."""
    errors = [(abs(error), one) for one in outcomes if (error := one.error_ms) is not None]
    apart = [abs(one.true_ms) for one in outcomes if one.is_judged]
    close, late = sum(ms < ACCUSED_UNDER_MS for ms in apart), sum(ms > CHEAT_OVER_MS for ms in apart)
    within = [
        sum(error <= times * one.sigma_ms + one.label_error_ms for error, one in errors) / max(1, len(errors))
        for times in (1, 2)
    ]
    covered = Share(sum(error <= INTERVAL_SIGMAS * one.sigma_ms for error, one in errors), len(errors))
    return (
        name,
        len(outcomes),
        sum(not one.is_right for one in outcomes),
        sum(one.is_right and one.measured_ms is None for one in outcomes),
        sum(one.void is not None for one in outcomes),
        f"{statistics.median(error for error, _ in errors):.0f}" if errors else "",
        f"{max(error for error, _ in errors):.0f}" if errors else "",
        f"{within[0]:.0%}" if errors else "",
        f"{within[1]:.0%}" if errors else "",
        f"{sum(one.is_accused for one in outcomes)} of {close}" if close else "",
        sum(Verdict.TOO_CLOSE in one.verdicts for one in outcomes if one.is_judged),
        f"{sum(one.is_missed for one in outcomes)} of {late}" if late else "",
        covered.percent if errors else "",
    )


def report(outcomes: Sequence[RealOutcome]) -> str:
    """Return the tables as Markdown."""
    mirrors = [one for one in outcomes if one.trial.is_mirror]
    pairs = [one for one in outcomes if not one.trial.is_mirror]
    clips = {name for one in outcomes for name in (one.trial.left, one.trial.right)}

    def with_rock(one: RealOutcome) -> bool:
        return Throw.ROCK in one.throws

    def movement(one: RealOutcome) -> str:
        return "closings" if one.closing else "landings" if with_rock(one) else "openings"

    def rows(named: Iterator[tuple[str, list[RealOutcome]]]) -> list[tuple[object, ...]]:
        return [table_row(name, found) for name, found in named if found]

    mirror_rows = rows(
        (f"{name}, {what}", [one for one in mirrors if one.trial.alteration == name and movement(one) == what])
        for name in ALTERATIONS
        for what in MOVEMENTS
    )
    rates = sorted({round(one.fps) for one in outcomes})
    rate_rows = rows(
        (
            f"{what}, {rate} frames a second",
            [one for one in mirrors if movement(one) == what and round(one.fps) == rate],
        )
        for what in MOVEMENTS
        for rate in rates
    )
    pair_rows = rows(
        (f"{what}, right one {shift} frames later", [
            one for one in pairs if with_rock(one) == rock and one.trial.shift == shift
        ])
        for what, rock in (("two openings", False), ("with a rock", True))
        for shift in SHIFTS
    )  # fmt: skip
    return "\n\n".join(
        (
            f"{len(outcomes):,} recordings, made of {len(clips)} filmed throws.",
            "Each clip next to its own mirror image, so that the difference in time is exact:",
            markdown_table(HEAD, mirror_rows),
            "Two clips side by side, whose difference is known from labels made by eye:",
            markdown_table(HEAD, pair_rows),
            "The mirror images again, by the frame rate of the recording:",
            markdown_table(HEAD, rate_rows),
        )
    )


FIST_HEAD = (
    "fist later by, ms", "n", "on time", "too close", "late", "not read", "other accused", "in the 95 % interval",
)  # fmt: skip


def fist_report(outcomes: Sequence[RealOutcome]) -> str:
    """Return the table of late fists as Markdown: the verdicts on them by how many ms after the other hand they came,
    labels taken to be exact; how often the other hand was accused; and how often the 95 % interval of the difference
    holds the truth."""
    known = (Verdict.ON_TIME, Verdict.TOO_CLOSE, Verdict.LATE)
    rows = []
    for step in sorted({int(outcome.true_ms // 100) for outcome in outcomes}):
        in_step = [outcome for outcome in outcomes if int(outcome.true_ms // 100) == step]
        verdicts = [Verdict(outcome.verdicts[1]) for outcome in in_step]
        errors = [(abs(error), outcome.sigma_ms) for outcome in in_step if (error := outcome.error_ms) is not None]
        covered = Share(sum(error <= INTERVAL_SIGMAS * sigma for error, sigma in errors), len(errors))
        rows.append(
            (
                f"{100 * step} to {100 * step + 99}",
                len(in_step),
                *(sum(verdict is word for verdict in verdicts) for word in known),
                sum(verdict not in known for verdict in verdicts),
                sum(Verdict(outcome.verdicts[0]).is_foul for outcome in in_step),
                covered.percent if errors else "",
            )
        )
    return markdown_table(FIST_HEAD, rows)


def main() -> None:
    """Judge the trials that are not yet in the file, or write its tables."""
    parser = argparse.ArgumentParser(prog="python -m tools.trials.real", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help=f"the folder of clips (default {DATA})")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="append each trial's outcome; skip those already in it"
    )
    parser.add_argument("--limit", type=int, metavar="N", help="judge no more than N trials (default: all)")
    parser.add_argument("--tables", type=Path, metavar="FILE", help="print the tables of this file")
    parser.add_argument("--late-fists", action="store_true", help="fists that come later and later (see above)")
    add_docs_option(parser, SECTION, FIST_SECTION)
    options = parser.parse_args()
    try:
        if options.tables:
            outcomes = read_outcomes(options.tables)
            publish(
                options.docs,
                {FIST_SECTION: fist_report(outcomes)} if options.late_fists else {SECTION: report(outcomes)},
            )
        else:
            _judge_trials(options)
    except (ThrowlockError, OSError) as error:
        sys.exit(f"python -m tools.trials.real: {error}")


def _judge_trials(options: argparse.Namespace) -> None:
    throws = read_throws(options.data)
    known: list[RealOutcome] = []
    if options.out and options.out.exists():
        known = read_outcomes(options.out)
        write_lines(options.out, map(asdict, known))
    done = {one.trial for one in known}
    make = make_fist_trials if options.late_fists else make_trials
    trials = [trial for trial in make(throws) if trial not in done][: options.limit]
    with CachedJudge(seats=2) as judge:
        for trial in trials:
            outcome = asdict(judge_real(trial, throws, judge, options.data))
            if options.out:
                append_lines(options.out, [outcome])
            print(json.dumps(outcome), flush=True)


if __name__ == "__main__":
    main()
