"""The bench of a slow processor: the real model gets half of one core. No times are asserted."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from rules.record.judgement import Verdict
from tools.bench.live import judge_in_real_time, render_rounds
from tools.bench.slow_processor import is_same, limit_processor
from vision.lock.judge import Judge


@pytest.fixture
def can_limit() -> None:
    """Skip where no control group can be made."""
    try:
        with limit_processor(1.0):
            pass
    except OSError as error:
        pytest.skip(f"no control group can be made: {error}")


@pytest.mark.slow
def test_half_of_one_core_reaches_the_same_verdict(can_limit: None) -> None:
    (recorded,) = render_rounds("late", 1, 30, 2)
    own_groups = Path("/proc/self/cgroup").read_text()
    with Judge(2) as judge:
        fast, _ = judge_in_real_time(judge, recorded, only_at_end=False)
        with limit_processor(0.5) as group:
            slow, _ = judge_in_real_time(judge, recorded, only_at_end=False)
            assert (group / "cpu.cfs_quota_us").exists() or (group / "cpu.max").read_text() == "50000 100000\n"
            assert (group / "cpu.max").exists() or (group / "cpu.cfs_quota_us").read_text() == "50000\n"
            limited = (group / "cgroup.procs").read_text().split()
    assert str(os.getpid()) in limited and len(limited) >= 1 + judge.workers, "the hand model's processes too"
    assert Verdict.LATE in [seat.verdict for seat in fast.seats]
    assert is_same(slow, fast)
    assert Path("/proc/self/cgroup").read_text() == own_groups and not group.exists()

    seat = fast.seats[0]
    for change in ({"verdict": Verdict.EARLY}, {"at_lock": None}, {"shown": None}):
        assert not is_same(fast, replace(fast, seats=(replace(seat, **change), *fast.seats[1:])))
