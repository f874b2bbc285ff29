"""Read hands in pictures where they are known to be nearly, as the lock does between frames: ``python -m
tools.trials.tracking --per 8``. Each labelled picture's hand is found in the usual way, moved, turned and scaled at
random, and read from there (``HandDetector.track``), and from beside it, where there is none. Needs LiteRT."""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from errors import ThrowlockError
from tools.docs.generated_sections import add_docs_option, markdown_table, update_page
from tools.training.examples import STRESS_SETS, THROW_NAMES, image_files
from tools.training.train import IMAGE_FOLDER
from vision.hands.augmented_looks import HandTracker
from vision.hands.detector import DetectedHand, HandDetector
from vision.hands.shapes import read_hand
from vision.hands.stills import read_image
from vision.lock.judge import DETECTION_CONFIDENCE
from vision.lock.zone_view import NO_THROW_PRIOR

AMOUNTS = (0.0, 0.15, 0.3, 0.5)
"""How far hands are moved, in their lengths; the standard deviation of the angle they are turned by, in radians, and
twice that of the logarithm of their scale."""
BESIDE_LENGTHS = 1.5
"""How far off a place beside a hand is, in lengths of the hand."""
SECTION = "tracked pictures"
OUTCOMES = ("right", "wrong", "undecided", "not found")


def displace(landmarks: NDArray[np.float64], amount: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return landmarks (21, 2) moved by ``amount`` lengths of the hand, turned and scaled at random."""
    middle, length = landmarks.mean(0), float(np.ptp(landmarks, axis=0).max())
    turn, direction, scale = rng.normal(0, amount), rng.uniform(0, 2 * np.pi), np.exp(rng.normal(0, amount / 2))
    cos, sin = np.cos(turn), np.sin(turn)
    moved = middle + amount * length * np.array([np.cos(direction), np.sin(direction)])
    return np.asarray((landmarks - middle) @ np.array([[cos, sin], [-sin, cos]]) * scale + moved)


def outcome(hand: DetectedHand | None, label: str) -> str:
    """Return what reading a hand as the lock does makes of a picture whose folder is ``label``."""
    if hand is None:
        return "not found"
    throw = read_hand(hand, no_throw_prior=NO_THROW_PRIOR).throw
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
        beside = found[0].landmarks + BESIDE_LENGTHS * np.ptp(found[0].landmarks, axis=0).max() * np.array([0.6, 0.8])
        missing = "not found" if tracker.track(image, beside) is None else "wrong"
        counts.setdefault("beside a hand", Counter())[missing] += 1
    return counts


def table(counts: dict[str, Counter[str]]) -> str:
    """Return the table of all ways to look."""
    rows = [(name, sum(some.values()), *(some[outcome] for outcome in OUTCOMES)) for name, some in counts.items()]
    return markdown_table(["", "pictures", *OUTCOMES], rows)


def main() -> None:
    """Print the table, or write it into a page."""
    parser = argparse.ArgumentParser(prog="python -m tools.trials.tracking", description=__doc__)
    parser.add_argument("--pictures", type=Path, default=IMAGE_FOLDER, help="a folder of sets with folders of shapes")
    parser.add_argument("--per", type=int, metavar="N", help="at most N photos of each folder")
    add_docs_option(parser)
    options = parser.parse_args()
    files = [file for file in image_files(options.pictures, options.per) if file.parent.parent.name not in STRESS_SETS]
    try:
        with HandDetector(confidence=DETECTION_CONFIDENCE) as detector:
            if not detector.can_track:
                sys.exit("python -m tools.trials.tracking: install this project with its extra 'litert'")
            text = table(read_pictures(files, detector))
    except ThrowlockError as error:
        sys.exit(f"python -m tools.trials.tracking: {error}")
    if options.docs:
        update_page(options.docs, {SECTION: text})
    else:
        print(text)


if __name__ == "__main__":
    main()
