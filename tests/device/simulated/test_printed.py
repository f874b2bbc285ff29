"""Tests of printed objects in front of the simulated camera: they appear where the ground truth says, realistically
lit."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from device.camera.base import CameraError
from device.camera.frames import Pixels
from device.simulated.printed.objects import (
    HandOverTable,
    ObjectPose,
    PrintedObject,
    PrintedSheet,
    RoomLight,
    TiltedCameraOptics,
    turn_over_keyframes,
)
from device.simulated.printed.scene import PrintedCamera, PrintedScene
from device.system.clock import SimulatedClock

DICTIONARY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_250)
S = 1_000_000_000


def face(number: int, paper: int = 255) -> Pixels:
    picture = np.full((440, 315, 3), paper, np.uint8)
    picture[40:240, 57:257] = cv2.aruco.generateImageMarker(DICTIONARY, number, 200)[..., None]
    return picture


def card(number: int) -> PrintedSheet:
    return PrintedSheet(face(number), face(200), (63.0, 88.0))


def found(picture: Pixels) -> dict[int, np.ndarray]:
    corners, numbers, _ = cv2.aruco.ArucoDetector(DICTIONARY).detectMarkers(picture)
    return {} if numbers is None else {int(n): c[0] for n, c in zip(numbers.ravel(), corners, strict=True)}


def marker_in(corners: np.ndarray) -> np.ndarray:
    """Return the marker's corners expected from the true corners of its card."""
    into = cv2.getPerspectiveTransform(np.array([[0, 0], [315, 0], [315, 440], [0, 440]], np.float32), corners)
    marker = np.array([[[57, 40]], [[257, 40]], [[257, 240]], [[57, 240]]], np.float32)
    return cv2.perspectiveTransform(marker, into)[:, 0]


@pytest.mark.parametrize("turn", [0, 33, 90, 200])
@pytest.mark.parametrize("tilt", [0.0, 18.0])
def test_card_appears_where_the_truth_says(turn: float, tilt: float) -> None:
    scene = PrintedScene(
        (PrintedObject("a", card(7), ((0, ObjectPose(60, -30, turn_deg=turn)),)),),
        optics=TiltedCameraOptics(tilt_x=tilt, tilt_y=-tilt / 2),
    )
    (truth,) = scene.visible_objects(0)
    seen = found(scene.photograph(0))
    assert (truth.side, list(seen)) == ("front", [7]) and truth.covered_share < 0.03
    assert np.abs(seen[7] - marker_in(truth.corners.astype(np.float32))).max() < 2.0


def test_card_turned_over_shows_its_back_then_its_front() -> None:
    scene = PrintedScene(
        (PrintedObject("a", card(7), turn_over_keyframes(S, ObjectPose(0, 0, turn_deg=20, flip_deg=180))),)
    )
    for when, side, number in ((S - 1, "back", 200), (2 * S, "front", 7)):
        (truth,) = scene.visible_objects(when)
        assert truth.side == side and list(found(scene.photograph(when))) == [number]
        assert np.abs(found(scene.photograph(when))[number] - marker_in(truth.corners.astype(np.float32))).max() < 2.0
    assert not found(scene.photograph(S + 110_000_000))  # on its edge, and in motion


def test_hands_and_cards_cover_what_is_below() -> None:
    lower = PrintedObject("lower", card(1), ((0, ObjectPose(0, 0)),))
    scene = PrintedScene((lower, PrintedObject("upper", card(2), ((0, ObjectPose(20, 10, z=1, turn_deg=45)),))))
    assert 0.3 < scene.visible_objects(0)[0].covered_share < 0.9 and scene.visible_objects(0)[1].covered_share < 0.03
    away = PrintedScene(
        (lower,), (HandOverTable(((0, ObjectPose(0, 300)), (S, ObjectPose(0, -40, 20)), (2 * S, ObjectPose(0, 300)))),)
    )
    assert away.visible_objects(S)[0].covered_share > 0.5 and not found(away.photograph(S))
    assert away.visible_objects(3 * S)[0].covered_share < 0.03 and 1 in found(away.photograph(3 * S))


def test_light_glare_and_curl_change_the_image() -> None:
    plain = PrintedScene(
        (PrintedObject("a", card(7), ((0, ObjectPose(0, 0)),)),),
        light=RoomLight(to_right=0, to_bottom=0),
        optics=TiltedCameraOptics(noise=0),
    )
    bright = plain.photograph(0)
    dark = replace(plain, light=RoomLight(level=0.3)).photograph(0)
    assert dark.mean() < 0.5 * bright.mean()
    glare = replace(plain, light=RoomLight(to_right=0, to_bottom=0, glare=((0, -20, 40, 1.0),)))
    assert glare.photograph(0).mean() > bright.mean()
    curled = replace(plain, objects=(PrintedObject("a", card(7), ((0, ObjectPose(0, 0, curl_mm=12)),)),))
    corners = curled.visible_objects(0)[0].corners
    assert np.ptp(corners[:, 0]) > np.ptp(
        plain.visible_objects(0)[0].corners[:, 0]
    )  # its edges stand nearer to the camera


def test_frames_show_the_scene_at_their_exposure() -> None:
    clock = SimulatedClock()
    camera = PrintedCamera(clock, PrintedScene((PrintedObject("a", card(7), ((0, ObjectPose(0, 0)),)),)))
    with pytest.raises(CameraError, match="not running"):
        camera.latest()
    camera.start()
    clock.wait_until(S)
    before = camera.latest()
    camera.place(PrintedObject("a", card(9), ((0, ObjectPose(0, 0)),)))
    clock.wait_until(2 * S)
    assert list(found(before.pixels())) == [7] and list(found(camera.latest().pixels())) == [9]
    camera.remove("a")
    clock.wait_until(3 * S)
    assert not found(camera.latest().pixels()) and not camera.visible_objects(3 * S)
    assert [seen.name for seen in camera.visible_objects(S)] == ["a"]
    times = [frame.exposed_ns for frame in camera.frames_between(S, 2 * S)]
    assert len(times) in (30, 31) and times == sorted(times)
    camera.stall()
    with pytest.raises(CameraError, match="stalled"):
        camera.frames_between(S, 2 * S)
