"""The comparison of LiteRT with mediapipe: what it counts, with fake detectors and outcomes."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from seat_outcomes import HONEST

from device.camera.frames import Pixels
from tools.trials.litert import CallComparison, detect_with_both, round_table
from vision.hands.augmentation import Augmentation
from vision.hands.detector import DetectedHand

POINTS = np.random.default_rng(0).uniform(0, 100, (21, 2))
HAND = DetectedHand(POINTS, np.random.default_rng(1).uniform(-0.1, 0.1, (21, 3)), True, 0.9)
SIDE = float(np.ptp(POINTS, axis=0).max())


class FakeDetector:
    """Finds the same hands in every image, and notes its name."""

    def __init__(self, hands: Sequence[DetectedHand], name: str, log: list[str]) -> None:
        self.hands, self.name, self.log = hands, name, log

    def detect(self, image: Pixels) -> list[DetectedHand]:
        self.log.append(self.name)
        return list(self.hands)

    def close(self) -> None: ...


def test_calls_are_compared_in_pairs_that_take_turns() -> None:
    log: list[str] = []
    other = replace(HAND, landmarks=POINTS + np.array([0.03 * SIDE, 0.04 * SIDE]), is_right=False)
    pair = [FakeDetector([HAND], "one", log), FakeDetector([other], "other", log)]
    found = detect_with_both(np.zeros((8, 8, 3), np.uint8), pair, compared := CallComparison(), [Augmentation()] * 3)
    assert log == ["other", "one", "one", "other", "other", "one"]
    assert [len(hands) for hands in found] == [3, 3] and compared.hands == [(1, 1)] * 3
    assert compared.distances == pytest.approx([0.05] * 3) and compared.other_sides == 3
    assert all(ratio > 0 for ratio in compared.time_ratios)


def test_rounds_of_both_are_compared_seat_by_seat() -> None:
    two = replace(HONEST, seed=2)
    void = replace(HONEST, seed=3, trouble="moved")
    table = round_table(
        [
            [HONEST, two, void, replace(HONEST, seed=4)],
            [replace(HONEST, found_ms=23.5), replace(two, verdict="late"), replace(void, found_ms=90.0)],
        ]
    )
    assert "| seats | 3 | 3 |" in table
    assert "| honest seats accused | 0 of 3 | 1 of 3 |" in table
    assert "Judged otherwise: 1 of 3 seats." in table and "1.5 ms at most" in table
