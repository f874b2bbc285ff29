"""How long a commit of the journal takes on its own disk."""

import random
import time
from pathlib import Path

from throwlock.cli.doctor.bench.machine import disk_name
from throwlock.cli.doctor.bench.result import JournalTimings, Timings
from throwlock.house_rules import HouseRules
from throwlock.journal.events import Answered, MatchStarted
from throwlock.journal.journal import Evidence, Journal

COMMITS = 40
EVIDENCE_KB = 65
"""Images of a round of two seats: docs/journal.md measures them."""


def time_commits(folder: Path, commits: int = COMMITS) -> JournalTimings:
    """Time commits of rounds with images in a new journal in ``folder``, which is left there. Raises JournalError."""
    started = MatchStarted(
        game="classic", rules_version=1, seats=2, options={}, house_rules=HouseRules(), seed=0, camera="none"
    )
    answered = Answered(prompt="throw", answers={1: "rock", 2: "paper"})
    times_ms = []
    with Journal(folder / "bench.journal") as journal:
        match = journal.start_match(started, ("Ann", "Ben"))
        for number in range(commits):
            data = random.Random(number).randbytes(EVIDENCE_KB * 1000)
            start = time.perf_counter()
            journal.append(match, answered, [Evidence("lock.jpg", "image/jpeg", data)])
            times_ms.append((time.perf_counter() - start) * 1e3)
    return JournalTimings(evidence_kb=EVIDENCE_KB, disk=disk_name(folder), commits=Timings.of(times_ms))
