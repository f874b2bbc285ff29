"""The hand model with LiteRT: what is computed around the networks, with fake ones; and the real ones compared with
mediapipe's."""

import json
import sys
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.hands import model_process
from vision.hands.detector import HandDetector
from vision.hands.litert import (
    MIN_TRACKED_PRESENCE,
    HandReader,
    LitertDetector,
    Network,
    Square,
    Vector,
    anchor_centres,
    box_overlaps,
    decode_palms,
    hand_square,
    is_same_hand,
    merge_palms,
    tracked_square,
)
from vision.hands.model import ModelError
from vision.hands.model_process import RUNTIME_VARIABLE, ModelProcess
from vision.hands.model_worker import MediapipeWorker
from vision.hands.stills import read_image
from vision.hands.worker import FAILED

PICTURES = Path("../shared/data/hands")
IMAGE = np.zeros((300, 400, 3), np.uint8)
PALM = np.array(
    [(150, 100), (190, 150), (170, 150), (160, 110), (170, 100), (180, 110), (190, 120), (155, 140), (150, 130)], float
)
"""A palm in IMAGE that points up: corners, wrist, four fingers, thumb."""


def move_palm(palm: Vector, right: float) -> Vector:
    """Return a palm (9, 2) that lies farther to the right."""
    return palm + np.array([right, 0.0])


class FakeInterpreter:
    """Finds the palms and the hand that the test puts here."""

    boxes = np.zeros((2016, 18), np.float32)
    logits = np.full(2016, -20, np.float32)
    hand: tuple[Any, ...] = ()
    made: ClassVar[list["FakeInterpreter"]] = []

    def __init__(self, model_content: bytes, num_threads: int) -> None:
        self.is_palm = model_content == b"palm"
        self.image = np.zeros((1, 192, 192, 3) if self.is_palm else (1, 224, 224, 3), np.float32)
        self.made.append(self)

    def allocate_tensors(self) -> None: ...

    def invoke(self) -> None: ...

    def get_input_details(self) -> list[dict[str, Any]]:
        return [{"index": 7, "shape": self.image.shape}]

    def get_output_details(self) -> list[dict[str, Any]]:
        return [{"index": index} for index in range(2 if self.is_palm else 4)]

    def tensor(self, index: int) -> Any:
        assert index == 7
        return lambda: self.image

    def get_tensor(self, index: int) -> Any:
        outputs = (self.boxes, self.logits[:, None]) if self.is_palm else self.hand
        return np.asarray(outputs[index], np.float32)[None]


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    with zipfile.ZipFile(tmp_path / "fake.task", "w") as archive:
        archive.writestr("hand_detector.tflite", b"palm")
        archive.writestr("hand_landmarks_detector.tflite", b"hand")
    return tmp_path / "fake.task"


def put_palm(fake: type[FakeInterpreter], number: int, palm: Vector, logit: float) -> None:
    """Let the palm network find a palm of IMAGE at an anchor."""
    shares = (palm + np.array([0.0, 50.0])) / 400  # of the square that the image is put into
    rows = np.concatenate([[shares[:2].mean(0), shares[1] - shares[0]], shares[2:]])
    rows[[0, *range(2, 9)]] -= anchor_centres(192)[number]
    fake.boxes[number], fake.logits[number] = rows.ravel() * 192, logit


@pytest.fixture
def fake_model(monkeypatch: pytest.MonkeyPatch) -> type[FakeInterpreter]:
    """Two palms far apart, the second one surer; both with the same hand."""
    module, package = ModuleType("ai_edge_litert.interpreter"), ModuleType("ai_edge_litert")
    fake = type("Fake", (FakeInterpreter,), {"made": []})
    module.Interpreter = fake  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ai_edge_litert", package)
    monkeypatch.setitem(sys.modules, "ai_edge_litert.interpreter", module)
    fake.boxes, fake.logits = FakeInterpreter.boxes.copy(), FakeInterpreter.logits.copy()
    put_palm(fake, 500, PALM, 0.0)
    put_palm(fake, 900, move_palm(PALM, 120), 2.0)
    points = np.zeros((21, 3))
    points[:, 0], points[:, 1] = np.linspace(56, 168, 21), 112
    world = np.zeros((21, 3))
    world[:, 1], world[:, 2] = -0.1, 0.05
    fake.hand = points.ravel(), [0.4], [0.25], world.ravel()
    return fake


def test_a_square_s_points_lie_where_its_pixels_come_from() -> None:
    image = cv2.GaussianBlur(np.random.default_rng(0).integers(0, 256, (90, 120, 3), np.uint8), (0, 0), 3)
    square = Square(np.array([60.3, 45.1]), 40.0, 0.7)
    crop = np.asarray(square.crop(image, 20, cv2.BORDER_REPLICATE), float)
    for row, column in ((0, 0), (3, 17), (19, 5)):
        x, y = square.to_image(np.array([column, row]) / 20)
        assert crop[row, column] == pytest.approx(cv2.getRectSubPix(image, (1, 1), (x, y))[0, 0], abs=2)
    right_end = square.to_image(np.array([1, 0.5]))
    assert right_end == pytest.approx([60.3 + 20 * np.cos(0.7), 45.1 + 20 * np.sin(0.7)])


def test_a_crop_is_rounded_to_32nds_of_a_pixel() -> None:
    """As by mediapipe, whatever the version of OpenCV: exactly it would be 5 of 255."""
    image = np.zeros((9, 9, 3), np.uint8)
    image[:, 3:] = 255
    (pixel,) = Square(np.array([4.02, 4.0]), 4.0, 0.0).crop(image, 1, cv2.BORDER_REPLICATE)
    assert pixel[0].tolist() == [round(255 / 32)] * 3


def test_outside_of_the_image_is_black_or_its_edge() -> None:
    white = np.full((10, 10, 3), 255, np.uint8)
    square = Square(np.array([0.0, 0.0]), 10.0, 0.0)
    assert square.crop(white, 10, cv2.BORDER_CONSTANT)[0, 0].tolist() == [0, 0, 0]
    assert square.crop(white, 10, cv2.BORDER_REPLICATE)[0, 0].tolist() == [255, 255, 255]


def test_palms_are_decoded_best_first() -> None:
    boxes, logits = np.zeros((2016, 18)), np.full(2016, -9.0)
    boxes[[3, 1200, 40], 2:4] = (38.4, 19.2), (19.2, 19.2), (-1, 5)
    logits[[3, 1200, 40]] = 0.0, 3.0, 8.0
    palms, scores = decode_palms(boxes, logits, 0.5)
    assert scores == pytest.approx([1 / (1 + np.exp(-3)), 0.5])  # and not the one of negative size
    assert palms[1][:2] == pytest.approx(anchor_centres(192)[3] + [(-0.1, -0.05), (0.1, 0.05)])
    assert palms[1][2:] == pytest.approx(anchor_centres(192)[[3] * 7])
    assert len(decode_palms(boxes, logits, 0.51)[1]) == 1


def test_anchors_of_the_fine_and_the_coarse_grid() -> None:
    anchors = anchor_centres(192)
    assert anchors.shape == (2016, 2)
    assert anchors[[0, 1, 2, 48]].tolist() == [
        [0.5 / 24] * 2,
        [0.5 / 24] * 2,
        [1.5 / 24, 0.5 / 24],
        [0.5 / 24, 1.5 / 24],
    ]
    assert anchors[[1152, 1157, 1158]].tolist() == [[0.5 / 12] * 2, [0.5 / 12] * 2, [1.5 / 12, 0.5 / 12]]


def test_overlapping_palms_are_merged_by_their_scores() -> None:
    near, far = move_palm(PALM, 10), move_palm(PALM, 100)
    palms, scores = np.stack([PALM, far, near]), np.array([0.9, 0.6, 0.3])
    merged = merge_palms(palms, scores, 4)
    assert merged[0] == pytest.approx(move_palm(PALM, 2.5)) and merged[1] == pytest.approx(far) and len(merged) == 2
    assert len(merge_palms(palms, scores, 1)) == 1
    assert len(merge_palms(np.zeros((2, 9, 2)), np.ones(2), 4)) == 2  # without a size: it ends


def test_the_overlap_of_boxes() -> None:
    boxes = np.array([[(0, 0), (2, 2)], [(1, 0), (3, 2)], [(5, 5), (6, 6)]], float)
    assert box_overlaps(boxes, boxes[0]) == pytest.approx([1, 1 / 3, 0])


def test_the_square_of_a_hand_is_mediapipe_s() -> None:
    """90 radians less the palm's direction, 2.6 times the palm's length, half a palm towards the fingers."""
    square = hand_square(PALM)
    angle = 90 - np.pi / 2
    assert square.side == pytest.approx(2.6 * 50)
    assert (np.cos(square.angle), np.sin(square.angle)) == pytest.approx((np.cos(angle), np.sin(angle)))
    assert square.centre == pytest.approx([170 + 25 * np.sin(angle), 125 - 25 * np.cos(angle)])


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


def test_hands_in_the_same_place_are_the_same() -> None:
    hand = np.random.default_rng(3).uniform(0, 100, (21, 2))
    assert is_same_hand(hand, hand + 1)
    assert not is_same_hand(hand, hand + 60)
    assert not is_same_hand(hand, hand[::-1])


def test_a_hand_has_mediapipe_s_measures(bundle: Path, fake_model: type[FakeInterpreter]) -> None:
    (hand,) = LitertDetector(bundle, 1, 0.3).detect(IMAGE)
    square = hand_square(move_palm(PALM, 120))  # the surer one
    ends = square.to_image(np.array([(0.25, 0.5), (0.75, 0.5)])) / (400, 300)
    assert hand["landmarks"][[0, -1]] == pytest.approx(ends, abs=1e-4)
    assert (hand["is_right"], hand["score"]) == (False, pytest.approx(0.75))
    turned = -0.1 * square.rotation[:, 1]
    assert hand["world"][0] == pytest.approx([*turned, 0.05], abs=1e-6)


def test_hands_are_found_once_and_only_surely(bundle: Path, fake_model: type[FakeInterpreter]) -> None:
    assert len(LitertDetector(bundle, 2, 0.3).detect(IMAGE)) == 2
    assert len(LitertDetector(bundle, 2, 0.6).detect(IMAGE)) == 0  # the palm is sure enough, the hand is not
    thin = PALM.copy()
    thin[:2, 0] = 170, 170.5
    put_palm(fake_model, 500, thin, 0.0)
    put_palm(fake_model, 900, move_palm(thin, 1), 0.0)  # another palm, and the same hand
    assert len(LitertDetector(bundle, 2, 0.3).detect(IMAGE)) == 1


def put_hand(fake: type[FakeInterpreter], points: Vector, presence: float) -> None:
    """Let the landmark network find a hand at points (21, 2) of its square, from 0 to 1."""
    fake.hand = np.hstack([points * 224, np.zeros((21, 1))]).ravel(), [presence], [1.0], np.zeros(63)


def test_a_known_hand_is_read_without_its_palm(bundle: Path, fake_model: type[FakeInterpreter]) -> None:
    fake_model.logits[:] = -20  # no palm anywhere
    reader, known = HandReader(bundle), HAND_UP / (400, 300)
    square = tracked_square(HAND_UP)
    in_square = (HAND_UP - square.centre) @ square.rotation / square.side + 0.5
    put_hand(fake_model, in_square, MIN_TRACKED_PRESENCE + 0.01)
    (hand,) = reader.track(IMAGE, known)
    assert hand["landmarks"] == pytest.approx(known) and hand["is_right"] and hand["score"] == 1
    put_hand(fake_model, in_square, MIN_TRACKED_PRESENCE - 0.01)
    assert len(reader.track(IMAGE, known)) == 0


def test_a_known_hand_that_moved_is_read_in_its_own_square(bundle: Path, fake_model: type[FakeInterpreter]) -> None:
    square = tracked_square(HAND_UP)
    moved = (HAND_UP + 10 - square.centre) @ square.rotation / square.side + 0.5
    put_hand(fake_model, moved, 0.9)
    (hand,) = HandReader(bundle).track(IMAGE, HAND_UP / (400, 300))
    assert hand["landmarks"] * (400, 300) == pytest.approx(tracked_square(HAND_UP + 10).to_image(moved), abs=1e-3)


def test_the_image_reaches_the_networks_from_0_to_1(bundle: Path, fake_model: type[FakeInterpreter]) -> None:
    detector = LitertDetector(bundle, 1, 0.3)
    detector.detect(np.full((300, 400, 3), (255, 0, 51), np.uint8))
    image = next(interpreter for interpreter in fake_model.made if interpreter.is_palm).image[0]
    assert image[96, 96] == pytest.approx([1, 0, 0.2]) and image[2, 96].tolist() == [0, 0, 0]  # black above and below


def test_both_networks_are_computed_by_the_given_class(bundle: Path, fake_model: type[FakeInterpreter]) -> None:
    made: list[Network] = []

    class OtherNetwork(Network):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            made.append(self)

    LitertDetector(bundle, 1, 0.3, network_class=OtherNetwork)
    assert len(made) == len(fake_model.made) == 2


def test_the_environment_chooses_the_runtime(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = []

    def start_nothing(module: str, *descriptors: int, pass_fds: Sequence[int]) -> None:
        chosen.append(module)
        raise OSError(0, "nothing is started here")

    monkeypatch.setattr(model_process, "start_sandboxed", start_nothing)
    for runtime in ("", "mediapipe", "litert"):
        monkeypatch.setenv(RUNTIME_VARIABLE, runtime)
        with pytest.raises(ModelError, match="nothing is started here"):
            ModelProcess().load(bundle, 1, 0.3)
    assert chosen == [model_process.WORKER_MODULE] * 2 + ["vision.hands.litert"]
    monkeypatch.setenv(RUNTIME_VARIABLE, "torch")
    with pytest.raises(ModelError, match=f"^{RUNTIME_VARIABLE} is 'torch': choose mediapipe or litert.$"):
        ModelProcess()


@pytest.mark.parametrize(
    ("package", "message"),
    [("raise ImportError('it is gone')", "it is gone: install .* again"), ("", "can’t be used")],
)
def test_a_missing_litert_is_an_error_in_one_line(
    package: str, message: str, bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ai_edge_litert.py").write_text(package)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv(RUNTIME_VARIABLE, "litert")
    process = ModelProcess()
    with pytest.raises(ModelError, match=message):
        process.load(bundle, 1, 0.3)
    process.close()


def test_a_missing_litert_is_not_reported_as_a_missing_mediapipe(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ai_edge_litert.interpreter", None)
    response = MediapipeWorker(0).answer(json.dumps([10, "load_reader", str(bundle), 1]).encode())
    assert response.startswith(FAILED + b"\n") and b"ai_edge_litert" in response and response.endswith(b"again")


@pytest.fixture(scope="module")
def real_processes() -> Iterator[list[ModelProcess]]:
    """A process with mediapipe and one with LiteRT."""
    with pytest.MonkeyPatch.context() as patch:
        made = []
        for runtime in ("mediapipe", "litert"):
            patch.setenv(RUNTIME_VARIABLE, runtime)
            made.append(ModelProcess())
    yield made
    for process in made:
        process.close()


@pytest.fixture(scope="module")
def real_pair(real_processes: list[ModelProcess]) -> list[HandDetector]:
    """A detector with mediapipe and one with LiteRT."""
    if not PICTURES.is_dir():
        pytest.skip(f"the images are not in {PICTURES}")
    try:
        return [HandDetector(hands=2, confidence=0.2, process=process) for process in real_processes]
    except ModelError as error:
        pytest.skip(f"no hand model: {error}")


def test_litert_finds_mediapipe_s_hands(real_pair: list[HandDetector]) -> None:
    """At most as far apart as measurements/2026-11/hand-recognition.md has it, with room to spare."""
    hands = 0
    for file in sorted(PICTURES.glob("set*/*/*.jpg"))[::60]:
        image = read_image(file)
        found = [detector.detect(image) for detector in real_pair]
        assert len(found[0]) == len(found[1]), file
        for one, other in zip(*found, strict=True):
            hands += 1
            assert np.abs(one.landmarks - other.landmarks).max() < 0.01 * np.ptp(one.landmarks, axis=0).max(), file
            assert np.abs(one.world_landmarks - other.world_landmarks).max() < 0.001, file
            assert one.is_right == other.is_right and abs(one.handedness_score - other.handedness_score) < 0.02, file
    assert hands > 20


def test_litert_s_process_has_no_thread_outside_of_the_sandbox(
    real_pair: list[HandDetector], real_processes: list[ModelProcess]
) -> None:
    threads = [path.read_text() for path in Path(f"/proc/{real_processes[1].pid}/task").glob("*/status")]
    assert threads and all("Seccomp:\t2" in status for status in threads)


def test_a_known_hand_is_the_one_that_is_found(real_pair: list[HandDetector]) -> None:
    """Whichever runtime finds hands, the same network reads one where it was; next to it there is none."""
    hands = 0
    for file in sorted(PICTURES.glob("set0[1-9]/*/*.jpg"))[::90]:
        image = read_image(file)
        for found in real_pair[0].detect(image)[:1]:
            tracked = [detector.track(image, found.landmarks) for detector in real_pair]
            one, other = tracked
            assert one is not None and other is not None, file
            size = np.ptp(found.landmarks, axis=0).max()
            hands += np.abs(one.landmarks - found.landmarks).max() < 0.2 * size
            assert np.array_equal(one.landmarks, other.landmarks) and one.is_right == other.is_right
            assert real_pair[0].track(image, found.landmarks + 3 * size) is None
    assert hands > 10
