"""A week of a Pi's clock: 1970 at the start, set by the network, a day forward and back, a step within a match, summer
time's end. Nobody is logged out, nobody waits for a day, nothing goes because a clock jumped, and the journal is
whole."""

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

from tests.helpers.faked_box import LIBRARY, FakedBox
from throwlock.journal.journal import JournalReader
from throwlock.review.verify import verify

CLOCK_TIMES = (
    "1970-01-01 00:00:20",
    "2026-10-19 18:00:00",
    "2026-10-19 17:59:55",
    "2026-10-20 18:00:00",
    "2026-10-19 18:00:10",
    "2026-10-25 00:59:58",
    "2026-10-25 01:00:02",
    "2026-10-26 07:00:00",
    "1970-01-01 00:00:30",
    "2106-02-07 06:28:20",
    "2026-10-26 07:01:00",
)
"""In UTC; the summer time of Berlin ends at 01:00 on 25 October."""
LOGINS = {"/enter": "/", "/join": "/pad", "/tv": "/watch"}
"""Where people log in, by what they see then."""
MAX_WAIT_S = 15 * 60
PLAYERS = ("Ann", "Ben", "Cy", "Di", "Ed", "Fay", "Gus", "Hal")
"""Of a knock-out tournament, of which one match is played at each of the first moments."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(LIBRARY is None, reason="Debian's libfaketime is not installed"),
]


@pytest.fixture
def box(tmp_path: Path) -> Iterator[FakedBox]:
    with FakedBox(tmp_path, CLOCK_TIMES[0]) as faked:
        yield faked


def test_a_week_of_jumps_harms_nobody(box: FakedBox, tmp_path: Path) -> None:
    address, *codes = box.ask("start")
    assert box.ask("now") < "1971"
    tournament = ("--journal", str(tmp_path / "tournament.journal"))
    names = [f"--name={name}" for name in PLAYERS]
    assert box.ask("run", "tournament", "new", "classic", *names, *tournament)[0] == 0
    with ExitStack() as stack:
        origin = {"origin": address}
        clients = {
            door: stack.enter_context(httpx.Client(base_url=address, headers=origin, trust_env=False, timeout=60))
            for door in (*LOGINS, "wrong")
        }
        for (door, seen), code in zip(LOGINS.items(), codes, strict=True):
            assert clients[door].post(door, data={"code": code}).headers["location"] == seen
        for _ in range(6):
            refused = clients["wrong"].post("/enter", data={"code": "FFFFFFFF"})
        assert refused.status_code == 429
        waits, events = [int(refused.headers["retry-after"])], box.ask("play", 1)
        for step, moment in enumerate(CLOCK_TIMES):
            box.set_clock(moment)
            told = datetime.fromisoformat(box.ask("now")) - datetime.fromisoformat(moment).replace(tzinfo=UTC)
            assert abs(told.total_seconds()) < MAX_WAIT_S
            for door, seen in LOGINS.items():
                assert clients[door].get(seen).status_code == 200, f"{seen} at {moment}"
            if waits[-1]:  # on a busy machine it may end
                refused = clients["wrong"].post("/enter", data={"code": "FFFFFFFF"})
                waits.append(int(refused.headers.get("retry-after", 0)))
            events, before = box.ask("play", 1), events
            assert events > before
            assert box.ask("keep_frames", step + 1) == 0, "no frames go"
            if step < len(PLAYERS) - 1:
                _, match, winner, *_ = box.ask("run", "tournament", "next", *tournament)[1].split()
                assert box.ask("run", "tournament", "result", match, winner, *tournament)[0] == 0
        assert max(waits) <= MAX_WAIT_S and waits == sorted(waits, reverse=True)
    assert "1. Ann       3 " in box.ask("run", "tournament", "standings", *tournament)[1]
    assert box.ask("stop") == len(CLOCK_TIMES)
    for journal in (box.journal, tmp_path / "tournament.journal"):
        with JournalReader(journal) as reader:
            assert verify(reader).problems == ()
