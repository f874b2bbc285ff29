"""The demo, killed in the middle of a match and started again: a real process, real recognition, a real kill."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rules.engine import Position, replay
from throwlock.journal.journal import Event, JournalReader
from throwlock.journal.verify import verify
from throwlock.match.config import answers_in, billing_of
from vision.hands.model import ModelError, bundle

THROWLOCK = Path(sys.executable).parent / "throwlock"


def standing(path: Path) -> tuple[list[Event], Position]:
    """The events of the journal's only match, and where the game stands after them."""
    with JournalReader(path) as journal:
        events = journal.events()
        assert verify(journal).faults == ()
    return events, replay(billing_of(events).game, answers_in(events))


@pytest.mark.slow
def test_a_demo_killed_in_mid_match_goes_on_where_it_stopped(tmp_path: Path) -> None:
    try:
        bundle("full")
    except ModelError as fault:
        pytest.skip(str(fault))
    path = tmp_path / "demo.journal"
    command = [THROWLOCK, "demo", "--headless", "--seed", "7", "--journal", path, "--screens", tmp_path / "screens"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}

    killed = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path, env=environment)
    assert killed.stdout is not None
    told = 0
    for line in killed.stdout:
        told += line.startswith("Score: ")
        if told == 2:
            break
    killed.send_signal(signal.SIGKILL)
    killed.stdout.close()
    assert killed.wait() == -signal.SIGKILL

    before, there = standing(path)
    assert there.asked is not None, "killed in mid-match"
    assert sum(one.kind == "score" for one in there.said) >= told, "what was told is on the disk"
    scores = next(one.facts["scores"] for one in reversed(there.said) if one.kind == "score")
    assert isinstance(scores, dict)

    again = subprocess.run(
        [*command[:3], *command[5:]],  # without the seed: it is the match's own
        capture_output=True, text=True, cwd=tmp_path, env=environment, check=False, timeout=600,
    )  # fmt: skip
    assert again.returncode == 0, again.stderr
    throws = sum("judgement" in event.body for event in before)
    goes_on = f"Match 1 goes on after {throws} throws. Ada {scores['1']}, Ben {scores['2']}"
    assert goes_on in again.stdout
    events, end = standing(path)
    assert events[: len(before)] == before, "what was written stays"
    assert events[len(before)].body["asked"] == there.asked.kind, "the same question"
    assert end.result is not None
    assert events[-1].kind == "ended"
    assert re.search(rf"(Ada|Ben) has won with {max(end.result.scores.values())} points", again.stdout)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["demo.journal", "screens"]
