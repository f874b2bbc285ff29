"""Tests of the simulated rolling shutter: every row shows the hands at its own time, in every crop."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from device.camera.frames import Box, Pixels
from device.simulated.table.animation import Performance
from device.simulated.table.camera import SimulatedTable
from device.simulated.table.people import SimulatedPerson
from device.simulated.table.scene import SHUTTER_BAND_NS, SimulatedFrame
from device.system.clock import SimulatedClock

MS = 1_000_000
CUE = 5_000 * MS
BEAT = 500 * MS
READOUT = 16 * MS
ZONE_1, ZONE_3 = Box(126, 141, 436, 436), Box(472, 10, 330, 330)
STORED = Path(__file__).parent / "pictures"


def frame_near(when_ns: int, readout_ns: int, seats: int = 2, exposure_ns: int = 0) -> SimulatedFrame:
    """Return the frame nearest to a time, of a table where all players open to paper at the cue."""
    clock = SimulatedClock()
    people = [SimulatedPerson(skin=0.2 + 0.1 * seat) for seat in range(seats)]
    table = SimulatedTable(
        clock, seats, 0, cloth="plain", people=people, exposure_ns=exposure_ns, readout_ns=readout_ns
    )
    table.start()
    for seat in range(1, seats + 1):
        table.perform(seat, Performance("paper", CUE, BEAT))
    clock.wait_until(when_ns + 30 * MS)
    frame = min(table.frames_between(0, 10**18), key=lambda one: abs(one.exposed_ns - when_ns))
    assert isinstance(frame, SimulatedFrame)
    return frame


def difference(a: Pixels, b: Pixels) -> float:
    return float(np.abs(a.astype(float) - b).mean())


def global_shutter_frame(frame: SimulatedFrame, when_ns: int) -> SimulatedFrame:
    """Return the same exposure by a global shutter at another time."""
    return SimulatedFrame(frame.number, when_ns, frame.exposure_ns, frame.size, frame.scene, frame.schedules)


@pytest.mark.parametrize(("zone", "seats"), [(ZONE_1, 2), (ZONE_3, 3)])
@pytest.mark.parametrize("when_ns", [CUE - 30 * MS, CUE + 5 * MS])
def test_every_row_is_exposed_at_its_own_time(zone: Box, seats: int, when_ns: int) -> None:
    frame = frame_near(when_ns, READOUT, seats)
    rolling = frame.pixels(zone)
    middle = global_shutter_frame(frame, frame.exposed_ns).pixels(zone)
    band = 720 * SHUTTER_BAND_NS // READOUT
    apart = []
    for top in range(zone.y - zone.y % band + band, zone.y + zone.h - band, band):
        rows = slice(top - zone.y + 4, top - zone.y + band - 4)  # the lens blurs across a band's edge
        own = global_shutter_frame(frame, frame.row_ns(top + band / 2)).pixels(zone)
        assert difference(rolling[rows], own[rows]) < 0.2
        apart.append(difference(rolling[rows], middle[rows]))
    assert max(apart) > 0.25  # moving hands are not where they were at mid-readout


def test_still_hands_look_the_same_with_any_shutter() -> None:
    still = CUE + 700 * MS
    rolling, global_ = frame_near(still, READOUT), frame_near(still, 0)
    assert (rolling.number, rolling.exposed_ns) == (global_.number, global_.exposed_ns)
    assert (rolling.pixels(ZONE_1, (109, 109)) == global_.pixels(ZONE_1, (109, 109))).all()


@pytest.mark.parametrize("exposure_ns", [0, 8 * MS])
def test_crop_equals_the_part_of_the_whole_frame(exposure_ns: int) -> None:
    frame = frame_near(CUE + 5 * MS, READOUT, exposure_ns=exposure_ns)
    whole = frame.pixels()
    for box in (Box(250, 260, 171, 133), Box(840, 281, 120, 150)):
        inside = whole[box.y : box.y + box.h, box.x : box.x + box.w]
        assert difference(frame.pixels(box)[8:-8, 8:-8], inside[8:-8, 8:-8]) < 1.0


def test_small_picture_equals_the_scaled_large_one() -> None:
    frame = frame_near(CUE + 5 * MS, READOUT)
    small, large = frame.pixels(ZONE_1, (109, 109)).astype(float), frame.pixels(ZONE_1).astype(float)
    scaled = large.reshape(109, 4, 109, 4, 3).mean(axis=(1, 3))
    assert np.abs(small - scaled).mean() < 1.5
    assert np.abs(small - scaled).mean() < 0.5 * np.abs(small - np.roll(scaled, 3, axis=1)).mean()


@pytest.mark.parametrize(("name", "when_ns"), [("pump", CUE - 650 * MS), ("opening", CUE), ("held", CUE + 600 * MS)])
def test_global_shutter_pictures_match_the_stored_ones(name: str, when_ns: int) -> None:
    """The tolerance allows for another processor's rounding."""
    picture = frame_near(when_ns, 0, exposure_ns=8 * MS).pixels(ZONE_1, (109, 109))
    stored = np.asarray(cv2.imread(str(STORED / f"{name}.png")), np.uint8)
    assert difference(picture, stored[..., ::-1]) < 0.3
