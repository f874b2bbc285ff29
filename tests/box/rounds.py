"""Renders the rounds that people seem to throw in front of the virtual camera: ``python rounds.py FOLDER``."""

import sys
from pathlib import Path

import cv2
import numpy as np

from device.simulated.table.animation import Performance
from device.simulated.table.camera import SimulatedTable
from device.system.clock import SimulatedClock

FPS, SIZE = 30, (640, 360)
SECOND_NS = 1_000_000_000
BEFORE_CUE_NS, AFTER_CUE_NS = 5 * SECOND_NS // 2, 3 * SECOND_NS // 2
BEAT_NS = 600_000_000
THROWS = (("rock", "scissors"), ("paper", "rock"))
"""Of seats 1 and 2, round after round."""


def render_round(throws: tuple[str, ...], seed: int) -> np.ndarray:
    """Return a round's images in YUV420, (images, 3/2 height, width)."""
    clock = SimulatedClock()
    table = SimulatedTable(clock, len(throws), seed=seed, size=SIZE, fps=FPS)
    table.start()
    cue_ns = 3 * SECOND_NS
    for seat, throw in enumerate(throws, 1):
        table.perform(seat, Performance(throw, cue_ns, BEAT_NS, after_cue_ns=20_000_000 * seat))
    clock.wait_until(cue_ns + AFTER_CUE_NS)
    frames = table.frames_between(cue_ns - BEFORE_CUE_NS, cue_ns + AFTER_CUE_NS)
    return np.stack([cv2.cvtColor(frame.pixels(), cv2.COLOR_RGB2YUV_I420) for frame in frames])


if __name__ == "__main__":
    rounds = [render_round(throws, seed) for seed, throws in enumerate(THROWS)]
    shortest = min(map(len, rounds))
    np.save(Path(sys.argv[1]) / "rounds.npy", np.stack([images[:shortest] for images in rounds]))
