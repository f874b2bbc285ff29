"""The bench of the time from cue to verdict: frames come when a camera would deliver them. No times are asserted."""

import numpy as np
import pytest

from device.camera.frames import BgrFrame
from throwlock.cli.doctor.bench.recorded_round import RecordedRound
from tools.bench import live
from tools.bench.live import LiveCost, RealTimeRound, table_row
from vision.lock.judge import HAND_WINDOW_NS
from vision.lock.verdict import search_end_ns

MS = 1_000_000
CUE = 3_000 * MS
END = search_end_ns(CUE, HAND_WINDOW_NS)
FRAMES = [BgrFrame(n, n * 10 * MS, 4 * MS, (4, 4), np.zeros((4, 4, 3), np.uint8)) for n in range(200, 400)]
ROUND = RecordedRound(FRAMES, (), (), CUE)


@pytest.fixture
def slept_s(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that stands still at 50 s, and how long was slept."""
    slept: list[float] = []
    monkeypatch.setattr(live.time, "monotonic_ns", lambda: 50_000 * MS)
    monkeypatch.setattr(live.time, "sleep", slept.append)
    return slept


def test_frames_come_when_a_camera_would_deliver_them(slept_s: list[float]) -> None:
    """A frame after their exposure is over."""
    playing = RealTimeRound(ROUND, only_at_end=False, start_ns=50_000 * MS)
    frames = playing.frames_until(CUE + 105 * MS)
    assert frames[-1].exposed_ns == CUE + 100 * MS and playing.last_asked_ns == CUE + 105 * MS
    assert slept_s == [pytest.approx(0.100 + 0.010 + 0.002)]
    assert playing.frames_until(CUE - 500 * MS)[-1].exposed_ns == CUE - 500 * MS and slept_s[-1] == 0.0


def test_judging_afterwards_gets_no_frame_before_the_end(slept_s: list[float]) -> None:
    playing = RealTimeRound(ROUND, only_at_end=True, start_ns=50_000 * MS)
    assert playing.frames_until(END - 1) == () and slept_s == []
    assert playing.frames_until(END)[-1].exposed_ns == END


def test_a_row_has_the_medians_of_both_ways() -> None:
    costs = [(LiveCost(300 + n, 400 + n, 50 + n, 20 + n), LiveCost(900, 1300 + n, 300 + n, 20)) for n in (0, 2, 9)]
    assert table_row("clear", 2, 60, costs) == (
        "clear", "2", "60", "302", "402", "52", "22", "1302", "302", "20", "1.10",
    )  # fmt: skip
