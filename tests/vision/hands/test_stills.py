"""Still images: files are read upright or refused in one line; detections are grouped, hands ranked, boxes inside the
image. The model is a fake with posed hands."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from device.camera.frames import Pixels
from rules.throws import Throw
from tests.helpers.hand_poses import POSES, finger_flexes, hand_from_joints, posed_joints
from vision.hands import classifier, stills
from vision.hands.augmentation import AUGMENTATIONS, Augmentation
from vision.hands.classifier import NetworkWeights
from vision.hands.detector import DetectedHand
from vision.hands.shapes import read_detections
from vision.hands.stills import Recogniser, read_image
from vision.image_header import ImageError


def write_image(path: Path, wide: int = 30, high: int = 20) -> Path:
    """Write an image, blue at the left and red at the right."""
    bgr = np.zeros((high, wide, 3), np.uint8)
    bgr[:, : wide // 2, 0] = 250
    bgr[:, wide // 2 :, 2] = 250
    assert cv2.imwrite(str(path), bgr)
    return path


@pytest.mark.parametrize("kind", ["jpg", "png", "bmp", "webp", "tiff"])
def test_an_image_is_read_as_red_green_blue(tmp_path: Path, kind: str) -> None:
    image = read_image(write_image(tmp_path / f"a.{kind}"))
    assert image.shape == (20, 30, 3) and image.dtype == np.uint8
    assert image[10, 3].astype(int) == pytest.approx([0, 0, 250], abs=12)
    assert image[10, 27].astype(int) == pytest.approx([250, 0, 0], abs=12)


def test_an_image_with_an_alpha_channel_or_grey_has_three_channels(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "alpha.png"), np.full((4, 5, 4), 128, np.uint8))
    cv2.imwrite(str(tmp_path / "grey.png"), np.full((4, 5), 128, np.uint8))
    assert read_image(tmp_path / "alpha.png").shape == (4, 5, 3)
    assert read_image(tmp_path / "grey.png").shape == (4, 5, 3)


def test_an_image_lying_on_its_side_is_turned_upright(tmp_path: Path) -> None:
    jpeg = write_image(tmp_path / "a.jpg").read_bytes()
    entry = b"\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00"  # orientation: the top is at the right
    exif = b"Exif\x00\x00MM\x00\x2a\x00\x00\x00\x08\x00\x01" + entry + b"\x00\x00\x00\x00"
    (tmp_path / "b.jpg").write_bytes(jpeg[:2] + b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif + jpeg[2:])
    image = read_image(tmp_path / "b.jpg")
    assert image.shape == (30, 20, 3)
    assert image[3, 10].astype(int) == pytest.approx([0, 0, 250], abs=12)


@pytest.mark.parametrize("content", [b"", b"hello", b"\xff\xd8\xff\xe0 not a jpeg", b"\x89PNG\r\n\x1a\n", None])
def test_a_file_that_is_no_image_raises_an_error_in_one_line(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "a.jpg"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ImageError) as error:
        read_image(path)
    assert str(path) in str(error.value) and "\n" not in str(error.value)


def test_a_directory_is_no_picture(tmp_path: Path) -> None:
    with pytest.raises(ImageError, match="directory"):
        read_image(tmp_path)


class FakeHandDetector:
    """Finds its hands in every image of its shape, that is, in the augmentations without padding, and of a colour."""

    def __init__(self, model: str, hands: int, confidence: float) -> None:
        self.calls = 0
        self.closed = False
        self.embedded: list[NDArray[np.float64]] = []
        """The landmarks of hands whose embeddings were asked for."""

    hands: tuple[DetectedHand, ...] = ()
    later: tuple[DetectedHand, ...] | None = None
    """The hands found from the second call on; the same by default."""
    embedding: NDArray[np.float64] | None = None
    shape: tuple[int, int] = (480, 640)
    colour: tuple[int, int, int] | None = None

    def detect(self, image: Pixels) -> list[DetectedHand]:
        self.calls += 1
        is_found = image.shape[:2] == self.shape and self.colour in (None, tuple(image[0, 0].tolist()))
        hands = self.hands if self.calls == 1 or self.later is None else self.later
        return list(hands) if is_found else []

    def embed(self, image: Pixels, landmarks: NDArray[np.float64]) -> NDArray[np.float64] | None:
        self.embedded.append(landmarks)
        return self.embedding

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[FakeHandDetector]]:
    monkeypatch.setattr(stills, "HandDetector", FakeHandDetector)
    monkeypatch.setattr(FakeHandDetector, "shape", (480, 640))
    monkeypatch.setattr(FakeHandDetector, "hands", ())
    monkeypatch.setattr(FakeHandDetector, "later", None)
    monkeypatch.setattr(FakeHandDetector, "colour", None)
    monkeypatch.setattr(FakeHandDetector, "embedding", None)
    yield FakeHandDetector


def moved(name: str, to: tuple[float, float]) -> DetectedHand:
    hand = hand_from_joints(POSES[name][0])
    at: NDArray[np.float64] = hand.landmarks - hand.landmarks.mean(0) + to
    return DetectedHand(at, hand.world_landmarks, hand.is_right, hand.handedness_score)


BLANK = np.zeros((480, 640, 3), np.uint8)


def test_the_largest_hand_comes_first_whatever_it_shows(model: type[FakeHandDetector]) -> None:
    model.hands = (moved("fist", (500, 240)), moved("one finger", (120, 240)), moved("flat hand", (310, 240)))
    with Recogniser() as recogniser:
        found = recogniser.recognise(BLANK, AUGMENTATIONS[:1])
    assert [one.throw for one in found] == [Throw.PAPER, None, Throw.ROCK]
    assert all(one.confidence > 0.5 for one in found)
    assert isinstance(recogniser.detector, FakeHandDetector) and recogniser.detector.closed


def test_one_finger_needs_a_thumb_that_is_far_out_to_be_scissors(model: type[FakeHandDetector]) -> None:
    fist, out = (posed_joints(finger_flexes(1), thumb) for thumb in ("on the fist", "out"))
    throws, unweighted = [], []
    for share in np.linspace(0, 1, 21):
        hand = hand_from_joints(fist + share * (out - fist))
        model.hands = (replace(hand, landmarks=hand.landmarks - hand.landmarks.mean(0) + (320, 240)),)
        throws += [found.throw for found in Recogniser().recognise(BLANK, AUGMENTATIONS[:1])]
        unweighted.append(read_detections(model.hands).throw)
    assert (throws[0], throws[-1]) == (None, Throw.SCISSORS) and len(throws) == 21
    assert throws.count(Throw.SCISSORS) < unweighted.count(Throw.SCISSORS)


def half_way(name: str, other: str, share: float) -> DetectedHand:
    joints = POSES[name][0] + share * (POSES[other][0] - POSES[name][0])
    hand = hand_from_joints(joints)
    return replace(hand, landmarks=hand.landmarks - hand.landmarks.mean(0) + (320, 240))


def test_a_doubtful_hand_is_detected_in_the_mirrored_image_too(model: type[FakeHandDetector]) -> None:
    for share in np.linspace(0, 1, 41):
        model.hands = (half_way("fingers together", "four fingers", share),)
        (alone,) = Recogniser().recognise(BLANK, AUGMENTATIONS[:1])
        if alone.throw is None:
            break
    assert stills.needs_mirrored_look(alone.confidence)
    model.later = (moved("flat hand", (320, 240)),)
    recogniser = Recogniser()
    (hand,) = recogniser.recognise(BLANK, AUGMENTATIONS[:1])
    assert (hand.throw, recogniser.detector.calls) == (Throw.PAPER, 2)
    model.hands = model.later
    clear = Recogniser()
    assert [hand.throw for hand in clear.recognise(BLANK, AUGMENTATIONS[:1])] == [Throw.PAPER]
    assert clear.detector.calls == 1


def test_doubtful_hand_missing_in_the_mirror_is_kept(model: type[FakeHandDetector]) -> None:
    one = stills.search_hands(
        lambda some: [[moved("fist", (320, 240))] if each == AUGMENTATIONS[0] else [] for each in some],
        AUGMENTATIONS[:2],
        lambda _: True,
    )
    assert [len(hand) for hand in one] == [1]
    both = stills.search_hands(lambda some: [[moved("fist", (320, 240))] for _ in some], needs_mirror=lambda _: True)
    assert [len(hand) for hand in both] == [2 * len(AUGMENTATIONS)]


@pytest.mark.parametrize("clear_count", [1, 11])
def test_a_hand_rare_in_the_mirror_is_dropped(clear_count: int) -> None:
    """It is found in 5 of 11 augmentations and in 3 of 11 mirrored ones, where 4.4 of 11 are enough."""
    doubtful, clear = moved("one finger", (120, 240)), moved("flat hand", (450, 240))

    def detect(some: Sequence[Augmentation]) -> list[list[DetectedHand]]:
        count = 3 if some[0].mirrored else 5
        return [[doubtful] * (number < count) + [clear] * (number < clear_count) for number in range(len(some))]

    hands = stills.search_hands(detect, needs_mirror=lambda hand: hand[0] is doubtful)
    assert [(hand[0] is doubtful, len(hand)) for hand in hands] == [(False, 22) if clear_count == 11 else (True, 5)]


def test_what_the_hand_model_computes_landmarks_from_counts_too(
    model: type[FakeHandDetector], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is looked at once as it is, and once mirrored."""
    fist = moved("fist", (120, 240))
    paper = NetworkWeights(*map(np.array, ([0], [1], [[1]], [0], [[0, 9, 0, 0, 0]], [0, 0, 0, 0, 0], 1, 0.1)))
    monkeypatch.setattr(classifier, "embedding_weights", lambda: paper)
    model.hands = (fist,)
    (by_landmarks,) = Recogniser().recognise(BLANK, AUGMENTATIONS[:1])
    model.embedding = np.array([4.0])
    recogniser = Recogniser()
    (hand,) = recogniser.recognise(BLANK, AUGMENTATIONS[:1])
    assert (by_landmarks.throw, hand.throw) == (Throw.ROCK, None)
    plain, mirrored = recogniser.detector.embedded  # type: ignore[attr-defined]  # of the fake
    assert plain == pytest.approx(fist.landmarks) and mirrored == pytest.approx(fist.landmarks * (-1, 1) + (640, 0))
    model.embedding = np.array([0.0])
    assert [hand.throw for hand in Recogniser().recognise(BLANK, AUGMENTATIONS[:1])] == [Throw.ROCK]


def test_embeddings_of_the_lite_model_are_not_read(model: type[FakeHandDetector]) -> None:
    model.hands, model.embedding = (moved("fist", (320, 240)),), np.zeros(672)
    assert [hand.throw for hand in Recogniser("lite").recognise(BLANK, AUGMENTATIONS[:1])] == [Throw.ROCK]


def test_the_box_is_in_the_picture_and_around_the_hand(model: type[FakeHandDetector]) -> None:
    model.hands = (moved("flat hand", (20, 470)),)
    found = Recogniser().recognise(BLANK, AUGMENTATIONS[:1])
    box = found[0].box
    assert box.x == 0 and box.y + box.h == 480 and 0 < box.w < 200
    assert all(type(side) is int for side in box)


def test_a_large_image_is_shrunk_and_its_box_is_not(model: type[FakeHandDetector]) -> None:
    model.hands = (moved("flat hand", (320, 240)),)
    model.shape = (1200, 1600)
    small = moved("flat hand", (320, 240)).box
    found = Recogniser().recognise(np.zeros((3000, 4000, 3), np.uint8), AUGMENTATIONS[:1])
    assert found[0].box == pytest.approx([side * 2.5 for side in small], abs=3)


def test_a_hand_found_in_few_augmentations_is_dropped(model: type[FakeHandDetector]) -> None:
    model.hands = (moved("flat hand", (320, 240)),)
    recogniser = Recogniser()
    assert len(recogniser.recognise(BLANK, AUGMENTATIONS[:2])) == 1
    assert recogniser.detector.calls == 2
    model.shape = (7, 7)  # now no augmentation shows it
    assert recogniser.recognise(BLANK) == []
    assert recogniser.detector.calls == 2 + 4 * len(AUGMENTATIONS)


@pytest.mark.parametrize(
    ("colour", "calls"),
    [((100, 90, 80), 1), ((115, 90, 65), 2), ((159, 151, 142), 3), ((0, 0, 0), 4), ((1, 2, 3), 4)],
)
def test_order_of_augmentations_without_a_hand(
    model: type[FakeHandDetector], colour: tuple[int, int, int], calls: int
) -> None:
    model.hands, model.colour = (moved("flat hand", (320, 240)),), colour
    recogniser = Recogniser()
    found = recogniser.recognise(np.full((480, 640, 3), (100, 90, 80), np.uint8), AUGMENTATIONS[:1])
    assert [one.throw for one in found] == ([] if colour == (1, 2, 3) else [Throw.PAPER])
    assert recogniser.detector.calls == calls


@pytest.mark.parametrize(("lower", "throw"), [(0, Throw.PAPER), (60, Throw.PAPER), (110, None)])
def test_a_hand_cut_off_by_the_images_edge_is_not_read(
    model: type[FakeHandDetector], lower: float, throw: Throw | None
) -> None:
    """Outside the image the model guesses."""
    hand = moved("flat hand", (320, 240))
    lowered = hand.landmarks + np.array([0, 480 - hand.landmarks[:, 1].max() + lower])
    model.hands = (replace(hand, landmarks=lowered),)
    (found,) = Recogniser().recognise(BLANK, AUGMENTATIONS[:1])
    assert (found.throw, found.is_cut_off) == (throw, throw is None)


@pytest.mark.parametrize(("length_px", "throw"), [(26, Throw.PAPER), (22, None)])
def test_a_hand_of_too_few_pixels_is_not_read(
    model: type[FakeHandDetector], length_px: float, throw: Throw | None
) -> None:
    hand = moved("flat hand", (320, 240))
    middle = hand.landmarks.mean(0)
    scale = length_px / float(np.ptp(hand.landmarks, axis=0).max())
    model.hands = (replace(hand, landmarks=middle + (hand.landmarks - middle) * scale),)
    (found,) = Recogniser().recognise(BLANK, AUGMENTATIONS[:1])
    assert (found.throw, found.is_too_small) == (throw, throw is None)


def test_an_empty_picture_shows_no_hands(model: type[FakeHandDetector]) -> None:
    assert Recogniser().recognise(np.zeros((0, 0, 3), np.uint8)) == []
