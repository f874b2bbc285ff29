"""The trial of hands read where they nearly are, with a fake tracker."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from scripted_hands import ScriptedDetector, hand_landmarks

from device.camera.frames import Pixels
from device.simulated.table.animation import Stance
from tools.trials.tracking import AMOUNTS, displace, read_pictures, table
from vision.hands.detector import DetectedHand

LANDMARKS, WORLD = hand_landmarks(Stance(paper=1))


class NearTracker(ScriptedDetector):
    """Finds a paper, and again if it is less than 0.4 lengths off."""

    def detect(self, image: Pixels) -> list[DetectedHand]:
        return [DetectedHand(LANDMARKS, WORLD, True, 1.0)] if image.max() else []

    def track(self, image: Pixels, landmarks: np.ndarray) -> DetectedHand | None:
        off = np.linalg.norm((landmarks - LANDMARKS).mean(0)) / np.ptp(LANDMARKS, axis=0).max()
        return self.detect(image)[0] if off < 0.4 else None


@pytest.mark.parametrize("amount", [0.0, 0.3])
def test_a_displaced_hand_is_as_far_off_as_asked_for(amount: float) -> None:
    moved = displace(LANDMARKS, amount, np.random.default_rng(1))
    off = np.linalg.norm((moved - LANDMARKS).mean(0)) / np.ptp(LANDMARKS, axis=0).max()
    assert off == pytest.approx(amount) and (amount > 0 or moved == pytest.approx(LANDMARKS))


def test_every_way_to_look_is_counted(tmp_path: Path) -> None:
    files = [tmp_path / shape / "1.png" for shape in ("paper", "rock", "other", "scissors")]
    for file in files:
        file.parent.mkdir()
        cv2.imwrite(str(file), np.full((40, 40, 3), 0 if "scissors" in str(file) else 200, np.uint8))
    counts = read_pictures(files, NearTracker())
    for way in ("found in the whole picture", *(f"read {amount:g} lengths off" for amount in AMOUNTS[:3])):
        assert counts[f"throw, {way}"] == {"right": 1, "wrong": 1}
        assert counts[f"no throw, {way}"] == {"wrong": 1}
    assert counts["throw, read 0.5 lengths off"] == {"not found": 2} and counts["next to a hand"] == {"not found": 3}
    assert "| throw, read 0 lengths off | 2 | 1 | 1 | 0 | 0 |" in table(counts)
