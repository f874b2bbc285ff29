"""Tests of the simulated table's rendering: reproducible, consistent between crops and sizes, and thread-safe."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from device.camera.frames import Box, Frame, Pixels
from device.simulated.table import sensor, tracer
from device.simulated.table.animation import Performance
from device.simulated.table.camera import SimulatedTable
from device.simulated.table.materials import CLOTHS
from device.simulated.table.people import SimulatedPerson
from device.system.clock import SimulatedClock
from tests.helpers.hand_truth import hand_truth
from tests.helpers.waiting import LIMIT_S

MS = 1_000_000
SECOND = 1_000 * MS
CUE = 5 * SECOND
BEAT = 500 * MS
ZONE_1, ZONE_2 = Box(126, 141, 436, 436), Box(716, 141, 436, 436)


def table_and_frame(
    *performances: Performance, when_ns: int = CUE + 600 * MS, **options: object
) -> tuple[SimulatedTable, Frame]:
    """Return a table of two and its frame at ``when_ns``."""
    clock = SimulatedClock()
    options = {
        "seed": 0,
        "cloth": "plain",
        "people": [SimulatedPerson(skin=0.2), SimulatedPerson(skin=0.8, left=True)],
        **options,
    }
    table = SimulatedTable(clock, 2, **options)  # type: ignore[arg-type]  # each test's own options
    table.start()
    for seat, performance in enumerate(performances, 1):
        table.perform(seat, performance)
    clock.wait_until(when_ns + 12 * MS)
    return table, min(table.frames_between(0, 10**18), key=lambda frame: abs(frame.exposed_ns - when_ns))


def throw_of(name: str) -> Performance:
    return Performance(name, CUE, BEAT)


def hand_mask(table: SimulatedTable, seat: int, frame: Frame, box: Box, size: tuple[int, int]) -> NDArray[np.bool_]:
    """Return the mask of the pixels that lie on a hand's bones."""
    points = (hand_truth(table, seat, frame.exposed_ns).keypoints - (box.x, box.y)) * (size[0] / box.w, size[1] / box.h)
    mask = np.zeros((size[1], size[0]), np.uint8)
    for root in (1, 5, 9, 13, 17):
        chain = np.vstack([points[:1], points[root : root + 4]]).round().astype(np.int32)
        cv2.polylines(mask, [chain], False, 1, 3)
    return mask > 0


def mean_difference(a: Pixels, b: Pixels) -> float:
    return float(np.abs(a.astype(float) - b).mean())


@pytest.mark.parametrize("when_ns", [CUE, CUE - 650 * MS, CUE + 600 * MS])
def test_the_same_seed_gives_the_same_pixels(when_ns: int) -> None:
    pictures = [
        table_and_frame(throw_of("paper"), throw_of("scissors"), when_ns=when_ns, seed=7)[1].pixels(ZONE_1, (96, 96))
        for _ in range(2)
    ]
    assert (pictures[0] == pictures[1]).all()
    other = table_and_frame(throw_of("paper"), throw_of("scissors"), when_ns=when_ns, seed=8)[1].pixels(
        ZONE_1, (96, 96)
    )
    assert mean_difference(pictures[0], other) > 1


def test_frames_of_a_still_table_differ_only_in_noise() -> None:
    table, frame = table_and_frame(throw_of("paper"), throw_of("rock"))
    previous = next(f for f in table.frames_between(0, 10**18) if f.number == frame.number - 1)
    box = Box(580, 20, 100, 100)  # only cloth
    a, b = frame.pixels(box).astype(float), previous.pixels(box).astype(float)
    sigma = float(np.std(a - b) / np.sqrt(2))
    assert 1.3 < sigma < 3.3
    assert abs(float((a - b).mean())) < 0.1
    # a pixel that is the mean of 16 has a quarter of their noise, and the rounding to whole levels
    small = [f.pixels(Box(540, 20, 200, 100), (50, 25)).astype(float) for f in (frame, previous)]
    assert np.std(small[0] - small[1]) / np.sqrt(2) == pytest.approx(np.hypot(sigma / 4, 0.29), rel=0.15)


@pytest.mark.parametrize(("when_ns", "tolerance"), [(CUE + 600 * MS, 0.3), (CUE, 1.0)])
def test_crop_equals_the_part_of_the_whole_frame(when_ns: int, tolerance: float) -> None:
    _, frame = table_and_frame(throw_of("paper"), throw_of("scissors"), when_ns=when_ns)
    whole = frame.pixels()
    assert whole.shape == (720, 1280, 3)
    assert whole.dtype == np.uint8
    for box in (Box(250, 260, 171, 133), Box(840, 280, 120, 150)):
        part = frame.pixels(box)
        inside = whole[box.y : box.y + box.h, box.x : box.x + box.w]
        assert part.shape == inside.shape
        assert mean_difference(part[8:-8, 8:-8], inside[8:-8, 8:-8]) < tolerance


@pytest.mark.parametrize("when_ns", [CUE, CUE + 600 * MS])
def test_small_picture_equals_the_scaled_large_one(when_ns: int) -> None:
    table, frame = table_and_frame(throw_of("paper"), throw_of("scissors"), when_ns=when_ns)
    large = frame.pixels(ZONE_1)
    small = frame.pixels(ZONE_1, (218, 218))
    scaled = np.asarray(cv2.resize(large, (218, 218), interpolation=cv2.INTER_AREA), np.uint8)
    assert mean_difference(small, scaled) < 1.5
    hand = hand_mask(table, 1, frame, ZONE_1, (218, 218))
    assert mean_difference(small[hand], scaled[hand]) < 6
    # and the small one is not merely right on average
    assert np.abs(small.astype(float) - np.roll(scaled, 4, axis=1))[hand].mean() > 6


@pytest.mark.parametrize("name", ["rock", "paper", "scissors"])
def test_hands_are_drawn_where_the_truth_says(name: str) -> None:
    table, frame = table_and_frame(throw_of(name), throw_of(name))
    for seat, zone in ((1, ZONE_1), (2, ZONE_2)):
        picture = frame.pixels(zone, (218, 218)).astype(float)
        hand = hand_mask(table, seat, frame, zone, (218, 218))
        cloth = picture[:20].mean(axis=(0, 1))
        skin = picture[hand]
        assert (np.abs(skin - cloth).max(axis=1) > 25).mean() > 0.95
        assert skin[:, 0].mean() > skin[:, 1].mean() > skin[:, 2].mean()


def test_skin_and_sleeve_colours_match_the_people() -> None:
    sleeved = [SimulatedPerson(skin=0.0, sleeve=(20, 40, 200), cuff_mm=90), SimulatedPerson(skin=1.0)]
    table, frame = table_and_frame(throw_of("paper"), throw_of("paper"), people=sleeved)
    light, dark = (
        frame.pixels(zone)[hand_mask(table, seat, frame, zone, (436, 436))].mean()
        for seat, zone in ((1, ZONE_1), (2, ZONE_2))
    )
    assert light > dark + 60
    cuff = frame.pixels(Box(10, 340, 40, 40)).mean(axis=(0, 1))
    assert cuff[2] > cuff[0] + 60


def test_a_hidden_hand_leaves_only_cloth() -> None:
    hidden = Performance("paper", CUE, BEAT, hidden=True)
    table, frame = table_and_frame(hidden, throw_of("paper"))
    empty = frame.pixels(ZONE_1, (109, 109)).astype(float)
    assert empty.std(axis=(0, 1)).max() < 8
    assert hand_truth(table, 1, CUE).keypoints[:, 0].max() < 0


def test_moving_hands_are_blurred() -> None:
    def sharpness(exposure_ns: int) -> float:
        table, frame = table_and_frame(throw_of("paper"), throw_of("rock"), when_ns=CUE, exposure_ns=exposure_ns)
        picture = frame.pixels(ZONE_1)
        tips = hand_truth(table, 1, frame.exposed_ns).keypoints[[8, 12, 16, 20]].mean(axis=0) - ZONE_1[:2]
        x, y = (int(at) for at in tips)
        grey = cv2.cvtColor(cv2.GaussianBlur(picture, (0, 0), 1), cv2.COLOR_RGB2GRAY)
        return float(cv2.Laplacian(grey[y - 50 : y + 50, x - 50 : x + 50], cv2.CV_64F).std())

    assert sharpness(16 * MS) < 0.8 * sharpness(0)


@pytest.mark.parametrize("cloth", list(CLOTHS))
def test_every_cloth_is_drawn_and_lit(cloth: str) -> None:
    for seed in range(3):
        picture = table_and_frame(seed=seed, cloth=cloth, when_ns=SECOND)[1].pixels(None, (160, 90))
        assert 15 < picture.mean() < 245
        assert (picture == 255).all(axis=2).mean() < 0.01
        assert picture[30:60, 60:100].std() > 0.5


def test_hands_cast_shadows() -> None:
    lit = table_and_frame(throw_of("paper"), throw_of("paper"))[1].pixels(ZONE_1, (109, 109)).astype(float).mean(axis=2)
    cloth = np.median(lit[:15])
    assert np.quantile(lit, 0.05) < 0.75 * cloth


def test_boxes_outside_the_frame_raise() -> None:
    _, frame = table_and_frame()
    for box in (Box(-1, 0, 10, 10), Box(0, 0, 1281, 10), Box(0, 711, 10, 10), Box(0, 0, 0, 10)):
        with pytest.raises(ValueError, match="not inside the frame of 1280 × 720"):
            frame.pixels(box)


def test_odd_sizes_and_corners_can_be_rendered() -> None:
    _, frame = table_and_frame(throw_of("paper"), throw_of("paper"), when_ns=CUE)
    for box, size in (
        (Box(0, 0, 1, 1), None),
        (Box(1279, 719, 1, 1), (3, 5)),
        (Box(300, 300, 7, 250), (13, 11)),
        (Box(300, 300, 50, 50), (200, 200)),
        (None, (31, 17)),
    ):
        picture = frame.pixels(box, size)
        assert picture.shape[1::-1] == (size or (1, 1))


def test_concurrent_rendering_gives_the_same_pixels() -> None:
    """Crops rendered concurrently have the same pixels, and numba does not abort the process."""
    table, _ = table_and_frame(throw_of("paper"), throw_of("scissors"))
    work = [(f, box) for f in table.frames_between(CUE - 60 * MS, CUE + 60 * MS) for box in (ZONE_1, ZONE_2)]
    alone = [frame.pixels(box, (64, 64)) for frame, box in work]
    again, _ = table_and_frame(throw_of("paper"), throw_of("scissors"))
    work = [(f, box) for f in again.frames_between(CUE - 60 * MS, CUE + 60 * MS) for box in (ZONE_1, ZONE_2)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda job: job[0].pixels(job[1], (64, 64)), work * 3))
    for i, picture in enumerate(together):
        assert (picture == alone[i % len(alone)]).all()


def test_kernels_can_be_loaded_by_several_threads_at_once() -> None:
    """In a new process, any thread may be the first to load the kernels."""
    program = """
from concurrent.futures import ThreadPoolExecutor
from device.system.clock import SimulatedClock
from device.camera.frames import Box
from device.simulated.table.camera import SimulatedTable
clock = SimulatedClock()
table = SimulatedTable(clock, 2, cloth="plain")
table._scene.warm_up = lambda: None
table.start()
clock.wait_until(100_000_000)
frames = table.frames_between(0, 10**18)
with ThreadPoolExecutor(4) as pool:
    print(sum(pool.map(lambda f: f.pixels(Box(126, 141, 436, 436), (32, 32)).shape[0], frames[:4])))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=LIMIT_S, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "128"), done.stderr


def test_hand_distance_of_a_sphere() -> None:
    """A sphere of radius 10 mm at 50 mm is 40 mm away; at its centre the distance is -10."""
    field = np.zeros((tracer.FIELD_ROWS, tracer.SIMD_LANES), np.float32)
    field[tracer.RADIUS] = -tracer.FAR_MM
    field[tracer.X, 0], field[tracer.RADIUS, 0], field[tracer.AXIS_X, 0] = 50, 10, 1
    cluster = tracer.SegmentCluster(field, 1, 1.0, np.empty(tracer.SIMD_LANES, np.float32))
    assert tracer.hand_distance(cluster, 0.0, 0.0, 0.0) == pytest.approx(40)
    assert tracer.hand_distance(cluster, 50.0, 0.0, 0.0) == pytest.approx(-10)
    assert tracer.hand_distance(cluster, 50.0, 0.0, 30.0) == pytest.approx(20)


def test_the_tone_curve_is_srgb() -> None:
    curve = sensor.tone_curve()
    at = np.linspace(0, 1, len(curve))
    assert np.interp([0.0, 0.2140, 1.0], at, curve) == pytest.approx([0, 127.5, 255], abs=0.1)
