"""Reading hands whose place is known with LiteRT: what is computed around the network, a fake one and the real one."""

import json
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.hands.detector import HandDetector
from vision.hands.litert import (
    MIN_TRACKED_PRESENCE,
    HandReader,
    Square,
    Vector,
    tracked_square,
)
from vision.hands.model import ModelError
from vision.hands.model_worker import MediapipeWorker
from vision.hands.stills import read_image
from vision.hands.worker import FAILED

PICTURES = Path("../shared/data/hands")
IMAGE = np.zeros((300, 400, 3), np.uint8)


class FakeInterpreter:
    """Finds the hand that the test puts here."""

    hand: tuple[Any, ...] = ()
    made: ClassVar[list["FakeInterpreter"]] = []

    def __init__(self, model_content: bytes, num_threads: int) -> None:
        assert model_content == b"hand" and num_threads == 1
        self.image = np.zeros((1, 224, 224, 3), np.float32)
        self.made.append(self)

    def allocate_tensors(self) -> None: ...

    def invoke(self) -> None: ...

    def get_input_details(self) -> list[dict[str, Any]]:
        return [{"index": 7, "shape": self.image.shape}]

    def get_output_details(self) -> list[dict[str, Any]]:
        return [{"index": index} for index in range(5)]

    def tensor(self, index: int) -> Any:
        assert index == 7
        return lambda: self.image

    def get_tensor(self, index: int) -> Any:
        return np.asarray(self.hand[index], np.float32)[None]


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    with zipfile.ZipFile(tmp_path / "fake.task", "w") as archive:
        archive.writestr("hand_landmarks_detector.tflite", b"hand")
    return tmp_path / "fake.task"


@pytest.fixture
def fake_model(monkeypatch: pytest.MonkeyPatch) -> type[FakeInterpreter]:
    """A network with LiteRT that finds what the test puts into it."""
    module, package = ModuleType("ai_edge_litert.interpreter"), ModuleType("ai_edge_litert")
    fake = type("Fake", (FakeInterpreter,), {"made": []})
    module.Interpreter = fake  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ai_edge_litert", package)
    monkeypatch.setitem(sys.modules, "ai_edge_litert.interpreter", module)
    return fake


def test_a_square_s_points_lie_where_its_pixels_come_from() -> None:
    noise = np.random.default_rng(0).integers(0, 256, (90, 120, 3), np.uint8)
    image = np.asarray(cv2.GaussianBlur(noise, (0, 0), 3), np.uint8)
    square = Square(np.array([60.3, 45.1]), 40.0, 0.7)
    crop = square.crop(image, 20).astype(float)
    for row, column in ((0, 0), (3, 17), (19, 5)):
        x, y = square.to_image(np.array([column, row]) / 20)
        assert crop[row, column] == pytest.approx(cv2.getRectSubPix(image, (1, 1), (x, y))[0, 0], abs=2)
    right_end = square.to_image(np.array([1, 0.5]))
    assert right_end == pytest.approx([60.3 + 20 * np.cos(0.7), 45.1 + 20 * np.sin(0.7)])


def test_a_crop_is_rounded_to_32nds_of_a_pixel() -> None:
    """As by mediapipe, whatever the version of OpenCV: exactly it would be 5 of 255."""
    image = np.zeros((9, 9, 3), np.uint8)
    image[:, 3:] = 255
    (pixel,) = Square(np.array([4.02, 4.0]), 4.0, 0.0).crop(image, 1)
    assert pixel[0].tolist() == [round(255 / 32)] * 3


def test_outside_of_the_image_its_edge_goes_on() -> None:
    white = np.full((10, 10, 3), 255, np.uint8)
    assert Square(np.array([0.0, 0.0]), 10.0, 0.0).crop(white, 10)[0, 0].tolist() == [255, 255, 255]


HAND_UP = np.array(
    [(50, 90), *[(30 + 5 * finger, 70 - 10 * finger + 5 * joint) for finger in range(5) for joint in range(4)]]
)
"""Landmarks of a hand."""


@given(st.floats(-3, 3), st.floats(0.2, 5), st.floats(-50, 50))
def test_the_square_of_a_known_hand_turns_moves_and_grows_with_it(turn: float, growth: float, move: float) -> None:
    rotation = Square(np.zeros(2), 1.0, turn).rotation
    before, after = tracked_square(HAND_UP), tracked_square(growth * HAND_UP @ rotation.T + move)
    assert after.side == pytest.approx(growth * before.side)
    assert after.centre == pytest.approx(growth * rotation @ before.centre + move)
    assert np.cos(after.angle - before.angle - turn) == pytest.approx(1)


def test_the_square_of_a_known_hand_does_not_depend_on_its_fingertips() -> None:
    closed = HAND_UP.copy()
    closed[[7, 8, 11, 12, 15, 16, 19, 20]] += 30
    assert (
        tracked_square(closed).fits(tracked_square(HAND_UP))
        and tracked_square(closed).side == tracked_square(HAND_UP).side
    )


def test_squares_fit_where_shift_turn_and_size_are_small() -> None:
    square = Square(np.array([50.0, 50.0]), 40.0, 1.0)
    assert square.fits(square) and square.fits(Square(np.array([53.0, 53.0]), 44.0, 1.2 - 2 * np.pi))
    far = (
        Square(np.array([56.0, 50.0]), 40.0, 1.0),
        Square(square.centre, 50.0, 1.0),
        Square(square.centre, 40.0, 1.3),
    )
    assert not any(square.fits(other) or other.fits(square) for other in far)


def put_hand(fake: type[FakeInterpreter], points: Vector, presence: float, right: float = 1.0) -> None:
    """Let the network find a hand at points (21, 2) of its square, from 0 to 1; its joints 0.1 m above the centre."""
    world = np.tile([0.0, -0.1, 0.05], 21)
    fake.hand = np.hstack([points * 224, np.zeros((21, 1))]).ravel(), [presence], [right], world, [0.5, 3.0]


def test_a_known_hand_is_read_without_its_palm(bundle: Path, fake_model: type[FakeInterpreter]) -> None:
    reader, known = HandReader(bundle), HAND_UP / (400, 300)
    square = tracked_square(HAND_UP)
    in_square = (HAND_UP - square.centre) @ square.rotation / square.side + 0.5
    put_hand(fake_model, in_square, MIN_TRACKED_PRESENCE + 0.01)
    (hand,) = reader.track(IMAGE, known)
    assert hand["landmarks"] == pytest.approx(known) and hand["is_right"] and hand["score"] == 1
    turned = -0.1 * square.rotation[:, 1]
    assert hand["world"][0] == pytest.approx([*turned, 0.05], abs=1e-6)
    put_hand(fake_model, in_square, 0.9, right=0.25)
    (hand,) = reader.track(IMAGE, known)
    assert (hand["is_right"], hand["score"]) == (False, pytest.approx(0.75))
    put_hand(fake_model, in_square, MIN_TRACKED_PRESENCE - 0.01)
    assert len(reader.track(IMAGE, known)) == 0


def test_a_known_hand_that_moved_is_read_in_its_own_square(bundle: Path, fake_model: type[FakeInterpreter]) -> None:
    square = tracked_square(HAND_UP)
    moved = (HAND_UP + 10 - square.centre) @ square.rotation / square.side + 0.5
    put_hand(fake_model, moved, 0.9)
    (hand,) = HandReader(bundle).track(IMAGE, HAND_UP / (400, 300))
    assert hand["landmarks"] * (400, 300) == pytest.approx(tracked_square(HAND_UP + 10).to_image(moved), abs=1e-3)


def test_a_hand_s_embedding_is_the_network_s_last_output(bundle: Path, fake_model: type[FakeInterpreter]) -> None:
    put_hand(fake_model, np.zeros((21, 2)), 0.0)
    assert HandReader(bundle).embed(IMAGE, HAND_UP / (400, 300)).tolist() == [0.5, 3]


def test_a_missing_litert_is_not_reported_as_a_missing_mediapipe(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ai_edge_litert.interpreter", None)
    response = MediapipeWorker(0).answer(json.dumps([10, "load_reader", str(bundle), 1]).encode())
    assert response.startswith(FAILED + b"\n") and b"ai_edge_litert" in response and response.endswith(b"again")


def test_the_image_reaches_the_network_from_0_to_1(bundle: Path, fake_model: type[FakeInterpreter]) -> None:
    put_hand(fake_model, np.zeros((21, 2)), 0.0)
    HandReader(bundle).track(np.full((300, 400, 3), (255, 0, 51), np.uint8), HAND_UP / (400, 300))
    assert fake_model.made[0].image[0, 112, 112] == pytest.approx([1, 0, 0.2])


@pytest.fixture(scope="module")
def detector() -> Iterator[HandDetector]:
    if not PICTURES.is_dir():
        pytest.skip(f"the images are not in {PICTURES}")
    try:
        with HandDetector(hands=2, confidence=0.2) as detector:
            yield detector
    except ModelError as error:
        pytest.skip(f"no hand model: {error}")


def test_an_embedding_is_of_the_hand_not_of_the_image(detector: HandDetector) -> None:
    images = [read_image(PICTURES / f"set01/{throw}/000.jpg") for throw in ("paper", "rock")]
    embeddings = []
    for image in images:
        (hand, *_) = detector.detect(image)
        padded = cv2.copyMakeBorder(image, 30, 0, 60, 0, cv2.BORDER_REPLICATE)
        moved = hand.landmarks + np.array([60, 30])
        looks = detector.embed(image, hand.landmarks), detector.embed(np.asarray(padded), moved)
        embeddings.append([look for look in looks if look is not None])
    (paper, same), (rock, _) = embeddings
    assert len(paper) == 1152 and paper == pytest.approx(same, abs=0.05)
    assert np.linalg.norm(paper - same) < 0.05 * np.linalg.norm(paper - rock)


def test_a_known_hand_is_the_one_that_is_found(detector: HandDetector) -> None:
    """Next to it there is none."""
    hands = 0
    for file in sorted(PICTURES.glob("set0[1-9]/*/*.jpg"))[::90]:
        image = read_image(file)
        for found in detector.detect(image)[:1]:
            tracked = detector.track(image, found.landmarks)
            assert tracked is not None and tracked.is_right == found.is_right, file
            size = np.ptp(found.landmarks, axis=0).max()
            hands += np.abs(tracked.landmarks - found.landmarks).max() < 0.2 * size
            assert detector.track(image, found.landmarks + 3 * size) is None
    assert hands > 10
