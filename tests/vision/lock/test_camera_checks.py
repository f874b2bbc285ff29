"""Camera and light at the simulated table: what makes a round void is detected, what is harmless is ignored."""

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.camera.frames import BgrFrame, Frame
from device.simulated.table.animation import Performance
from device.simulated.table.camera import SimulatedTable
from device.simulated.table.disturbances import Disturbance
from device.system.clock import SimulatedClock
from tests.helpers.hand_truth import hand_truth
from vision.lock.camera_checks import MIN_CAMERA_SHIFT, CameraCheck, check_camera, check_frame_gaps
from vision.lock.reasons import VoidKind

MS = 1_000_000
CUE = 3_000 * MS
SPAN = CUE - 150 * MS, CUE + 170 * MS


def record_round(
    seed: int, *disturbances: Disturbance, cloth: str | None = None
) -> tuple[list[Frame], list[np.ndarray]]:
    """Return the frames of a round of two at the simulated table, and the landmarks of its hands."""
    clock = SimulatedClock()
    table = SimulatedTable(clock, 2, seed=seed, cloth=cloth)
    table.start()
    for seat, throw in ((1, "paper"), (2, "scissors")):
        table.perform(seat, Performance(throw, CUE, 550 * MS))
    for disturbance in disturbances:
        table.disturb(disturbance)
    clock.wait_until(CUE + 1_000 * MS)
    frames = list(table.frames_between(CUE - 1_250 * MS, CUE + 900 * MS))
    hands = [hand_truth(table, seat, frame.exposed_ns).keypoints for frame in frames[::12] for seat in (1, 2)]
    return frames, hands


def find_void_reason(seed: int, kind: str, **more: float) -> tuple[str | None, float]:
    """Return kind and measurement of the void reason found in a round with a disturbance from 400 ms before the cue."""
    disturbance = Disturbance(kind, CUE - 400 * MS, CUE + 1_500 * MS, variant=seed, **more)  # type: ignore[arg-type]
    frames, hands = record_round(seed, disturbance)
    void_reason = check_camera(frames, hands, SPAN, 150 * MS, has_fouls=True)
    return (str(void_reason.kind), void_reason.measurement) if void_reason else (None, 0.0)


@pytest.mark.parametrize("seed", [1, 4, 5, 9])
@pytest.mark.parametrize("kind", ["covered", "moved", "dark", "gap"])
def test_disturbances_make_the_round_void(kind: str, seed: int) -> None:
    names = {"covered": "covered", "moved": "moved", "dark": "too dark", "gap": "too few frames"}
    assert find_void_reason(seed, kind)[0] == names[kind]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", ["tremor", "flicker"])
def test_harmless_disturbances_are_ignored(kind: str, seed: int) -> None:
    assert find_void_reason(seed, kind)[0] is None


def test_the_shift_of_a_moved_camera_is_measured() -> None:
    kind, measurement = find_void_reason(4, "moved", amount=0.06)
    assert kind == "moved" and measurement == pytest.approx(0.06, abs=0.02)


def test_a_shift_of_a_few_pixels_is_ignored() -> None:
    """Half of the shift that counts, applied to a frame of the same round."""
    frames, hands = record_round(2)
    check = CameraCheck(frames[0], hands)
    image = np.roll(frames[-1].pixels()[..., ::-1], round(MIN_CAMERA_SHIFT / 2 * 1280), 1)
    shifted = BgrFrame(0, SPAN[1], 0, frames[0].size, image)
    assert check_camera([*frames[:-1], shifted], hands, SPAN, 10**12, has_fouls=True) is None
    assert check.correlation(check.thumbnail(shifted)) < check.correlation(check.thumbnail(frames[-1]))


def dim_table(level: float, detail: float = 1.0) -> list[Frame]:
    """Return frames of a table without hands whose brightness falls to ``level`` before the cue, and whose contrast
    falls to the share ``detail``."""
    table = cv2.GaussianBlur(np.random.default_rng(7).uniform(0, 255, (144, 256, 3)), (0, 0), 2.0)
    table *= 200 / np.percentile(table, 98)
    dimmed = (table.mean() + (table - table.mean()) * detail) * level / 200
    images = [table if at < CUE - 400 * MS else dimmed for at in range(0, CUE + 1_000 * MS, 20 * MS)]
    return [BgrFrame(i, i * 20 * MS, 0, (256, 144), image.astype(np.uint8)) for i, image in enumerate(images)]


@pytest.mark.parametrize(("level", "has_fouls", "is_dark"), [(25, True, True), (25, False, False), (36, True, False)])
def test_darkness_voids_a_round_with_a_foul_below_its_level(level: float, has_fouls: bool, is_dark: bool) -> None:
    void_reason = check_camera(dim_table(level), [], SPAN, 150 * MS, has_fouls)
    assert (void_reason and void_reason.kind) == (VoidKind.DARK if is_dark else None)
    assert void_reason is None or void_reason.measurement == pytest.approx(level, abs=2)


def test_a_smooth_cloth_in_dim_light_is_not_covered() -> None:
    """The noise of the camera's gain hides what little detail there is; a round that is read counts."""
    dim = Disturbance("dark", CUE - 1_000 * MS, CUE + 1_500 * MS, amount=0.003)
    frames, hands = record_round(3, dim, cloth="plain")
    assert check_camera(frames, hands, SPAN, 150 * MS, has_fouls=False) is None


@pytest.mark.parametrize("has_fouls", [True, False])
def test_a_dark_image_without_detail_is_covered_with_or_without_a_foul(has_fouls: bool) -> None:
    void_reason = check_camera(dim_table(25, 0.0), [], SPAN, 150 * MS, has_fouls)
    assert void_reason is not None and void_reason.kind is VoidKind.COVERED


@pytest.mark.parametrize("seed", range(4))
def test_a_partial_or_short_cover_is_reported(seed: int) -> None:
    """What it leaves free is in its place, or looks like the scene moved elsewhere."""
    covered = Disturbance("covered", CUE - 800 * MS, CUE + 600 * MS, variant=seed, amount=0.7)
    frames, hands = record_round(seed, covered)
    for lock_ns in (CUE + 100 * MS, CUE + 650 * MS):
        void_reason = check_camera(frames, hands, (CUE - 150 * MS, lock_ns), 150 * MS, has_fouls=False)
        assert void_reason is not None and void_reason.kind is VoidKind.COVERED
        assert 0.6 < void_reason.measurement < 0.95


def test_a_cover_of_nearly_the_cloths_colour_is_told() -> None:
    """A brown hand close to the lens, before a red cloth."""
    grain = np.random.default_rng(7).normal(0, 12, (144, 256, 1))
    cloth = np.clip(grain + np.array([38, 28, 110]), 0, 255).astype(np.uint8)
    covered = cloth.copy()
    covered[:, :200] = (30, 45, 122)
    frames = [BgrFrame(i, i * 20 * MS, 0, (256, 144), covered if i > 60 else cloth) for i in range(200)]
    void_reason = check_camera(frames, [], SPAN, 150 * MS, has_fouls=True)
    assert void_reason is not None and void_reason.kind is VoidKind.COVERED


@pytest.mark.parametrize("kind", ["moved", "reaching", "tremor", "flicker", "dark"])
def test_arms_movement_and_darkness_are_no_cover(kind: str) -> None:
    more = {"seat": 1} if kind == "reaching" else {"amount": 0.1} if kind in ("moved", "dark", "flicker") else {}
    disturbance = Disturbance(kind, CUE - 400 * MS, CUE + 1_500 * MS, **more)
    frames, hands = record_round(3, disturbance)
    check = CameraCheck(frames[0], hands)
    assert max(check.covered_share(check.colour_thumbnail(frame)) for frame in frames[::10]) < 0.15


@pytest.mark.parametrize(("kind", "void"), [("covered", None), ("moved", "moved")])
def test_what_hides_no_hand_covers_nothing_but_a_moved_camera_is_seen(kind: str, void: str | None) -> None:
    disturbance = Disturbance(kind, CUE - 400 * MS, CUE + 1_500 * MS, variant=4)
    frames, hands = record_round(4, disturbance)
    void_reason = check_camera(frames, hands, SPAN, 150 * MS, has_fouls=True, all_read=True)
    assert (void_reason and str(void_reason.kind)) == void


def test_another_scene_of_little_detail_and_the_same_light_is_no_cover() -> None:
    noise = np.random.default_rng(7).uniform(-1, 1, (2, 144, 256, 1))
    scenes = [120 + 50 * share * cv2.GaussianBlur(one, (0, 0), 1.5) for share, one in zip((1, 0.3), noise, strict=True)]
    images = [np.repeat(scene[..., None], 3, 2).astype(np.uint8) for scene in scenes]
    frames = [BgrFrame(i, i * 20 * MS, 0, (256, 144), images[i > 60]) for i in range(200)]
    void_reason = check_camera(frames, [], SPAN, 150 * MS, has_fouls=True)
    assert void_reason is not None and void_reason.kind is VoidKind.MOVED


def test_an_image_of_one_colour_is_not_compared() -> None:
    plain = np.full((720, 1280, 3), 90, np.uint8)
    frames = [BgrFrame(i, i * 20 * MS, 0, (1280, 720), plain) for i in range(200)]
    assert check_camera(frames, [], SPAN, 150 * MS, has_fouls=True) is None


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=40), st.integers(1, 400))
def test_the_measurement_of_few_frames_is_the_longest_gap(times: list[int], most: int) -> None:
    """Compared with the gaps computed directly."""
    times = sorted(set(times))
    void_reason = check_frame_gaps([when * MS for when in times], 200 * MS, 700 * MS, most * MS)
    stops = sorted({*(t for t in times if 200 < t < 700)})
    before = max((t for t in times if t <= 200), default=200)
    after = min((t for t in times if t >= 700), default=700)
    gaps = [b - a for a, b in zip([before, *stops], [*stops, after], strict=True)]
    assert (void_reason is not None) == (max(gaps) > most)
    if void_reason:
        assert void_reason.kind is VoidKind.FEW_FRAMES and void_reason.measurement == max(gaps)
