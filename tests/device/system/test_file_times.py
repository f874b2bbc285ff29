"""Ages and orders of files while the time of day jumps."""

import os
import time
from pathlib import Path

import pytest

from device.system.file_times import age_s, mark_newest, set_time, steady_time

NOW_S = 1_800_000_000.0
DAY_S = 86_400.0


@pytest.mark.parametrize("jump_s", [-NOW_S, -DAY_S, DAY_S])
def test_the_steady_time_does_not_jump(jump_s: float, monkeypatch: pytest.MonkeyPatch) -> None:
    before, real = steady_time(), time.time
    monkeypatch.setattr("time.time", lambda: real() + jump_s)
    assert 0 <= steady_time() - before < DAY_S / 2


@pytest.mark.parametrize(
    ("written_s", "now_s", "age", "then_s"),
    [
        (NOW_S - 50, NOW_S, 50, NOW_S - 50),
        (NOW_S + DAY_S, NOW_S, 0, NOW_S),
        (100.0, NOW_S, 0, NOW_S),
        (100.0, 150.0, 50, 100.0),
        (NOW_S, 150.0, 0, 150.0),
    ],
    ids=["set", "in the future", "written in 1970", "still 1970", "1970 again"],
)
def test_an_age_that_cannot_be_counts_from_now(
    tmp_path: Path, written_s: float, now_s: float, age: float, then_s: float
) -> None:
    file = tmp_path / "file"
    file.touch()
    set_time(file, written_s)
    assert age_s(file, now_s) == age
    assert file.stat().st_mtime == then_s


@pytest.mark.parametrize("written_s", [0.0, NOW_S - DAY_S, NOW_S + DAY_S])
def test_the_newest_file_is_newer_than_others_by_any_clock(tmp_path: Path, written_s: float) -> None:
    new, *others = files = [tmp_path / name for name in ("new", "one", "two")]
    for file in files:
        file.touch()
        os.utime(file, (NOW_S, NOW_S))
    set_time(new, written_s)
    mark_newest(new, [*files, tmp_path / "gone"])
    assert new.stat().st_mtime > max(file.stat().st_mtime for file in others)
