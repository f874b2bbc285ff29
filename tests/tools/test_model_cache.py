"""The hand model is asked once for each image and each of its settings, and the next judge needs no process at all."""

from pathlib import Path

import numpy as np
import pytest

from tools.trials.model_cache import CachedModelProcess
from vision.hands.model_process import ModelProcess
from vision.hands.worker import HAND


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, bytes]]:
    """The images that a fake model was asked for, each with the model's number: it finds as many hands as that, plus
    one."""
    calls: list[tuple[int, bytes]] = []

    def call(self: ModelProcess, operation: str, number: int, image: np.ndarray, *arguments: list[float]) -> bytes:
        calls.append((number, image.tobytes()))
        found = np.zeros(number + 1, HAND)
        found["score"] = image.mean() + sum(map(np.sum, arguments))
        return found.tobytes()

    loaded: dict[ModelProcess, int] = {}

    def load(self: ModelProcess, path: Path, hands: int, confidence: float) -> int:
        loaded[self] = loaded.get(self, -1) + 1
        return loaded[self]

    monkeypatch.setattr(ModelProcess, "_call", call)
    monkeypatch.setattr(ModelProcess, "load", load)
    return calls


def test_an_image_is_looked_at_once_for_each_setting(tmp_path: Path, asked: list[tuple[int, bytes]]) -> None:
    model = tmp_path / "model.task"
    model.write_bytes(b"weights")
    dark, light = (np.full((4, 6, 3), level, np.uint8) for level in (10, 20))
    for expected_calls in (4, 0):
        process = CachedModelProcess(tmp_path / "cache.sqlite")
        one, pair = process.load(model, 1, 0.2), process.load(model, 2, 0.3)
        looks = [(one, dark), (one, light), (pair, dark), (one, light.reshape(6, 4, 3)), (one, dark)]
        found = [process.detect(number, image) for number, image in looks]
        process.close()
        assert [hands["score"][0] for hands in found] == [10, 20, 10, 20, 10]
        assert all(hands.dtype == HAND for hands in found)
        assert len(asked) == expected_calls
        asked.clear()


def test_a_hand_is_tracked_once_from_each_place(tmp_path: Path, asked: list[tuple[int, bytes]]) -> None:
    (tmp_path / "model.task").write_bytes(b"weights")
    image, here, there = np.full((4, 6, 3), 10, np.uint8), np.zeros((21, 2)), np.ones((21, 2))
    for expected_calls in (3, 0):
        process = CachedModelProcess(tmp_path / "cache.sqlite")
        number = process.load(tmp_path / "model.task", 1, 0.2)
        found = [process.detect(number, image), *(process.track(number, image, place) for place in (here, there, here))]
        process.close()
        assert [hands["score"][0] for hands in found] == [10, 10, 52, 10]
        assert len(asked) == expected_calls
        asked.clear()


def test_another_model_file_is_asked_anew(tmp_path: Path, asked: list[tuple[int, bytes]]) -> None:
    model = tmp_path / "model.task"
    for weights in (b"one", b"two"):
        model.write_bytes(weights)
        process = CachedModelProcess(tmp_path / "cache.sqlite")
        process.detect(process.load(model, 1, 0.2), np.zeros((4, 6, 3), np.uint8))
        process.close()
    assert len(asked) == 2
