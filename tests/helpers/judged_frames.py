"""Frames of two hands around a lock, and what a judge says of them."""

import numpy as np

from device.camera.frames import BgrFrame, Box, Frame
from rules.record.judgement import Verdict
from rules.throws import Throw
from vision.lock.inference import TimeEstimate
from vision.lock.judgement import Judgement
from vision.lock.verdict import SeatVerdict

MS = 1_000_000
CUE = 1_000 * MS
LEFT, RIGHT = Box(0, 0, 640, 720), Box(640, 0, 640, 720)


def frame(number: int) -> BgrFrame:
    """A frame whose brightness is its number."""
    return BgrFrame(number, number * 10 * MS, 0, (1280, 720), np.full((720, 1280, 3), number, np.uint8))


SEATS = (
    SeatVerdict(1, Verdict.ON_TIME, Throw.ROCK, Throw.ROCK, TimeEstimate(CUE, 4 * MS), LEFT),
    SeatVerdict(2, Verdict.LATE, Throw.PAPER, Throw.ROCK, TimeEstimate(CUE + 330 * MS, 9 * MS), RIGHT),
)
FRAMES: list[Frame] = [frame(number) for number in range(60, 160)]
JUDGEMENT = Judgement(CUE, CUE, CUE + 150 * MS, 150 * MS, FRAMES[55], SEATS)
