"""Blurring pictures of hands as their motion would, and the table of what is read in them."""

import math

import numpy as np
import pytest

from device.camera.frames import Box
from rules.throws import Throw
from tools.training.blur import BLURS, BlurredReading, move_during_exposure, table
from vision.hands.stills import RecognisedHand

BOX = Box(0, 0, 60, 60)


@pytest.mark.parametrize("angle", [0.0, math.pi / 2, math.pi / 3])
def test_a_point_is_drawn_out_to_a_line_of_the_given_length_and_direction(angle: float) -> None:
    image = np.zeros((61, 61, 3), np.uint8)
    image[30, 30] = 240
    rows, columns = np.nonzero(move_during_exposure(image, 20, angle)[..., 0])
    along = (columns - 30) * math.cos(angle) + (rows - 30) * math.sin(angle)
    across = (rows - 30) * math.cos(angle) - (columns - 30) * math.sin(angle)
    assert np.ptp(along) == pytest.approx(20, abs=2)
    assert np.abs(across).max() < 1.5


def test_no_movement_changes_nothing() -> None:
    image = np.random.default_rng(0).integers(0, 255, (20, 20, 3), np.uint8)
    assert np.array_equal(move_during_exposure(image, 0.0, 1.0), image)


def test_blur_table_counts_outcomes() -> None:
    rock, unsure = RecognisedHand(Throw.ROCK, 0.95, BOX), RecognisedHand(None, 0.9, BOX)
    readings = [
        BlurredReading(BLURS[1], Throw.ROCK, rock),
        BlurredReading(BLURS[1], Throw.PAPER, rock),
        BlurredReading(BLURS[1], Throw.PAPER, RecognisedHand(Throw.ROCK, 0.6, BOX)),
        BlurredReading(BLURS[1], Throw.PAPER, unsure),
        BlurredReading(BLURS[1], Throw.PAPER, None),
        BlurredReading(BLURS[1], None, rock),
        BlurredReading(BLURS[1], None, unsure),
    ]
    row = table(readings).splitlines()[3]
    assert row == f"| {BLURS[1]:g} | 5 | 1 | 2 | 1 | 2 | 1 of 2 |"
