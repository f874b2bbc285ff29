"""Printed things before the simulated camera: what is seen is where the truth says, and looks as a camera sees it."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from device.camera.base import CameraError
from device.camera.frames import Pixels
from device.simulated.printed.camera import PrintedCamera
from device.simulated.printed.optics import Light, Optics
from device.simulated.printed.scene import Scene
from device.simulated.printed.things import Pose, Print, Reach, Thing, turned_over
from device.system.clock import JumpingClock

DICTIONARY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_250)
S = 1_000_000_000


def face(number: int, paper: int = 255) -> Pixels:
    picture = np.full((440, 315, 3), paper, np.uint8)
    picture[40:240, 57:257] = cv2.aruco.generateImageMarker(DICTIONARY, number, 200)[..., None]
    return picture


def card(number: int) -> Print:
    return Print(face(number), face(200), (63.0, 88.0))


def found(picture: Pixels) -> dict[int, np.ndarray]:
    corners, numbers, _ = cv2.aruco.ArucoDetector(DICTIONARY).detectMarkers(picture)
    return {} if numbers is None else {int(n): c[0] for n, c in zip(numbers.ravel(), corners, strict=True)}


def marker_in(corners: np.ndarray) -> np.ndarray:
    """Where the marker of ``face`` must be, from the truth's corners."""
    into = cv2.getPerspectiveTransform(np.array([[0, 0], [315, 0], [315, 440], [0, 440]], np.float32), corners)
    marker = np.array([[[57, 40]], [[257, 40]], [[257, 240]], [[57, 240]]], np.float32)
    return cv2.perspectiveTransform(marker, into)[:, 0]


@pytest.mark.parametrize("turn", [0, 33, 90, 200])
@pytest.mark.parametrize("tilt", [0.0, 18.0])
def test_a_card_is_seen_where_the_truth_says(turn: float, tilt: float) -> None:
    scene = Scene(
        (Thing("a", card(7), ((0, Pose(60, -30, turn=turn)),)),), optics=Optics(tilt_x=tilt, tilt_y=-tilt / 2)
    )
    (truth,) = scene.truth(0)
    seen = found(scene.photograph(0))
    assert (truth.side, list(seen)) == ("front", [7]) and truth.covered < 0.03
    assert np.abs(seen[7] - marker_in(truth.corners.astype(np.float32))).max() < 2.0


def test_a_card_that_is_turned_over_shows_its_back_and_then_its_front() -> None:
    scene = Scene((Thing("a", card(7), turned_over(S, Pose(0, 0, turn=20, flip=180))),))
    for when, side, number in ((S - 1, "back", 200), (2 * S, "front", 7)):
        (truth,) = scene.truth(when)
        assert truth.side == side and list(found(scene.photograph(when))) == [number]
        assert np.abs(found(scene.photograph(when))[number] - marker_in(truth.corners.astype(np.float32))).max() < 2.0
    assert not found(scene.photograph(S + 110_000_000))  # on its edge, and in motion


def test_a_hand_and_a_card_on_top_cover_what_is_under_them() -> None:
    lower = Thing("lower", card(1), ((0, Pose(0, 0)),))
    scene = Scene((lower, Thing("upper", card(2), ((0, Pose(20, 10, z=1, turn=45)),))))
    assert 0.3 < scene.truth(0)[0].covered < 0.9 and scene.truth(0)[1].covered < 0.03
    away = Scene((lower,), (Reach(((0, Pose(0, 300)), (S, Pose(0, -40, 20)), (2 * S, Pose(0, 300)))),))
    assert away.truth(S)[0].covered > 0.5 and not found(away.photograph(S))
    assert away.truth(3 * S)[0].covered < 0.03 and 1 in found(away.photograph(3 * S))


def test_light_glare_curl_and_blur_change_the_picture_as_they_do_in_a_room() -> None:
    plain = Scene(
        (Thing("a", card(7), ((0, Pose(0, 0)),)),), light=Light(to_right=0, to_bottom=0), optics=Optics(noise=0)
    )
    bright = plain.photograph(0)
    dark = replace(plain, light=Light(level=0.3)).photograph(0)
    assert dark.mean() < 0.5 * bright.mean()
    glare = replace(plain, light=Light(to_right=0, to_bottom=0, glare=((0, -20, 40, 1.0),)))
    assert glare.photograph(0).mean() > bright.mean()
    curled = replace(plain, things=(Thing("a", card(7), ((0, Pose(0, 0, curl=12)),)),))
    corners = curled.truth(0)[0].corners
    assert np.ptp(corners[:, 0]) > np.ptp(plain.truth(0)[0].corners[:, 0])  # its edges stand nearer to the camera


def test_frames_are_what_the_table_was_when_they_were_exposed() -> None:
    clock = JumpingClock()
    camera = PrintedCamera(clock, Scene((Thing("a", card(7), ((0, Pose(0, 0)),)),)))
    with pytest.raises(CameraError, match="not running"):
        camera.latest()
    camera.start()
    clock.wait_until(S)
    before = camera.latest()
    camera.lay(Thing("a", card(9), ((0, Pose(0, 0)),)))
    clock.wait_until(2 * S)
    assert list(found(before.pixels())) == [7] and list(found(camera.latest().pixels())) == [9]
    camera.take("a")
    clock.wait_until(3 * S)
    assert not found(camera.latest().pixels()) and not camera.truth(3 * S)
    assert [seen.name for seen in camera.truth(S)] == ["a"]
    times = [frame.exposed_ns for frame in camera.ring(S, 2 * S)]
    assert len(times) in (30, 31) and times == sorted(times)
    camera.stall()
    with pytest.raises(CameraError, match="stalled"):
        camera.ring(S, 2 * S)
