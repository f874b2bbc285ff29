"""While zones are set up, people read what keeps their hands from being read."""

from collections.abc import Sequence

import numpy as np
import pytest
from typing_extensions import override

from device.camera.base import CameraError
from device.camera.frames import BgrFrame, Frame, Pixels
from tests.helpers.hand_poses import POSES, hand_from_joints
from tests.helpers.table_matches import FakeCamera
from tests.helpers.waiting import wait_until
from throwlock.table_setup import zone_setup
from throwlock.table_setup.zone_setup import HandWatch, advise
from ui.screen.pages.zones import zone_problem_sentence
from vision.hands.detector import DetectedHand
from vision.hands.model import ModelError

ZONES = ((0.0, 0.0, 0.5, 1.0), (0.5, 0.0, 0.5, 1.0))
SIZE = 640, 360


def frame_of(*levels: int) -> Frame:
    """Return a frame of as many columns, each of one level of grey."""
    row = np.repeat(np.array(levels, np.uint8), SIZE[0] // len(levels))
    return BgrFrame(1, 1, 0, SIZE, np.broadcast_to(row[None, :, None], (SIZE[1], SIZE[0], 3)).copy())


class Hands:
    """Finds hands of these lengths (in pixels of its image; 0: none) in turn, the last one again and again."""

    def __init__(self, *lengths_px: float) -> None:
        self.lengths_px = list(lengths_px)
        self.closed = False

    def detect(self, image: Pixels) -> list[DetectedHand]:
        length_px = self.lengths_px.pop(0) if len(self.lengths_px) > 1 else self.lengths_px[0]
        hand = hand_from_joints(POSES["flat hand"][0])
        scale = length_px / float(np.ptp(hand.landmarks, axis=0).max())
        return [hand_from_joints(POSES["flat hand"][0], size=scale)] if length_px else []

    def __enter__(self) -> "Hands":
        return self

    def __exit__(self, *error: object) -> None:
        self.closed = True


@pytest.mark.parametrize(
    ("lengths_px", "levels", "advice"),
    [
        ((120, 120), (120, 120), None),
        ((120, 30), (120, 120), zone_problem_sentence("Ben", "far", 30)),
        ((120, 120), (20, 120), zone_problem_sentence("Ada", "dark", 0)),
        ((0, 0), (120, 20), zone_problem_sentence("Ben", "dark", 0)),
        ((0, 0), (120, 120), None),
    ],
)
def test_the_first_hand_that_cannot_be_read_is_named(
    lengths_px: Sequence[float], levels: Sequence[int], advice: str | None
) -> None:
    said = advise(frame_of(*levels), ZONES, ("Ada", "Ben"), Hands(*lengths_px))
    assert said == advice


def test_a_seat_without_a_name_is_numbered() -> None:
    said = advise(frame_of(120, 20), ZONES, (), Hands(120))
    assert said == zone_problem_sentence("Seat 2", "dark", 0)


class Camera(FakeCamera):
    """A camera with one image, or none."""

    image: Frame | None = frame_of(20)

    def latest(self) -> Frame:
        if self.image is None:
            raise CameraError("unplugged")
        return self.image


class Watch(HandWatch):
    """A watch on the fakes above."""

    def __init__(self, camera: Camera, hands: Hands) -> None:
        super().__init__(camera, ("Ada", "Ben"), lambda: hands)

    @override
    def find_advice(self, zones: Sequence[tuple[float, float, float, float]] = ZONES) -> str | None:
        return super().find_advice(zones)


def test_what_is_found_lasts_until_the_next_look(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zone_setup, "LOOK_INTERVAL_S", 0.0)
    camera, hands = Camera(), Hands(120)
    with Watch(camera, hands) as watch:
        wait_until(watch.find_advice, "a word about the dark")
        camera.image = None
        wait_until(lambda: watch.find_advice() is None, "an end of it")
        camera.image = frame_of(20)
        wait_until(watch.find_advice, "the dark again")
        camera.image = frame_of(120)
        wait_until(lambda: watch.find_advice() is None, "light")
    assert hands.closed


def test_without_the_hand_model_the_page_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zone_setup, "LOOK_INTERVAL_S", 0.0)
    tried = []

    def missing() -> Hands:
        tried.append(1)
        raise ModelError("no hand model")

    with HandWatch(Camera(), (), missing) as watch:
        wait_until(lambda: tried, "a try")
        assert watch.find_advice(ZONES) is None
