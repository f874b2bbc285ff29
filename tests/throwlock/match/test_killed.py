"""A match at the simulated table, killed and started again: a real process, real recognition, a real kill."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rules.engine import GameState, replay
from tests.helpers.journal_events import json_body
from tests.helpers.waiting import LIMIT_S
from throwlock.journal.journal import Event, JournalReader
from throwlock.replay.answers import effective_answers
from throwlock.replay.config import config_from_events
from throwlock.review.verify import verify
from vision.hands.model import ModelError, model_path

THROWLOCK = Path(sys.executable).parent / "throwlock"


def journal_state(path: Path) -> tuple[list[Event], GameState]:
    """The events of the journal's only match, and where the game stands after them."""
    with JournalReader(path) as journal:
        events = journal.events()
        assert verify(journal).problems == ()
    return events, replay(config_from_events(events).game, list(effective_answers(events).values()))


@pytest.mark.slow
def test_killed_match_resumes_where_it_stopped(tmp_path: Path) -> None:
    try:
        model_path("full")
    except ModelError as fault:
        pytest.skip(str(fault))
    path = tmp_path / "killed.journal"
    play = [str(THROWLOCK), "play", "classic", "--option", "best_of=5", "--camera", "simulated", "--name", "Ada"]
    play += ["--name", "Ben", "--headless", "--journal", str(path), "--screens", str(tmp_path / "screens")]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}

    killed = subprocess.Popen([*play, "--seed", "7"], stdout=subprocess.PIPE, text=True, cwd=tmp_path, env=environment)
    assert killed.stdout is not None
    scores_seen = 0
    for line in killed.stdout:
        scores_seen += line.startswith("Score: ")
        if scores_seen == 2:
            break
    killed.send_signal(signal.SIGKILL)
    killed.stdout.close()
    assert killed.wait() == -signal.SIGKILL

    before, there = journal_state(path)
    assert there.prompt is not None, "killed in mid-match"
    assert sum(one.kind == "score" for one in there.events) >= scores_seen, "what was told is on the disk"
    scores = next(one.facts["scores"] for one in reversed(there.events) if one.kind == "score")
    assert isinstance(scores, dict)

    again = subprocess.run(
        play,  # without the seed: it is the match's own
        capture_output=True, text=True, cwd=tmp_path, env=environment, check=False, timeout=LIMIT_S,
    )  # fmt: skip
    assert again.returncode == 0, again.stderr
    throws = sum(event.round is not None for event in before)
    resumed = f"The match resumes after {throws} throws. Ada {scores['1']}, Ben {scores['2']}"
    assert resumed in again.stdout
    events, end = journal_state(path)
    assert events[: len(before)] == before, "what was written stays"
    assert json_body(events[len(before)])["prompt"] == there.prompt.kind, "the same question"
    assert end.result is not None
    assert events[-1].kind == "match_ended"
    assert re.search(rf"(Ada|Ben) has won with {max(end.result.scores.values())} points", again.stdout)
    kept = ["killed.journal", "killed.journal.frames", "screens"]  # the frames are for clips
    assert sorted(one.name for one in tmp_path.iterdir()) == kept
