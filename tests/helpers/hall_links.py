"""A box's link to its hall, run turn by turn, and journals for it to send."""

import time
from collections.abc import Callable
from pathlib import Path

from tests.helpers.journal_events import NAMES, STARTED, answer_event
from tests.helpers.waiting import LIMIT_S
from throwlock.hall.link import HallLink
from throwlock.journal.events import MatchAbandoned
from throwlock.journal.journal import Journal


def drive(link: HallLink, until: Callable[[], object]) -> None:
    """Run a link until something is so."""
    end_s = time.monotonic() + LIMIT_S
    while not until():
        assert time.monotonic() < end_s, f"it never comes to that: {link.status}"
        link.turn(0.02)


def write_match(journal: Path, answers: int) -> None:
    """Append a match with so many answers, which is given up."""
    with Journal(journal) as writer:
        match = writer.start_match(STARTED, NAMES)
        for _ in range(answers):
            writer.append(match, answer_event())
        writer.append(match, MatchAbandoned())
