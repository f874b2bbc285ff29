"""Second looks: each shows the picture another way and maps what it finds back to where it is in the original."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from device.camera.frames import Pixels
from vision.hands.augmented_looks import LOOKS, Look, look, look_for_all
from vision.hands.detector import Hand


def hand_at(landmarks: NDArray[np.float64]) -> Hand:
    return Hand(landmarks, np.zeros((21, 3)), right=True, score=1.0)


class Marks:
    """Stands in for the model: finds one hand, at the picture's red pixels in the order of their green; from the
    ``first`` call on, and never a picture without red."""

    def __init__(self, first: int = 1) -> None:
        self.first = first
        self.calls = 0

    def find(self, picture: Pixels) -> list[Hand]:
        assert picture.flags.c_contiguous and picture.dtype == np.uint8
        self.calls += 1
        y, x = np.nonzero(picture[:, :, 0] > 128)
        if self.calls < self.first or len(x) < 21:
            return []
        order = np.argsort(picture[y, x, 1])[:21]
        return [hand_at(np.stack([x[order] + 0.5, y[order] + 0.5], 1))]


def marked(wide: int, high: int, places: list[int]) -> tuple[Pixels, NDArray[np.float64]]:
    """A grey picture with 21 marked pixels inside its edge, and where their middles are."""
    picture = np.full((high, wide, 3), 90, np.uint8)
    x, y = 1 + np.array(places) % (wide - 2), 1 + np.array(places) // (wide - 2)
    picture[y, x, 0] = 255
    picture[y, x, 1] = np.arange(21) * 12
    return picture, np.stack([x + 0.5, y + 0.5], 1)


@given(way=st.sampled_from(LOOKS), wide=st.integers(8, 40), high=st.integers(8, 40), data=st.data())
def test_what_a_look_finds_is_mapped_back(way: Look, wide: int, high: int, data: st.DataObject) -> None:
    inside = st.integers(0, (wide - 2) * (high - 2) - 1)
    picture, points = marked(wide, high, data.draw(st.lists(inside, min_size=21, max_size=21, unique=True)))
    shown, back = way.at(picture)
    found = Marks().find(np.where(shown[:, :, :1] > 128, shown, 0).astype(np.uint8))
    assert found[0].landmarks @ back[:, :2].T + back[:, 2] == pytest.approx(points, abs=1.0)


@pytest.mark.parametrize("way", LOOKS, ids=str)
def test_a_look_keeps_the_hand_rigid_and_unmirrored(way: Look) -> None:
    shown, back = way.at(np.zeros((48, 64, 3), np.uint8))
    turn = back[:, :2]
    assert np.linalg.det(turn) > 0
    assert turn @ turn.T == pytest.approx(np.eye(2) * np.linalg.det(turn))
    assert shown.flags.c_contiguous


@pytest.mark.parametrize("first", range(1, len(LOOKS) + 1))
def test_looking_ends_at_the_first_hand(first: int) -> None:
    picture, points = marked(60, 40, list(range(0, 42 * 20, 40)))
    finder = Marks(first)
    hand = look(finder, picture)
    assert finder.calls == first
    assert hand is not None and hand.landmarks == pytest.approx(points, abs=1.0)


@pytest.mark.parametrize("looks", [LOOKS[:1], LOOKS[2:4], LOOKS])
def test_only_the_looks_that_are_named_are_taken(looks: tuple[Look, ...]) -> None:
    finder = Marks()
    assert look(finder, np.zeros((20, 30, 3), np.uint8), looks) is None
    assert look_for_all(finder, np.zeros((20, 30, 3), np.uint8), looks) == []
    assert finder.calls == 2 * len(looks)


def test_the_first_look_is_the_picture_itself() -> None:
    picture = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)
    shown, back = LOOKS[0].at(picture)
    assert (shown == picture).all() and (back == np.eye(2, 3)).all()
