"""The bench of the time from cue to verdict: frames come when a camera would deliver them. No times are asserted."""

from collections.abc import Callable

import numpy as np
import pytest

from device.camera.frames import BgrFrame
from throwlock.cli.doctor.bench.recorded_round import RecordedRound
from tools.bench import live
from tools.bench.live import TABLE_HEAD, LiveCost, RealTimeRound, RoundCosts, table_row
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


def test_a_row_has_the_medians_of_every_way() -> None:
    costs = [
        RoundCosts(LiveCost(300 + n, 20, 50 + n, 20 + n), LiveCost(900, 20, 300 + n, 20), 2000 + n, 192)
        for n in (0, 2, 9)
    ]
    assert table_row("clear", 2, 60, costs) == (
        "clear", "2", "60", "302", "20", "52", "374", "22", "302", "1222", "20", "1.10", "2002", "192",
    )  # fmt: skip
    assert len(TABLE_HEAD) == len(table_row("clear", 2, 60, costs))


def test_the_parts_of_the_time_add_up(slept_s: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    class FakeJudge:
        calls = 0

        def judge_live(self, frames_until: Callable[[int], object], zones: object, cue_ns: int) -> None:
            frames_until(cue_ns + 305 * MS)
            self.calls += 7
            monkeypatch.setattr(live.time, "monotonic_ns", lambda: 50_400 * MS)

    _, cost = live.judge_in_real_time(FakeJudge(), ROUND, only_at_end=False)  # type: ignore[arg-type]
    assert (cost.needed, cost.camera, cost.after, cost.verdict, cost.calls) == (305, 7, 88, 400, 7)
