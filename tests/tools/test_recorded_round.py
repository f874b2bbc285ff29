"""The round that ``throwlock doctor --bench`` judges is what the tool renders, as a video."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from device.camera.frames import BgrFrame, Frame
from throwlock.bench import recorded_round
from throwlock.bench.recorded_round import RecordedRound, load_round
from tools.bench.recorded_round import FPS, write_round
from vision.zones import Zone


def smooth_frame(number: int) -> Frame:
    """A frame that a video keeps nearly as it is, brighter than the one before."""
    ramp = np.linspace(0, 100, 320, dtype=np.float32)[None, :, None] + 10 * number
    bgr = np.broadcast_to(ramp, (180, 320, 3)).astype(np.uint8)
    return BgrFrame(number, 5_000_000_000 + round(number * 1e9 / FPS), 8_000_000, (320, 180), bgr)


def test_a_round_is_written_and_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    zones = Zone(0.0, 0.0, 0.5, 1.0), Zone(0.5, 0.0, 0.5, 1.0)
    written = RecordedRound([smooth_frame(n) for n in range(6)], zones, ("rock", "paper"), 5_050_000_000)
    clip, truth = tmp_path / "round.mp4", tmp_path / "round.json"
    write_round(written, clip, truth)
    monkeypatch.setattr(recorded_round, "CLIP_PATH", clip)
    monkeypatch.setattr(recorded_round, "TRUTH_PATH", truth)
    read = load_round()
    assert read.zones == zones and read.throws == ("rock", "paper") and read.cue_ns == 50_000_000
    assert len(read.frames) == 6
    for before, after in zip(written.frames, read.frames, strict=True):
        assert after.exposure_ns == before.exposure_ns
        assert abs(after.exposed_ns - (before.exposed_ns - 5_000_000_000)) < 1_000_000
        assert float(cv2.absdiff(before.pixels(), after.pixels()).mean()) < 3.0
    assert read.first_seats(1).zones == zones[:1] and read.first_seats(1).throws == ("rock",)
