"""Shapes: skeletons of hands, posed by the angles of their joints, are read as the throw they show or as none, however
the hand is turned, mirrored or sized; fingers() grows steadily while a hand opens."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from rules.throws import Throw
from vision.hands.classifier import chances, measures
from vision.hands.detector import Hand
from vision.hands.shapes import fingers, read, read_together

Vector = NDArray[np.float64]

# A right hand seen from its back, in millimetres: wrist at 0, x towards the little finger, y along the arm, z towards
# the camera. Base and bones of index, middle, ring and little finger, and of the thumb.
BASES = np.array([[-26, 88, 0], [-6, 91, 3], [13, 86, 2], [30, 77, -2]], float)
BONES = np.array([[42, 26, 22], [47, 30, 23], [43, 28, 23], [34, 21, 20]], float)
FAN = np.array([-9, -1, 7, 15.0])
THUMB_BASE, THUMB_BONES = np.array([-18, 20, -6.0]), (45, 33, 27)
THUMBS = {
    "beside": [(-0.66, 0.70, -0.28), (-0.55, 0.82, -0.16), (-0.45, 0.88, -0.08)],
    "close": [(-0.45, 0.87, -0.20), (-0.15, 0.98, -0.10), (-0.05, 0.99, -0.08)],
    "on the fist": [(-0.40, 0.72, -0.58), (0.16, 0.86, -0.52), (0.80, 0.58, -0.16)],
    "folded": [(-0.10, 0.72, -0.62), (0.72, 0.60, -0.40), (0.95, 0.30, -0.06)],
    "out": [(-0.85, 0.45, -0.15), (-0.93, 0.30, 0.0), (-0.97, 0.15, 0.1)],
}
STRAIGHT, CURLED = (6, 8, 5), (82, 110, 65)


def posed(flexes: list[tuple[float, float, float]], thumb: str, fan: float = 1.0) -> Vector:
    """The (21, 3) joints of a hand; a flex is the three angles, in degrees, of a finger's joints."""
    points = [np.zeros(3), THUMB_BASE]
    for bone, way in zip(THUMB_BONES, THUMBS[thumb], strict=True):
        points.append(points[-1] + bone * np.array(way) / np.linalg.norm(way))
    for base, bones, side, flex in zip(BASES, BONES, np.radians(FAN * fan), flexes, strict=True):
        points.append(base)
        for bone, down in zip(bones, np.radians(np.cumsum(flex)), strict=True):
            ahead = np.cos(down) * np.array([np.sin(side), np.cos(side), 0])
            points.append(points[-1] + bone * (ahead - np.sin(down) * np.array([0, 0, 1])))
    return np.array(points)


def seen(points: Vector, turn: float = 0, tilt: float = 0, size: float = 1, left: bool = False) -> Hand:
    """The hand as a camera far above sees it: turned by ``turn`` degrees in the picture, tilted about its arm."""
    a, b = np.radians(tilt), np.radians(turn)
    points = points * (-1 if left else 1, 1, 1)
    points = points @ np.array([[np.cos(a), 0, np.sin(a)], [0, 1, 0], [-np.sin(a), 0, np.cos(a)]]).T
    points = points @ np.array([[np.cos(b), -np.sin(b), 0], [np.sin(b), np.cos(b), 0], [0, 0, 1]]).T
    world = points * (1, -1, -1) / 1000
    return Hand(world[:, :2] * 1000 * size + (320, 240), world - world.mean(0), right=not left, score=1.0)


def up(*straight: int) -> list[tuple[float, float, float]]:
    return [STRAIGHT if finger in straight else CURLED for finger in (1, 2, 3, 4)]


POSES: dict[str, tuple[Vector, Throw | None]] = {
    "fist": (posed(up(), "on the fist"), Throw.ROCK),
    "flat hand": (posed(up(1, 2, 3, 4), "beside"), Throw.PAPER),
    "fingers together": (posed(up(1, 2, 3, 4), "close", fan=0.3), Throw.PAPER),
    "two fingers": (posed(up(1, 2), "folded"), Throw.SCISSORS),
    "one finger": (posed(up(1), "on the fist"), None),
    "middle finger": (posed(up(2), "on the fist"), None),
    "little finger": (posed(up(4), "on the fist"), None),
    "horns": (posed(up(1, 4), "on the fist"), None),
    "three fingers": (posed(up(1, 2, 3), "folded"), None),
    "four fingers": (posed(up(1, 2, 3, 4), "folded"), None),
    "thumbs up": (posed(up(), "out"), None),
    "call me": (posed(up(4), "out"), None),
}
FEW = settings(max_examples=30)
"""Of each of twelve poses."""
TURNED = {"turn": st.floats(-180, 180), "tilt": st.floats(-20, 20), "size": st.floats(0.3, 8), "left": st.booleans()}


@pytest.mark.parametrize("name", POSES)
@FEW
@given(**TURNED)
def test_a_pose_is_read_however_the_hand_is_seen(name: str, turn: float, tilt: float, size: float, left: bool) -> None:
    points, throw = POSES[name]
    reading = read(seen(points, turn, tilt, size, left))
    assert reading.throw == throw
    assert 0.5 <= reading.confidence <= 1


@pytest.mark.parametrize("name", POSES)
@FEW
@given(turn=st.floats(-180, 180), size=st.floats(0.3, 8), left=st.booleans())
def test_turning_mirroring_and_sizing_change_nothing(name: str, turn: float, size: float, left: bool) -> None:
    points, _ = POSES[name]
    plain, other = seen(points), seen(points, turn, 0, size, left)
    assert measures([other]) == pytest.approx(measures([plain]), abs=1e-5)
    assert chances([other]) == pytest.approx(chances([plain]), abs=1e-5)
    assert fingers(other) == pytest.approx(fingers(plain), abs=1e-9)


def test_thumb_and_index_are_scissors_if_allowed() -> None:
    hand = seen(posed(up(1), "out"))
    assert read(hand).throw is Throw.SCISSORS
    assert read(hand, thumb_index_scissors=False).throw is None


@pytest.mark.parametrize("name", ["fist", "flat hand", "two fingers"])
def test_extension_says_which_fingers_are_straight(name: str) -> None:
    points, throw = POSES[name]
    straight = {Throw.ROCK: (0, 0, 0, 0), Throw.PAPER: (1, 1, 1, 1), Throw.SCISSORS: (1, 1, 0, 0), None: ()}[throw]
    assert read(seen(points)).extension[1:] == pytest.approx(straight, abs=0.1)


@settings(max_examples=40)  # each opens a hand in 41 steps
@given(tilt=st.floats(-60, 60), left=st.booleans())
def test_fingers_grow_steadily_while_a_hand_opens(tilt: float, left: bool) -> None:
    steps = np.linspace(0, 1, 41)
    flexes = [tuple(np.array(CURLED) * (1 - step) + np.array(STRAIGHT) * step) for step in steps]
    openness = np.array([fingers(seen(posed([flex] * 4, "beside"), tilt=tilt, left=left))[1:] for flex in flexes])
    assert (np.diff(openness, axis=0) >= -1e-9).all()
    assert np.diff(openness, axis=0).max() < 0.12
    assert openness[0].max() < 0.1 and openness[-1].min() > 0.9
    middle = np.array([steps[np.searchsorted(finger, 0.5)] for finger in openness.T])
    assert middle == pytest.approx(0.5, abs=0.15)


@pytest.mark.parametrize("share", [0.45, 0.5, 0.55])
def test_a_hand_half_way_to_paper_is_no_paper(share: float) -> None:
    flex = tuple(np.array(CURLED) * (1 - share) + np.array(STRAIGHT) * share)
    assert read(seen(posed([flex] * 4, "beside"))).throw is not Throw.PAPER


@pytest.mark.parametrize("thumb_index", [True, False])
@given(st.lists(st.floats(-400, 400), min_size=42, max_size=42))
def test_chances_are_chances_whatever_the_landmarks(thumb_index: bool, flat: list[float]) -> None:
    points = np.c_[np.reshape(flat, (21, 2)), np.zeros(21)]
    known = chances([seen(points)], thumb_index)
    assert set(known) == {*Throw, None}
    assert all(0 <= chance <= 1 for chance in known.values())
    assert sum(known.values()) == pytest.approx(1)


def test_looks_are_read_together() -> None:
    paper, fist = seen(POSES["flat hand"][0]), seen(POSES["fist"][0], turn=90)
    assert read_together([paper]).confidence == read(paper).confidence
    assert read_together([paper, paper, paper, fist]).throw in (Throw.PAPER, None)
    together = read_together([paper, fist])
    assert together.extension == pytest.approx((fingers(paper) + fingers(fist)) / 2)


@pytest.mark.parametrize("points", [np.zeros((21, 3)), np.ones((21, 3)) * 7.0])
def test_landmarks_in_one_point_are_no_fault(points: Vector) -> None:
    reading = read(seen(points))
    assert np.isfinite(reading.confidence) and np.isfinite(reading.extension).all()
