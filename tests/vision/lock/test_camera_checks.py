"""Camera and light: what makes a round void is found at the simulated table, and what is harmless is let be."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.camera.frames import Frame, StoredFrame
from device.simulated.table.animation import Performance
from device.simulated.table.faults import Disturbance
from device.simulated.table.table import SimulatedTable
from device.system.clock import JumpingClock
from vision.lock.camera_checks import MOVED, Watch, camera_trouble, few_frames
from vision.lock.void_reasons import TroubleKind

MS = 1_000_000
CUE = 3_000 * MS
SPAN = CUE - 150 * MS, CUE + 170 * MS


def filmed(seed: int, *disturbances: Disturbance) -> tuple[list[Frame], list[np.ndarray]]:
    """A round of two at the simulated table, and where its hands were."""
    clock = JumpingClock()
    table = SimulatedTable(clock, 2, seed=seed)
    table.start()
    for seat, throw in ((1, "paper"), (2, "scissors")):
        table.perform(seat, Performance(throw, CUE, 550 * MS))
    for disturbance in disturbances:
        table.disturb(disturbance)
    clock.wait_until(CUE + 1_000 * MS)
    frames = list(table.ring(CUE - 1_250 * MS, CUE + 900 * MS))
    hands = [table.truth(seat, frame.exposed_ns).keypoints for frame in frames[::12] for seat in (1, 2)]
    return frames, hands


def told(seed: int, kind: str, **more: float) -> tuple[str | None, float]:
    """The trouble found in a round in which something goes wrong from 400 ms before the cue."""
    disturbance = Disturbance(kind, CUE - 400 * MS, CUE + 1_500 * MS, variant=seed, **more)  # type: ignore[arg-type]
    frames, hands = filmed(seed, disturbance)
    trouble = camera_trouble(frames, hands, SPAN, 150 * MS, fouls=True)
    return (str(trouble.kind), trouble.figure) if trouble else (None, 0.0)


@pytest.mark.parametrize("seed", [1, 4, 5, 9])
@pytest.mark.parametrize("kind", ["covered", "moved", "dark", "gap"])
def test_what_goes_wrong_is_found(kind: str, seed: int) -> None:
    names = {"covered": "covered", "moved": "moved", "dark": "too dark", "gap": "too few frames"}
    assert told(seed, kind)[0] == names[kind]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", ["tremor", "flicker"])
def test_what_is_harmless_is_let_be(kind: str, seed: int) -> None:
    assert told(seed, kind)[0] is None


def test_the_way_a_camera_moved_is_told() -> None:
    kind, figure = told(4, "moved", amount=0.06)
    assert kind == "moved" and figure == pytest.approx(0.06, abs=0.02)


def test_a_shift_of_a_few_pixels_is_none() -> None:
    """Half of what counts, laid over the first frame of the same round."""
    frames, hands = filmed(2)
    watch = Watch(frames[0], hands)
    picture = np.roll(frames[-1].pixels()[..., ::-1], round(MOVED / 2 * 1280), 1)
    shifted = StoredFrame(0, SPAN[1], 0, frames[0].size, picture)
    assert camera_trouble([*frames[:-1], shifted], hands, SPAN, 10**12, fouls=True) is None
    assert watch.likeness(watch.small(shifted)) < watch.likeness(watch.small(frames[-1]))


def test_a_picture_of_one_colour_says_nothing() -> None:
    plain = np.full((720, 1280, 3), 90, np.uint8)
    frames = [StoredFrame(i, i * 20 * MS, 0, (1280, 720), plain) for i in range(200)]
    assert camera_trouble(frames, [], SPAN, 150 * MS, fouls=True) is None


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=40), st.integers(1, 400))
def test_few_frames_is_the_longest_time_without_one(times: list[int], most: int) -> None:
    """Beside counting every instant of the span that is far from any frame on either side."""
    times = sorted(set(times))
    trouble = few_frames([when * MS for when in times], 200 * MS, 700 * MS, most * MS)
    stops = sorted({*(t for t in times if 200 < t < 700)})
    before = max((t for t in times if t <= 200), default=200)
    after = min((t for t in times if t >= 700), default=700)
    gaps = [b - a for a, b in zip([before, *stops], [*stops, after], strict=True)]
    assert (trouble is not None) == (max(gaps) > most)
    if trouble:
        assert trouble.kind is TroubleKind.FEW_FRAMES and trouble.figure == max(gaps)
