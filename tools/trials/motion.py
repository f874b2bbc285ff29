"""Compare how hands move when they open: on filmed throws of people, and on rendered ones.

``python -m tools.trials.motion --docs measurements/2026-11/timing-accuracy.md`` measures all of them in the same way,
by what the hand model finds in every frame around an opening, at 30 frames a second, and writes the table into that
page."""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rules.throws import Throw
from tools.docs.generated_sections import add_docs_option, markdown_table, publish
from tools.trials.model_cache import CachedModelProcess
from tools.trials.real import RealTrial, make_recording, read_throws
from tools.trials.timing import make_round
from vision.hands.detector import HandDetector
from vision.lock.judge import DETECTION_CONFIDENCE
from vision.lock.transition_time import EXTENDED_FINGERS
from vision.lock.zone_view import PALM_LANDMARKS, HandObservation, ZoneView
from vision.zones import Zone

MS = 1_000_000
FPS = 30
MIN_CLIP_FPS = 25.0
"""Clips with fewer frames a second are left out."""
BEFORE_NS, AFTER_NS = 250 * MS, 600 * MS
"""What is measured of a recording around the middle of an opening."""
SPREADS_PER_HAND = 2.5
"""Length of a hand in mean distances of the palm's landmarks from their centre."""
SECTION = "motion"


@dataclass(frozen=True)
class OpeningMotion:
    """How one hand moved around the middle of an opening."""

    duration_ms: float
    """From the first change to the complete throw: by the labels of a clip; rendered, by the truth."""
    rise_ms: float
    """How long the hand model takes the fingers from 20 % to 90 % of their extension."""
    finger_gap_ms: float
    """From the first finger to the last that is half extended."""
    fastest: float
    """The fastest movement of the palm around the opening, in lengths of the hand a second."""
    swing_ms: float
    """How long after the middle of the fingers' rise the palm still moves at a third of that or more."""
    moved_after: float
    """How far the palm moves in the 400 ms after that, in lengths of the hand."""


def measure_motion(view: ZoneView, throw: Throw, middle_ns: int, duration_ms: float) -> OpeningMotion | None:
    """Return how a hand moves that opens at about ``middle_ns``; None where it is not seen before and after."""
    frames = [i for i, at in enumerate(view.times_ns) if -BEFORE_NS <= at - middle_ns <= AFTER_NS]
    hands = [(float(view.times_ns[i]) / MS, seen) for i in frames if (seen := view.exact(i))]
    if len(hands) < len(frames) // 2:
        return None
    times_ms = np.array([at for at, _ in hands])
    found = [[seen.reading.extension[k // 4] for k in sorted(EXTENDED_FINGERS[throw])] for _, seen in hands]
    fingers = np.median([found[:-2], found[1:-1], found[2:]], axis=0)  # without single misread frames
    fingers = np.concatenate([found[:1], fingers, found[-1:]])
    start_ms, end_ms = (_first_above(times_ms, fingers.mean(axis=1), share) for share in (0.2, 0.9))
    each_ms = [_first_above(times_ms, finger, 0.5) for finger in fingers.T]
    if None in (start_ms, end_ms, *each_ms):
        return None
    assert start_ms is not None and end_ms is not None
    found_ms = [at for at in each_ms if at is not None]
    palms = np.array([_palm(seen) for _, seen in hands])
    lengths = SPREADS_PER_HAND * np.median([seen.palm_size for _, seen in hands])
    speeds = np.linalg.norm(np.diff(palms, axis=0), axis=1) / lengths / np.diff(times_ms) * 1000
    opened_ms = (start_ms + end_ms) / 2
    near = (times_ms[1:] > opened_ms - 150) & (times_ms[1:] < opened_ms + 250)
    fastest = float(speeds[near].max())
    stop_ms = max([opened_ms, *times_ms[1:][near & (speeds >= max(fastest / 3, 3.0))]])
    after = (times_ms >= stop_ms) & (times_ms <= stop_ms + 400)
    moved = np.linalg.norm(palms[after] - palms[after][0], axis=1).max() / lengths if after.any() else 0.0
    return OpeningMotion(
        duration_ms,
        end_ms - start_ms,
        max(found_ms) - min(found_ms),
        fastest,
        float(stop_ms - opened_ms),
        float(moved),
    )


def _palm(seen: HandObservation) -> NDArray[np.float64]:
    return np.asarray(seen.hand.landmarks[PALM_LANDMARKS].mean(axis=0))


def _first_above(times_ms: NDArray[np.float64], values: NDArray[np.float64], level: float) -> float | None:
    """Return when a rising value passes a level for good; None if it never does or was never below it."""
    below = np.flatnonzero(values < level)
    if not len(below) or below[-1] == len(values) - 1:
        return None
    last = int(below[-1])
    share = (level - values[last]) / (values[last + 1] - values[last])
    return float(times_ms[last] + share * (times_ms[last + 1] - times_ms[last]))


def filmed_motions(detector: HandDetector) -> Iterator[OpeningMotion]:
    """Yield the motion of each filmed opening. Raises OSError, CameraError."""
    throws = read_throws()
    for name, throw in throws.items():
        if throw.throw is Throw.ROCK or throw.fps < MIN_CLIP_FPS:
            continue
        frames, _, shown_s = make_recording(RealTrial(name, name, 0, "as filmed"), throws)
        view = ZoneView(frames, Zone(0, 0, 0.5, 1), detector)
        duration_ms = (throw.settled - throw.onset) / throw.fps * 1000
        if motion := measure_motion(view, throw.throw, round(shown_s[0] * 1e9), duration_ms):
            yield motion


def rendered_motions(detector: HandDetector, natural: bool, rounds: int, seed: int) -> Iterator[OpeningMotion]:
    """Yield the motion of each opening in rendered rounds of two or three seats."""
    made = 0
    while made < rounds:
        timing_round = make_round(seed, FPS, natural)
        seed += 1
        if len(timing_round.performances) > 3:
            continue
        made += 1
        frames, zones = timing_round.frames
        for zone, truth in zip(zones, timing_round.performances, strict=True):
            if truth.opens:
                view = ZoneView(frames, zone, detector)
                duration_ms = (truth.settled_ns - truth.opens_ns) / MS
                if motion := measure_motion(view, Throw(truth.throw), truth.shown_ns, duration_ms):
                    yield motion


ROWS: tuple[tuple[str, Callable[[OpeningMotion], float], str], ...] = (
    ("from the first change to the complete throw, ms", lambda one: one.duration_ms, ".0f"),
    ("fingers from 20 % to 90 % extended, as found, ms", lambda one: one.rise_ms, ".0f"),
    ("from the first finger half extended to the last, ms", lambda one: one.finger_gap_ms, ".0f"),
    ("fastest movement of the palm, hand lengths a second", lambda one: one.fastest, ".1f"),
    ("swing goes on after the fingers' middle, ms", lambda one: one.swing_ms, ".0f"),
    ("palm moves in the 400 ms after that, hand lengths", lambda one: one.moved_after, ".2f"),
)


def report(groups: dict[str, list[OpeningMotion]]) -> str:
    """Return the table as Markdown: for each group the median, and the least and the most."""

    def cell(values: list[float], form: str) -> str:
        low, middle, high = (format(float(np.quantile(values, at)), form) for at in (0, 0.5, 1))
        return f"{middle} ({low} to {high})"

    head = ("median (least to most)", *(f"{name}, {len(found)}" for name, found in groups.items()))
    return markdown_table(
        head,
        [
            (name, *(cell([value(one) for one in found], form) for found in groups.values()))
            for name, value, form in ROWS
        ],
    )


def main() -> None:
    """Print the table, and write it into a page if asked."""
    parser = argparse.ArgumentParser(prog="python -m tools.trials.motion", description=__doc__)
    parser.add_argument("--rounds", type=int, default=8, help="rendered rounds of each kind (default 8)")
    parser.add_argument("--seed", type=int, default=3000, help="seed of the first round (default 3000)")
    add_docs_option(parser, SECTION)
    options = parser.parse_args()
    process = CachedModelProcess()
    try:
        detector = HandDetector(confidence=DETECTION_CONFIDENCE, process=process)
        groups = {
            "filmed": list(filmed_motions(detector)),
            "rendered, natural": list(rendered_motions(detector, True, options.rounds, options.seed)),
            "rendered": list(rendered_motions(detector, False, options.rounds, options.seed)),
        }
    finally:
        process.close()
    text = report(groups)
    publish(options.docs, {SECTION: text})


if __name__ == "__main__":
    main()
