"""The trial of quantised networks: networks with unpacked weights compute the same; what is counted, with fakes."""

import importlib.util
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from scripted_hands import ScriptedDetector, hand_landmarks

from device.camera.frames import Pixels
from device.simulated.table.animation import Stance
from tools.trials.quantised import (
    HAND_NETWORK,
    PALM_NETWORK,
    PUBLISHED,
    operator_names,
    read_networks,
    read_pictures,
    table,
    unpack_halves,
)
from vision.hands.detector import DetectedHand
from vision.hands.litert import Network, Square

LANDMARKS, WORLD = hand_landmarks(Stance(paper=1))
SIDE = float(np.ptp(LANDMARKS, axis=0).max())


@pytest.mark.parametrize("name", [PALM_NETWORK, HAND_NETWORK])
def test_a_network_with_unpacked_weights_computes_the_same(name: str) -> None:
    if importlib.util.find_spec("ai_edge_litert") is None:
        pytest.skip("LiteRT is not installed")
    published = read_networks("full")[name]
    unpacked = unpack_halves(published)
    assert len(operator_names(unpacked)) < len(operator_names(published)) and len(unpacked) > 2 * len(published)
    image = np.random.default_rng(0).integers(0, 256, (300, 300, 3)).astype(np.uint8)
    square = Square(np.array([150.0, 150.0]), 300.0, 0.3)
    one, other = (Network(content)(image, square, cv2.BORDER_CONSTANT) for content in (published, unpacked))
    assert all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


class OffDetector(ScriptedDetector):
    """Finds a paper, its first landmark so many pixels off; and nothing where it was, if it is farther off than 50."""

    def __init__(self, off_px: float) -> None:
        super().__init__()
        self.landmarks = LANDMARKS + off_px * np.eye(21, 2)

    def detect(self, image: Pixels) -> list[DetectedHand]:
        return [DetectedHand(self.landmarks, WORLD, True, 1.0)] if image.max() else []

    def track(self, image: Pixels, landmarks: np.ndarray) -> DetectedHand | None:
        return self.detect(image)[0] if (self.landmarks - LANDMARKS).max() < 50 else None


def test_variants_are_compared_with_the_published_networks(tmp_path: Path) -> None:
    files = [tmp_path / shape / "1.png" for shape in ("paper", "rock", "other", "scissors")]
    for file in files:
        file.parent.mkdir()
        cv2.imwrite(str(file), np.full((40, 40, 3), 0 if "scissors" in str(file) else 200, np.uint8))
    detectors: dict[str, Any] = {PUBLISHED: OffDetector(0), "near": OffDetector(5), "far": OffDetector(60)}
    readings = read_pictures(files, detectors)
    assert set(readings[PUBLISHED].distances) == {0.0} and len(readings["far"].distances) == 3
    assert readings["near"].distances == pytest.approx([5 / SIDE] * 6)
    times = {network: {name: [3.0, 1.0, 2.0] for name in detectors} for network in (PALM_NETWORK, HAND_NETWORK)}
    lines = table(times, readings).splitlines()
    assert f"| {PUBLISHED} | 2.0 (1.0) | 2.0 (1.0) | 0.00% | 0.00% |" in lines
    # the scissors that nothing finds are left out; paper is right, a paper that is labelled rock or other is wrong
    assert f"| {PUBLISHED} | 1 / 1 / 0 / 0 | 1 / 1 / 0 / 0 | 0 / 1 / 0 / 0 | 0 / 1 / 0 / 0 |" in lines
    assert lines[-1].endswith("| 0 / 0 / 0 / 2 | 0 / 1 / 0 / 0 | 0 / 0 / 0 / 1 |")
