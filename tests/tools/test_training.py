"""Training and measuring the classifier: poses, composites, the fit, the tables of the docs; and that rendered hands
without a throw are refused."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rules.throws import Throw
from tests.helpers.hand_poses import finger_flexes, hand_from_joints, posed_joints
from tools.training import detection_cache, examples, render, report
from tools.training.detection_cache import DetectionCache
from tools.training.examples import TrainingExample, rendered_examples, table_shots, training_shots
from tools.training.poses import (
    CURLED_DEG,
    STRAIGHT_DEG,
    random_fingers,
)
from tools.training.render import HandShot, renderer_digest
from tools.training.report import (
    ExampleReading,
    HeldOutLogits,
    calibration_table,
    goal_table,
    no_throw_table,
    read_example,
    set_table,
)
from vision.hands.augmentation import AUGMENTATIONS, Augmentation
from vision.hands.classifier import CLASSES
from vision.hands.detector import DetectedHand

CERTAIN = np.array([0.97, 0.0, 0.0, 0.0, 0.03])


def test_random_fingers_never_make_a_throw() -> None:
    random = np.random.default_rng(3)
    half = (sum(STRAIGHT_DEG) + sum(CURLED_DEG)) / 2
    for _ in range(300):
        pose = random_fingers(random)
        up = tuple((pose.flex.sum(1) < half).tolist())
        assert up not in {(False,) * 4, (True, True, False, False)}
        if up == (True,) * 4:
            assert pose.thumb[2, 0] > 0  # its tip points across the palm


@pytest.fixture
def detected_levels(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[int]:
    """The grey level of every image in which a fake hand model has detected a hand."""
    levels: list[int] = []

    class FakeDetector:
        def __init__(self, *settings: object) -> None: ...

        def detect(self, image: np.ndarray) -> list[DetectedHand]:
            levels.append(int(image.max()))
            return [hand_from_joints(posed_joints(finger_flexes(), "on the fist"))]

        def embed(self, image: np.ndarray, landmarks: np.ndarray) -> np.ndarray:
            return np.zeros(3)

        def close(self) -> None: ...

    (tmp_path / "model").write_bytes(b"one")
    monkeypatch.setattr(detection_cache, "model_path", lambda size: tmp_path / "model")
    monkeypatch.setattr(detection_cache, "HandDetector", FakeDetector)
    return levels


def test_another_model_detects_hands_anew(detected_levels: list[int], tmp_path: Path) -> None:
    def look() -> list[int]:
        detected_levels.clear()
        cache = DetectionCache(tmp_path, AUGMENTATIONS[:1])
        assert len(cache("set/rock/1", lambda: np.full((64, 64, 3), 9, np.uint8))[0]) == 1
        cache.close()
        return detected_levels

    assert look() == [9] and look() == []
    (tmp_path / "model").write_bytes(b"two")
    assert look() == [9] and look() == []


def test_another_version_of_the_renderer_detects_hands_anew(
    detected_levels: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = DetectionCache(tmp_path, AUGMENTATIONS[:1])
    for level in (10, 10, 20):

        def fake(shot: HandShot, level: int = level) -> np.ndarray:
            return np.full((64, 64, 3), level, np.uint8)

        renderer_digest.cache_clear()
        monkeypatch.setattr(render, "render_shot", fake)
        monkeypatch.setattr(examples, "render_shot", fake)
        assert len(list(rendered_examples([HandShot("rock")], cache))) == 1
    renderer_digest.cache_clear()
    assert detected_levels == [10, 20]


def test_table_shots_share_no_person_with_training_shots() -> None:
    assert not {shot.seed for shot in training_shots()} & {shot.seed for shot in table_shots()}
    assert len({shot.name for shot in training_shots()}) == len(training_shots())


def example(source: str, shape: str) -> TrainingExample:
    return TrainingExample(
        source,
        shape,
        shape if shape in CLASSES else "none",  # type: ignore[arg-type]  # the classes are the labels
        [hand_from_joints(posed_joints(finger_flexes(), "on the fist"))],
    )


def test_doubtful_reading_is_read_with_mirrored_views() -> None:
    doubtful, sure = np.log([[[0.5, 0.01, 0.01, 0.01, 0.47]], [[0.9, 0.02, 0.02, 0.02, 0.04]]])
    networks = report.released_networks()
    networks = networks._replace(landmarks=networks.landmarks._replace(single=np.array(1.0)))
    first, clear, again = (example("set01", "rock") for _ in range(3))
    logits = HeldOutLogits({first: doubtful, clear: sure, again: sure}, {})
    readings = report.held_out_readings([first, clear], logits, networks, [again, first])
    assert [reading.throw for reading in readings] == [Throw.ROCK] * 2
    assert [reading.example for reading in readings] == [first, clear]
    assert min(reading.confidence for reading in readings) > 0.85
    (alone,) = report.held_out_readings([first], logits, networks)
    assert alone.confidence < 0.6


def test_both_networks_read_a_photo() -> None:
    rock = np.log([[0.9, 0.02, 0.02, 0.02, 0.04]])
    doubt = np.log([[0.2, 0.2, 0.2, 0.01, 0.39]])
    paper = np.log([[0.01, 0.96, 0.01, 0.01, 0.01]])
    alone = example("set01", "rock")
    contradicted, rescued = (replace(alone, embeddings=np.ones((2, 1152))) for _ in range(2))
    logits = HeldOutLogits(
        {alone: rock, contradicted: rock, rescued: doubt}, dict.fromkeys((contradicted, rescued), paper)
    )
    readings = report.held_out_readings([alone, contradicted, rescued], logits, report.released_networks())
    assert [reading.throw for reading in readings] == [Throw.ROCK, None, Throw.PAPER]


def test_a_hand_is_embedded_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache, asked = DetectionCache(tmp_path), []

    def embed(
        detector: object, image: np.ndarray, landmarks: np.ndarray, looks: list[Augmentation]
    ) -> list[np.ndarray]:
        asked.extend(looks)
        return [np.full(3, len(looks))] * len(looks)

    monkeypatch.setattr(detection_cache, "embed_hand", embed)
    monkeypatch.setattr(detection_cache, "HandDetector", lambda *_: None)
    hands = example("set01", "rock").hands
    both = [cache.embed("set01/rock/1", lambda: np.zeros((9, 9, 3), np.uint8), hands).tolist() for _ in range(2)]
    assert both[0] == both[1] == [[2.0] * 3] * 2 + [[1.0] * 3] * 2
    assert len(asked) == 4 and [look.mirrored for look in asked[:2]] == [False, True]


def test_set_table_counts_outcomes() -> None:
    rock, other = example("set01", "rock"), example("set03", "other_1finger")
    readings = [
        read_example(rock, CERTAIN),
        read_example(rock, None),
        read_example(other, None),
        read_example(other, CERTAIN),
    ]
    assert [reading.outcome for reading in readings] == ["right", "undecided", "right", "wrong"]
    lines = set_table(readings).splitlines()
    assert lines[2] == "| set01 | 2 | 1 / 0 / 1 | 0 / 0 / 0 | 0 / 0 / 0 | 50.0% | 0.0% | 50.0% |"
    assert "set03" not in set_table(readings)


def test_goals_count_sets_that_were_not_seen() -> None:
    rock, other = example("set01", "rock"), example("set26", "other_o")
    stress = [read_example(example("set25", "rock"), None)]
    readings = [
        read_example(rock, CERTAIN),
        read_example(example("set21", "scissors"), CERTAIN),
        read_example(example("set21", "rock"), None),
        read_example(other, None),
        read_example(other, CERTAIN),
        ExampleReading(other, True, Throw.ROCK, 0.7),
    ]
    cells = [line.strip("| ").split(" | ") for line in goal_table(readings + stress).splitlines()[2:]]
    assert [[cell.split(":")[0] for cell in row[2:]] for row in cells] == [
        ["0 of 1", "1 of 2", "1 of 3"],
        ["0 of 1", "1 of 2", "1 of 3"],
        ["0 of 1", "1 of 1", "1 of 2"],
        ["0 of 0", "1 of 1", "1 of 1"],
        ["0 of 0", "1 of 3", "1 of 3"],
    ]
    assert "| set26/other_o | 3 | 33.3% | 1 | – |" in no_throw_table(readings, [])


def test_sets_not_trained_with_are_read_by_the_released_weights() -> None:
    new = example("set21", "rock")
    readings = report.held_out_readings([new], HeldOutLogits({}, {}), report.released_networks())
    assert [reading.throw for reading in readings] == [Throw.ROCK]


def test_accurate_confidence_has_no_calibration_error() -> None:
    rock = example("set01", "rock")
    true = [ExampleReading(rock, True, Throw.ROCK, 0.75)] * 3 + [ExampleReading(rock, True, Throw.PAPER, 0.75)]
    assert "Expected calibration error: 0.000, over 4 hands." in calibration_table(true)
    assert "Expected calibration error: 0.250" in calibration_table(true[:3])
