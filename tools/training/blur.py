"""Blur labelled pictures as hands in motion are blurred, and read them as ``throwlock recognise`` does: ``python -m
tools.training.blur --per 2``. The table says from which blur on throws are read wrong."""

import argparse
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from device.camera.frames import Pixels
from errors import ThrowlockError
from rules.throws import Throw
from tools.docs.generated_sections import add_docs_option, markdown_table, publish
from tools.training.examples import THROW_NAMES, add_image_options, usual_image_files
from tools.training.report import SURE_CONFIDENCE
from vision.hands.stills import RecognisedHand, Recogniser, read_image

BLURS = (0.0, 0.05, 0.1, 0.2, 0.3)
"""How far the hand moves during the exposure, in lengths of the hand."""
SECTION = "blur"


@dataclass(frozen=True)
class BlurredReading:
    """What the foremost hand of a blurred picture was read as."""

    blur: float
    throw: Throw | None
    """What it shows; None for no throw."""
    hand: RecognisedHand | None
    """What was read; None where no hand was found."""

    @property
    def is_wrong(self) -> bool:
        """Whether it was claimed to show another throw than it does."""
        return self.hand is not None and self.hand.throw not in (None, self.throw)

    @property
    def is_right(self) -> bool:
        """Whether a throw was read as what it is."""
        return self.hand is not None and self.throw is not None and self.hand.throw is self.throw


def move_during_exposure(image: Pixels, length_px: float, angle: float) -> Pixels:
    """Return an image as if everything in it had moved by so many pixels at an even speed, in the direction of
    ``angle`` (radians)."""
    reach = math.ceil(length_px / 2)
    if reach == 0:
        return image
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    for at in np.linspace(-length_px / 2, length_px / 2, 8 * reach + 1):
        x, y = reach + at * math.cos(angle), reach + at * math.sin(angle)
        left, top = math.floor(x), math.floor(y)
        for column, row in ((left, top), (left + 1, top), (left, top + 1), (left + 1, top + 1)):
            if max(column, row) <= 2 * reach:
                kernel[row, column] += (1 - abs(x - column)) * (1 - abs(y - row))
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REPLICATE))


def read_blurred(files: Sequence[Path], recogniser: Recogniser) -> Iterator[BlurredReading]:
    """Yield the readings of each picture in which a hand is found, with each of ``BLURS`` in a random direction. Raises
    ImageError."""
    rng = np.random.default_rng(0)
    for file in files:
        image, label = read_image(file), file.parent.name
        throw, angle = Throw(label) if label in THROW_NAMES else None, float(rng.uniform(0, math.pi))
        sharp = next(iter(recogniser.recognise(image)), None)
        if sharp is None:
            continue
        for blur in BLURS:
            blurred = move_during_exposure(image, blur * max(sharp.box.w, sharp.box.h), angle)
            yield BlurredReading(blur, throw, next(iter(recogniser.recognise(blurred)), None) if blur else sharp)


def table(readings: Sequence[BlurredReading]) -> str:
    """Return the table of outcomes by blur: of throws, and how many of the others are claimed to be one."""
    rows = []
    for blur in BLURS:
        throws = [reading for reading in readings if reading.blur == blur and reading.throw is not None]
        others = [reading for reading in readings if reading.blur == blur and reading.throw is None]
        wrong = [reading for reading in throws if reading.is_wrong]
        right = sum(reading.is_right for reading in throws)
        sure = sum(reading.hand is not None and reading.hand.confidence >= SURE_CONFIDENCE for reading in wrong)
        claimed = f"{sum(reading.is_wrong for reading in others)} of {len(others)}"
        rows.append((f"{blur:g}", len(throws), right, len(wrong), sure, len(throws) - right - len(wrong), claimed))
    head = (
        "hand moves by", "throws", "right", "wrong", f"wrong at {SURE_CONFIDENCE} or more", "undecided",
        "no throw, but claimed",
    )  # fmt: skip
    return markdown_table(head, rows)


def main() -> None:
    """Print the table, and write it into a page if asked."""
    parser = argparse.ArgumentParser(prog="python -m tools.training.blur", description=__doc__)
    add_image_options(parser)
    add_docs_option(parser, SECTION)
    options = parser.parse_args()
    try:
        with Recogniser() as recogniser:
            text = table(list(read_blurred(usual_image_files(options.pictures, options.per), recogniser)))
    except ThrowlockError as error:
        sys.exit(f"python -m tools.training.blur: {error}")
    publish(options.docs, {SECTION: text})


if __name__ == "__main__":
    main()
