"""Detected hands: which of their landmarks lie outside a box."""

import numpy as np
import pytest

from device.camera.frames import Box
from vision.hands.detector import WRIST, count_outside

BOX = Box(100, 50, 40, 30)
POINT_IN_BOX = (120.0, 60.0)


@pytest.mark.parametrize(
    ("point", "is_outside"),
    [((99, 60), 1), ((141, 60), 1), ((120, 49), 1), ((120, 81), 1), ((100, 50), 0), ((140, 80), 0)],
)
@pytest.mark.parametrize("landmark", [WRIST, 1, 20])
def test_landmarks_outside_a_box_are_counted_except_the_wrist(
    point: tuple[float, float], is_outside: int, landmark: int
) -> None:
    landmarks = np.tile(POINT_IN_BOX, (21, 1))
    landmarks[landmark] = point
    assert count_outside(landmarks, BOX) == (0 if landmark == WRIST else is_outside)
