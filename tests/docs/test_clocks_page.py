"""docs/clocks.md names every use of the time of day in the program."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = [
    *(path for package in ("device", "rules", "throwlock", "ui", "vision") for path in (ROOT / package).rglob("*.py")),
    *ROOT.glob("*.py"),
    *(ROOT / "ui/web/static").glob("*.js"),
]
TIME_OF_DAY = re.compile(
    r"\btime\.(time|time_ns\(|localtime|gmtime|ctime|strftime|asctime)(?!\w)|\bfrom time import|CLOCK_REALTIME"
    r"|\b(datetime|date)\.(now|utcnow|today|fromtimestamp)\b|fromisoformat\([^)]*\) -|\bst_[acm]time"
    r"|\bos\.utime\b|\bage_s\(\w|\bmark_newest\(|getmtime|\bmax_age=|= now\(\)|, now\(\)|\bDate\.now\b|\bnew Date\b",
)


def reads_time_of_day(text: str) -> bool:
    return TIME_OF_DAY.search(text) is not None


def test_every_use_of_the_time_of_day_has_its_reason() -> None:
    page = (ROOT / "docs/clocks.md").read_text()
    rows = dict(re.findall(r"^\| `([\w./]+)` \| (.+) \|$", page, re.MULTILINE))
    used = {str(path.relative_to(ROOT)) for path in PROGRAM if reads_time_of_day(path.read_text())}
    assert used - {*rows} == set(), "say in docs/clocks.md why it may, or count with the monotonic clock"
    assert {*rows} - used == set(), "no longer uses it"


@pytest.mark.parametrize(
    "line",
    [
        "start = time.time()",
        "now: Callable[[], float] = time.time",
        "datetime.now(UTC)",
        "path.stat().st_mtime_ns",
        "from time import time",
        "UPDATE box SET seen_at = now()",
        "const now = Date.now();",
    ],
)
def test_the_time_of_day_is_recognised(line: str) -> None:
    assert reads_time_of_day(line)


@pytest.mark.parametrize(
    "line", ["time.monotonic()", "performance.now()", "self._now()", "times_ms = time_ns", "time.sleep"]
)
def test_other_clocks_are_not(line: str) -> None:
    assert not reads_time_of_day(line)
