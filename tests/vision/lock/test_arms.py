"""The line back along a forearm, and the boxes that it passes through."""

import numpy as np
import pytest
from numpy.typing import NDArray

from device.camera.frames import Box
from vision.hands.detector import MIDDLE, WRIST
from vision.lock.arms import passes_through

BOX = Box(100, 100, 50, 50)


def pointing(wrist: tuple[float, float], knuckle: tuple[float, float]) -> NDArray[np.float64]:
    """Landmarks of a hand of which only the wrist and the middle finger's knuckle matter."""
    points = np.zeros((21, 2))
    points[WRIST], points[MIDDLE] = wrist, knuckle
    return points


@pytest.mark.parametrize(
    ("wrist", "knuckle", "passes"),
    [
        ((200, 120), (220, 120), True),  # straight to the right: the arm comes from the left, through the box
        ((200, 99), (220, 99), False),  # above it
        ((200, 151), (220, 151), False),  # below it
        ((200, 120), (180, 120), False),  # to the left: the arm comes from the right
        ((120, 200), (120, 220), True),  # straight down: the arm comes from above
        ((99, 200), (99, 220), False),
        ((151, 200), (151, 220), False),
        ((200, 200), (220, 220), True),  # along the diagonal
        ((250, 120), (300, 120), True),  # as far as it reaches
        ((251, 120), (300, 120), False),
        ((200, 200), (220, 201), False),
    ],
)
def test_an_arm_passes_through_the_boxes_behind_its_wrist(
    wrist: tuple[float, float], knuckle: tuple[float, float], passes: bool
) -> None:
    assert passes_through(pointing(wrist, knuckle), BOX, 100) == passes
