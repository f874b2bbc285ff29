"""What a still picture shows: files read upright or refused in one line; looks put together, hands ordered, boxes in
the picture. The model is a stand-in that finds skeletons where it is told."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from test_hands_shapes import POSES, seen

from device.camera.frames import Pixels
from rules.throws import Throw
from vision.hands import stills
from vision.hands.augmented_looks import LOOKS
from vision.hands.detector import Hand
from vision.hands.stills import PictureError, Recogniser, read_picture


def picture_of(path: Path, wide: int = 30, high: int = 20) -> Path:
    """A picture, blue at the left and red at the right."""
    bgr = np.zeros((high, wide, 3), np.uint8)
    bgr[:, : wide // 2, 0] = 250
    bgr[:, wide // 2 :, 2] = 250
    assert cv2.imwrite(str(path), bgr)
    return path


@pytest.mark.parametrize("kind", ["jpg", "png", "bmp", "webp", "tiff"])
def test_a_picture_is_read_as_red_green_blue(tmp_path: Path, kind: str) -> None:
    picture = read_picture(picture_of(tmp_path / f"a.{kind}"))
    assert picture.shape == (20, 30, 3) and picture.dtype == np.uint8
    assert picture[10, 3].astype(int) == pytest.approx([0, 0, 250], abs=12)
    assert picture[10, 27].astype(int) == pytest.approx([250, 0, 0], abs=12)


def test_a_picture_with_an_alpha_channel_or_grey_has_three_channels(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "alpha.png"), np.full((4, 5, 4), 128, np.uint8))
    cv2.imwrite(str(tmp_path / "grey.png"), np.full((4, 5), 128, np.uint8))
    assert read_picture(tmp_path / "alpha.png").shape == (4, 5, 3)
    assert read_picture(tmp_path / "grey.png").shape == (4, 5, 3)


def test_a_picture_lying_on_its_side_is_turned_upright(tmp_path: Path) -> None:
    jpeg = picture_of(tmp_path / "a.jpg").read_bytes()
    entry = b"\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00"  # orientation: the top is at the right
    exif = b"Exif\x00\x00MM\x00\x2a\x00\x00\x00\x08\x00\x01" + entry + b"\x00\x00\x00\x00"
    (tmp_path / "b.jpg").write_bytes(jpeg[:2] + b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif + jpeg[2:])
    picture = read_picture(tmp_path / "b.jpg")
    assert picture.shape == (30, 20, 3)
    assert picture[3, 10].astype(int) == pytest.approx([0, 0, 250], abs=12)


@pytest.mark.parametrize("content", [b"", b"hello", b"\xff\xd8\xff\xe0 not a jpeg", b"\x89PNG\r\n\x1a\n", None])
def test_what_is_no_picture_is_said_in_one_line(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "a.jpg"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(PictureError) as fault:
        read_picture(path)
    assert str(path) in str(fault.value) and "\n" not in str(fault.value)


def test_a_directory_is_no_picture(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="directory"):
        read_picture(tmp_path)


class Skeletons:
    """Stands in for the model: finds its hands in every picture of its shape, so in the looks without padding."""

    def __init__(self, model: str, hands: int, confidence: float) -> None:
        self.calls = 0
        self.closed = False

    hands: tuple[Hand, ...] = ()
    shape: tuple[int, int] = (480, 640)

    def find(self, picture: Pixels) -> list[Hand]:
        self.calls += 1
        return list(self.hands) if picture.shape[:2] == self.shape else []

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Skeletons]]:
    monkeypatch.setattr(stills, "HandFinder", Skeletons)
    monkeypatch.setattr(Skeletons, "shape", (480, 640))
    monkeypatch.setattr(Skeletons, "hands", ())
    yield Skeletons


def moved(name: str, to: tuple[float, float]) -> Hand:
    hand = seen(POSES[name][0])
    at: NDArray[np.float64] = hand.landmarks - hand.landmarks.mean(0) + to
    return Hand(at, hand.world, hand.right, hand.score)


BLANK = np.zeros((480, 640, 3), np.uint8)


def test_the_largest_hand_comes_first_whatever_it_shows(model: type[Skeletons]) -> None:
    model.hands = (moved("fist", (500, 240)), moved("one finger", (120, 240)), moved("flat hand", (310, 240)))
    with Recogniser() as recogniser:
        found = recogniser.recognise(BLANK, LOOKS[:1])
    assert [one.throw for one in found] == [Throw.PAPER, None, Throw.ROCK]
    assert all(one.confidence > 0.5 for one in found)
    assert recogniser.finder.closed


def test_the_box_is_in_the_picture_and_around_the_hand(model: type[Skeletons]) -> None:
    model.hands = (moved("flat hand", (20, 470)),)
    found = Recogniser().recognise(BLANK, LOOKS[:1])
    box = found[0].box
    assert box.x == 0 and box.y + box.h == 480 and 0 < box.w < 200
    assert all(type(side) is int for side in box)


def test_a_large_picture_is_shrunk_and_its_box_is_not(model: type[Skeletons]) -> None:
    model.hands = (moved("flat hand", (320, 240)),)
    model.shape = (1200, 1600)
    small = moved("flat hand", (320, 240)).box
    found = Recogniser().recognise(np.zeros((3000, 4000, 3), np.uint8), LOOKS[:1])
    assert found[0].box == pytest.approx([side * 2.5 for side in small], abs=3)


def test_a_hand_that_few_looks_find_is_none(model: type[Skeletons]) -> None:
    model.hands = (moved("flat hand", (320, 240)),)
    recogniser = Recogniser()
    assert len(recogniser.recognise(BLANK, LOOKS[:2])) == 1
    assert recogniser.finder.calls == 2
    model.shape = (7, 7)  # now no look finds it
    assert recogniser.recognise(BLANK) == []
    assert recogniser.finder.calls == 2 + len(LOOKS)


def test_an_empty_picture_shows_no_hands(model: type[Skeletons]) -> None:
    assert Recogniser().recognise(np.zeros((0, 0, 3), np.uint8)) == []
