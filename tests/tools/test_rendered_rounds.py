"""Rendered rounds that are kept: read again they are the same."""

from pathlib import Path

import numpy as np
import pytest

from device.camera.frames import BgrFrame
from throwlock.bench.recorded_round import RecordedRound
from tools.bench import rendered_rounds
from tools.bench.rendered_rounds import load_or_render
from vision.zones import Zone

ZONES = (Zone(0.0, 0.0, 0.5, 1.0), Zone(0.5, 0.0, 0.5, 1.0))


def test_a_kept_round_is_the_same_and_rendered_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng, rendered = np.random.default_rng(0), list[int]()
    frames = [
        BgrFrame(n, n * 100, 4, (6, 8), rng.integers(0, 255, (8, 6, 3), np.uint8), readout_ns=3) for n in range(3)
    ]

    def render_round(seed: int, *_: object) -> RecordedRound:
        rendered.append(seed)
        return RecordedRound(frames, ZONES, ("paper", "rock"), 100)

    monkeypatch.setattr(rendered_rounds, "render_round", render_round)
    for _ in range(2):
        kept = load_or_render(tmp_path / "rounds", 7, 60, 2, ("paper", "rock"), None)
        assert (kept.zones, kept.throws, kept.cue_ns) == (ZONES, ("paper", "rock"), 100)
        for frame, again in zip(frames, kept.frames, strict=True):
            assert isinstance(again, BgrFrame)
            assert np.array_equal(again.bgr, frame.bgr)
            assert (again.number, again.exposed_ns, again.readout_ns) == (frame.number, frame.exposed_ns, 3)
    load_or_render(tmp_path / "rounds", 7, 60, 2, ("paper", "rock"), 300.0)
    load_or_render(None, 7, 60, 2, ("paper", "rock"), None)
    assert rendered == [7, 7, 7]
