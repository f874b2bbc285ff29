"""A recording of two throws at the simulated table."""

from pathlib import Path

import cv2

from device.simulated.table.animation import Performance
from device.simulated.table.camera import SimulatedTable
from device.system.clock import SimulatedClock

CUE_NS = 2_500_000_000


def film_two_throws(path: Path) -> SimulatedTable:
    """Write an MP4 file in which seat 1 throws paper and seat 2 scissors, both on time. Return the table, whose latest
    image still shows them."""
    clock = SimulatedClock()
    table = SimulatedTable(clock, 2, seed=4, size=(640, 360), fps=30)
    table.start()
    for seat, throw in ((1, "paper"), (2, "scissors")):
        table.perform(seat, Performance(throw, CUE_NS, 500_000_000, after_cue_ns=20_000_000 * seat))
    clock.wait_until(CUE_NS + 1_000_000_000)
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 30, table.size)
    for frame in table.frames_between(CUE_NS - 1_500_000_000, CUE_NS + 1_000_000_000):
        writer.write(cv2.cvtColor(frame.pixels(), cv2.COLOR_RGB2BGR))
    writer.release()
    return table
