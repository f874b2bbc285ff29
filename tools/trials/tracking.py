"""Read hands in pictures where they are known to be nearly, as the lock does between frames: ``python -m
tools.trials.tracking --per 8``. Each labelled picture's hand is found in the usual way, moved, turned and scaled at
random, and read from there (``HandDetector.track``), and from next to it, where there is none. Needs LiteRT."""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from errors import ThrowlockError
from tools.docs.generated_sections import add_docs_option, markdown_table, publish
from tools.training.examples import THROW_NAMES, add_image_options, usual_image_files
from vision.hands.augmentation import HandTracker
from vision.hands.detector import DetectedHand, HandDetector
from vision.hands.stills import read_image
from vision.lock.judge import DETECTION_CONFIDENCE
from vision.lock.zone_view import NO_THROW_PRIOR, read_hands

AMOUNTS = (0.0, 0.15, 0.3, 0.5)
"""How far hands are moved, in their lengths; the standard deviation of the angle they are turned by, in radians, and
twice that of the logarithm of their scale."""
NEXT_TO_HAND_LENGTHS = 1.5
"""How far off a place next to a hand is, in lengths of the hand."""
NEXT_TO_DIRECTION = np.array([0.6, 0.8])
SECTION = "tracked pictures"
OUTCOMES = ("right", "wrong", "undecided", "not found")


def hand_length(landmarks: NDArray[np.float64]) -> float:
    """Return the longer side of a hand's landmarks (21, 2)."""
    return float(np.ptp(landmarks, axis=0).max())


def displace(landmarks: NDArray[np.float64], amount: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return landmarks (21, 2) moved by ``amount`` lengths of the hand, turned and scaled at random."""
    middle, length = landmarks.mean(0), hand_length(landmarks)
    turn, direction, scale = rng.normal(0, amount), rng.uniform(0, 2 * np.pi), np.exp(rng.normal(0, amount / 2))
    cos, sin = np.cos(turn), np.sin(turn)
    moved = middle + amount * length * np.array([np.cos(direction), np.sin(direction)])
    return np.asarray((landmarks - middle) @ np.array([[cos, sin], [-sin, cos]]) * scale + moved)


def outcome(hand: DetectedHand | None, label: str) -> str:
    """Return what reading a hand as the lock does makes of a picture whose folder is ``label``."""
    if hand is None:
        return "not found"
    throw = read_hands([hand], NO_THROW_PRIOR).throw
    if label not in THROW_NAMES:
        return "right" if throw is None else "wrong"
    return "undecided" if throw is None else "right" if str(throw) == label else "wrong"


def read_pictures(files: Iterable[Path], tracker: HandTracker) -> dict[str, Counter[str]]:
    """Return the outcomes of each way to look at the pictures in which a hand is found. Raises ImageError."""
    rng = np.random.default_rng(0)
    counts: dict[str, Counter[str]] = {}
    for file in files:
        image = read_image(file)
        found = tracker.detect(image)
        if not found:
            continue
        kind = "throw" if file.parent.name in THROW_NAMES else "no throw"
        looks: list[tuple[str, DetectedHand | None]] = [("found in the whole picture", found[0])]
        for amount in AMOUNTS:
            hand = tracker.track(image, displace(found[0].landmarks, amount, rng))
            looks.append((f"read {amount:g} lengths off", hand))
        for name, hand in looks:
            counts.setdefault(f"{kind}, {name}", Counter())[outcome(hand, file.parent.name)] += 1
        next_to_hand = found[0].landmarks + NEXT_TO_HAND_LENGTHS * hand_length(found[0].landmarks) * NEXT_TO_DIRECTION
        missing = "not found" if tracker.track(image, next_to_hand) is None else "wrong"
        counts.setdefault("next to a hand", Counter())[missing] += 1
    return counts


def table(counts: dict[str, Counter[str]]) -> str:
    """Return the table of all ways to look."""
    rows = [(name, sum(some.values()), *(some[outcome] for outcome in OUTCOMES)) for name, some in counts.items()]
    return markdown_table(["", "pictures", *OUTCOMES], rows)


def main() -> None:
    """Print the table, and write it into a page if asked."""
    parser = argparse.ArgumentParser(prog="python -m tools.trials.tracking", description=__doc__)
    add_image_options(parser)
    add_docs_option(parser, SECTION)
    options = parser.parse_args()
    try:
        with HandDetector(confidence=DETECTION_CONFIDENCE) as detector:
            if not detector.can_track:
                sys.exit("python -m tools.trials.tracking: LiteRT does not run here")
            text = table(read_pictures(usual_image_files(options.pictures, options.per), detector))
    except ThrowlockError as error:
        sys.exit(f"python -m tools.trials.tracking: {error}")
    publish(options.docs, {SECTION: text})


if __name__ == "__main__":
    main()
