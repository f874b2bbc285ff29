"""The simulated camera's rolling shutter: every row of a hand stands where it stood at the row's own time, whatever
part of the frame is asked for."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from device.camera.frames import Box, Pixels
from device.simulated.table.animation import Performance
from device.simulated.table.scene import BAND_NS
from device.simulated.table.seating import Person
from device.simulated.table.table import SimulatedFrame, SimulatedTable
from device.system.clock import JumpingClock

MS = 1_000_000
CUE = 5_000 * MS
BEAT = 500 * MS
READOUT = 16 * MS
ZONE_1, ZONE_3 = Box(126, 141, 436, 436), Box(472, 10, 330, 330)
STORED = Path(__file__).parent / "pictures"


def seen(when_ns: int, readout_ns: int, seats: int = 2, exposure_ns: int = 0) -> SimulatedFrame:
    """The frame nearest an instant, of a table where everybody opens to paper at the cue."""
    clock = JumpingClock()
    people = [Person(skin=0.2 + 0.1 * seat) for seat in range(seats)]
    table = SimulatedTable(
        clock, seats, 0, cloth="plain", people=people, exposure_ns=exposure_ns, readout_ns=readout_ns
    )
    table.start()
    for seat in range(1, seats + 1):
        table.perform(seat, Performance("paper", CUE, BEAT))
    clock.wait_until(when_ns + 30 * MS)
    frame = min(table.ring(0, 10**18), key=lambda one: abs(one.exposed_ns - when_ns))
    assert isinstance(frame, SimulatedFrame)
    return frame


def difference(a: Pixels, b: Pixels) -> float:
    return float(np.abs(a.astype(float) - b).mean())


def all_at_once(frame: SimulatedFrame, when_ns: int) -> SimulatedFrame:
    """The same exposure as a global shutter would have made it at another instant."""
    return SimulatedFrame(frame.number, when_ns, frame.exposure_ns, frame.size, frame.scene, frame.acts)


@pytest.mark.parametrize(("zone", "seats"), [(ZONE_1, 2), (ZONE_3, 3)])
@pytest.mark.parametrize("when_ns", [CUE - 30 * MS, CUE + 5 * MS])
def test_every_row_is_exposed_at_its_own_time(zone: Box, seats: int, when_ns: int) -> None:
    frame = seen(when_ns, READOUT, seats)
    rolling = frame.pixels(zone)
    middle = all_at_once(frame, frame.exposed_ns).pixels(zone)
    band = 720 * BAND_NS // READOUT
    apart = []
    for top in range(zone.y - zone.y % band + band, zone.y + zone.h - band, band):
        rows = slice(top - zone.y + 4, top - zone.y + band - 4)  # the lens blurs across a band's edge
        own = all_at_once(frame, frame.row_ns(top + band / 2)).pixels(zone)
        assert difference(rolling[rows], own[rows]) < 0.2
        apart.append(difference(rolling[rows], middle[rows]))
    assert max(apart) > 0.25  # what moved is not where it was in the middle of the readout


def test_what_stands_still_is_the_same_with_any_shutter() -> None:
    still = CUE + 700 * MS
    rolling, global_ = seen(still, READOUT), seen(still, 0)
    assert (rolling.number, rolling.exposed_ns) == (global_.number, global_.exposed_ns)
    assert (rolling.pixels(ZONE_1, (109, 109)) == global_.pixels(ZONE_1, (109, 109))).all()


@pytest.mark.parametrize("exposure_ns", [0, 8 * MS])
def test_a_crop_is_a_part_of_the_whole(exposure_ns: int) -> None:
    frame = seen(CUE + 5 * MS, READOUT, exposure_ns=exposure_ns)
    whole = frame.pixels()
    for box in (Box(250, 260, 171, 133), Box(840, 281, 120, 150)):
        inside = whole[box.y : box.y + box.h, box.x : box.x + box.w]
        assert difference(frame.pixels(box)[8:-8, 8:-8], inside[8:-8, 8:-8]) < 1.0


def test_a_small_picture_is_the_large_one_scaled() -> None:
    frame = seen(CUE + 5 * MS, READOUT)
    small, large = frame.pixels(ZONE_1, (109, 109)).astype(float), frame.pixels(ZONE_1).astype(float)
    scaled = large.reshape(109, 4, 109, 4, 3).mean(axis=(1, 3))
    assert np.abs(small - scaled).mean() < 1.5
    assert np.abs(small - scaled).mean() < 0.5 * np.abs(small - np.roll(scaled, 3, axis=1)).mean()


@pytest.mark.parametrize(("name", "when_ns"), [("pump", CUE - 650 * MS), ("opening", CUE), ("held", CUE + 600 * MS)])
def test_without_a_readout_pictures_are_as_they_were(name: str, when_ns: int) -> None:
    """Made before the table had a rolling shutter; a tolerance for another processor's rounding."""
    picture = seen(when_ns, 0, exposure_ns=8 * MS).pixels(ZONE_1, (109, 109))
    stored = cv2.imread(str(STORED / f"{name}.png"))
    assert difference(picture, stored[..., ::-1]) < 0.3
